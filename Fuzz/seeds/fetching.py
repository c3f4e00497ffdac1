"""Metadata, fields, key documents and histories of fetches."""

METADATA = [
    b'{"issuer":"https://idp.example","jwks_uri":"https://idp.example/keys","id_token_signing_alg_values_supported":["RS256"]}',
    b'{"issuer":"https://other.example","jwks_uri":"https://idp.example/keys"}', b'{"issuer":"https://idp.example"}',
    b'{"issuer":"https://idp.example","jwks_uri":"http://idp.example/keys"}', b'{"issuer":1}', b"[]", b"",
]
ISSUERS = [b"https://idp.example", b"https://idp.example/tenant/", b"http://127.0.0.1:8080", b"https://", b"ftp://a", b"https://a/?b", b"a"]
FIELDS = [
    b"Cache-Control: max-age=600, must-revalidate", b"cache-control: max-age=\"60\",no-cache",
    b"Cache-Control: max-age=99999999999999999999",
    b"Cache-Control: max-age=x, max-age=5, max-age = 7, no-store, private", b"Cache-Control: max-age", b"Expires: 0",
    b"Expires: Tue, 14 Nov 2023 23:15:00 GMT\nDate: Tue, 14 Nov 2023 22:15:00 GMT", b"Expires: Tuesday, 14-Nov-23 22:15:00 GMT",
    b"Expires: Tue Nov 14 22:15:00 2023", b"Date: Sun, 06 Nov 1994 08:49:37 GMT\nAge: 30\nETag: W/\"a\"\nLast-Modified: x", b"ETag: \x01",
    b"Retry-After: 120", b"Retry-After: Tue, 14 Nov 2023 22:20:00 GMT\nDate: Tue, 14 Nov 2023 22:15:00 GMT", b"Retry-After: x", b"Age: -1",
    b"Date: Thu, 29 Feb 2024 23:59:60 GMT", b"Date: Wed, 31 Feb 2024 24:00:00 GMT", b"Date: Fri, 01 Jan 1960 00:00:00 GMT", b"A", b"",
    b"Date: Fri Jan 1 00:00:00 69", b"Date: Mon, 06-Nov-70 08:49:37 GMT", b"Date: Mon, 06 Foo 1994 08:49:37 GMT", b"Date: a b c d",
]


def set_of(*keys):
    return b'{"keys":[' + b",".join(keys) + b"]}"


EC = b'{"kty":"EC","crv":"P-256","kid":"%s","alg":"ES256","x":"l64zGMfV8FO2J7ZQZGLSQUa2Yi9Vie8sm2B5zwuSiME",' \
    b'"y":"Gl7BhrcxLG55b3uKuKSASM-C9LnrYu0V49qr6EJ2UlQ"}'
KEYS = [
    set_of(), set_of(EC % b"a"), set_of(EC % b"a", EC % b"b"), b'{"keys":1}',
    b'{"kty":"oct","k":"WlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlo"}',
    b'{"keys":[{"kty":"oct","k":"AA"}],"spiffe_sequence":3,"spiffe_refresh_hint":60}', set_of(EC % b"a").replace(b'"alg"',
    b'"use":"jwt-svid","alg"'),
    b'{"keys":[],"keys":[]}', b'{"keys":[\xff]}', b'{"keys":[1,null,{}]}', b'{"kty":"AKP","alg":"ML-DSA-44","pub":"AA"}', b"\0",
    b'{"a":1e999}',
    b'{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo","d":"nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A"}',
    b'{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo","d":"AAAA","key_ops":["verify"]}',
    b"-----BEGIN PRIVATE KEY-----\nAA\n-----END PRIVATE KEY-----\n", b'{"kty":"EC","crv":"P-256","x":"AA","y":"AA","use":"enc","kid":1}',
]


def event(status, fields, body):
    return bytes([3, status]) + b"".join(field + b"\n" for field in fields) + b"\n" + body


# The first byte chooses the preset and, by its second bit, the keys' address or the issuer's metadata.
GOOD = event(0, [b"Cache-Control: max-age=600", b"ETag: \"a\"", b"Date: Tue, 14 Nov 2023 22:15:00 GMT"], set_of(EC % b"es"))
OTHER = event(0, [], set_of(EC % b"other-1"))


def bundle_text(sequence, *names):
    keys = set_of(*((EC % name).replace(b'"alg"', b'"use":"jwt-svid","alg"') for name in names))
    return keys[:-1] + b',"spiffe_sequence":%d,"spiffe_refresh_hint":60}' % sequence


def bundle(sequence, *names):
    return event(0, [b"ETag: \"a\""], bundle_text(sequence, *names))


def stored(minutes, *arguments):
    return bytes([6, minutes + 1]) + bundle_text(*arguments)


# The settings below 0x10 are those of the C interface, the others those of a bundle.
FETCHES = [
    [b"\x02", GOOD, b"\x07\x01", b"\x01\x14", b"\x02", event(3, [], b""), b"\x01\xff", b"\x02", b"\x04\x03", b"\x01\xff", b"\x01\xff",
     b"\x07\x04"],
    [b"\x02", GOOD, b"\x07\x01", b"\x00\x05", b"\x02", OTHER, b"\x05", b"\x02", b"\x06", b"\x01\x40", b"\x02", 
     event(5, [b"Retry-After: 30"], b"")],
    [b"\x03", event(0, [], b"{}"), b"\x04\x01", b"\x00\x40", b"\x02", event(3, [], b""), b"\x05", event(4, [], b""), b"\x05", event(9, [],
     b"")],
    [b"\x00", event(0, [], METADATA[0]), GOOD, b"\x01\x40", b"\x02", event(0, [], METADATA[0]), OTHER, b"\x05", b"\x02", event(0, [],
     METADATA[3])],
    [b"\x01", event(4, [], b""), event(0, [], METADATA[0]), GOOD, b"\x01\x40", event(0, [], METADATA[1]), b"\x01\x40", event(7, [], b"")],
    [b"\x00", event(0, [], METADATA[0]), GOOD, b"\x01\x40", event(7, [b"Retry-After: 30"], b""), b"\x01\x40",
     event(7, [b"Retry-After: 30"], b""), event(0, [], METADATA[0]), b"\x01\x40", event(4, [], b""), event(7, [b"Retry-After: 9"], b""),
     b"\x01\x40", event(4, [], b""), event(0, [], METADATA[0]), b"\x07\x01", event(3, [], b""), event(7, [], b"")],
    [b"\x02", event(0, [], set_of()), b"\x01\x01", event(0, [], set_of(EC % b"es", EC % b"b")), b"\x01\x50", event(0, [],
     set_of(EC % b"z"))],
    [b"\x02"] + [b"\x04" + bytes([failure]) + b"\xff\x05\xff\x00\xff\xff\x02" for failure in range(13)],
    [b"\x10", bundle(1, b"a", b"b"), bundle(2, b"c", b"b"), b"\x05", bundle(2, b"c", b"b"), bundle(1, b"a"), b"\x01\x09", b"\x02",
     event(3, [], b""), b"\x05", event(3, [], b""), b"\x05", event(6, [b"Retry-After: 3"], b""), b"\x01\xff", b"\x07\x01"],
    [b"\x13", bundle(5, b"a"), b"\x05", bundle(4, b"a"), stored(2, 3, b"a"), stored(-1, 3, b"a"), stored(99, 3, b"a"),
     stored(1, 3), b"\x05", bundle(6), b"\x05", b"\x00\x0b", b"\x07\x00", event(0, [b"Date: Tue, 14 Nov 2023 23:15:00 GMT"], b"{}"),
     bundle(7, b"a").replace(b"ETag: \"a\"", b"Date: Tue, 14 Nov 2023 23:15:00 GMT")],
    [b"\x11", *(b"\x05\xff\x04" + bytes([failure]) for failure in range(12))],
    [b"\x02", GOOD] + [b"\x07" + bytes([name]) for name in range(1, 30)] + [b"\x00\x14", b"\x02", b"\x01\x02", GOOD],
]

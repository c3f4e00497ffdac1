#!/usr/bin/env python3
"""Writes the seeds of the fuzzers that begin with our own vectors: seeds.py FOLDER writes FOLDER/TARGET/….

scripts/fuzz_corpora.sh minimises them, with what fuzzing has found, into the committed corpora."""

import base64
import hashlib
import hmac
import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LONGEST = 3_500
SECRET = b"Z" * 32


def encode(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=")


def decode(text):
    try:
        return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except ValueError:
        return None


def signed(header, payload):
    """A token with the HMAC of Keys.hs256."""
    message = encode(header) + b"." + encode(payload)
    return message + b"." + encode(hmac.new(SECRET, message, hashlib.sha256).digest())


def vectors():
    """The headers, payloads, tokens and key sets of all vectors."""
    headers, payloads, tokens, sets = set(), set(), set(), set()
    for path in sorted((ROOT / "vectors").glob("*.json")):
        document = json.loads(path.read_text())
        if document.get("keys"):
            sets.add(json.dumps(document["keys"], separators=(",", ":")).encode())
            for key in document["keys"].get("keys", []):
                sets.add(json.dumps(key, separators=(",", ":")).encode())
        for case in document["cases"]:
            token = case.get("token", "")
            tokens.add(token.encode())
            parts = token.split(".")
            if len(parts) == 3:
                headers.add(decode(parts[0]) or b"")
                payloads.add(decode(parts[1]) or b"")
    return [sorted(item for item in group if len(item) <= LONGEST) for group in (headers, payloads, tokens, sets)]


HEADERS = [
    b'{"alg":"HS256","kid":"%s"}' % name for name in (b"hs", b"ed", b"es", b"twin", b"weak", b"broken", b"enc", b"other")
] + [b'{"alg":"%s"}' % name for name in (b"HS256", b"HS512", b"EdDSA", b"Ed25519", b"ES256", b"ML-DSA-44", b"none")] + [
    b'{"alg":"HS256","kid":"es"}', b'{"alg":"ES256","kid":"hs"}', b'{"alg":"HS256","crit":["b64"],"b64":false}',
    b'{"alg":"HS256","crit":["x"],"x":1}', b'{"alg":"HS256","enc":"A128GCM"}', b'{"alg":"HS256","zip":"DEF"}', b'{"typ":"JWT"}',
    b'{"alg":"HS256","cty":"JWT"}', b'{"alg":"HS256","typ":"at+jwt"}', b'{"alg":"HS256","typ":"application\\/at+jwt"}', b"[]",
]
CLAIMS = [
    b'{"iss":"https://idp.example","sub":"user-1","aud":"client-1","exp":1700003600,"iat":1700000000,"nonce":"n-1","tenant":"t"}',
    b'{"iss":"https://idp.example","sub":"user-1","aud":["client-1","api"],"azp":"client-2","exp":1.7e9,"iat":1700000000}',
    b'{"iss":"https://b.example","aud":["api"],"nbf":1800000000}', b'{"iss":"https://idp.example","aud":"other"}',
    b'{"exp":1700003600,"iat":1700000050,"auth_time":1700000000,"acr":"gold","amr":["otp","pwd"],"tenant":0,"sub":"user-1","jti":"jti-1"}',
    b'{"exp":1700003600,"iat":1600000000,"auth_time":1600000000,"acr":"bronze","amr":"otp","sub":"user-2","tenant":0}',
    b'{"exp":1700003600,"iat":1800000000,"auth_time":1800000000}', b'{"exp":1600000000}', b'{"exp":"x"}', b"[]", b"{}", b'{"exp":1e400}',
    b'{"exp":1700003600,"at_hash":"bJYTDxMKsNbRWDl-JNK8wQ","c_hash":"fFnfaQH-j1pbFRFvpyRJwA"}',
    b'{"iss":"https://idp.example","aud":"client-1","exp":1700003600,"sub":"s","client_id":"c","iat":1700000000,"jti":"j","scp":["read"]}',
    b'{"iss":"https://idp.example","aud":"client-1","exp":1700003600,"sub":"s","client_id":"c","iat":1700000000,"jti":"j","scope":"read w"}',
    b'{"iss":"https:\\/\\/idp.example","aud":["client-\\u0031"],"exp":1700003600,"sub":"\\ud83d\\ude00\\u00e9","iat":1700000000,"s":"\\b\\f\\n"}',
    b'{"a":[1,2.5e-3,{"b":[[[]]],"c":"\\"\\\\"},null,true,false,-0],"aud":["x",1],"amr":[null,"otp"],"nested":{"x":[1,300]},"admin":true}',
    b'{"exp":1700003600.5,"nbf":-1.5,"iat":1e3,"x":12345678901234567890,"y":253402300800,"z":0.0000000001}',
]
METADATA = [
    b'{"issuer":"https://idp.example","jwks_uri":"https://idp.example/keys","id_token_signing_alg_values_supported":["RS256"]}',
    b'{"issuer":"https://other.example","jwks_uri":"https://idp.example/keys"}', b'{"issuer":"https://idp.example"}',
    b'{"issuer":"https://idp.example","jwks_uri":"http://idp.example/keys"}', b'{"issuer":1}', b"[]", b"",
]
ISSUERS = [b"https://idp.example", b"https://idp.example/tenant/", b"http://127.0.0.1:8080", b"https://", b"ftp://a", b"https://a/?b", b"a"]
FIELDS = [
    b"Cache-Control: max-age=600, must-revalidate", b"cache-control: max-age=\"60\",no-cache", b"Cache-Control: max-age=99999999999999999999",
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
    set_of(), set_of(EC % b"a"), set_of(EC % b"a", EC % b"b"), b'{"keys":1}', b'{"kty":"oct","k":"WlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlo"}',
    b'{"keys":[{"kty":"oct","k":"AA"}],"spiffe_sequence":3,"spiffe_refresh_hint":60}', set_of(EC % b"a").replace(b'"alg"', b'"use":"jwt-svid","alg"'),
    b'{"keys":[],"keys":[]}', b'{"keys":[\xff]}', b'{"keys":[1,null,{}]}', b'{"kty":"AKP","alg":"ML-DSA-44","pub":"AA"}', b"\0", b'{"a":1e999}',
    b'{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo","d":"nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A"}',
    b'{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo","d":"AAAA","key_ops":["verify"]}',
    b"-----BEGIN PRIVATE KEY-----\nAA\n-----END PRIVATE KEY-----\n", b'{"kty":"EC","crv":"P-256","x":"AA","y":"AA","use":"enc","kid":1}',
]


def event(status, fields, body):
    return bytes([3, status]) + b"".join(field + b"\n" for field in fields) + b"\n" + body


# The first byte chooses the preset and, by its second bit, the keys' address or the issuer's metadata.
GOOD = event(0, [b"Cache-Control: max-age=600", b"ETag: \"a\"", b"Date: Tue, 14 Nov 2023 22:15:00 GMT"], set_of(EC % b"es"))
OTHER = event(0, [], set_of(EC % b"other-1"))
FETCHES = [
    [b"\x02", GOOD, b"\x07\x01", b"\x01\x14", b"\x02", event(3, [], b""), b"\x01\xff", b"\x02", b"\x04\x03", b"\x01\xff", b"\x01\xff", b"\x07\x04"],
    [b"\x02", GOOD, b"\x07\x01", b"\x00\x05", b"\x02", OTHER, b"\x05", b"\x02", b"\x06", b"\x01\x40", b"\x02", event(5, [b"Retry-After: 30"], b"")],
    [b"\x03", event(0, [], b"{}"), b"\x04\x01", b"\x00\x40", b"\x02", event(3, [], b""), b"\x05", event(4, [], b""), b"\x05", event(9, [], b"")],
    [b"\x00", event(0, [], METADATA[0]), GOOD, b"\x01\x40", b"\x02", event(0, [], METADATA[0]), OTHER, b"\x05", b"\x02", event(0, [], METADATA[3])],
    [b"\x01", event(4, [], b""), event(0, [], METADATA[0]), GOOD, b"\x01\x40", event(0, [], METADATA[1]), b"\x01\x40", event(7, [], b"")],
    [b"\x02", event(0, [], set_of()), b"\x01\x01", event(0, [], set_of(EC % b"es", EC % b"b")), b"\x01\x50", event(0, [], set_of(EC % b"z"))],
    [b"\x02"] + [b"\x04" + bytes([failure]) + b"\xff\x05\xff\x00\xff\xff\x02" for failure in range(13)],
    [b"\x02", GOOD] + [b"\x07" + bytes([name]) for name in range(1, 30)] + [b"\x00\x14", b"\x02", b"\x01\x02", GOOD],
]
LINES = [
    bytes([key, 0, 0]) + CLAIMS[0] for key in range(0, 5)
] + [bytes([key, 3, 1]) + CLAIMS[0] for key in range(0, 5)] + [
    bytes([0x80, 0, 0]) + CLAIMS[1], bytes([0x81, 0, 0]) + CLAIMS[2], b"\xf0a.b.c", b"\xf0", bytes([1, 200, 7]) + CLAIMS[3], bytes([0, 0, 0]) + b"[]",
]
REQUESTS = [
    b"GET\napi.example\n/orders?a=b\nAuthorization: Bearer \xf8", b"GET\nh\n/both/x\nCookie: session=\xf8; other=\xf9",
    b"POST\nh\n/either/%20\nX-B: jwt=\xf9\nConnection: close", b"GET\na.open.example:8443\n/hosts/a\nX-Token: \xf8\nX-HTTP-Method-Override: PUT",
    b"OPTIONS\nxn.open.example.\n/open/%2e%2e/main\nx_a_sub: evil\nX-A-Sub: evil\nCookie: session=\"\xf8\"", b"GET\nh\n/scoped?access_token=\xfa",
    b"GET\nh\n/main?access%5Ftoken=\xf8&access_token=\xf8\nauthorization: Basic x, Bearer \xf8", b"GET\nh\n/scoped\nAuthorization: Bearer \xf8",
    b"GET\nh\n/main\nx-forwarded-method: GET\nx-forwarded-proto: https\nx-forwarded-host: h\nx-forwarded-uri: /main\nAuthorization: Bearer \xfb",
    b"GET\nh\n/main/a\nx-original-method: GET\nx-original-uri: /main\nhost: h\nAuthorization: Bearer \xfc", b"GET\nh\n*\n", b"\n\n\n", b"GET",
    b"GET\nh\n/main\nAuthorization: Bearer \xfd", b"GET\nh\n/main\nAuthorization: Bearer \xfe", b"GET\nh\n/main\nAuthorization: Bearer \xff",
    b"GET\nh\nhttp://h/main?access_token=a.b.c\nx-route: a\nx-route: b", b"CONNECT\nh:443\nh:443\n", b"GET\nh\n/main;x=1//a\\b%2f%00\n",
]
ANSWERS = [
    b'\0{"timestamp":1700000100000}', b'\0"1700000100"', b'\0{"id_token":"a.b.c","session_token":"s","expire":7200,"id_token_expire":"600"}',
    b'\5{"error_code":"COMMON.1004","error_msg":"m","details":{"retry_after":30,"a":["b"]}}', b"\x10<html>", b"\0", b'\x20{"status":" SOCIAL_BIND",'
    b'"state_token":"t","data":"{\\"verifications\\":[\\"VERIFY_PHONE\\"]}"}', b'\0{"status":"USER_LOCKED","state_token":"t"}', b"\x09{}",
    b'\0{"token":"t","originalImageBase64":"aGk=","jigsawImageBase64":"aGk=","secretKey":"0123456789abcdef","expire":"60"}',
    b'\0{"captcha_token":"c"}', b'\0{"sessions":[{"id":"a","device_name":"d","current":"true","authenticated":"1700000000000"}]}',
    b'\0{"phoneAreaCodeDefinitions":[{"areaCode":"86","countryCode":"CN","mobileRegex":"^(\\\\+?0?86\\\\-?)?1[3-9]\\\\d{9}$",'
    b'"displayMapping":"{\\"en\\":\\"China\\"}","areaCodeSuffixes":["1"]}],"preferredAreaCode":"CN"}',
    b'\0{"data":{"bound":true,"bound_at":1700000000,"key_id":"k"}}', b'\0{"data":{"random":"r","client_id":"c","client_name":"n","expire":60}}',
    b'\0{"code":"0","data":{"challenge":"c"}}', b'\0{"public_key":"MCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo="}',
    b"\0" + METADATA[0].replace(b"https://idp.example", b"https://tenant.example/api/v1/oauth2"), b"\0" + set_of(EC % b"es"),
]
ARGUMENTS = [b"", b"123456", b"+86-13800000000", b"wx0123456789abcdef://oauth?code=c&state=s", b"https://a.example:8443/", b"http://[::1]:80",
             b"https://app.example/wx/wx0123456789abcdef/oauth?code=c&state=s", b"MCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo="]
CONFIGURATION = b"""listeners:
  - name: main
    profile: nginx
    address: 127.0.0.1:0
providers:
  - name: a
    issuer: https://a.example
    audiences: [api]
    tokenFrom: [bearer, {cookie: session}, {header: x-token, prefix: ""}, {query: access_token}]
    keys: {url: "https://a.example/keys"}
    claims:
      - {header: x-sub, claim: sub}
policies:
  - name: users
    requires: {any: [a, allow-missing]}
    scopes: [read]
routes:
  - path: /
    methods: [GET]
    hosts: ["*.example"]
    policy: users
"""


def protobuf(number, content):
    return bytes([number << 3 | 2, len(content) & 0x7f | (0x80 if len(content) > 127 else 0)]) + (
        bytes([len(content) >> 7]) if len(content) > 127 else b"") + content


def check_requests():
    def header(name, value, map_field):
        entry = protobuf(1, name) + protobuf(2, value)
        return protobuf(3, entry) if map_field else protobuf(1, entry)

    base = protobuf(2, b"GET") + protobuf(4, b"/a?b") + protobuf(5, b"h") + protobuf(6, b"https")
    for fields in (
        header(b"authorization", b"Bearer a", True) + header(b":path", b"/a", True), protobuf(13, header(b"cookie", b"a=b", False)),
        protobuf(13, protobuf(1, protobuf(1, b"x") + protobuf(3, b"\xff"))), header(b"a", b"b", True) * 2, header(b"", b"b", True),
        header(b"a b", b"", True), protobuf(13, b"") + header(b"a", b"b", True), b"\x09\0\0\0\0\0\0\0\0\x15\0\0\0\0\x50\x96\x01", b"\x0b", b"\x50\xff\xff",
    ):
        message = protobuf(1, protobuf(4, protobuf(2, base + fields)) + protobuf(10, protobuf(1, b"k") + protobuf(2, b"v")))
        yield message
        yield b"\0" + len(message).to_bytes(4, "big") + message
    yield protobuf(1, protobuf(4, protobuf(2, protobuf(2, b"CONNECT") + protobuf(5, b"h:1"))))
    yield protobuf(1, protobuf(10, b"") * 2)
    yield b"\1\0\0\0\0"
    yield b"\0\0\0\0\0"
    yield b"\0\0\0\0\x06" + protobuf(1, b"none")


def seeds():
    headers, payloads, tokens, sets = vectors()
    claims = CLAIMS + payloads
    return {
        "TokenFuzzer": tokens + [signed(HEADERS[0], item) for item in claims] + [signed(item, CLAIMS[0]) for item in HEADERS]
        + [b"a", b"..", b"a.b.c.d", b"a.b.c.d.e", encode(HEADERS[8]) + b".." + encode(b"x" * 32)],
        "HeaderFuzzer": [bytes([policy]) + item for item in HEADERS for policy in range(5)] + [b"\4" + item for item in headers],
        "PayloadFuzzer": claims,
        "ClaimsFuzzer": [bytes([policy, policy]) + item for item in CLAIMS for policy in range(11)] + [b"\1\2" + item for item in CLAIMS]
        + [b"\0\0" + item for item in payloads],
        "JSONFuzzer": [bytes([limit]) + item for item in CLAIMS + HEADERS for limit in range(4)] + [b"\0" + item for item in headers + payloads],
        "KeySetFuzzer": sets + KEYS,
        "BatchFuzzer": [bytes([verifier]) + b"\n".join(LINES) for verifier in range(3)] + [b"\0" + b"\n".join([line] * 9) for line in LINES[:5]],
        "CacheFuzzer": [bytes([setting]) + bytes(range(48)) * 2 + b"\xf0\xf2" + bytes(range(48)) + b"\xf8\0\1\xf9\0\1\xfc\0\xf7\0\xfd\0\n" + item
                        for setting in range(16) for item in CLAIMS[:2]],
        "DiscoveryFuzzer": [issuer + b"\n" + item for issuer in ISSUERS for item in METADATA],
        "ResponseFuzzer": FIELDS + [b"\n".join(FIELDS)],
        "FetchFuzzer": [fetch[0] + b"\xff".join(fetch[1:]) for fetch in FETCHES],
        "InterfaceFuzzer": [bytes([pair, kind, room]) + item for item in CLAIMS for pair, kind, room in ((0, 3, 9), (1, 4, 9), (2, 0x83, 2), (0, 0x85, 9))]
        + [b"\0\1\0" + item + b"\n" + CLAIMS[0] for item in HEADERS] + [b"\0\0\0" + item for item in tokens],
        "CheckRequestFuzzer": list(check_requests()),
        "DecisionFuzzer": REQUESTS,
        "FlowFuzzer": [bytes([call]) + ARGUMENTS[1] + b"\xff" + b"\xff".join([answer, *ANSWERS[8:11]]) for call in range(24) for answer in ANSWERS]
        + [bytes([call | setting]) + argument + b"\xff" + b"\xff".join(ANSWERS) for call in range(24) for setting in (0, 0x20, 0x40, 0x80)
           for argument in ARGUMENTS[:2]]
        + [bytes([call]) + argument + b"\xff" + ANSWERS[12] for call in (1, 7, 8, 14, 18) for argument in ARGUMENTS],
        "ConfigurationFuzzer": [CONFIGURATION, b"", b"a: &x 1\n", b"a: [", b"\t", CONFIGURATION.replace(b"https", b"http")],
        "RequestFuzzer": [b'{"mobile":"1","code":1,"point":{"x":1},"nonce":null,"decision":true}', b"[]", b"application/json; charset=utf8", b'{"a":1,"a":2}'],
    }


def main(folder):
    for target, inputs in seeds().items():
        place = pathlib.Path(folder) / target
        place.mkdir(parents=True, exist_ok=True)
        for item in inputs:
            (place / hashlib.sha1(item).hexdigest()[:16]).write_bytes(item)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])

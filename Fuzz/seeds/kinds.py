"""Proofs, encrypted tokens, presentations, documents and answers about tokens, in parts that bytes of 0xff separate."""

import hashlib
import json
import zlib

from encoding import encode
from tokens import CLAIMS

TOKEN = b"header.payload.signature"
# The public keys of Keys.ed25519 and Keys.es256.
ED25519 = b'{"crv":"Ed25519","kty":"OKP","x":"IVL40Zt5HSRFMkLhXy6rbLfP-ntqXtMAl5YOBpiB2xI"}'
ES256 = b'{"crv":"P-256","kty":"EC","x":"OtOGGpViE5JRa7WT7wVYPtLlhm9ctiYKMBcjf9ibkK8","y":"0JYcfjcHWmeRo5xh9WKVsCttJlZ7YV5gqkHuHI6DOI0"}'


def joined(head, *parts):
    return bytes([head]) + b"\xff".join(parts)


def merged(text, **changes):
    """The object with other members; None takes one away."""
    members = json.loads(text)
    members.update(changes)
    return json.dumps({name: value for name, value in members.items() if value is not None}, separators=(",", ":")).encode()


def proofs():
    """The URL that was asked for, the header and the claims of a proof."""
    url = b"https://api.example/orders"
    header = b'{"typ":"dpop+jwt","alg":"EdDSA","jwk":%s}' % ED25519
    claims = b'{"jti":"j","htm":"GET","htu":"https://api.example/orders","iat":1700000000,"ath":"%s"}'
    claims %= encode(hashlib.sha256(TOKEN).digest())
    urls = [url, b"HTTPS://API.example:443/./a/../orders?x#y", b"http://[::1]:80/%7e/%2F/%zz", b"https://h", b"https://h/a/..", b"//",
        b"a://"]
    headers = [
        header, b"[]", b'{"typ":"JWT","alg":"EdDSA"}', b'{"typ":"dpop+jwt","alg":"none"}',
        b'{"typ":"dpop+jwt","alg":"ES256","jwk":%s}' % ES256,
        b'{"typ":"dpop+jwt","alg":"EdDSA","jwk":{"kty":"OKP","crv":"Ed25519","x":"AA","d":"AA"}}',
        b'{"typ":"dpop+jwt","alg":"EdDSA","jwk":[]}',
        b'{"typ":"dpop+jwt","alg":"EdDSA","crit":["x"],"x":1}', b'{"typ":"dpop+jwt","alg":"HS256","jwk":{"kty":"oct","k":"AA"}}',
        b'{"typ":"dpop+jwt","alg":"RS256","jwk":{"kty":"RSA","n":"%s","e":"AQAB"}}' % (b"w" * 88), header.replace(b"EdDSA", b"ES256"),
    ]
    changes = [
        {"htm": "POST"}, {"htm": None}, {"htu": "https://api.example/x"}, {"htu": 1}, {"jti": ""}, {"jti": "j" * 300}, {"iat": 1699999000},
        {"iat": 1700000099}, {"iat": "x"}, {"ath": "x"}, {"ath": None}, {"exp": 1}, {"nbf": 1800000000}, {"nonce": "n"}, {"nonce": 1},
        {"nonce": "n" * 300}, {"htu": "https://api.example/a/../%6frders?b#c"}, {"jti": None}, {"htu": None}, {"exp": "x"},
    ]
    whole = [joined(0, address, header, claims) for address in urls] + [joined(0, url, item, claims) for item in headers]
    whole += [joined(0, url, header, merged(claims, **change)) for change in changes]
    whole += [joined(0, url, header, b"[]"), joined(0, url, header, claims[:-1] + b',"jti":"k"}'), b"\xfe" + url + b"\xff\xffa.b.c"]
    return whole + [b"\xfe" + url + b"\xff\xffa", b"\xfe" + url + b"\xff\xff" + b"a" * 700, joined(0, url, b"{" + b" " * 4000, claims)]


def encrypted():
    """The kind of key, the place of a changed bit, then a header and a content; or a whole token."""
    inner = encode(b'{"alg":"HS256"}') + b"." + encode(b"{}") + b".AA"
    names = [b"A128GCM", b"A256GCM", b"A128CBC-HS256", b"A256CBC-HS512"]
    headers = [b'{"alg":"dir","enc":"%s","cty":"JWT","kid":"%s"}' % (name, name) for name in names]
    good = headers[1]
    changes = [
        {"alg": None}, {"alg": "none"}, {"alg": 1}, {"alg": "RSA1_5"}, {"alg": "PBES2-HS256+A128KW", "p2c": 2147483647, "p2s": "AA"},
        {"enc": None},
        {"enc": "A192GCM"}, {"enc": "A128GCM"}, {"cty": None}, {"cty": "x"}, {"cty": 1}, {"kid": None}, {"kid": "x"}, {"kid": 1},
        {"zip": "DEF"},
        {"zip": "x"}, {"crit": ["x"], "x": 1}, {"crit": []}, {"alg": "ECDH-ES"}, {"alg": "RSA-OAEP"}, {"typ": "JWT"},
        {"alg": "ECDH-ES", "kid": "x", "epk": {"kty": "EC", "crv": "P-256", "x": "A" * 43, "y": "A" * 43}},
        {"alg": "ECDH-ES+A128KW", "kid": "y", "epk": {"kty": "OKP", "crv": "X25519", "x": "A" * 43}, "apu": "QQ", "apv": "Qg"},
        {"alg": "ECDH-ES", "kid": "x", "epk": {"kty": "OKP", "crv": "X25519", "x": "A" * 43}, "apu": "="}, {"alg": "ECDH-ES", "epk": 1},
    ]
    tokens = [bytes([kind + 1, 40 * kind]) + headers[kind] + b"\xff" + inner for kind in range(4)]
    tokens += [bytes([kind, 7 * kind, 0xff]) + inner for kind in range(5, 9)]
    tokens += [bytes([2, 9]) + merged(good, **change) + b"\xff" + inner for change in changes]
    tokens += [bytes([2, 1]) + good + b"\xff" + content for content in (b"", b"{}", b"a.b.c.d.e", b"x" * 300)]
    # Deflated "a.b.c", and what inflates to more than the bound.
    tokens += [bytes([2, 1]) + merged(good, zip="DEF") + b"\xff" + content for content in (deflated(b"a.b.c"), deflated(b"a" * 9000), b"x")]
    texts = [b"a", b"a.b.c", b"a.b", b"a.b.c.d", b"a.b.c.d.e", b"a.b.c.d.e.f", b"....", encode(good) + b"....",
        encode(good) + b"..AA.AA.AA"]
    texts += [encode(good) + b".=...", encode(merged(good, alg="RSA-OAEP-256",
        kid="rsa")) + b"." + b"A" * 342 + b"." + b"A" * 16 + b".AA." + b"A" * 22]
    texts += [encode(merged(good, alg="ECDH-ES", kid="x", epk=json.loads(POINT))) + b".." + b"A" * 16 + b".AA." + b"A" * 22, b"a" * 25_000]
    return tokens + [b"\0\0\xff" + text for text in texts]


POINT = '{"kty":"EC","crv":"P-256","x":"OtOGGpViE5JRa7WT7wVYPtLlhm9ctiYKMBcjf9ibkK8","y":"0JYcfjcHWmeRo5xh9WKVsCttJlZ7YV5gqkHuHI6DOI0"}'


def deflated(data):
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return packer.compress(data) + packer.flush()


def presentations():
    """The issuer's claims, disclosures, and the holder's claims if bit 0 is set."""
    plain = '"iss":"https://idp.example","exp":1700003600'
    holder = '{"aud":"https://verifier.example","nonce":"n-1","iat":1700000100,"sd_hash":"@hash"}'
    simple = ['{%s,"_sd":["@0","@1","x"],"_sd_alg":"sha-256"}' % plain, '["salt","given_name","Jane"]', '["salt","a",{"b":[1,null,true]}]']
    nested = ['{%s,"a":[{"...":"@0"},1,{"...":"y"}],"_sd":["@2"]}' % plain, '["salt",{"_sd":["@1"]}]', '["salt","k",1.50]',
        '["salt","n",[]]']
    bound = ['{%s,"cnf":{"jwk":"@key"},"_sd":["@0"]}' % plain, '["s","age",21]']
    faults = [
        ['{%s,"_sd":["@0"]}' % plain, text] for text in (
            '["s","iss","x"]', '["s","cnf",{}]', '["s","exp",1]', '["s","_sd",1]', '["s","...",1]', '["s","v"]', '[1,"v",1]', '[]', '{}',
            'x',
            '["s","status",{}]', '["s","vct","x"]', '["s","iat",1]', '["s","x",{"_sd_alg":"sha-256"}]', '["s","x",{"...":"y"}]',
            '["s",1,1]')]
    faults += [
        ['{%s,"_sd":"@0"}' % plain, '["s","a",1]'], ['{%s,"_sd":[1]}' % plain], ['{%s,"_sd":["x","x"]}' % plain],
        ['{%s,"_sd_alg":"md5"}' % plain],
        ['{%s,"_sd_alg":"sha-384"}' % plain], ['{%s}' % plain, '["s","a",1]'], ['{%s,"a":1,"_sd":["@0"]}' % plain, '["s","a",2]'],
        ['{%s,"_sd":["@0","@1"]}' % plain, '["s","a",2]', '["s","a",2]'], ['{%s,"a":{"...":"x"}}' % plain],
        ['{%s,"a":[{"...":"x","b":1}]}' % plain],
        ['{%s,"cnf":{"_sd":["x"]}}' % plain], ['{%s,"a":{"_sd_alg":"sha-256"}}' % plain], ['{"iss":"https://idp.example"}'], ['[]'],
        ['x'], []]
    holders = [
        holder, holder.replace("n-1", "n-2"), holder.replace("verifier", "other"), holder.replace("@hash", "x"),
        holder.replace("1700000100", "1"),
        '{"aud":"https://verifier.example","nonce":"n-1","iat":1700000100}', "[]"]
    keys = ['{"jkt":"x"}', '{"jwk":{"kty":"oct","k":"AA"}}', '{"jwk":{"kty":"EC"}}', "1", '{"jwk":1}']
    texts = [joined(0, *(part.encode() for part in parts)) for parts in [simple, nested, bound, *faults]]
    texts += [joined(1, *(part.encode() for part in [*bound, item])) for item in holders]
    texts += [joined(1, ('{%s,"cnf":%s}' % (plain, key)).encode(), holder.encode()) for key in keys] + [joined(1, simple[0].encode(),
        holder.encode())]
    whole = [b"", b"~", b"a.b.c", b"a.b.c~", b"a.b.c~~", b"a.b.c~W10~", b"a.b.c~W10~a.b.c", b"a.b.c~=~",
        b"a.b.c" + b"~WyJhIiwxXQ" * 200 + b"~"]
    return texts + [b"\xfe" + text for text in whole] + [b"\xfe" + b"a" * 700 + b"~"]


def documents():
    """A payload, then a protected and an unprotected header for each signature; or a whole document."""
    own, typed = b'{"alg":"EdDSA","kid":"ed"}', b'{"alg":"EdDSA","kid":"ed","typ":"manifest+jws"}'
    unencoded = b'{"alg":"EdDSA","b64":false,"crit":["b64"]}'
    heads = [
        (own, b""), (typed, b""), (own, b'{"x":1}'), (own, b'{"kid":"ed"}'), (own, b'{"crit":["x"],"x":1}'), (b"", own),
        (b'{"alg":"EdDSA"}', b'{"kid":"ed"}'),
        (own, b'{"typ":"manifest+jws"}'), (b"{}", b""), (b"[]", b""), (b"x", b""), (b"", b""), (own, b"[]"), (own, b"{}"),
        (b'{"alg":"none"}', b""),
        (b'{"alg":"EdDSA","kid":"other"}', b""), (b'{"alg":"EdDSA","crit":["x"],"x":1}', b""), (b'{"alg":"EdDSA","alg":"ES256"}', b""),
        (unencoded, b"")]
    made = [joined(kind, b'{"version":7}', *head) for head in heads for kind in (0, 1)] + [joined(2, b"$.02", unencoded, b"")]
    made += [joined(3, b"text", unencoded, b"", own, b""), joined(1, b"a", own, b"", typed, b""), joined(1, b"a", own, b"",
        b'{"alg":"EdDSA","kid":"x"}', b"")]
    made += [joined(4, b"a", b'{"alg":"HS256","kid":"hs"}', b""), joined(1, b"a", *[own, b""] * 9), joined(0, b"", own, b""), joined(0,
        b"a" * 600, own, b"")]
    whole = [
        b"", b"{}", b"[]", b"x", b'{"payload":"e30"}', b'{"payload":1,"signature":"AA","header":{"kid":"ed"}}',
        b'{"payload":"e30","signatures":[]}',
        b'{"payload":"e30","signatures":{}}', b'{"payload":"e30","signatures":[1]}',
        b'{"payload":"e=","header":{"alg":"EdDSA"},"signature":"AA"}',
        b'{"payload":"e30","signature":"A=","protected":"e30"}', b'{"payload":"e30","signature":"AA","signatures":[{}]}',
        b'{"payload":"e30","header":{"kid":"ed"},"signature":"AA"}', b'{"payload":"e30","payload":"e30"}']
    return made + [b"\xfe" + text for text in whole]


def answers():
    """A header, which only a signed answer has, and the answer."""
    active = b'{"active":true,"iss":"https://idp.example","aud":"orders","exp":1700003600,"sub":"u","scope":"read"}'
    changes = [
        {"active": False}, {"active": None}, {"active": "true"}, {"iss": "x"}, {"aud": "x"}, {"aud": ["orders", "x"]}, {"exp": 1},
        {"exp": "x"},
        {"exp": None}, {"cnf": {"jkt": "x"}}, {"nbf": 1800000000}]
    plain = [active] + [merged(active, **change) for change in changes] + [active[:-1] + b',"active":false}', b"", b"[]", b"x",
        b'{"active":false}']
    header = b'{"alg":"EdDSA","typ":"token-introspection+jwt","kid":"ed"}'
    outer = b'{"iss":"https://idp.example","aud":"gateway","iat":1700000000,"token_introspection":%s}'
    wrong = [
        {"iss": "x"}, {"aud": "x"}, {"iat": 1}, {"iat": 1800000000}, {"iat": None}, {"token_introspection": None},
        {"token_introspection": "x"}, {"exp": 1}]
    signed = [outer % text for text in plain if text] + [merged(outer % active, **change) for change in wrong]
    headers = [header.replace(b"token-introspection+", b""), header.replace(b"ed", b"x"), b'{"alg":"none"}', b"[]"]
    made = [joined(0, b"", text) for text in plain + CLAIMS[:3]] + [joined(1, header, text) for text in signed]
    return made + [joined(1, item, outer % active) for item in headers] + [b"\xfe\xff" + text for text in (b"a.b.c", b"a", active,
        b"a.b.c.d.e")]

"""Exchanges SD-JWTs with sd-jwt, and documents in JWS JSON serialization with jwcrypto and joserfc: run.py EXCHANGE. EXCHANGE is the
program of this folder, which answers questions of one line."""
import json
import subprocess
import sys
import time

from joserfc import jws as joserfc_jws
from joserfc.jwk import KeySet, import_key
from jwcrypto import jwk, jws
from sd_jwt.common import SDObj
from sd_jwt.holder import SDJWTHolder
from sd_jwt.issuer import SDJWTIssuer
from sd_jwt.verifier import SDJWTVerifier

NOW = 1_700_000_000
AUDIENCE, NONCE = "https://verifier.example", "n-1"
PAYLOAD = '{"version":7,"city":"Köln"}'

exchange = subprocess.Popen([sys.argv[1]], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
passed, failed = 0, 0


def ask(question, **more):
    exchange.stdin.write(json.dumps({"ask": question, **more}) + "\n")
    exchange.stdin.flush()
    return json.loads(exchange.stdout.readline())


def expect(name, found, wanted):
    global passed, failed
    right = found == wanted
    passed, failed = passed + right, failed + (not right)
    if not right:
        print(f"FAIL {name}: {found!r} instead of {wanted!r}")


def refused(body):
    """Whether another implementation refuses."""
    try:
        body()
    except Exception:
        return True
    return False


# SD-JWTs of sd-jwt, verified here.

CLAIMS = {
    "flat": ({SDObj("given_name"): "Jane", SDObj("age"): 42, "city": "Köln"}, {"given_name": True}, {"city": "Köln", "given_name": "Jane"}),
    "nothing": ({SDObj("given_name"): "Jane"}, {}, {}),
    "structured": (
        {"address": {SDObj("country"): "DE", SDObj("city"): "Köln"}}, {"address": {"city": True}}, {"address": {"city": "Köln"}}),
    "recursive": (
        {SDObj("address"): {SDObj("country"): "DE", SDObj("city"): "Köln"}}, {"address": {"country": True}},
        {"address": {"country": "DE"}}),
    "array": ({"nationalities": [SDObj("DE"), SDObj("FR"), "IT"]}, {"nationalities": [False, True]}, {"nationalities": ["FR", "IT"]}),
    "array within": (
        {SDObj("lists"): [[SDObj("a"), "b"], SDObj({SDObj("c"): 1})]}, {"lists": [[True], {"c": True}]},
        {"lists": [["a", "b"], {"c": 1}]}),
    "texts": (
        {SDObj("\"\\\u0001ä"): ["😀", None, 1.5, {"": True}]}, {"\"\\\u0001ä": True}, {"\"\\\u0001ä": ["😀", None, 1.5, {"": True}]}),
}


def presented(claims, shown, bound):
    issuer, holder = jwk.JWK.generate(kty="EC", crv="P-256"), jwk.JWK.generate(kty="EC", crv="P-256")
    issued = SDJWTIssuer({"iss": "https://idp.example", "exp": 4_000_000_000, **claims}, issuer, holder, add_decoy_claims=True)
    wallet = SDJWTHolder(issued.sd_jwt_issuance)
    wallet.create_presentation(shown, *((NONCE, AUDIENCE, holder) if bound else ()))
    return wallet.sd_jwt_presentation, issuer


def verdict(text, issuer, bound, nonce=NONCE, at=None):
    more = {"audience": AUDIENCE, "nonce": nonce} if bound else {}
    # sd-jwt dates a key binding by the clock.
    date = int(time.time()) if at is None else at
    return ask("verify presentation", text=text, issuer=issuer.export_public(as_dict=True), at=date, **more)


def inner(answer):
    return {name: value for name, value in answer.get("claims", answer).items() if name not in ("iss", "exp", "cnf")}


for name, (claims, shown, wanted) in CLAIMS.items():
    for bound in (False, True):
        text, issuer = presented(claims, shown, bound)
        expect(f"sd-jwt's {name}, bound {bound}", inner(verdict(text, issuer, bound)), wanted)
        expect(f"sd-jwt's {name}, the other requirement", verdict(text, issuer, not bound).get("code"),
               "unexpected_key_binding" if bound else "missing_key_binding")
        stranger = jwk.JWK.generate(kty="EC", crv="P-256")
        expect(f"sd-jwt's {name}, another key", verdict(text, stranger, bound).get("cause"), "signature_invalid")
        if bound:
            expect(f"sd-jwt's {name}, another nonce", verdict(text, issuer, True, nonce="n-2").get("cause"), "nonce_mismatch")
            token, *disclosures, proof = text.split("~")
            if disclosures:
                less = "~".join([token, *disclosures[1:], proof])
                code = verdict(less, issuer, True).get("code")
                expect(f"sd-jwt's {name}, less", code in ("presentation_mismatch", "unused_disclosure"), True)

# SD-JWTs of this, verified by sd-jwt.

MADE = [
    ({"given_name": "Jane", "age": 42}, ["given_name", "age"], ["age"], {"age": 42}),
    ({"given_name": "Jane"}, ["given_name"], [], {}),
    ({"address": {"country": "DE", "city": "Köln"}}, ["address", "address.city"], ["address.city"],
     {"address": {"country": "DE", "city": "Köln"}}),
    ({"address": {"country": "DE", "city": "Köln"}}, ["address.country"], [], {"address": {"city": "Köln"}}),
    ({"list": ["a", ["b", "c"], {"d": 1}]}, ["list.0", "list.1.1", "list.2", "list.2.d"], ["list.1.1", "list.2"], {"list": [["b", "c"], {}]}),
    ({"a": "\"\\\u0001ä😀", "b": [None, True, -7]}, ["a", "b"], ["a", "b"],
     {"a": "\"\\\u0001ä😀", "b": [None, True, -7]}),
]

for claims, hide, disclose, wanted in MADE:
    for bound in (False, True):
        more = {"audience": AUDIENCE, "nonce": NONCE} if bound else {}
        made = ask("present", claims={"iss": "https://idp.example", **claims}, hide=hide, disclose=disclose, at=NOW, **more)
        key = jwk.JWK(**made["issuer"])

        def other(text, nonce=NONCE):
            return SDJWTVerifier(text, lambda issuer, header: key, *((AUDIENCE, nonce) if bound else (None, None))).get_verified_payload()

        expect(f"our {hide}, bound {bound}", inner({"claims": other(made["text"])}), wanted)
        expect(f"our {hide}, verified here", inner(verdict(made["text"], key, bound, at=NOW)), wanted)
        expect(f"our {hide}, changed", refused(lambda: other(made["text"].replace(".", ".A", 1))), True)
        if bound:
            expect(f"our {hide}, another nonce", refused(lambda: other(made["text"], "n-2")), True)

# Documents of jwcrypto and joserfc, verified here.

KEYS = {"ES256": {"kty": "EC", "crv": "P-256"}, "RS256": {"kty": "RSA", "size": 2048}, "EdDSA": {"kty": "OKP", "crv": "Ed25519"}}
SETS = [["ES256"], ["RS256"], ["EdDSA"], ["ES256", "RS256"], ["EdDSA", "ES256", "RS256"]]


def keys_of(algorithms):
    return [jwk.JWK.generate(kid=f"k{place}", **KEYS[name]) for place, name in enumerate(algorithms)]


def public(keys):
    return [key.export_public(as_dict=True) for key in keys]


for algorithms in SETS:
    keys = keys_of(algorithms)
    document = jws.JWS(PAYLOAD.encode())
    for name, key in zip(algorithms, keys):
        document.add_signature(key, None, json.dumps({"alg": name}), json.dumps({"kid": key.key_id}))
    theirs = document.serialize()
    members = [{"protected": {"alg": name}, "header": {"kid": key.key_id}} for name, key in zip(algorithms, keys)]
    imported = KeySet([import_key(key.export(as_dict=True)) for key in keys])
    joined = joserfc_jws.serialize_json(members, PAYLOAD, imported, algorithms=algorithms)
    for maker, text in (("jwcrypto", theirs), ("joserfc", json.dumps(joined))):
        title = f"{maker}'s {algorithms}"
        answer = ask("verify document", text=text, keys=public(keys), requirement="all")
        expect(title, answer, {"payload": PAYLOAD, "held": list(range(len(keys)))})
        one = ask("verify document", text=text, keys=public(keys[:1]), requirement="one")
        expect(f"{title}, one key", one, {"payload": PAYLOAD, "held": [0]})
        wanted = {"payload": PAYLOAD, "held": [0]} if len(keys) == 1 else {"code": "signature_refused", "cause": "unknown_key"}
        expect(f"{title}, one key for all", ask("verify document", text=text, keys=public(keys[:1]), requirement="all"), wanted)
        changed = json.loads(text)
        changed["payload"] = "e30"
        answer = ask("verify document", text=json.dumps(changed), keys=public(keys), requirement="all")
        expect(f"{title}, changed", answer, {"code": "signature_refused", "cause": "signature_invalid"})
        detached = json.loads(text)
        del detached["payload"]
        answer = ask("verify document", text=json.dumps(detached), keys=public(keys), requirement="all", detached=True, payload=PAYLOAD)
        expect(f"{title}, detached", answer, {"payload": PAYLOAD, "held": list(range(len(keys)))})

# RFC 7797, flattened.
secret = jwk.JWK.generate(kty="oct", size=256, kid="s")
member = {"protected": {"alg": "HS256", "b64": False, "crit": ["b64"]}}
unencoded = joserfc_jws.serialize_json(member, "$.02", import_key(secret.export(as_dict=True)), algorithms=["HS256"])
shared = [secret.export(as_dict=True)]
answer = ask("verify document", text=json.dumps(unencoded), keys=shared, requirement="all", algorithms=["HS256"])
expect("joserfc's unencoded payload", answer, {"payload": "$.02", "held": [0]})
answer = ask("verify document", text=json.dumps(unencoded), keys=shared, requirement="all")
expect("joserfc's unencoded payload, no HMAC", answer, {"code": "signature_refused", "cause": "algorithm_not_allowed"})

# Documents of this, verified by jwcrypto and joserfc.

for algorithms in SETS:
    for flattened in (True, False) if len(algorithms) == 1 else (False,):
        for detached in (False, True):
            made = ask("sign", payload=PAYLOAD, algorithms=algorithms, flattened=flattened, detached=detached)
            title = f"our {algorithms}, flattened {flattened}, detached {detached}"
            for place, member in enumerate(made["keys"]):
                document = jws.JWS()
                document.deserialize(made["text"])
                document.verify(jwk.JWK(**member), detached_payload=PAYLOAD.encode() if detached else None)
                same = detached or document.payload.decode() == PAYLOAD
                expect(f"{title}, jwcrypto, {place}", document.is_valid and same, True)
                stranger = jwk.JWK.generate(**KEYS[algorithms[place]])
                expect(f"{title}, jwcrypto, a stranger", refused(lambda: document.verify(stranger)), True)
            if not detached:
                found = joserfc_jws.deserialize_json(
                    json.loads(made["text"]), KeySet([import_key(member) for member in made["keys"]]), algorithms=algorithms)
                expect(f"{title}, joserfc", found.payload.decode(), PAYLOAD)

made = ask("sign", payload="$.02", algorithms=["ES256"], flattened=True, b64=False)
found = joserfc_jws.deserialize_json(json.loads(made["text"]), import_key(made["keys"][0]), algorithms=["ES256"])
expect("our unencoded payload, joserfc", found.payload.decode(), "$.02")

exchange.stdin.close()
exchange.wait()
print(f"{passed} passed, {failed} failed")
sys.exit(failed > 0 or passed < 150)

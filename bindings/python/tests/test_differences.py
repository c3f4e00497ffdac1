"""The tables of Docs/FromPyJWT.md and Docs/FromJoserfc.md: each row is a token that the libraries judge differently."""

import json
import time
from pathlib import Path

import jwt
import pytest
from joserfc import jwk as joserfc_jwk
from joserfc import jwt as joserfc_jwt
from joserfc.jwk import KeySet

import assay
from assay import Verifier
from assay.testing import SigningKey

ROOT = Path(__file__).resolve().parents[3]
KEY, RSA = SigningKey("ES256", "key-1"), SigningKey("RS256", "key-2")
NOW = int(time.time())
CLAIMS = {"iss": "https://idp.example", "aud": "client-1", "sub": "user-1", "iat": NOW, "exp": NOW + 600}


def padded(token):
    return token + "=" * (-len(token.rpartition(".")[2]) % 4)


def with_header(**members):
    return KEY.sign(CLAIMS, header=members)


def without(*names):
    return KEY.sign({name: value for name, value in CLAIMS.items() if name not in names})


def payload(text):
    return KEY.sign_payload(json.dumps({"alg": "ES256", "kid": "key-1"}).encode(), text.encode())


SHORT = SigningKey("HS256", "short")
SHORT._key = b"sixteen octets!!"
PLAIN = '"iss":"https://idp.example","exp":%d' % (NOW + 600)
# The row of the tables, the token, and what each library makes of it: "valid" or something else. Assay's is its code.
ROWS = [
    ("no `exp`", without("exp"), "valid", "valid", "missing_claim"),
    ("expired for less than a minute", KEY.sign({**CLAIMS, "exp": NOW - 30}), "invalid", "invalid", "valid"),
    ("a member twice", payload('{"aud":"client-2","aud":"client-1",%s}' % PLAIN), "valid", "valid", "duplicate_member"),
    ("padding in the signature", padded(KEY.sign(CLAIMS)), "valid", "invalid", "invalid_base64url"),
    ("a number that is no JSON, `NaN`", payload('{"aud":"client-1","x":NaN,%s}' % PLAIN), "valid", "valid", "invalid_json"),
    ("a `kid` of another key", with_header(kid="key-9"), "valid", "invalid", "unknown_key"),
    ("an HMAC secret shorter than its hash", SHORT.sign(CLAIMS), "valid", "valid", "weak_key"),
    ("more than 16 KiB", KEY.sign({**CLAIMS, "x": "y" * 20_000}), "valid", "valid", "token_too_large"),
    ("nested deeper than 16", KEY.sign({**CLAIMS, "x": json.loads("[" * 20 + "]" * 20)}), "valid", "valid", "nesting_too_deep"),
    ("another `typ`, `at+jwt`, where `types` is `JWT`", with_header(typ="at+jwt"), "valid", "valid", "type_mismatch"),
    ("`exp` as a text", KEY.sign({**CLAIMS, "exp": str(NOW + 600)}), "valid", "invalid", "invalid_claim"),
]


def judged(call):
    try:
        call()
        return "valid"
    except Exception:
        return "invalid"


def by_pyjwt(token, key):
    secret = key.secret if key.algorithm == "HS256" else key.pem
    return judged(lambda: jwt.decode(token, secret, algorithms=[key.algorithm], audience="client-1", issuer="https://idp.example"))


def by_joserfc(token, key):
    keys = KeySet([joserfc_jwk.import_key(key.jwk)])
    registry = joserfc_jwt.JWTClaimsRegistry(
        iss={"essential": True, "value": "https://idp.example"}, aud={"essential": True, "value": "client-1"}
    )
    return judged(lambda: registry.validate(joserfc_jwt.decode(token, keys, algorithms=[key.algorithm]).claims))


def by_assay(token, key, **rules):
    verifier = Verifier("https://idp.example", "client-1", {"keys": [key.jwk]}, algorithms=[key.algorithm], **rules)
    try:
        verifier.verify(token)
        return "valid"
    except assay.VerificationError as refusal:
        return refusal.name


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("row", ROWS, ids=[row[0] for row in ROWS])
def test_each_row_is_true(row):
    what, token, pyjwt, joserfc, ours = row
    key = SHORT if "HMAC" in what else KEY
    rules = {"types": ["JWT"]} if "types" in what else {}
    assert (by_pyjwt(token, key), by_joserfc(token, key), by_assay(token, key, **rules)) == (pyjwt, joserfc, ours)


@pytest.mark.parametrize("page, column", [("FromPyJWT", 2), ("FromJoserfc", 3)])
def test_the_pages_have_the_rows_in_which_their_library_differs(page, column):
    text = (ROOT / f"Docs/{page}.md").read_text()
    for row in ROWS:
        theirs, ours = row[column], row[4]
        differs = (theirs == "valid") != (ours == "valid")
        said = f"| {row[0]} | {'passes' if theirs == 'valid' else 'refused'} | {'passes' if ours == 'valid' else f'`{ours}`'} |"
        assert (said in text) == differs, said

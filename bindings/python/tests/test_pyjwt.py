"""assay.compat.pyjwt beside PyJWT itself."""

import subprocess
import sys
import time
from datetime import timedelta

import jwt
import pytest

import assay
from assay.compat import pyjwt
from assay.testing import SigningKey

RSA, EC, HMAC = SigningKey("RS256"), SigningKey("ES256"), SigningKey("HS256")
NOW = int(time.time())
GOOD = {"iss": "https://idp.example", "aud": "client-1", "sub": "user-1", "iat": NOW, "exp": NOW + 600}
CALL = {"algorithms": ["RS256"], "audience": "client-1", "issuer": "https://idp.example"}


def without(name):
    return {key: value for key, value in GOOD.items() if key != name}


# Both give the same claims, or raise the same exception.
SAME = [
    (GOOD, {}),
    (GOOD, {"audience": ["x", "client-1"]}),
    (GOOD, {"issuer": ["x", "https://idp.example"]}),
    (GOOD, {"subject": "user-1"}),
    (without("exp"), {}),
    (without("exp"), {"options": {"require": ["exp"]}}),
    (without("aud"), {}),
    (without("iss"), {}),
    ({**GOOD, "exp": NOW - 5}, {}),
    ({**GOOD, "exp": NOW - 5}, {"leeway": 10}),
    ({**GOOD, "exp": NOW - 5}, {"leeway": timedelta(seconds=10)}),
    ({**GOOD, "nbf": NOW + 50}, {}),
    ({**GOOD, "iat": NOW + 50}, {}),
    ({**GOOD, "aud": "other"}, {}),
    ({**GOOD, "aud": ["a", "client-1"]}, {}),
    ({**GOOD, "iss": "https://other.example"}, {}),
    (GOOD, {"subject": "user-2"}),
    (GOOD, {"audience": None}),
    (without("aud"), {"audience": None}),
    (GOOD, {"algorithms": ["ES256"]}),
    (GOOD, {"options": {"verify_aud": False}, "audience": None}),
    (GOOD, {"options": {"strict_aud": True}}),
    ({**GOOD, "aud": ["client-1"]}, {"options": {"strict_aud": True}}),
    (GOOD, {"options": {"verify_iss": False}, "issuer": "https://other.example"}),
    (GOOD, {"options": {"require": ["jti"]}}),
    ({**GOOD, "sub": 5}, {}),
    ({**GOOD, "jti": 5}, {}),
    ({**GOOD, "iat": "now"}, {}),
    (GOOD, {"issuer": None}),
    (GOOD, {"algorithms": None}),
    (GOOD, {"algorithms": []}),
]


def outcome(decode, token, key, **call):
    try:
        return decode(token, key, **call)
    except jwt.PyJWTError as error:
        return next(kind.__name__ for kind in type(error).__mro__ if kind.__module__ == "jwt.exceptions")


@pytest.mark.parametrize("number", range(len(SAME)))
def test_the_outcome_is_pyjwts(number):
    claims, call = SAME[number]
    token = RSA.sign(claims)
    theirs = outcome(jwt.decode, token, RSA.pem, **{**CALL, **call})
    assert outcome(pyjwt.decode, token, RSA.pem, **{**CALL, **call}) == theirs


@pytest.mark.parametrize(
    "token",
    [
        "",
        "a",
        "a.b",
        "a.b.c",
        "a.b.c.d",
        RSA.sign(GOOD)[:-3],
        RSA.sign(GOOD) + "A",
        EC.sign(GOOD),
        RSA.sign(GOOD)[:-6] + "AAAAAA",
        "eyJhbGciOiJub25lIn0.e30.",
        b"\xff",
    ],
)
def test_broken_tokens_raise_invalid_token_error_in_both(token):
    for decode in (jwt.decode, pyjwt.decode):
        with pytest.raises(jwt.InvalidTokenError):
            decode(token, RSA.pem, **CALL)


def test_keys_come_in_pyjwts_forms():
    token = RSA.sign(GOOD)
    for key in (RSA.pem, RSA.pem.encode(), RSA.jwk, jwt.PyJWK(RSA.jwk), RSA._key.public_key(), jwt.PyJWK({**RSA.jwk, "kid": "another"})):
        assert pyjwt.decode(token, key, **CALL) == GOOD
    assert pyjwt.decode(token, jwt.PyJWK(RSA.jwk), audience="client-1") == GOOD
    for secret in (HMAC.secret, HMAC.jwk):
        assert pyjwt.decode(HMAC.sign(GOOD), secret, algorithms=["HS256"], audience="client-1") == GOOD
    text = "a secret of thirty-two characters."
    assert pyjwt.decode(jwt.encode(GOOD, text, "HS256"), text, algorithms=["HS256"], audience="client-1") == GOOD
    complete, theirs = (decode(token, RSA.pem, **CALL) for decode in (pyjwt.decode_complete, jwt.decode_complete))
    assert complete == theirs


def test_a_pyjwk_has_one_algorithm():
    bare = {name: value for name, value in RSA.jwk.items() if name != "alg"}
    other = jwt.PyJWK(bare, algorithm="PS256")
    for decode in (jwt.decode, pyjwt.decode):
        for key, call in (
            (jwt.PyJWK(RSA.jwk), {"algorithms": []}),
            (jwt.PyJWK(RSA.jwk), {"algorithms": ["PS256"]}),
            (other, {"algorithms": ["RS256", "PS256"]}),
            (other, {"algorithms": None}),
        ):
            with pytest.raises(jwt.InvalidAlgorithmError):
                decode(RSA.sign(GOOD), key, **{**CALL, **call})
        assert decode(RSA.sign(GOOD), jwt.PyJWK(bare), **{**CALL, "algorithms": ["RS256", "PS256"]}) == GOOD
    okp = SigningKey("EdDSA")
    for decode in (jwt.decode, pyjwt.decode):
        assert decode(okp.sign(GOOD), jwt.PyJWK(okp.jwk), audience="client-1") == GOOD


def test_it_is_stricter_than_pyjwt():
    token = RSA.sign(GOOD)
    for option in (*("verify_" + name for name in ("signature", "exp", "nbf", "iat", "sub", "jti")), "enforce_minimum_key_length"):
        with pytest.raises(ValueError):
            pyjwt.decode(token, RSA.pem, options={option: False}, **CALL)
    for call in ({"verify": False}, {"detached_payload": b"x"}, {"options": {"verify_exr": True}}, {"audience": []}, {"leeway": -1}):
        with pytest.raises(ValueError):
            pyjwt.decode(token, RSA.pem, **{**CALL, **call})
    with pytest.raises(jwt.InvalidAlgorithmError):
        pyjwt.decode(token, RSA.pem, **{**CALL, "algorithms": ["RS256", "HS256"]})
    for key, algorithms in (
        (RSA.pem, ["HS256"]),
        ("no pem", ["RS256"]),
        ("ssh-rsa AAAA and enough for a secret", ["HS256"]),
        ("ecdsa-sha2-nistp256 AAAA and enough for a secret", ["HS256"]),
        ("sk-ssh-ed25519@openssh.com AAAA and enough for a secret", ["HS256"]),
        ("---- BEGIN SSH2 PUBLIC KEY ----", ["HS256"]),
        ("-----BEGIN PUBLIC KEY-----", ["RS256"]),
    ):
        with pytest.raises(jwt.InvalidKeyError):
            pyjwt.decode(token, key, algorithms=algorithms)
    with pytest.raises(jwt.PyJWTError):
        pyjwt.decode(HMAC.sign(GOOD), b"short", algorithms=["HS256"], audience="client-1")
    double = RSA.sign_payload(b'{"alg":"RS256"}', b'{"aud":"client-1","aud":"client-2"}')
    assert jwt.decode(double, RSA.pem, algorithms=["RS256"], audience="client-2")
    with pytest.raises(pyjwt.DecodeError) as refused:
        pyjwt.decode(double, RSA.pem, algorithms=["RS256"], audience="client-2")
    assert refused.value.code == assay.Code.DUPLICATE_MEMBER and refused.value.status == 401


def test_it_works_without_pyjwt():
    program = """
import sys
sys.modules["jwt"] = None
from assay.compat import pyjwt
from assay.testing import SigningKey
key = SigningKey("ES256")
assert pyjwt.decode(key.sign({"sub": "x"}), key.pem, algorithms=["ES256"]) == {"sub": "x"}
try:
    pyjwt.decode(key.sign({"exp": 1}), key.pem, algorithms=["ES256"])
except pyjwt.InvalidTokenError as error:
    assert type(error) is pyjwt.ExpiredSignatureError
    print("refused")
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.strip() == "refused", done.stderr

"""Claims are a mapping that nobody changes."""

import copy
import json
import pickle
import sys
from collections.abc import Mapping

import pytest

import assay
from conftest import NOW

VALUES = {
    "text": "täxt \u4e2d\u6587 \U0001f511",
    "nul": "a\0b",
    "empty": "",
    "integer": 42,
    "negative": -7,
    "large": 2**80,
    "fraction": 1.5,
    "exponent": 1e300,
    "yes": True,
    "no": False,
    "nothing": None,
    "list": [1, "two", [3]],
    "object": {"a": {"b": [None]}},
    "": "no name",
    "https://example.com/roles": ["admin"],
}


@pytest.fixture
def claims(issuer, verifier):
    return verifier.verify(issuer.token(dict(VALUES, kept=None)))


@pytest.mark.parametrize("name", [name for name, value in VALUES.items() if value is not None])
def test_each_kind_of_value_is_decoded(claims, name):
    value = claims[name]
    assert value == VALUES[name] and type(value) is type(VALUES[name])
    assert name in claims and claims.get(name) == VALUES[name]


def test_null_is_none(issuer, verifier):
    token = issuer.key.sign({"iss": issuer.identifier, "aud": "client-1", "exp": NOW + 60, "x": None})
    claims = verifier.verify(token)
    assert "x" in claims and claims["x"] is None


def test_they_are_a_mapping(claims):
    plain = json.loads(claims.payload)
    assert isinstance(claims, Mapping)
    assert dict(claims) == plain == claims.copy() and type(claims.copy()) is dict
    assert claims == plain and plain == claims
    assert list(claims) == list(plain) and len(claims) == len(plain)
    assert list(claims.keys()) == list(plain) and list(claims.values()) == list(plain.values())
    assert claims != {} and claims != 1
    if sys.version_info >= (3, 10):
        exec('match claims:\n case {"sub": subject}:\n  assert subject == "user-1"\n case _:\n  raise AssertionError', {"claims": claims})


def test_absent_names_are_key_errors(claims):
    for name in ("absent", 1, None, b"sub", ("sub",), "\ud800"):
        assert name not in claims and claims.get(name, 7) == 7
        with pytest.raises(KeyError):
            claims[name]


def test_pointers_lead_into_values(claims):
    assert claims.at("/object/a/b/0") is None and claims.at("/list/2/0") == 3
    assert claims.at("/https:~1~1example.com~1roles/0") == "admin"
    assert claims.at("/absent", "none") == "none" and claims.at("no pointer", 5) == 5
    assert claims.at("") == dict(claims)
    with pytest.raises(TypeError):
        claims.at(b"/list")


def test_registered_claims_have_names(claims):
    assert (claims.issuer, claims.subject, claims.algorithm) == ("https://issuer.example", "user-1", "ES256")
    assert (claims.issued_at, claims.expiration, claims.not_before) == (NOW, NOW + 300, None)
    assert claims.token_id is None and claims.authentication_time is None
    assert claims.header == {"alg": "ES256", "kid": claims.key_id, "typ": "JWT"}


def test_nothing_changes_them(claims):
    claims["list"].append(4)
    assert claims["list"] == [1, "two", [3]]
    for change in (lambda: claims.__setitem__("sub", 1), lambda: setattr(claims, "sub", 1), lambda: setattr(claims, "subject", "x")):
        with pytest.raises((TypeError, AttributeError)):
            change()
    with pytest.raises(TypeError):
        del claims["sub"]
    with pytest.raises(TypeError):
        hash(claims)


def test_only_a_verification_makes_them(claims):
    makers = [
        assay.Claims,
        lambda: assay.Claims.__new__(assay.Claims),
        lambda: object.__new__(assay.Claims),
        lambda: type("More", (assay.Claims,), {}),
        lambda: pickle.dumps(claims),
        lambda: copy.copy(claims),
        lambda: copy.deepcopy(claims),
        lambda: type(claims)(),
    ]
    for make in makers:
        with pytest.raises(TypeError):
            make()


def test_they_outlive_the_verifier(issuer):
    claims = assay.Verifier(issuer.identifier, "client-1", issuer.keys).verify(issuer.token(), now=NOW)
    assert claims["sub"] == "user-1" and claims.payload.startswith(b"{")


def test_large_claims_fit(issuer):
    verifier = assay.Verifier(issuer.identifier, "client-1", issuer.keys, token_bytes=1 << 20)
    roles = [f"role-{n}" for n in range(900)]
    large = issuer.token({"roles": roles, "numbers": list(range(900))})
    assert verifier.verify(large, now=NOW)["roles"] == roles
    assert verifier.verify_batch([large, large], now=NOW)[1]["numbers"][899] == 899

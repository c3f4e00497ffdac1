"""The twelve tasks. The eighth, a test of one's own handler, is tests/test_testing.py."""

import base64
import hashlib
import logging
import sys
from collections import Counter
from pathlib import Path

import pytest
from starlette.testclient import TestClient

import assay
from assay import Verifier
from assay.testing import SigningKey, TestIssuer

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "examples"))

import tasks  # noqa: E402

AUDIENCE = "https://api.example"


def test_an_id_token_over_remote_keys(assay_issuer):
    login = tasks.Login(assay_issuer.identifier, "client-1", assay_issuer.remote_keys())
    digest = base64.urlsafe_b64encode(hashlib.sha256(b"access").digest()[:16]).rstrip(b"=").decode()
    token = assay_issuer.token({"nonce": "n-1", "at_hash": digest})
    assert login.user(token, "n-1", "access") == "user-1"
    for nonce, access in (("n-2", "access"), ("n-1", "other")):
        with pytest.raises(assay.VerificationError):
            login.user(token, nonce, access)


def test_an_access_token_with_a_scope():
    issuer = TestIssuer()
    verifier = Verifier(issuer.identifier, AUDIENCE, issuer.keys, profile="access_token", scopes=["orders"])
    assert tasks.answer(issuer.access_token(scope="orders"), verifier) == (200, None)
    status, challenge = tasks.answer(issuer.access_token(scope="other"), verifier)
    assert status == 403 and 'scope="orders"' in challenge
    assert tasks.answer("x", verifier)[0] == 401


def test_a_check_of_ones_own():
    issuer = TestIssuer()
    verifier = tasks.of_tenants(issuer.identifier, issuer.keys, {"a", "b"})
    assert verifier.verify(issuer.access_token({"tenant": "b"}))["tenant"] == "b"
    with pytest.raises(assay.VerificationError) as refused:
        verifier.verify(issuer.access_token({"tenant": "c"}))
    assert refused.value.code == assay.Code.INVALID_CLAIM and "not served here" in str(refused.value)


def test_several_issuers():
    with TestIssuer() as first, TestIssuer("RS256") as second:
        logins = tasks.SeveralLogins(
            {each.identifier: (client, each.remote_keys()) for each, client in ((first, "client-1"), (second, "client-2"))}
        )
        assert logins.user(first.token({"nonce": "n"}), "n") == (first.identifier, "user-1")
        assert logins.user(second.token({"nonce": "n"}, audience="client-2"), "n") == (second.identifier, "user-1")
        with pytest.raises(assay.VerificationError):
            logins.user(second.token({"nonce": "n"}), "n")


def test_secrets_that_rotate():
    old, new = SigningKey("HS256", "old"), SigningKey("HS256", "new")
    verifier = tasks.of_secrets({key.key_id: key.secret for key in (old, new)})
    for key in (old, new):
        assert verifier.verify(key.sign({"iss": "https://idp.example", "aud": "client-1", "exp": 1 << 33})).key_id == key.key_id


def test_claims_as_a_type():
    issuer = TestIssuer()
    verifier = Verifier(issuer.identifier, "client-1", issuer.keys)
    token = issuer.token({"groups": ["clerk"], "department": {"id": 7, "name": "Sales"}})
    assert tasks.employee(token, verifier) == tasks.Employee("user-1", ["clerk"], "Sales")


def test_a_middleware_for_fastapi(assay_issuer):
    verifier = Verifier(assay_issuer.identifier, "client-1", assay_issuer.remote_keys(), realm="api")
    client = TestClient(tasks.api(verifier))
    assert client.get("/me", headers={"Authorization": f"Bearer {assay_issuer.token()}"}).json() == "user-1"
    assert client.get("/me").headers["WWW-Authenticate"] == 'Bearer realm="api"'
    refused = client.get("/me", headers={"Authorization": "Bearer x"})
    assert refused.status_code == 401 and 'error="invalid_token"' in refused.headers["WWW-Authenticate"]


def test_an_error_as_an_http_status():
    issuer = TestIssuer()
    for keys, status, field in (
        (issuer.keys, 401, "WWW-Authenticate"),
        (assay.RemoteKeys(url="https://127.0.0.1:1/keys"), 503, "Retry-After"),
    ):
        with pytest.raises(assay.VerificationError) as refused:
            Verifier("https://other.example", "client-1", keys).verify(issuer.token())
        said = tasks.refused(refused.value)
        assert said[0] == status and list(said[1]) == [field]


def test_logs_and_metrics(caplog):
    issuer, verdicts = TestIssuer(), Counter()
    verifier = Verifier(issuer.identifier, "client-1", issuer.keys)
    with caplog.at_level(logging.INFO):
        tasks.observed(issuer.token(), verifier, verdicts)
        with pytest.raises(assay.VerificationError):
            tasks.observed(issuer.token(lifetime=-100), verifier, verdicts)
    assert verdicts == {"valid": 1, "expired": 1} and "expired" in caplog.text


def test_keys_in_pem_that_rotate():
    old, new, other = SigningKey(), SigningKey(), SigningKey()
    claims = {"iss": "https://idp.example", "aud": "client-1", "exp": 1 << 33}
    pinned = tasks.PinnedKeys([old.pem, new.pem], "https://idp.example", "client-1")
    for key in (old, new):
        assert pinned.verify(key.sign(claims))["iss"] == "https://idp.example"
    with pytest.raises(assay.VerificationError):
        pinned.verify(other.sign(claims))


def test_many_tokens_at_once():
    issuer = TestIssuer()
    verifier = Verifier(issuer.identifier, "client-1", issuer.keys)
    tokens = [issuer.token({"sub": f"user-{n}"}) for n in range(20)] + ["x", issuer.token(lifetime=-100)]
    assert tasks.subjects(tokens, verifier) == ([f"user-{n}" for n in range(20)], {"malformed_token": 1, "expired": 1})

"""The samples of the pages for programs that move here."""

import sys
from pathlib import Path

import pytest

import assay
from assay import Client
from assay.testing import TestIssuer

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "examples"))

import migrating  # noqa: E402


def test_keys_at_a_url(assay_issuer):
    session = migrating.Session(
        assay_issuer.identifier + "/jwks", assay_issuer.identifier, client=Client(addresses=["loopback", "plain_loopback"])
    )
    assert session.subject(assay_issuer.token()) == "user-1"
    assert session.subject(assay_issuer.token(lifetime=-5)) is None
    with pytest.raises(assay.VerificationError):
        session.subject("x")


def test_step_by_step_and_a_key_set():
    issuer = TestIssuer()
    assert migrating.step_by_step(issuer.token(), issuer.key.pem)["sub"] == "user-1"
    session = migrating.KeySetSession(issuer.jwks, issuer.identifier)
    assert session.claims(issuer.token())["sub"] == "user-1"
    with pytest.raises(assay.VerificationError):
        session.claims(issuer.token({"sub": None}))

"""Memory stays the same: ASSAY_CALLS calls of each kind together, 100,000 unless the environment says otherwise."""

import gc
import json
import os

import pytest

import assay
from assay import Gateway, Verifier
from assay.testing import SigningKey, TestIssuer
from conftest import NOW

CERTIFICATE = SigningKey().certificate()[0]
CALLS = int(os.environ.get("ASSAY_CALLS", "100000"))


def resident():
    """Bytes of this process in memory."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def refused(call, *arguments, **keywords):
    try:
        call(*arguments, **keywords)
    except (assay.AssayError, TypeError, ValueError):
        return
    raise AssertionError("accepted")


@pytest.mark.skipif("libasan" in os.environ.get("LD_PRELOAD", ""), reason="AddressSanitizer keeps what is freed")
def test_calls_leave_memory_as_it_was():
    issuer = TestIssuer("HS256", clock=lambda: NOW)
    verifier = Verifier(issuer.identifier, "client-1", issuer.keys, algorithms=["HS256"], clock=lambda: NOW, checks=[lambda claims: None])
    cached = Verifier(issuer.identifier, "client-1", issuer.keys, algorithms=["HS256"], clock=lambda: NOW, cache_bytes=1 << 16)
    settings = {
        "providers": [
            {
                "name": "p",
                "issuer": "https://i.example",
                "audiences": ["a"],
                "payloadMetadata": "payload",
                "keys": {"inline": json.dumps(TestIssuer().jwks)},
            }
        ],
        "policies": [{"name": "x", "requires": "p"}],
        "policy": "x",
    }
    gateway = Gateway(settings, fetches=False)
    token = issuer.token({"roles": ["a", {"b": 1}], "nonce": "n", "x": "y" * 300})
    broken, login = token[:-5] + "AAAAA", verifier.expecting(nonce="n")

    def calls():
        """Twelve calls."""
        claims = verifier.verify(token)
        claims["roles"], claims.get("absent"), claims.header, len(dict(claims)), claims.copy(), claims.subject, repr(claims)
        cached.verify(token)
        cached.verify(token, now=NOW + 1)
        refused(verifier.verify, broken)
        refused(verifier.verify, None)
        login.verify(token)
        verifier.verify_batch([token, broken])
        verifier.verify_batch([token, broken], claims=False)
        refused(verifier.verify_batch, [token, 5])
        refused(verifier.verify, token, now=-1)
        gateway.decide("GET", "a.example", "/", [(b"authorization", b"Bearer " + token.encode())], certificate=CERTIFICATE)
        gateway.resource_metadata("a.example", "/.well-known/oauth-protected-resource")

    def made():
        """Objects that are made and freed."""
        other = Verifier(issuer.identifier, "client-1", issuer.keys, algorithms=["HS256"])
        refused(other.verify, token)
        refused(Verifier, "i", "a", "no keys")
        refused(Gateway, "{}")
        Gateway(settings, fetches=False).close()

    for _ in range(2000):
        calls()
    for _ in range(200):
        made()
    gc.collect()
    before = resident()
    for _ in range(CALLS // 12):
        calls()
    for _ in range(min(2000, CALLS // 200)):
        made()
    gc.collect()
    assert resident() - before < 4 << 20

"""Random calls of four threads at once, with whatever arguments, also on what is closed: exceptions, and no crash. A failure shows the seed."""

import gc
import json
import os
import random
import threading
import time

import pytest

import assay
from assay import Client, Gateway, Keys, RemoteKeys, Verifier, _core, _http
from assay.testing import TestIssuer

COUNT = int(os.environ.get("ASSAY_CALLS", "100000")) // 100
ALGORITHMS = ["HS256", "ES256", "RS256", "EdDSA"]
EXCEPTIONS = (TypeError, ValueError, OverflowError, KeyError, AttributeError, assay.AssayError, RuntimeError)


class Text(str):
    def __eq__(self, other):
        raise KeyError("compared")

    __hash__ = str.__hash__


class Hostile:
    """Whose every use runs Python."""

    def __init__(self, calls):
        self.calls = calls

    def __float__(self):
        gc.collect()
        return 1.0

    def __iter__(self):
        return iter(self.calls.random.sample(self.calls.tokens, 5))

    def __bool__(self):
        raise KeyError("asked")

    def __del__(self):
        self.calls.verifiers[0].verify_batch(self.calls.tokens[:4])


class Calls:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.issuers = [TestIssuer(algorithm) for algorithm in ALGORITHMS]
        self.tokens = [issuer.token({"roles": ["a", {"b": None}], "large": 2**70}) for issuer in self.issuers]
        self.tokens += [self.issuers[1].token(lifetime=-100), "", "x.y.z", "\ud800", "a" * 70_000, Text(self.issuers[1].token())]
        options = [{}, {"cache_bytes": 1 << 16}, {"checks": [lambda claims: None]}, {"clock": time.time}]
        self.verifiers = [
            Verifier(issuer.identifier, "client-1", issuer.keys, algorithms=ALGORITHMS, **each) for issuer in self.issuers for each in options
        ]
        self.verifiers += [self.verifiers[0].expecting(nonce="n")]
        self.gateways = [self.gateway() for _ in range(3)]
        self.remote = [RemoteKeys(url="https://127.0.0.1:1/keys") for _ in range(2)]
        self.claims = [self.verifiers[0].verify(self.tokens[0])]
        self.odd = [None, -1, 2**70, 1.5, float("nan"), "\0", "\ud800", b"\xff", (), [], {}, object(), len, Hostile(self), bytearray(b"x")]
        modules = [*vars(_core).values(), *vars(_http).values()]
        self.functions = [each for each in modules if callable(each)]

    def gateway(self):
        provider = {"name": "p", "issuer": self.issuers[1].identifier, "keys": {"inline": json.dumps(self.issuers[1].jwks)}}
        more = self.random.choice([{}, {"dpop": {"tokens": "bound", "nonces": {}}}, {"certificateBound": "required"}])
        provider = {**provider, "audiences": ["client-1"], "payloadMetadata": "payload", **more}
        return Gateway({"providers": [provider], "policies": [{"name": "x", "requires": "p"}], "policy": "x"}, fetches=False)

    def any(self):
        pick = self.random.choice
        return pick(pick([self.odd, self.odd, self.tokens, self.verifiers, self.gateways, self.remote, self.claims]))

    def all(self, most):
        return [self.any() for _ in range(self.random.randrange(most))]

    def one(self):
        pick, any = self.random.choice, self.any
        verifier, token, gateway, keys = pick(self.verifiers), pick(self.tokens), pick(self.gateways), pick(self.remote)
        claims, capsules = pick(self.claims), [gateway._gateway, keys._keys, keys._http, *self.odd]
        fields = [(b"authorization", b"Bearer " + self.tokens[1].encode())]
        pick(
            [
                lambda: self.claims.__setitem__(0, verifier.verify(token)),
                lambda: verifier.verify(any(), now=any()),
                lambda: verifier.verify(*self.all(4), **{pick(["now", "token", "tokens"]): any()}),
                lambda: verifier.verify_batch([pick(self.tokens) for _ in range(300)], claims=pick([True, False])),
                lambda: verifier.verify_batch(any(), now=any(), claims=any()),
                lambda: verifier.verify_payload(any()),
                lambda: verifier.expecting(nonce=any(), access_token=any(), code=any()),
                lambda: Verifier(any(), any(), any(), **{pick(["types", "leeway", "clock", "checks", "realm"]): any()}).verify(token),
                lambda: self.gateways.__setitem__(0, self.gateway()),
                lambda: self.remote.__setitem__(0, RemoteKeys(url="https://127.0.0.1:1/keys", client=Client(addresses=["loopback"]))),
                lambda: pick([gateway, keys]).close(),
                lambda: gateway.decide("GET", "a.example", "/a", fields, certificate=any()),
                lambda: gateway.decide(any(), any(), any(), any(), scheme=any(), policy=any(), now=any(), certificate=any()),
                lambda: gateway.resource_metadata(any(), any()),
                lambda: pick([gateway.replace, gateway.revoke, Gateway.check, Keys])(any()),
                lambda: (gateway.status, gateway.metrics, gateway.wait(0.001)),
                lambda: (keys.wait(0.001), keys.state, keys.refresh(), keys.prepare()),
                lambda: (dict(claims), claims.copy(), claims.header, repr(claims), claims.subject, list(claims.items())),
                lambda: (claims.get(any(), any()), claims.at(any()), any() in claims, claims == any(), claims[any()]),
                lambda: pick(self.functions)(*self.all(10)),
                lambda: pick(self.functions)(*[pick(capsules) for _ in range(self.random.randrange(10))]),
                gc.collect,
            ]
        )()


@pytest.mark.filterwarnings("ignore")
def test_random_calls_are_answers_or_exceptions():
    seed = random.randrange(1 << 32)
    calls, strange = Calls(seed), []

    def work():
        for _ in range(COUNT // 4):
            try:
                calls.one()
            except EXCEPTIONS:
                pass
            except BaseException as error:
                strange.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert strange == [], seed

"""Keys that a thread of the library keeps up to date."""

import asyncio
import threading
import time

import pytest

import assay
from assay import Client, Code, RemoteKeys, Verifier
from assay.testing import TestIssuer


def test_keys_are_fetched_and_found_again_after_a_rotation(assay_issuer):
    with assay_issuer.remote_keys() as keys:
        assert keys.wait()
        assert keys.state.health == "fresh" and keys.state.key_count == 1
        verifier = Verifier(assay_issuer.identifier, "client-1", keys)
        assert verifier.verify(assay_issuer.token()).subject == "user-1"
        assay_issuer.rotate()
        with pytest.raises(assay.KeysUnavailable) as refused:
            verifier.verify(assay_issuer.token())
        assert refused.value.status == 503 and refused.value.is_retryable and refused.value.challenge is None
        assert verifier.verify_waiting(assay_issuer.token()).subject == "user-1"
        assert keys.state.key_count == 2


async def test_a_loop_goes_on_while_keys_are_fetched(assay_issuer):
    with assay_issuer.remote_keys() as keys:
        verifier = Verifier(assay_issuer.identifier, "client-1", keys)
        ticks = 0

        async def tick():
            nonlocal ticks
            while True:
                ticks += 1
                await asyncio.sleep(0)

        ticking = asyncio.create_task(tick())
        claims = await asyncio.gather(*(verifier.verify_async(assay_issuer.token()) for _ in range(20)))
        assert all(each.subject == "user-1" for each in claims)
        assert ticks > 0
        verdicts = await verifier.verify_batch_async([assay_issuer.token(), "x"])
        assert verdicts[0].subject == "user-1" and verdicts[1].code == Code.MALFORMED_TOKEN
        ticking.cancel()


async def test_a_wait_ends_where_no_key_comes(assay_issuer):
    assay_issuer.is_available = False
    with assay_issuer.remote_keys() as keys:
        verifier = Verifier(assay_issuer.identifier, "client-1", keys)
        with pytest.raises(assay.KeysUnavailable):
            await verifier.verify_async(assay_issuer.token(), seconds=0.3)
        with pytest.raises(assay.KeysUnavailable):
            verifier.verify_waiting(assay_issuer.token(), seconds=0.05)
        assert not keys.wait(0.05)


def test_keys_of_a_url(assay_issuer):
    client = Client(addresses=["loopback", "plain_loopback"])
    with RemoteKeys(url=assay_issuer.identifier + "/jwks", client=client, first="revocation") as keys:
        assert keys.wait()
        assert assay_issuer.requests == ["/jwks"]
        keys.refresh()


def test_addresses_of_this_machine_are_forbidden_unless_the_client_permits_them(assay_issuer):
    with RemoteKeys(assay_issuer.identifier.replace("http:", "https:")) as keys:
        assert not keys.wait(0.5)
    assert assay_issuer.requests == []


def test_closed_keys_raise_and_verifiers_keep_theirs(assay_issuer):
    keys = assay_issuer.remote_keys()
    assert keys.wait()
    verifier = Verifier(assay_issuer.identifier, "client-1", keys)
    assert "fresh" in repr(keys)
    keys.close()
    keys.close()
    assert "closed" in repr(keys)
    for use in (keys.wait, keys.refresh, keys.prepare, lambda: keys.state, lambda: Verifier(None, None, keys)):
        with pytest.raises(ValueError):
            use()
    assert verifier.verify(assay_issuer.token()).subject == "user-1"


def test_a_close_lets_a_waiting_thread_end():
    keys = RemoteKeys(url="https://127.0.0.1:1/keys")
    ended = []

    def wait():
        try:
            ended.append(keys.wait(30))
        except ValueError:
            ended.append("closed")

    thread = threading.Thread(target=wait)
    thread.start()
    while not thread.is_alive():
        time.sleep(0)
    keys.close()
    thread.join(20)
    assert ended == ["closed"]


def test_objects_that_nobody_holds_end_their_fetches():
    with TestIssuer() as issuer:
        for _ in range(50):
            issuer.remote_keys()
        verifier = Verifier(issuer.identifier, "client-1", issuer.remote_keys())
        assert verifier.verify_waiting(issuer.token()).subject == "user-1"


@pytest.mark.parametrize(
    "arguments, options",
    [
        ((), {}),
        (("https://a.example",), {"url": "https://a.example/keys"}),
        (("https://a.example",), {"first": "speed"}),
        (("no address",), {}),
        (("https://a.example\0",), {}),
        (("\ud800",), {}),
        ((5,), {}),
        ((b"\xff",), {}),
        (("https://a.example",), {"client": Client(addresses=["everywhere"])}),
        (("https://a.example",), {"client": Client(roots="no certificate")}),
        (("https://a.example",), {"client": Client(pins=["x"])}),
        (("https://a.example",), {"client": Client(pins=["x"] * 65)}),
        (("https://a.example",), {"client": Client(request_limit=-1)}),
        (("https://a.example",), {"client": None}),
        (("https://a.example",), {"client": Client(proxy_port=-1)}),
        (("https://a.example",), {"client": Client(request_limit=1e30)}),
    ],
)
def test_wrong_arguments_are_exceptions(arguments, options):
    with pytest.raises((TypeError, ValueError, OverflowError, AttributeError)):
        RemoteKeys(*arguments, **options)

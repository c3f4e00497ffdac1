"""Checks of status lists in the modules of nginx and Envoy: a host that trusts a ListIssuer. Each is a function of the lab."""
import contextlib
import random
import re
import socket
import threading

from envoy_configuration import cluster, configuration, listener, module_filter
from envoy_program import EnvoyProgram
from exchange import ask, bearer
from list_issuer import ListIssuer
from nginx_processes import Nginx
from program import eventually, free_port

VALID, REVOKED, SUSPENDED, APPLICATION = range(4)
STATUSES = [VALID, REVOKED, SUSPENDED, APPLICATION]
PASSED, AWAY = (200, "ok"), (503, "status_unavailable")

HTTP = """
    assay_issuer ISSUER;
    assay_audiences client-1;
    assay_wait 20s;
    MORE
    server {
        listen 127.0.0.1:PORT reuseport;
        assay on;
        add_header X-Assay-Code $assay_code always;
        location / { proxy_pass http://UPSTREAM; }
        location /off { assay_status_lists off; proxy_pass http://UPSTREAM; }
    }
"""


def answer(port, token, path="/orders"):
    """The status and the code of an answer. Envoy's own answers to requests that pass have no code."""
    found = ask(port, path, [bearer(token)], timeout=60)
    return found and (found.status, found.field("x-assay-code") or ("ok" if found.status == 200 else None))


class Counter:
    count = 0

    @classmethod
    def name(cls):
        cls.count += 1
        return f"listed-{cls.count}"


@contextlib.contextmanager
def nginx(lab, issuer, more="", lists="on", workers=2):
    text = HTTP.replace("ISSUER", issuer.url).replace("MORE", f"assay_status_lists {lists}; {more}")
    with Nginx(lab, Counter.name(), text, f"worker_processes {workers};\n") as host:
        yield host


def envoy_text(issuer, port, keys, lists, extension):
    provider = {"name": "idp", "issuer": issuer.url, "audiences": ["client-1"], "keys": keys, "statusLists": lists}
    settings = {
        "providers": [provider], "policies": [{"name": "api", "requires": "idp"}], "policy": "api", "waitMilliseconds": 5000,
        "tokenCache": {"megabytes": 1}}
    listeners = [listener("web", port, [module_filter(settings)], [{"match": {"prefix": "/"}, "direct_response": {"status": 200}}])]
    return lambda administration: configuration(administration, listeners, [cluster("idp", issuer.port)], extension)


@contextlib.contextmanager
def envoy(lab, issuer, keys=None, lists=None):
    port = free_port()
    text = envoy_text(issuer, port, {"cluster": "idp"} if keys is None else keys, lists or {}, {})
    with EnvoyProgram(lab, text, [port]) as host:
        host.port = port
        yield host


def host_of(lab):
    return nginx if "nginx" in type(lab).__name__.lower() else envoy


def holds(host, token, expected, what, seconds=60):
    """Every worker answers so."""
    eventually(lambda: [answer(host.port, token) for _ in range(8)] == [expected] * 8, seconds, what)


def each_status_has_its_answer(lab, long):
    with ListIssuer(lab.folder) as issuer:
        issuer.publish(STATUSES)
        expected = [PASSED, (401, "revoked"), (401, "suspended"), (401, "suspended"), (401, "invalid_status")]
        tokens = [issuer.token(index) for index in range(5)]
        with host_of(lab)(lab, issuer) as host:
            found = [answer(host.port, token) for token in tokens]
            assert found == expected, found
            assert answer(host.port, issuer.token()) == PASSED, "a token without a place"
            elsewhere = issuer.token(0, url="https://elsewhere.example/lists/1")
            assert answer(host.port, elsewhere) == (401, "invalid_status"), "an origin that is not configured"
            assert set(issuer.fetches()) == {"application/statuslist+jwt"}, issuer.fetches()
            for token, each in zip(tokens, expected):
                holds(host, token, each, each)
            return f"{len(issuer.fetches())} fetches of the list"


def a_list_that_is_away_refuses_its_tokens_alone(lab, long):
    with ListIssuer(lab.folder) as issuer, host_of(lab)(lab, issuer) as host:
        token = issuer.token(VALID)
        found = ask(host.port, "/orders", [bearer(token)], timeout=60)
        assert (found.status, found.field("x-assay-code")) == AWAY and int(found.field("retry-after")) >= 1, found
        assert answer(host.port, issuer.token()) == PASSED, "a token without a place"
        eventually(lambda: f"the status list {quoted(issuer.url + '/lists/1', host)}" in host.program.output(), 60, "a line in the log")
        issuer.publish(STATUSES)
        holds(host, token, PASSED, "the list", 120)
        holds(host, issuer.token(REVOKED), (401, "revoked"), "the list in every worker")


def quoted(url, host):
    return url if isinstance(host, EnvoyProgram) else f'"{url}"'


def a_forged_list_is_refused(lab, long):
    """One with the name of the key and another signature, and one of another address."""
    with ListIssuer(lab.folder) as issuer:
        issuer.publish(STATUSES, key=issuer.other)
        issuer.publish(STATUSES, path="/lists/2")
        issuer.documents["/lists/3"] = issuer.documents["/lists/2"]
        with host_of(lab)(lab, issuer) as host:
            for path in ("/lists/1", "/lists/3"):
                found = answer(host.port, issuer.token(VALID, path))
                assert found == AWAY, (path, found)
            assert answer(host.port, issuer.token(VALID, "/lists/2")) == PASSED
            issuer.publish(STATUSES)
            holds(host, issuer.token(VALID), PASSED, "the issuer's own list", 120)


def a_newer_list_counts_in_every_worker(lab, long):
    with ListIssuer(lab.folder) as issuer:
        issuer.publish([VALID, REVOKED], seconds=2)
        first, second = issuer.token(0), issuer.token(1)
        with host_of(lab)(lab, issuer) as host:
            holds(host, first, PASSED, "the first list")
            issuer.publish([REVOKED, VALID], seconds=2)
            holds(host, first, (401, "revoked"), "the revocation", 120)
            holds(host, second, PASSED, "the admission", 120)


def the_address_of_keys_is_no_list(lab, long):
    """Nor do keys go on from what was fetched as a list."""
    with ListIssuer(lab.folder) as issuer, host_of(lab)(lab, issuer) as host:
        plain, misled = issuer.token(), issuer.token(0, "/jwks")
        holds(host, plain, PASSED, "the keys")
        assert answer(host.port, misled) == AWAY
        assert answer(host.port, plain) == PASSED
        assert "application/statuslist+jwt" in issuer.fetches("/jwks") and len(set(issuer.fetches("/jwks"))) == 2, issuer.fetches("/jwks")


def lists_are_fetched_beside_keys_that_are_not(lab, long):
    with ListIssuer(lab.folder) as issuer:
        issuer.publish(STATUSES)
        if host_of(lab) is nginx:
            (lab.folder / "list-keys.json").write_text(issuer.jwks)
            started = nginx(lab, issuer, f"assay_keys_file {lab.folder}/list-keys.json;", lists=f"on origin={issuer.url} stale=1h")
        else:
            started = envoy(lab, issuer, {"inline": issuer.jwks}, {"clusters": {f"127.0.0.1:{issuer.port}": "idp"}, "timeoutSeconds": 2})
        with started as host:
            assert answer(host.port, issuer.token(VALID)) == PASSED
            assert answer(host.port, issuer.token(REVOKED)) == (401, "revoked")
            assert issuer.fetches("/jwks") == [], "keys were fetched"


def incompressible(count):
    return random.Random(1).choices(range(4), k=count)


def a_list_of_a_mebibyte_fits_and_no_longer_one(lab, long):
    """2^22 statuses of two bits are the most that libassay takes. The answer with one byte more than such a list can have is not read."""
    with ListIssuer(lab.folder) as issuer:
        statuses = incompressible(4_194_304)
        statuses[:2] = [VALID, REVOKED]
        issuer.publish(statuses)
        issuer.publish(statuses + [VALID], "/lists/2")
        issuer.documents["/lists/3"] = "a" * 1_887_917
        assert 1_300_000 < len(issuer.documents["/lists/1"]) <= 1_887_916
        with host_of(lab)(lab, issuer) as host:
            assert [answer(host.port, issuer.token(index)) for index in range(2)] == [PASSED, (401, "revoked")]
            for path in ("/lists/2", "/lists/3"):
                assert answer(host.port, issuer.token(0, path)) == AWAY, path
            eventually(lambda: "too_large" in host.program.output() or "too large" in host.program.output(), 60, "a line about the length")


# nginx alone

def a_location_may_have_no_lists(lab, long):
    with ListIssuer(lab.folder) as issuer, nginx(lab, issuer) as host:
        assert answer(host.port, issuer.token(REVOKED), "/off") == PASSED
        assert answer(host.port, issuer.token(REVOKED)) == AWAY


def a_reload_keeps_lists(lab, long):
    """New workers judge by the list that is there while its source is away, and by the next one when it is back."""
    with ListIssuer(lab.folder) as issuer:
        issuer.publish(STATUSES)
        valid, revoked = issuer.token(VALID), issuer.token(REVOKED)
        with nginx(lab, issuer) as host:
            holds(host, valid, PASSED, "the list")
            list_text = issuer.documents.pop("/lists/1")
            for _ in range(3):
                host.reload()
                holds(host, valid, PASSED, "the list after a reload")
                holds(host, revoked, (401, "revoked"), "the list after a reload")
            host.kill(host.workers())
            holds(host, revoked, (401, "revoked"), "the list of new workers")
            issuer.documents["/lists/1"] = list_text
            host.reload()
            holds(host, valid, PASSED, "the list when it is back")


def the_log_counts_failures_and_says_how_long_the_last_list_judges(lab, long):
    with ListIssuer(lab.folder) as issuer, nginx(lab, issuer, workers=1) as host:
        token, line = issuer.token(VALID), "for the 2. time, status 404; the last list judges for 0 s"
        # A list that never came is asked for again for a token alone.
        eventually(lambda: answer(host.port, token) == AWAY and line in host.program.output(), 60, "a line with a count")
    with ListIssuer(lab.folder) as issuer:
        issuer.publish(STATUSES, seconds=2)
        with nginx(lab, issuer, workers=1) as host:
            holds(host, issuer.token(VALID), PASSED, "the list")
            issuer.documents.pop("/lists/1")
            line = re.compile(r"for the 1\. time, status 404; the last list judges for (\d+) s")
            eventually(lambda: line.search(host.program.output()), 120, "a line with the rest of its time")
            assert int(line.search(host.program.output())[1]) > 3000


def many_lists_leave_keys_and_memory_alone(lab, long):
    """A zone of a megabyte, and lists of several. Keys stay in the zone, so a worker that starts during an outage has them."""
    with ListIssuer(lab.folder) as issuer:
        statuses = incompressible(400_000)
        statuses[0] = VALID
        paths = [f"/lists/{number}" for number in range(1, 25)]
        for path in paths:
            issuer.publish(statuses, path)
        with nginx(lab, issuer, "assay_zone 1m;") as host:
            for path in paths:
                token = issuer.token(0, path)
                eventually(lambda: answer(host.port, token) == PASSED, 60, path)
            plain = issuer.token()
            issuer.documents.pop("/jwks")
            host.kill(host.workers())
            holds(host, plain, PASSED, "the keys of new workers")
            assert answer(host.port, issuer.token(0, paths[0])) == PASSED
            size = sum(len(issuer.documents[path]) for path in paths)
            return f"{size / 1e6:.1f} MB of lists in a zone of 1 MiB"


def a_long_log_of_revocations_does_not_wait_for_a_list(lab, long):
    """Its parts are read one after the other, also while a list is being fetched from a server that never answers: 120 parts."""
    log = lab.folder / "long-revocations.log"
    log.write_text('{"assay":"revocation-log","version":1}\n')
    with ListIssuer(lab.folder) as issuer, socket.create_server(("127.0.0.1", 0)) as silent:
        origin = f"http://127.0.0.1:{silent.getsockname()[1]}"
        more = f"assay_revocation_log {log}; assay_fetch_timeout 60s;"
        with nginx(lab, issuer, more, f"on origin={origin}", workers=1) as host:
            holds(host, issuer.token(), PASSED, "the keys")
            waiting = threading.Thread(target=answer, args=(host.port, issuer.token(0, url=f"{origin}/lists/1")))
            waiting.start()
            connection, _ = silent.accept()
            with connection, log.open("a") as out:
                out.writelines(f'{{"issuer":"https://idp.example","sid":"{number:064}"}}\n' for number in range(300_000))
                out.write('{"sub":"jane"}\n')
                out.close()
                holds(host, issuer.token(), (401, "revoked"), "the last revocation", 10)
            waiting.join()


def what_cannot_work_is_refused(lab, long):
    with ListIssuer(lab.folder) as issuer:
        wrong = {
            "maybe": "begins with neither", "off stale=1h": "begins with neither", "on cluster=idp": "has a parameter that is none of",
            "on stale=often": "invalid value", "on stale=2d": "assay_status_lists", "on absent=1s absent=2s": "has a parameter twice",
            "on origin=http://idp.example": "assay_status_lists", "on maximum_lists=0": "assay_status_lists",
            "on origin=https://10.0.0.1": "assay_allow_private_addresses on",
        }
        for lists, expected in wrong.items():
            text = HTTP.replace("ISSUER", issuer.url).replace("MORE", f"assay_status_lists {lists};")
            said, code = Nginx(lab, Counter.name(), text).tested()
            assert code != 0 and expected in said and "nginx.conf:" in said, (lists, said)
        text = HTTP.replace("ISSUER", issuer.url).replace(
            "MORE", f"assay_status_lists on origin={issuer.url} absent=1m refused=10s stale=0 maximum_lists=10 maximum_megabytes=2;")
        said, code = Nginx(lab, Counter.name(), text).tested()
        assert code == 0, said


# Envoy alone

def lists_need_the_bootstrap_extension_and_a_cluster(lab, long):
    """Without the extension Envoy does not start. Without a cluster nobody is asked."""
    with ListIssuer(lab.folder) as issuer:
        issuer.publish(STATUSES)
        try:
            port = free_port()
            with EnvoyProgram(lab, envoy_text(issuer, port, {"inline": issuer.jwks}, {"cluster": "idp"}, None), [port]):
                raise AssertionError("Envoy starts without the bootstrap extension")
        except AssertionError as failure:
            assert "status lists are fetched only if this module is among" in str(failure), failure
        with envoy(lab, issuer, {"inline": issuer.jwks}, {"clusters": {"idp.example": "idp"}}) as host:
            assert answer(host.port, issuer.token(VALID)) == AWAY
            assert f"no cluster is configured for {issuer.url}/lists/1" in host.program.output(), host.program.output()
            assert issuer.fetches() == []
        with envoy(lab, issuer, {"inline": issuer.jwks}, {"cluster": "idp"}) as host:
            # The first fetch may take longer than a request waits.
            holds(host, issuer.token(VALID), PASSED, "the list")


def stats_say_how_old_lists_are_and_what_failed(lab, long):
    with ListIssuer(lab.folder) as issuer, envoy(lab, issuer) as host:
        issuer.publish(STATUSES)
        # On a slow machine the first request may not wait for the list until it is there.
        eventually(lambda: answer(host.port, issuer.token(VALID)) == PASSED, 60, "the list")
        assert answer(host.port, issuer.token(VALID, "/lists/2")) == AWAY

        def stat(name):
            return host.stats("assay")[f"assay.{name}"]

        eventually(lambda: stat("provider.idp.status_list_age_seconds") >= 1, 60, "the age of the list")
        assert (stat("provider.idp.status_lists"), stat("provider.idp.status_lists_failing")) == (1, 1)
        assert stat("provider.idp.status_list_bytes") >= 1 and stat("refused.status_unavailable") >= 1

        def counts_agree():
            fetches = len(issuer.fetches()) + len(issuer.fetches("/lists/2"))
            return [stat(f"provider.idp.status_list_fetch{name}") for name in ("es", "_failures")] == [fetches, fetches - 1]

        eventually(counts_agree, 60, "the counts of fetches")


HOSTS = [
    each_status_has_its_answer, a_list_that_is_away_refuses_its_tokens_alone, a_forged_list_is_refused, a_newer_list_counts_in_every_worker,
    the_address_of_keys_is_no_list, lists_are_fetched_beside_keys_that_are_not, a_list_of_a_mebibyte_fits_and_no_longer_one,
]
NGINX = HOSTS + [a_location_may_have_no_lists, a_reload_keeps_lists, the_log_counts_failures_and_says_how_long_the_last_list_judges,
                 many_lists_leave_keys_and_memory_alone, a_long_log_of_revocations_does_not_wait_for_a_list, what_cannot_work_is_refused]
ENVOY = HOSTS + [lists_need_the_bootstrap_extension_and_a_cluster, stats_say_how_old_lists_are_and_what_failed]

"""Checks of tokens that pass once: services of their own, alone and with a store that they share. Each is a function of the lab."""
import concurrent.futures
import contextlib
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile

from exchange import ask, bearer
from program import Program, eventually, free_port

ROOT = pathlib.Path(__file__).resolve().parents[2]
CONFIGURATION = """
listeners: [{name: edge, profile: caddy, tcp: "127.0.0.1:PORT"}]
administration: {tcp: "127.0.0.1:ADMINISTRATION"}
providers:
  - {name: idp, issuer: "ISSUER", audiences: [client-1], once: ONCE, tokenFrom: [{authorization: Bearer}, {query: token}]}
policies: [{name: once, requires: idp}]
routes: [{path: /, policy: once}]
transport: {allowLoopback: true}
replay: {REPLAY}
"""
FORWARDED = [("X-Forwarded-Uri", "/file"), ("X-Forwarded-Method", "GET"), ("X-Forwarded-Proto", "https"), ("X-Forwarded-Host", "a.example")]
AWAY = (503, "replay_memory_unavailable")


class Names:
    count = 0

    @classmethod
    def next(cls, kind):
        cls.count += 1
        return f"{kind}-{cls.count}"


def token(lab, **claims):
    """A token with a name of its own. None takes a claim away."""
    return lab.provider.token(**{"jti": Names.next("use"), **claims})


@contextlib.contextmanager
def services(lab, replay, count=1, once="true"):
    """Services with this memory."""
    running = []
    try:
        for _ in range(count):
            port, administration, name = free_port(), free_port(), Names.next("once")
            text = CONFIGURATION.replace("PORT", str(port), 1).replace("ADMINISTRATION", str(administration))
            file = lab.folder / f"{name}.yaml"
            file.write_text(text.replace("ISSUER", lab.provider.issuer).replace("REPLAY", replay).replace("ONCE", once))
            service = Program([lab.assay, "serve", "--config", file], lab.folder / f"{name}.log", [port, administration])
            service.port, service.administration = port, administration
            running.append(service)
        for service in running:
            eventually(lambda: operate(service, "/readyz").status == 200, 60, "readiness of the service")
        yield running
    finally:
        for service in running:
            service.stop(signal.SIGKILL)


def operate(service, path):
    return ask(service.administration, path, [("Host", f"127.0.0.1:{service.administration}")])


def answer(service, token):
    """The status and the code of an answer."""
    found = ask(service.port, "/file", FORWARDED + [bearer(token)])
    return found.status, found.field("x-assay-code") or ("ok" if found.status == 200 else None)


class Redis:
    """A server that writes each command to its disk."""

    def __init__(self, folder):
        self.folder, self.port = folder, free_port()
        self.path = shutil.which("valkey-server") or shutil.which("redis-server")
        self.program = Program(
            [self.path, "--bind", "127.0.0.1", "--port", self.port, "--dir", folder, "--save", "", "--appendonly", "yes", "--appendfsync",
             "always"], folder / "redis.log", [self.port])
        self.replay = f'valkey: "redis://127.0.0.1:{self.port}"'

    def freeze(self):
        self.program.freeze()

    def thaw(self):
        self.program.thaw()

    def kill(self):
        self.program.stop(signal.SIGKILL)

    def restart(self):
        self.program.start()

    stop = kill


class PostgreSQL:
    def __init__(self, folder):
        self.folder = folder
        self.call("start")
        self.replay = f'database: "postgresql:///postgres?host={self.folder}&user=postgres"'

    def call(self, word):
        subprocess.run([ROOT / "scripts/postgres.sh", word, self.folder], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def processes(self):
        first = (self.folder / "data/postmaster.pid").read_text().split()[0]
        others = subprocess.run(["pgrep", "-P", first], capture_output=True, text=True).stdout.split()
        return [int(process) for process in [first, *others]]

    def freeze(self):
        for process in self.processes():
            os.kill(process, signal.SIGSTOP)

    def thaw(self):
        for process in self.processes():
            os.kill(process, signal.SIGCONT)

    def kill(self):
        self.call("kill")

    def restart(self):
        self.call("start")

    def stop(self):
        self.call("stop")


def a_token_passes_once_in_one_process(lab):
    with services(lab, "memory: {entries: 1000}") as [service]:
        used = token(lab)
        assert answer(service, used) == (200, "ok")
        for _ in range(3):
            assert answer(service, used) == (401, "replayed")
        assert answer(service, lab.provider.token()) == (401, "missing_claim")


def a_full_memory_refuses(lab):
    with services(lab, "memory: {entries: 4}") as [service]:
        found = [answer(service, token(lab)) for _ in range(12)]
        assert found == [(200, "ok")] * 8 + [AWAY] * 4, found


def what_passed_at_one_is_refused_at_the_other(lab, store):
    with services(lab, store.replay, 2) as both:
        for first in (0, 1):
            used = token(lab)
            assert answer(both[first], used) == (200, "ok")
            for service in both * 2:
                assert answer(service, used) == (401, "replayed")


def of_many_requests_at_two_services_one_passes(lab, store):
    with services(lab, store.replay, 2) as both, concurrent.futures.ThreadPoolExecutor(64) as pool:
        for _ in range(10):
            used = token(lab)
            found = list(pool.map(lambda place: answer(both[place % 2], used), range(64)))
            assert sorted(found) == [(200, "ok")] + [(401, "replayed")] * 63, found


def without_the_store_nothing_passes(lab, store):
    """A store that hangs, one that is killed, and one that is back."""
    with services(lab, store.replay + ", timeoutMilliseconds: 500", 2) as both:
        used = token(lab)
        eventually(lambda: answer(both[0], used) != AWAY, 20, "an answer of the store")
        store.freeze()
        try:
            for service in both:
                assert answer(service, token(lab)) == AWAY
        finally:
            store.thaw()
        store.kill()
        for service in both:
            assert answer(service, token(lab)) == AWAY
        store.restart()
        for service in both:
            eventually(lambda: answer(service, token(lab)) == (200, "ok"), 20, "a use after the store's return")
            assert answer(service, used) == (401, "replayed")


def the_metrics_have_the_uses(lab, store):
    with services(lab, store.replay) as [service]:
        used = token(lab)
        for _ in range(3):
            answer(service, used)
        text = operate(service, "/metrics").body.decode()
        for line in ('assay_gateway_replay_uses_total{result="first"} 1', 'assay_gateway_replay_uses_total{result="replayed"} 2',
                     'code="replayed"'):
            assert line in text, text


def spent(service):
    """The seconds that decisions took, and their number."""
    lines = operate(service, "/metrics").body.decode().splitlines()
    return [next(float(line.split()[1]) for line in lines if line.startswith(f"assay_gateway_decision_duration_seconds_{name}"))
            for name in ("sum", "count")]


def mean_decision(lab, replay, once="true", count=500):
    """Milliseconds of a decision about a token that comes for the first time, one after the other."""
    with services(lab, replay, once=once) as [service]:
        tokens = [token(lab) for _ in range(count + 20)]
        for used in tokens[:20]:
            answer(service, used)
        before = spent(service)
        for used in tokens[20:]:
            assert answer(service, used) == (200, "ok")
        seconds, decisions = [after - earlier for after, earlier in zip(spent(service), before)]
        assert decisions == count
        return seconds / count * 1000


def a_use_costs_its_store(lab, store):
    """Prints what Docs/Scale.md has."""
    means = [mean_decision(lab, "memory: {entries: 10000}", "false"), mean_decision(lab, "memory: {entries: 10000}"),
             mean_decision(lab, store.replay)]
    return "a decision takes {:.3f} ms without `once`, {:.3f} ms with the memory of the process, {:.3f} ms with the store".format(*means)


SHARED = [
    what_passed_at_one_is_refused_at_the_other, of_many_requests_at_two_services_one_passes, without_the_store_nothing_passes,
    the_metrics_have_the_uses, a_use_costs_its_store]


def with_store(kind, function):
    """The check with a new store. PostgreSQL runs as another user, who must not enter the lab's folder."""
    def check(lab):
        folder = pathlib.Path(tempfile.mkdtemp(prefix=f"{kind.__name__.lower()}-"))
        try:
            store = kind(folder)
            try:
                return function(lab, store)
            finally:
                store.stop()
        finally:
            shutil.rmtree(folder)

    check.__name__ = f"{function.__name__}_by_{kind.__name__.lower()}"
    return check


ALL = [a_token_passes_once_in_one_process, a_full_memory_refuses] + [
    with_store(kind, function) for kind in (Redis, PostgreSQL) for function in SHARED]

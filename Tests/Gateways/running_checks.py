"""Checks of what changes while requests flow. Each is a function of the lab, and looks at all gateways at once."""
import os
import threading
import time

from exchange import Connection, ask, bearer
from expectations import identity
from program import eventually


class Load:
    """Requests without a pause through every gateway, one connection each, until the block ends. Every answer must be `expected`."""

    def __init__(self, lab, expected=200, pause=0.005):
        self.lab, self.expected, self.pause = lab, expected, pause
        self.token = lab.provider.token()
        # The last token that each gateway let pass.
        self.passed = {gateway.name: self.token for gateway in lab.gateways}
        self.failures, self.counts = [], {gateway.name: 0 for gateway in lab.gateways}
        # Odd while the service under test starts: it waits for its keys only a certain time, so `keys_unavailable` is no failure then.
        self.starts = 0
        self.ended = threading.Event()
        self.threads = [threading.Thread(target=self.run, args=(gateway,)) for gateway in lab.gateways]

    def run(self, gateway):
        while not self.ended.is_set():
            try:
                with Connection(gateway.port) as connection:
                    self.keep_asking(gateway, connection)
            except OSError as failure:
                self.failures.append(f"{gateway.name}: {failure!r}")

    def keep_asking(self, gateway, connection):
        for _ in range(500):
            if self.ended.is_set():
                return
            token, starts = self.token, self.starts
            answer = connection.ask("/orders", [bearer(token)])
            if answer is None:
                self.failures.append(f"{gateway.name}: no answer")
                return
            self.judge(gateway, token, answer, is_steady=starts == self.starts and starts % 2 == 0)
            if (answer.field("connection") or "").lower() == "close":
                return
            self.ended.wait(self.pause)

    def judge(self, gateway, token, answer, is_steady):
        code = answer.field("x-assay-code")
        if answer.status == self.expected:
            self.passed[gateway.name] = token
        elif (is_steady and token == self.passed[gateway.name]) or code != "keys_unavailable":
            self.failures.append(f"{gateway.name}: {answer.status} {code}")
        self.counts[gateway.name] += 1

    def rotate(self):
        """Goes on with a token under a new key. The first one orders its fetch, for which a gateway waits only a certain time: until the
        token has passed once, `keys_unavailable` is no failure."""
        self.lab.provider.ask("rotate")
        self.token = self.lab.provider.token()
        eventually(lambda: set(self.passed.values()) == {self.token}, 60, "the new key")

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *failure):
        self.ended.set()
        for thread in self.threads:
            thread.join()
        if failure[0] is None:
            assert not self.failures, f"{len(self.failures)} failed requests: {sorted(set(self.failures))[:10]}"
            assert all(self.counts.values()), self.counts

    def seconds(self, count):
        self.ended.wait(count)


def keys_rotate_under_load(lab, long):
    """Each rotation is found by the first tokens under the new key. The cache allows one such fetch in ten seconds."""
    with Load(lab) as load:
        for _ in range(6 if long else 1):
            load.seconds(11 if long else 2)
            load.rotate()
        load.seconds(2)
    return load.counts


def a_removed_key_is_refused(lab, long):
    """The next fetch takes the key away, whatever verdicts were remembered."""
    old = lab.provider.ask("rotate")
    token = lab.provider.token()
    time.sleep(11)
    assert all(verdict(gateway, token) == 200 for gateway in lab.gateways)
    lab.provider.ask("rotate")
    lab.provider.ask(f"remove {old}")
    time.sleep(11)
    fresh = lab.provider.token()
    for gateway in lab.gateways:
        assert verdict(gateway, fresh) == 200, gateway.name
        assert verdict(gateway, token) == 401, gateway.name


def verdict(gateway, token):
    """The status of the first answer that is not `keys_unavailable`: a gateway waits only a certain time for a fetch."""
    answers = []

    def is_there():
        answers.append(ask(gateway.port, "/orders", [bearer(token)]))
        return answers[-1].field("x-assay-code") != "keys_unavailable"
    eventually(is_there, 60, f"{gateway.name}'s verdict")
    return answers[-1].status


def an_outage_of_the_provider_fails_no_request(lab, long):
    with Load(lab) as load:
        lab.provider.ask("down")
        load.seconds(30 if long else 3)
        lab.provider.ask("up")
    return load.counts


def reloads_fail_no_request(lab, long):
    """A valid change works at once, a broken one changes nothing."""
    text = lab.service.text
    with Load(lab) as load:
        for _ in range(10 if long else 1):
            lab.service.configure(changed(text))
            eventually(lambda: name_seen(lab) == "jane", 60, "the new configuration")
            for other in broken(text):
                lab.service.configure(other)
                lab.service.reload("failed")
                assert name_seen(lab) == "jane", "a broken configuration was taken"
            lab.service.configure(text)
            eventually(lambda: name_seen(lab) == "Jane Doe", 60, "the old configuration")
    return load.counts


def changed(text):
    """The configuration with another claim in the field of the name."""
    assert "claim: name}" in text
    return text.replace("claim: name}", "claim: sub}")


def broken(text):
    """Configurations that must not be taken: cut off, cyclic, huge, nested, binary, with a setting too many."""
    cycle = text.replace("requires: idp, realm: api}", "requires: idp, realm: api, shadow: api}", 1)
    assert cycle != text
    return [
        "listeners: [", text[: len(text) // 2], "", "a: &a [*a]\n", "a: &a\n  b: *a\n", cycle, text + "unknown: 1\n", "x" * 3_000_000,
        "[" * 500_000, "- " * 100_000 + "a", text + "\0", "\x7fELF\x01" * 1_000, text + "---\n" + text,
    ]


def name_seen(lab):
    """The name that the application behind the first gateway gets; the status if there is none."""
    answer = ask(lab.gateways[0].port, "/orders", [bearer(lab.provider.token())])
    return identity(answer.arrived())["x-auth-name"][0] if answer.status == 200 else answer.status


def another_kind_of_file_changes_nothing(lab, long):
    """A pipe without a writer must not hold the service up, nor a file without an end fill its memory."""
    file, aside = lab.service.file, lab.service.file.with_suffix(".aside")
    kinds = [
        lambda: os.mkfifo(file), lambda: file.mkdir(), lambda: file.symlink_to("/dev/zero"), lambda: file.symlink_to(file.name),
        lambda: file.symlink_to("absent"), lambda: None,
    ]
    with Load(lab) as load:
        for make in kinds:
            file.rename(aside)
            make()
            lab.service.reload("failed")
            assert name_seen(lab) == "Jane Doe"
            if file.is_dir():
                file.rmdir()
            aside.rename(file)
        lab.service.reload("succeeded")
    return load.counts


def a_file_that_grows_is_not_read(lab, long):
    """An editor that writes in place. What is there meanwhile is no configuration: a service that reads it counts a failed reload."""
    start, end = lab.service.text.split("  - {path: /reports", 1)
    pieces = [start + "  - {path: /reports", *" " * 12, end]
    before = [lab.service.reloads(result) for result in ("succeeded", "failed")]
    with Load(lab) as load:
        pause = written_slowly(lab.service.file, pieces)
        eventually(lambda: lab.service.reloads("succeeded") > before[0], 60, "the whole configuration")
        after = [lab.service.reloads(result) for result in ("succeeded", "failed")]
    assert after[0] == before[0] + 1, "the file was taken twice"
    # A file that has not changed for a second is read.
    assert after[1] == before[1] or pause >= 1, "a part of the file was read"
    return load.counts


def written_slowly(file, pieces):
    """Writes one piece after another. Returns the seconds that the file stayed as it was at most, which are many on a busy machine."""
    longest, last = 0, time.monotonic()
    with open(file, "w") as output:
        for piece in pieces:
            time.sleep(0.3)
            before = time.monotonic()
            output.write(piece)
            output.flush()
            longest, last = max(longest, time.monotonic() - last), before
    return longest


def a_killed_service_lets_nothing_pass(lab, long):
    """No gateway passes a request while the service is down, and each passes requests again after its return, by itself."""
    token = lab.provider.token()
    for _ in range(10 if long else 1):
        lab.service.kill()
        count = len(lab.upstream.arrived)
        for gateway in lab.gateways:
            for target in ("/orders", "/public"):
                answer = ask(gateway.port, target, [bearer(token)])
                assert answer and answer.status == gateway.outage, (gateway.name, answer)
        assert len(lab.upstream.arrived) == count, "a request passed"
        lab.service.restart()
        lab.service.wait_until_ready()
        for gateway in lab.gateways:
            eventually(lambda: ask(gateway.port, "/orders", [bearer(token)]).status == 200, 60, f"{gateway.name}'s return")


def no_keys_is_503_with_a_time(lab, long):
    """A service that starts without keys says so in each gateway's way, and recovers."""
    token = lab.provider.token()
    lab.provider.ask("down")
    lab.service.kill()
    lab.service.restart()
    try:
        assert lab.service.administration("/healthz")[0] == 200
        assert lab.service.administration("/readyz")[0] == 503
        for gateway in lab.gateways:
            def answered():
                answer = ask(gateway.port, "/orders", [bearer(token)])
                return answer and answer.field("x-assay-code") == "keys_unavailable" and answer
            eventually(answered, 60, f"{gateway.name}'s answer")
            answer = answered()
            # Envoy's HTTP service cannot carry a 503: Envoy takes each 5xx for a failure of the service.
            assert answer.status == (403 if gateway.name == "envoy-http" else 503), (gateway.name, answer)
            assert int(answer.field("retry-after")) > 0, (gateway.name, answer)
            assert ask(gateway.port, "/public").status == 200, gateway.name
    finally:
        lab.provider.ask("up")
    lab.service.wait_until_ready()
    for gateway in lab.gateways:
        eventually(lambda: ask(gateway.port, "/orders", [bearer(token)]).status == 200, 60, f"{gateway.name}'s recovery")


ALL = [
    keys_rotate_under_load, an_outage_of_the_provider_fails_no_request, reloads_fail_no_request, another_kind_of_file_changes_nothing,
    a_file_that_grows_is_not_read, a_killed_service_lets_nothing_pass, no_keys_is_503_with_a_time,
]
LONG = [a_removed_key_is_refused]

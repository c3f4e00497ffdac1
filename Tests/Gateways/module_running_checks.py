"""What changes while requests flow through the module: keys, configuration, processes. Each is a function of a lab."""
import base64
import itertools
import json
import os
import re
import signal
import time
import urllib.request

from documents import Documents
from exchange import Connection, ask, bearer
from nginx_processes import Nginx
from program import eventually
from running_checks import Load, a_removed_key_is_refused, an_outage_of_the_provider_fails_no_request, keys_rotate_under_load
from watching import Watch

HTTP = """
    assay_issuer ISSUER;
    assay_audiences client-1;
    MORE
    server {
        listen 127.0.0.1:PORT;
        assay on;
        add_header X-Assay-Code $assay_code always;
        location / { proxy_pass http://UPSTREAM; }
        location /public { assay off; proxy_pass http://UPSTREAM; }
    }
"""


# What a location has, what one inside it adds, and the same for a location that inherits neither.
REFRESHES = [
    ("assay_stale 1h;", "assay_refresh revocation-first;", "assay_refresh revocation-first;"),
    ("assay_refresh revocation-first; assay_stale 1h;", "assay_refresh availability-first;", "assay_refresh availability-first;"),
    ("assay_stale 1h;", "assay_refresh revocation-first; assay_stale 2h;", "assay_refresh revocation-first; assay_stale 2h;"),
    ("assay_refresh revocation-first;", "assay_stale 1h;", "assay_refresh revocation-first; assay_stale 1h;"),
    ("assay_refresh revocation-first; assay_stale 1h;", "", "assay_refresh revocation-first; assay_stale 1h;"),
    ("assay_stale 1h;", "", "assay_stale 1h;"),
]
REFRESHED = """
        location /NUMBER/ {
            assay_keys_url URL/NUMBER;
            OUTER
            location /NUMBER/inside { assay on; INNER }
        }
        location /alone/NUMBER { assay on; assay_keys_url URL/NUMBER; ALONE }
"""


class FreshLoad(Load):
    """The same with a connection for each request: an old worker closes idle connections, whatever the client is about to send."""

    def keep_asking(self, gateway, connection):
        answer = connection.ask("/orders", [bearer(self.token)])
        if answer is None or answer.status != self.expected:
            self.failures.append(f"{gateway.name}: {answer}")
        self.counts[gateway.name] += 1
        self.ended.wait(self.pause)


def answers(nginx, token):
    answer = ask(nginx.port, "/orders", [bearer(token)])
    return answer and (answer.status, answer.field("x-assay-code"))


def reloads_fail_no_request(lab, long):
    """New workers have the documents of the old ones at once, also while the provider is down; one helper follows the other."""
    with lab.with_own_provider() as lab, Nginx(lab, "reloaded", HTTP.replace("MORE", "assay_wait 20s;")) as nginx:
        eventually(lambda: answers(nginx, lab.provider.token()) == (200, "ok"), 60, "the first keys")
        lab.gateway = nginx
        with FreshLoad(lab) as load:
            count = lab.requests()
            lab.provider.ask("down")
            for _ in range(20 if long else 3):
                old = nginx.helpers()
                nginx.reload()
                eventually(lambda: len(now := nginx.helpers()) == 1 and now != old, 60, "one new helper")
                load.seconds(0.3)
        assert lab.requests() == count, "a reload fetched keys that were there"
        return load.counts


def another_issuer_counts_after_a_reload(lab, long):
    """Also on a connection from before, which nginx closes. A configuration with a fault changes nothing, and the log has a line."""
    with lab.with_own_provider() as other, lab.with_own_provider() as lab:
        tokens = lab.provider.token(), other.provider.token()
        with Nginx(lab, "reissued", HTTP.replace("MORE", "assay_wait 20s;"), "worker_processes 2;\n") as nginx:
            eventually(lambda: answers(nginx, tokens[0]) == (200, "ok"), 60, "the first keys")
            text = nginx.configuration.read_text()
            with Watch(lab, nginx.port, [], [None, *map(lab.forged, tokens)]) as watch, Connection(nginx.port) as connection:
                assert connection.ask("/orders", [bearer(tokens[0])]).status == 200
                nginx.configuration.write_text(text.replace("assay_audiences", "assay_audience"))
                os.kill(nginx.master(), signal.SIGHUP)
                eventually(lambda: 'unknown directive "assay_audience"' in nginx.program.output(), 60, "the line of the fault")
                assert connection.ask("/orders", [bearer(tokens[0])]).status == 200
                nginx.configuration.write_text(text.replace(lab.provider.issuer, other.provider.issuer))
                nginx.reload()
                eventually(lambda: answers(nginx, tokens[1]) == (200, "ok"), 60, "the other issuer")
                eventually(lambda: answers(nginx, tokens[0]) == (401, "issuer_mismatch"), 60, "the end of the first issuer")
                eventually(lambda: has_ended(connection, tokens[0]), 60, "the end of the connection before")
            return watch.counts


def has_ended(connection, token):
    try:
        answer = connection.ask("/orders", [bearer(token)])
    except OSError:
        return True
    return answer is None or answer.status == 401


def revocations_count_soon(lab, long):
    """Every worker reads the file again. A broken one, and none, take nothing back; nginx does not start with it."""
    token, revoked = lab.provider.token(), (401, "revoked")
    file = lab.folder / "revocations.json"
    file.write_text('{"revocations": []}')
    for keys in ("", "assay_keys_file KEYS;"):
        (lab.folder / "keys.json").write_bytes(urllib.request.urlopen(lab.provider.issuer + "/jwks").read())
        more = f"assay_wait 20s; assay_revocations {file}; {keys}".replace("KEYS", str(lab.folder / "keys.json"))
        with Nginx(lab, f"revoked{len(keys)}", HTTP.replace("MORE", more), "worker_processes 2;\n") as nginx:
            eventually(lambda: answers(nginx, token) == (200, "ok"), 60, "the first keys")
            def told():
                return re.findall(r"\[error\] .*assay cannot use \".*revocations.json\" as it is now: .*not JSON", nginx.program.output())
            for text, expected, lines in [('{"revocations": [{"sub": "jane"}]}', revoked, 0), ('{"revocations": [', revoked, 1),
                                          ('{"revocations": []}', (200, "ok"), 1)]:
                file.write_text(text)
                eventually(lambda: len(told()) == lines, 60, f"{lines} lines about the file")
                eventually(lambda: [answers(nginx, token) for _ in range(12)] == [expected] * 12, 60, f"{text}: {expected}")
    file.write_text("{")
    try:
        with Nginx(lab, "unrevoked", HTTP.replace("MORE", f"assay_revocations {file};")):
            raise AssertionError("nginx starts without its revocations")
    except AssertionError as failure:
        assert "revocations" in str(failure) and "nginx.conf:" in str(failure), failure


def a_log_of_revocations_is_followed(lab, long):
    """Every worker reads on. A line that is no entry is in the error log, and takes nothing back; nginx does not start without the log."""
    token = lab.provider.token()
    log = lab.folder / "revocation-log"
    log.write_text('{"assay":"revocation-log","version":1}\n')
    log.chmod(0o644)

    def add(line):
        with log.open("a") as out:
            out.write(line + "\n")

    more = f"assay_wait 20s; assay_revocation_log {log};"
    # Each worker gets its share of connections: one alone could answer all, before the other has read.
    http = HTTP.replace("MORE", more).replace("PORT;", "PORT reuseport;")
    with Nginx(lab, "followed", http, "worker_processes 2;\n") as nginx:
        eventually(lambda: answers(nginx, token) == (200, "ok"), 60, "the first keys")
        add('{"sub":"john"}')
        add('{"subject":"jane"}')
        eventually(lambda: "line 3 is no entry" in nginx.program.output(), 60, "a line about the log")
        assert answers(nginx, token) == (200, "ok"), "another subject is revoked"
        add('{"sub":"jane","until":99999999999}')
        eventually(lambda: [answers(nginx, token) for _ in range(24)] == [(401, "revoked")] * 24, 60, "the revocation")
        log.unlink()
        eventually(lambda: "there is no such file" in nginx.program.output(), 60, "a line about the absent log")
        assert [answers(nginx, token) for _ in range(24)] == [(401, "revoked")] * 24, "an absent log takes an entry back"
    try:
        with Nginx(lab, "unfollowed", HTTP.replace("MORE", more)):
            raise AssertionError("nginx starts without its log of revocations")
    except AssertionError as failure:
        assert "revocationLog" in str(failure) and "nginx.conf:" in str(failure), failure


def a_killed_worker_is_replaced_by_one_with_keys(lab, long):
    token = lab.provider.token()
    assert answers(lab.gateway, token) == (200, "ok")
    lab.provider.ask("down")
    try:
        for _ in range(10 if long else 3):
            lab.gateway.kill(lab.gateway.workers())
            for _ in range(20):
                assert answers(lab.gateway, token) == (200, "ok")
    finally:
        lab.provider.ask("up")


def a_killed_helper_fails_no_request(lab, long):
    """Keys are there without it, and the one that follows fetches what is asked for."""
    with Load(lab) as load:
        for _ in range(5 if long else 2):
            lab.gateway.kill(lab.gateway.helpers())
            load.seconds(0.2)
    with Nginx(lab, "without-helper", HTTP.replace("MORE", "assay_wait 20s;")) as nginx:
        eventually(lambda: answers(nginx, lab.provider.token()) == (200, "ok"), 60, "the first keys")
        for process in nginx.helpers():
            os.kill(process, signal.SIGKILL)
        lab.provider.ask("rotate")
        assert answers(nginx, lab.provider.token()) == (200, "ok"), "a rotation was lost with the helper"
    return load.counts


def no_keys_is_503_with_a_time(lab, long):
    token = lab.provider.token()
    lab.provider.ask("down")
    with Nginx(lab, "no-keys", HTTP.replace("MORE", "")) as nginx:
        try:
            answer = ask(nginx.port, "/orders", [bearer(token)])
            assert (answer.status, answer.field("x-assay-code")) == (503, "keys_unavailable"), answer
            assert 1 <= int(answer.field("retry-after")) <= 60 and answer.field("www-authenticate") is None, answer
            assert ask(nginx.port, "/public").status == 200
            assert ask(nginx.port, "/orders").status == 401
        finally:
            lab.provider.ask("up")
        eventually(lambda: answers(nginx, token) == (200, "ok"), 60, "recovery")


def each_reason_of_a_failure_is_an_error_once(lab, long):
    """At the level that nginx has by default, and however many workers there are. After a success the next failure is an error again."""
    useless = {"/.well-known/openid-configuration": '{"issuer":"https://other.example","jwks_uri":"https://other.example/jwks"}'}
    with Documents() as issuer:
        usable = {"/.well-known/openid-configuration": json.dumps({"issuer": issuer.url, "jwks_uri": issuer.url + "/jwks"}),
                  "/jwks": urllib.request.urlopen(lab.provider.issuer + "/jwks").read().decode()}
        token = lab.provider.token(iss=issuer.url)
        http = HTTP.replace("ISSUER", issuer.url).replace("MORE", "assay_wait 0;").replace("PORT;", "PORT reuseport;")
        nginx = Nginx(lab, "errors", http, "worker_processes 3;\n")
        log = "error_log stderr warn;\n"
        nginx.configuration.write_text(nginx.configuration.read_text().replace(log, f"{log}error_log {nginx.folder}/errors;\n"))
        with nginx:
            def every_error(level="error"):
                """The reasons in the log that has no level of its own."""
                text = (nginx.folder / "errors").read_text()
                return re.findall(rf'\[{level}\] .*assay has not got the keys of "{issuer.url}": (.*)', text)

            def errors():
                """The reasons without those that a slow machine adds: a fetch took too long, and then the former reason is new again."""
                others = [error for error in every_error() if not error.startswith(("attempt_timed_out", "fetch_cancelled"))]
                return [next(same) for _, same in itertools.groupby(others, lambda error: error.partition(",")[0])]

            def times():
                return max(map(int, re.findall(r"for the (\d+)\. time", nginx.program.output())), default=0)
            # A worker waits longer after each failure.
            patience = 180
            eventually(lambda: times() >= 2, 60, "a repeated failure")
            at = f'; the last request was to "{issuer.url}/.well-known/'
            assert errors() == [f'status, for the 1. time{at}oauth-authorization-server", status 404'], errors()
            issuer.documents.update(useless)
            eventually(lambda: len(errors()) == 2, patience, "another reason")
            assert "issuer_mismatch, for the " in errors()[1] and f'{at}openid-configuration", status 200' in errors()[1], errors()
            issuer.documents.update(usable)
            eventually(lambda: [answers(nginx, token) for _ in range(12)] == [(200, "ok")] * 12, patience, "keys of every worker")
            before = len(every_error())
            issuer.documents.clear()
            for number in range(60):
                answers(nginx, with_key(token, f"new-{number}"))
            eventually(lambda: len(every_error()) > before, patience, "a failure after a success")
            assert ", for the 1. time" in every_error()[before] and every_error("warn") == [], every_error()


def the_first_requests_wait_for_the_first_keys(lab, long):
    token = lab.provider.token()
    for number in range(5):
        with Nginx(lab, f"first-{number}", HTTP.replace("MORE", "assay_wait 20s;")) as nginx:
            assert answers(nginx, token) == (200, "ok")


def a_useless_answer_reaches_no_new_worker(lab, long):
    """The issuer's address answers 200 with a page, as a proxy does. Workers that start then have the keys of before."""
    def document(path):
        return urllib.request.urlopen(lab.provider.issuer + path).read().decode()

    sources = {"metadata": "", "keys": "assay_keys_url %s/jwks;"}
    for useless, keys in sources.items():
        with Documents() as issuer:
            metadata = json.dumps({"issuer": issuer.url, "jwks_uri": issuer.url + "/jwks"})
            issuer.documents.update({"/.well-known/openid-configuration": metadata, "/jwks": document("/jwks")})
            token = lab.provider.token(iss=issuer.url)
            http = HTTP.replace("ISSUER", issuer.url).replace("MORE", "assay_wait 0;" + (keys % issuer.url if keys else ""))
            with Nginx(lab, f"useless-{useless}", http) as nginx:
                eventually(lambda: answers(nginx, token) == (200, "ok"), 60, "the first keys")
                for path in issuer.documents:
                    issuer.documents[path] = "<html><title>Sign in</title></html>"
                answers(nginx, with_key(token, "new"))
                eventually(lambda: "has not got the keys" in nginx.program.output(), 60, "the useless answer")
                nginx.reload()
                assert answers(nginx, token) == (200, "ok"), useless
                nginx.kill(nginx.workers())
                assert answers(nginx, token) == (200, "ok"), useless


def a_preset_does_not_inherit_the_staleness_of_another(lab, long):
    """Locations of one URL share its keys if their settings are equal. Each set of keys says once that its first fetch has failed."""
    with Documents() as issuer:
        locations = ""
        for number, (outer, inner, alone) in enumerate(REFRESHES):
            text = REFRESHED.replace("OUTER", outer).replace("INNER", inner).replace("ALONE", alone)
            locations += text.replace("NUMBER", str(number)).replace("URL", issuer.url)
        server = f"server {{\n        listen 127.0.0.1:PORT;{locations}    }}\n"
        with Nginx(lab, "refreshes", f"    assay_issuer ISSUER;\n    assay_audiences client-1;\n    {server}") as nginx:
            def failures(is_first):
                found = re.findall(rf'keys of "{issuer.url}/(\d+)": \S+, for the (\d+)\. time', nginx.program.output())
                urls = [url for url, time in found if (time == "1") == is_first]
                return [urls.count(str(number)) for number in range(len(REFRESHES))]
            eventually(lambda: all(failures(False)), 60, "later failures")
            assert failures(True) == [1] * len(REFRESHES), failures(True)


def unknown_keys_cause_two_fetches_in_ten_seconds(lab, long):
    """However many workers there are, and however many names are tried; a rotation meanwhile is not lost."""
    # With a socket of its own each worker gets its share of the connections.
    http = HTTP.replace("MORE", "assay_wait 0;").replace("PORT;", "PORT reuseport;")
    with lab.with_own_provider() as lab, Nginx(lab, "junk", http, "worker_processes 4;\n") as nginx:
        eventually(lambda: answers(nginx, lab.provider.token()) == (200, "ok"), 60, "the first keys")
        token = lab.provider.token()
        count, start, seen = lab.requests(), time.monotonic(), set()
        for number in range(200):
            answer = ask(nginx.port, "/orders", [bearer(with_key(token, f"junk-{number}"))], timeout=60)
            seen.add((answer.status, answer.field("x-assay-code")))
        assert seen <= {(401, "unknown_key"), (503, "keys_unavailable")}, seen
        lab.provider.ask("rotate")
        eventually(lambda: answers(nginx, lab.provider.token()) == (200, "ok"), 60, "the rotation")
        fetched, windows = lab.requests() - count, 1 + (time.monotonic() - start) / 10
        assert fetched <= 2 * windows, (fetched, windows)
        return f"{fetched} fetches for 200 names and one rotation"


def a_rotation_every_two_seconds_loses_nothing(lab, long):
    """A fetch that brings another document is given back to the budget of two in ten seconds."""
    with lab.with_own_provider() as lab, Nginx(lab, "rotations", HTTP.replace("MORE", "assay_wait 20s;"), "worker_processes 2;\n") as nginx:
        longest, start = 0, time.monotonic()
        for number in range(5):
            eventually(lambda: time.monotonic() > start + 2 * number, 60, "two seconds")
            lab.provider.ask("rotate")
            token, asked = lab.provider.token(), time.monotonic()
            answer = answers(nginx, token)
            assert answer == (200, "ok"), answer
            longest = max(longest, time.monotonic() - asked)
        assert longest < 5, longest


def with_key(token, name):
    """The token with a header that names another key."""
    header = json.dumps({"alg": "ES256", "kid": name}).encode()
    return base64.urlsafe_b64encode(header).rstrip(b"=").decode() + token[token.index("."):]


def the_helper_has_the_rights_of_the_workers(lab, long):
    if os.geteuid() != 0:
        return "skipped: it needs root"
    with Nginx(lab, "rights", HTTP.replace("MORE", ""), "user nobody nogroup;\n") as nginx:
        os.chmod(lab.folder, 0o755)
        eventually(lambda: answers(nginx, lab.provider.token()) == (200, "ok"), 60, "the first keys")
        for process in [*nginx.workers(), *nginx.helpers()]:
            status = dict(line.split(":", 1) for line in open(f"/proc/{process}/status") if ":" in line)
            assert status["Uid"].split() == status["Uid"].split()[:1] * 4 and status["Uid"].split()[0] != "0", status["Uid"]
        assert "libassay-http" in open(f"/proc/{nginx.helpers()[0]}/maps").read()
        others = open(f"/proc/{nginx.workers()[0]}/maps").read() + open(f"/proc/{nginx.master()}/maps").read()
        assert "libassay-http" not in others and "libcurl" not in others


ALL = [
    keys_rotate_under_load, an_outage_of_the_provider_fails_no_request, reloads_fail_no_request, revocations_count_soon,
    a_log_of_revocations_is_followed, another_issuer_counts_after_a_reload,
    a_killed_worker_is_replaced_by_one_with_keys, a_killed_helper_fails_no_request, no_keys_is_503_with_a_time,
    each_reason_of_a_failure_is_an_error_once, the_first_requests_wait_for_the_first_keys, a_useless_answer_reaches_no_new_worker,
    unknown_keys_cause_two_fetches_in_ten_seconds, a_rotation_every_two_seconds_loses_nothing,
    a_preset_does_not_inherit_the_staleness_of_another, the_helper_has_the_rights_of_the_workers,
]
LONG = [a_removed_key_is_refused]

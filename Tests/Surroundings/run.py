"""Runs each program of the repository in surroundings that lack something. Usage: run.py [BUILD]

Where a program can still do what it was asked, the result is the same. Where it cannot, it ends with an error and a code of its own: never by
a signal, never with 0, and never not at all. The last line has the totals.
"""
import concurrent.futures
import functools
import http.server
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading

ROOT = pathlib.Path(__file__).parents[2]
BUILD = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else os.environ.get("ASSAY_BUILD", ROOT / ".build/release"))
ASSAY = str(BUILD / "assay")
# What the loader of the system answers for a program that it cannot start.
LOADER = 127
RESOURCE = 5
TIME = 60
PLAIN = {"PATH": os.environ["PATH"], "HOME": "/nonexistent"}


class Outcome:
    def __init__(self, code, output, errors):
        self.code, self.output, self.errors = code, output, errors

    def __eq__(self, other):
        return (self.code, self.output) == (other.code, other.output)

    def __repr__(self):
        return f"{self.code} {self.output[:120]!r} {self.errors[-200:]!r}"


def run(command, environment=None, given=b"", **options):
    """The outcome of a command; None if it does not end."""
    environment = {**PLAIN, **(environment or {})}
    options.setdefault("stdout", subprocess.PIPE)
    options.setdefault("stderr", subprocess.PIPE)
    with subprocess.Popen(command, stdin=subprocess.PIPE, env=environment, start_new_session=True, cwd=ROOT, **options) as process:
        try:
            output, errors = process.communicate(given, TIME)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            return None
    return Outcome(process.returncode, output or b"", errors or b"")


class Task:
    """What a program is asked, and the code of its answer in whole surroundings."""

    def __init__(self, name, arguments, code=0, given=b"", program=ASSAY):
        self.name, self.command, self.code, self.given = name, [program, *arguments], code, given
        self.whole = None
        # The host of a library has the exit codes of its own.
        self.is_host = program != ASSAY

    def learn(self):
        self.whole = run(self.command, given=self.given)
        assert self.whole and self.whole.code == self.code, (self.name, self.whole)


class Keys(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *words):
        pass


def serve(folder):
    """The URL of a folder's files, for as long as this program runs."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Keys, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}"


def tasks(folder):
    key, keys = folder / "key.jwk", folder / "keys.json"
    keys.write_bytes(subprocess.run([ASSAY, "keys", "new", "--algorithm", "ES256", key], check=True, capture_output=True).stdout)
    claims = '{"iss":"https://idp.example","sub":"jane","aud":"web","iat":1700000000,"exp":1700003600}'
    token = subprocess.run([ASSAY, "sign", "--key", key, claims], check=True, capture_output=True).stdout
    (folder / "gateway.yaml").write_text(
        'listeners: [{profile: caddy, tcp: "127.0.0.1:0"}]\n'
        'providers: [{name: idp, issuer: "https://idp.example", anyAudience: true, keys: {file: %s}}]\n'
        "policies: [{name: api, requires: idp}]\nroutes: [{policy: api}]\n" % keys)
    verify = ["verify", "--keys", str(keys), "--at", "1700000000"]
    forged = token.replace(b".eyJpc3M", b".eyJpc3N")
    return c_host(folder, [("valid", 0, token), ("refused", 1, forged), ("both", 1, token + forged)]) + [
        Task("verify", verify, 0, token),
        Task("verify refuses", verify, 1, forged),
        Task("verify without keys", ["verify", "--keys", str(folder / "none"), "x.y.z"], 2),
        Task("batch", [*verify, "--batch", "-", "--jobs", "4", "--quiet"], 1, token + forged),
        Task("inspect", ["inspect", "--at", "1700000000"], 0, token),
        Task("keys", ["keys", str(keys)], 0),
        Task("keys over HTTP", ["keys", serve(folder) + "/keys.json"], 0),
        Task("conformance", ["conformance", "vectors/claims.json"] if (ROOT / "vectors/claims.json").exists() else
             ["conformance", str(sorted((ROOT / "vectors").glob("*.json"))[0])], 0),
        Task("config check", ["config", "check", str(folder / "gateway.yaml")], 0),
        Task("client list", ["idaas", "client", "list", "--dev", "--db", str(folder / "none.sqlite")], 2),
    ]


def c_host(folder, tokens):
    """The example of the C interface; none if the C interface is not built."""
    library, program = ROOT / ".build-lib/assay", folder / "verify"
    if not (library / "libassay.so").exists():
        return []
    subprocess.run(["cc", "-Wall", "-Werror", "-I", ROOT / "include", "-o", program, ROOT / "Examples/C/verify.c", "-L", library, "-lassay",
                    f"-Wl,-rpath,{library}"], check=True)
    arguments = [str(folder / "keys.json"), "https://idp.example", "web", "1700000000"]
    return [Task(f"C host, {name}", arguments, code, token, str(program)) for name, code, token in tokens]


def servers(folder):
    return [
        ("serve", [ASSAY, "serve", "--config", str(folder / "gateway.yaml")]),
        ("idaas serve", [ASSAY, "idaas", "serve", "--dev", "--listen", "127.0.0.1:0", "--db"]),
    ]


# Surroundings in which the result is the same

WITHOUT_PROC = ["unshare", "--map-root-user", "--mount", "sh", "-c", 'mount -t tmpfs none /proc && exec "$@"', "sh"]


def faketime():
    listed = subprocess.run(["dpkg", "-L", "libfaketime"], capture_output=True, text=True).stdout.split()
    return next((path for path in listed if path.endswith("libfaketime.so.1")), None)


def same():
    """Name, words before the command, and variables."""
    if library := faketime():
        yield "a false clock", [], {"LD_PRELOAD": library, "FAKETIME": "@2001-01-01 00:00:00"}
    yield "a Turkish locale", [], {"LC_ALL": "tr_TR.UTF-8", "LANG": "tr_TR.UTF-8"}
    yield "no such locale", [], {"LC_ALL": "xx_YY.nothing", "LC_TIME": "??"}
    yield "another time zone", [], {"TZ": "Asia/Kathmandu"}
    yield "no such time zone", [], {"TZ": ":/nonexistent"}
    yield "an empty environment", ["env", "-i"], {}
    yield "a mistyped colour", [], {"NO_COLOR": "", "TERM": "no-such-terminal", "COLORTERM": "??"}
    yield "a mistyped state folder", [], {"XDG_STATE_HOME": "relative/../x", "HOME": ""}
    yield "sockets of nobody", [], {"LISTEN_FDS": "three", "LISTEN_PID": "one", "LISTEN_FDNAMES": ":::"}
    dead = "http://127.0.0.1:1"
    yield "proxies of the environment", [], {name: dead for name in ("http_proxy", "https_proxy", "ALL_PROXY", "HTTPS_PROXY")}
    yield "a log of session keys", [], {"SSLKEYLOGFILE": "/nonexistent/keys"}
    yield "a mistyped notification", [], {"NOTIFY_SOCKET": "no such socket"}


def is_same(task, prefix, environment):
    outcome = run([*prefix, *task.command], environment, task.given)
    assert outcome is not None, "does not end"
    assert outcome == task.whole, f"{outcome}, and in whole surroundings {task.whole}"


# Surroundings in which it is an error of its own

NO_PROVIDER = "openssl_conf=i\n[i]\nproviders=p\n[p]\nnowhere=d\nnull=d\n[d]\nactivate=1\n"
NO_FIPS = "openssl_conf=i\n[i]\nproviders=p\nalg_section=a\n[p]\ndefault=d\n[d]\nactivate=1\n[a]\ndefault_properties=fips=yes\n"


def errors(folder):
    """Name, variables, code, a word of the sentence, and the names of the tasks that do not notice."""
    for name, text in (("no provider", NO_PROVIDER), ("no FIPS provider", NO_FIPS)):
        file = folder / (name.replace(" ", "-") + ".cnf")
        file.write_text(text)
        yield name, {"OPENSSL_CONF": str(file)}, 3, b"libcrypto", {"inspect"}
    for word in ("openssI", "IFMA", " tables"):
        yield f"ASSAY_ENGINE={word!r}", {"ASSAY_ENGINE": word}, 2, b"ASSAY_ENGINE", set()


def is_error(task, environment, code, word, unaffected):
    if task.name in unaffected:
        return is_same(task, [], environment)
    outcome = run(task.command, environment, task.given)
    assert outcome is not None, "does not end"
    if not task.is_host:
        assert outcome.code == code and word in outcome.errors and not outcome.output, outcome
    elif "ASSAY_ENGINE" in environment:
        # The library verifies with libcrypto's arithmetic, and says so.
        assert outcome == task.whole and word in outcome.errors, outcome
    else:
        lines = outcome.output.splitlines()
        assert outcome.code == 1 and lines and set(lines) == {b"keys_unavailable: reply 503"}, outcome


# Missing resources

def limits():
    for number in (3, 4, 5, 6, 8, 10, 12, 16, 24):
        yield f"{number} descriptors", ["prlimit", f"--nofile={number}"]
    for mebibytes in (100, 120, 140, 160, 180, 200, 240, 280, 300, 320, 350, 380, 400, 500, 700):
        yield f"{mebibytes} MB", ["prlimit", f"--as={mebibytes << 20}"]
    if os.geteuid() == 0:
        for number in (1, 2, 4, 5, 8, 16):
            # Root is exempt from the limit of processes.
            yield f"{number} threads", ["setpriv", "--reuid=65534", "--clear-groups", "prlimit", f"--nproc={number}"]


def is_told(task, prefix):
    outcome = run([*prefix, *task.command], {}, task.given)
    assert outcome is not None, "does not end"
    if outcome.code == task.code:
        assert outcome == task.whole, outcome
    else:
        # A file that cannot be opened is 2.
        assert outcome.code in (RESOURCE, LOADER, 2) and outcome.errors, outcome
        assert outcome.code != RESOURCE or b"this program needs" in outcome.errors, outcome


def lacks_proc(task):
    """Dispatch ends a process by a signal where it cannot look at its threads, in one of fifty short runs. So no program of ours begins there.
    The C interface does without it."""
    if task.is_host:
        return is_same(task, WITHOUT_PROC, {})
    outcome = run([*WITHOUT_PROC, *task.command], {}, task.given)
    assert outcome is not None and outcome.code == RESOURCE and b"this program needs /proc" in outcome.errors, outcome


def server_is_told(name, command, prefix, folder):
    """A server listens, or ends with a sentence."""
    if command[-1] == "--db":
        command = [*command, str(pathlib.Path(tempfile.mkdtemp(dir=folder)) / "idaas.sqlite")]
    with subprocess.Popen([*prefix, *command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          env=PLAIN, cwd=ROOT, start_new_session=True) as process:
        alarm = subprocess.Popen(["sleep", str(TIME)], start_new_session=True)
        try:
            line = process.stdout.readline()
            if line.startswith(b"ready"):
                process.send_signal(signal.SIGTERM)
            _, said = process.communicate(timeout=TIME)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            raise AssertionError("does not end") from None
        finally:
            alarm.kill()
            alarm.wait()
    if line.startswith(b"ready"):
        assert process.returncode == 0, (process.returncode, said[-300:])
    else:
        assert process.returncode in (RESOURCE, LOADER, 2, 3, 4) and said, (process.returncode, said[-300:])


# Standard streams

def streams_are_told(task):
    for redirection in (">/dev/full", ">&-", "<&-", "2>&-", "2>/dev/full"):
        outcome = run(["sh", "-c", f'exec "$@" {redirection}', "sh", *task.command], {}, task.given)
        assert outcome is not None, f"{redirection}: does not end"
        if redirection.startswith(">") and task.whole.output or redirection == "<&-" and task.given:
            assert outcome.code == 2, (redirection, outcome)
        else:
            assert outcome.code == task.code, (redirection, outcome)


WITHOUT_DEV = ["unshare", "--map-root-user", "--mount", "sh", "-c", 'mount -t tmpfs none /dev && exec "$@"', "sh"]


def lacks_null(task):
    """A file of the user must not get the number of standard output."""
    closed = ["sh", "-c", 'exec "$@" >&-', "sh", *task.command]
    outcome = run([*WITHOUT_DEV, *closed], {}, task.given)
    assert outcome is not None and not outcome.output, outcome
    if not task.is_host:
        assert outcome.code == RESOURCE and b"this program needs /dev/null" in outcome.errors, outcome


def checks(folder):
    """Name, function and arguments of each check."""
    asked = tasks(folder)
    for task in asked:
        task.learn()
        for name, prefix, environment in same():
            yield f"{task.name}, {name}", is_same, (task, prefix, environment)
        for name, environment, code, word, unaffected in errors(folder):
            yield f"{task.name}, {name}", is_error, (task, environment, code, word, unaffected)
        for name, prefix in limits():
            yield f"{task.name}, {name}", is_told, (task, prefix)
        yield f"{task.name}, no /proc", lacks_proc, (task,)
        yield f"{task.name}, no /dev and no standard output", lacks_null, (task,)
        yield f"{task.name}, standard streams", streams_are_told, (task,)
    for server, command in servers(folder):
        for name, prefix in limits():
            if "threads" not in name:
                yield f"{server}, {name}", server_is_told, (server, command, prefix, folder)


def judged(check):
    name, function, arguments = check
    try:
        function(*arguments)
    except AssertionError as failure:
        return f"FAIL {name}: {failure}"
    return None


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(prefix="assay-surroundings-") as folder:
        os.chmod(folder, 0o755)
        skipped = 0
        all_checks = list(checks(pathlib.Path(folder)))
        if run([*WITHOUT_PROC, "true"]).code != 0:
            in_namespace = (lacks_proc, lacks_null)
            skipped = sum(check[1] in in_namespace for check in all_checks)
            all_checks = [check for check in all_checks if check[1] not in in_namespace]
            print("no /proc, no /dev skipped: the system allows no mount namespace")
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            failures = [failure for failure in pool.map(judged, all_checks) if failure]
    print("\n".join(failures))
    print(f"{len(all_checks) - len(failures)} passed, {len(failures)} failed, {skipped} skipped")
    sys.exit(bool(failures))

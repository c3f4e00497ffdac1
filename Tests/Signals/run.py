"""Users log in at the identity server, use their id_token at seven gateways, and log out: each gateway must refuse the token from then on.

Last, an application with many sessions is removed, and each gateway that learns by events must have them all.

Usage: run.py FOLDER URL ISSUER USERS SESSIONS. Prints a line for each gateway with how long it took, then `N passed, N failed, 0 skipped`.
"""
import json
import os
import pathlib
import re
import secrets
import sqlite3
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request

import login
import settings
from document import Device, Service
from program import Program, accepts, eventually, free_port

folder, url, issuer = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3]
users, sessions = int(sys.argv[4]), int(sys.argv[5])
development = os.environ["ASSAY_DEV_TOKEN"]
root = pathlib.Path(__file__).parents[2]
assay = root / ".build/release/assay"

# How long a revocation may take at most, in seconds: by an event, and by the next list. A busy machine may be much slower than a second.
BY_EVENT, BY_LIST = 20, 60
# So many refusals one after the other are of all workers.
ROW = 24
# How much memory many revocations may cost, in MiB.
MEMORY = 64


class Gateway:
    """A gateway with its ports and its folder."""

    all = []

    def __init__(self, name, by_event=True, fields=()):
        self.name, self.by_event, self.fields = name, by_event, dict(fields)
        self.ports = {kind: free_port() for kind in ("edge", "administration", "signals", "upstream")}
        self.folder = folder / name
        self.folder.mkdir()
        self.path, self.times = "/orders", []

    def start(self, arguments, ports, **more):
        self.program = Program(arguments, self.folder / "log", ports=ports, **more)
        Gateway.all.append(self)

    def status(self, token):
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.ports['edge']}{self.path}", headers={"Authorization": f"Bearer {token}", **self.fields})
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return answer.status
        except urllib.error.HTTPError as failure:
            return failure.code


def service(name, stream=None, lists=False):
    """`assay serve`, asked as nginx asks it."""
    gateway = Gateway(name, not lists, {"X-Original-Method": "GET", "X-Original-URI": "/orders"})
    gateway.path = "/decide"
    file = gateway.folder / "gateway.yaml"
    file.write_text(settings.service(gateway.ports, issuer, gateway.folder, stream, lists))
    ports = [gateway.ports["edge"]] + ([gateway.ports["signals"]] if stream and "push" in stream else [])
    gateway.start([assay, "serve", "--config", file], ports)
    return gateway


def nginx(log=None):
    """nginx, which learns by a log of revocations, or by the status list alone."""
    gateway = Gateway("nginx-module" if log else "nginx-list", log is not None)
    file = gateway.folder / "nginx.conf"
    module = root / ".build-nginx/ngx_http_assay_module.so"
    file.write_text(settings.nginx(gateway.ports, issuer, gateway.folder, module, log))
    gateway.start(["/usr/sbin/nginx", "-c", file], [gateway.ports["edge"]])
    return gateway


def envoy(upstream, log=None):
    """Envoy, likewise."""
    gateway = Gateway("envoy-module" if log else "envoy-list", log is not None)
    gateway.ports["upstream"] = upstream
    file = gateway.folder / "envoy.json"
    file.write_text(settings.envoy(gateway.ports, issuer, int(url.rpartition(":")[2]), log))
    arguments = [os.environ["ENVOY"], "-c", file, "--concurrency", "1", "--base-id", gateway.ports["edge"], "-l", "warning"]
    gateway.start(arguments, [gateway.ports["edge"]], environment={"ENVOY_DYNAMIC_MODULES_SEARCH_PATH": str(folder)})
    return gateway


def administer(*options, secret=""):
    """Runs an administrator's command beside the identity server."""
    command = [assay, "idaas", *options, "--dev", "--db", folder / "idaas.sqlite"]
    return subprocess.run(command, input=secret + "\n", text=True, check=True, capture_output=True).stdout


def stream(*options, secret=""):
    """Adds a receiver at the identity server."""
    audience = ["--audience", "https://gateway.example", "--event", "sessions-revoked", "--json"]
    return json.loads(administer("stream", "add", *audience, *options, secret=secret))


def description(name, **more):
    return {"name": name, "issuer": issuer, "audience": "https://gateway.example", **more}


def secret_file(name, secret):
    path = folder / f"{name}.secret"
    path.write_text(secret)
    path.chmod(0o600)
    return str(path)


def pushed():
    secret = secrets.token_urlsafe(24)
    gateway = service("service-push", description("push", push={"path": "/signals/idp", "secretFile": secret_file("push", secret)}))
    stream("--name", "Push", "--push", f"http://127.0.0.1:{gateway.ports['signals']}/signals/idp", secret=secret)
    return gateway


def polled():
    row = stream("--name", "Poll", "--poll")[0]
    place = {"url": f"{url}/signals/{row['id']}/poll", "secretFile": secret_file("poll", row["secret"])}
    return service("service-poll", description("poll", poll=place))


def measure(gateway, token, started):
    """Until each process of the gateway refuses: workers learn one after the other, and a request goes to any of them."""
    limit = BY_EVENT if gateway.by_event else BY_LIST
    refusals, since = 0, 0
    while refusals < ROW:
        refusals = 0 if gateway.status(token) == 200 else refusals + 1
        since = time.monotonic() - started if refusals < 2 else since
        if since > limit:
            return
    gateway.times.append(since)


def log_in(client, number):
    """A device with its session, and the id_token."""
    device = Device(Service(url), login.device_fields(client))
    answer = login.log_in(device, development, f"+86-139{number:08}")
    return device, answer["id_token"], answer["session_token"]


def log_in_and_out(gateways, number):
    device, token, session_token = log_in("demo", number)
    for gateway in gateways:
        eventually(lambda: gateway.status(token) == 200, 60, f"an admission by {gateway.name}")
    started = time.monotonic()
    status, _ = device.call("logout", {}, credential=("sessionToken", session_token))
    assert status == 200
    threads = [threading.Thread(target=measure, args=(gateway, token, started)) for gateway in gateways]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return token


def started():
    push = pushed()
    log = push.folder / "revocations.log"
    eventually(log.exists, 60, "a log of revocations")
    inside = nginx(log)
    upstream = inside.ports["upstream"]
    return [push, polled(), inside, envoy(upstream, log), service("service-list", lists=True), nginx(), envoy(upstream)]


def judged(gateway, tokens):
    """Whether the gateway refused each token in time, and still does."""
    holds = len(gateway.times) == users and not any(gateway.status(token) == 200 for token in tokens)
    times = ", ".join(f"{1000 * seconds:.0f}" for seconds in sorted(gateway.times))
    print(f"{gateway.name}: {'refuses' if holds else 'DOES NOT REFUSE'} a token after {times} ms")
    return holds


def seed(client):
    """Gives an application sessions that nobody has begun: copies of one that there is. Their ids stand before all that the server makes."""
    database = sqlite3.connect(folder / "idaas.sqlite", timeout=60)
    cursor = database.execute("SELECT * FROM sessions LIMIT 1")
    names, row = [column[0] for column in cursor.description], cursor.fetchone()
    other = {**dict(zip(names, row)), "client": client, "ended": None, "status_list": None, "status_place": None}
    rows = ([*{**other, "id": f"!mass{number:017}"}.values()] for number in range(sessions))
    with database:
        database.executemany(f"INSERT INTO sessions ({', '.join(names)}) VALUES ({', '.join('?' * len(names))})", rows)
    database.close()


def revocations(gateway):
    text = urllib.request.urlopen(f"http://127.0.0.1:{gateway.ports['administration']}/metrics", timeout=60).read().decode()
    return int(float(re.search(r"^assay_gateway_signals_revocations (\S+)$", text, re.MULTILINE)[1]))


def judging(gateway):
    """The processes of a gateway that judge: nginx has workers."""
    process = gateway.program.process.pid
    children = pathlib.Path(f"/proc/{process}/task/{process}/children").read_text().split()
    return [child for child in children if b"worker process" in pathlib.Path(f"/proc/{child}/cmdline").read_bytes()] or [str(process)]


def memory(gateway):
    """The resident memory of each process of a gateway that judges, in MiB."""
    texts = {process: pathlib.Path(f"/proc/{process}/status").read_text() for process in judging(gateway)}
    return {process: int(re.search(r"^VmRSS:\s+(\d+) kB$", text, re.MULTILINE)[1]) / 1024 for process, text in texts.items()}


def await_all(gateway, expected, token, started, times):
    """Notes when a gateway has all revocations: a service counts them, and a module refuses the token of the last session. Notes when the first
    service has some."""
    has_all = False
    while not has_all:
        count = revocations(gateway) if expected else None
        has_all = count >= expected if expected else gateway.status(token) == 401
        now = time.monotonic() - started
        if expected and count >= expected - sessions:
            times.setdefault("first", now)
        if now > 60:
            return
        time.sleep(0.01)
    times[gateway.name] = now


def removes_an_application(gateways):
    """Whether the gateways learn of all sessions of an application that is removed, at a cost that is bounded."""
    administer("client", "add", "--name", "Mass", "--id", "mass")
    # One session more, whose token a gateway can be asked about. The sessions are told of in the order of their ids: it is the last one.
    token = log_in("mass", users)[1]
    seed("mass")
    told = [gateway for gateway in gateways if gateway.by_event]
    for gateway in told:
        eventually(lambda: gateway.status(token) == 200, 60, f"an admission by {gateway.name}")
    before = {gateway.name: memory(gateway) for gateway in told}
    counts = {gateway.name: revocations(gateway) + sessions + 1 for gateway in told if gateway.name.startswith("service")}
    administer("client", "remove", "mass")
    started, times = time.monotonic(), {}
    threads = [
        threading.Thread(target=await_all, args=(gateway, counts.get(gateway.name), token, started, times)) for gateway in told]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return [pays_little(gateway, times, before[gateway.name]) for gateway in told]


def pays_little(gateway, times, before):
    """Whether a gateway knows of all, and no process of it needs too much memory for them."""
    after, taken, first = memory(gateway), times.get(gateway.name), times.get("first", 0)
    cost = max(after[process] - before[process] for process in before)
    holds = taken is not None and cost <= MEMORY
    when = f"{taken:.1f} s after the command, {taken - first:.1f} s after the first" if taken else "not within a minute"
    print(f"{gateway.name}: {'knows' if holds else 'DOES NOT KNOW, OR PAYS TOO MUCH'}: {sessions} sessions {when}, {cost:.0f} MiB more")
    return holds


def run():
    gateways = started()
    tokens = [log_in_and_out(gateways, number) for number in range(users)]
    facts = [judged(gateway, tokens) for gateway in gateways]
    facts += removes_an_application(gateways)
    push = gateways[0]
    push.program.stop()
    push.program.start()
    eventually(lambda: push.status(tokens[0]) != 503, 60, "keys after the restart")
    facts.append(all(push.status(token) == 401 for token in tokens))
    print(f"after a restart: {'refused' if facts[-1] else 'NOT REFUSED'}")
    print(f"{sum(facts)} passed, {len(facts) - sum(facts)} failed, 0 skipped")
    return all(facts)


if __name__ == "__main__":
    try:
        sys.exit(0 if run() else 1)
    finally:
        for gateway in Gateway.all:
            gateway.program.stop()

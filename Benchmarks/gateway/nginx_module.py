"""Measures what the module of integrations/nginx adds to nginx: processor time of the worker for each request, and latency.

Usage: nginx_module.py [ROUNDS [SECONDS]]. One worker serves a file of a kilobyte; wrk asks over 16 connections. The rows take turns, and
each figure is the median of the rounds. Needs what Tests/Gateways/run_nginx_module.py needs, and wrk.
"""
import json
import pathlib
import statistics
import subprocess
import sys
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "Tests/Gateways"))

from nginx_module import NginxLab  # noqa: E402
from nginx_processes import Nginx  # noqa: E402

TOKENS = 1_000
SERVER = """
    keepalive_requests 1000000000;
    large_client_header_buffers 4 16k;
    %s
    server { listen 127.0.0.1:PORT; root FOLDER; }
"""
ON = "assay on; assay_issuer ISSUER; assay_audiences client-1; assay_keys_file FOLDER/../jwks; assay_header X-User sub; %s"


def without_module(nginx):
    lines = nginx.configuration.read_text().splitlines(keepends=True)
    nginx.configuration.write_text("".join(line for line in lines if not line.strip().startswith(("load_module", "assay"))))
    return nginx


def prepare(lab):
    """Rows of a name, an nginx and a file of tokens."""
    files = {}
    for algorithm in ("RS256", "ES256"):
        lab.provider.ask("rotate")
        tokens = [lab.provider.token(jti=f"{number:08}", email="jane@example.com", scope="read write") for number in range(TOKENS)]
        files[algorithm] = lab.folder / algorithm
        files[algorithm].write_text("".join(token + "\n" for token in tokens))
        files[f"{algorithm}-one"] = lab.folder / f"{algorithm}-one"
        files[f"{algorithm}-one"].write_text(tokens[0] + "\n")
    (lab.folder / "jwks").write_bytes(urllib.request.urlopen(lab.provider.issuer + "/jwks").read())
    servers = {
        "bare": without_module(Nginx(lab, "bare", SERVER % "")), "off": Nginx(lab, "off", SERVER % ""),
        "on": Nginx(lab, "on", SERVER % ON % ""), "cache": Nginx(lab, "cache", SERVER % ON % "assay_token_cache 16m;"),
    }
    for server in servers.values():
        (server.folder / "file").write_text("x" * 1_024)
        lab.started(server.start())
    return [
        ("nginx without the module", servers["bare"], files["RS256"]), ("module, assay off", servers["off"], files["RS256"]),
        *((f"module, {algorithm}, {TOKENS} tokens", servers["on"], files[algorithm]) for algorithm in ("RS256", "ES256")),
        *((f"module, {algorithm}, {TOKENS} tokens, cache", servers["cache"], files[algorithm]) for algorithm in ("RS256", "ES256")),
        ("module, RS256, one token, cache", servers["cache"], files["RS256-one"]),
    ]


def processor_time(nginx):
    """Nanoseconds that the worker and its threads have run."""
    total = 0
    for worker in nginx.workers():
        for task in pathlib.Path(f"/proc/{worker}/task").iterdir():
            total += int((task / "schedstat").read_text().split()[0])
    return total


def measure(nginx, tokens, seconds):
    script = pathlib.Path(__file__).with_name("tokens.lua")
    before = processor_time(nginx)
    command = ["wrk", "-t1", "-c16", f"-d{seconds}s", "--latency", "-s", script, f"http://127.0.0.1:{nginx.port}/file", "--", tokens]
    said = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=True).stdout
    result = json.loads(said.splitlines()[-1])
    assert result["answers"] and not result["wrong"] and not result["failed"], said
    result["processor_us"] = (processor_time(nginx) - before) / 1_000 / result["answers"]
    return result


def main(rounds, seconds):
    lab = NginxLab()
    try:
        rows = prepare(lab)
        results = {name: [] for name, _, _ in rows}
        for _ in range(rounds):
            for name, nginx, tokens in rows:
                results[name].append(measure(nginx, tokens, seconds))
    finally:
        lab.stop()
    base = statistics.median(one["processor_us"] for one in results[rows[0][0]])
    print(f"{'row':38}{'requests/s':>12}{'p50 µs':>9}{'p99 µs':>9}{'CPU µs':>9}{'added':>9}{'ratio':>8}")
    for name, found in results.items():
        middle = {key: statistics.median(one[key] for one in found) for key in ("per_second", "processor_us")}
        p50, p99 = (statistics.median(one["latency_us"][key] for one in found) for key in ("p50", "p99"))
        cost = middle["processor_us"]
        print(f"{name:38}{middle['per_second']:12.0f}{p50:9.0f}{p99:9.0f}{cost:9.2f}{cost - base:9.2f}{cost / base:8.2f}")


if __name__ == "__main__":
    main(*(int(word) for word in (sys.argv[1:] + ["9", "2"][len(sys.argv) - 1:])))

"""Looks at the gateway's status page with headless Chromium: status.py ASSAY ARTEFACTS. Starts a gateway with keys from a file, whose status
lists are nowhere to be fetched, and that receives events."""
import json
import pathlib
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request

import facts
from browser import Browser
from facts import fact

assay, artefacts = sys.argv[1:3]
work = tempfile.TemporaryDirectory()
folder = pathlib.Path(work.name)
LIST = "https://idp.invalid/status-lists/1"

SETTINGS = """
listeners:
  - {name: edge, profile: nginx, tcp: "127.0.0.1:0"}
administration: {tcp: "127.0.0.1:0"}
providers:
  - {name: idp, issuer: "https://idp.invalid", audiences: [api], keys: {file: test.jwks}, statusLists: {}}
signals:
  tcp: "127.0.0.1:0"
  log: revocations.log
  streams:
    - {name: events, issuer: "https://idp.invalid", audience: "https://gateway.example", keys: {file: test.jwks}, push: {path: /events}}
policies:
  - {name: api, requires: idp}
  - {name: open, requires: nothing}
routes:
  - {exact: /health, policy: open}
  - {path: /, policy: api}
"""


def started():
    """The service, and the addresses of its two listeners."""
    with open(folder / "test.jwks", "w") as keys:
        subprocess.run([assay, "keys", "new", "--algorithm", "ES256", str(folder / "test.jwk")], stdout=keys, check=True)
    (folder / "gateway.yaml").write_text(SETTINGS)
    service = subprocess.Popen(
        [assay, "serve", "--config", str(folder / "gateway.yaml")], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    places = {}
    while len(places) < 2:
        line = service.stdout.readline().split()
        assert line, "the service ended"
        places[line[1]] = "http://" + line[2]
    return service, places["edge"], places["administration"]


def token():
    """A token that names a place in a status list."""
    claims = {"iss": "https://idp.invalid", "aud": "api", "sub": "jane", "status": {"status_list": {"idx": 1, "uri": LIST}}}
    command = [assay, "sign", "--key", str(folder / "test.jwk"), "--lifetime", "600", json.dumps(claims)]
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True).stdout.strip()


def ask(edge, path, **fields):
    request = urllib.request.Request(edge, headers={"X-Original-URI": path, "X-Original-Method": "GET", **fields})
    try:
        return urllib.request.urlopen(request, timeout=60).status
    except urllib.error.HTTPError as refusal:
        return refusal.code


def looked_at(administration, name, width, dark):
    with Browser(artefacts, width=width) as page:
        page.driver.execute_cdp_cmd(
            "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]}
        )
        page.open(administration + "/")
        page.until(lambda page: page.text("state") == "ready", what="readiness")
        page.until(lambda page: page.text("legend"), what="the end of a step of ten seconds")
        page.picture(f"status-{name}")
        fact(f"{name}: an issuer with its key", "fresh" in page.text("issuers") and "thumbprint" in page.text("issuers"))
        fact(f"{name}: refusals by code", "missing_token" in page.text("decisions"))
        fact(f"{name}: the listener with its answers", "401: " in page.text("listeners"))
        fact(f"{name}: verdicts over time", page.evaluate("return document.querySelectorAll('#chart rect').length >= 2"))
        fact(f"{name}: latency over time", page.evaluate("return document.querySelectorAll('#latency path').length == 2"))
        fact(f"{name}: a status list that cannot be fetched", LIST in page.text("lists") and "never fetched" in page.text("lists"))
        fact(f"{name}: what lists said", page.text("findings").split()[:3] == ["idp", "unknown_list", "refused"])
        fact(f"{name}: a stream of events", "events" in page.text("streams") and "push" in page.text("streams"))
        fact(f"{name}: the log of what events revoke", "is written" in page.text("signal-log"))
        fact(f"{name}: the routes in force", "/health" in page.text("routes"))
        fact(f"{name}: no sideways scrolling", page.evaluate("return document.documentElement.scrollWidth <= window.innerWidth"))
        ink, paper = page.evaluate("const s = getComputedStyle(document.body); return [s.color, s.backgroundColor].map(luminance);"
                                   "function luminance(c) { const [r, g, b] = c.match(/[0-9.]+/g).slice(0, 3).map((v) => (v /= 255) <= 0.04045"
                                   " ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4); return 0.2126 * r + 0.7152 * g + 0.0722 * b; }")
        contrast = (max(ink, paper) + 0.05) / (min(ink, paper) + 0.05)
        fact(f"{name}: contrast {contrast:.1f}", contrast >= 7 and (paper < ink) == dark)
        fact(f"{name}: silent console {page.console()}", not page.console())


def refreshes(service, edge, administration):
    with Browser(artefacts) as page:
        page.open(administration + "/")
        page.until(lambda page: page.text("state") == "ready")
        before = page.text("decisions")
        ask(edge, "/other")
        page.until(lambda page: page.text("decisions") != before, what="new figures")
        (folder / "gateway.yaml").write_text("listeners: [")
        page.until(lambda page: "old one is in force" in page.text("alert"), what="the fault of the file")
        service.terminate()
        service.wait(30)
        page.until(lambda page: page.text("state") == "no answer", what="the end of the service")


def main():
    service, edge, administration = started()
    try:
        fact("an open route", ask(edge, "/health") == 200)
        fact("a closed route", ask(edge, "/orders") == 401)
        # 503, which nginx cannot pass on.
        fact("a token whose list is absent", ask(edge, "/orders", Authorization="Bearer " + token()) == 403)
        for name, width, dark in (("light", 1100, False), ("dark", 1100, True), ("narrow", 340, False)):
            looked_at(administration, name, width, dark)
        refreshes(service, edge, administration)
    finally:
        service.kill()


facts.closing(main)

"""Logs in at an application behind mod_auth_openidc, as a browser does, and attacks the redirects between it and the reference IDaaS.

Usage: walk.py APPLICATION_URL IDAAS_URL ISSUER PASSWORD
"""
import http.client
import json
import pathlib
import re
import sys
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent.parent / "Browser"))
import facts  # noqa: E402
from facts import fact  # noqa: E402

application, base, issuer, password = sys.argv[1:5]
PRIVATE = f"{application}/private.html"


class Answer:
    def __init__(self, response):
        self.status, self.headers, self.body = response.status, response.headers, response.read().decode()

    @property
    def location(self):
        return self.headers.get("Location", "")


class Browser:
    """Keeps cookies by host, as browsers do, and follows no redirect by itself."""

    def __init__(self):
        self.cookies = {}

    def request(self, method, address, body=None, fields=None):
        url = urllib.parse.urlsplit(address)
        connection = http.client.HTTPConnection(url.hostname, url.port, timeout=30)
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        connection.request(
            method, url._replace(scheme="", netloc="").geturl(), None if body is None else json.dumps(body),
            {"Accept": "text/html", **({"Cookie": cookies} if cookies else {}), **(fields or {})})
        answer = Answer(connection.getresponse())
        connection.close()
        for cookie in answer.headers.get_all("Set-Cookie") or []:
            name, _, value = cookie.partition(";")[0].strip().partition("=")
            if value:
                self.cookies[name] = value
            else:
                self.cookies.pop(name, None)
        return answer

    def get(self, address):
        return self.request("GET", address)

    def call(self, path, body, **fields):
        """What the login page's script sends."""
        answer = self.request("POST", base + path, body, {
            "X-client-id": "shop", "X-agent": "browser", "X-operating-sys-version": "Browser", "Content-Type": "application/json",
            "Sec-Fetch-Site": "same-origin", **fields})
        fact(f"{path}: {answer.status} {answer.body}", answer.status == 200)
        return json.loads(answer.body)


def begun(person):
    """The authorization request to which the application sends a browser."""
    answer = person.get(PRIVATE)
    fact(f"a stranger is sent to the IDaaS: {answer.status} {answer.location}", answer.status == 302)
    address, _, query = answer.location.partition("?")
    fact("to its authorization endpoint", address == f"{issuer}/authorize")
    return answer.location, dict(urllib.parse.parse_qsl(query))


def callback(person):
    """The redirect back to the application, after a login on the page."""
    address, asked = begun(person)
    fact("with PKCE", asked["code_challenge_method"] == "S256" and len(asked["code_challenge"]) == 43)
    fact("with a state and a nonce", asked["state"] and asked["nonce"])
    login = person.get(address)
    fact(f"the IDaaS shows its page: {login.status}", login.status == 303 and login.location.startswith("/login?"))
    fact("the page is there", person.get(base + login.location).status == 200)
    request = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(login.location).query))["request"]
    session = person.call("/api/v2/sdk/login", {"user_name": "jane", "password": password})["session_token"]
    end = person.call("/api/v1/oauth2/authorize/complete", {"request": request}, **{"session-token": session})["redirect_uri"]
    members = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(end).query))
    fact("the redirect has code, state and issuer", end.startswith(f"{application}/callback?") and members["state"] == asked["state"]
         and members["iss"] == issuer and members["code"])
    return members, asked


def returned(person, members):
    """The answer of the application to a redirect back."""
    return person.get(f"{application}/callback?{urllib.parse.urlencode(members)}")


def refused(person, members, why, by_idaas=False):
    """The module answers with 400, or with 200 and a page that says "Error"."""
    before = refused_codes()
    answer = returned(person, members)
    fact(f"{why} is refused: {answer.status} {answer.location} {answer.body}", not answer.location and (answer.status == 400 or "Error" in answer.body))
    fact(f"{why} opens nothing", person.get(PRIVATE).status == 302)
    fact(f"{why}: refused codes", refused_codes() - before == (1 if by_idaas else 0))


def refused_codes():
    """How many codes the IDaaS has refused, by its own metrics."""
    metric = re.compile(r'^idaas_steps_total\{(?=[^}]*step="authorization\.code")(?![^}]*outcome="ok")[^}]*\} ([0-9.]+)$', re.MULTILINE)
    return sum(float(count) for count in metric.findall(Browser().get(f"{base}/metrics").body))


def logged_in():
    person = Browser()
    members, asked = callback(person)
    answer = returned(person, members)
    fact(f"the application takes the code: {answer.status} {answer.body}", answer.status == 302 and answer.location == PRIVATE)
    page = person.get(PRIVATE)
    fact("the page of the application is open", page.status == 200 and page.body.strip() == "the application")
    expected = {
        "Issuer": issuer, "Audience": "shop", "Nonce": asked["nonce"], "Methods": "pwd", "Mobile": "+86-13912340001",
        "Context": "http://idmanagement.gov/ns/assurance/aal/1", "Phone": "+8613912340001", "Name": "Jane",
    }
    for name, value in expected.items():
        claim = page.headers.get(f"X-{name}")
        fact(f"{name} is {value}: {claim}", claim == value)
    fact("the application knows the user", page.headers["X-User"] == page.headers["X-Subject"] != "")
    refused(Browser(), members, "the redirect in another browser")
    return person


def logged_out(person):
    answer = person.get(f"{application}/callback?{urllib.parse.urlencode({'logout': application + '/goodbye.html'})}")
    fact(f"the application ends the session of the IDaaS: {answer.status} {answer.location}",
         answer.status == 302 and answer.location.startswith(f"{base}/"))
    end = person.get(answer.location)
    fact(f"which sends the browser back: {end.status} {end.location}", end.status == 303 and end.location.startswith(f"{application}/goodbye.html"))
    fact("goodbye is said", person.get(end.location).body.strip() == "goodbye")
    fact("the application has no session", person.get(PRIVATE).status == 302)


def attacked():
    person = Browser()
    members, _ = callback(person)
    flipped = "A" if members["state"][-1] != "A" else "B"
    refused(person, {**members, "state": members["state"][:-1] + flipped}, "another state")
    person = Browser()
    members, _ = callback(person)
    refused(person, {**members, "code": members["code"][::-1]}, "a made-up code", by_idaas=True)
    person = Browser()
    members, _ = callback(person)
    refused(person, {**members, "iss": "https://evil.example/api/v1/oauth2"}, "another provider's answer")
    # A code that the attacker got in the attacker's own browser, put into the victim's redirect.
    stolen, _ = callback(Browser())
    victim = Browser()
    members, _ = callback(victim)
    refused(victim, {**members, "code": stolen["code"]}, "an injected code", by_idaas=True)


def main():
    logged_out(logged_in())
    attacked()


facts.closing(main)

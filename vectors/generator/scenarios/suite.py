"""Scenarios and their file."""

from ..encoding import dump
from ..keys import ed_key
from ..suite import GeneratorError, SEVERITIES, lines, written

ISSUER = "https://idp.example"
KEYS, MOVED = f"{ISSUER}/keys", f"{ISSUER}/new-keys"
OPENID, OAUTH = f"{ISSUER}/.well-known/openid-configuration", f"{ISSUER}/.well-known/oauth-authorization-server"
POLICY = {"default_lifetime": 300, "lifetime": [60, 3600], "refresh_fraction": 0.8, "refresh_jitter": 0, "stale_if_error": 3600,
          "backoff": [30, 30], "longest_retry_after": 300, "attempt_limit": 10, "probe_limit": 2, "probe_window": 10,
          "negative_lifetime": 10, "maximum_churn": None, "held_recheck": 60, "empty_set": "failure"}
ANSWERS = ("key", "unknown_key", "keys_unavailable")


def published(*names):
    """A set of the keys with these names; `a2` is other material under the name a."""
    return dump({"keys": [{**ed_key(f"cache-{name}").jwk(), "kid": name[0]} for name in names]}).decode()


def metadata(issuer=ISSUER, keys=KEYS):
    return dump({"issuer": issuer, "jwks_uri": keys}).decode()


DOCUMENTS = {
    **{"-".join(names): published(*names) for names in (("a",), ("b",), ("c",), ("a", "b"), ("b", "a"), ("b", "c"), ("a2",), ("a", "b",
                                                                                                                              "c", "d"))},
    "none": '{"keys":[]}', "html": "<html>Maintenance</html>", "cut": published("a")[:-5], "error": '{"error":"temporarily_unavailable"}',
    "twice": published("a")[:-1] + ',"keys":[]}', "encryption": published("b").replace('"kid"', '"use":"enc","kid"'),
    "one-broken": published("b")[:-2] + ',{"kty":"EC","kid":"x"}]}', "empty": "",
    "metadata": metadata(), "metadata-moved": metadata(keys=MOVED), "metadata-of-other": metadata(f"{ISSUER}/"),
    "metadata-http": metadata(keys="http://idp.example/keys"), "metadata-no-keys": dump({"issuer": ISSUER}).decode(),
}


def ok(document, cache=None, *fields, after=0):
    """The answer 200 with a document; `cache` is the value of Cache-Control."""
    listed = [["Cache-Control", cache]] * (cache is not None) + [list(field) for field in fields]
    return {"status": 200, "fields": listed, "document": document, **({"after": after} if after else {})}


def status(code, *fields):
    return {"status": code, "fields": [list(field) for field in fields]}


def failure(reason, after=0):
    return {"failure": reason, **({"after": after} if after else {})}


class Scenario:
    """One course of events; the times are seconds since its start."""

    def __init__(self, identifier, why, source=None, **policy):
        self.identifier, self.why, self.policy, self.steps = identifier, why, {**POLICY, **policy}, []
        self.source = source or {"jwks": KEYS}

    def serve(self, at, answer=None, **answers):
        """What the issuer answers from now on: at the keys' address, or at named ones."""
        table = {"keys": KEYS, "moved": MOVED, "openid": OPENID, "oauth": OAUTH}
        served = {table[name]: value for name, value in answers.items()} | ({KEYS: answer} if answer else {})
        self.steps.append({"at": at, "serve": served})
        return self

    def ask(self, at, kid, answer, waited=None, **expected):
        """A token asks for a key; `waited` is what a cache says that waits for the fetch."""
        assert answer in ANSWERS and waited in (None, *ANSWERS)
        expect = {"answer": answer, **({"waited": waited} if waited else {}), **expected}
        self.steps.append({"at": at, "ask": kid, "expect": expect})
        return self

    def see(self, at, **expected):
        self.steps.append({"at": at, "expect": expected})
        return self

    def refresh(self, at):
        """The program asks for a fetch."""
        self.steps.append({"at": at, "refresh": True})
        return self


class ScenarioSuite:
    def __init__(self, name, description, reference, severity="should"):
        self.name, self.description, self.reference, self.severity = name, description, reference, severity
        self.cases = []

    @property
    def path(self):
        return f"cache/{self.name}.json"

    def add(self, scenario, reference=None, severity=None):
        self.cases.append({"id": scenario.identifier, "expect": "valid", "severity": severity or self.severity, "why": scenario.why,
                           "reference": reference or self.reference, "source": scenario.source, "policy": scenario.policy,
                           "steps": scenario.steps})

    def check(self):
        for case in self.cases:
            times = [step["at"] for step in case["steps"]]
            if times != sorted(times) or not any("expect" in step for step in case["steps"]):
                raise GeneratorError(f"{case['id']}: the steps are not in order, or expect nothing")
            if case["severity"] not in SEVERITIES or not case["why"].endswith("."):
                raise GeneratorError(f"{case['id']}: needs a severity and a sentence")

    def text(self):
        answers = [answer for case in self.cases for step in case["steps"] for answer in step.get("serve", {}).values()]
        used = {answer["document"] for answer in answers if "document" in answer}
        documents = {name: text for name, text in DOCUMENTS.items() if name in used}
        head = {"kind": "cache", "name": self.name, "description": self.description, "documents": documents}
        cases = [{name: value for name, value in case.items() if name != "expect"} for case in self.cases]
        return f'{written(head)[:-1]},\n"scenarios": {lines(cases)}}}\n'

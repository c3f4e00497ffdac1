"""Checks of the module's memory: requests of random pieces, in a host that moves every text whenever it may. Each is a function of the lab.

AddressSanitizer and UndefinedBehaviorSanitizer watch the module; libassay is as it is built for users.
"""
import copy
import json
import os
import pathlib
import random
import subprocess
import urllib.request

from envoy_module import LIBRARY
from envoy_settings_checks import REFUSED, changed

ROOT = pathlib.Path(__file__).parents[2]
# What Swift keeps until the end is no leak of the module.
LEAKS = "leak:libassay.so\nleak:libcrypto\n"


def built(lab):
    program = lab.folder / "host"
    if not program.exists():
        sources = [pathlib.Path(__file__).parent / "envoy_memory/host.c", *sorted((ROOT / "integrations/envoy").glob("*.c"))]
        subprocess.run(
            [os.environ.get("CC", "gcc"), "-std=gnu11", "-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all",
             "-DHOOK=", f"-I{ROOT}/include", "-o", program, *sources, f"-L{LIBRARY}", "-lassay", "-ljansson",
             f"-Wl,-rpath,{LIBRARY.resolve()}"], check=True)
        (lab.folder / "leaks").write_text(LEAKS)
    return program


def run(lab, settings, policies, tokens, seed, count):
    names = [lab.folder / name for name in ("host-settings", "host-routes", "host-tokens")]
    for name, text in zip(names, (json.dumps(settings), "\n".join(policies), "\n".join(tokens))):
        name.write_text(text)
    environment = {**os.environ, "LSAN_OPTIONS": f"suppressions={lab.folder / 'leaks'}:print_suppressions=0"}
    return subprocess.run(
        [built(lab), *names, str(seed), str(count)], capture_output=True, text=True, errors="replace", timeout=280, env=environment)


def settings_of(lab):
    """A configuration with every kind of place, requirement and output."""
    jwks = json.loads(urllib.request.urlopen(f"{lab.provider.issuer}/jwks", timeout=30).read())
    own = {"issuer": lab.provider.issuer, "audiences": ["client-1"], "keys": {"inline": jwks}}
    claims = [{"header": "x-sub", "claim": "sub"}, {"header": "x-all", "path": ["nested"]}, {"header": "x-list", "claim": "roles"}]
    places = [{"header": "x-token", "prefix": "Token "}, {"cookie": "session"}, {"query": "jwt"}]
    providers = [
        own | {"name": "idp", "claims": claims, "payloadHeader": "x-payload", "padPayload": True, "payloadMetadata": "payload",
               "headerMetadata": "header", "spaceDelimitedClaims": ["scope"]},
        own | {"name": "hidden", "tokenFrom": places, "forwardToken": False, "clearRouteCache": True},
        own | {"name": "other", "issuer": "https://other.example"},
    ]
    needs = {
        "open": "nothing", "idp": "idp", "hidden": "hidden", "any": {"any": ["hidden", "other", "idp"]}, "all": {"all": ["idp", "hidden"]},
        "missing": {"any": ["hidden", "allow-missing"]}, "failed": {"any": [{"all": ["hidden", "idp"]}, "allow-failed"]}}
    policies = [{"name": name, "requires": needed, "realm": "a"} for name, needed in needs.items()]
    policies += [
        {"name": "scoped", "requires": "idp", "scopes": ["read"], "resourceMetadata": "https://a.example"},
        {"name": "tried", "requires": "hidden", "mode": "dry-run"}]
    return {
        "providers": providers, "policies": policies, "policy": "idp", "timings": True, "allowPreflight": True,
        "fieldLimits": {"valueBytes": 200, "totalBytes": 600}, "tokenCache": {"megabytes": 1}}


def no_text_is_read_beyond_its_end_or_after_a_setter(lab, long):
    settings, make = settings_of(lab), lab.provider.token
    tokens = [
        make(), make(scope="read", nested={"a": [1, None, "\u00fc\0\r\n"]}, roles=["a,b", 2, True]), make(roles=[{"deep": []}], sub=" "),
        make(sub="n" * 300), make(aud="other"), make(exp=1), lab.forged(make()), "a.b.c", "..", "eyJ",
    ]
    seed = random.randrange(2**63)
    policies = [*(policy["name"] for policy in settings["policies"]), "unknown"]
    result = run(lab, settings, policies, tokens, seed, 500_000 if long else 30_000)
    assert result.returncode == 0, f"seed {seed}: {result.stdout}{result.stderr[-4000:]}"
    passed, refused = (int(word.split()[0]) for word in result.stdout.split(", ")[:2])
    assert passed > 1_000 and refused > 1_000, result.stdout
    return f"seed {seed}: {passed} passed, {refused} refused"


def refused_configurations_leave_nothing(lab, long):
    for place, value, message in REFUSED:
        result = run(lab, copy.deepcopy(changed(place, value)), [], [], 1, 0)
        assert result.returncode == 1 and "Sanitizer" not in result.stderr, (message, result.stderr)
        assert f"assay: {message}" in result.stderr, (message, result.stderr)


ALL = [no_text_is_read_beyond_its_end_or_after_a_setter, refused_configurations_leave_nothing]

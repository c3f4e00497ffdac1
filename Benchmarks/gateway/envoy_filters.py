"""Measures what a decision costs Envoy's threads: jwt_authn beside Assay's module, each with and without its cache of tokens.

    Benchmarks/gateway/envoy-filters.sh [--rounds N] [--seconds S] [--proxied] [--json FILE]

One Envoy with one worker has a listener for each row. wrk asks with 1,000 distinct tokens in turn, or always with the same one. A round
asks every row once, so that what else happens on the machine meets all rows alike. Printed are medians over the rounds: processor time of
all of Envoy's threads for each request (also the least of all rounds), and requests a second. With --proxied another Envoy is the
application.
"""
import argparse
import json
import pathlib
import statistics
import sys
import tempfile

ROOT = pathlib.Path(__file__).parents[2]
sys.path += [str(ROOT / "Tests/Gateways"), str(ROOT / "Benchmarks/peers/harness")]

import clients
import stock
from envoy_configuration import TYPES, cluster, configuration, listener, module_filter
from envoy_module import built
from envoy_program import EnvoyProgram
from exchange import ask, bearer
from processor import Watch
from program import free_port

MANY = 1_000


def jwt_authn(jwks, cached):
    provider = {
        "issuer": stock.ISSUER, "audiences": ["client-1"], "local_jwks": {"filename": str(jwks)}, "forward": True,
        "claim_to_headers": [{"header_name": "x-auth-subject", "claim_name": "sub"}]}
    if cached:
        provider["jwt_cache_config"] = {"jwt_cache_size": 2 * MANY}
    return {"name": "envoy.filters.http.jwt_authn", "typed_config": {
        "@type": f"{TYPES}.extensions.filters.http.jwt_authn.v3.JwtAuthentication", "providers": {"idp": provider},
        "rules": [{"match": {"prefix": "/"}, "requires": {"provider_name": "idp"}}]}}


def module(jwks, megabytes):
    provider = {
        "name": "idp", "issuer": stock.ISSUER, "audiences": ["client-1"], "keys": {"file": str(jwks)},
        "claims": [{"header": "x-auth-subject", "claim": "sub"}]}
    return module_filter({
        "providers": [provider], "policies": [{"name": "api", "requires": "idp"}], "policy": "api",
        "tokenCache": {"megabytes": megabytes}})


class Row:
    """A listener, an algorithm and a number of different tokens."""

    def __init__(self, title, port, algorithm, kind):
        self.title, self.port, self.algorithm, self.kind = title, port, algorithm, kind
        self.address, self.path, self.question, self.rounds = f"127.0.0.1:{port}", "/orders/1042?page=2", (), []

    def check(self, good, bad):
        """A row that answers wrongly has no speed."""
        for token in good[:5]:
            assert ask(self.port, self.path, [bearer(token)]).status == 200, self.title
        for token in bad:
            assert self.title.startswith("no filter") or ask(self.port, self.path, [bearer(token)]).status in (401, 403), self.title


def filters(jwks):
    return {
        "no filter": [], "jwt_authn": [jwt_authn(jwks, False)], "jwt_authn, cache": [jwt_authn(jwks, True)],
        "module": [module(jwks, 0)], "module, cache": [module(jwks, 16)],
    }


class Site:
    def __init__(self, folder, is_proxied):
        self.folder = folder
        self.module = built(folder / "module")
        self.stock = stock.Stock(folder, MANY)
        port = free_port()
        answer = listener("application", port, [], [{"match": {"prefix": "/"}, "direct_response": {"status": 200}}])
        self.application = EnvoyProgram(self, lambda admin: configuration(admin, [answer], []), [port], workers=1)
        self.listeners = {name: (free_port(), own) for name, own in filters(folder / "jwks.json").items()}
        action = {"route": {"cluster": "application"}} if is_proxied else {"direct_response": {"status": 200}}
        routes = [{"match": {"prefix": "/"}, **action}]
        listeners = [listener(name, port, own, routes) for name, (port, own) in self.listeners.items()]
        self.envoy = EnvoyProgram(
            self, lambda admin: configuration(admin, listeners, [cluster("application", port)]),
            [own for own, _ in self.listeners.values()], workers=1)

    def stop(self):
        self.envoy.stop()
        self.application.stop()

    def rows(self):
        for algorithm in stock.ALGORITHMS:
            for kind in ("many", "one"):
                for name, (port, _) in self.listeners.items():
                    yield Row(name, port, algorithm, kind)


def table(rows):
    print("| tokens | filter | µs of Envoy's threads | least | above no filter | requests a second |\n|---|---|---|---|---|---|")
    for row in rows:
        if row.title == "no filter":
            bare = statistics.median(spent for spent, _ in row.rounds)
        spent, rate = (statistics.median(values) for values in zip(*row.rounds))
        tokens = f"{row.algorithm}, {'1,000 in turn' if row.kind == 'many' else 'one'}"
        least = min(spent for spent, _ in row.rounds)
        print(f"| {tokens} | {row.title} | {spent:.1f} | {least:.1f} | {spent - bare:.1f} | {rate:,.0f} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=2)
    parser.add_argument("--proxied", action="store_true", help="with an application behind Envoy instead of a fixed answer of its own")
    parser.add_argument("--json", type=pathlib.Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="assay-envoy-") as folder:
        site = Site(pathlib.Path(folder), options.proxied)
        try:
            rows = list(site.rows())
            for row in rows:
                row.check(site.stock.good[row.algorithm], site.stock.bad[row.algorithm])
            for number in range(options.rounds):
                for row in rows:
                    with Watch(envoy=site.envoy.program) as watch:
                        result = clients.wrk(row, site.stock.lines(row.algorithm, row.kind), options.seconds)
                    assert not result["wrong"] and not result["failed"], (row.title, result)
                    row.rounds.append((watch.each(result["answers"])["envoy"], result["per_second"]))
        finally:
            site.stop()
    table(rows)
    if options.json:
        options.json.write_text(json.dumps([vars(row) for row in rows], indent=1))


if __name__ == "__main__":
    main()

"""Checks of listeners that change while requests flow. Each is a function of the lab."""
import json
import os
import pathlib
import time

from envoy_configuration import TYPES, cluster, configuration, listener, module_filter
from envoy_keys_checks import issuer_port, provider
from envoy_program import EnvoyProgram
from exchange import ask, bearer
from program import eventually, free_port
from running_checks import Load

CLAIMS = ("name", "sub")
POLICIES = [{"name": "api", "requires": "idp"}]


class Listeners:
    """Envoy whose one listener comes from a file. The file is replaced by a rename, as Envoy wants it."""

    name = "envoy-module"

    def __init__(self, lab):
        self.lab, self.port = lab, free_port()
        self.file = lab.folder / f"listeners-{self.port}.json"
        self.write("name")
        source = {"lds_config": {"path_config_source": {"path": str(self.file)}, "resource_api_version": "V3"}}
        clusters = [cluster("idp", issuer_port(lab)), cluster("application", lab.upstream_port)]
        self.envoy = EnvoyProgram(
            lab, lambda admin: configuration(
                admin, [], clusters, {"providers": [{"issuer": lab.provider.issuer, "keys": {"cluster": "idp"}}]},
                node={"id": "a", "cluster": "a"}, dynamic_resources=source),
            [self.port], ["--drain-time-s", "10", "--drain-strategy", "immediate"])

    def __enter__(self):
        return self

    def __exit__(self, *failure):
        self.envoy.stop()

    def write(self, claim, **settings):
        """Writes a listener that sets `x-auth-name` to a claim."""
        own = provider(self.lab, claims=[{"header": "x-auth-name", "claim": claim}])
        filters = [module_filter({"providers": [own], "policies": POLICIES, "policy": "api", **settings})]
        routes = [{"match": {"prefix": "/"}, "route": {"cluster": "application"}}]
        resource = {"@type": f"{TYPES}.config.listener.v3.Listener", **listener("web", self.port, filters, routes)}
        temporary = self.file.with_suffix(".new")
        temporary.write_text(json.dumps({"version_info": claim, "resources": [resource]}))
        temporary.rename(self.file)

    def name_seen(self):
        answer = ask(self.port, "/orders", [bearer(self.lab.provider.token())])
        if not answer or answer.status != 200:
            return answer and answer.status
        return dict(map(tuple, answer.arrived()["fields"])).get("x-auth-name")

    def are_drained(self):
        """Whether nothing is left of the listeners before this one. Envoy keeps a listener of which only the filters have changed."""
        stats = self.envoy.stats("listener_manager.total_")
        return not stats["listener_manager.total_listeners_draining"] and not stats["listener_manager.total_filter_chains_draining"]

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.envoy.program.process.pid}/fd"))

    def kilobytes(self):
        lines = pathlib.Path(f"/proc/{self.envoy.program.process.pid}/status").read_text().splitlines()
        return int(next(line.split()[1] for line in lines if line.startswith("VmRSS")))


SEEN = {"name": "Jane Doe", "sub": "jane"}


class LoadOf(Load):
    """Load on one gateway that is not among the lab's."""

    def __init__(self, lab, gateway):
        lab = type("One", (), {"gateways": [gateway], "provider": lab.provider})
        super().__init__(lab)


def updates_fail_no_request(lab, long):
    """Each listener replaces the one before while requests flow. Keys stay, old listeners go, and with them their descriptors."""
    with lab.with_own_provider() as lab, Listeners(lab) as listeners:
        requests, start = lab.requests(), time.monotonic()
        counts, sizes, last = [], [], 49 if long else 2
        with LoadOf(lab, listeners) as load:
            for number in range(last + 1):
                claim = CLAIMS[(number + 1) % 2]
                listeners.write(claim)
                eventually(lambda: listeners.name_seen() == SEEN[claim], 60, "the new listener")
                load.seconds(0.2)
                if number % 10 == 0 or number == last:
                    eventually(listeners.are_drained, 60, "drain")
                    counts.append(listeners.descriptors())
                    sizes.append(listeners.kilobytes())
        # By themselves keys are fetched again after 210 s at the earliest.
        assert lab.requests() - requests <= (time.monotonic() - start) // 200, "an update fetched keys"
        # The first updates open connections to the application, which stay.
        assert counts[-1] - counts[0] <= 16 and max(counts[1:]) - min(counts[1:]) <= 2, f"descriptors {counts}"
        half = len(sizes) // 2
        if long:
            assert max(sizes[half:]) - max(sizes[:half]) < 8_192, f"resident kilobytes {sizes}"
        return f"{load.counts}, descriptors {min(counts)} to {max(counts)}, resident {sizes[0]} to {sizes[-1]} KB"


def a_refused_update_changes_nothing(lab, long):
    faults = [{"policy": "other"}, {"unknown": 1}, {"policies": []}]
    with Listeners(lab) as listeners, LoadOf(lab, listeners):
        sizes = []
        for number in range(60 if long else 3):
            settings = faults[number % 3] | {"tokenBytes": 10_000 + number}
            before = listeners.envoy.stats("listener_manager")["listener_manager.lds.update_rejected"]
            listeners.write("sub", **settings)
            eventually(
                lambda: listeners.envoy.stats("listener_manager")["listener_manager.lds.update_rejected"] > before, 60, "a refusal")
            assert listeners.name_seen() == "Jane Doe"
            sizes.append(listeners.kilobytes())
        assert sizes[-1] - sizes[len(sizes) // 2] < 4_096, f"resident kilobytes {sizes}"
        assert "assay: `policy`: there is no policy `other`" in listeners.envoy.program.output()
        listeners.write("sub")
        eventually(lambda: listeners.name_seen() == "jane", 60, "the good update")


ALL = [updates_fail_no_request, a_refused_update_changes_nothing]

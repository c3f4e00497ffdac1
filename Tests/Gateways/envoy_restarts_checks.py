"""What an operator changes while requests flow: files of keys, the filter alone, the whole Envoy. Each check is a function of the lab."""
import contextlib
import json

import replacing
from envoy_configuration import TYPES, cluster, configuration, listener, module_filter
from envoy_files_checks import code_of, keys_of
from envoy_keys_checks import issuer_port
from envoy_program import EnvoyProgram, binary
from exchange import Connection, ask, bearer
from program import Program, eventually, free_port
from watching import Watch

POLICIES = [{"name": "api", "requires": "idp"}]
TO_THE_APPLICATION = [{"match": {"prefix": "/"}, "route": {"cluster": "application"}}]


def settings(lab, cluster_name="idp", **more):
    own = {"name": "idp", "issuer": lab.provider.issuer, "audiences": ["client-1"], "keys": {"cluster": cluster_name}, **more}
    return {"providers": [own], "policies": POLICIES, "policy": "api"}


def clusters(lab, other=None):
    others = [cluster("other", issuer_port(other))] if other else []
    return [cluster("idp", issuer_port(lab)), cluster("application", lab.upstream_port), *others]


def folder_of(lab, name):
    folder = lab.folder / name
    folder.mkdir()
    return folder


def keys_count_however_their_file_is_replaced(lab, long):
    with lab.with_own_provider() as lab:
        former = lab.provider.ask("rotate")
        removed = lab.provider.token()
        lab.provider.ask("rotate")
        lab.provider.ask(f"remove {former}")
        file, port, good = folder_of(lab, "keys") / "keys.json", free_port(), lab.provider.token()
        file.write_text(first := keys_of(lab))
        filters = [module_filter(settings(lab, keys={"file": str(file)}))]
        text = lambda administration: configuration(
            administration, [listener("web", port, filters, TO_THE_APPLICATION)], clusters(lab), {})
        with EnvoyProgram(lab, text, [port]), Watch(lab, port, [good], [None, removed, lab.forged(good)]) as watch:
            for replace in replacing.ALL:
                lab.provider.ask("rotate")
                token = lab.provider.token()
                replace(file, keys_of(lab))
                eventually(lambda: code_of(port, token) == 200, 60, f"a new key, {replace.__name__}")
            replacing.by_a_link(file, first)
            eventually(lambda: code_of(port, token) in ("unknown_key", "keys_unavailable"), 60, "the end of the last key")
        return watch.counts


class FilterOfItsOwn:
    """Envoy that gets the filter, and nothing else, from a file (ECDS), which is mounted as a ConfigMap is."""

    def __init__(self, lab, other):
        self.port, self.file = free_port(), folder_of(lab, f"filter-{free_port()}") / "filter.yaml"
        self.write("{")
        source = {"path": str(self.file), "watched_directory": {"path": str(self.file.parent)}}
        filters = [{"name": "assay", "config_discovery": {
            "config_source": {"path_config_source": source, "resource_api_version": "V3"},
            "type_urls": [f"{TYPES}.extensions.filters.http.dynamic_modules.v3.DynamicModuleFilter"]}}]
        text = lambda administration: configuration(
            administration, [listener("web", self.port, filters, TO_THE_APPLICATION)], clusters(lab, other),
            {"providers": [{"issuer": one.provider.issuer, "keys": {"cluster": name}} for one, name in ((lab, "idp"), (other, "other"))]},
            node={"id": "a", "cluster": "a"})
        self.envoy = EnvoyProgram(lab, text, [self.port])

    def write(self, text):
        replacing.by_a_link(self.file, text)

    def take(self, value):
        kind = f"{TYPES}.config.core.v3.TypedExtensionConfig"
        resource = {"@type": kind, "name": "assay", "typed_config": module_filter(value)["typed_config"]}
        self.write(json.dumps({"resources": [resource]}))

    def refusals(self):
        return self.envoy.stats("extension_config_discovery")["extension_config_discovery.http_filter.assay.config_fail"]


def a_filter_of_its_own_counts_on_open_connections(lab, long):
    """Before the first usable filter nothing passes. One that cannot be used changes nothing. Another issuer takes the place of the one
    before for every connection."""
    with lab.with_own_provider() as other, lab.with_own_provider() as lab:
        running = FilterOfItsOwn(lab, other)
        tokens = lab.provider.token(), other.provider.token()
        forbidden = [None, *map(lab.forged, tokens)]
        with running.envoy as envoy, Watch(lab, running.port, [], forbidden) as watch, contextlib.ExitStack() as open_connections:
            assert ask(running.port, "/orders", [bearer(tokens[0])]).status == 500
            running.take(settings(lab))
            eventually(lambda: code_of(running.port, tokens[0]) == 200, 60, "the filter")
            connection = open_connections.enter_context(Connection(running.port))
            assert connection.ask("/orders", [bearer(tokens[0])]).status == 200
            for text in ("{", settings(lab) | {"unknown": 1}):
                before = running.refusals()
                running.take(text) if isinstance(text, dict) else running.write(text)
                eventually(lambda: running.refusals() > before, 60, "a refusal")
                assert connection.ask("/orders", [bearer(tokens[0])]).status == 200
            assert "assay: `unknown`: no such setting" in envoy.program.output()
            running.take(settings(other, "other"))
            eventually(lambda: code_of(running.port, tokens[1]) == 200, 60, "the other issuer")
            # Each thread of Envoy takes the filter at a time of its own.
            answer = lambda: connection.ask("/orders", [bearer(tokens[0])]).field("x-assay-code")
            for code in (answer, lambda: code_of(running.port, tokens[0])):
                eventually(lambda: code() == "issuer_mismatch", 60, "the end of the first issuer")
        return watch.counts


class HotRestarts:
    """Envoys that follow each other on one listener, each with the next `--restart-epoch`."""

    def __init__(self, lab):
        self.lab, self.port, self.administration, self.folder = lab, free_port(), free_port(), folder_of(lab, "hot-restarts")
        self.programs = []

    def begin(self, value, other):
        """Starts an Envoy with a filter, and waits for the end of the one before."""
        epoch = len(self.programs)
        file, filters = self.folder / f"{epoch}.json", [module_filter(value)]
        listeners = [listener("web", self.port, filters, TO_THE_APPLICATION)]
        file.write_text(configuration(self.administration, listeners, clusters(self.lab, other), {}))
        times = ["--drain-time-s", "1", "--parent-shutdown-time-s", "2"]
        arguments = ["-c", file, "--concurrency", "2", "--base-id", self.port, "--restart-epoch", epoch, *times, "-l", "warning"]
        environment = {"ENVOY_DYNAMIC_MODULES_SEARCH_PATH": str(self.lab.module)}
        self.programs.append(Program([binary(), *arguments], self.folder / f"log-{epoch}", ports=[self.port], environment=environment))
        if epoch:
            eventually(self.programs[-2].has_ended, 60, "the end of the Envoy before")
            assert self.programs[-2].process.returncode == 0, self.programs[-2].output()[-1000:]

    def stop(self):
        for program in self.programs:
            program.stop()


def hot_restarts_lose_no_request(lab, long):
    """The keys come from `storage` while the issuer is down. With another issuer the tokens of the one before are refused once its Envoy has
    ended."""
    with lab.with_own_provider() as other, lab.with_own_provider() as lab:
        envoys = HotRestarts(lab)
        kept = settings(lab, storage=str(envoys.folder / "keys"))
        tokens = lab.provider.token(), other.provider.token()
        forbidden = [None, *map(lab.forged, tokens)]
        try:
            envoys.begin(kept, other)
            eventually(lambda: code_of(envoys.port, tokens[0]) == 200, 60, "the first keys")
            eventually((envoys.folder / "keys").exists, 60, "the stored keys")
            with Watch(lab, envoys.port, tokens[:1], forbidden) as watch:
                lab.provider.ask("down")
                envoys.begin(kept, other)
                assert code_of(envoys.port, tokens[0]) == 200
            with Watch(lab, envoys.port, [], forbidden):
                envoys.begin(settings(other, "other"), other)
                assert [code_of(envoys.port, token) for token in tokens] == ["issuer_mismatch", 200]
        finally:
            envoys.stop()
        return watch.counts


ALL = [keys_count_however_their_file_is_replaced, a_filter_of_its_own_counts_on_open_connections, hot_restarts_lose_no_request]

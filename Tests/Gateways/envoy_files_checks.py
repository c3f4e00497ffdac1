"""Files that the module has libassay read: keys and revocations. Each check is a function of the lab."""
import json
import time
import urllib.request

from documents import Documents
from envoy_configuration import cluster, configuration, listener, module_filter
from envoy_program import EnvoyProgram
from envoy_settings_checks import changed, validated
from exchange import ask, bearer
from program import eventually, free_port


def keys_of(lab):
    return urllib.request.urlopen(f"{lab.provider.issuer}/jwks", timeout=30).read().decode()


def written(lab, name, text):
    """A file that changes as a whole, as Kubernetes changes one."""
    file = lab.folder / name
    new = file.with_suffix(".new")
    new.write_text(text)
    new.rename(file)
    return file


def started(lab, keys, clusters=(), shown=(), provider=None, **more):
    """Envoy with one provider, which answers 200 itself."""
    port = free_port()
    own = {"name": "idp", "issuer": lab.provider.issuer, "audiences": ["client-1"], "keys": keys, **(provider or {})}
    settings = {"providers": [own], "policies": [{"name": "api", "requires": "idp"}], "policy": "api", "waitMilliseconds": 5_000, **more}
    routes = [{"match": {"prefix": "/"}, "direct_response": {"status": 200}}]
    listeners = [listener("web", port, [module_filter(settings)], routes, response_headers_to_add=list(shown))]
    envoy = EnvoyProgram(lab, lambda administration: configuration(administration, listeners, list(clusters), {}), [port])
    return envoy, port


def code_of(port, token):
    answer = ask(port, "/", [bearer(token)], timeout=20)
    return answer.field("x-assay-code") or answer.status


def a_request_for_a_new_key_in_a_file_waits_for_its_reading(lab, long):
    envoy, port = started(lab, {"file": str(written(lab, "keys.json", keys_of(lab)))})
    with envoy:
        assert code_of(port, lab.provider.token()) == 200
        lab.provider.ask("rotate")
        token = lab.provider.token()
        written(lab, "keys.json", keys_of(lab))
        began = time.monotonic()
        assert code_of(port, token) == 200
        assert time.monotonic() - began < 4, "the request waited for its time limit"


def a_file_of_revocations_is_read_again(lab, long):
    revocations = written(lab, "revocations.json", '{"revocations": []}')
    envoy, port = started(lab, {"inline": json.loads(keys_of(lab))}, revocations=str(revocations))
    with envoy:
        token = lab.provider.token()
        assert code_of(port, token) == 200
        written(lab, "revocations.json", '{"revocations": [{"sub": "jane"}]}')
        eventually(lambda: code_of(port, token) == "revoked", 30, "the revocation")
        written(lab, "revocations.json", '{"revocations": [{"subject": "jane"}]}')
        eventually(lambda: "`revocations[1].subject`: no such setting" in envoy.program.output(), 30, "the line of the fault")
        assert code_of(port, token) == "revoked", "a broken file changes nothing"
        written(lab, "revocations.json", '{"revocations": []}')
        eventually(lambda: code_of(port, token) == 200, 30, "the end of the revocation")
    missing = changed(("revocations",), "/absent/revocations.json")
    code, output = validated(lab, missing, None, {})
    assert code == 1 and "assay: `revocations`: /" in output and ": cannot be read" in output, output
    code, output = validated(lab, changed(("revocations",), str(revocations)))
    assert code == 1 and "assay: `revocations`: the file is read again only if" in output, output


def a_log_of_revocations_is_followed(lab, long):
    log = written(lab, "revocation-log", '{"assay":"revocation-log","version":1}\n')
    log.chmod(0o644)

    def add(line):
        with log.open("a") as out:
            out.write(line + "\n")

    envoy, port = started(lab, {"inline": json.loads(keys_of(lab))}, revocationLog=str(log))
    with envoy:
        token = lab.provider.token()
        assert code_of(port, token) == 200
        add('{"subject":"jane"}')
        eventually(lambda: "line 2 is no entry" in envoy.program.output(), 30, "the line of the fault")
        assert code_of(port, token) == 200, "a line that is no entry revokes"
        add('{"sub":"jane","until":99999999999}')
        eventually(lambda: code_of(port, token) == "revoked", 30, "the revocation")
        log.unlink()
        eventually(lambda: "there is no such file" in envoy.program.output(), 30, "the line about the absent log")
        assert code_of(port, token) == "revoked", "an absent log takes an entry back"
    code, output = validated(lab, changed(("revocationLog",), str(log)), None, {})
    assert code == 1 and "assay: `revocationLog`: /" in output and "there is no such file" in output, output


def a_broken_file_of_keys_is_in_the_log_and_changes_nothing(lab, long):
    envoy, port = started(lab, {"file": str(written(lab, "keys.json", keys_of(lab)))})
    with envoy:
        token = lab.provider.token()
        assert code_of(port, token) == 200
        written(lab, "keys.json", '{"keys": 1}')
        eventually(lambda: "the file of keys" in envoy.program.output(), 30, "the line of the fault")
        assert code_of(port, token) == 200
    code, output = validated(lab, changed(("providers", 0, "keys"), {"file": str(lab.folder / "keys.json")}), None, {})
    assert code == 1 and "assay: `providers[1].keys.file`: " in output, output


def a_file_may_have_a_failover_behind_a_cluster(lab, long):
    with Documents() as documents:
        documents.documents["/keys"] = keys_of(lab)
        authority = documents.url.split("://")[1]
        keys = {"file": str(lab.folder / "absent.json"), "failover": [{"url": f"{documents.url}/keys"}], "clusters": {authority: "keys"}}
        envoy, port = started(lab, keys, [cluster("keys", documents.port)])
        with envoy:
            eventually(lambda: code_of(port, lab.provider.token()) == 200, 30, "the keys of the failover")


def metadata_has_numbers_of_any_size(lab, long):
    shown = [{"header": {"key": name, "value": f"%DYNAMIC_METADATA(assay:payload:{claim})%"}}
             for name, claim in {"x-sub": "sub", "x-number": "number", "x-scope": "scope"}.items()]
    more = {"payloadMetadata": "payload", "spaceDelimitedClaims": ["scope"]}
    envoy, port = started(lab, {"inline": json.loads(keys_of(lab))}, shown=shown, provider=more)
    with envoy:
        answer = ask(port, "/", [bearer(lab.provider.token(number=123456789012345678901234567890, scope="a b"))])
        assert answer.status == 200 and answer.field("x-sub") == "jane" and answer.field("x-scope") == '["a","b"]', answer
        assert float(answer.field("x-number")) == 123456789012345678901234567890.0, answer


ALL = [
    a_request_for_a_new_key_in_a_file_waits_for_its_reading, a_file_of_revocations_is_read_again, a_log_of_revocations_is_followed,
    a_broken_file_of_keys_is_in_the_log_and_changes_nothing, a_file_may_have_a_failover_behind_a_cluster, metadata_has_numbers_of_any_size,
]

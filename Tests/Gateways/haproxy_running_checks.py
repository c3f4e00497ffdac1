"""HAProxy with module assay inside it: reloads, threads, roots, certificates and issuers that are away. Each is a function of a lab."""
import contextlib
import os
import re
import signal
import threading
import time
import urllib.request

import haproxy_master
from certificate_checks import REQUESTS as OF_CERTIFICATES
from certificate_checks import Module
from client_certificates import TLS, Certificates
from clients import Clients, status
from exchange import Connection, ask, bearer
from expectations import JANE, identity
from haproxy_gateway import HAProxyWithin
from library_gateway import settings
from program import eventually


@contextlib.contextmanager
def haproxy(lab, place, **options):
    gateway = HAProxyWithin(lab, place, **options)
    try:
        yield gateway
    finally:
        gateway.stop()


def reloads_keep_requests(lab, long):
    """The new process has no keys yet: its requests wait for them, and none is refused."""
    count, token = 50 if long else 5, lab.provider.token(exp=int(time.time()) + 86_400)
    with haproxy(lab, "reloads", options=["-W"]) as gateway:
        eventually(lambda: status(gateway, token) == 200, 60, "the first request")
        clients = Clients(gateway, token)
        for number in range(1, count + 1):
            asked = len(clients.statuses)
            haproxy_master.reload(gateway.program)
            eventually(lambda: gateway.program.output().count("Former worker") >= number, 120, "the end of the process before")
            eventually(lambda: len(clients.statuses) > asked + 20, 60, "requests after a reload")
        statuses = clients.end()
        assert set(statuses) == {200}, ({code: statuses.count(code) for code in set(statuses)}, gateway.program.output()[-3000:])
        return f"{count} reloads, {len(statuses)} requests"


def a_connection_without_a_request_outlives_a_reload(lab, long):
    """The process before has taken it, and would else close it: its client would lose the request that it is about to send."""
    token = lab.provider.token()
    with haproxy(lab, "waiting", options=["-W"]) as gateway:
        eventually(lambda: status(gateway, token) == 200, 60, "the first request")
        with Connection(gateway.port) as unused, Connection(gateway.port) as used:
            assert used.ask("/reports", [bearer(token)]).status == 200
            haproxy_master.reload(gateway.program)
            eventually(lambda: status(gateway, token) == 200, 60, "a request of the next process")
            for connection in (unused, used):
                assert connection.ask("/reports", [bearer(token)]).status == 200


def a_signal_during_requests_ends_the_process(lab, long):
    token = lab.provider.token()
    for number, expected in [(signal.SIGUSR1, 0), (signal.SIGTERM, None)] * (10 if long else 1):
        with haproxy(lab, f"signal-{number}-{time.monotonic_ns()}") as gateway:
            clients = Clients(gateway, token)
            eventually(lambda: len(clients.statuses) > 50, 60, "requests")
            gateway.program.process.send_signal(number)
            clients.is_ended = True
            code = gateway.program.process.wait(60)
            clients.end()
            assert code in ((expected,) if expected is not None else (0, 143, -signal.SIGTERM)), code


def every_number_of_threads_decides(lab, long):
    token, forged = lab.provider.token(), lab.forged(lab.provider.token())
    for threads in (1, 4):
        with haproxy(lab, f"threads-{threads}", threads=threads) as gateway:
            for _ in range(20):
                assert status(gateway, token) == 200 and status(gateway, forged) == 401
            answer = ask(gateway.port, "/reports", [bearer(token)])
            assert identity(answer.arrived()) == JANE, answer


def keys_of_several_issuers_are_fetched(lab, long):
    """By one thread, also where the states of others were made when the fetches were due."""
    with lab.with_own_provider() as own:
        issuers = [("idp", lab.provider.issuer), ("other", own.provider.issuer)]
        document = {
            "providers": [{"name": name, "issuer": issuer, "audiences": ["client-1"]} for name, issuer in issuers],
            "policies": [{"name": "api", "requires": {"any": ["idp", "other"]}}], "policy": "api"}
        with haproxy(lab, "issuers", document=document, threads=4) as gateway:
            for provider in (lab.provider, own.provider):
                eventually(lambda: status(gateway, provider.token()) == 200, 5, "keys of an issuer")


def a_root_and_a_user_are_taken_after_the_start(lab, long):
    """HAProxy opens nothing of the old root then, and still fetches keys."""
    if os.geteuid() != 0:
        return "skipped: it needs root"
    folder = lab.folder / "root"
    folder.mkdir()
    with haproxy(lab, "rooted", lines=[f"chroot {folder}", "user nobody", "group nogroup"]) as gateway:
        eventually(lambda: status(gateway, lab.provider.token()) == 200, 60, "keys")
        lab.provider.ask("rotate")
        eventually(lambda: status(gateway, lab.provider.token()) == 200, 60, "the next key")


def a_file_of_keys_is_read_before_the_root_is_taken(lab, long):
    document = settings(lab.provider.issuer)
    (lab.folder / "keys.json").write_bytes(urllib.request.urlopen(lab.provider.issuer + "/jwks").read())
    document["providers"] = [{"name": "idp", "issuer": lab.provider.issuer, "audiences": ["client-1"], "keys": {"file": "keys.json"}}]
    document["policies"], document["policy"] = [{"name": "api", "requires": "idp"}], "api"
    del document["routes"], document["resources"]
    folder = lab.folder / "empty"
    folder.mkdir()
    lines = [f"chroot {folder}"] if os.geteuid() == 0 else []
    with haproxy(lab, "file", document=document, lines=lines) as gateway:
        eventually(lambda: status(gateway, lab.provider.token()) == 200, 60, "keys of the file")


def without_keys_a_request_is_refused_and_with_them_it_passes(lab, long):
    with lab.with_own_provider() as own:
        own.provider.ask("down")
        with haproxy(own, "outage", adapt=lambda text: text) as gateway:
            script = gateway.folder / "assay.lua"
            assert "= 30000, 30000, 20" in script.read_text()
            answers = []
            waiting = threading.Thread(target=lambda: answers.append(status(gateway, own.provider.token())))
            waiting.start()
            eventually(lambda: int(own.provider.ask("requests")) >= 0, 60, "a fetch")
            own.provider.ask("up")
            waiting.join()
            assert answers[0] in (200, 503), answers
            eventually(lambda: status(gateway, own.provider.token()) == 200, 60, "keys")


def wrong_settings_stop_the_start(lab, long):
    try:
        HAProxyWithin(lab, "wrong", document={"policies": [{"name": "a", "requires": "nobody"}]})
    except AssertionError as failure:
        assert "error: " in str(failure), failure
    else:
        raise AssertionError("HAProxy started")


def a_script_that_fails_passes_nothing(lab, long):
    """Before the decision, between two changes of an admitted request, and after all of them."""
    token = lab.provider.token()
    for number, line in enumerate([r"local head = head_of\(txn\)", r"http:req_add_header\(.*\)", r"set_variables\(.*\)"]):
        fault = lambda text, line=line: re.sub(rf"^ +{line}\n", r"\g<0>error('a fault')\n", text, flags=re.M)
        with haproxy(lab, f"failing-{number}", script=fault) as gateway:
            assert (gateway.folder / "assay.lua").read_text().count("a fault") == 1
            eventually(lambda: status(gateway, token) == 503 and "a fault" in gateway.program.output(), 60, "the fault")
            count = len(lab.upstream.arrived)
            assert {status(gateway, token) for _ in range(5)} == {503} and len(lab.upstream.arrived) == count


def the_certificate_of_the_connection_is_known(lab, long):
    certificates = Certificates(lab.folder / "haproxy-certificates")
    document = {
        "providers": [{"name": "idp", "issuer": lab.provider.issuer, "audiences": ["client-1"], "certificateBound": "required"}],
        "policies": [{"name": "api", "requires": "idp"}], "policy": "api"}
    with haproxy(lab, "certificates", document=document, adapt=TLS(certificates).haproxy) as gateway:
        module = Module(lab, "haproxy-within", gateway.port, certificates)
        eventually(module.is_ready, 60, "keys")
        for function in OF_CERTIFICATES:
            function(module)


def variables_have_the_decision(lab, long):
    """For rules and logs after `lua.assay`."""
    document = settings(lab.provider.issuer)
    document["providers"] = [provider | {"payloadMetadata": "claims"} for provider in document["providers"]]
    rule = ("    http-request deny deny_status 503 unless", "    http-request set-header x-seen-policy %[var(txn.assay_policy)]\n"
            "    http-request set-header x-seen-subject %[var(txn.assay_claims),json_query('$.sub')]\n"
            "    http-request deny deny_status 503 unless")
    with haproxy(lab, "variables", document=document, adapt=lambda text: text.replace(*rule)) as gateway:
        answer = ask(gateway.port, "/reports", [bearer(lab.provider.token())])
        fields = dict(answer.arrived()["fields"])
        assert fields["x-seen-policy"] and fields["x-seen-subject"] == "jane", fields


def more_fields_than_can_be_judged_are_the_clients_fault(lab, long):
    """HAProxy itself takes 101, unless `tune.http.maxhdr` says otherwise."""
    many = [("X-Number", str(number)) for number in range(1_030)]
    with haproxy(lab, "fields", lines=["tune.http.maxhdr 2000", "tune.bufsize 65536"]) as gateway:
        token = bearer(lab.provider.token())
        eventually(lambda: ask(gateway.port, "/reports", [token]).status == 200, 60, "keys")
        # The application takes a hundred.
        assert ask(gateway.port, "/reports", [token, *many[:1_000]]).status == 431
        count = len(lab.upstream.arrived)
        for fields in (many, [token, *many]):
            answer = ask(gateway.port, "/reports", fields)
            assert answer.status == 400 and answer.field("x-assay-code") == "malformed_request", answer
        assert len(lab.upstream.arrived) == count


ALL = [
    reloads_keep_requests, a_connection_without_a_request_outlives_a_reload, a_signal_during_requests_ends_the_process, every_number_of_threads_decides,
    keys_of_several_issuers_are_fetched, a_root_and_a_user_are_taken_after_the_start, a_file_of_keys_is_read_before_the_root_is_taken,
    without_keys_a_request_is_refused_and_with_them_it_passes, wrong_settings_stop_the_start, a_script_that_fails_passes_nothing,
    the_certificate_of_the_connection_is_known, variables_have_the_decision, more_fields_than_can_be_judged_are_the_clients_fault,
]

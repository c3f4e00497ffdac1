"""What module assay.nginx does beside the decision: workers, reloads, keys, what passes once. Each is a function of the lab."""
import concurrent.futures
import contextlib
import json
import os
import signal
import socket
import time
import urllib.request

import h2.config
import h2.connection
import h2.events

import certificate_checks
from documents import Documents
from exchange import ask, bearer
from http2_checks import head
from lab import ROOT
from module_running_checks import FreshLoad, with_key
from nginx_lua import NginxLua
from program import eventually
from proofs import (
    PASSED, Bound, Names, asked_for_nonce, fields, no_proof_is_for_another_host, nonces_are_exchanged, proofs_are_for_one_request, verdict)

SERVER = """
    server {
        listen 127.0.0.1:PORT reuseport;
        add_header X-Worker $pid always;
        access_by_lua_block { require("assay.nginx").access() }
        location / { proxy_set_header Host $http_host; proxy_pass http://UPSTREAM; }
        location = /redirected { rewrite ^ /orders last; }
        location = /tried { try_files /none /orders; }
        location = /missing { error_page 404 = /orders; return 404; }
        location = /asked { auth_request /inner; proxy_pass http://UPSTREAM; }
        location = /inner { internal; rewrite_by_lua_block { require("assay.nginx").access("inner") }
            proxy_pass http://UPSTREAM; proxy_pass_request_body off; proxy_set_header Content-Length ""; }
        location = /seen { content_by_lua_block { ngx.print(ngx.var.http_x_auth_subject) } }
        location = /nobody { access_by_lua_block { require("assay.nginx").access("nobody") } proxy_pass http://UPSTREAM; }
        location = /apisix { access_by_lua_block {
            package.loaded["apisix.core"] = { schema = { check = function(schema, conf) return type(conf.policy) == "string" end } }
            local plugin = dofile("PLUGINS/apisix.lua")
            assert(plugin.check_schema({ policy = "inner" }))
            return plugin.access({ policy = "inner" }, {}) } proxy_pass http://UPSTREAM; }
        location = /kong { access_by_lua_block { return dofile("PLUGINS/kong_handler.lua"):access({ policy = "inner" }) }
            proxy_pass http://UPSTREAM; }
        location = /wrong { access_by_lua_block { require("assay.nginx").access(7) } proxy_pass http://UPSTREAM; }
        location = /again { access_by_lua_block { } content_by_lua_block {
            local count = ngx.timer.pending_count()
            package.loaded["apisix.core"] = { schema = {} }
            dofile("PLUGINS/apisix.lua").init()
            ngx.print(ngx.timer.pending_count() - count)
        } }
        location = /status { access_by_lua_block { } content_by_lua_block { ngx.print(require("assay.nginx").status()) } }
        location = /fill { access_by_lua_block { } content_by_lua_block {
            local size, count = 262144, 0
            while size > 16 do
                if ngx.shared.assay:safe_set("fill" .. count, ("x"):rep(size)) then count = count + 1 else size = size / 2 end
            end
        } }
        location = /flush { access_by_lua_block { } content_by_lua_block {
            for _, key in ipairs(ngx.shared.assay:get_keys(0)) do
                if key:find("^fill") then ngx.shared.assay:delete(key) end
            end
        } }
    }
"""


SERVER = SERVER.replace("PLUGINS", str(ROOT / "bindings/lua/nginx/plugins"))


def given(issuer, **provider):
    return {
        "providers": [{"name": "idp", "issuer": issuer, "audiences": ["client-1"], "claims": [{"header": "x-auth-subject", "claim": "sub"}],
                       **provider}],
        "policies": [{"name": "idp", "requires": "idp"}, {"name": "inner", "requires": "idp", "realm": "inner"}], "policy": "idp"}


class Host(NginxLua):
    def __init__(self, lab, kind, settings=None, workers=2, **more):
        self.workers_wanted = workers
        super().__init__(lab, Names.next(kind), more.pop("http", SERVER), settings or given(lab.provider.issuer), **more)

    def settled(self):
        """All workers, once they are there."""
        eventually(lambda: len(self.workers()) == self.workers_wanted, 60, "all workers")
        return self.workers()

    def __enter__(self):
        return self

    def __exit__(self, *failure):
        self.stop()


def answers(host, token, path="/orders"):
    return verdict(ask(host.port, path, [bearer(token)]))


def at_every_worker(host, question):
    """The verdicts of every worker about the same request."""
    found = {}

    def asked():
        answer = question()
        found.setdefault(int(answer.field("x-worker")), set()).add(verdict(answer))
        return set(found) >= set(host.workers())

    eventually(asked, 60, "an answer of every worker")
    return set.union(*found.values())


def the_first_requests_wait_for_the_first_keys(lab):
    token = lab.provider.token()
    for _ in range(3):
        # A kind of addresses that is named twice is that kind.
        with Host(lab, "first", options='addresses = { "loopback", "loopback" }, wait = 20') as host:
            assert answers(host, token) == PASSED


def reloads_fail_no_request(lab):
    """New workers have the documents of the old ones at once, also while the provider is down."""
    with lab.with_own_provider() as lab, Host(lab, "reloaded") as host:
        assert answers(host, lab.provider.token()) == PASSED
        lab.gateway = host
        with FreshLoad(lab) as load:
            count = lab.requests()
            lab.provider.ask("down")
            for _ in range(3):
                host.reload()
                load.seconds(0.3)
        assert lab.requests() == count, "a reload fetched keys that were there"
        return load.counts


def killed_workers_are_replaced_by_workers_with_keys(lab):
    """Also the one that fetches: its successor finds the next rotation."""
    with lab.with_own_provider() as lab, Host(lab, "killed") as host:
        token = lab.provider.token()
        assert answers(host, token) == PASSED
        lab.provider.ask("down")
        for _ in range(3):
            host.kill(host.workers())
            assert at_every_worker(host, lambda: ask(host.port, "/orders", [bearer(token)])) == {PASSED}
        lab.provider.ask("up")
        lab.provider.ask("rotate")
        assert answers(host, lab.provider.token()) == PASSED, "a rotation was lost"


def a_rotation_every_two_seconds_loses_nothing(lab):
    with lab.with_own_provider() as lab, Host(lab, "rotations") as host:
        start = time.monotonic()
        for number in range(4):
            eventually(lambda: time.monotonic() > start + 2 * number, 60, "two seconds")
            lab.provider.ask("rotate")
            token = lab.provider.token()
            assert at_every_worker(host, lambda: ask(host.port, "/orders", [bearer(token)])) == {PASSED}


def unknown_keys_cause_two_fetches_in_ten_seconds(lab):
    """However many workers there are, and however many names are tried; a rotation meanwhile is not lost."""
    with lab.with_own_provider() as lab, Host(lab, "junk", workers=4, options='addresses = { "loopback" }, wait = 0') as host:
        eventually(lambda: answers(host, lab.provider.token()) == PASSED, 60, "the first keys")
        token = lab.provider.token()
        count, start, seen = lab.requests(), time.monotonic(), set()
        for number in range(200):
            seen.add(answers(host, with_key(token, f"junk-{number}")))
        assert seen <= {(401, "unknown_key"), (503, "keys_unavailable")}, seen
        lab.provider.ask("rotate")
        eventually(lambda: answers(host, lab.provider.token()) == PASSED, 60, "the rotation")
        fetched, windows = lab.requests() - count, 1 + (time.monotonic() - start) / 10
        assert fetched <= 2 * windows, (fetched, windows)


def no_keys_is_503_with_a_time(lab):
    with lab.with_own_provider() as lab:
        token = lab.provider.token()
        lab.provider.ask("down")
        with Host(lab, "no-keys", options='addresses = { "loopback" }, wait = 0.2') as host:
            answer = ask(host.port, "/orders", [bearer(token)])
            assert verdict(answer) == (503, "keys_unavailable"), answer
            assert 1 <= int(answer.field("retry-after")) <= 60 and answer.field("www-authenticate") is None, answer
            assert answers(host, token, "/status")[0] == 200
            lab.provider.ask("up")
            eventually(lambda: answers(host, token) == PASSED, 60, "recovery")


def loopback_is_asked_only_with_leave(lab):
    with Host(lab, "public", options="wait = 0.2") as host:
        assert answers(host, lab.provider.token()) == (503, "keys_unavailable")
        assert "fetch_invalid_url" in host.program.output(), host.program.output()


def a_useless_answer_reaches_no_new_worker(lab):
    """The issuer's address answers 200 with a page, as a proxy does. Workers that start then have the keys of before."""
    keys = urllib.request.urlopen(lab.provider.issuer + "/jwks").read().decode()
    with Documents() as issuer:
        metadata = json.dumps({"issuer": issuer.url, "jwks_uri": issuer.url + "/jwks"})
        issuer.documents.update({"/.well-known/openid-configuration": metadata, "/jwks": keys})
        token = lab.provider.token(iss=issuer.url)
        with Host(lab, "useless", given(issuer.url), options='addresses = { "loopback" }, wait = 2') as host:
            eventually(lambda: answers(host, token) == PASSED, 60, "the first keys")
            for path in issuer.documents:
                issuer.documents[path] = "<html><title>Sign in</title></html>"
            answers(host, with_key(token, "new"))
            eventually(lambda: "cannot use what it fetched" in host.program.output(), 60, "the useless answer")
            for change in (host.reload, lambda: host.kill(host.workers())):
                change()
                found = at_every_worker(host, lambda: ask(host.port, "/orders", [bearer(token)]))
                assert found == {PASSED}, (found, host.program.output())


def a_full_dictionary_fails_closed(lab):
    """It takes no document, says so, and drops none that is there: workers that start have the keys of before."""
    with lab.with_own_provider() as lab, Host(lab, "full", zone="1m", options='addresses = { "loopback" }, wait = 0.5') as host:
        lab.provider.ask("down")
        eventually(lambda: "cannot use what it fetched" in host.program.output(), 60, "a failure without keys")
        assert ask(host.port, "/fill").status == 200
        lab.provider.ask("up")
        token = lab.provider.token()
        eventually(lambda: "has no room" in host.program.output(), 60, "the message")
        assert answers(host, token) == (503, "keys_unavailable")
        assert ask(host.port, "/flush").status == 200
        eventually(lambda: answers(host, token) == PASSED, 60, "the keys")
        assert ask(host.port, "/fill").status == 200
        host.reload()
        assert at_every_worker(host, lambda: ask(host.port, "/orders", [bearer(token)])) == {PASSED}


def each_way_to_a_location_is_judged(lab):
    """After an internal redirect with the rules of the location that answers, and in a subrequest where `rewrite_by_lua` asks."""
    with Host(lab, "ways") as host:
        token = lab.provider.token()
        assert answers(host, token) == PASSED
        for path in ("/redirected", "/tried", "/missing", "/asked"):
            answer = ask(host.port, path, [bearer(token), ("X-Auth-Subject", "root")])
            assert verdict(answer) == PASSED and b"jane" in answer.body and b"root" not in answer.body, (path, answer)
            assert answers(host, lab.forged(token), path)[0] == 401, path
        assert answers(host, token, "/nobody") == (403, "no_policy")
        assert answers(host, token, "/wrong")[0] == 500
        assert "X-Auth-Subject" not in ask(host.port, "/status").body.decode()


def plugins_of_apisix_and_kong_decide(lab):
    """The functions of the page, in this nginx, and not in these programs."""
    with Host(lab, "plugins") as host:
        token = lab.provider.token()
        assert answers(host, token) == PASSED
        for path in ("/apisix", "/kong"):
            assert answers(host, token, path) == PASSED, path
            refused = ask(host.port, path, [bearer(lab.forged(token))])
            assert verdict(refused) == (401, "signature_invalid") and 'realm="inner"' in refused.field("www-authenticate"), refused
        # APISIX begins plugins again when they change.
        assert {ask(host.port, "/again").body for _ in range(4)} == {b"0"}


def every_field_is_looked_at(lab):
    """The module of Lua has a limit of 100 fields unless it is told otherwise."""
    with Host(lab, "fields") as host:
        token, many = lab.provider.token(), [(f"X-{number}", "a") for number in range(400)]
        assert answers(host, token) == PASSED
        for sent in ([*many, bearer(token)], [bearer(token), *many, ("X-Auth-Subject", "root"), *many, ("x-auth-SUBJECT", "admin")]):
            answer = ask(host.port, "/seen", sent)
            assert verdict(answer) == PASSED and answer.body == b"jane", answer
        assert ask(host.port, "/orders", [bearer(token), *[("A", "")] * 1_100]).status == 400


def streams(port, heads):
    """The statuses of requests that follow each other on one connection."""
    state, found = h2.connection.H2Connection(h2.config.H2Configuration(header_encoding="latin-1")), []
    with socket.create_connection(("127.0.0.1", port), 60) as connection:
        state.initiate_connection()
        for number, each in enumerate(heads):
            state.send_headers(2 * number + 1, each, end_stream=True)
            connection.sendall(state.data_to_send())
            while len(found) == number:
                for event in state.receive_data(connection.recv(65_536)):
                    if isinstance(event, h2.events.ResponseReceived):
                        found.append(int(dict(event.headers)[":status"]))
                connection.sendall(state.data_to_send())
    return found


@contextlib.contextmanager
def bound(lab, workers=2, **terms):
    with Host(lab, "bound", given(lab.provider.issuer, dpop={"tokens": "bound", **terms}), workers) as host:
        yield host, Bound(lab, host.port)


def a_proof_passes_once_in_all_workers(lab):
    """Reloads and killed workers forget nothing; of many requests at once one passes."""
    with bound(lab, workers=3) as (host, client), concurrent.futures.ThreadPoolExecutor(16) as pool:
        client.settle()
        for change in (lambda: None, host.reload, lambda: host.kill(host.workers()), host.reload):
            used, unused = client.proof(), client.proof()
            assert client.verdict(used) == PASSED
            change()
            assert at_every_worker(host, lambda: client.ask(used)) == {(401, "replayed_proof")}
            found = sorted(pool.map(lambda _: client.verdict(unused), range(32)))
            assert found == [PASSED] + [(401, "replayed_proof")] * 31, found


def a_proof_is_for_one_request(lab):
    with bound(lab) as (host, client):
        proofs_are_for_one_request(client.settle())
        no_proof_is_for_another_host(client)
        for path, method in (("/redirected", "GET"), ("/tried", "POST"), ("/missing", "POST"), ("/asked", "GET")):
            proof = client.proof(path, method)
            said = client.ask(proof, path=path, method=method)
            assert verdict(said) == PASSED, (path, method, said)
            assert client.ask(proof, path=path, method=method).status == 401, (path, method)


def streams_of_one_connection_are_several_requests(lab):
    """A proof that one stream of HTTP/2 has used is a replay in another one, also behind an internal redirect."""
    with bound(lab) as (host, client):
        client.settle()
        http2 = host.configuration.read_text().replace(f"listen 127.0.0.1:{host.port}", f"listen 127.0.0.1:{host.port} http2")
        host.configuration.write_text(http2)
        host.reload()
        for path in ("/orders", "/tried"):
            own = [(name.lower(), value) for name, value in fields(client.token, client.proof(path))]
            assert streams(host.port, [head(path, more=own)] * 3) == [200, 401, 401], path


def nginx_knows_the_certificate_of_its_connection(lab):
    certificates = certificate_checks.Certificates(lab.folder / "certificates-of-lua")
    directives = certificate_checks.TLS(certificates).nginx("http {\n").removeprefix("http {\n")
    server = SERVER.replace("PORT reuseport;", "PORT ssl;") if " ssl;" not in directives else SERVER
    with Host(lab, "certificates", given(lab.provider.issuer, certificateBound="required"), http=directives + server) as host:
        module = certificate_checks.Module(lab, "nginx-lua", host.port, certificates)
        eventually(module.is_ready, 60, "keys")
        for function in certificate_checks.REQUESTS:
            function(module)


def a_nonce_counts_in_all_workers(lab):
    with bound(lab, nonces={"periodSeconds": 8}) as (host, client):
        first = asked_for_nonce(client)
        assert at_every_worker(host, lambda: client.ask(client.proof(nonce=first))) == {PASSED}
        nonces_are_exchanged(client, first)


def a_token_passes_once_in_all_workers(lab):
    with Host(lab, "once", given(lab.provider.issuer, once=True)) as host:
        for _ in range(3):
            token = lab.provider.token(jti=Names.next("token"))
            assert answers(host, token, "/redirected") == PASSED
            assert at_every_worker(host, lambda: ask(host.port, "/orders", [bearer(token)])) == {(401, "replayed")}


def a_memory_has_one_size_while_nginx_runs(lab):
    with Host(lab, "once", given(lab.provider.issuer, once=True)) as host:
        token = lab.provider.token(jti=Names.next("token"))
        assert answers(host, token) == PASSED
        workers = host.settled()
        host.configuration.write_text(host.configuration.read_text().replace("wait = 20", "wait = 20, uses = 1000"))
        os.kill(host.master(), signal.SIGHUP)
        eventually(lambda: "uses changes only when nginx starts" in host.program.output(), 60, "the refusal of the reload")
        assert host.workers() == workers and answers(host, token) == (401, "replayed")


def faults_of_the_options_have_a_message(lab):
    """nginx does not start with them, and a reload with them changes nothing."""
    for options, message in [
            ('wait = "x"', "wait must be a number"), ("wait = 61", "wait must be from 0 to 60"), ("uses = 0", "uses must be a number from"),
            ('zone = "other"', "lua_shared_dict other is missing"), ('folder = 7', "folder: string expected"),
            ('settings = "{"', "the settings cannot be used"), ('settings = 7', "settings: string expected"),
            ('cache_bytes = -1', "cache_bytes is out of range"), ('addresses = { "all" }', "there are no addresses of the name all"),
            ('request_limit = "x"', "request_limit: number expected"), ("roots = 7", "roots: string expected")]:
        try:
            Host(lab, "faulty", options=options).stop()
        except AssertionError as failure:
            assert message in str(failure), (options, failure)
        else:
            raise AssertionError(f"nginx started with {options}")
    with Host(lab, "reloaded") as host:
        token = lab.provider.token()
        assert answers(host, token) == PASSED
        workers = host.settled()
        host.configure({"providers": []})
        os.kill(host.master(), signal.SIGHUP)
        eventually(lambda: "the settings cannot be used" in host.program.output(), 60, "the refusal of the reload")
        assert host.workers() == workers and answers(host, token) == PASSED


ALL = [
    the_first_requests_wait_for_the_first_keys, reloads_fail_no_request, killed_workers_are_replaced_by_workers_with_keys,
    a_rotation_every_two_seconds_loses_nothing, unknown_keys_cause_two_fetches_in_ten_seconds, no_keys_is_503_with_a_time,
    loopback_is_asked_only_with_leave, a_useless_answer_reaches_no_new_worker, a_full_dictionary_fails_closed,
    each_way_to_a_location_is_judged, plugins_of_apisix_and_kong_decide, every_field_is_looked_at, a_token_passes_once_in_all_workers,
    a_memory_has_one_size_while_nginx_runs, faults_of_the_options_have_a_message, a_proof_passes_once_in_all_workers,
    a_proof_is_for_one_request, streams_of_one_connection_are_several_requests, nginx_knows_the_certificate_of_its_connection,
    a_nonce_counts_in_all_workers]

"""The files that `assay config gateway` prints for a configuration with one more claim, in the real gateways."""
import contextlib
import re

import added_claims_checks
import differing_readings_checks
import fields_checks
import gateways
import http2_checks
import identity_attacks
import tokens_checks
from exchange import ask, bearer, converse, converse_all
from expectations import plain
from lab import Lab, Service, ServiceLab

CLAIM = "      - {header: x-auth-tenant, claim: tenant}\n"
# Checks of other files that concern a field, a cookie or a host.
REUSED = [
    fields_checks.identity_cannot_be_spoofed, fields_checks.malformed_fields_carry_no_identity,
    fields_checks.fields_behind_a_body_are_no_fields, tokens_checks.one_place_holds_one_token,
    differing_readings_checks.a_request_is_judged_by_the_host_that_serves_it,
    differing_readings_checks.a_connection_that_names_a_field_is_400,
    differing_readings_checks.a_token_in_a_second_cookie_field_is_not_anonymous,
    differing_readings_checks.no_identity_arrives_in_trailers, differing_readings_checks.no_identity_arrives_in_trailers_of_http2,
]


class ServiceWithAnotherClaim(Service):
    """In a field that no file of integrations/ handles."""

    def adapted(self, text):
        assert CLAIM in text
        return re.sub(r", handledFields: \[.*?\]", "", text.replace(CLAIM, CLAIM + "      - {header: X-User, claim: name}\n", 1))


def generated(kind):
    class Generated(kind):
        def text(self, name, file):
            return gateways.patient(gateways.printed(self.lab, name))

    return Generated


class GeneratedLab(ServiceLab):
    def begin(self):
        Lab.begin(self)
        self.service = self.kind(self)
        self.started(self.service.program)
        kinds = [kind for kind in gateways.ALL if (kind.is_real or kind is gateways.APISIX) and (not self.names or kind.name in self.names)]
        self.gateways = [self.started(generated(kind)(self)) for kind in kinds]


@contextlib.contextmanager
def generated_lab(lab):
    own = GeneratedLab([gateway.name for gateway in lab.gateways], ServiceWithAnotherClaim)
    try:
        yield own
    finally:
        own.stop()


def users(seen):
    """What an application reads as the user's name."""
    return [value for name, value in seen["fields"] if plain(name) == "x-user" and value]


def each_server_is_protected(gateway):
    """Each has its own application, which gets the claim."""
    token = gateway.lab.provider.token()
    for server, upstream in zip(identity_attacks.SERVERS, (gateway.lab.upstream, gateway.lab.second)):
        count = len(upstream.arrived)
        answer = ask(gateway.port, "/orders", [("Host", server), bearer(token)])
        assert answer and answer.status == 200 and users(answer.arrived()) == ["Jane Doe"], (gateway.name, server, answer)
        assert len(upstream.arrived) == count + 1, (gateway.name, server)
        for fields in ([], [bearer(gateway.lab.forged(token))], [("X-User", "evil")]):
            answer = ask(gateway.port, "/orders", [("Host", server), *fields])
            assert answer and answer.status == 401, (gateway.name, server, fields, answer)
        assert len(upstream.arrived) == count + 1, (gateway.name, server)


def no_client_sends_an_identity(gateway):
    """Whatever reaches an application has no identity of the client's. Returns how many attacks reached one."""
    upstreams = (gateway.lab.upstream, gateway.lab.second)
    counts = [len(upstream.arrived) for upstream in upstreams]
    attacks = list(identity_attacks.requests(gateway.lab.provider.token()))
    for (what, _), statuses in zip(attacks, converse_all(gateway.port, [text for _, text in attacks])):
        assert statuses and statuses[0] != 500, (gateway.name, what, statuses)
    over_http2 = list(identity_attacks.http2_requests(gateway.lab.provider.token())) if gateway.name in http2_checks.SPEAKING else []
    http2_checks.exchange_all(gateway.port, over_http2)
    for upstream, count in zip(upstreams, counts):
        # The last request of each conversation is none of them.
        reached = [seen for seen in upstream.arrived[count:] if seen["target"] != "/public/last"]
        for seen in reached:
            assert not identity_attacks.forged(seen), (gateway.name, identity_attacks.forged(seen), seen)
        assert reached, f"{gateway.name} lets nothing through to one of its applications: this proves nothing"
    total = sum(len(upstream.arrived) - count for upstream, count in zip(upstreams, counts)) - len(attacks)
    return f"{gateway.name} {total} of {len(attacks) + len(over_http2)}"


def is_behind(gateway):
    """`--check` names the lines of the new field that the page's files lack, where a file names its fields."""
    missing = []
    for name, file in {gateway.name: gateway.file, **gateway.parts}.items():
        page = gateways.INTEGRATIONS / file
        compared = gateways.config_gateway(gateway.lab, name, "--check", page)
        assert compared.returncode in (0, 1), compared
        missing += [line for line in compared.stdout.splitlines() if line.startswith(f"{page}: missing: ")]
    named = [line for line in missing if "x-user" in plain(line)]
    assert bool(named) == (gateway.name in added_claims_checks.NAMING), (gateway.name, missing)


def each_attack_works_without_a_gateway(lab, long):
    """Sent to the application itself, each brings the identity: what follows proves something."""
    for (title, aim), text in identity_attacks.requests("none"):
        count = len(lab.upstream.arrived)
        converse(lab.upstream_port, text)
        assert any(identity_attacks.forged(seen) for seen in lab.upstream.arrived[count:]), (title, aim)


def generated_files_hand_on_only_what_the_service_sets(lab, long):
    """One more claim and a second server: the printed files protect both, and those of the pages are behind."""
    with generated_lab(lab) as own:
        for gateway in own.gateways:
            each_server_is_protected(gateway)
            is_behind(gateway)
        return f"{len(own.gateways)} gateways"


class ForgottenInclude(gateways.Nginx):
    """Its second server lacks the file that asks the service, and has the one that needs it."""

    place = "nginx-forgotten"

    def adapted(self, text):
        before, line, after = super().adapted(text).rpartition("        include assay-server.conf;\n")
        assert line and "second.example" in before, text
        return before + after


def a_server_of_nginx_without_its_file_is_closed(lab, long):
    """It must not ask its application, which answers 200 to every path."""
    if all(gateway.name != "nginx" for gateway in lab.gateways):
        return "skipped"
    gateway, token = ForgottenInclude(lab), lab.provider.token()
    try:
        assert ask(gateway.port, "/orders", [bearer(token)]).status == 200
        for fields in ([], [bearer(token)]):
            for target in ("/orders", "/public", "/assay_decision"):
                assert ask(gateway.port, target, [("Host", "second.example"), *fields]).status == 500, (target, fields)
    finally:
        gateway.stop()


def generated_files_let_no_client_send_an_identity(lab, long):
    with generated_lab(lab) as own:
        reached = [no_client_sends_an_identity(gateway) for gateway in own.gateways]
        for gateway in own.gateways:
            for check in REUSED:
                check(gateway)
        return "reached an application: " + ", ".join(reached)


ALL = [
    each_attack_works_without_a_gateway, generated_files_hand_on_only_what_the_service_sets,
    generated_files_let_no_client_send_an_identity, a_server_of_nginx_without_its_file_is_closed,
]

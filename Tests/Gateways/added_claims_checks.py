"""Claims that a reload adds, and that the gateways' files do not know yet. Each check is a function of the lab."""
import json

from differing_readings_checks import field
from exchange import ask, bearer
from expectations import passed
from program import eventually

# The gateways whose files name their fields; HAProxy's names all.
NAMING = ("nginx", "caddy", "envoy-http", "apisix")


def a_claim_that_a_reload_adds_is_closed_until_the_file_follows(lab, long):
    """Each gateway either takes every field of the answer, or refuses all requests until its file names the new one."""
    before = "      - {header: x-auth-name, claim: name}\n"
    named = ", handledFields: [x-auth-subject, x-auth-name, x-auth-tenant]}"
    assert before in lab.service.text and named in lab.service.text
    text = lab.service.text.replace(named, "}")
    naming = [gateway.name for gateway in lab.gateways if gateway.name in NAMING]
    for gateway in lab.gateways:
        passed(gateway, "/public")
    generation, names = lab.service.metric("assay_gateway_configuration_generation"), ("x-user", "X-Remote-User")
    try:
        # What a listener's gateway handles may also stand in the configuration: then the reload changes nothing.
        lab.service.configure(lab.service.text.replace(before, f"{before}      - {{header: x-user, claim: sub}}\n"))
        lab.service.reload("failed")
        for name in names:
            lab.service.configure(text.replace(before, f"{before}      - {{header: {name}, claim: sub}}\n"))
            lab.service.reload("succeeded")
            # The reload itself says so, before the next question.
            assert [is_behind(lab, name) for name in naming] == [1] * len(naming), naming
            for gateway in lab.gateways:
                if gateway.is_real or gateway.name in NAMING:
                    does_not_let_through(gateway, name)
    finally:
        lab.service.configure(lab.service.text)
        lab.service.reload("succeeded")
    assert not any(is_behind(lab, gateway.name) for gateway in lab.gateways)
    told = [(line["fields"], line["listener"]) for line in lines_since(lab, generation) if line["listener"] in naming]
    assert sorted(told) == sorted((name.lower(), listener) for name in names for listener in naming), told
    counted = lab.service.administration("/metrics")[1]
    is_asked = any(gateway.name == "nginx" for gateway in lab.gateways)
    assert not is_asked or 'assay_gateway_refused_messages_total{code="unhandled_field",listener="nginx"}' in counted, counted


def is_behind(lab, listener):
    return lab.service.metric(f'assay_gateway_file_behind{{listener="{listener}"}}')


def lines_since(lab, generation):
    """The log's lines about files that are behind a later configuration. That of the last reload stands behind them."""
    def lines():
        whole = [line for line in lab.service.program.output().splitlines(True) if line.startswith("{") and line.endswith("\n")]
        return [line for line in map(json.loads, whole) if float(line.get("generation", 0)) > generation]

    last = lab.service.metric("assay_gateway_configuration_generation")
    eventually(lambda: any(line["message"] == "reloaded" and float(line["generation"]) == last for line in lines()), 60, "the last line")
    return [line for line in lines() if line["message"].startswith("the gateway's file is behind")]


def does_not_let_through(gateway, name):
    for target, own in (("/public", []), ("/orders", [bearer(gateway.lab.provider.token())])):
        answer = ask(gateway.port, target, [(name, "evil"), *own])
        assert answer, (gateway.name, target)
        if answer.status == 200:
            assert gateway.name in ("haproxy", "envoy-grpc"), (gateway.name, answer)
            values = field(answer.arrived(), name.lower())
            assert "evil" not in values, (gateway.name, target, values)
        else:
            assert answer.field("x-assay-code") == "unhandled_field", (gateway.name, target, answer)
            assert "503" in (str(answer.status), answer.field("x-assay-status")), (gateway.name, target, answer)


ALL = [a_claim_that_a_reload_adds_is_closed_until_the_file_follows]

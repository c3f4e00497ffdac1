"""The files that `assay config gateway` prints for a configuration with one more claim, in the real gateways."""
import contextlib
import re
import subprocess

import gateways
from exchange import ask, bearer
from expectations import passed, plain
from lab import Lab, Service, ServiceLab

CLAIM = "      - {header: x-auth-tenant, claim: tenant}\n"


class ServiceWithAnotherClaim(Service):
    """In a field that no file of integrations/ handles."""

    def adapted(self, text):
        assert CLAIM in text
        return re.sub(r", handledFields: \[.*?\]", "", text.replace(CLAIM, CLAIM + "      - {header: X-User, claim: name}\n", 1))


def config_gateway(lab, name, *options):
    return subprocess.run([lab.assay, "config", "gateway", name, "--config", lab.service.file, *options], capture_output=True, text=True)


def generated(kind):
    class Generated(kind):
        def text(self):
            printed = config_gateway(self.lab, self.name)
            assert printed.returncode == 0, printed
            return gateways.patient(printed.stdout)

    return Generated


class GeneratedLab(ServiceLab):
    def begin(self):
        Lab.begin(self)
        self.service = self.kind(self)
        self.started(self.service.program)
        self.gateways = [self.started(generated(kind)(self)) for kind in gateways.ALL if kind.is_real]


def users(arrived):
    """What an application reads as the user's name."""
    return [value for name, value in arrived["fields"] if plain(name) == "x-user" and value]


def hands_on_what_the_service_sets(gateway):
    token = gateway.lab.provider.token()
    for mine in ([], [("X-User", "evil")], [("x-user", "evil"), ("X-USER", "evil")], [("X_User", "evil")], [("X.User", "evil")]):
        answer = ask(gateway.port, "/orders", [bearer(token), *mine])
        assert answer and answer.status in (200, 400), (mine, answer)
        if answer.status == 200 or not mine:
            assert users(answer.arrived()) == ["Jane Doe"], (gateway.name, mine, answer)
        open_answer = ask(gateway.port, "/public", mine)
        assert open_answer and open_answer.status in (200, 400), (mine, open_answer)
        assert open_answer.status == 400 or users(open_answer.arrived()) == [], (gateway.name, mine, open_answer)
    for connection in ("close, x-user", "X-User", "close, x-auth-subject"):
        answer = ask(gateway.port, "/orders", [bearer(token), ("Connection", connection)])
        assert answer is None or answer.status == 400 or users(answer.arrived()) == ["Jane Doe"], (gateway.name, connection, answer)
    assert passed(gateway, "/orders", [bearer(token)])


def generated_files_hand_on_only_what_the_service_sets(lab, long):
    """One more claim: the printed files take its field from the answer, and those of the pages are behind."""
    own = GeneratedLab([], ServiceWithAnotherClaim)
    with contextlib.ExitStack() as ending:
        ending.callback(own.stop)
        for gateway in own.gateways:
            hands_on_what_the_service_sets(gateway)
            page = gateways.INTEGRATIONS / gateway.file
            compared = config_gateway(own, gateway.name, "--check", page)
            assert compared.returncode == 1 and compared.stdout.startswith(f"{page}: missing: "), compared
        return f"{len(own.gateways)} gateways"


ALL = [generated_files_hand_on_only_what_the_service_sets]

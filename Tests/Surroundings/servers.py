"""The servers under test. Each has requests whose right answers are known."""
import os
import pathlib
import shutil
import tempfile

from identity import CLIENT, Person
from programs import ASSAY, FOLDER, TIME, Running
from surroundings import (
    CORES, DESCRIPTORS, FALSE_CLOCK, LOADER, MEBIBYTES, NO_ADDRESS, NO_KEYS, NO_KEYS_LEFT, RESOURCE, THREADS, USAGE,
    user_of)
from tasks import BASIC, OPEN

from exchange import ask, bearer

# A server of ours asks for more than a command.
MORE = {"descriptors": (*DESCRIPTORS, 60, 100, 100 + 4 * CORES), "mebibytes": (*MEBIBYTES, 1_000 + 20 * CORES),
        "threads": (*THREADS, 24, 32, 64 + 4 * CORES)}


def folder_of_all():
    """A new folder in which every user may make files."""
    folder = pathlib.Path(tempfile.mkdtemp(dir=OPEN))
    folder.chmod(0o1777)
    return folder


class Server:
    """A server that can be started many times at once.

    needs: see `Fault.part`. refusals: the exit codes with which it says that it cannot serve. limits: arguments of `surroundings.limits`.
    is_ours: whether the program is, or only a module in it. impossible: surroundings in which it does not start without the module either.
    """

    name, needs, refusals, limits = "", BASIC, (USAGE, NO_KEYS, NO_ADDRESS, RESOURCE, LOADER), MORE
    is_ours, impossible = True, ()

    def command(self, surrounding):
        raise NotImplementedError

    def begun(self, surrounding="", prefix=(), environment=None):
        return Running([*prefix, *map(str, self.command(surrounding))], environment)

    def port(self, running):
        """Where it listens; None if it ends instead."""
        raise NotImplementedError

    def answers(self, running, port, surrounding):
        """Asks, and checks the answers."""
        raise NotImplementedError


class TokenServer(Server):
    """A server that lets requests with a good token through."""

    fields, without_keys = (), None

    def __init__(self, issuer):
        self.issuer = issuer

    def answer(self, port, token):
        return ask(port, "/orders", [*self.fields, *([bearer(token.decode().strip())] if token else [])], timeout=TIME)

    def answers(self, running, port, surrounding):
        good, bad = ((200, None), (401, "signature_invalid")) if surrounding != NO_KEYS_LEFT else ((503, "keys_unavailable"),) * 2
        early = (401, "expired") if surrounding not in (FALSE_CLOCK, NO_KEYS_LEFT) else good
        for token, (status, code) in [
            (self.issuer.token, good), (self.issuer.forged, bad), (self.issuer.early, early), (None, (401, "missing_token")),
        ]:
            answer = self.answer(port, token)
            assert answer and answer.status == status, (status, code, answer)
            assert code in (None, answer.field("x-assay-code")), (code, answer)


LISTENER = "listeners: [{name: edge, profile: caddy, %s}]\n"
SETTINGS = """\
administration: {tcp: "127.0.0.1:0"}
providers: [{name: idp, issuer: "%s", audiences: [web], keys: {file: %s}}]
policies: [{name: api, requires: idp}]
routes: [{policy: api}]
"""


class GatewayService(TokenServer):
    name = "serve"
    fields = [("X-Forwarded-Method", "GET"), ("X-Forwarded-Proto", "https"), ("X-Forwarded-Host", "app.example"), ("X-Forwarded-Uri", "/")]
    listener, file = 'tcp: "127.0.0.1:0"', FOLDER / "gateway.yaml"

    def __init__(self, issuer):
        super().__init__(issuer)
        self.file.write_text(LISTENER % self.listener + SETTINGS % (issuer.name, issuer.keys))

    def command(self, surrounding):
        return [ASSAY, "serve", "--config", self.file]

    def port(self, running):
        line = running.line(b"ready edge")
        return line and int(line.rpartition(":")[2])


class IdentityService(Server):
    """It starts with the database of an earlier run: new keys take seconds. At a false clock they would be from the future."""

    name, needs = "idaas serve", (*BASIC, "server key")
    limits = {**MORE, "threads": (*MORE["threads"], 200 + 4 * CORES)}

    def __init__(self):
        self.earlier = folder_of_all()
        with Running(self.on(self.earlier)) as running:
            assert self.port(running), running.errors()
            assert running.stopped() == 0, running.errors()

    def on(self, folder):
        return [ASSAY, "idaas", "serve", "--dev", "--client", CLIENT, "--listen", "127.0.0.1:0", "--db", folder / "idaas.sqlite"]

    def begun(self, surrounding="", prefix=(), environment=None):
        folder = folder_of_all()
        for file in self.earlier.iterdir() if surrounding != FALSE_CLOCK else []:
            shutil.copy(file, folder)
            if user := user_of(prefix):
                os.chown(folder / file.name, user, user)
        return Running([*prefix, *map(str, self.on(folder))], environment)

    def port(self, running):
        line = running.line(b"ready ")
        return line and int(line.split()[1].rpartition(":")[2])

    def answers(self, running, port, surrounding):
        line = running.line(b"development token")
        assert line, "no token of development"
        person = Person(f"http://127.0.0.1:{port}", line.split()[-1])
        assert person.good("/readyz") == {"status": "ready"}
        person.is_known_by_a_token_and_not_by_a_forged_one()

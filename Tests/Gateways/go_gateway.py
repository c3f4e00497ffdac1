"""The Go package before a reverse proxy of net/http, with the settings that the service has in the other tests."""
import json
import os
import pathlib

from lab import ModuleLab
from library_gateway import settings
from program import Program, free_port

HOST = pathlib.Path(os.environ["ASSAY_GO_HOST"])


class GoGateway:
    name = "go"
    is_real = False

    def __init__(self, lab):
        self.lab, self.port = lab, free_port()
        file = lab.folder / "settings.json"
        file.write_text(json.dumps(settings(lab.provider.issuer)))
        self.program = Program([HOST, file, self.port, lab.upstream_port], lab.folder / "go.log", [self.port])

    def stop(self):
        self.program.stop()


class GoLab(ModuleLab):
    def begin(self):
        super().begin()
        self.gateway = self.started(GoGateway(self))

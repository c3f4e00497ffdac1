"""libassay inside a plain proxy, with the settings that the service has in the other tests."""
import json
import os
import pathlib
import sys

import yaml

from gateways import INTEGRATIONS
from lab import MORE, ROOT, ModuleLab
from program import Program, free_port

LIBRARY = pathlib.Path(os.environ.get("ASSAY_LIBRARY", ROOT / ".build-lib/assay")) / "libassay.so"
OF_DECISIONS = ("providers", "policies", "routes", "resources")


def settings(issuer):
    """What the service's file has for decisions."""
    text = (INTEGRATIONS / "assay.yaml").read_text()
    for place, more in MORE.items():
        text = text.replace("\n" + place, "\n" + more + place)
    document = yaml.safe_load(text.replace("https://idp.example", issuer))
    return {name: document[name] for name in OF_DECISIONS}


class LibraryGateway:
    name = "library"
    is_real = False

    def __init__(self, lab):
        self.lab, self.port = lab, free_port()
        file = lab.folder / "settings.json"
        file.write_text(json.dumps(settings(lab.provider.issuer)))
        command = [sys.executable, pathlib.Path(__file__).with_name("library_host.py"), LIBRARY, file, self.port, lab.upstream_port]
        self.program = Program(command, lab.folder / "library.log", [self.port])

    def stop(self):
        self.program.stop()


class LibraryLab(ModuleLab):
    def begin(self):
        super().begin()
        self.gateway = self.started(LibraryGateway(self))

"""HAProxy with module assay inside it, with the settings that the service has in the other tests."""
import json
import os
import pathlib
import shutil

import gateways
from lab import ROOT, ModuleLab
from library_gateway import LIBRARY, settings
LUA = ROOT / "bindings/lua"
# assay/core.so for the Lua of HAProxy.
CORE = pathlib.Path(os.environ.get("ASSAY_LUA_CORE", ROOT / ".build-lua/5.3"))


class HAProxyWithin(gateways.Gateway):
    """The files of bindings/lua/haproxy, which stand beside those that ask the service."""

    name, file = "haproxy", "../bindings/lua/haproxy/haproxy.cfg"

    def __init__(self, lab, place="haproxy", document=None, threads=2, lines=(), options=(), adapt=str, script=str):
        """`document` has other settings, `lines` stand in `global`, `adapt` changes the configuration, and `script` the script."""
        self.place, self.threads, self.lines, self.options, self.adapt, self.script = place, threads, lines, options, adapt, script
        self.settings = lab.folder / f"{place}.json"
        self.settings.write_text(json.dumps(document or settings(lab.provider.issuer)))
        super().__init__(lab)

    def adapted(self, text):
        script = self.folder / "assay.lua"
        # On a busy machine a wait for keys may take seconds.
        script.write_text(self.script((LUA / "haproxy/assay.lua").read_text().replace("= 2000, 10000, 50", "= 30000, 30000, 20")))
        text = text.replace("/etc/haproxy/assay.lua", str(script)).replace("/etc/haproxy/assay.json", str(self.settings))
        lines = [f"lua-prepend-path {LUA}/?.lua", f"lua-prepend-path {CORE}/?.so cpath", f"nbthread {self.threads}",
                 f"stats socket {self.folder}/socket level admin expose-fd listeners", *self.lines]
        return self.adapt(text).replace("global\n", "global\n" + "".join(f"    {line}\n" for line in lines), 1)

    def environment(self):
        return {**super().environment(), "LD_LIBRARY_PATH": str(LIBRARY.parent)}

    def arguments(self):
        return [shutil.which("haproxy") or "/usr/sbin/haproxy", "-f", self.configuration, *self.options]



class HAProxyLab(ModuleLab):
    def begin(self):
        super().begin()
        self.gateway = self.started(HAProxyWithin(self))

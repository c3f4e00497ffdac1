"""nginx with Lua and module assay.nginx of bindings/lua, with the settings that the service has in the other tests."""
import json
import os
import pathlib
import re

from lab import ROOT, ModuleLab
from library_gateway import settings
from nginx_processes import BINARY, Processes, early_log
from program import Program, eventually, free_port

# Of Tests/Gateways/nginx-lua.sh.
LUA = pathlib.Path(os.environ["ASSAY_NGINX_LUA"])
OPTIONS = 'addresses = { "loopback" }, wait = 20'


def environment():
    """Where nginx finds the libraries of its module."""
    folders = [str(folder) for folder in LUA.glob("**/*-linux-gnu") if folder.is_dir()]
    return {"LD_LIBRARY_PATH": ":".join([*folders, os.environ.get("LD_LIBRARY_PATH", "")])}


MODULES = "".join(f"load_module {LUA}/usr/lib/nginx/modules/{name}_module.so;\n" for name in ("ndk_http", "ngx_http_lua"))
PATH = f'lua_package_path "{ROOT}/bindings/lua/?.lua;{LUA}/usr/share/lua/5.1/?.lua;;";\n'


def opened(folder, zone="8m", options=OPTIONS):
    """The directives that open the gateway of `settings.json` in the folder."""
    return f"""    {PATH}    lua_shared_dict assay {zone};
    init_by_lua_block {{ require("assay.nginx").open {{ file = "{folder}/settings.json", {options} }} }}
    init_worker_by_lua_block {{ require("assay.nginx").start() }}
"""


def configuration(folder, port, upstream, listening="", main="", **more):
    """The page's configuration with these addresses, and with this run's folders."""
    text = (ROOT / "bindings/lua/nginx/nginx.conf").read_text()
    page = re.search(r"    lua_package_path .*?start\(\) }\n", text, re.S)[0]
    paths = "".join(f"    {kind}_temp_path {folder}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    if os.geteuid() == 0:
        main += "user root;\n"
    for old, new in {
        page: paths + opened(folder, **more), re.search("(load_module .*\n)+", text)[0]: MODULES, "/run/assay-nginx.pid": f"{folder}/pid",
        "worker_processes 2;\n": main, "127.0.0.1:8080": f"127.0.0.1:{port} {listening}", "127.0.0.1:9000": upstream,
    }.items():
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


class NginxLua(Processes):
    """A reverse proxy whose every location asks module assay.nginx."""

    name = "nginx-lua"
    is_real = True
    workers_wanted, listening = 2, "reuseport"

    def __init__(self, lab, name="nginx-lua", http=None, given=None, **more):
        self.lab, self.port = lab, free_port()
        self.folder = lab.folder / name
        self.folder.mkdir()
        self.configure(given or settings(lab.provider.issuer))
        self.configuration = self.folder / "nginx.conf"
        text = configuration(
            self.folder, self.port, f"127.0.0.1:{lab.upstream_port}", self.listening, f"worker_processes {self.workers_wanted};\n", **more)
        if http:
            http = http.replace("PORT", str(self.port)).replace("UPSTREAM", f"127.0.0.1:{lab.upstream_port}")
            text = text[:text.index("    server {\n")] + http + "}\n"
        self.configuration.write_text(text)
        self.arguments = [BINARY, *early_log(), "-c", self.configuration, "-g", "daemon off;"]
        self.program = Program(self.arguments, self.folder / "log", ports=[self.port], cwd=self.folder, environment=environment())
        eventually((self.folder / "pid").exists, 60, "the master's number")

    def configure(self, given):
        (self.folder / "settings.json").write_text(json.dumps(given))

    def stop(self):
        self.program.stop()


class NginxLuaHTTP2(NginxLua):
    """The same, and clients speak HTTP/2 without TLS."""

    name, listening = "nginx-lua-http2", "http2"


class NginxLuaLab(ModuleLab):
    """nginx with Lua; a second one speaks HTTP/2."""

    def begin(self):
        super().begin()
        self.gateway = self.started(NginxLua(self))
        self.http2 = self.started(NginxLuaHTTP2(self, "nginx-lua-http2"))

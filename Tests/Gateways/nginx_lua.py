"""nginx with Lua and module assay.nginx of bindings/lua, with the settings that the service has in the other tests."""
import json
import os
import pathlib

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


def configuration(folder, http, zone="8m", options=OPTIONS, main=""):
    """A configuration with the gateway of `settings.json` in the folder."""
    paths = "".join(f"    {kind}_temp_path {folder}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    if os.geteuid() == 0:
        main += "user root;\n"
    return f"""{main}load_module {LUA}/usr/lib/nginx/modules/ndk_http_module.so;
load_module {LUA}/usr/lib/nginx/modules/ngx_http_lua_module.so;
pid {folder}/pid;
error_log stderr warn;
events {{ worker_connections 1024; }}
http {{
{paths}    access_log off;
    large_client_header_buffers 4 16k;
    lua_package_path "{ROOT}/bindings/lua/?.lua;{LUA}/usr/share/lua/5.1/?.lua;;";
    lua_shared_dict assay {zone};
    init_by_lua_block {{ require("assay.nginx").open {{ file = "{folder}/settings.json", {options} }} }}
    init_worker_by_lua_block {{ require("assay.nginx").start() }}
{http}}}
"""


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
        text = (http or self.http()).replace("PORT", str(self.port)).replace("LISTEN", self.listening).replace("UPSTREAM", f"127.0.0.1:{lab.upstream_port}")
        self.configuration.write_text(configuration(self.folder, text, main=f"worker_processes {self.workers_wanted};\n", **more))
        self.arguments = [BINARY, *early_log(), "-c", self.configuration, "-g", "daemon off;"]
        self.program = Program(self.arguments, self.folder / "log", ports=[self.port], cwd=self.folder, environment=environment())
        eventually((self.folder / "pid").exists, 60, "the master's number")

    def configure(self, given):
        (self.folder / "settings.json").write_text(json.dumps(given))

    def http(self):
        return """
    server {
        listen 127.0.0.1:PORT LISTEN;
        access_by_lua_block { require("assay.nginx").access() }
        location /.well-known/oauth-protected-resource {
            access_by_lua_block { }
            content_by_lua_block { require("assay.nginx").resource_metadata() }
        }
        location / {
            proxy_http_version 1.1;
            proxy_set_header Host $http_host;
            proxy_pass http://UPSTREAM;
        }
    }
"""

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

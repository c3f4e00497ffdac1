"""The parts of APISIX that its own file needs, in Debian's nginx with Lua: neither Debian nor PyPI has APISIX.

The function of the file runs as it is. Around it is the contract of APISIX, by its documentation: underscores in names of fields are
allowed; the first route whose host fits decides; `serverless-pre-function` comes before `forward-auth`, which asks with the listed fields
(apisix.lua).
"""
import os
import pathlib

import yaml

HERE = pathlib.Path(__file__).parent
# Of Tests/Gateways/nginx-lua.sh; None if there is none.
LUA = os.environ.get("ASSAY_NGINX_LUA")
ASKED = {
    "X-Forwarded-Proto": "$scheme", "X-Forwarded-Method": "$request_method", "X-Forwarded-Host": "$host", "X-Forwarded-Uri": "$request_uri",
    "X-Forwarded-For": "$remote_addr",
}


def environment():
    """Where the program finds the module's libraries."""
    return {"LD_LIBRARY_PATH": ":".join(str(folder) for folder in pathlib.Path(LUA).glob("**/*-linux-gnu") if folder.is_dir())}


def table(value):
    """A Lua table of strings."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"[ [==[{key}]==] ] = {table(one)}" for key, one in value.items()) + " }"
    if isinstance(value, list):
        return "{ " + ", ".join(map(table, value)) + " }"
    return f"[==[{value}]==]"


def described(route):
    """What apisix.lua needs of a route. Its path is a prefix."""
    assert route["uri"].endswith("*")
    return {
        "host": route.get("host", ""), "prefix": route["uri"][:-1], "to": next(iter(route["upstream"]["nodes"])),
        "asks": route.get("plugin_config_id", ""),
    }


def settings(text):
    """What apisix.lua needs of the file, and the settings of `forward-auth`."""
    document = yaml.safe_load(text)
    assert text.endswith("#END\n"), "APISIX takes no file without this end"
    plugins = {each["id"]: each["plugins"] for each in document["plugin_configs"]}
    assert {route["plugin_config_id"] for route in document["routes"] if "plugin_config_id" in route} == set(plugins) == {"assay"}
    before, asking = plugins["assay"]["serverless-pre-function"], plugins["assay"]["forward-auth"]
    assert before["phase"] == "rewrite" and asking["request_method"] == "GET" and asking["allow_degradation"] is False
    # A route with a host comes before one without, and then the one with the higher priority.
    routes = sorted(document["routes"], key=lambda route: (not route.get("host"), -route.get("priority", 0)))
    return {
        "functions": before["functions"], "routes": list(map(described, routes)), "upstream_headers": asking["upstream_headers"],
        "client_headers": asking["client_headers"], "status_on_error": str(asking["status_on_error"]),
    }, asking


def question(asking):
    """The location that asks. APISIX's own fields come first, and `extra_headers` replace them; the client's replace none."""
    fields = {**ASKED, **asking["extra_headers"]}
    for name in asking["request_headers"]:
        fields.setdefault(name, "$http_" + name.lower().replace("-", "_"))
    lines = [f'proxy_set_header {name} "{value}";' for name, value in {**fields, "Content-Length": "", "Connection": ""}.items()]
    return "\n            ".join([f"proxy_pass {asking['uri']};", f"proxy_read_timeout {asking['timeout']}ms;", *lines])


def nginx(text, folder, port):
    """The configuration of nginx that stands for APISIX with this file."""
    kept, asking = settings(text)
    (folder / "settings.lua").write_text(f"return {table(kept)}\n")
    paths = "".join(f"{kind}_temp_path {folder}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    template = (HERE / "apisix.conf").read_text()
    for name, value in {
        "USER": "user root;\n" if os.geteuid() == 0 else "", "MODULES": f"{LUA}/usr/lib/nginx/modules", "FOLDER": str(folder),
        "PATHS": paths, "LUA": f"{LUA}/usr/share/lua/5.1", "HERE": str(HERE), "PORT": str(port), "QUESTION": question(asking),
    }.items():
        template = template.replace(f"<{name}>", value)
    return template

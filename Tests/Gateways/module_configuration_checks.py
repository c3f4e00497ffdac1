"""What `nginx -t` says about nonsense. Each is a function of a lab."""
import json
import os
import re
import subprocess

from lab import ROOT
from nginx_processes import Nginx

RESOURCE = "assay_issuer https://a.example; assay_protected_resource"
START = "assay_issuer https://idp.example; assay_audiences a;"
KEY = {"kty": "EC", "crv": "P-256", "kid": "a", "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
       "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"}
# Directives of a server, and what nginx must say about them. What only nginx knows is refused where it stands.
FAULTS = [
    ("assay maybe;", "it must be \"on\" or \"off\""),
    ("assay_leeway x;", "invalid value"),
    ("assay_leeway -1;", "invalid value"),
    ("assay_algorithms RS256; assay_algorithms ES256;", "is duplicate"),
    ("assay_audiences;", "invalid number of arguments"),
    ("assay_any_audience maybe;", "it must be \"on\" or \"off\""),
    ("assay_issuer \"https://\udce4\";", "has a text that is not UTF-8"),
    ("assay_audiences a \"\udce4\";", "has a text that is not UTF-8"),
    ("assay_token authorization;", "has a place that is not"),
    ("assay_token header=;", "invalid name"),
    ("assay_token header=a_b;", "invalid name"),
    ("assay_token \"cookie=\udce4\";", "has a text that is not UTF-8"),
    ("assay_token bearer; assay_token bearer;", "is duplicate"),
    ("assay_require groups some a;", "needs \"any\" or \"all\""),
    ("assay_require groups any;", "has no value"),
    ("assay_require groups any \"\udce4\";", "has a text that is not UTF-8"),
    ("assay_header X_User sub;", "other characters"),
    ("assay_header X-User sub yaml;", "is not \"json\""),
    ("assay_header X-User \"\udce4\";", "has a text that is not UTF-8"),
    ("assay_remove_headers Cookie;", "HTTP uses itself"),
    ("assay_remove_headers X-A X_B;", "other characters"),
    ("assay_keys_file /nonexistent/keys;", "cannot be opened"),
    ("assay_keys_file FOLDER/empty;", "has no keys"),
    ("assay_keys_file FOLDER/broken;", "has no keys"),
    ("assay_keys_file FOLDER/huge;", "has no keys"),
    ("assay_keys_file FOLDER/encryption;", "has no usable key"),
    ("assay_keys_file FOLDER;", "cannot be read"),
    ("assay_keys_file FOLDER/keys; assay_keys_url https://a.example;", "\"assay_keys_url\" directive stands beside another place of keys"),
    ("assay_keys_url https://a.example; assay_keys_file FOLDER/keys;", "\"assay_keys_file\" directive stands beside another place of keys"),
    ("assay_keys_url https://a.example; assay_keys_url https://b.example;", "is duplicate"),
    ("assay_keys_file FOLDER/keys; assay_refresh revocation-first;", "\"assay_refresh\" directive does not fit"),
    ("assay_keys_file FOLDER/keys; assay_stale 1h;", "\"assay_stale\" directive does not fit"),
    ("assay_stale 0; assay_keys_file FOLDER/keys;", "\"assay_keys_file\" directive does not fit"),
    ("assay_refresh availability-first; assay_keys_file FOLDER/keys;", "\"assay_keys_file\" directive does not fit"),
    ("assay_token_cache 1k;", "has a size"),
    ("assay_token_cache 1m age=3;", "is not \"maximum_age=\""),
    ("assay_token_cache 1m maximum_age=2d;", "from 1s to 1d"),
    ("assay_wait 2m;", "is longer than a minute"),
    ("assay_login_redirect /a; assay_login_redirect off;", "is duplicate"),
    ("assay_paths loose;", "invalid value"),
    ("assay_protected_resource https://a.example x=y;", "has a parameter that it does not know"),
    ("assay_protected_resource https://a.example name=a name=b;", "has a parameter twice"),
    ("assay_protected_resource off; assay_protected_resource off;", "is duplicate"),
    ("assay_protected_resource \"https://\udce4\";", "has a text that is not UTF-8"),
    ("assay_protected_resource https://a.example \"name=\udce4\";", "has a text that is not UTF-8"),
    ("assay_zone 1m;", "is not allowed here"),
    ("assay_claims sub;", "unknown directive"),
]
# What libassay finds in the settings of a location that has `assay on`: the directives beside it, and what nginx must say.
SETTINGS = [
    ("", "assay_issuer", "is missing"),
    ("assay_issuer https://a.example;", "assay_audiences", "is missing; a token for another service would be accepted (\"assay_any_audience\")"),
    (f"{START} assay_any_audience on;", "assay_audiences", "is of no use with \"assay_any_audience\""),
    ("assay_issuer https://a.example; assay_any_audience on; assay_tokens access-token;", "assay_any_audience",
     "tokens of this kind (\"assay_tokens\") need \"assay_audiences\""),
    ("assay_issuer urn:a; assay_audiences a;", "assay_issuer", "an https URL, or \"assay_keys_url\" has to say where its keys are"),
    ("assay_issuer \"\"; assay_audiences a;", "assay_issuer", "a text is expected"),
    ("assay_issuer \"https://\u00e4\"; assay_audiences a;", "assay_issuer", "an https URL"),
    (f"{START} assay_leeway 11m;", "assay_leeway", "between 0 and 600, not 660"),
    (f"{START} assay_maximum_age 0;", "assay_maximum_age", "between 1 and 315360000, not 0"),
    (f"{START} assay_stale 2d;", "assay_stale", "between 0 and 86400, not 172800"),
    (f"{START} assay_algorithms RS256 XS256;", "assay_algorithms", "`XS256` is not an algorithm for public keys; did you mean `ES256`?"),
    (f"{START} assay_algorithms none;", "assay_algorithms", "`none` is not an algorithm for public keys"),
    (f"{START} assay_algorithms HS256;", "assay_algorithms", "`HS256` is not an algorithm for public keys"),
    (f"{START} assay_algorithms \"\";", "assay_algorithms", "a text is expected"),
    (f"{START} assay_tokens refresh-token;", "assay_tokens", "is one of any, access-token, id-token"),
    (f"{START} assay_refresh never;", "assay_refresh", "is one of availability-first, revocation-first"),
    (f"{START} assay_token cookie=;", "assay_token", "a text is expected"),
    (f"{START} assay_token bearer bearer;", "assay_token", "has one place twice"),
    (f"{START} assay_scopes \"a b\";", "assay_scopes", "a scope has no spaces"),
    (f"{START} assay_require /a~2 any b;", "assay_require", "is no JSON Pointer"),
    (f"{START} assay_header X-User /~;", "assay_header", "is no JSON Pointer"),
    (f"{START} assay_header Host sub;", "assay_header", "this field belongs to HTTP, to the gateway"),
    (f"{START} assay_header X-Forwarded-User sub;", "assay_header", "this field belongs to HTTP, to the gateway"),
    (f"{START} assay_header X-User sub; assay_header x-user name;", "assay_header", "two claims set `x-user`"),
    (f"{START} assay_keys_url ftp://a.example;", "assay_keys_url", "an https or http URL is expected"),
    (f"{START} assay_keys_url keys;", "assay_keys_url", "an https or http URL is expected"),
    (f"{START} assay_keys_url \"https://a.example/{{tenant}}\";", "assay_keys_url", "an https or http URL is expected"),
    (f"{START} assay_realm 'a \"b\"';", "assay_realm", "printable ASCII without quotation marks"),
    (f"{START} assay_realm \"a\nb\";", "assay_realm", "printable ASCII without quotation marks"),
    (f"{START} assay_tenants a;", "assay_tenants", "is of no use without `{tenant}` in \"assay_issuer\""),
    (f"{START} assay_tenants \"\";", "assay_tenants", "is of no use"),
    ("assay_issuer \"https://a.example/{tenant}\"; assay_audiences a;", "assay_issuer", "needs \"assay_tenants\""),
    ("assay_issuer \"https://{tenant}.example/\"; assay_tenants a; assay_audiences a;", "assay_issuer", "has a brace"),
    ("assay_issuer \"https://a.example/{tenant}\"; assay_tenants a a; assay_audiences a;", "assay_tenants", "has `a` twice"),
    (f"{START} assay_login_redirect \"\";", "assay_login_redirect", "a text is expected"),
    (f"{START} assay_login_redirect \"/ä\";", "assay_login_redirect", "an https URL is expected"),
    (f"{START} assay_login_redirect //evil.example;", "assay_login_redirect", "an https URL is expected"),
    (f"{START} assay_login_redirect http://login.example;", "assay_login_redirect", "needs https"),
    (f"{START} assay_login_redirect \"/{{url}}\";", "assay_login_redirect", "`{url}` stands once, and in the query"),
    (f"{START} assay_resource_metadata meta;", "assay_resource_metadata", "a URL is expected"),
    (f"{START} assay_protected_resource https://a.example/b;", "assay_audiences", "a policy with a resource needs this provider, whose audiences lack"),
    (f"{RESOURCE} http://b.example;", "assay_protected_resource", "a resource is an https URL"),
    (f"{RESOURCE} https://b.example/a//b;", "assay_protected_resource", "a resource is an https URL"),
    (f"{RESOURCE} https://b.example keys=http://b.example;", "assay_protected_resource", "an https URL is expected"),
    (f"{RESOURCE} https://b.example signing_key=/nonexistent/key signing_algorithm=ES256;", "assay_protected_resource", "/nonexistent/key: cannot be read"),
    (f"{RESOURCE} https://b.example signing_key=/nonexistent/key;", "assay_protected_resource", "is missing"),
    (f"{RESOURCE} https://b.example; assay_resource_metadata https://a.example;", "assay_resource_metadata", "the policy's resource names its metadata already"),
    (f"{START} assay_acr_values \"a b\";", "assay_acr_values", "an age is from a second to ten years; at most 16 values"),
    (f"{START} assay_maximum_authentication_age 0;", "assay_maximum_authentication_age", "between 1 and 315360000, not 0"),
]
MAIN_FAULTS = [
    ("assay_zone 1k;", "is not from 1m to 1g"),
    ("assay_claim_set role /a;", "needs a variable"),
    ("assay_claim_set $role /~;", "has an invalid claim"),
    ("assay_claim_set $assay_code /a;", "duplicate \"assay_code\" variable"),
    ("assay_fetch_timeout 2m;", "is longer than a minute"), ("assay_fetch_timeout 0;", "is zero"),
    ("assay_authorities FOLDER/absent;", "cannot be opened"), ("assay_authorities FOLDER/empty;", "names an empty file"),
    ("assay_allow_private_addresses yes;", "it must be \"on\" or \"off\""),
]
# Where keys are, the permissions in `http`, and what nginx must say; None: it takes them. Both directives follow `assay on`.
LOOPBACK, PRIVATE, HTTPS = ("needs \"assay_allow_loopback on\" in \"http\"", "needs \"assay_allow_private_addresses on\" in \"http\"",
                            "needs https, because plain http is for")
ORIGINS = [
    *((url, "", LOOPBACK) for url in (
        "http://127.0.0.1:9", "https://127.0.0.1", "http://127.8.9.10/a", "http://LocalHost:9/", "https://LocalHost/a", "http://[::1]:9",
        "https://[::ffff:127.0.0.1]/a", "https://127.1", "https://0x7f.1", "https://2130706433")),
    *((url, "", HTTPS) for url in (
        "http://idp.example", "http://idp.example:80/a", "http://10.0.0.1", "http://8.8.8.8", "http://localhost.a")),
    *((url, "", PRIVATE) for url in ("https://10.0.0.1", "https://192.168.1.1:9/a", "https://[fd00::1]")),
    *((url, "", "needs an address that is not link-local or reserved") for url in (
        "https://169.254.169.254", "https://[fe80::1]", "https://168.63.129.16", "https://192.0.2.1")),
    ("https://100.100.100.200", "assay_allow_private_addresses on;", "needs an address that is not link-local or reserved"),
    *((url, "", None) for url in ("https://idp.example", "https://8.8.8.8", "https://localhost.example", "https://[2606:4700::1]")),
    *((url, "assay_allow_loopback on;", None) for url in ("http://127.0.0.1:9", "https://localhost", "http://[::1]:9")),
    ("https://10.0.0.1", "assay_allow_private_addresses on;", None), ("http://10.0.0.1", "assay_allow_private_addresses on;", HTTPS),
    ("https://10.0.0.1", "assay_allow_loopback on;", PRIVATE), ("http://127.0.0.1", "assay_allow_private_addresses on;", LOOPBACK),
    ("http://idp.example", "assay_allow_loopback on; assay_allow_private_addresses on;", HTTPS),
]


def write_files(folder):
    (folder / "empty").write_text("")
    (folder / "broken").write_text('{"keys":[')
    (folder / "huge").write_text(json.dumps({"keys": [{**KEY, "x-filler": "x" * 300_000}]}))
    (folder / "encryption").write_text(json.dumps({"keys": [{**KEY, "use": "enc"}]}))
    (folder / "keys").write_text(json.dumps({"keys": [KEY]}))


def line_of(nginx, text):
    """The line on which a directive ends: nginx names this one for a directive of several lines."""
    before, _, after = nginx.configuration.read_text(errors="surrogateescape").partition(text)
    return before.count("\n") + text.count("\n") + 1


def faults_are_refused_with_file_and_line(lab):
    for number, (directive, message) in enumerate(FAULTS + MAIN_FAULTS):
        place = "server {\n    listen 127.0.0.1:PORT;\n    %s\n}\n" if number < len(FAULTS) else "assay_any_audience on;\n%s\n"
        nginx = Nginx(lab, f"fault-{number}", place % directive)
        write_files(nginx.folder)
        said, code = nginx.tested()
        line = f"{nginx.configuration}:{line_of(nginx, directive.replace('FOLDER', str(nginx.folder)))}"
        assert code == 1 and message in said and line in said, (directive, message, line, said)
    return f"{len(FAULTS) + len(MAIN_FAULTS)} faults"


def settings_are_judged_where_they_are_in_force(lab):
    """The message names the directive and its line, which is another one than that of `assay on`; a location inherits it."""
    for number, (directives, name, message) in enumerate(SETTINGS):
        http = f"{directives}\nserver {{\n    listen 127.0.0.1:PORT;\n    location / {{\n        assay on;\n    }}\n}}\n"
        nginx = Nginx(lab, f"settings-{number}", http)
        write_files(nginx.folder)
        said, code = nginx.tested()
        place = line_of(nginx, directives.replace("FOLDER", str(nginx.folder)) if f"{name} " in directives else "assay on;")
        assert code == 1 and f'"{name}" directive: {message}' in said and f" in {nginx.configuration}:{place}\n" in said, (directives, message, place, said)
        nginx.configuration.write_text(nginx.configuration.read_text().replace("assay on;", "assay off;"))
        assert nginx.tested()[1] == 0, directives
    return f"{len(SETTINGS)} faults"


def what_is_for_fetched_keys_reaches_them(lab):
    """Past a level with keys of a file: a staleness that is too long is a fault of the location whose keys are fetched, and of no other."""
    for number, (location, is_taken) in enumerate((("", True), ("assay_keys_url https://a.example;", False), ("assay_refresh revocation-first;", True),
                                                   ("assay_keys_url https://a.example; assay_refresh revocation-first;", True))):
        nginx = Nginx(lab, f"fetched-{number}", (
            f"{START}\nassay_stale 2d;\nserver {{\n    listen 127.0.0.1:PORT;\n    assay_keys_file FOLDER/keys;\n"
            f"    location / {{\n        assay on; {location}\n    }}\n}}\n"))
        write_files(nginx.folder)
        said, code = nginx.tested()
        assert (code == 0) == is_taken, (location, said)
        assert is_taken or f'"assay_stale" directive: between 0 and 86400, not 172800 in {nginx.configuration}:{line_of(nginx, "assay_stale")}' in said, said


def directives_without_effect_are_warnings(lab):
    """A forgotten `assay on` leaves a server open. One warning for a level, with its first directive; `assay off` is meant."""
    for number, (http, server, location, warned) in enumerate((
        ("", START, "", ["assay_issuer"]), ("assay_leeway 5s;", START, "assay_scopes a;", ["assay_leeway", "assay_issuer", "assay_scopes"]),
        ("assay_require a any b; assay_scopes a;", "", "", ["assay_require"]), ("", START, "assay on;", []), (START, "", "assay on;", []),
        (START, "assay on;", "assay off; assay_scopes a;", []), (START, "assay off;", "", ["assay_issuer"]), ("", f"{START} assay off;", "", []),
        (f"{START} assay on;", "assay_scopes a;", "assay_leeway 5s;", []),
    )):
        nginx = Nginx(lab, f"idle-{number}", (
            f"{http}\nserver {{\n    listen 127.0.0.1:PORT;\n    {server}\n    location /a {{\n        {location}\n    }}\n}}\n"))
        said, code = nginx.tested()
        lines = [line_of(nginx, f"{name} ") for name in warned]
        expected = [f'"{name}" directive: has no effect, because no "assay on" is in force here, in {nginx.configuration}:{line}'
                    for name, line in zip(warned, lines)]
        assert code == 0 and re.findall(r"\[warn\] [^ ]* (.*)", said) == expected, (http, server, location, said)


def each_element_of_a_list_has_its_own_line(lab):
    lists = [f"assay_{kind} {one};\n    assay_{kind} {two};\n    assay_{kind} {three};" for kind, one, two, three in (
        ("header", "X-A a", "X-B /b~", "X-C c"), ("require", "a any 1", "/b~ any 1", "c any 1"))]
    for number, directives in enumerate(lists):
        nginx = Nginx(lab, f"list-{number}", f"server {{\n    listen 127.0.0.1:PORT;\n    {START}\n    assay on;\n    {directives}\n}}\n")
        said, code = nginx.tested()
        assert code == 1 and f"{nginx.configuration}:{line_of(nginx, '/b~')}" in said, said


def what_fits_is_taken(lab):
    settings = [
        START, "assay_issuer urn:a; assay_any_audience on; assay_keys_file FOLDER/keys;", f"{START} assay_tokens access-token;",
        f"{START} assay_tokens id-token; assay_algorithms RS256 EdDSA; assay_leeway 10m;",
        f"{START} assay_maximum_age 1h; assay_required_claims sub jti;",
        f"{START} assay_keys_url https://a.example/keys; assay_refresh revocation-first; assay_stale 0;",
        f"{START} assay_refresh revocation-first; assay_stale 1h; location /file {{ assay_keys_file FOLDER/keys; }}",
        f"{START} assay_keys_file FOLDER/keys; location /fetched {{ assay_keys_url https://a.example/keys; assay_stale 1h; }}",
        f"{START} assay_token_cache 1m maximum_age=1m;",
        "assay_issuer \"https://a.example/{tenant}/v2\"; assay_tenants red blue; assay_any_audience on; location /b { assay_issuer https://b.example; }",
        f"{START} assay_token bearer cookie=a query=b header=X-C $http_d; assay_require /a/0 all 1 2; assay_wait 0; assay_token_cache off;",
    ]
    for number, text in enumerate(settings):
        nginx = Nginx(lab, f"taken-{number}", f"server {{\n    listen 127.0.0.1:PORT;\n    assay on;\n    {text}\n}}\n")
        write_files(nginx.folder)
        said, code = nginx.tested()
        assert code == 0, (text, said)


def the_pages_example_is_taken(lab):
    """The two parts as Debian has them, `http` and the server."""
    page = (ROOT / "integrations/nginx/README.md").read_text()
    parts = re.findall(r"^```nginx\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    assert len(parts) == 2, parts
    http = "".join(parts).replace("listen 80;", "listen 127.0.0.1:PORT;").replace("/var/log/nginx", "FOLDER")
    said, code = Nginx(lab, "page", http).tested()
    assert code == 0, said


def the_page_of_resources_is_taken(lab):
    page = (ROOT / "Docs/ProtectedResources.md").read_text()
    part, = re.findall(r"^```nginx\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    said, code = Nginx(lab, "resources", part.replace("listen 80;", "listen 127.0.0.1:PORT;")).tested()
    assert code == 0, said


def a_resource_is_described_in_one_way(lab):
    http = "server {\n    listen 127.0.0.1:PORT;\n    assay on; assay_issuer https://a.example;\n"
    for name in ("A", "B"):
        http += f"    location /{name} {{\n        assay_protected_resource https://b.example name={name};\n        assay_realm {name};\n    }}\n"
    said, code = Nginx(lab, "described", http + "    assay_protected_resource off;\n}\n").tested()
    assert code != 0 and "describes https://b.example otherwise than another level" in said, said


def keys_come_from_where_the_directives_permit(lab):
    """As an issuer and as the URL of keys; an issuer whose keys are elsewhere may have any name."""
    for number, (url, permissions, message) in enumerate(ORIGINS):
        for kind, source in {
            "issuer": f"assay_issuer {url};", "url": f"assay_issuer https://a.example; assay_keys_url {url};",
            "file": f"assay_issuer {url}; assay_keys_file FOLDER/keys;",
        }.items():
            http = f"server {{\n    listen 127.0.0.1:PORT;\n    assay on;\n    assay_audiences a; {source}\n}}\n{permissions}\n"
            nginx = Nginx(lab, f"origin-{number}-{kind}", http)
            nginx.configuration.write_text(nginx.configuration.read_text().replace("    assay_allow_loopback on;\n", "", 1))
            write_files(nginx.folder)
            said, code = nginx.tested()
            if message is None or kind == "file":
                assert code == 0, (url, permissions, said)
            else:
                line = f'for keys from "{url}" in {nginx.configuration}:{line_of(nginx, "assay on;")}'
                assert code == 1 and message in said and line in said, (url, permissions, message, line, said)
    return f"{len(ORIGINS)} rows"


def fetching_needs_libassay_http(lab):
    """A file that is no library, and a library without its functions, stand for one that is not installed."""
    http = f"server {{\n    listen 127.0.0.1:PORT;\n    assay on;\n    {START} MORE\n}}\n"
    broken, strange = lab.folder / "broken-library", lab.folder / "strange-library"
    for folder in (broken, strange):
        folder.mkdir()
    (broken / "libassay-http.so.0").write_text("no library, but text that is longer than the head of one would be. " * 3)
    subprocess.run(["cc", "-shared", "-x", "c", "/dev/null", "-o", strange / "libassay-http.so.0"], check=True)
    for folder, message in ((broken, "keys without libassay-http: "), (strange, "keys: this libassay-http has no assay_http_options_init")):
        path = f"{folder}:{os.environ.get('LD_LIBRARY_PATH', '')}"
        said, code = Nginx(lab, f"fetched-{folder.name}", http.replace("MORE", "")).tested(LD_LIBRARY_PATH=path)
        assert code == 1 and "[emerg]" in said and f"assay cannot fetch {message}" in said, said
        assert "Install the package libassay-http0" in said, said
        nginx = Nginx(lab, f"fixed-{folder.name}", http.replace("MORE", "assay_keys_file FOLDER/keys;"))
        write_files(nginx.folder)
        said, code = nginx.tested(LD_LIBRARY_PATH=path)
        assert code == 0, said


def a_path_of_revocations_that_is_no_text_is_refused(lab):
    """Left out of the settings, the file would revoke nothing."""
    http = f"assay_revocations \"FOLDER/\udce4\";\nserver {{\n    listen 127.0.0.1:PORT;\n    assay on;\n    {START}\n}}\n"
    nginx = Nginx(lab, "revocations-path", http)
    run = subprocess.run([*map(str, nginx.arguments), "-t"], capture_output=True, timeout=60, check=False)
    assert run.returncode == 1 and b'"assay_revocations" directive has a path that is not UTF-8' in run.stderr, run.stderr


def authorities_are_certificates(lab):
    http = f"assay_authorities FOLDER/broken;\nserver {{\n    listen 127.0.0.1:PORT;\n    assay on;\n    {START}\n}}\n"
    nginx = Nginx(lab, "authorities", http)
    write_files(nginx.folder)
    said, code = nginx.tested()
    assert code == 1 and f'"{nginx.folder}/broken" has something else than certificates in PEM' in said, said


def fetching_needs_a_master(lab):
    http = f"server {{\n    listen 127.0.0.1:PORT;\n    assay on;\n    {START}\n}}\n"
    said, code = Nginx(lab, "single", http, "master_process off;\n").tested()
    assert code == 1 and 'assay needs "master_process on"' in said, said


ALL = [
    faults_are_refused_with_file_and_line, settings_are_judged_where_they_are_in_force, each_element_of_a_list_has_its_own_line,
    directives_without_effect_are_warnings, what_is_for_fetched_keys_reaches_them, what_fits_is_taken, the_pages_example_is_taken,
    the_page_of_resources_is_taken, a_resource_is_described_in_one_way,
    keys_come_from_where_the_directives_permit, fetching_needs_libassay_http, authorities_are_certificates, fetching_needs_a_master,
    a_path_of_revocations_that_is_no_text_is_refused,
]

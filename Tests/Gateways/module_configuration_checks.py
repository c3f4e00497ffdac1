"""What `nginx -t` says about nonsense. Each is a function of a lab."""
import json

from nginx_processes import Nginx

START = "assay_issuer https://idp.example; assay_audiences a;"
KEY = {"kty": "EC", "crv": "P-256", "kid": "a", "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
       "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"}
# A directive on the third line of a server, and what nginx must say about it.
FAULTS = [
    ("assay maybe;", "it must be \"on\" or \"off\""),
    ("assay_leeway 2d;", "is longer than a day"),
    ("assay_leeway x;", "invalid value"),
    ("assay_leeway -1;", "invalid value"),
    ("assay_maximum_age 0;", "is zero"),
    ("assay_stale 2d;", "is longer than a day"),
    ("assay_algorithms RS256 XS256;", "there is no algorithm \"XS256\""),
    ("assay_algorithms none;", "there is no algorithm \"none\""),
    ("assay_algorithms \"\";", "has an empty word"),
    ("assay_algorithms RS256; assay_algorithms ES256;", "is duplicate"),
    ("assay_audiences;", "invalid number of arguments"),
    ("assay_issuer \"\";", "is empty"),
    ("assay_issuer \"https://\u00e4\";", "printable ASCII"),
    ("assay_tokens refresh-token;", "invalid value"),
    ("assay_refresh never;", "invalid value"),
    ("assay_token authorization;", "has a place that is not"),
    ("assay_token header=;", "invalid name"),
    ("assay_token header=a_b;", "invalid name"),
    ("assay_token cookie=;", "has an empty name"),
    ("assay_token bearer; assay_token bearer;", "is duplicate"),
    ("assay_scopes \"a b\";", "that no scope has"),
    ("assay_require groups some a;", "needs \"any\" or \"all\""),
    ("assay_require groups any;", "has no value"),
    ("assay_require /a~2 any b;", "has an invalid claim"),
    ("assay_header X_User sub;", "other characters"),
    ("assay_header Host sub;", "HTTP uses itself"),
    ("assay_header X-User /~;", "has an invalid claim"),
    ("assay_header X-User sub yaml;", "is not \"json\""),
    ("assay_remove_headers Cookie;", "HTTP uses itself"),
    ("assay_keys_file /nonexistent/keys;", "cannot be opened"),
    ("assay_keys_file FOLDER/empty;", "has no keys"),
    ("assay_keys_file FOLDER/broken;", "has no keys"),
    ("assay_keys_file FOLDER/huge;", "has no keys"),
    ("assay_keys_file FOLDER/encryption;", "has no usable key"),
    ("assay_keys_file FOLDER;", "cannot be read"),
    ("assay_keys_file FOLDER/keys; assay_refresh revocation-first;", "\"assay_refresh\" directive does not fit"),
    ("assay_keys_file FOLDER/keys; assay_stale 1h;", "\"assay_stale\" directive does not fit"),
    ("assay_stale 0; assay_keys_file FOLDER/keys;", "\"assay_keys_file\" directive does not fit"),
    ("assay_refresh availability-first; assay_keys_file FOLDER/keys;", "\"assay_keys_file\" directive does not fit"),
    ("assay_keys_url ftp://a.example;", "is no https or http URL"),
    ("assay_keys_url keys;", "is no https or http URL"),
    ("assay_token_cache 1k;", "has a size"),
    ("assay_token_cache 1m age=3;", "is not \"maximum_age=\""),
    ("assay_token_cache 1m maximum_age=2d;", "from 1s to 1d"),
    ("assay_wait 2m;", "is longer than a minute"),
    ("assay_realm \"a\nb\";", "printable ASCII"),
    ("assay_paths loose;", "invalid value"),
    ("assay_zone 1m;", "is not allowed here"),
    ("assay_claims sub;", "unknown directive"),
    # What is missing or does not fit together is reported where `assay on` stands.
    ("assay on;", "needs \"assay_issuer\""),
    ("assay_issuer https://a.example; assay on;", "needs \"assay_audiences\""),
    (f"{START} assay_any_audience on; assay on;", "not both"),
    (f"{START} assay_keys_file FOLDER/keys; assay_keys_url https://a.example; assay on;", "not both"),
    ("assay_issuer urn:a; assay_audiences a; assay on;", "or an https or http URL"),
    (
        "assay_issuer https://a.example; assay_any_audience on; assay_tokens access-token; assay on;",
        "needs \"assay_audiences\" for this kind",
    ),
]
MAIN_FAULTS = [
    ("assay_zone 1k;", "is not from 1m to 1g"),
    ("assay_claim_set role /a;", "needs a variable"),
    ("assay_claim_set $role /~;", "has an invalid claim"),
    ("assay_claim_set $assay_code /a;", "duplicate \"assay_code\" variable"),
    ("assay_fetch_timeout 2m;", "is longer than a minute"),
    ("assay_allow_private_addresses yes;", "it must be \"on\" or \"off\""),
]


def write_files(folder):
    (folder / "empty").write_text("")
    (folder / "broken").write_text('{"keys":[')
    (folder / "huge").write_text(json.dumps({"keys": [{**KEY, "x-filler": "x" * 300_000}]}))
    (folder / "encryption").write_text(json.dumps({"keys": [{**KEY, "use": "enc"}]}))
    (folder / "keys").write_text(json.dumps({"keys": [KEY]}))


def line_of(nginx, text):
    """The line on which a directive ends: nginx names this one for a directive of several lines."""
    before, _, after = nginx.configuration.read_text().partition(text)
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


def what_fits_is_taken(lab):
    settings = [
        START, "assay_issuer urn:a; assay_any_audience on; assay_keys_file FOLDER/keys;", f"{START} assay_tokens access-token;",
        f"{START} assay_tokens id-token; assay_algorithms RS256 EdDSA; assay_leeway 1d;",
        f"{START} assay_maximum_age 1h; assay_required_claims sub jti;",
        f"{START} assay_keys_url https://a.example/keys; assay_refresh revocation-first; assay_stale 0;",
        f"{START} assay_refresh revocation-first; assay_stale 1h; location /file {{ assay_keys_file FOLDER/keys; }}",
        f"{START} assay_keys_file FOLDER/keys; location /fetched {{ assay_keys_url https://a.example/keys; assay_stale 1h; }}",
        f"{START} assay_token_cache 1m maximum_age=1m;",
        f"{START} assay_token bearer cookie=a query=b header=X-C $http_d; assay_require /a/0 all 1 2; assay_wait 0; assay_token_cache off;",
    ]
    for number, text in enumerate(settings):
        nginx = Nginx(lab, f"taken-{number}", f"server {{\n    listen 127.0.0.1:PORT;\n    assay on;\n    {text}\n}}\n")
        write_files(nginx.folder)
        said, code = nginx.tested()
        assert code == 0, (text, said)


def fetching_needs_a_master(lab):
    http = f"server {{\n    listen 127.0.0.1:PORT;\n    assay on;\n    {START}\n}}\n"
    said, code = Nginx(lab, "single", http, "master_process off;\n").tested()
    assert code == 1 and 'assay needs "master_process on"' in said, said


ALL = [faults_are_refused_with_file_and_line, what_fits_is_taken, fetching_needs_a_master]

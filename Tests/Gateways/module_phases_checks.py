"""When nginx asks the module: internal redirects, subrequests, other access modules, variables. Each is a function of a lab."""
import base64
import hmac
import json
import time

from exchange import Connection, ask, bearer
from expectations import NOBODY, identity
from nginx_processes import Nginx
from program import eventually

HTTP = """
    large_client_header_buffers 4 16k;
    assay_issuer ISSUER;
    assay_audiences client-1;
    assay_wait 20s;
    assay_realm api;
    assay_header X-Auth-Subject sub;
    assay_header X-Auth-Tenant tenant;
    assay_claim_set $first_role /realm_access/roles/0;
    log_format verdicts escape=json '{"target":"$request_uri","status":"$status","assay_status":"$assay_status","code":"$assay_code",'
        '"reason":"$assay_reason","subject":"$assay_claim_sub","role":"$first_role"}';
    server {
        listen 127.0.0.1:PORT;
        underscores_in_headers on;
        ignore_invalid_headers off;
        assay on;
        add_header X-Assay-Code $assay_code always;
        access_log FOLDER/verdicts verdicts;

        location / { proxy_pass http://UPSTREAM; }
        location /open { assay off; proxy_pass http://UPSTREAM; }
        location /admin { assay_scopes admin; proxy_pass http://UPSTREAM; }

        location /rewritten { rewrite ^/rewritten(/.*)$ $1 last; }
        location /unlocked { assay off; rewrite ^/unlocked(/.*)$ $1 last; }
        location /staying { rewrite ^ /open/staying break; proxy_pass http://UPSTREAM; }
        location /tried { try_files /none @named; }
        location /unlocked-tried { assay off; try_files /none @named; }
        location @named { assay_scopes admin; proxy_pass http://UPSTREAM; }
        location /broken { assay off; error_page 404 = /admin/broken; return 404; }
        location /login { error_page 401 = @login; proxy_pass http://UPSTREAM; }
        location @login { assay off; proxy_pass http://UPSTREAM; }
        location /locked-login { error_page 401 = @locked; proxy_pass http://UPSTREAM; }
        location @locked { proxy_pass http://UPSTREAM; }

        location /mirrored { mirror /copy; proxy_pass http://UPSTREAM; }
        location = /copy { internal; proxy_pass http://UPSTREAM/copied; }
        location /mirrored-admin { mirror /copy-admin; proxy_pass http://UPSTREAM; }
        location = /copy-admin { internal; assay_scopes admin; proxy_pass http://UPSTREAM/copied-admin; }
        location /open-mirrored { assay off; mirror /copy; proxy_pass http://UPSTREAM; }
        location /asking { assay off; auth_request /asked; proxy_pass http://UPSTREAM; }
        location = /asked { internal; assay_scopes admin; proxy_pass http://UPSTREAM/asked; }
        location /page { assay off; ssi on; ssi_types *; default_type text/html; root FOLDER; }

        location /trial { assay_dry_run on; assay_scopes admin; proxy_pass http://UPSTREAM; }
        location /any-allowed { satisfy any; allow 127.0.0.1; deny all; proxy_pass http://UPSTREAM; }
        location /any-denied { satisfy any; deny all; proxy_pass http://UPSTREAM; }
        location /browsers { assay_login_redirect "/login?to={url}"; proxy_pass http://UPSTREAM; }
        location /browsers/off { assay_login_redirect off; proxy_pass http://UPSTREAM; }
        location /browsers/any { satisfy any; deny all; assay_login_redirect /login; proxy_pass http://UPSTREAM; }
        location /browsers/asking { assay off; auth_request /asked-of-browsers; proxy_pass http://UPSTREAM; }
        location = /asked-of-browsers { internal; assay_login_redirect /login; proxy_pass http://UPSTREAM/asked; }
        location /all-denied { deny all; proxy_pass http://UPSTREAM; }

        location /socket {
            proxy_http_version 1.1;
            proxy_set_header Upgrade $http_upgrade;
            proxy_set_header Connection upgrade;
            proxy_pass http://UPSTREAM;
        }
        location /variables {
            set $before "$assay_claim_sub";
            proxy_set_header X-Before "<$before>";
            proxy_set_header X-After "<$assay_claim_sub>";
            proxy_set_header X-Role "<$first_role>";
            proxy_pass http://UPSTREAM;
        }
        location /groups-any { assay_require groups any a b; proxy_pass http://UPSTREAM; }
        location /groups-all { assay_require groups all a b; proxy_pass http://UPSTREAM; }
        location /level { assay_require /account/level any 3; assay_require email_verified all true; proxy_pass http://UPSTREAM; }
        location /value { assay_token $arg_first $http_x_second; proxy_pass http://UPSTREAM; }
        location /limited { limit_except GET { assay_scopes admin; } proxy_pass http://UPSTREAM; }
        location /challenge { assay_realm 'a realm'; assay_resource_metadata https://api.example/meta; proxy_pass http://UPSTREAM; }
    }
"""
JANE, ADMIN = {}, {"scope": "read admin"}
# The target, the claims of the token (None: no token), the status and the code of the answer.
ROWS = [
    ("/x", None, 401, "missing_token"), ("/x", JANE, 200, "ok"), ("/open", None, 200, None), ("/admin", JANE, 403, "insufficient_scope"),
    # Each location that a request gets to is asked, and the last one decides.
    ("/rewritten/x", None, 401, "missing_token"), ("/rewritten/x", JANE, 200, "ok"),
    ("/rewritten/admin", JANE, 403, "insufficient_scope"), ("/rewritten/open", None, 200, None),
    ("/unlocked/x", None, 401, "missing_token"), ("/unlocked/admin", JANE, 403, "insufficient_scope"),
    ("/unlocked/admin", ADMIN, 200, "ok"),
    ("/staying", None, 401, "missing_token"), ("/staying", JANE, 200, "ok"),
    ("/tried", None, 401, "missing_token"), ("/tried", JANE, 403, "insufficient_scope"), ("/tried", ADMIN, 200, "ok"),
    ("/unlocked-tried", None, 401, "missing_token"), ("/unlocked-tried", JANE, 403, "insufficient_scope"),
    ("/unlocked-tried", ADMIN, 200, "ok"),
    ("/broken", None, 401, "missing_token"), ("/broken", JANE, 403, "insufficient_scope"), ("/broken", ADMIN, 200, "ok"),
    # The page for a refusal is reached where its location is open, and the log keeps the reason.
    ("/login", None, 200, "missing_token"), ("/login", JANE, 200, "ok"), ("/locked-login", None, 401, "missing_token"),
    # A subrequest is judged where its location requires it.
    ("/asking", None, 401, None), ("/asking", JANE, 403, None), ("/asking", ADMIN, 200, None),
    ("/any-allowed", None, 200, "missing_token"), ("/any-allowed", JANE, 200, "ok"), ("/any-denied", None, 401, "missing_token"),
    ("/any-denied", JANE, 200, "ok"), ("/all-denied", JANE, 403, "ok"), ("/all-denied", None, 401, "missing_token"),
    ("/groups-any", {"groups": ["b", "c"]}, 200, "ok"), ("/groups-any", {"groups": "a"}, 200, "ok"),
    ("/groups-any", {"groups": ["c"]}, 403, "claim_mismatch"), ("/groups-any", JANE, 403, "claim_mismatch"),
    ("/groups-all", {"groups": ["b", "c", "a"]}, 200, "ok"), ("/groups-all", {"groups": ["b", "c"]}, 403, "claim_mismatch"),
    ("/groups-all", {"groups": []}, 403, "claim_mismatch"), ("/groups-any", {"groups": None}, 403, "claim_mismatch"),
    ("/level", {"account": {"level": 3}, "email_verified": True}, 200, "ok"),
    ("/level", {"account": {"level": 3}, "email_verified": False}, 403, "claim_mismatch"),
    ("/level", {"account": {"level": 30}, "email_verified": True}, 403, "claim_mismatch"),
    ("/limited", JANE, 200, "ok"),
    # Dry run: the refusal is told, and the request has no identity.
    ("/trial", ADMIN, 200, "ok"), ("/trial", JANE, 200, "insufficient_scope"), ("/trial", None, 200, "missing_token"),
]


def each_location_decides_for_itself(lab):
    with Nginx(lab, "phases", HTTP) as nginx:
        (nginx.folder / "page").write_text('<!--# include virtual="/admin/included" -->')
        for target, claims, status, code in ROWS:
            fields = [] if claims is None else [bearer(lab.provider.token(**claims))]
            count = len(lab.upstream.arrived)
            answer = ask(nginx.port, target, fields)
            assert answer and answer.status == status and answer.field("x-assay-code") == code, (target, claims, answer)
            assert status == 200 or len(lab.upstream.arrived) == count or target == "/asking", (target, "the application was reached")
        for check in PARTS:
            check(lab, nginx)
        return f"{len(ROWS)} rows, {len(PARTS)} parts"


def fields_have_what_was_judged(lab, nginx):
    """Whichever way a request takes, the application gets the claims of the last location, and never the client's fields."""
    evil = [(name, "evil") for name in ("X-Auth-Subject", "x_auth_subject", "X.Auth.Subject", "X-AUTH-TENANT", "x-auth_tenant")]
    cases = [("/x", JANE, ["jane"]), ("/open", JANE, []), ("/rewritten/x", JANE, ["jane"]), ("/rewritten/open", JANE, []),
             ("/tried", ADMIN, ["jane"]), ("/broken", ADMIN, ["jane"]), ("/any-allowed", JANE, ["jane"]), ("/any-allowed", None, []),
             ("/login", None, []), ("/staying", JANE, ["jane"]), ("/trial", ADMIN, ["jane"]), ("/trial", JANE, []), ("/trial", None, [])]
    for target, claims, subject in cases:
        for forged in ([], evil):
            own = [] if claims is None else [bearer(lab.provider.token(**claims))]
            answer = ask(nginx.port, target, [*forged, *own])
            assert answer.status == 200 and identity(answer.arrived()) == {**NOBODY, "x-auth-subject": subject}, (target, claims, answer)


def a_mirrored_request_has_the_verdict_of_its_client(lab, nginx):
    reached = lab.upstream.arrived
    for target, claims, copies in [("/mirrored", JANE, ["/copied"]), ("/mirrored-admin", JANE, []),
                                   ("/mirrored-admin", ADMIN, ["/copied-admin"]), ("/open-mirrored", None, [])]:
        count = len(reached)
        fields = [] if claims is None else [bearer(lab.provider.token(**claims))]
        assert ask(nginx.port, target, [*fields, ("X-Auth-Tenant", "evil")]).status == 200, target
        # The original and its copies are all that arrives: a request behind them shows that no other is under way.
        eventually(lambda: len(reached) >= count + 1 + len(copies), 60, f"the copy of {target}")
        seen = [one for one in reached[count:] if one["target"].startswith("/copied")]
        assert [one["target"] for one in seen] == copies, (target, reached[count:])
        assert all(identity(one) == {**NOBODY, "x-auth-subject": ["jane"]} for one in seen), seen


def an_included_page_needs_its_own_claims(lab, nginx):
    for claims, text in [(None, "401 Authorization Required"), (JANE, "403 Forbidden"), (ADMIN, "/admin/included")]:
        fields = [] if claims is None else [bearer(lab.provider.token(**claims))]
        answer = ask(nginx.port, "/page", fields)
        assert answer.status == 200 and text in answer.body.decode(), (claims, answer)


def an_upgrade_passes_with_a_token_alone(lab, nginx):
    fields = [("Connection", "Upgrade"), ("Upgrade", "websocket")]
    assert ask(nginx.port, "/socket", fields).status == 401
    with Connection(nginx.port) as connection:
        connection.send("/socket", [*fields, bearer(lab.provider.token())])
        assert connection.receive().status == 101


def variables_are_there_after_the_verdict(lab, nginx):
    token = lab.provider.token(realm_access={"roles": ["r\n1", "r2"]}, sub="j\u00e9")
    seen = dict(ask(nginx.port, "/variables", [bearer(token)]).arrived()["fields"])
    assert (seen["X-Before"], seen["X-After"], seen["X-Role"]) == ("<>", "<j%C3%A9>", "<r%0A1>"), seen


def logs_have_the_reason_and_no_token(lab, nginx):
    token = lab.forged(lab.provider.token())
    ask(nginx.port, "/logged?a", [bearer(token)])
    ask(nginx.port, "/login?b")
    ask(nginx.port, "/public/..;/c")

    def lines():
        found = [json.loads(line) for line in (nginx.folder / "verdicts").read_text().splitlines()]
        return [line for line in found if line["target"] in ("/logged?a", "/login?b", "/public/..;/c")]
    eventually(lambda: len(lines()) == 3, 60, "the lines of the log")
    told = [(line["status"], line["assay_status"], line["code"], line["subject"]) for line in lines()]
    assert told == [
        ("401", "401", "signature_invalid", ""), ("200", "401", "missing_token", ""), ("400", "400", "ambiguous_path", "")], told
    assert all(line["reason"] for line in lines()), lines()
    assert token not in (nginx.folder / "verdicts").read_text() + nginx.program.output()


def a_value_is_a_place_too(lab, nginx):
    token = lab.provider.token()
    for target, fields, status in [(f"/value?first={token}", [], 200), ("/value", [("X-Second", token)], 200),
                                   ("/value", [bearer(token)], 401), ("/value?first=", [], 401),
                                   (f"/value?first={token}", [("X-Second", token)], 400)]:
        assert ask(nginx.port, target, fields).status == status, (target, fields)


def under_satisfy_any_each_module_may_let_pass(lab, nginx):
    """Also what is no 401 or 403: another module lets the request pass, without identity and without a sign of the refusal."""
    token = lab.provider.token()
    twice = [("Authorization", f"Bearer {token}, Bearer {token}")]
    answer = ask(nginx.port, "/any-allowed", twice)
    assert answer.status == 200 and identity(answer.arrived()) == NOBODY and answer.field("www-authenticate") is None, answer
    assert ask(nginx.port, "/any-denied", twice).status in (400, 403)
    lab.provider.ask("down")
    try:
        with Nginx(lab, "satisfy", HTTP.replace("assay_wait 20s;", "assay_wait 0;")) as fresh:
            answer = ask(fresh.port, "/any-allowed", [bearer(token)])
            assert (answer.status, answer.field("x-assay-code")) == (200, "keys_unavailable") and not answer.field("retry-after"), answer
            answer = ask(fresh.port, "/x", [bearer(token)])
            assert answer.status == 503 and answer.field("retry-after"), answer
    finally:
        lab.provider.ask("up")


def browsers_are_redirected_by_their_location(lab, nginx):
    """Not where another module may let the request pass, and not by a subrequest. A path stays one: nginx puts no host before it."""
    for target, status, location in [
        ("/browsers", 302, "/login?to=http%3A%2F%2Fapp.example%2Fbrowsers"), ("/browsers/off", 401, None), ("/browsers/any", 401, None),
        ("/browsers/asking", 401, None), ("/x", 401, None),
    ]:
        answer = ask(nginx.port, target, [("Sec-Fetch-Mode", "navigate")])
        assert (answer.status, answer.field("location")) == (status, location), (target, answer)
        assert (answer.field("www-authenticate") is None) == (status == 302), (target, answer)
        challenge = ask(nginx.port, target)
        assert challenge.status == 401 and challenge.field("location") is None and challenge.field("www-authenticate"), (target, challenge)


def a_shared_secret_verifies_where_it_is_named(lab, nginx):
    secret = b"a secret of at least thirty-two bytes"
    def text(data):
        return base64.urlsafe_b64encode(data).rstrip(b"=").decode()
    keys = nginx.folder / "secret.json"
    keys.write_text(json.dumps({"keys": [{"kty": "oct", "alg": "HS256", "kid": "s", "k": text(secret)}]}))
    claims = {"iss": lab.provider.issuer, "aud": "client-1", "sub": "jane", "exp": int(time.time()) + 600}
    signed = ".".join(text(json.dumps(part).encode()) for part in ({"alg": "HS256", "kid": "s"}, claims))
    token = f"{signed}.{text(hmac.digest(secret, signed.encode(), 'sha256'))}"
    for named, status in (("assay_algorithms HS256;", 200), ("", 401)):
        http = HTTP.replace("assay_issuer ISSUER;", f"assay_issuer ISSUER; assay_keys_file {keys}; {named}", 1)
        with Nginx(lab, f"secret{status}", http) as own:
            assert ask(own.port, "/x", [bearer(token)]).status == status, named
            assert ask(own.port, "/x", [bearer(lab.provider.token())]).status == 401, named


def a_challenge_says_how_to_authenticate(lab, nginx):
    challenge = ask(nginx.port, "/challenge").field("www-authenticate")
    assert challenge == 'Bearer realm="a realm", resource_metadata="https://api.example/meta"', challenge
    assert ask(nginx.port, "/limited", [bearer(lab.provider.token())], method="POST", body=b"x").status == 403


PARTS = [
    fields_have_what_was_judged, a_mirrored_request_has_the_verdict_of_its_client, an_included_page_needs_its_own_claims,
    an_upgrade_passes_with_a_token_alone, variables_are_there_after_the_verdict, logs_have_the_reason_and_no_token, a_value_is_a_place_too,
    under_satisfy_any_each_module_may_let_pass, browsers_are_redirected_by_their_location, a_shared_secret_verifies_where_it_is_named,
    a_challenge_says_how_to_authenticate,
]
ALL = [each_location_decides_for_itself]

"""A login at `assay idaas serve`, and a server for the commands that log in."""
import json
import os
import pathlib
import pwd
import shutil
import tempfile
import threading
import urllib.error
import urllib.parse
import urllib.request

from programs import ASSAY, FOLDER, ROOT, TIME, Running, run
from surroundings import FAILED, OTHER, STATE_OF_OTHER, USAGE
from tasks import BASIC, OPEN, Task, forged

from program import free_port
from serving import AnyMethod, Server

CLIENT, MOBILE = "demo", "+86-13800000000"
DEVICE = {"X-client-id": CLIENT, "X-device-fingerprint": "7d4c5b2e90aa4f16", "X-operating-sys-version": "Linux 6.1", "X-agent": "test"}
SDK = "/api/v2/sdk"
# What a command says about an id_token of the present, if its own clock stands in the past.
EARLY = b"the token is not valid yet"
# What differs between two users and two moments.
USER = rb"\+86-\d+|id: \S+|\d{4}-\d\d-\d\d .*"


def asked(url, fields=(), body=None):
    """The status and the document of an answer; no document where it has none."""
    fields = {**DEVICE, **dict(fields), "Content-Type": "application/json"}
    request = urllib.request.Request(url, body and json.dumps(body).encode(), fields)
    try:
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=TIME) as answer:
            status, text = answer.status, answer.read()
    except urllib.error.HTTPError as failure:
        status, text = failure.code, failure.read()
    return status, json.loads(text) if text else None


def place(url, development, token):
    """Where the piece of a slider belongs. A server in development tells it."""
    status, point = asked(f"{url}/__dev/slider?token={urllib.parse.quote(token)}", {"X-Assay-Dev": development})
    assert status == 200, (status, point)
    return json.dumps(point)


class Person:
    """Who logs in by SMS, and reads the code in the outbox of development."""

    def __init__(self, url, development):
        self.url, self.development = url, development

    def good(self, path, fields=(), body=None):
        status, document = asked(self.url + path, fields, body)
        assert status == 200, (path, status, document)
        return document

    def refused(self, code, path, fields=(), body=None):
        status, document = asked(self.url + path, fields, body)
        assert status == 400 and document["error_code"] == f"IDAAS.SDK.{code}", (path, status, document)

    def logs_in(self):
        token = self.good(f"{SDK}/captcha")["token"]
        solution = {"token": token, "point_json": place(self.url, self.development, token), "sender": MOBILE}
        captcha = self.good(f"{SDK}/captcha/verify", body=solution)["captcha_token"]
        self.good(f"{SDK}/sms/send", body={"mobile": MOBILE, "type": "LOGIN_SMS", "captcha_token": captcha})
        messages = self.good(f"/__dev/outbox?mobile={urllib.parse.quote(MOBILE)}", {"X-Assay-Dev": self.development})["messages"]
        login = {"mobile": MOBILE, "verify_code": messages[0]["code"]}
        wrong = {**login, "verify_code": f"{(int(login['verify_code']) + 1) % 1_000_000:06}"}
        self.refused("SMS.1005", f"{SDK}/login/mobile-verify-code", body=wrong)
        return self.good(f"{SDK}/login/mobile-verify-code", body=login)["id_token"]

    def is_known_by_a_token_and_not_by_a_forged_one(self):
        token = self.logs_in()
        assert [session["current"] for session in self.good(f"{SDK}/sessions", bearer(token))["sessions"]] == [True]
        self.refused("COMMON.1005", f"{SDK}/sessions", bearer(forged(token)))


def bearer(token):
    return {"Authorization": f"Bearer {token}"}


class SolvingProxy(AnyMethod):
    """Stands between a command and the server, and puts every slider's piece where it belongs: the command has no eyes."""

    server_url = development = None

    def answer(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if self.path.endswith("/captcha/verify"):
            solution = json.loads(body)
            body = json.dumps({**solution, "point_json": place(self.server_url, self.development, solution["token"])}).encode()
        fields = {name: value for name, value in self.headers.items() if name.lower() not in ("connection", "content-length")}
        request = urllib.request.Request(self.server_url + self.path, body or None, fields, method=self.command)
        try:
            reply = urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=TIME)
        except urllib.error.HTTPError as failure:
            reply = failure
        with reply:
            text = reply.read()
            self.send_response(reply.status)
            self.send_header("Content-Type", reply.headers.get("Content-Type", "text/plain"))
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)


NOBODY = 65_534
# Folders of a session that begin where the command happens to stand: they count as none (XDG Base Directory Specification).
NOT_ABSOLUTE = [{"XDG_STATE_HOME": "state"}, {"XDG_STATE_HOME": "./state"}, {"HOME": "home"}, {"HOME": ""}]


def no_folder_is_made_here(variables):
    """The user who asks may make no folder at home either."""
    here = pathlib.Path(tempfile.mkdtemp(dir=OPEN))
    here.chmod(0o1777)
    outcome = run(["env", "-C", here, "setpriv", f"--reuid={NOBODY}", "--clear-groups", ASSAY, "session", "show"], variables)
    folder = f"{pwd.getpwuid(NOBODY).pw_dir}/.local/state/assay"
    assert outcome and outcome.code == USAGE and f"cannot make the folder of the session: {folder}:".encode() in outcome.errors, outcome
    assert not list(here.iterdir()), list(here.iterdir())


class IdentityServer:
    """A server in whole surroundings, for the commands that log in. They know it by the address of the proxy."""

    def __init__(self):
        folder, port = FOLDER / "identity", free_port()
        folder.mkdir()
        proxy = Server(("127.0.0.1", 0), SolvingProxy)
        threading.Thread(target=proxy.serve_forever, daemon=True).start()
        self.url, self.database = f"http://127.0.0.1:{proxy.server_port}", folder / "idaas.sqlite"
        self.running = Running([
            ASSAY, "idaas", "serve", "--dev", "--simulators", "--client", CLIENT, "--listen", f"127.0.0.1:{port}", "--public-url", self.url,
            "--config", ROOT / "Tests/Wire/unlimited.yaml", "--db", self.database])
        line = self.running.line(b"development token")
        assert line, self.running.errors()
        SolvingProxy.server_url, SolvingProxy.development = f"http://127.0.0.1:{port}", line.split()[-1]
        self.to_tenant = ["--domain", self.url, "--client", CLIENT]
        self.state, self.home = FOLDER / "state", FOLDER / "home"
        self.keep_session()

    def keep_session(self):
        """Logs in, and keeps the session in both places where commands look for it; once more for the user of some checks."""
        for mobile, folder in (("+86-13900000001", self.state / "assay"), ("+86-13900000002", self.home / ".local/state/assay")):
            folder.mkdir(mode=0o700, parents=True)
            for command in (["login", "one-click", *self.to_tenant, "--sim", f"CM:{mobile}", "--agree"], ["mfa", "bind", "--yes"]):
                outcome = run([ASSAY, *command, "--store", folder / "session.json"])
                assert outcome and outcome.code == 0, outcome
        if os.geteuid() == 0:
            shutil.copytree(self.state, STATE_OF_OTHER)
            for folder in (STATE_OF_OTHER, self.database.parent):
                for path in (folder, *folder.rglob("*")):
                    os.chown(path, OTHER, OTHER)

    def __enter__(self):
        return self

    def __exit__(self, *failure):
        self.running.__exit__(*failure)

    @staticmethod
    def checks():
        """Name, function and arguments of checks beside those of the tasks."""
        for variables in NOT_ABSOLUTE if os.geteuid() == 0 else []:
            yield f"session show, {variables}", no_folder_is_made_here, (variables,)

    def tasks(self):
        kept = {"XDG_STATE_HOME": str(self.state), "HOME": str(self.home)}
        by_sms = ["login", "sms", *self.to_tenant, "--mobile", "+86-138NUMBER", "--slider", "png:NEW.png", "--store", "NEW.json"]
        by_one_click = ["login", "one-click", *self.to_tenant, "--sim", "CM:+86-138NUMBER", "--agree", "--store", "NEW.json"]
        return [
            Task("login sms", by_sms, 0, b"1\n", needs=(*BASIC, "outbox"), variables={"ASSAY_DEV_TOKEN": SolvingProxy.development},
                 varying=USER, without_input=FAILED, at_false_clock=EARLY),
            Task("login one-click", by_one_click, varying=USER, at_false_clock=EARLY),
            Task("session show", ["session", "show"], variables=kept, varying=USER, at_false_clock=EARLY),
            Task("mfa pending", ["mfa", "pending"], variables=kept, at_false_clock=EARLY),
            Task("client list", ["idaas", "client", "list", "--dev", "--db", self.database], needs=(*BASIC, "server key")),
        ]

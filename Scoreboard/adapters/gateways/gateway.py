"""What the adapters of gateways share: a process for each key set, policy and time, and a request with the token as its Bearer token.

A gateway of this file answers 200 by itself where it lets a request through. Its clock stands at the time of the cases.
"""

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path

SCOREBOARD = Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(SCOREBOARD / "harness"), str(SCOREBOARD / "adapters/python")]

import clock  # noqa: E402
from frame import Case, Unsupported, serve  # noqa: E402, F401

BUILT = SCOREBOARD.parent / ".build-scoreboard"
FOLDERS = BUILT / "gateways"  # one for each adapter, named by its process
SENDABLE = re.compile(r"[\x21-\x7e]+")
START_LIMIT, ANSWER_LIMIT = 30, 15


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def serve_by(command, algorithms, lacks, curves):
    """Answers by a gateway until the input ends."""
    remove_old()
    gateway = Gateway(command)
    serve(gateway.accepts, algorithms, lacks, curves)
    gateway.stop()


def remove_old():
    """An adapter that was killed has left its folder."""
    for folder in FOLDERS.glob("*"):
        if not Path("/proc", folder.name).exists():
            shutil.rmtree(folder, ignore_errors=True)


class Gateway:
    """The running gateway. `command` writes a configuration into a folder and returns the command: (case, folder, port)."""

    def __init__(self, command):
        self.command, self.setting, self.process, self.folder = command, None, None, FOLDERS / str(os.getpid())

    def accepts(self, case):
        """Whether the gateway lets the token through. An adapter whose gateway has ended ends too, and so is seen to have crashed."""
        if not case.checks_claims:
            raise Unsupported("verifies claims only")
        if not SENDABLE.fullmatch(case.token):
            raise Unsupported("this token cannot be sent in a field of HTTP")
        setting = json.dumps([case.keys, case.policy, case.now])
        if setting != self.setting:
            self.stop()
            self.start(case)
            self.setting = setting
        status = self.ask(case.token)
        if self.process.poll() is not None:
            self.stop()
            os._exit(1)
        return status == 200

    def start(self, case):
        self.folder.mkdir(parents=True)
        self.port = free_port()
        command = [str(part) for part in self.command(case, self.folder, self.port)]
        try:
            with open(self.folder / "log", "wb") as log:
                self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                                env=os.environ | clock.stopped_for_gateway(case.now, BUILT))
        except OSError as failure:
            sys.exit(str(failure))
        deadline = time.monotonic() + START_LIMIT
        while time.monotonic() < deadline and self.process.poll() is None:
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
                return
            except OSError:
                time.sleep(0.05)
        reason = (self.folder / "log").read_text(errors="replace").strip()[-300:]
        self.stop()
        raise Unsupported(f"does not start with this configuration: {reason}")

    def ask(self, token):
        request = f"GET / HTTP/1.1\r\nHost: app.example\r\nAuthorization: Bearer {token}\r\nConnection: close\r\n\r\n".encode()
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=ANSWER_LIMIT) as connection:
                connection.sendall(request)
                line = connection.makefile("rb").readline()
        except ConnectionError:
            return None
        return int(line.split()[1]) if line.startswith(b"HTTP/1.") else None

    def stop(self):
        """Also after a start that failed, which leaves a folder without a process."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)
        self.process = self.setting = None

"""Attacks on Unix sockets by another user of the machine. Each is a function of the lab. They need root, to be two users."""
import contextlib
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile
import time

from program import eventually

NOBODY = 65_534
CONFIGURATION = """\
listeners:
  - {name: edge, profile: nginx, unix: %s%s}
administration: {tcp: "127.0.0.1:0"}
providers:
  - {name: idp, issuer: "https://idp.example", audiences: [api], required: false, keys: {file: keys.json}}
policies:
  - {name: api, requires: idp}
routes:
  - {path: /, policy: api}
"""


class Place:
    """A folder like /tmp, where every user may make files and only their owners may remove them, with the program in it."""

    def __init__(self, lab):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="assay-sockets-", dir="/tmp"))
        self.folder.chmod(0o1777)
        self.path = self.folder / "edge.sock"
        self.program = self.folder / "assay-gateway"
        shutil.copy(lab.assay.with_name(self.program.name), self.program)
        self.program.chmod(0o755)

    def __enter__(self):
        return self

    def __exit__(self, *failure):
        shutil.rmtree(self.folder)

    def command(self, user, options=""):
        configuration = self.folder / "assay.yaml"
        configuration.write_text(CONFIGURATION % (self.path, options))
        configuration.chmod(0o644)
        switch = ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups", "--inh-caps=-all"] if user else []
        return [*switch, self.program, "serve", "--config", configuration]

    def refusal(self, user):
        """The error of a service that does not start."""
        result = subprocess.run(self.command(user), capture_output=True, text=True, timeout=60)
        assert result.returncode == 4, result
        return result.stderr + result.stdout

    def leave_socket(self, user, listens=False):
        """A socket of a user: one that still listens, or what a killed process leaves."""
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(str(self.path))
        os.chown(self.path, user, user)
        self.path.chmod(0o666)
        if listens:
            listener.listen()
            return listener
        return listener.close()


def another_users_socket_is_left_alone(lab, long):
    """A service that is not root cannot tell what another user's file is for, and must not take its place."""
    for kind in ("dead", "listening", "file", "link"):
        with Place(lab) as place:
            listener = None
            if kind == "file":
                place.path.write_text("kept")
            elif kind == "link":
                (place.folder / "target").write_text("kept")
                place.path.symlink_to("target")
            else:
                listener = place.leave_socket(0, kind == "listening")
            before = os.lstat(place.path)
            assert "stays" in (said := place.refusal(NOBODY)), (kind, said)
            after = os.lstat(place.path)
            assert (before.st_ino, before.st_uid, before.st_mode) == (after.st_ino, after.st_uid, after.st_mode), kind
            if listener:
                listener.close()


def a_socket_that_another_user_serves_is_left_alone(lab, long):
    """Also by root: the gateway would go on asking the other service."""
    with Place(lab) as place:
        listener = place.leave_socket(NOBODY, listens=True)
        assert "another socket listens there" in (said := place.refusal(0)), said
        assert os.lstat(place.path).st_uid == NOBODY
        listener.close()


def a_socket_admits_whom_its_mode_admits(lab, long):
    """Between its creation and its mode no one else can connect: another user tries all the time."""
    knock = (
        "import os, socket, sys, time\nos.setgroups([]); os.setgid(65534); os.setuid(65534)\n"
        "while True:\n"
        "    for name in (sys.argv[1], sys.argv[1] + '.new'):\n"
        "        try:\n"
        "            socket.socket(socket.AF_UNIX).connect(name); print('in', flush=True); sys.exit()\n"
        "        except OSError as failure: pass\n")
    for mode, admits in (("0600", False), ("0660", False), ("0666", True)):
        with Place(lab) as place, contextlib.ExitStack() as ends:
            knocking = subprocess.Popen(["python3", "-c", knock, place.path], stdout=subprocess.PIPE, text=True)
            ends.callback(knocking.wait)
            ends.callback(knocking.kill)
            service = subprocess.Popen(
                place.command(0, f', mode: "{mode}"'), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
            try:
                # Before this line a signal ends it at once, and the file stays.
                assert service.stdout.readline().startswith("ready edge")
                assert oct(place.path.stat().st_mode & 0o777)[2:] == mode[1:], mode
                # Some hundred attempts more.
                time.sleep(0.3)
                if admits:
                    eventually(lambda: knocking.poll() is not None, 60, "a connection of another user")
                assert (knocking.poll() is not None) == admits, mode
            finally:
                service.send_signal(signal.SIGTERM)
                service.wait(60)
                service.stdout.close()
            assert not place.path.exists(), "the file stays behind the service"


ALL = [
    another_users_socket_is_left_alone, a_socket_that_another_user_serves_is_left_alone, a_socket_admits_whom_its_mode_admits,
] if os.geteuid() == 0 else []

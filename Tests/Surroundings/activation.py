"""`assay serve` with a socket that systemd would open for it."""
import fcntl
import os
import socket

from programs import FOLDER, Running
from servers import GatewayService

# What follows is the number of the socket, and the command. LISTEN_PID is the process itself, unless it is mistyped.
STARTED = ["bash", "-c", 'socket=$1; shift; LISTEN_PID=${LISTEN_PID-$$} exec "$@" 3<&"$socket"', "bash"]
RIGHT = {"LISTEN_FDS": "1", "LISTEN_FDNAMES": "edge"}
MISTYPED = [
    {"LISTEN_FDS": "one"}, {"LISTEN_FDS": "0"}, {"LISTEN_FDS": "-1"}, {"LISTEN_FDS": "99999999999"}, {"LISTEN_FDS": " 1"},
    {"LISTEN_FDS": "2", "LISTEN_FDNAMES": "edge:edge"}, {"LISTEN_FDNAMES": "egde"}, {"LISTEN_FDNAMES": ":edge"}, {"LISTEN_FDNAMES": ""},
    {"LISTEN_PID": "one"}, {"LISTEN_PID": "1"},
]
# A number that no other program of the shell's line has.
FREE = 20


class ActivatedService(GatewayService):
    name, listener, file = "serve by a socket of systemd", "activation: edge", FOLDER / "activated.yaml"

    def begun(self, surrounding="", prefix=(), environment=None):
        with socket.create_server(("127.0.0.1", 0)) as listener:
            number = fcntl.fcntl(listener, fcntl.F_DUPFD, FREE)
            command = [*prefix, *STARTED, str(number), *map(str, self.command(surrounding))]
            try:
                return Running(command, {**RIGHT, **(environment or {})}, listener.getsockname()[1], pass_fds=(number,))
            finally:
                os.close(number)

    def port(self, running):
        return running.line(b"ready edge") and running.port

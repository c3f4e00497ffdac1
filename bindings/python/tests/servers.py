"""Real servers with an application behind the middleware."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

# A worker of gunicorn that is just beginning misses the signal to end, and is killed after these two seconds.
GUNICORN = ["gunicorn", "--preload", "--graceful-timeout", "2", "--bind", "127.0.0.1:PORT"]
EXAMPLES = Path(__file__).resolve().parent.parent / "examples"


def free_port():
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        return listening.getsockname()[1]


@contextlib.contextmanager
def running(command, folder):
    """A server of Python's module and arguments, with PORT for its port. Gives the port once it listens."""
    port = free_port()
    server = subprocess.Popen(
        [sys.executable, "-m", *(str(part).replace("PORT", str(port)) for part in command)],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), str(EXAMPLES), *sys.path])},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    try:
        for _ in range(600):
            with contextlib.suppress(OSError):
                socket.create_connection(("127.0.0.1", port), timeout=1).close()
                break
            assert server.poll() is None, server.stderr.read().decode()
            time.sleep(0.05)
        else:
            raise AssertionError("the server does not listen")
        yield port
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait(20)
        server.stderr.close()

"""Programs that the tests start and end."""
import os
import pathlib
import random
import shutil
import signal
import socket
import subprocess
import tempfile
import time


# Held until the process ends.
RESERVED = []


def free_port():
    """A port that nothing listens on.

    It is below the range of which the kernel takes ports for outgoing connections. A port of that range can be taken between its choice
    and its use, and while a killed program is away. No other run of these tests on this machine gets it before this one ends: each port has
    an abstract socket of its name, and a gateway of another run must not ask this one's application.
    """
    while True:
        port = random.randrange(10_000, 32_000)
        reservation = socket.socket(socket.AF_UNIX)
        with socket.socket() as listener:
            try:
                reservation.bind(f"\0assay-test-port-{port}")
                listener.bind(("127.0.0.1", port))
            except OSError:
                reservation.close()
                continue
            RESERVED.append(reservation)
            return port


def accepts(port):
    """Whether something listens on a port."""
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex(("127.0.0.1", port)) == 0


def eventually(condition, seconds, what):
    """Waits until a condition holds; fails after some seconds."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise AssertionError(f"{what} did not happen within {seconds} s")
        time.sleep(0.02)


class Program:
    """A program in a process group of its own, with its output in a file. It may take `patience` seconds to start, and as many to end."""

    def __init__(self, arguments, log, ports=(), cwd=None, environment=None, patience=60):
        self.arguments = [str(argument) for argument in arguments]
        self.log, self.ports, self.cwd, self.patience = log, ports, cwd, patience
        self.environment = {**os.environ, **(environment or {})}
        self.start()

    def start(self):
        with open(self.log, "ab") as output:
            self.process = subprocess.Popen(
                self.arguments, stdout=output, stderr=output, stdin=subprocess.DEVNULL, cwd=self.cwd, env=self.environment,
                start_new_session=True, **self.inheritance())
        try:
            eventually(lambda: self.has_ended() or all(map(accepts, self.ports)), self.patience, f"the start of {self.arguments[0]}")
            assert not self.has_ended(), f"{self.arguments[0]} ended with {self.process.returncode}"
        except AssertionError as failure:
            self.stop(signal.SIGKILL)
            raise AssertionError(f"{failure}:\n{self.output()[-3000:]}") from None

    def inheritance(self):
        """What the process gets from this one, as arguments of Popen."""
        return {}

    def has_ended(self):
        return self.process.poll() is not None

    def stop(self, number=signal.SIGTERM):
        """Ends the program and waits for it."""
        if not self.has_ended():
            self.signal_group(number)
        try:
            self.process.wait(self.patience)
        except subprocess.TimeoutExpired:
            self.signal_group(signal.SIGKILL)
            self.process.wait()

    def signal_group(self, number):
        try:
            os.killpg(self.process.pid, number)
        except ProcessLookupError:
            pass

    def freeze(self):
        """Stops the program's threads, and returns when the last one has stopped: until then it may still answer."""
        self.signal_group(signal.SIGSTOP)
        os.waitid(os.P_PID, self.process.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)

    def thaw(self):
        self.signal_group(signal.SIGCONT)

    def output(self):
        with open(self.log, errors="replace") as log:
            return log.read()


class Programs:
    """The programs of a run and their folder. A subclass starts them in `begin`; all of them end if one does not start."""

    def __init__(self, prefix):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix=prefix))
        self.stoppable = []
        try:
            self.begin()
        except BaseException:
            self.stop()
            raise

    def started(self, program):
        self.stoppable.append(program)
        return program

    def stop(self):
        """Ends the programs in the reverse order, and removes the folder."""
        for program in reversed(self.stoppable):
            program.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

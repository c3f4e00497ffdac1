"""Programs under test: one that ends by itself, and one that runs until it is asked to end."""
import os
import pathlib
import select
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).parents[2]
sys.path.append(str(ROOT / "Tests/Gateways"))
BUILD = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else os.environ.get("ASSAY_BUILD", ROOT / ".build/release")).absolute()
ASSAY = str(BUILD / "assay")
# Seconds that a program may take to start, to answer and to end.
TIME = 60
PLAIN = {"PATH": os.environ["PATH"], "HOME": "/nonexistent"}
# Paths that a program takes as relative begin here, and not in the repository.
SCRATCH = tempfile.TemporaryDirectory(prefix="assay-surroundings-")
FOLDER = pathlib.Path(SCRATCH.name)
FOLDER.chmod(0o755)


class Outcome:
    def __init__(self, code, output, errors):
        self.code, self.output, self.errors = code, output, errors

    def __eq__(self, other):
        return (self.code, self.output) == (other.code, other.output)

    def __repr__(self):
        return f"{self.code} {self.output[:200]!r} {self.errors[-300:]!r}"


def killed(process):
    """Ends a program and those that it has started, at once."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def run(command, environment=None, given=b"", **options):
    """The outcome of a command; None if it does not end."""
    options.setdefault("stdout", subprocess.PIPE)
    options.setdefault("stderr", subprocess.PIPE)
    with subprocess.Popen(command, stdin=subprocess.PIPE, env={**PLAIN, **(environment or {})}, start_new_session=True, cwd=FOLDER,
                          **options) as process:
        try:
            output, errors = process.communicate(given, TIME)
        except subprocess.TimeoutExpired:
            killed(process)
            process.communicate()
            return None
    return Outcome(process.returncode, output or b"", errors or b"")


class Running:
    """A program that runs until it is asked to end. Its standard output is read, its standard error kept in a file. `port` is where it is
    told to listen, if it is."""

    def __init__(self, command, environment=None, port=None, **options):
        self.said, self.rest, self.port = tempfile.TemporaryFile(), b"", port
        self.process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=self.said, env={**PLAIN, **(environment or {})}, cwd=FOLDER,
            start_new_session=True, **options)

    def __enter__(self):
        return self

    def __exit__(self, *failure):
        killed(self.process)
        self.process.wait()
        self.process.stdout.close()
        self.said.close()

    def line(self, word):
        """The next line with a word; None if the output ends before it."""
        end = time.monotonic() + TIME
        while True:
            line, newline, rest = self.rest.partition(b"\n")
            if newline:
                self.rest = rest
                if word in line:
                    return line.decode()
                continue
            ready, _, _ = select.select([self.process.stdout], [], [], max(0, end - time.monotonic()))
            assert ready, f"no line with {word!r} within {TIME} s: {self.errors()[-300:]!r}"
            part = os.read(self.process.stdout.fileno(), 65_536)
            if not part:
                return None
            self.rest += part

    def has_ended(self):
        return self.process.poll() is not None

    def errors(self):
        self.said.seek(0)
        return self.said.read()

    def ended(self):
        """The exit code of a program that ends by itself, or that was asked to end."""
        try:
            return self.process.wait(TIME)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"does not end: {self.errors()[-300:]!r}") from None

    def stopped(self):
        """The exit code after SIGTERM."""
        self.process.terminate()
        return self.ended()

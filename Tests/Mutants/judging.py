"""Runs the programs that judge a mutant. A program that fails, crashes or does not end refuses it."""
import os
import re
import resource
import signal
import subprocess
import threading
import time

from tree import TREE

RELEASE = TREE / '.build' / 'release'
# The short ones first.
VECTORS = ['vectors/jwks', 'vectors/cache', 'vectors']
TESTS = ['--testing-library', 'swift-testing', '--experimental-maximum-parallelization-width', '2']
# A loop without an end may allocate without an end.
MEMORY = 8 << 30

# Seconds that any program may take, besides four times what it takes without a mutant.
PATIENCE = 15
COLOUR = re.compile(r'\x1b\[[0-9;]*m')


def limit():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.setsid()
    os.nice(5)


def run(command, environment, seconds, faulty):
    """None if the program ends well, otherwise why not. The first line that `faulty` matches ends the program."""
    process = subprocess.Popen([str(part) for part in command], cwd=TREE, env={**os.environ, 'NO_COLOR': '1', **environment}, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, text=True, errors='replace', preexec_fn=limit)
    is_late = threading.Event()

    def end():
        # The flag comes first: it is looked at once the process has ended.
        is_late.set()
        stop(process)

    timer = threading.Timer(seconds, end)
    timer.start()
    said = last = ''
    try:
        for line in process.stdout:
            line = COLOUR.sub('', line)
            found = faulty.search(line)
            if found:
                said = found.group(found.lastindex or 0)
                break
            last = line
    finally:
        if said or is_late.is_set():
            stop(process)
        status = process.wait()
        in_time = not is_late.is_set()
        timer.cancel()
        process.stdout.close()
    if said:
        return said[:160]
    if not in_time:
        return 'does not end'
    if status < 0:
        return 'ends by %s' % signal.Signals(-status).name
    return None if status == 0 else 'exit code %d: %s' % (status, last.strip()[:120])


def stop(process):
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


class Judge:
    """One program: its name, its command, how long it takes without a mutant."""

    def __init__(self, name, command, faulty=r'^(.*: expected .*)$'):
        self.name, self.command, self.faulty, self.seconds = name, command, re.compile(faulty), 0.0

    def refuses(self, environment):
        """Why it refuses the mutant that the environment chooses; None if it does not."""
        return run(self.command, environment, 4 * self.seconds + PATIENCE, self.faulty)

    def calibrate(self, environment):
        """Runs it without a mutant, and notes how long it takes. Returns why it refuses the original, if it does."""
        started = time.monotonic()
        self.seconds = 60
        refused = self.refuses({'ASSAY_MUTANT': '0', **environment})
        self.seconds = time.monotonic() - started
        return refused


def vectors(program='vector-judge'):
    return Judge('vectors', [RELEASE / program, *VECTORS])


def suite(names, program='assayPackageTests.xctest'):
    """The tests of some suites, `Target.Suite`."""
    pattern = '^(%s)[./]' % '|'.join(re.escape(name) for name in names)
    return Judge('tests', [RELEASE / program, *TESTS, '--filter', pattern], r'✘ (?:Test|Suite) (.*?) (?:recorded|failed)')

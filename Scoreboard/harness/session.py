"""One adapter as a process: a line in, a line out, each within a time limit. A process that ends or hangs is started again."""

import json
import os
import selectors
import signal
import subprocess
import time
from dataclasses import dataclass

import cases

VERDICTS = ("valid", "invalid", "unsupported")
LONGEST_ANSWER = 1 << 20
ENDING_LIMIT = 10


class Failure(Exception):
    """Why there is no answer: the kind is crash, hang or garbage."""

    def __init__(self, kind, what):
        super().__init__(what)
        self.kind = kind


@dataclass(frozen=True)
class Answer:
    verdict: str
    lacks: frozenset = frozenset()
    reason: str = ""
    content: str = None


class Session:
    """A running adapter. `environment` is a function of the time of the cases, for an adapter without a clock of its own."""

    def __init__(self, command, log, limit, environment=None):
        self.command, self.log, self.limit = command, log, limit
        self.environment = environment or (lambda now: {})
        self.process = self.now = None
        self.unread = b""

    def __enter__(self):
        return self

    def __exit__(self, *failure):
        self.end()

    def ask(self, question):
        """An answer, or a Failure. A hang counts only if it comes again in a fresh process: a busy machine can be slow once."""
        try:
            return self.once(question)
        except Failure as failure:
            self.stop()
            if failure.kind != "hang":
                raise
        try:
            return self.once(question)
        except Failure:
            self.stop()
            raise

    def once(self, question):
        if self.process is None or self.now != question["now"]:
            self.end()
            self.start(question["now"])
        deadline = time.monotonic() + self.limit
        self.exchange(json.dumps(question).encode() + b"\n", deadline)
        line, _, self.unread = self.unread.partition(b"\n")
        return self.answer(line, question["id"])

    def start(self, now):
        self.now, self.unread = now, b""
        self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.log, bufsize=0,
                                        env=os.environ | self.environment(now), start_new_session=True)
        for pipe in (self.process.stdin, self.process.stdout):
            os.set_blocking(pipe.fileno(), False)

    def exchange(self, unsent, deadline):
        """Writes the question and reads until the end of a line."""
        with selectors.DefaultSelector() as selector:
            selector.register(self.process.stdout, selectors.EVENT_READ)
            selector.register(self.process.stdin, selectors.EVENT_WRITE)
            while b"\n" not in self.unread:
                ready = selector.select(max(0, deadline - time.monotonic()))
                if not ready:
                    raise Failure("hang", f"no answer within {self.limit} seconds")
                for key, _ in ready:
                    if key.fileobj is self.process.stdout:
                        self.read()
                    elif unsent := self.write(unsent):
                        continue
                    else:
                        selector.unregister(self.process.stdin)

    def read(self):
        data = self.process.stdout.read(65536)
        if not data:
            raise Failure("crash", self.ending())
        self.unread += data
        if len(self.unread) > LONGEST_ANSWER:
            raise Failure("garbage", "an answer without an end")

    def write(self, unsent):
        try:
            return unsent[os.write(self.process.stdin.fileno(), unsent):]
        except BrokenPipeError:
            raise Failure("crash", self.ending()) from None

    def ending(self):
        try:
            status = self.process.wait(self.limit)
        except subprocess.TimeoutExpired:
            return "it closed its output"
        return f"ended by {signal.Signals(-status).name}" if status < 0 else f"ended with exit code {status}"

    def answer(self, line, expected):
        try:
            document = json.loads(line)
            answer = Answer(document["verdict"], frozenset(document.get("lacks", ())), str(document.get("reason", "")),
                            cases.content_of(document))
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise Failure("garbage", f"no answer of the protocol: {line[:80]!r}") from None
        if answer.verdict not in VERDICTS or document.get("id") != expected or self.unread:
            raise Failure("garbage", f"no answer to this case: {line[:80]!r}")
        return answer

    def end(self):
        """Closes the input of an adapter, so that it can clear up, and ends what is left of it."""
        if self.process is not None:
            self.process.stdin.close()
            try:
                self.process.wait(ENDING_LIMIT)
            except subprocess.TimeoutExpired:
                pass
        self.stop()

    def stop(self):
        """Ends the adapter and what it has started, at once."""
        if self.process is None:
            return
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()
        self.process = None

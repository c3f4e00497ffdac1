"""The result of a run of checks."""
import signal
import sys
import time
import traceback


def title(function):
    return function.__name__.replace("_", " ")


class Report:
    def __init__(self):
        self.passed = self.failed = 0

    def check(self, name, function, *arguments):
        start = time.monotonic()
        try:
            result = function(*arguments)
        except Exception:
            self.failed += 1
            print(f"FAIL {name}\n{traceback.format_exc(limit=-3)}", flush=True)
        else:
            self.passed += 1
            if result or time.monotonic() - start > 5:
                print(f"ok {name} {time.monotonic() - start:.1f} s {result or ''}", flush=True)

    def close(self):
        """Prints the totals, and ends the run."""
        print(f"{self.passed} passed, {self.failed} failed")
        sys.exit(self.failed > 0)


def run(make_lab, checks):
    """Runs `checks(lab, report)` in a new lab. After a failure the log of the program under test follows. The last line has the totals."""
    # The programs of the lab end with the run, also if it is stopped.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    lab, report = make_lab(), Report()
    try:
        checks(lab, report)
        if report.failed:
            print(f"log of {lab.subject.arguments[0]}:", lab.subject.output()[-3000:])
    finally:
        lab.stop()
    report.close()

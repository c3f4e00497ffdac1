"""The time of the cases for adapters whose library reads the system's clock: Debian's libfaketime, preloaded."""

import glob
import time

PATTERN = "/usr/lib/*/faketime/libfaketime.so.1"


def library(threads=False):
    """The path of libfaketime, or None. A program with threads takes the variant for threads."""
    found = glob.glob(PATTERN.replace("time.so", "timeMT.so") if threads else PATTERN)
    return found[0] if found else None


def stopped(now, threads=False):
    """The environment of a process whose clock stands at `now`; the clock by which it waits goes on."""
    seconds = int(now)
    fraction = f"{now - seconds:.9f}"[1:] if now != seconds else ""
    return {"LD_PRELOAD": library(threads), "FAKETIME": time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(seconds)) + fraction, "TZ": "UTC",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1"}

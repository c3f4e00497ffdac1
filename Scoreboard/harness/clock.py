"""The time of the cases for verifiers that read the system's clock: Debian's libfaketime, preloaded, or for gateways stopped_clock.c."""

import glob
import os
import subprocess
import time
from pathlib import Path

PATTERN = "/usr/lib/*/faketime/libfaketime.so.1"
SOURCE = Path(__file__).resolve().parent / "stopped_clock.c"


def library():
    """The path of libfaketime, or None."""
    found = glob.glob(PATTERN)
    return found[0] if found else None


def stopped(now):
    """The environment of a process whose clock stands at `now`."""
    seconds = int(now)
    fraction = f"{now - seconds:.9f}"[1:] if now != seconds else ""
    return {"LD_PRELOAD": library(), "FAKETIME": time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(seconds)) + fraction, "TZ": "UTC",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1"}


def stopped_for_gateway(now, folder):
    """The same for a gateway. The library is built into the folder at its first use."""
    output = folder / "stopped_clock.so"
    if not output.exists() or output.stat().st_mtime < SOURCE.stat().st_mtime:
        subprocess.run([os.environ.get("CC", "cc"), "-O1", "-shared", "-fPIC", "-o", output, SOURCE], check=True)
    return {"LD_PRELOAD": str(output), "STOPPED_CLOCK": str(round(now * 10**9))}

"""HAProxy's master, which starts another process at a reload."""
import pathlib
import re
import signal

from program import eventually


def takes(process, number):
    """Whether a process has a handler for a signal. HAProxy's master executes itself again and again; between, the signal would end it."""
    caught = re.search(r"^SigCgt:\s*(\w+)", pathlib.Path(f"/proc/{process}/status").read_text(), re.M)
    return bool(int(caught[1], 16) >> (number - 1) & 1)


def reload(program):
    """Asks the master (`-W`) for a reload, and waits until the process before has closed its listener."""
    master, ends = program.process.pid, program.output().count("Proxy web stopped")
    eventually(lambda: takes(master, signal.SIGUSR2), 60, "the master")
    program.process.send_signal(signal.SIGUSR2)
    eventually(lambda: program.output().count("Proxy web stopped") > ends, 60, "the end of the listener before")

#!/usr/bin/env python3
"""Runs fuzzers and keeps account of how long each has been fuzzed, in Fuzz/ledger.tsv.

  fuzz_ledger.py                              prints the totals of each target; fails while one lacks its hour without a finding
  fuzz_ledger.py order TARGET…                prints the targets, the one with the least time first
  fuzz_ledger.py commit FOLDER                writes FOLDER/commit, which names the tree that the fuzzers in FOLDER were built from
  fuzz_ledger.py run TARGET PROGRAM OPTION…   runs a fuzzer and passes its output on

MINUTES bounds a run by its processor time, so that a busy machine does not shorten it. LEDGER=1 adds the run to the ledger: its user time,
measured by the kernel, and the inputs that libFuzzer counts in its closing numbers. Runs of a target on the same day from the same tree
share a row. A commit with `+` had changes that were not committed.

`counted` is the time without a finding: the runs of the days after the target's last finding. The rows of one day have no order, so none of
a day with a finding counts."""

import datetime
import fcntl
import os
import pathlib
import re
import signal
import subprocess
import sys
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
LEDGER = ROOT / "Fuzz/ledger.tsv"
# What a fuzzer is made of.
SOURCES = ["Sources", "Fuzz/Sources", "Fuzz/Package.swift", "Tests/Kernels/Fuzz/*.[ch]", "Tests/Kernels/Cases"]
HEAD = ["target", "date", "commit", "seconds", "inputs", "findings"]
# What a release needs of each target without a finding, in seconds.
NEEDED = 3600
EXECUTED = re.compile(r"^stat::number_of_executed_units: *(\d+)$")
QUIET = re.compile(r"^stat::(?:slowest|peak)|^Dictionary:")
# libFuzzer's status of a run that was interrupted, and has found nothing.
INTERRUPTED = 72
TICKS = os.sysconf("SC_CLK_TCK")


def rows():
    """The three texts of each row, with its three numbers."""
    lines = [line.split("\t") for line in LEDGER.read_text().splitlines()[1:]] if LEDGER.exists() else []
    return {tuple(line[:3]): [int(number) for number in line[3:]] for line in lines}


def add(target, tree, numbers):
    """Adds a run. Two fuzzers may end at the same time, so the ledger is locked."""
    with open(LEDGER, "a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        table, key = rows(), (target, datetime.date.today().isoformat(), tree)
        table[key] = summed(table.get(key), numbers)
        lines = [HEAD] + [[*key, *map(str, numbers)] for key, numbers in sorted(table.items())]
        LEDGER.write_text("".join("\t".join(line) + "\n" for line in lines))


def summed(old, new):
    return [first + second for first, second in zip(old or [0, 0, 0], new)]


def totals():
    sums = {}
    for (target, _, _), numbers in rows().items():
        sums[target] = summed(sums.get(target), numbers)
    return sums


def counted():
    """The seconds of each target after the last day with a finding."""
    table, last, sums = rows(), {}, {}
    for (target, day, _), (_, _, findings) in table.items():
        if findings:
            last[target] = max(day, last.get(target, ""))
    for (target, day, _), (seconds, _, _) in table.items():
        sums[target] = sums.get(target, 0) + (seconds if day > last.get(target, "") else 0)
    return sums


def show():
    """Prints the table. Returns whether a target lacks time."""
    listed = subprocess.run([str(ROOT / "scripts/fuzz.sh"), "--list"], capture_output=True, text=True, check=True).stdout.split()
    sums, clean = {target: [0, 0, 0] for target in listed} | totals(), counted()
    print(f"{'target':20} {'minutes':>8} {'counted':>8} {'inputs':>12} {'findings':>8}")
    for target, numbers in sorted(sums.items()):
        row(target, clean.get(target, 0), numbers)
    row("all", sum(clean.values()), list(map(sum, zip(*sums.values()))))
    done = sum(clean.get(target, 0) >= NEEDED for target in sums)
    print(f"{done} of {len(sums)} targets have {NEEDED // 60} minutes after their last finding")
    return done < len(sums)


def row(name, clean, numbers):
    seconds, inputs, findings = numbers
    print(f"{name:20} {seconds / 60:8.1f} {clean / 60:8.1f} {inputs:12,} {findings:8}")


def order(targets):
    """The targets, the one with the least time first: what an interrupted round left out comes next."""
    clean = counted()
    print("\n".join(sorted(targets, key=lambda target: clean.get(target, 0))))


def commit(folder):
    """The commit, for the ledger: what is built now may be run after the next one."""
    def git(*arguments):
        return subprocess.run(["git", "-C", str(ROOT), *arguments], capture_output=True, text=True, check=False)
    name = git("rev-parse", "--short=8", "HEAD").stdout.strip() or "unknown"
    changed = git("diff", "--quiet", "HEAD", "--", *SOURCES).returncode
    pathlib.Path(folder, "commit").write_text(name + ("+" if changed else "") + "\n")


def ask_to_end(process):
    """Asks libFuzzer to end. `Popen.send_signal` would wait for a process that has ended, and its time would be lost to `wait4`."""
    if process.returncode is None:
        os.kill(process.pid, signal.SIGUSR1)


def stop_after(process, seconds):
    """Asks libFuzzer to end when the process has used this much user time."""
    while process.returncode is None:
        try:
            fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            return
        if int(fields[11]) / TICKS >= seconds:
            ask_to_end(process)
            return
        time.sleep(0.5)


def run(target, command):
    """Runs the command. Returns its status."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    # Whoever ends this script ends the fuzzer, whose time still counts.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: ask_to_end(process))
    minutes = os.environ.get("MINUTES")
    if minutes:
        threading.Thread(target=stop_after, args=(process, float(minutes) * 60), daemon=True).start()
    inputs = 0
    for line in process.stdout:
        executed = EXECUTED.match(line)
        inputs = int(executed[1]) if executed else inputs
        if not QUIET.match(line):
            print(line, end="", flush=True)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    # Without inputs, the last line has the reason why there is nothing to fuzz on this machine.
    if os.environ.get("LEDGER") and (inputs or process.returncode):
        tree = pathlib.Path(command[0]).with_name("commit").read_text().strip()
        add(target, tree, [round(usage.ru_utime), inputs, int(process.returncode not in (0, INTERRUPTED))])
    return process.returncode


def main(arguments):
    match arguments:
        case []: return show()
        case ["order", *targets]: order(targets)
        case ["commit", folder]: commit(folder)
        case ["run", target, *command] if command: return run(target, command)
        case _: return __doc__
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

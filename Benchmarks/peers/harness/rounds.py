"""Starts the peers in turn and records their output."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass, field

ALGORITHMS = ("RS256", "ES256", "EdDSA", "HS256")
VERDICTS = ("tampered", "expired", "other-issuer", "other-audience")
LONGEST_START = 120  # seconds after which a peer counts as hung


@dataclass
class Result:
    """The results of one peer under one algorithm: tokens per second, and the ratio to the reference measured just before."""
    rates: list = field(default_factory=list)
    ratios: list = field(default_factory=list)
    verdicts: dict = field(default_factory=dict)
    reason: str = ""  # the reason for a missing rate
    failed: bool = False  # whether that reason is a fault


@dataclass
class Row:
    peer: object
    results: dict = field(default_factory=dict)  # by algorithm


def show(what):
    """Shows the progress, only on a terminal."""
    if sys.stderr.isatty():
        print(f"\r\033[K{what}", end="", file=sys.stderr, flush=True)


def pin_to_last_cpu():
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def start(command, folder, algorithm, seconds):
    """The lines that a peer prints, or one line that describes its failure."""
    try:
        answer = subprocess.run([*command, str(folder), algorithm, str(seconds)], capture_output=True, text=True,
                                timeout=LONGEST_START + seconds, preexec_fn=pin_to_last_cpu)
        if answer.returncode == 0:
            return [json.loads(line) for line in answer.stdout.splitlines()]
        said = answer.stderr.strip().splitlines() or [f"exit code {answer.returncode}"]
        return [{"failed": said[-1]}]
    except (subprocess.TimeoutExpired, ValueError) as error:
        return [{"failed": str(error).splitlines()[0]}]


def note(result, line, bare):
    """Adds a line to the results of its peer. A bad verdict stays bad."""
    for name in VERDICTS:
        if name in line and result.verdicts.get(name) != "accepted":
            result.verdicts[name] = line[name]
    if "tokens_per_second" in line and line.get("tampered") == "refused":
        rate = line["tokens_per_second"]
        result.rates.append(rate)
        result.ratios.append(rate / (bare or rate))
        return
    result.failed = "skipped" not in line
    if result.verdicts.get("tampered") == "accepted":
        result.reason = "accepts a tampered token"
    else:
        result.reason = line.get("skipped") or line.get("failed") or "gave no speed"


class Run:
    """One run over a folder of tokens. The first peer is the reference: it is measured just before each of the others, because the speed of
    the machine changes over time."""

    def __init__(self, ready, folder, seconds):
        self.reference, *self.others = ready
        self.folder, self.seconds = folder, seconds
        self.rows = {}  # by name

    def measure(self, ready, algorithm, bare=None):
        """Starts a peer and records its output: one line, or one for each of its variants."""
        peer, command = ready
        for line in start(command, self.folder, algorithm, self.seconds):
            name = f"{peer.name}, {line['variant']}" if "variant" in line else peer.name
            row = self.rows.setdefault(name, Row(peer))
            note(row.results.setdefault(algorithm, Result()), line, bare)

    def bare_rate(self, algorithm):
        self.measure(self.reference, algorithm)
        result = self.rows[self.reference[0].name].results[algorithm]
        if result.reason:
            sys.exit(f"{self.reference[0].name}, {algorithm}: {result.reason}")
        return result.rates[-1]

    def lacks(self, peer, algorithm):
        """Whether the peer reported in an earlier round that it lacks the algorithm."""
        return peer.name in self.rows and getattr(self.rows[peer.name].results.get(algorithm), "reason", "")

    def round(self, what):
        for algorithm in ALGORITHMS:
            for ready in self.others:
                if not self.lacks(ready[0], algorithm):
                    show(f"{what}: {algorithm}, {ready[0].name}")
                    self.measure(ready, algorithm, self.bare_rate(algorithm))


def measure(ready, folder, how_many, seconds):
    """The rows of all rounds, by name."""
    run = Run(ready, folder, seconds)
    for ordinal in range(how_many):
        run.round(f"round {ordinal + 1} of {how_many}")
    show("")
    return run.rows

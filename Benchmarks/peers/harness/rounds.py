"""Starts the peers by turns and keeps what they say."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass, field

ALGORITHMS = ("RS256", "ES256", "EdDSA", "HS256")
VERDICTS = ("tampered", "expired", "other-issuer", "other-audience")
LONGEST_START = 120  # seconds, beyond which a peer is taken to hang


@dataclass
class Result:
    """What one peer said under one algorithm: a rate for each round, None where it gave none."""
    rates: list
    verdicts: dict = field(default_factory=dict)
    reason: str = ""  # why there is no rate
    failed: bool = False  # that reason is a fault


@dataclass
class Row:
    name: str
    peer: object
    results: dict = field(default_factory=dict)  # by algorithm


def show(what):
    """Says what goes on, on a terminal alone."""
    if sys.stderr.isatty():
        print(f"\r\033[K{what}", end="", file=sys.stderr, flush=True)


def pin_to_last_cpu():
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def start(command, folder, algorithm, seconds):
    """The lines that a peer prints, or one made of its failure."""
    try:
        answer = subprocess.run([*command, str(folder), algorithm, str(seconds)], capture_output=True, text=True,
                                timeout=LONGEST_START + seconds, preexec_fn=pin_to_last_cpu)
        if answer.returncode == 0:
            return [json.loads(line) for line in answer.stdout.splitlines()]
        said = answer.stderr.strip().splitlines() or [f"exit code {answer.returncode}"]
        return [{"failed": said[-1]}]
    except (subprocess.TimeoutExpired, ValueError) as error:
        return [{"failed": str(error).splitlines()[0]}]


def note(result, line, ordinal):
    """Adds a line to what its peer said in earlier rounds. A verdict once bad stays bad."""
    for name in VERDICTS:
        if name in line and result.verdicts.get(name) != "accepted":
            result.verdicts[name] = line[name]
    if "tokens_per_second" in line and line.get("tampered") == "refused":
        result.rates[ordinal] = line["tokens_per_second"]
        return
    result.failed = "skipped" not in line
    if result.verdicts.get("tampered") == "accepted":
        result.reason = "accepts a tampered token"
    else:
        result.reason = line.get("skipped") or line.get("failed") or "gave no speed"


def measure(ready, folder, how_many, seconds):
    """Rows by name. Within a round all peers verify tokens of one algorithm before the next: a ratio is of neighbours in time."""
    rows = {}
    for ordinal in range(how_many):
        first = ordinal * len(ready) // how_many  # each round begins with another peer
        for algorithm in ALGORITHMS:
            for peer, command in ready[first:] + ready[:first]:
                show(f"round {ordinal + 1} of {how_many}: {algorithm}, {peer.name}")
                for line in start(command, folder, algorithm, seconds):
                    name = f"{peer.name}, {line['variant']}" if "variant" in line else peer.name
                    row = rows.setdefault(name, Row(name, peer))
                    note(row.results.setdefault(algorithm, Result([None] * how_many)), line, ordinal)
    show("")
    return rows

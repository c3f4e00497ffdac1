#!/usr/bin/env python3
"""turns.py FOLDER [ROUNDS]: compares Python's packages in one process, in turns, by the processor time of the thread.

Other work on the machine then counts less than in the runs of peer.py, which go by the clock. FOLDER is as for peer.py. Prints the median
time of a verification in µs, and how many times faster assay-jwt is than the best of the others.
"""

import statistics
import sys
import time
import warnings
from pathlib import Path

import verifiers
from peer import lines, read_setting

ALGORITHMS = ("RS256", "ES256", "EdDSA", "HS256")
LIBRARIES = ("assay", "oxyjwt", "joserfc", "pyjwt", "python_jose", "authlib")
TURN = 0.02  # seconds


def offered(setting):
    found = {}
    for library in LIBRARIES:
        try:
            found[library] = getattr(verifiers, library)(setting)
        except (ImportError, verifiers.NotOffered):
            pass
    return found


def turn(verify, tokens):
    """Seconds for one token."""
    start, count = time.thread_time(), 0
    while (taken := time.thread_time() - start) < TURN:
        for token in tokens:
            verify(token)
        count += len(tokens)
    return taken / count


def measured(verify_by, tokens, rounds):
    times = {library: [] for library in verify_by}
    for number in range(rounds + 1):
        for library, verify in verify_by.items():
            taken = turn(verify, tokens)
            if number:  # the first turn warms caches
                times[library].append(taken * 1e6)
    return {library: statistics.median(taken) for library, taken in times.items()}


def main():
    folder, rounds = Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 15
    warnings.simplefilter("ignore")
    for algorithm in ALGORITHMS:
        tokens = lines(folder / algorithm / "tokens")[:50]
        times = measured(offered(read_setting(folder, algorithm)), tokens, rounds)
        best = min((taken, library) for library, taken in times.items() if library != "assay")
        said = ", ".join(f"{library} {taken:.2f}" for library, taken in times.items())
        print(f"{algorithm}, {len(tokens[0])} bytes: {said}; {best[0] / times['assay']:.1f} × {best[1]}", flush=True)


if __name__ == "__main__":
    main()

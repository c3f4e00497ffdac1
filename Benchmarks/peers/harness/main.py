#!/usr/bin/env python3
"""Measures JWT libraries on the same tokens in one run, in turn, on one CPU, and prints the table as Markdown."""

import argparse
import json
import os
import shutil
import sys
from pathlib import Path

import debian
import report
import rounds
from peers import ABSENT, PEERS, Unavailable

# The languages whose programs go by PEERS_CLOCK.
WITH_CLOCK = {"C", "C++", "Go", "JavaScript", "Python", "Python on Rust", "Python on Swift"}


def arguments():
    parser = argparse.ArgumentParser(prog="run.sh", description=__doc__)
    parser.add_argument("--work", type=Path, default=Path(".build-peers"), help="folder to build into")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write everything measured to a file as well")
    parser.add_argument("--only", action="append", metavar="NAME", help="a peer, by a part of its name; may be repeated; default: all")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=0.5, help="for each peer, algorithm and round")
    parser.add_argument("--quick", action="store_true", help="one round of a tenth of a second")
    parser.add_argument("--processor", action="store_true", help="by processor time, not by the clock: for a machine that does other work")
    parser.add_argument("--no-install", action="store_true", help="measure what is installed already")
    options = parser.parse_args()
    if options.quick:
        options.rounds, options.seconds = 1, 0.1
    return options


def chosen(only):
    """The named peers, and always the reference peer."""
    wanted = [name.lower() for name in only or [""]]
    return PEERS[:1] + [peer for peer in PEERS[1:] if any(name in peer.name.lower() for name in wanted)]


def built(peers, work):
    """The peers that can be started, as pairs of a peer and its command, and the reasons why others cannot."""
    ready, skipped = [], {}
    for peer in peers:
        rounds.show(f"building {peer.name}")
        try:
            ready.append((peer, [str(part) for part in peer.command(work)]))
        except Unavailable as reason:
            skipped[peer.name] = str(reason)
    return ready, skipped


def fresh_tokens(folder):
    try:
        import tokens
    except ImportError:
        sys.exit("The package joserfc could not be installed: it signs the tokens.")
    shutil.rmtree(folder, ignore_errors=True)
    tokens.make(folder, count=1000)
    return folder


def main():
    options = arguments()
    work = options.work.resolve()
    work.mkdir(parents=True, exist_ok=True)
    peers = chosen(options.only)
    if not options.no_install:
        debian.install(sorted({package for peer in peers for package in peer.packages}))
    ready, skipped = built(peers, work)
    if options.processor:
        os.environ["PEERS_CLOCK"] = "processor"
        skipped |= {peer.name: "its program has no clock of the processor" for peer, _ in ready if peer.language not in WITH_CLOCK}
        ready = [(peer, command) for peer, command in ready if peer.name not in skipped]
    if PEERS[0].name in skipped or len(ready) < 2:
        sys.exit("\n".join(["nothing to measure", *(f"{name}: {reason}" for name, reason in skipped.items())]))
    folder = fresh_tokens(work / "tokens")
    results = rounds.measure(ready, folder, options.rounds, options.seconds)
    document = report.document(results, skipped if options.only else skipped | ABSENT, folder, options.rounds)
    document["clock"] = "processor" if options.processor else "wall"
    print(report.markdown(document), end="")
    if options.json:
        options.json.write_text(json.dumps(document, indent=2) + "\n")
    return 1 if report.faults(document) else 0


if __name__ == "__main__":
    sys.exit(main())

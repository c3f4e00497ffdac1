#!/usr/bin/env python3
"""Judges JWT verifiers by the vectors: run.sh [--kind KIND] [--only NAME]… [--case ID --verifier NAME] [--json FILE] [--page FILE]"""

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent / "harness"))
sys.dont_write_bytecode = True

import cases  # noqa: E402
import judging  # noqa: E402
import report  # noqa: E402
from building import ROOT, Unavailable  # noqa: E402
from verifiers import VERIFIERS  # noqa: E402


def arguments():
    parser = argparse.ArgumentParser(prog="run.sh", description=__doc__.partition(":")[0])
    parser.add_argument("--kind", choices=cases.KINDS, default="tokens", help="which vectors; default: tokens")
    parser.add_argument("--only", action="append", metavar="NAME", help="verifiers, by a part of the name; may be repeated; default: all")
    parser.add_argument("--vectors", action="append", type=Path, metavar="FOLDER", help="folders of cases; default: vectors")
    parser.add_argument("--case", metavar="ID", help="one case: shows it, and the answer of each verifier with its reason")
    parser.add_argument("--verifier", action="append", metavar="NAME", dest="only", help="the same as --only")
    parser.add_argument("--list", action="store_true", help="lists each case without a right verdict; stays on this machine")
    parser.add_argument("--json", type=Path, metavar="FILE", help="writes the counts to a file")
    parser.add_argument("--page", type=Path, metavar="FILE", help="replaces the tables of a page")
    parser.add_argument("--limit", type=float, default=20, metavar="SECONDS", help="for one answer (default 20)")
    parser.add_argument("--work", type=Path, default=ROOT / ".build-scoreboard", help="folder to build into, and for logs")
    return parser.parse_args()


def chosen(verifiers, only):
    """For each name the verifier of that name, or else those that have it as a part."""
    if not only:
        return verifiers
    names = [verifier.name.lower() for verifier in verifiers]
    wanted = {name for part in map(str.lower, only) for name in ([part] if part in names else [name for name in names if part in name])}
    return [verifier for verifier in verifiers if verifier.name.lower() in wanted]


def show(text):
    if sys.stderr.isatty():
        print(f"\r{text:70}", end="", file=sys.stderr, flush=True)


def judged(verifier, selection, options):
    """A report's row; the log has what the adapter writes to its standard error."""
    log = options.work / "logs" / f"{verifier.name.replace(' ', '-')}.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    with open(log, "wb") as file:
        try:
            session = verifier.session(selection, options.work, file, options.limit)
        except Unavailable as reason:
            return report.absent(verifier, str(reason))
        with session:
            judgements = judging.run(selection, session, lambda done: show(f"{verifier.name}: {done} of {len(selection)}"))
    return report.row(verifier, judgements)


def main():
    options = arguments()
    options.work = options.work.resolve()
    options.work.mkdir(parents=True, exist_ok=True)
    selection = cases.load(options.vectors or [ROOT / "vectors"], options.kind)
    if options.case:
        selection = [case for case in selection if case.id == options.case]
    verifiers = chosen(VERIFIERS[options.kind], options.only)
    if not selection or not verifiers:
        sys.exit("no such case" if not selection else "no such verifier")
    rows = []
    for verifier in verifiers:
        rows.append(judged(verifier, selection, options))
        print(report.line(rows[-1]), flush=True)
    return report.close(rows, selection, options)


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Writes the test vectors of Assay, the JSON files beside this script.

    python3 generate.py            write the files
    python3 generate.py --check    write nothing; exit 1 and name the files that differ from what would be written

The output depends on nothing but this source: keys come from fixed seeds and every signature is deterministic. Before
a file is written, each signature in it was checked with the `cryptography` package: good ones verify, bad ones do not.
"""

import argparse
import sys
from pathlib import Path

from generator import claims, form, header, keyset, signatures
from generator.suite import CODES, GeneratorError

DIRECTORY = Path(__file__).resolve().parent
MODULES = (form, header, keyset, signatures, claims)


def build():
    """All suites, checked, as file name and text."""
    files, seen = {}, set()
    for suite in (make() for module in MODULES for make in module.SUITES):
        suite.check()
        identifiers = [case["id"] for case in suite.cases]
        repeated = [identifier for identifier in identifiers if identifier in seen or identifiers.count(identifier) > 1]
        if repeated or f"{suite.name}.json" in files:
            raise GeneratorError(f"{suite.name}: used twice: {repeated}")
        seen.update(identifiers)
        files[f"{suite.name}.json"] = suite
    check_coverage(files.values())
    return {name: suite.text().encode("ascii") for name, suite in files.items()}


def check_coverage(suites):
    """Raises unless every error code is expected at least twice."""
    expected = [case["expect"] for suite in suites for case in suite.cases]
    rare = [code for code in CODES if expected.count(code) < 2]
    if rare:
        raise GeneratorError(f"expected less than twice: {', '.join(rare)}")


def differing(files):
    """The files that are missing, changed, or no longer generated."""
    present = {path.name: path.read_bytes() for path in DIRECTORY.glob("*.json")}
    return sorted(name for name in files.keys() | present.keys() if files.get(name) != present.get(name))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare with the files, write nothing")
    arguments = parser.parse_args()
    files = build()
    changed = differing(files)
    if arguments.check:
        for name in changed:
            print(f"differs: {name}")
        return 1 if changed else 0
    for name in changed:
        path = DIRECTORY / name
        if name in files:
            path.write_bytes(files[name])
        else:
            path.unlink()
        print(f"{'wrote' if name in files else 'removed'} {name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

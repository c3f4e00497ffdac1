#!/usr/bin/env python3
"""Compares the codes of libassay with those of the command `assay verify`: differential.py LIBRARY ASSAY FOLDER…

Takes every key set, every key and every compact token that the files of the folders hold. Each set judges the tokens of its own files, and an
eighth of all others: as a signature, and with its claims at a time in the middle of the vectors' own."""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

import adapter

NOW = 1_700_000_000
TOKEN = re.compile(r"(?<![A-Za-z0-9_.-])[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*\.[A-Za-z0-9_-]*(?![A-Za-z0-9_.-])")
LONGEST = 20_000
PART = 8


def collect(value, key_sets, keys):
    """Adds the key sets and the single keys of a document."""
    if isinstance(value, list):
        for item in value:
            collect(item, key_sets, keys)
    elif isinstance(value, dict):
        if isinstance(value.get("keys"), list):
            key_sets.add(json.dumps({"keys": value["keys"]}, sort_keys=True))
        elif isinstance(value.get("kty"), str):
            keys.add(json.dumps(value, sort_keys=True))
        for item in value.values():
            collect(item, key_sets, keys)


def read(folders):
    """The tokens, and the key sets with the tokens of their own files."""
    own, keys, tokens = {}, set(), set()
    for path in sorted(path for folder in folders for path in pathlib.Path(folder).rglob("*") if path.is_file()):
        text, key_sets = path.read_bytes().decode("utf-8", "replace"), set()
        found = {token for token in TOKEN.findall(text) if len(token) <= LONGEST}
        tokens.update(found)
        try:
            collect(json.loads(text), key_sets, keys)
        except (ValueError, RecursionError):
            continue
        for key_set in key_sets:
            own.setdefault(key_set, set()).update(found)
    # One set of all single keys: each token finds its own by its key id, or by trial.
    single = sorted(keys)
    for start in range(0, len(single), 8):
        own.setdefault(json.dumps({"keys": [json.loads(key) for key in single[start:start + 8]]}), set())
    return sorted(tokens), sorted(own.items())


def command_verdicts(assay, keys, tokens, options):
    """A verdict for each line of the file of tokens, or nothing if the keys are refused."""
    command = [assay, "verify", "--keys", str(keys), "--batch", str(tokens), *options]
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False).stdout.decode().split("\n")[:-1]


def main(library, assay, folders):
    library = adapter.load(library)
    every, key_sets = read(folders)
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        lines, document = pathlib.Path(folder, "tokens"), pathlib.Path(folder, "keys.json")
        for ordinal, (key_set, own) in enumerate(key_sets):
            tokens = sorted(own.union(every[ordinal % PART::PART]))
            lines.write_text("".join(token + "\n" for token in tokens))
            document.write_text(key_set)
            for policy, options in (({}, ["--now", str(NOW)]), ({"claims": False}, ["--no-claims"])):
                expected = command_verdicts(assay, document, lines, options)
                verifier = adapter.Verifier(library, json.loads(key_set), policy)
                got = [verifier.verdict(token, float(NOW)) for token in tokens] if verifier.code == 0 else []
                verifier.free()
                wrong = [index for index, pair in enumerate(zip(expected, got)) if pair[0] != pair[1]]
                failed += len(wrong) + abs(len(expected) - len(got))
                passed += len(got) - len(wrong)
                for index in wrong[:3]:
                    print(f"FAIL {key_set[:60]} {tokens[index][:60]}: {expected[index]} in Swift, {got[index]} in C")
                if len(expected) != len(got):
                    print(f"FAIL {key_set[:60]}: {len(expected)} verdicts in Swift, {len(got)} in C")
    print(f"{len(key_sets)} key sets, {len(every)} tokens")
    print(f"{passed} passed, {failed} failed")
    return failed > 0 or passed == 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], sys.argv[3:]))

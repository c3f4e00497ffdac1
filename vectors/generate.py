#!/usr/bin/env python3
"""Writes the test vectors of Assay, the JSON files beside this script.

    python3 generate.py            write the files
    python3 generate.py --check    write nothing; exit 1 and name the files that differ from what would be written

The output depends on nothing but this source: keys come from fixed seeds and every signature is deterministic. Before
a file is written, each signature in it was checked with the `cryptography` package: good ones verify, bad ones do not.
Each file is validated against its schema. An id that the files have now cannot disappear: users name cases by it.
README.md must tell the numbers of cases.
"""

import argparse
import json
import re
import sys
from pathlib import Path

from generator import claims, form, header, keyset, manifest, schema, severity, signatures
from generator.certificates import content as certificates
from generator.certificates.suite import CERTIFICATE_CODES
from generator.documents import forms, keys
from generator.dpop import claims as proof_claims
from generator.dpop import forms as proof_forms
from generator.dpop import keys as proof_keys
from generator.dpop import requests as proof_requests
from generator.dpop.suite import PROOF_CODES
from generator.encrypted import content, examples, tampering
from generator.encrypted import forms as encrypted_forms
from generator.encrypted import keys as decryption_keys
from generator.encrypted.suite import ENCRYPTION_CODES
from generator.events import content as event_content
from generator.events import tokens as event_tokens
from generator.events.suite import EVENT_CODES
from generator.scenarios import courses, discovery, lifetimes
from generator.selective import binding, disclosures
from generator.selective import examples as selective_examples
from generator.selective import tokens as selective_tokens
from generator.selective.suite import SELECTIVE_CODES
from generator.signed import forms as signed_forms
from generator.signed import headers as signed_headers
from generator.signed import payloads, requirements, rfc
from generator.signed.suite import DOCUMENT_CODES
from generator.statuslists import compression, draft, references
from generator.statuslists import content as list_content
from generator.statuslists import signatures as list_signatures
from generator.statuslists.suite import LIST_CODES
from generator.suite import CODES, GeneratorError
from generator.tables import (algorithms, base64url_tails, dates, duplicates, ecdsa_edges, edwards_edges, header_types, json_grammar,
                              key_purposes, media_types, rsa_encodings, secrets, text_equality, utf8_octets)

DIRECTORY = Path(__file__).resolve().parent
TOKENS = (form, header, keyset, signatures, claims)
TABLES = (algorithms, base64url_tails, dates, duplicates, ecdsa_edges, edwards_edges, header_types, json_grammar, key_purposes,
          media_types, rsa_encodings, secrets, text_equality, utf8_octets)
LISTS = (draft, list_content, compression, list_signatures, references)
EVENTS = (event_tokens, event_content)
PROOFS = (proof_forms, proof_keys, proof_claims, proof_requests)
ENCRYPTED = (examples, encrypted_forms, decryption_keys, tampering, content)
SELECTIVE = (selective_examples, disclosures, selective_tokens, binding)
SIGNED = (rfc, signed_forms, signed_headers, requirements, payloads)
MODULES = (*TOKENS, *TABLES, forms, keys, lifetimes, courses, discovery, *LISTS, *EVENTS, *PROOFS, *ENCRYPTED, certificates, *SELECTIVE,
           *SIGNED)


def build():
    """All files, checked, as path and octets."""
    files, seen, expected = {}, set(), []
    for suite in (make() for module in MODULES for make in module.SUITES):
        if suite.path in severity.RATED:
            severity.rate(suite)
        suite.check()
        identifiers = [case["id"] for case in suite.cases]
        repeated = [identifier for identifier in identifiers if identifier in seen or identifiers.count(identifier) > 1]
        if repeated or suite.path in files:
            raise GeneratorError(f"{suite.name}: used twice: {repeated}")
        seen.update(identifiers)
        expected += [case["expect"] for case in suite.cases]
        files[suite.path] = suite.text().encode("ascii")
    check_coverage(expected)
    check_stability(seen)
    files["manifest.json"] = manifest.text(files).encode("ascii")
    schema.validate(files)
    return files


def check_coverage(expected):
    """Raises unless every error code is expected at least twice."""
    expectable = (*CODES, *LIST_CODES, *EVENT_CODES, *PROOF_CODES, *ENCRYPTION_CODES, *CERTIFICATE_CODES, *SELECTIVE_CODES,
                  *DOCUMENT_CODES)
    rare = [code for code in expectable if expected.count(code) < 2]
    if rare:
        raise GeneratorError(f"expected less than twice: {', '.join(rare)}")


def check_stability(identifiers):
    """Raises if the files have an id that would disappear."""
    gone = {case["id"] for octets in present().values() for case in manifest.cases(json.loads(octets))} - identifiers
    if gone:
        raise GeneratorError(f"ids are stable, and these would disappear: {', '.join(sorted(gone))}")


def present():
    """The files as they are."""
    folders = ("", *(f"{kind}/" for kind in manifest.CASES if kind != "tokens"))
    paths = [path for folder in folders for path in DIRECTORY.glob(f"{folder}*.json")]
    return {path.relative_to(DIRECTORY).as_posix(): path.read_bytes() for path in paths}


def numbers_missing(numbers):
    """The numbers of cases that README.md should tell and does not."""
    text = (DIRECTORY / "README.md").read_text()
    return [number for number in numbers if not re.search(rf"(?<![\d,]){number}(?![\d,])", text)]


def differing(files):
    """The files that are missing, changed, or no longer generated."""
    now = present()
    return sorted(name for name in files.keys() | now.keys() if files.get(name) != now.get(name))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare with the files, write nothing")
    arguments = parser.parse_args()
    files = build()
    changed = differing(files)
    stale = numbers_missing(manifest.numbers(files))
    if stale:
        print(f"README.md does not have the numbers {', '.join(stale)}")
        if arguments.check:
            return 1
    if arguments.check:
        for name in changed:
            print(f"differs: {name}")
        return 1 if changed else 0
    for name in changed:
        path = DIRECTORY / name
        if name in files:
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(files[name])
        else:
            path.unlink()
        print(f"{'wrote' if name in files else 'removed'} {name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

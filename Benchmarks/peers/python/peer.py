#!/usr/bin/env python3
"""peer.py LIBRARY FOLDER ALGORITHM SECONDS: prints one line of JSON. ../README.md describes the folder and the output."""

import json
import os
import sys
import time
import warnings
from dataclasses import dataclass
from pathlib import Path

import verifiers

CALLS_PER_LOOK_AT_THE_CLOCK = 100
TOKENS_PER_BATCH = 100
CLOCK = time.process_time if os.environ.get("PEERS_CLOCK") == "processor" else time.perf_counter


@dataclass(frozen=True)
class Setting:
    """The values that all tokens of the run share. The key is the public key in PEM, or under HS256 the secret; jwk is the same key."""
    algorithm: str
    issuer: str
    audience: str
    key: bytes
    jwk: dict


def read_setting(folder, algorithm):
    files = folder / algorithm
    key = (files / ("secret" if algorithm == "HS256" else "key.pem")).read_bytes()
    issuer, audience = ((folder / name).read_text().strip() for name in ("issuer", "audience"))
    return Setting(algorithm, issuer, audience, key, json.loads((files / "key.jwk").read_text()))


def lines(path):
    return path.read_text().splitlines()


def accepts(verify, token):
    try:
        verify(token)
        return True
    except Exception:  # any exception means that the token is not accepted
        return False


def calls_per_second(verify, calls, seconds):
    for call in calls:  # not timed: warms caches and checks each token
        verify(call)
    start, done = CLOCK(), 0
    while True:
        for _ in range(CALLS_PER_LOOK_AT_THE_CLOCK):
            verify(calls[done % len(calls)])
            done += 1
        elapsed = CLOCK() - start
        if elapsed >= seconds:
            return done / elapsed


def in_batches(verify):
    """A verification of one token and one of a hundred, by the function of the same verifier for many tokens; None if it has none."""
    batch = getattr(getattr(verify, "__self__", None), "verify_batch", None)
    if batch is None:
        return None

    def verify_all(tokens):
        for verdict in batch(tokens):
            if isinstance(verdict, Exception):
                raise verdict
    return verify_all


def report(verify, tokens_per_call, files, seconds, **variant):
    """Prints a line about a function that takes so many tokens, as a list; of one token, as it is."""
    one = verify if tokens_per_call == 1 else lambda token: verify([token])
    result = dict(variant)
    for name in ("tampered", "expired", "other-issuer", "other-audience"):
        accepted = any(accepts(one, token) for token in lines(files / name))
        result[name] = "accepted" if accepted else "refused"
    if result["tampered"] == "refused":
        tokens = lines(files / "tokens")
        batches = [tokens[first:first + tokens_per_call] for first in range(0, len(tokens), tokens_per_call)]
        calls = tokens if tokens_per_call == 1 else batches
        result["tokens_per_second"] = tokens_per_call * calls_per_second(verify, calls, seconds)
    print(json.dumps(result))


def main():
    library, folder, algorithm, seconds = sys.argv[1], Path(sys.argv[2]), sys.argv[3], float(sys.argv[4])
    warnings.simplefilter("ignore")
    try:
        verify = getattr(verifiers, library)(read_setting(folder, algorithm))
    except verifiers.NotOffered as reason:
        print(json.dumps({"skipped": str(reason)}))
        return
    report(verify, 1, folder / algorithm, seconds)
    batch = in_batches(verify)
    if batch is not None:
        report(batch, TOKENS_PER_BATCH, folder / algorithm, seconds, variant="in batches")


if __name__ == "__main__":
    main()

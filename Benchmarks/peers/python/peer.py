#!/usr/bin/env python3
"""peer.py LIBRARY FOLDER ALGORITHM SECONDS: prints one line of JSON. ../README.md describes the folder and the output."""

import json
import sys
import time
import warnings
from dataclasses import dataclass
from pathlib import Path

import verifiers

TOKENS_PER_LOOK_AT_THE_CLOCK = 100


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


def tokens_per_second(verify, tokens, seconds):
    for token in tokens:  # not timed: warms caches and checks each token
        verify(token)
    start, done = time.perf_counter(), 0
    while True:
        for _ in range(TOKENS_PER_LOOK_AT_THE_CLOCK):
            verify(tokens[done % len(tokens)])
            done += 1
        elapsed = time.perf_counter() - start
        if elapsed >= seconds:
            return done / elapsed


def main():
    library, folder, algorithm, seconds = sys.argv[1], Path(sys.argv[2]), sys.argv[3], float(sys.argv[4])
    warnings.simplefilter("ignore")
    try:
        verify = getattr(verifiers, library)(read_setting(folder, algorithm))
    except verifiers.NotOffered as reason:
        print(json.dumps({"skipped": str(reason)}))
        return
    result = {}
    for name in ("tampered", "expired", "other-issuer", "other-audience"):
        accepted = any(accepts(verify, token) for token in lines(folder / algorithm / name))
        result[name] = "accepted" if accepted else "refused"
    if result["tampered"] == "refused":
        result["tokens_per_second"] = tokens_per_second(verify, lines(folder / algorithm / "tokens"), seconds)
    print(json.dumps(result))


if __name__ == "__main__":
    main()

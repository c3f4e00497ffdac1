#!/usr/bin/env python3
"""Writes the seeds of the fuzzers: python3 Fuzz/seeds FOLDER writes FOLDER/TARGET/…

scripts/fuzz_corpora.sh minimises them, with what fuzzing has found, into the committed corpora."""

import hashlib
import pathlib
import sys

from configuration import configurations
from encoding import encode, signed
from fetching import FETCHES, FIELDS, ISSUERS, KEYS, METADATA
from flows import ANSWERS, ARGUMENTS
from gateway import REQUESTS, check_requests
from kinds import answers, documents, encrypted, presentations, proofs
from requests import BODIES
from tokens import ACCESS, CLAIMS, HEADERS, IDENTITY
from vectors import vectors


def headed(heads, texts):
    """Each text after each head, whose bytes choose a test's setting."""
    return [bytes(head) + text for head in heads for text in texts]


def batches():
    """Lines with tokens: the key, the place and the change of a byte, then the payload."""
    lines = headed([(key, 0, 0) for key in range(5)] + [(key, 3, 1) for key in range(5)], CLAIMS[:1])
    lines += [b"\x80\0\0" + CLAIMS[1], b"\x81\0\0" + CLAIMS[2], b"\xf0a.b.c", b"\xf0", b"\x01\xc8\x07" + CLAIMS[3], b"\0\0\0[]"]
    return headed([(0,), (1,), (2,)], [b"\n".join(lines)]) + [b"\0" + b"\n".join([line] * 9) for line in lines[:5]]


def histories():
    """Events of a cache: tokens, passing time, other keys, an emptied cache."""
    events = bytes(range(48)) * 2 + b"\xf0\xf2" + bytes(range(48)) + b"\xf8\0\1\xf9\0\1\xfc\0\xf7\0\xfd\0\n"
    return headed([(setting,) for setting in range(16)], [events + claims for claims in CLAIMS[:2]])


def calls():
    """Calls of the flows, each with an argument and the answers that it gets."""
    every = [b"\xff" + b"\xff".join([answer, *ANSWERS[8:11]]) for answer in ANSWERS]
    numbers = range(24)
    answered = headed([(number,) for number in numbers], [ARGUMENTS[1] + answers for answers in every])
    settings = [(number | setting,) for number in numbers for setting in (0, 0x20, 0x40, 0x80)]
    long = headed(settings, [argument + b"\xff" + b"\xff".join(ANSWERS) for argument in ARGUMENTS[:2]])
    unanswered = headed([(number,) for number in numbers], ARGUMENTS[:2])
    arguments = headed([(1,), (7,), (8,), (14,), (18,)], [argument + b"\xff" + ANSWERS[12] for argument in ARGUMENTS])
    return answered + unanswered + long + arguments


def compared(tokens):
    """Tokens for both interfaces: the verifier, the kind of token and the memory of the result, then the text."""
    heads = [(0, 3, 9), (1, 4, 9), (2, 0x83, 2), (0, 0x85, 9)]
    accepted = [b"\1\3\0" + IDENTITY, b"\2\1\0" + b'{"alg":"HS256","typ":"at+jwt"}\n' + ACCESS, b"\0\x83\0" + ACCESS]
    return accepted + headed(heads, CLAIMS) + [b"\0\1\0" + header + b"\n" + CLAIMS[0] for header in HEADERS] + headed([(0, 0, 0)], tokens)


def whole(tokens, claims):
    signed_ones = [signed(HEADERS[0], item) for item in claims] + [signed(item, CLAIMS[0]) for item in HEADERS]
    return tokens + signed_ones + [b"a", b"..", b"a.b.c.d", b"a.b.c.d.e", encode(HEADERS[8]) + b".." + encode(b"x" * 32)]


def seeds():
    headers, payloads, tokens, sets = vectors()
    claims = CLAIMS + payloads
    return {
        "TokenFuzzer": whole(tokens, claims),
        "HeaderFuzzer": headed([(policy,) for policy in range(5)], HEADERS) + headed([(4,)], headers),
        "PayloadFuzzer": claims,
        "ClaimsFuzzer": headed([(policy, policy) for policy in range(11)] + [(1, 2)], CLAIMS) + headed([(0, 0)], payloads),
        "JSONFuzzer": headed([(limits,) for limits in range(4)], CLAIMS + HEADERS) + headed([(0,)], headers + payloads),
        "KeySetFuzzer": sets + KEYS,
        "BatchFuzzer": batches(),
        "CacheFuzzer": histories(),
        "DiscoveryFuzzer": [issuer + b"\n" + metadata for issuer in ISSUERS for metadata in METADATA],
        "ResponseFuzzer": FIELDS + [b"\n".join(FIELDS)],
        "FetchFuzzer": [fetch[0] + b"\xff".join(fetch[1:]) for fetch in FETCHES],
        "InterfaceFuzzer": compared(tokens),
        "ProofFuzzer": proofs(),
        "EncryptedTokenFuzzer": encrypted(),
        "PresentationFuzzer": presentations(),
        "DocumentFuzzer": documents(),
        "IntrospectionFuzzer": answers(),
        "CheckRequestFuzzer": list(check_requests()),
        "DecisionFuzzer": REQUESTS,
        "FlowFuzzer": calls(),
        "ConfigurationFuzzer": configurations(),
        "RequestFuzzer": BODIES,
    }


def main(folder):
    for target, inputs in seeds().items():
        place = pathlib.Path(folder) / target
        place.mkdir(parents=True, exist_ok=True)
        for item in inputs:
            (place / hashlib.sha1(item).hexdigest()[:16]).write_bytes(item)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])

"""Every vector has its verdict and its code, alone and in a batch."""

import assay
from vectors import code_of, token_files, verifier


def single(verify, token):
    try:
        verify(token)
        return "valid"
    except assay.VerificationError as refusal:
        return refusal.name


def fits(expected, said, file):
    """OpenSSL has ML-DSA from 3.5 on."""
    return said == expected or expected == "invalid" and said != "valid" or file == "mldsa" and said == "unsupported_algorithm"


def test_every_vector_has_its_verdict_alone_and_in_a_batch():
    wrong, count = [], 0
    for file in token_files():
        cases, now = file["cases"], float(file["now"])
        count += len(cases)
        try:
            judge = verifier(file["keys"], file["policy"])
        except assay.DocumentError as error:
            wrong += [(case["id"], case["expect"], error.name) for case in cases if not fits(case["expect"], error.name, file["name"])]
            continue
        if file["policy"].get("claims", True):
            together = judge.verify_batch([case["token"] for case in cases], now=now)
            said = [
                (single(lambda token: judge.verify(token, now=now), case["token"]), code_of(each)) for case, each in zip(cases, together)
            ]
        else:
            said = [(single(judge.verify_payload, case["token"]),) * 2 for case in cases]
        wrong += [
            (case["id"], case["expect"], answers)
            for case, answers in zip(cases, said)
            if not all(fits(case["expect"], answer, file["name"]) for answer in answers)
        ]
    assert count > 7000
    assert wrong == []

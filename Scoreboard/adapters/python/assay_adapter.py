"""assay-jwt: the policy as keywords of assay.Verifier, and the JWK Set as it is."""

import base64
import json
import sys
from pathlib import Path

import assay

from frame import KNOWN, KNOWN_CURVES, serve

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "bindings/python/tests"))

from vectors import verifier  # noqa: E402


def accepts(case):
    judge = verifier(case.keys, case.policy)
    if case.checks_claims:
        judge.verify(case.token, now=case.now)
    else:
        judge.verify_payload(case.token)
    return True


def is_offered(name):
    """OpenSSL has ML-DSA from 3.5 on."""
    header = base64.urlsafe_b64encode(json.dumps({"alg": name}).encode()).rstrip(b"=").decode()
    try:
        assay.Verifier(None, None, '{"keys":[]}', algorithms=[name]).verify(f"{header}.e30.AAAA")
    except assay.AssayError as refusal:
        return refusal.code != assay.Code.UNSUPPORTED_ALGORITHM
    return True


serve(accepts, [name for name in KNOWN if is_offered(name)], curves=KNOWN_CURVES)

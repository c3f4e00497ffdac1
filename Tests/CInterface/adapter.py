#!/usr/bin/env python3
"""libassay as another implementation of our vectors, through ctypes.

    adapter.py LIBRARY                    JSON lines {id, token, keys, policy, now} in, {id, verdict} out: for `assay conformance
                                          --implementation`
    adapter.py LIBRARY --check FOLDER…    compares every verdict with the code that our vector files expect, and with the labels of
                                          Wycheproof's JWS and JWK files
"""

import ctypes
import json
import pathlib
import sys

TEXTS = {
    "issuer": 1, "audience": 2, "trusted_audiences": 3, "authorized_party": 4, "algorithms": 5, "types": 6, "required": 7, "acr": 8,
    "amr": 9, "revoked_jti": 10, "nonce": 11, "access_token": 12, "code": 13,
}
NUMBERS = {"leeway": 101, "maximum_age": 102, "max_age": 103, "require_expiration": 104}
UNSUPPORTED_ALGORITHM = 203
ALGORITHMS = [
    "HS256", "HS384", "HS512", "RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "ES256K", "EdDSA",
    "Ed25519", "Ed448", "ML-DSA-44", "ML-DSA-65", "ML-DSA-87",
]


class Issuer(ctypes.Structure):
    _fields_ = [("policy", ctypes.c_void_p), ("keys", ctypes.c_void_p)]


def load(path):
    library = ctypes.CDLL(path)
    pointer, size = ctypes.c_void_p, ctypes.c_size_t
    arguments = {
        "assay_policy_new": [pointer],
        "assay_policy_add": [pointer, ctypes.c_uint32, ctypes.c_char_p, size],
        "assay_policy_set": [pointer, ctypes.c_uint32, ctypes.c_int64],
        "assay_policy_free": [pointer],
        "assay_keys_new": [pointer, ctypes.c_char_p, size],
        "assay_keys_new_url": [pointer, ctypes.c_char_p, size, pointer],
        "assay_keys_free": [pointer],
        "assay_verifier_new": [pointer, pointer, size, pointer],
        "assay_verifier_free": [pointer],
        "assay_verify": [pointer, pointer, ctypes.c_char_p, size, ctypes.c_double],
        "assay_verify_payload": [pointer, pointer, ctypes.c_char_p, size],
        "assay_code_name": [ctypes.c_uint32],
    }
    for name, types in arguments.items():
        function = getattr(library, name)
        function.argtypes = types
        function.restype = None if name.endswith("_free") else ctypes.c_uint32
    library.assay_code_name.restype = ctypes.c_char_p
    return library


def encoded(text):
    """UTF-8; a lone surrogate stays as the three bytes that are not UTF-8."""
    return text.encode("utf-8", "surrogatepass")


def preset(name):
    """The rules of a preset, without the issuer and the audience that the C function requires."""
    if name == "id_token":
        return [(105, 1)], [(6, ""), (6, "JWT")] + [(7, claim) for claim in ("iss", "sub", "aud", "exp", "iat")]
    if name == "access_token":
        return [], [(6, "at+jwt")] + [(7, claim) for claim in ("iss", "exp", "aud", "sub", "client_id", "iat", "jti")]
    return [], []


class Verifier:
    """One key set and one policy. `code` is why they are refused, or 0."""

    def __init__(self, library, keys, policy):
        self.library, self.source = library, (keys, policy)
        self.checks_claims = policy.get("claims", True)
        self.policy, self.keys, self.verifier = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
        library.assay_policy_new(ctypes.byref(self.policy))
        self.code = self.apply(policy) or self.load(keys)
        if self.code == 0:
            issuer = Issuer(self.policy, self.keys)
            self.code = library.assay_verifier_new(ctypes.byref(self.verifier), ctypes.byref(issuer), 1, None)

    def apply(self, policy):
        numbers, texts = preset(policy.get("preset"))
        if "types" in policy:
            texts = [(rule, text) for rule, text in texts if rule != TEXTS["types"]]
        numbers += [(rule, int(policy[name])) for name, rule in NUMBERS.items() if name in policy]
        for name, rule in TEXTS.items():
            value = policy.get(name, [])
            texts += [(rule, text) for text in (value if isinstance(value, list) else [value])]
        codes = [self.library.assay_policy_set(self.policy, rule, number) for rule, number in numbers]
        for rule, text in texts:
            code = self.library.assay_policy_add(self.policy, rule, encoded(text), len(encoded(text)))
            # A list may name what this libcrypto lacks.
            codes.append(0 if code == UNSUPPORTED_ALGORITHM else code)
        return max(codes, default=0)

    def load(self, keys):
        if keys is None:
            url = b"https://idp.example/keys"
            return self.library.assay_keys_new_url(ctypes.byref(self.keys), url, len(url), None)
        document = encoded(json.dumps(keys))
        return self.library.assay_keys_new(ctypes.byref(self.keys), document, len(document))

    def verdict(self, token, now):
        if self.code != 0:
            return self.library.assay_code_name(self.code).decode()
        token = encoded(token)
        if self.checks_claims:
            code = self.library.assay_verify(None, self.verifier, token, len(token), now)
        else:
            code = self.library.assay_verify_payload(None, self.verifier, token, len(token))
        return "valid" if code == 0 else self.library.assay_code_name(code).decode()

    def free(self):
        self.library.assay_verifier_free(self.verifier)
        self.library.assay_keys_free(self.keys)
        self.library.assay_policy_free(self.policy)


def answer(library):
    for line in sys.stdin:
        case = json.loads(line)
        verifier = Verifier(library, case["keys"], case["policy"])
        verdict = verifier.verdict(case["token"], float(case["now"]))
        verifier.free()
        print(json.dumps({"id": case["id"], "verdict": "valid" if verdict == "valid" else "invalid"}), flush=True)


def matches(expected, got):
    return got == expected or expected == "invalid" and got != "valid"


def own_cases(vectors):
    """The cases of one of our files: keys, policy, time, id, token, expected code."""
    for case in vectors["cases"]:
        yield vectors["keys"], vectors["policy"], float(vectors["now"]), case["id"], case["token"], case["expect"]


def corrections(folder, section):
    """Labels that are wrong or depend on a policy, by json_web_errata.json, as Sources/assay/Conformance/WycheproofKeys.swift reads it."""
    path = folder / "json_web_errata.json"
    lists = json.loads(path.read_text()).get(section, {}) if path.exists() else {}
    entries = [entry for entries in lists.values() if isinstance(entries, list) for entry in entries]
    return {id: entry["strictExpected"] for entry in entries for id in entry.get("tcIds", [entry.get("tcId")])}


def wycheproof_cases(path, vectors):
    """The cases of a file of tokens. This label is for a policy about moduli that Assay does not have: the signature is valid."""
    labels = corrections(path.parent, "jwk" if vectors["schema"].startswith("json_web_key") else "jws")
    policy = {"claims": False, "algorithms": ALGORITHMS}
    for group in vectors["testGroups"]:
        keys = group.get("public", group.get("private"))
        for test in group["tests"]:
            label = labels.get(test["tcId"], test["result"])
            yield keys, policy, 0.0, f"tcId {test['tcId']}", test["jws"], "valid" if label == "policy" else label


def cases(path):
    vectors = json.loads(path.read_text())
    if "cases" in vectors:
        return own_cases(vectors)
    return wycheproof_cases(path, vectors) if vectors.get("schema", "").startswith(("json_web_signature", "json_web_key")) else ()


def check(library, folders):
    passed = failed = skipped = 0
    verifier = None
    for path in sorted(path for folder in folders for path in pathlib.Path(folder).glob("*.json")):
        for keys, policy, now, name, token, expected in cases(path):
            if verifier is None or verifier.source != (keys, policy):
                if verifier is not None:
                    verifier.free()
                verifier = Verifier(library, keys, policy)
            got = verifier.verdict(token, now)
            if matches(expected, got):
                passed += 1
            elif got == "unsupported_algorithm" and path.stem == "mldsa":
                skipped += 1
            else:
                failed += 1
                print(f"FAIL {path.stem} {name}: expected {expected}, got {got}")
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return failed > 0 or passed == 0


if __name__ == "__main__":
    if len(sys.argv) == 2:
        answer(load(sys.argv[1]))
    else:
        sys.exit(check(load(sys.argv[1]), sys.argv[3:]))

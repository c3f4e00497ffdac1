"""Each kind of key with each use, key_ops and alg; every token has a good signature, so that only the key's purpose decides."""

from ..keys import ec_key, ed_key, hmac_key, rsa_key
from ..suite import Suite, claims, header_of, sign_parts

USES = {"none": None, "sig": "sig", "enc": "enc"}
OPERATIONS = {
    "none": None, "verify": ["verify"], "sign": ["sign"], "both": ["sign", "verify"], "verify-first": ["verify", "encrypt"],
    "encrypt": ["encrypt"], "empty": [], "derive": ["deriveKey", "deriveBits"], "wrap": ["wrapKey", "unwrapKey"],
}
KINDS = {  # name: key, algorithm of the token, another algorithm of the type, one of another type
    "rsa": (rsa_key("rsa-1"), "RS256", "RS384", "ES256"),
    "rsa-pss": (rsa_key("rsa-1"), "PS256", "RS256", "ES256"),
    "p256": (ec_key("p256-1"), "ES256", "ES384", "RS256"),
    "p384": (ec_key("p384-1", "P-384"), "ES384", "ES256", "EdDSA"),
    "p521": (ec_key("p521-1", "P-521"), "ES512", "ES384", "PS512"),
    "k256": (ec_key("k256-1", "secp256k1"), "ES256K", "ES256", "HS256"),
    "ed25519": (ed_key("ed25519-1"), "EdDSA", "Ed448", "ES256"),
    "ed448": (ed_key("ed448-1", "Ed448"), "EdDSA", "Ed25519", "ES512"),
    "oct": (hmac_key("secret-1", 64), "HS256", "HS384", "RS256"),
}
FULL = {"rsa", "p256", "ed25519", "oct"}


def bindings(kind):
    """Identifier and value of alg."""
    _, own, other, foreign = KINDS[kind]
    return {"none": None, "own": own, "other": other, "foreign": foreign, "encryption": "RSA-OAEP-256" if "rsa" in kind else "ECDH-ES"}


def code_and_rule(use, operations, binding):
    """The verdict, its rule, and its severity. What fits no algorithm fails first, then the purpose."""
    if binding not in ("none", "own"):
        return "key_algorithm_mismatch", "RFC 7517 section 4.4; RFC 8725 section 3.1", "must"
    if use == "enc":
        return "key_use_mismatch", "RFC 7517 section 4.2", "should"
    if operations is not None and "verify" not in operations:
        return "key_use_mismatch", "RFC 7517 section 4.3", "should"
    return "valid", "RFC 7517 sections 4.2 and 4.3", "must"


def combinations(kind):
    """Identifiers and values of use, key_ops and alg."""
    for use in USES:
        for operations in OPERATIONS:
            for binding in bindings(kind):
                if kind in FULL or [use, operations, binding].count("none") == 2 or (use, operations, binding) == ("none",) * 3:
                    yield use, operations, binding


def severity_of(use, operations, general):
    """RFC 7517 section 4.3: `use` and `key_ops` should not be used together; a verifier may refuse such a key."""
    return "should" if use != "none" and operations != "none" and general == "must" else general


def purposes(kind):
    key, algorithm, _, _ = KINDS[kind]
    policy = {"algorithms": ["HS256", "HS384", "HS512"]} if kind == "oct" else {}
    keys, cases = [], []
    for use, operations, binding in combinations(kind):
        kid = f"{kind}-{use}-{operations}-{binding}"
        members = {"use": USES[use], "key_ops": OPERATIONS[operations], "alg": bindings(kind)[binding]}
        keys.append({**key.jwk(), "kid": kid, **{name: value for name, value in members.items() if value is not None}})
        code, rule, severity = code_and_rule(USES[use], OPERATIONS[operations], binding)
        stated = ", ".join(f"{name} {value}" for name, value in members.items() if value is not None) or "no purpose"
        text = sign_parts(key, header_of(key, algorithm, kid=kid), claims(), algorithm)
        cases.append((f"purpose-{kid}", text, code, f"A key of kind {kind} with {stated}.".replace("'", ""), rule,
                      severity if code != "valid" else severity_of(use, operations, severity)))
    suite = Suite(f"key-purposes-{kind}", f"A key of kind {kind} with each use, key_ops and alg.", keys, policy)
    for case in cases:
        suite.add(*case)
    return suite


SUITES = [lambda kind=kind: purposes(kind) for kind in KINDS]

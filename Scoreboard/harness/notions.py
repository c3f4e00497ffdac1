"""The notions that a case turns on, so that a verifier is not blamed for what its library does not claim to do.

An adapter names what its library lacks. `faults` are the checks of which one must be made to refuse a token, `needs` what must be
supported to accept one. Docs/Scoreboard.md lists the names.
"""

import base64
import binascii
import hashlib
import json

CLAIM_CODES = {
    "expired": "exp", "not_yet_valid": "nbf", "issued_in_future": "iat", "too_old": "maximum_age", "issuer_mismatch": "issuer",
    "audience_mismatch": "audience", "authorized_party_mismatch": "azp", "nonce_mismatch": "nonce", "authentication_too_old": "max_age",
    "revoked": "revoked_jti", "invalid_claim": None, "missing_claim": None, "token_hash_mismatch": None, "context_class_mismatch": None,
}
# Codes for a JSON text, be it the header or the payload.
TEXT_CODES = {"invalid_json", "invalid_utf8", "duplicate_member", "nesting_too_deep", "too_many_members", "invalid_claim"}
PLAIN_CODES = {"type_mismatch": "types", "algorithm_not_allowed": "algorithms"}
KEY_CODES = {"unknown_key", "ambiguous_key", "key_use_mismatch", "key_algorithm_mismatch", "keys_unavailable"}
# The rules of other kinds of cases, by the code that a verifier with the rule would have.
RULES = {
    "dpop": {"replayed_proof": "replay", "missing_proof": "fields", "several_proofs": "fields", "bound_token_without_proof": "scheme",
             "unbound_token": "token", "invalid_confirmation": "token", "proof_algorithm_not_allowed": "algorithms",
             "proof_too_old": "iat", "proof_issued_in_future": "iat", "signature_invalid": "token", "unknown_key": "token"}
            | {code: "token" for code in CLAIM_CODES},
    "encrypted": {"type_mismatch": "cty", "unknown_decryption_key": "keys", "ambiguous_decryption_key": "keys",
                  "key_algorithm_mismatch": "keys", "unknown_key": "keys"},
    "selective": {"type_mismatch": "types", "unknown_key": "keys", "key_algorithm_mismatch": "keys", "keys_unavailable": "keys"},
    "documents": {"signer_mismatch": "signers", "type_mismatch": "types", "unknown_key": "keys", "key_algorithm_mismatch": "keys",
                  "key_use_mismatch": "keys"},
}
# The notion that reads a claim.
READERS = {
    "exp": "exp", "nbf": "nbf", "iat": "iat", "iss": "issuer", "aud": "audience", "azp": "azp", "nonce": "nonce", "at_hash": "access_token",
    "c_hash": "code", "auth_time": "max_age", "acr": "acr", "amr": "amr", "jti": "revoked_jti",
}
REQUIRED = {
    "id_token": ("iss", "sub", "aud", "exp", "iat"), "access_token": ("iss", "exp", "aud", "sub", "client_id", "iat", "jti"),
}


class Repeated(ValueError):
    """A member name occurs twice."""


def unrepeated(pairs):
    members = dict(pairs)
    if len(members) != len(pairs):
        raise Repeated
    return members


def decoded(part, strict=False):
    """The JSON object of a part of a token, or None."""
    try:
        text = base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))
        value = json.loads(text, object_pairs_hook=unrepeated) if strict else json.loads(text)
    except (ValueError, binascii.Error, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def parts(token):
    return (token.split(".") + ["", ""])[:2]


def excuses(case, lacks):
    """Whether a library that lacks these notions is not to blame for a wrong verdict."""
    if case.kind != "tokens":
        return excuses_kind(case, lacks)
    if case.is_valid:
        return bool(needs(case) & lacks)
    found = faults(case)
    if found & lacks & {"claims", "json"}:
        return True
    # One of these checks would have been enough.
    specific = found - {"claims", "json"}
    return bool(specific) and specific <= lacks


def excuses_kind(case, lacks):
    """The same for a case of another kind, which says itself what it needs."""
    if case.is_valid:
        return bool({*case.needs, *features(case)} & lacks)
    if "nonces" in case.policy and "nonce" in lacks:
        return True
    if case.expect == "compressed_token":
        return ("zip DEF" if "inflated_bytes" in case.policy else "no-zip") in lacks
    rules = {RULES[case.kind].get(case.expect)} | rules_of_signed(case)
    if case.kind == "encrypted":
        rules |= {CLAIM_CODES.get(case.expect)} | ({"claims"} if case.expect in CLAIM_CODES else set())
        rules |= {"required-exp"} if case.expect == "missing_claim" else set()
    return bool(rules & lacks)


def rules_of_signed(case):
    """The rules of presentations and documents that the code alone does not tell."""
    if case.kind == "documents" and case.expect == "malformed_document" and case.reference.startswith("RFC 8259"):
        return {"json"}
    if case.kind != "selective":
        return set()
    whose, is_date = case.expected.get("refused"), case.expect in ("too_old", "issued_in_future")
    if whose == "holder":
        return {"binding-age"} if is_date else {"binding-claims"} if case.expect in CLAIM_CODES else set()
    found = {CLAIM_CODES.get(case.expect)} if whose else set()
    found |= {"claims", "required"} if case.expect in ("missing_claim", "invalid_claim") else set()
    return found | ({"types"} if case.id.startswith("selective-type-") else set())


def features(case):
    """What accepting a request needs beside the algorithm of its proof."""
    if case.kind != "dpop":
        return set()
    found = {"nonce"} if "nonces" in case.policy else set()
    return found | (set() if "authorization" in case.asked else {"endpoint"})


def faults(case):
    """The checks of which at least one must be made to refuse this token. Empty for a fault that every verifier must see."""
    header, payload = (decoded(part, strict=True) for part in parts(case.token))
    found = set()
    if case.expect in TEXT_CODES and header is not None and payload is None:
        found.add("json")
    elif case.expect in CLAIM_CODES:
        found.add("claims")
    if case.expect in KEY_CODES:
        found.add("keys")
    if case.expect in PLAIN_CODES:
        found.add(PLAIN_CODES[case.expect])
    return found | claim_faults(case, payload or {})


def claim_faults(case, claims):
    notion = CLAIM_CODES.get(case.expect)
    if notion == "audience" and is_texts(claims.get("aud")) and case.policy.get("audience") in claims["aud"]:
        return {"azp"}  # the other audience is not trusted (OpenID Connect Core 1.0 section 3.1.3.7)
    if notion:
        return {notion}
    if case.expect == "token_hash_mismatch":
        return {READERS[name] for name in ("at_hash", "c_hash") if name in claims and not is_hash(case, claims[name], READERS[name])}
    if case.expect == "context_class_mismatch":
        return {name for name in ("acr", "amr") if name in case.policy}
    if case.expect == "missing_claim":
        return missing(case.policy, claims)
    if case.expect == "invalid_claim":
        # A library that does not read a claim cannot see its type.
        return {READERS[name] for name in claims if name in READERS and is_odd(name, claims[name])}
    return set()


def is_hash(case, value, rule):
    """Whether a claim is the left half of the hash of the policy's value (OpenID Connect Core 1.0 section 3.1.3.6)."""
    name = f"sha{str((decoded(parts(case.token)[0]) or {}).get('alg'))[2:5]}"
    if rule not in case.policy or name not in hashlib.algorithms_guaranteed:
        return False
    digest = hashlib.new(name, case.policy[rule].encode()).digest()
    return value == base64.urlsafe_b64encode(digest[:len(digest) // 2]).decode().rstrip("=")


def is_odd(name, value):
    """Whether a claim has a type or a range other than that of RFC 7519 and OpenID Connect Core 1.0 section 2."""
    if name in ("exp", "nbf", "iat", "auth_time"):
        return isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value < 253402300800
    if name == "aud":
        return not isinstance(value, str) and not is_texts(value)
    return not is_texts(value) if name == "amr" else not isinstance(value, str)


def is_texts(value):
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def missing(policy, claims):
    """The notions by which a library would notice that a claim is absent."""
    found = set()
    demanded = {*REQUIRED.get(policy.get("preset"), ()), *policy.get("required", ())} - claims.keys()
    if demanded:
        found |= {"required"} | {READERS[name] for name in demanded if name in ("iss", "aud")}
    asked = {"nonce": "nonce", "at_hash": "access_token", "c_hash": "code", "auth_time": "max_age", "acr": "acr", "amr": "amr",
             "iat": "maximum_age", "iss": "issuer", "aud": "audience", "jti": "revoked_jti"}
    found |= {notion for claim, notion in asked.items() if notion in policy and claim not in claims}
    if "exp" not in claims and policy.get("require_expiration", True):
        found |= {"required", "required-exp"}
    if isinstance(claims.get("aud"), list) and "azp" not in claims:
        found.add("azp")
    return found


def needs(case):
    """What a verifier must support to accept this token."""
    header, claims = (decoded(part) or {} for part in parts(case.token))
    found = {header.get("alg")} | curves(case.keys, header.get("kid"))
    if "b64" in header:
        found.add("b64")
    if case.policy.get("claims") is False:
        return {*found, "payload"} - {None}
    found |= {name for name in ("iat", "nbf", "exp", "sub", "iss", "aud") if name not in claims for name in [f"no-{name}"]}
    found |= {f"no-{name}" for name in ("kid", "typ") if name not in header}
    found |= {f"several-{name}" for name in ("issuer", "audience") if isinstance(case.policy.get(name), list)}
    dates = [claims.get(name) for name in ("exp", "nbf", "iat")]
    if any(isinstance(date, float) for date in dates):
        found.add("fraction")
    early = [date for date in dates[1:] if isinstance(date, (int, float)) and date > case.now]
    if early or isinstance(dates[0], (int, float)) and dates[0] <= case.now:
        found.add("leeway")
    return found - {None}


def curves(keys, kid):
    if not isinstance(keys, dict) or not isinstance(keys.get("keys"), list):
        return set()
    named = [key for key in keys["keys"] if isinstance(key, dict) and (kid is None or key.get("kid") == kid)]
    return {key["crv"] for key in named if isinstance(key.get("crv"), str)}

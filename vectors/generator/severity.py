"""How much a wrong verdict matters: the severities of suites, where it is not `must` for all their cases.

must         a specification requires the verdict, or its opposite is a known vulnerability
should       a specification recommends it, or leaves the choice between it and something less safe
hardening    no specification asks for it: a limit, or a rule that leaves less room for doubt

A suite has its severity, then the beginnings of ids that have another. Later rows win. Tables give severities beside their cases.
"""

# RFC 7519 section 4.1.4 allows "some small leeway, usually no more than a few minutes", and asks for none.
AT_LEEWAY = [
    "exp-at-leeway", "exp-before-leeway", "exp-within-leeway", "exp-now", "exp-fraction-within", "exp-fraction-outside",
    "nbf-at-leeway", "nbf-within-leeway", "nbf-beyond-leeway", "nbf-fraction-beyond", "iat-at-leeway", "iat-within-leeway",
]
# The kid is a hint (RFC 7515 section 4.1.4). A verifier may try other keys of the set (appendix D), and these tokens are signed by one.
UNKNOWN_KIDS = [f"kid-{name}" for name in (
    "unknown", "case", "prefix", "longer", "leading-space", "nul", "path", "sql", "command", "url", "normalized", "wildcard", "index",
    "undefined")]

RATINGS = {
    "base64url": ("must", {
        "hardening": ["base64url-unused-bits-"],
        "should": [f"base64url-{place}" for place in (
            "trailing-space", "trailing-newline", "trailing-crlf", "trailing-tab", "leading-space", "leading-newline")]}),
    "json-header": ("must", {
        "hardening": ["json-header-lone-", "json-header-reversed-surrogates", "json-header-bom"],
        "should": ["json-header-numbers", "json-header-escaped-nul"]}),
    "json-payload": ("must", {
        "hardening": ["json-payload-lone-", "json-payload-reversed-surrogates", "json-payload-high-surrogate", "json-payload-bom"],
        "should": ["json-payload-numbers", "json-payload-escaped-nul"]}),
    "duplicate-members": ("should", {
        "must": ["duplicate-header-alg-last", "duplicate-distinct-"], "should": ["duplicate-distinct-nul"]}),
    "limits": ("hardening", {}),
    "algorithm-member": ("must", {"hardening": ["enc-good-alg", "enc-null"]}),
    "header-members": ("must", {
        "should": ["header-typ-", "header-cty-", "header-kid-null"],
        "hardening": ["header-cty-plain", "header-cty-lower", "header-cty-media-type", "header-zip-"],
        "must": ["header-cty-jwt-nested"]}),
    "critical": ("must", {
        "should": ["crit-empty", "crit-null", "crit-string", "crit-object", "crit-true", "crit-number-element", "crit-array-element",
                   "crit-duplicate", "crit-absent-b64", "crit-b64-false-not-critical"],
        "hardening": ["crit-registered-"]}),
    "embedded-keys": ("must", {
        "hardening": ["embedded-jwk-string", "embedded-jwk-null", "embedded-jwk-array", "embedded-jwk-bad-text"],
        "should": [f"embedded-{name}-ignored" for name in (
            "jwk", "jwk-same-kid", "jku", "jku-internal", "jku-file", "x5u", "x5c", "x5t")]}),
    "signature-only": ("must", {
        "should": ["signature-only-unknown-kid", "signature-only-duplicate-kid"], "hardening": ["signature-only-bad-payload"]}),
    "unencoded-payload": ("must", {"should": ["unencoded-duplicate-b64"]}),
    "algorithm-confusion-mixed": ("must", {"hardening": ["confusion-mixed-true-secret"]}),
    "mixed-key-set": ("should", {"must": ["mixed-set-rs256"]}),
    "mixed-policy": ("should", {"must": ["mixed-policy-rs256"]}),
    "key-algorithm": ("must", {
        "should": ["key-algorithm-rsa-null", "key-algorithm-rsa-number", "key-algorithm-odd-rsa-empty", "key-algorithm-unbound-ps512"]}),
    "key-selection": ("must", {
        "hardening": ["kid-shared-by-five-", "no-kid-five"],
        "should": ["kid-shared-by-types-", "kid-shared-by-four-", "kid-of-key-without", "no-kid-first", "no-kid-third",
                   "no-kid-key-without", "no-kid-fourth", "kid-of-other-key", "kid-duplicate", *UNKNOWN_KIDS],
        "must": ["kid-path-existing"]}),
    "key-set-tolerance": ("should", {"must": ["tolerance-weak"], "hardening": ["tolerance-null-use"]}),
    "key-use": ("should", {
        "must": ["key-use-ops-verify", "key-use-use-sig", "key-use-ops-both", "key-use-use-and-ops", "key-use-none"],
        "hardening": ["key-use-use-upper", "key-use-use-empty", "key-use-use-spiffe", "key-use-use-space", "key-use-use-null",
                      "key-use-use-number", "key-use-use-array", "key-use-ops-string", "key-use-ops-null", "key-use-ops-object"],
        "should": ["key-use-use-sig-ops-sign"]}),
    "weak-and-invalid-keys": ("must", {
        "hardening": ["key-rsa-9216", "key-rsa-e65", "key-rsa-32768", "key-ed25519-other-d", "key-rsa-modulus-leading-zero",
                      "key-rsa-modulus-unused-bits", "key-p256-x-unused-bits"],
        "should": ["key-rsa-8192", "key-rsa-e64", "key-rsa-e3", "key-rsa-exponent-padded", "key-rsa-exponent-number",
                   "key-rsa-modulus-padded", "key-rsa-modulus-standard", "key-rsa-modulus-white-space", "key-rsa-modulus-array",
                   "key-p256-x-padded", "key-p256-x-white-space", "key-p256-short-stripped", "key-p256-x-long", "key-p256-y-long",
                   "key-p521-x-plus-prime",
                   "key-ed25519-padded", "key-rank-weak-over-use", "key-rank-invalid-over-use", "key-rank-use-over-algorithm"]}),
    "eddsa": ("must", {"should": ["eddsa-ed25519-bound-eddsa-as-ed25519", "eddsa-ed25519-bound-ed25519-as-eddsa",
                                  "eddsa-ed448-bound-eddsa-as-ed448", "eddsa-ed448-bound-ed448-as-eddsa"]}),
    "rsa-pkcs1": ("must", {"should": ["pkcs1-e3", "pkcs1-no-null", "pkcs1-long-form-length"]}),
    "mldsa": ("must", {"should": ["mldsa-key-padded"]}),
    "valid-algorithms": ("must", {"should": ["valid-rs256-e3", "valid-ps256-e3"]}),
    "hmac": ("must", {"hardening": ["hmac-key-unused-bits"], "should": ["hmac-key-padded", "hmac-key-white-space", "hmac-second-of-pair"]}),
    "claim-types": ("should", {
        "must": ["claim-exp-", "claim-nbf-", "claim-private-any", "claim-type-before-expiry"],
        "hardening": [f"claim-{claim}-" for claim in ("azp", "nonce", "acr", "at-hash", "c-hash", "sid", "amr", "auth-time")]
        + [f"claim-{claim}-{kind}" for claim in ("exp", "nbf", "iat") for kind in
           ("huge", "infinite", "two-to-", "minus-two-to-63", "year-10000", "before-range", "milliseconds", "thirty-digits",
            "minus-infinite")] + ["claim-nbf-first-date", "claim-iat-first-date", "claim-exp-last-date", "claim-aud-many"],
        "should": ["claim-nbf-null"]}),
    "time-claims": ("must", {
        "should": [*AT_LEEWAY, "exp-exponent", "exp-ten-to-ten", "exp-far-future", "exp-far-past", "nbf-exponent", "iat-exponent"],
        "hardening": ["iat-beyond-leeway", "iat-fraction-beyond", "iat-last-date"], "must": ["exp-exponent-past"]}),
    "time-without-leeway": ("should", {"hardening": ["no-leeway-iat-"]}),
    "maximum-age": ("should", {"hardening": ["maximum-age-future"]}),
    "id-token": ("must", {
        "should": ["id-token-no-azp", "id-token-azp-", "id-token-typ-", "id-token-sub-number", "id-token-no-sub", "id-token-no-iat",
                   "id-token-expired", "id-token-not-yet"],
        "hardening": ["id-token-future"]}),
    "audience": ("must", {"should": ["audience-type-array-mixed"]}),
    "optional-expiration": ("must", {"should": ["optional-exp-past", "optional-exp-null"]}),
    "authorized-party": ("should", {}),
    "id-token-hashes": ("must", {"should": ["hashes-eddsa", "hashes-ed25519", "hashes-es256k", "hashes-no-at-hash"]}),
    "authentication": ("should", {"hardening": ["auth-time-ahead", "auth-time-last-date"]}),
    "access-token": ("must", {
        "hardening": ["access-future"],
        "should": ["access-typ-at-", "access-no-sub", "access-no-client-id", "access-no-iat", "access-no-jti", "access-jti-array",
                   "access-expired", "access-not-yet"]}),
    "types": ("should", {}),
    "required-claims": ("must", {"should": ["required-odd-values"]}),
    "revoked": ("should", {"must": ["revoked-bad-signature", "revoked-and-expired"]}),
    "check-order": ("must", {
        "should": ["order-from-expired", "order-from-not-yet-valid", "order-from-too-old", "order-from-authentication-too-old",
                   "order-from-context-class-mismatch", "order-from-revoked", "order-type-before-key"]}),
}

RATED = {f"{name}.json" for name in RATINGS}


def rate(suite):
    """Gives the cases of a suite their severities."""
    general, exceptions = RATINGS[suite.name]
    suite.severity = general
    suite.rate(general, "")
    for severity, beginnings in exceptions.items():
        suite.rate(severity, *beginnings)

"""How much a wrong verdict matters: the severities of suites, where it is not `must` for all their cases.

must         a specification requires the verdict, or its opposite is a known vulnerability
should       a specification recommends it, or leaves the choice between it and something less safe
hardening    no specification asks for it: a limit, or a rule that leaves less room for doubt

A suite has its severity, then the beginnings of ids that have another. Later rows win. Tables give severities beside their cases.
"""

RATINGS = {
    "base64url": ("must", {"hardening": ["base64url-unused-bits-"]}),
    "json-header": ("must", {
        "hardening": ["json-header-lone-", "json-header-reversed-surrogates", "json-header-bom"],
        "should": ["json-header-numbers"]}),
    "json-payload": ("must", {
        "hardening": ["json-payload-lone-", "json-payload-reversed-surrogates", "json-payload-high-surrogate", "json-payload-bom"],
        "should": ["json-payload-numbers"]}),
    "duplicate-members": ("should", {
        "must": ["duplicate-header-alg-last", "duplicate-header-kid", "duplicate-distinct-"]}),
    "limits": ("hardening", {}),
    "algorithm-member": ("must", {"hardening": ["enc-good-alg", "enc-null"]}),
    "header-members": ("must", {
        "should": ["header-typ-", "header-cty-"], "hardening": ["header-cty-plain", "header-cty-lower", "header-cty-media-type",
                                                                "header-zip-"],
        "must": ["header-cty-jwt-nested"]}),
    "critical": ("must", {
        "should": ["crit-empty", "crit-duplicate", "crit-absent-b64", "crit-b64-false-not-critical"],
        "hardening": ["crit-registered-"]}),
    "embedded-keys": ("must", {
        "hardening": ["embedded-jwk-string", "embedded-jwk-null", "embedded-jwk-array", "embedded-jwk-bad-text"]}),
    "algorithm-confusion-mixed": ("must", {"hardening": ["confusion-mixed-true-secret"]}),
    "mixed-key-set": ("should", {"must": ["mixed-set-public-kid", "mixed-set-rs256"]}),
    "mixed-policy": ("should", {"must": ["mixed-policy-rs256"]}),
    "key-algorithm": ("must", {
        "should": ["key-algorithm-rsa-null", "key-algorithm-rsa-number", "key-algorithm-unbound-ps512"]}),
    "key-selection": ("must", {
        "hardening": ["kid-shared-by-five-", "no-kid-five"],
        "should": ["kid-shared-by-four-", "kid-of-key-without", "no-kid-first", "no-kid-third", "no-kid-key-without", "no-kid-fourth"]}),
    "key-set-tolerance": ("must", {"should": ["tolerance-rs256", "tolerance-ps256", "tolerance-es256", "tolerance-numeric-kid"]}),
    "key-use": ("should", {
        "must": ["key-use-ops-verify", "key-use-use-sig", "key-use-ops-both", "key-use-use-and-ops", "key-use-none"],
        "hardening": ["key-use-use-upper", "key-use-use-empty", "key-use-use-spiffe", "key-use-use-space", "key-use-use-null",
                      "key-use-use-number", "key-use-use-array", "key-use-ops-string", "key-use-ops-null", "key-use-ops-object"]}),
    "weak-and-invalid-keys": ("must", {
        "hardening": ["key-rsa-9216", "key-rsa-e65", "key-rsa-32768", "key-ed25519-other-d", "key-rsa-modulus-leading-zero",
                      "key-rsa-modulus-unused-bits", "key-p256-x-unused-bits"],
        "should": ["key-rsa-8192", "key-rsa-e64", "key-rsa-e3"]}),
    "eddsa": ("must", {"should": ["eddsa-ed25519-bound-eddsa-as-ed25519", "eddsa-ed25519-bound-ed25519-as-eddsa",
                                  "eddsa-ed448-bound-eddsa-as-ed448", "eddsa-ed448-bound-ed448-as-eddsa"]}),
    "rsa-pkcs1": ("must", {"should": ["pkcs1-e3"]}),
    "valid-algorithms": ("must", {"should": ["valid-rs256-e3", "valid-ps256-e3"]}),
    "hmac": ("must", {"hardening": ["hmac-key-unused-bits"]}),
    "claim-types": ("should", {
        "must": ["claim-exp-", "claim-nbf-", "claim-iat-", "claim-aud-", "claim-private-any", "claim-type-before-expiry"],
        "hardening": [f"claim-{claim}-" for claim in ("azp", "nonce", "acr", "at-hash", "c-hash", "sid", "amr", "auth-time")]
        + [f"claim-{claim}-{kind}" for claim in ("exp", "nbf", "iat") for kind in
           ("huge", "infinite", "two-to-", "minus-two-to-63", "year-10000", "before-range", "milliseconds", "thirty-digits",
            "minus-infinite")] + ["claim-nbf-first-date", "claim-iat-first-date", "claim-exp-last-date", "claim-aud-many"]}),
    "time-claims": ("must", {
        "should": ["exp-at-leeway", "exp-exponent-at-leeway", "nbf-at-leeway", "iat-at-leeway", "exp-far-future", "exp-far-past"],
        "hardening": ["iat-beyond-leeway", "iat-fraction-beyond", "iat-last-date"]}),
    "time-without-leeway": ("should", {"hardening": ["no-leeway-iat-"]}),
    "maximum-age": ("should", {"hardening": ["maximum-age-future"]}),
    "id-token": ("must", {
        "should": ["id-token-no-azp", "id-token-azp-", "id-token-typ-", "id-token-sub-number"], "hardening": ["id-token-future"]}),
    "authorized-party": ("should", {}),
    "id-token-hashes": ("must", {"should": ["hashes-eddsa", "hashes-ed25519", "hashes-es256k"]}),
    "authentication": ("should", {"hardening": ["auth-time-ahead", "auth-time-last-date"]}),
    "access-token": ("must", {"hardening": ["access-future"], "should": ["access-typ-at-"]}),
    "types": ("should", {}),
    "revoked": ("should", {"must": ["revoked-bad-signature", "revoked-and-expired"]}),
}

RATED = {f"{name}.json" for name in RATINGS}


def rate(suite):
    """Gives the cases of a suite their severities."""
    general, exceptions = RATINGS[suite.name]
    suite.severity = general
    suite.rate(general, "")
    for severity, beginnings in exceptions.items():
        suite.rate(severity, *beginnings)

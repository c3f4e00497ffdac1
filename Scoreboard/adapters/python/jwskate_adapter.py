"""jwskate: a JwtVerifier with a JWK Set, an allow-list, issuer, audience, leeway."""

from frame import BEYOND_JWT, ECDSA, HMAC, RSA, Unsupported, first_opened, importable, serve, unbound
from jwskate import InvalidSignature, JweCompact, Jwk, JwkSet, JwsCompact, JwtVerifier


def accepts(case):
    if not case.checks_claims:
        token = JwsCompact(case.token)
        return any(token.verify_signature(key, algs=algorithms) for key, algorithms in keys_with_algorithms(case))
    if len(case.issuers) > 1 or len(case.audiences) > 1:
        raise Unsupported("takes one issuer and one audience")
    refusal = ValueError("no key has this kid")
    for key, algorithms in keys_with_algorithms(case):
        try:
            JwtVerifier(key, issuer=next(iter(case.issuers), None), audience=next(iter(case.audiences), None), algs=algorithms,
                        leeway=case.leeway).verify(case.token)
            return True
        except InvalidSignature as error:
            refusal = error
    raise refusal


def keys_with_algorithms(case):
    """The keys that JwtVerifier would take, with the allowed algorithms of their types: it refuses a list with others."""
    keys, kid = JwkSet(importable(case.keys, Jwk)), case.header.get("kid")
    for key in keys.verification_keys() if kid is None else [keys.get_jwk_by_kid(kid)]:
        if key.is_symmetric and case.checks_claims:
            raise Unsupported("JwtVerifier takes public keys only")
        algorithms = [name for name in case.algorithms if name in key.supported_signing_algorithms()]
        if algorithms:
            yield key, algorithms


def opens(sealed):
    return first_opened(sealed.recipients(), lambda key: JweCompact(sealed.token).decrypt(Jwk(unbound(key)), algs=sealed.algorithms))


LACKS = [*BEYOND_JWT, "nbf", "iat", "required", "required-exp", "b64"]
serve(accepts, [*HMAC, *RSA, *ECDSA, "ES256K", "EdDSA"], LACKS, opens=opens,
      unopened=["zip DEF", "keys", "cty", "no-zip"])

#!/usr/bin/env python3
"""An adapter for PyJWT: a JSON line {id, token, keys, policy, now} in, a JSON line {id, verdict} out. For a JWK Set the line in is
{id, document, published}, and the line out names the usable keys.

PyJWT knows no status lists, security events, proofs and encrypted tokens: a question with a kind of its own is unsupported.

It uses PyJWT as a careful application would: a key set, an allow-list, issuer, audience, leeway. What PyJWT has no
option for (nonce, at_hash, typ, ...) is not checked here: the vectors show what the library leaves to its users.
"""

import base64
import datetime
import json
import sys

import jwt
import jwt.api_jwt

ASYMMETRIC = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "ES256K", "EdDSA"]
REQUIRED = {
    "id_token": ["iss", "sub", "aud", "exp", "iat"],
    "access_token": ["iss", "exp", "aud", "sub", "client_id", "iat", "jti"],
}


def at_time(now):
    """The datetime class, stopped at the given time."""
    class StoppedDatetime(datetime.datetime):
        @classmethod
        def now(cls, tz=None):
            return cls.fromtimestamp(now, tz)
    return StoppedDatetime


def candidates(token, keys):
    """The usable keys of the set with the kid of the token, or all of them if it has none."""
    kid = jwt.get_unverified_header(token).get("kid")
    usable = jwt.PyJWKSet.from_dict(keys).keys
    return [key for key in usable if kid is None or key.key_id == kid]


def decode(token, key, policy):
    algorithms = policy.get("algorithms", ASYMMETRIC)
    if policy.get("claims") is False:
        return jwt.api_jws.PyJWS().decode(token, key, algorithms=algorithms)
    required = REQUIRED.get(policy.get("preset"), []) + policy.get("required", [])
    required += [claim for option, claim in (("issuer", "iss"), ("audience", "aud")) if option in policy]
    if policy.get("require_expiration", True):
        required.append("exp")
    return jwt.decode(token, key, algorithms=algorithms, issuer=policy.get("issuer"), audience=policy.get("audience"),
                      leeway=policy.get("leeway", 60),
                      options={"require": required, "verify_aud": "audience" in policy})


def accepts(case):
    jwt.api_jwt.datetime = at_time(case["now"])
    for key in candidates(case["token"], case["keys"]):
        try:
            decode(case["token"], key, case["policy"])
            return True
        except (jwt.InvalidSignatureError, jwt.InvalidAlgorithmError, jwt.InvalidKeyError):
            continue  # not this key
    return False


def usable(case):
    """The names of the keys of a JWK Set that PyJWT would verify with."""
    octets = case.get("octets")
    text = case["document"] if octets is None else base64.urlsafe_b64decode(octets + "=" * (-len(octets) % 4)).decode()
    names = [key.key_id for key in jwt.PyJWKSet.from_json(text).keys]
    return [name if name is None or isinstance(name, str) else json.dumps(name) for name in names]


def answer(case):
    if "kind" in case:
        return {"verdict": "unsupported"}
    if "token" in case:
        return {"verdict": "valid" if accepts(case) else "invalid"}
    return {"verdict": "valid", "usable": usable(case)}


def main():
    for line in sys.stdin:
        case = json.loads(line)
        try:
            judged = answer(case)
        except Exception:  # whatever PyJWT raises, the token or the set is not accepted
            judged = {"verdict": "invalid"}
        print(json.dumps({"id": case["id"], **judged}), flush=True)


if __name__ == "__main__":
    main()

"""python-jwt: one key, an allow-list, the dates."""

import datetime
import json
import warnings

warnings.simplefilter("ignore")
import python_jwt  # noqa: E402
from frame import BEYOND_JWT, ECDSA, HMAC, RSA, Unsupported, serve  # noqa: E402
from jwcrypto.jwk import JWK  # noqa: E402


def accepts(case):
    if not case.checks_claims:
        raise Unsupported("verifies claims only")
    refusal = ValueError("no key has this kid")
    for key in case.candidates():
        try:
            # The options: nbf is optional, and unknown members of the header are ignored (RFC 7515 section 4).
            python_jwt.verify_jwt(case.token, JWK.from_json(json.dumps(key)), case.algorithms,
                                  iat_skew=datetime.timedelta(seconds=case.leeway), checks_optional=True, ignore_not_implemented=True)
            return True
        except Exception as error:  # not this key
            refusal = error
    raise refusal


LACKS = [*BEYOND_JWT, "keys", "issuer", "audience", "required", "required-exp", "leeway", "payload", "b64"]
serve(accepts, [*HMAC, *RSA, *ECDSA, "ES256K", "EdDSA"], LACKS)

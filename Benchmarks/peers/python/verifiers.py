"""Python's libraries: each function makes a verifier that raises for a token it refuses. Keys are read once; the libraries check exp,
nbf, iss and aud."""

import json


class NotOffered(Exception):
    """The library lacks the algorithm."""


def assay(setting):
    import assay as library
    verifier = library.Verifier(setting.issuer, setting.audience, json.dumps(setting.jwk), algorithms=[setting.algorithm])
    return verifier.verify


def pyjwt(setting):
    import jwt
    key = jwt.PyJWK(setting.jwk, setting.algorithm)  # any other form of a key is prepared at each call
    options = {"require": ["exp", "iss", "aud"]}
    return lambda token: jwt.decode(token, key, algorithms=[setting.algorithm], issuer=setting.issuer, audience=setting.audience,
                                    options=options)


def joserfc(setting):
    from joserfc import jwk, jwt
    kinds = {"RS256": jwk.RSAKey, "ES256": jwk.ECKey, "EdDSA": jwk.OKPKey, "HS256": jwk.OctKey}
    key = kinds[setting.algorithm].import_key(setting.key)
    registry = jwt.JWTClaimsRegistry(iss={"essential": True, "value": setting.issuer},
                                     aud={"essential": True, "value": setting.audience}, exp={"essential": True})

    def verify(token):
        registry.validate(jwt.decode(token, key, algorithms=[setting.algorithm]).claims)
    return verify


def authlib(setting):
    from authlib.jose import JsonWebKey, JsonWebToken
    kinds = {"RS256": "RSA", "ES256": "EC", "EdDSA": "OKP", "HS256": "oct"}
    key = JsonWebKey.import_key(setting.key, {"kty": kinds[setting.algorithm]})
    decoder = JsonWebToken([setting.algorithm])
    options = {"iss": {"essential": True, "value": setting.issuer}, "aud": {"essential": True, "value": setting.audience},
               "exp": {"essential": True}}
    return lambda token: decoder.decode(token, key, claims_options=options).validate()


def python_jose(setting):
    from jose import jwk, jwt
    if setting.algorithm == "EdDSA":
        raise NotOffered("not offered")
    key = jwk.construct(setting.key, setting.algorithm)
    options = {"require_exp": True, "require_iss": True, "require_aud": True}
    return lambda token: jwt.decode(token, key, algorithms=[setting.algorithm], issuer=setting.issuer, audience=setting.audience,
                                    options=options)


def oxyjwt(setting):
    import oxyjwt as library
    kinds = {"RS256": "from_rsa_pem", "ES256": "from_ec_pem", "EdDSA": "from_ed_pem", "HS256": "from_secret"}
    key = getattr(library.DecodingKey, kinds[setting.algorithm])(setting.key)
    options = {"require": ["exp", "iss", "aud"]}
    return lambda token: library.decode(token, key, algorithms=[setting.algorithm], issuer=setting.issuer, audience=setting.audience,
                                        options=options)

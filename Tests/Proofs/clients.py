"""Clients that make DPoP proofs (RFC 9449 section 4.2) with libraries of PyPI: each has a key, its thumbprint, and signs any claims."""
import json

import joserfc.jwk
import joserfc.jws
from authlib.jose import JsonWebKey, JsonWebSignature
from jwcrypto import jwk, jws

ALGORITHMS = {"ES256": ("EC", "P-256"), "ES384": ("EC", "P-384"), "EdDSA": ("OKP", "Ed25519"), "PS256": ("RSA", 2048)}


def header(algorithm, public):
    return {"typ": "dpop+jwt", "alg": algorithm, "jwk": public}


class Joserfc:
    def __init__(self, algorithm):
        self.algorithm = algorithm
        kind, size = ALGORITHMS[algorithm]
        self.key = joserfc.jwk.JWKRegistry.generate_key(kind, size, private=True)
        self.public = self.key.as_dict(private=False)
        self.public.pop("kid", None)
        self.thumbprint = self.key.thumbprint()

    def sign(self, claims):
        payload = json.dumps(claims)
        return joserfc.jws.serialize_compact(header(self.algorithm, self.public), payload, self.key, algorithms=[self.algorithm])


class Jwcrypto:
    def __init__(self, algorithm):
        self.algorithm = algorithm
        kind, size = ALGORITHMS[algorithm]
        self.key = jwk.JWK.generate(kty=kind, **({"size": size} if kind == "RSA" else {"crv": size}))
        self.public = self.key.export_public(as_dict=True)
        self.thumbprint = self.key.thumbprint()

    def sign(self, claims):
        token = jws.JWS(json.dumps(claims))
        token.add_signature(self.key, None, json.dumps(header(self.algorithm, self.public)))
        return token.serialize(compact=True)


class Authlib:
    def __init__(self, algorithm):
        self.algorithm = algorithm
        kind, size = ALGORITHMS[algorithm]
        self.key = JsonWebKey.generate_key(kind, size, is_private=True)
        self.public = self.key.as_dict(is_private=False)
        self.public.pop("kid", None)
        self.thumbprint = self.key.thumbprint()

    def sign(self, claims):
        text = JsonWebSignature(algorithms=[self.algorithm]).serialize_compact(
            header(self.algorithm, self.public), json.dumps(claims).encode(), self.key)
        return text.decode()


def whole(make):
    """Makes clients whose keys have all bytes of their coordinates. Authlib 1.9.10 writes a coordinate with a leading zero byte too short, which
    RFC 7518 section 6.2.1.2 forbids: one key in 128 or so. Assay refuses such a key, because it would have two thumbprints."""
    def made(algorithm):
        while True:
            client = make(algorithm)
            lengths = {len(client.public[name]) for name in ("x", "y") if name in client.public}
            if lengths <= {43, 64}:
                return client
    return made


CLIENTS = {"joserfc": whole(Joserfc), "jwcrypto": whole(Jwcrypto), "Authlib": whole(Authlib)}

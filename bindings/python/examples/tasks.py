"""The twelve tasks of Docs/Tasks.md in Python: functions and classes to copy. Docs/Python.md shows them; tests/test_tasks.py runs them."""

import base64
import logging
from collections import Counter
from dataclasses import dataclass
from typing import Any, Dict, Iterable, List, Mapping, Optional, Set, Tuple

from fastapi import Depends, FastAPI, Header, HTTPException

import assay
from assay import Keys, RemoteKeys, Verifier


# task: an id_token over remote keys
class Login:
    def __init__(self, issuer: str, client_id: str, keys: RemoteKeys):
        self.verifier = Verifier(issuer, client_id, keys, profile="id_token")

    def user(self, id_token: str, nonce: str, access_token: str) -> Optional[str]:
        login = self.verifier.expecting(nonce=nonce, access_token=access_token)
        return login.verify_waiting(id_token).subject


# task: an access token with a scope
def answer(token: str, verifier: Verifier) -> Tuple[int, Optional[str]]:
    """The verifier has the profile "access_token", and the scopes that the endpoint needs."""
    try:
        verifier.verify(token)
        return 200, None
    except assay.VerificationError as refusal:
        return refusal.status, refusal.challenge


# task: a check of one's own
def of_tenants(issuer: str, keys: Keys, tenants: Set[str]) -> Verifier:
    def tenant(claims: assay.Claims) -> Optional[str]:
        return None if claims.get("tenant") in tenants else "this tenant is not served here"

    return Verifier(issuer, "https://api.example", keys, profile="access_token", checks=[tenant])


# task: several issuers
class SeveralLogins:
    """Clients are the client's id at each issuer. A token can only choose among them, and only with that issuer's keys."""

    def __init__(self, clients: Mapping[str, Tuple[str, RemoteKeys]]):
        logins = [Verifier(issuer, client_id, keys, profile="id_token") for issuer, (client_id, keys) in clients.items()]
        self.verifier = Verifier.any_of(*logins)

    def user(self, id_token: str, nonce: str) -> Tuple[Optional[str], Optional[str]]:
        claims = self.verifier.expecting(nonce=nonce).verify_waiting(id_token)
        return claims.issuer, claims.subject


# task: secrets that rotate
def of_secrets(secrets: Mapping[str, bytes]) -> Verifier:
    """Secrets by kid: a verifier has the new secret before anybody signs with it."""

    def jwk(key_id: str, secret: bytes) -> Dict[str, str]:
        return {"kty": "oct", "alg": "HS256", "kid": key_id, "k": base64.urlsafe_b64encode(secret).rstrip(b"=").decode()}

    keys = {"keys": [jwk(key_id, secret) for key_id, secret in secrets.items()]}
    return Verifier("https://idp.example", "client-1", keys, algorithms=["HS256"])


# task: claims as a type
@dataclass(frozen=True)
class Employee:
    subject: str
    groups: List[str]
    department: str


def employee(token: str, verifier: Verifier) -> Employee:
    claims = verifier.verify(token)
    return Employee(claims["sub"], claims.get("groups", []), claims.at("/department/name"))


# task: a middleware for FastAPI
def api(verifier: Verifier) -> FastAPI:
    async def caller(authorization: str = Header("")) -> assay.Claims:
        scheme, _, token = authorization.partition(" ")
        if scheme.lower() != "bearer":
            raise HTTPException(401, headers={"WWW-Authenticate": verifier.challenge()})
        try:
            return await verifier.verify_async(token)
        except assay.VerificationError as refusal:
            raise HTTPException(refusal.status, headers={"WWW-Authenticate": refusal.challenge} if refusal.challenge else {})

    app = FastAPI()

    @app.get("/me")
    async def me(claims: assay.Claims = Depends(caller)) -> str:
        return claims["sub"]

    return app


# task: an error as an HTTP status
def refused(refusal: assay.VerificationError) -> Tuple[int, Dict[str, str]]:
    fields = {"WWW-Authenticate": refusal.challenge} if refusal.challenge else {}
    if refusal.is_retryable:
        fields["Retry-After"] = "1"
    return refusal.status, fields


# task: logs and metrics
def observed(token: str, verifier: Verifier, verdicts: "Counter[str]") -> assay.Claims:
    try:
        claims = verifier.verify(token)
        verdicts["valid"] += 1
        return claims
    except assay.VerificationError as refusal:
        verdicts[refusal.name] += 1
        logging.getLogger("tokens").info("%s", refusal.reason)
        raise


# task: keys in PEM that rotate
class PinnedKeys:
    """Old and new keys in PEM together while they rotate: one of them has signed a good token."""

    def __init__(self, documents: Iterable[str], issuer: str, audience: str):
        self.verifiers = [Verifier(issuer, audience, pem, algorithms=["ES256"]) for pem in documents]

    def verify(self, token: str) -> assay.Claims:
        for verifier in self.verifiers[:-1]:
            try:
                return verifier.verify(token)
            except assay.VerificationError as refusal:
                if refusal.code != assay.Code.SIGNATURE_INVALID:
                    raise
        return self.verifiers[-1].verify(token)


# task: many tokens at once
def subjects(tokens: Iterable[str], verifier: Verifier) -> Tuple[List[Any], "Counter[str]"]:
    valid, refused = [], Counter()
    for verdict in verifier.verify_batch(tokens):
        if isinstance(verdict, assay.Claims):
            valid.append(verdict.subject)
        else:
            refused[verdict.name] += 1
    return valid, refused

"""Who signed a list."""

from .. import envelope
from ..encoding import base64url
from ..keys import hmac_key
from ..suite import ABSENT
from .streams import stream
from .suite import DRAFT, ListSuite, list_claims, list_token, status_list

REVOKED = list_claims()
CLEARED = list_claims(status_list=status_list(base64url(stream(b"\0\0"))))


def signatures():
    suite = ListSuite("signatures", "Who signed a list, and how.", envelope.JWKS, reference=f"{DRAFT} 5.1")
    for identifier, text, why, reference in envelope.good(list_token, REVOKED):
        suite.ask(identifier, text, 1, why, reference, "should" if identifier == "signed-without-name" else None)
    for identifier, text, code, why, reference, *severity in envelope.attacks(list_token, REVOKED, CLEARED, {"typ": "statuslist+jwt"}):
        suite.ask(f"attack-{identifier}", text, code, why, reference, *severity)
    return suite


def secrets():
    """The draft allows an HMAC between parties that share a secret (section 11.6)."""
    key = hmac_key("hmac-32")
    suite = ListSuite("secrets", "Lists with an HMAC, where the verifier allows it.", [key.jwk()], {"algorithms": ["HS256"]},
                      reference=f"{DRAFT} 11.6")
    suite.ask("secret-good", list_token(key=key), 1, "The HMAC is good.")
    suite.ask("secret-other", list_token(key=hmac_key("hmac-other"), kid=key.name), "signature_invalid", "The HMAC has another secret.")
    suite.ask("secret-none", list_token(key=key, alg="none"), "unsecured_token", "The algorithm is none, under a good HMAC.")
    return suite


def no_keys():
    suite = ListSuite("keys-not-there", "No keys could be had.", None, reference=f"{DRAFT} 8.3")
    suite.ask("no-keys", list_token(), "keys_unavailable", "Without keys, nothing can be said.")
    suite.ask("no-keys-unsecured", list_token(alg="none"), "unsecured_token", "Without keys, an unsigned list is refused for good.")
    suite.ask("no-keys-no-name", list_token(kid=ABSENT), "keys_unavailable", "Without keys, nothing can be said of a token without a name.")
    return suite


SUITES = [signatures, secrets, no_keys]

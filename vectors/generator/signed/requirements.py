"""Which signatures have to hold, and whose (RFC 7515 section 5.2 leaves both to the application)."""

from ..encoding import base64url, unbase64url
from ..suite import flipped
from .suite import ALL, FIRST, GENERAL, KEYS, ONE, SECOND, STRANGER, THIRD, DocumentSuite, entry, flattened, general, protected_of

RULE = "RFC 7515 section 5.2"
FOREIGN = "foreign-p-256"


def forged(key):
    """A wrong signature under the name of this key."""
    good = entry(key)
    return {**good, "signature": base64url(flipped(unbase64url(good["signature"])))}


def every():
    suite = DocumentSuite("every-signature", "All signatures have to hold.", KEYS, ALL, reference=RULE)

    def ask(identifier, signatures, expect, why, *rest):
        suite.ask(f"every-{identifier}", general(*signatures), expect, why, *rest)
    ask("of-two", [entry(FIRST), entry(SECOND)], [0, 1], "Both of two hold.")
    ask("same-key", [entry(FIRST), entry(FIRST)], [0, 1], "The same signature is there twice.", GENERAL, "should")
    ask("first-forged", [forged(FIRST), entry(SECOND)], "0: signature_invalid", "The first of two is wrong.")
    ask("second-forged", [entry(FIRST), forged(SECOND)], "1: signature_invalid", "The second of two is wrong.")
    ask("last-forged", [entry(FIRST), entry(SECOND), forged(THIRD)], "2: signature_invalid", "The last of three is wrong.")
    ask("with-stranger", [entry(FIRST), entry(STRANGER)], "1: unknown_key", "One of two is a stranger's.")
    ask("stranger-first", [entry(STRANGER), entry(FIRST)], "0: unknown_key", "One of two is a stranger's, the first.")
    ask("with-none", [entry(FIRST), {**entry(FIRST, protected={"alg": "none"}), "signature": ""}], "1: unsecured_token",
        "One of two is no signature.")
    ask("forged-over-stranger", [entry(STRANGER), forged(FIRST)], "1: signature_invalid", "One is a stranger's, and one is wrong.", None,
        "must")
    return suite


def one():
    suite = DocumentSuite("one-signature", "Exactly one signature has to hold: that of the party whose key the verifier has.",
                          [FIRST.jwk()], ONE,
                          reference=RULE)

    def ask(identifier, signatures, expect, why, *rest):
        suite.ask(f"one-{identifier}", general(*signatures), expect, why, *rest)
    suite.ask("one-flattened", flattened(), [0], "The only signature holds.")
    ask("alone", [entry(FIRST)], [0], "The only signature of an array holds.")
    ask("first", [entry(FIRST), entry(SECOND)], [0], "The first is ours, and the other is a party's that we do not know.")
    ask("second", [entry(SECOND), entry(FIRST)], [1], "The second is ours.")
    ask("third", [entry(SECOND), entry(THIRD), entry(FIRST)], [2], "The third is ours.")
    ask("none", [entry(SECOND), entry(THIRD)], "0: unknown_key", "None is of a key that we know.")
    ask("forged", [forged(FIRST), entry(SECOND)], "0: signature_invalid", "Ours is wrong, and another party's is right.")
    ask("forged-last", [entry(SECOND), forged(FIRST)], "1: signature_invalid", "Ours, the last one, is wrong.")
    ask("stranger-as-ours", [entry(STRANGER, protected=protected_of(FIRST)), entry(SECOND)], "0: signature_invalid",
        "A stranger signed under our name.")
    ask("unsecured", [{**entry(FIRST, protected={"alg": "none"}), "signature": ""}], "0: unsecured_token", "The only signature is none.")
    ask("twice", [entry(FIRST), entry(FIRST)], "signer_mismatch", "Ours is there twice.", None, "hardening")
    ask("with-forged", [entry(FIRST), forged(FIRST)], [0], "Ours is there, and a wrong one under the same name.", None, "should")
    return suite


def signers():
    suite = DocumentSuite("named-signers", "All signatures have to hold, and those of two named parties have to be there.", KEYS,
                          {**ALL, "signers": ["p256-1", "ed25519-1"]}, reference=RULE)

    def ask(identifier, signatures, expect, why, *rest):
        suite.ask(f"signers-{identifier}", general(*signatures), expect, why, *rest)
    ask("both", [entry(FIRST), entry(SECOND)], [0, 1], "Both parties have signed.")
    ask("other-order", [entry(SECOND), entry(FIRST)], [0, 1], "The order is free.")
    ask("and-third", [entry(FIRST), entry(THIRD), entry(SECOND)], [0, 1, 2], "A third party has signed too.")
    ask("first-alone", [entry(FIRST)], "signer_mismatch", "Somebody took the second party's signature away.")
    ask("second-alone", [entry(SECOND)], "signer_mismatch", "Somebody took the first party's signature away.")
    ask("first-twice", [entry(FIRST), entry(FIRST)], "signer_mismatch", "The first party's signature is there twice.")
    ask("other-instead", [entry(FIRST), entry(THIRD)], "signer_mismatch", "Another party has signed instead of the second.")
    ask("under-other-name", [entry(FIRST), entry(FIRST, header={"kid": "ed25519-1"}, protected={"alg": "ES256"})],
        "1: key_algorithm_mismatch",
        "The first party signed again, under the second's name.")
    ask("forged", [entry(FIRST), forged(SECOND)], "1: signature_invalid", "The second party's signature is wrong.")
    suite.ask("signers-flattened", flattened(), "signer_mismatch", "A document with one signature cannot have two.")
    return suite


def one_signer():
    suite = DocumentSuite("one-named-signer", "Exactly one signature has to hold, and it has to be that of a named party.", KEYS,
                          {**ONE, "signers": ["p256-1"]}, reference=RULE)
    suite.ask("one-signer-good", flattened(), [0], "The party has signed.")
    suite.ask("one-signer-other", flattened(entry(SECOND)), "signer_mismatch", "Another party has signed.")
    suite.ask("one-signer-two", general(entry(SECOND), entry(FIRST)), "signer_mismatch", "Two parties have signed.", None, "hardening")
    suite.ask("one-signer-forged", general(entry(SECOND), forged(FIRST)), "signer_mismatch",
              "The party's signature is wrong, and another's holds.")
    return suite


SUITES = [every, one, signers, one_signer]

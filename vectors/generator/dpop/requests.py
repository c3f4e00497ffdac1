"""The request around a proof: its fields, its scheme, nonces, and proofs that were used before."""

from ..encoding import Members, base64url, raw
from ..keys import ec_key
from ..suite import ABSENT, NOW, flipped, signature_of, with_signature
from .suite import DPOP, KEY, TOKEN, ProofSuite, access_token, nonce, proof, proof_claims, public, secret

PERIOD, LABEL = 300, "https://api.example"
SECRET = secret("dpop nonces")


def requests():
    suite = ProofSuite("requests", "How a request brings its token and its proof.", f"{DPOP} 4.3")
    good, token = proof(), access_token(cnf=ABSENT)
    suite.ask("field-absent", [], "missing_proof", "The request has no proof.", f"{DPOP} 7.1")
    suite.ask("field-twice", [good, proof(proof_claims(jti="proof-2"))], "several_proofs", "The request has two good proofs.")
    suite.ask("field-twice-same", [good, good], "several_proofs", "The request has a good proof twice.")
    suite.ask("field-bad-first", ["x", good], "several_proofs", "The request has a bad proof and a good one.")
    suite.ask("field-bad-last", [good, "x"], "several_proofs", "The request has a good proof and a bad one.")
    suite.ask("field-list", f"{good}, {proof(proof_claims(jti='proof-2'))}", "several_proofs", "The field has two proofs in a list.")
    suite.ask("field-comma", f"{good},", "several_proofs", "A comma follows the proof.", None, "should")
    bearer = "RFC 9449 section 7.2"
    suite.ask("bearer-without-proof", [], "bound_token_without_proof", "A bound token comes as a bearer token.", bearer, scheme="Bearer")
    suite.ask("bearer-with-proof", good, "bound_token_without_proof", "A bound token comes as a bearer token, with its proof.", bearer,
              scheme="Bearer")
    suite.ask("bearer-with-bad-proof", proof(key=ec_key("dpop-stranger")), "bound_token_without_proof",
              "A bound token comes as a bearer token, with a proof of another key.", bearer, scheme="Bearer")
    suite.ask("bearer-small", [],
              "bound_token_without_proof",
              "A bound token comes as a bearer token, by a scheme in small letters.",
              bearer,
              scheme="bearer")
    suite.ask("scheme-small", good, "valid", "The scheme is in small letters.", "RFC 9110 section 11.1", scheme="dpop")
    suite.ask("scheme-capital", good, "valid", "The scheme is in capitals.", "RFC 9110 section 11.1", scheme="DPOP")
    suite.ask("unbound-token", proof(proof_claims(token)), "unbound_token", "A token that is not bound comes with a good proof.",
              f"{DPOP} 7.1", token=token)
    add_tokens(suite)
    return suite


def add_tokens(suite):
    """Good proofs with access tokens that are not good."""
    for identifier, changes, expect in (("expired", {"exp": NOW - 3600}, "expired"), ("early", {"nbf": NOW + 3600}, "not_yet_valid"),
                                        ("other-audience", {"aud": "https://other.example"}, "audience_mismatch"),
                                        ("other-issuer", {"iss": "https://other.example"}, "issuer_mismatch")):
        token = access_token(**changes)
        suite.ask(f"token-{identifier}", proof(proof_claims(token)), expect, f"The proof is good, and its token is not ({identifier}).",
                  f"{DPOP} 7.1", token=token)
    token = with_signature(TOKEN, flipped(signature_of(TOKEN)))
    suite.ask("token-forged", proof(proof_claims(token)), "signature_invalid", "The proof is good, and the token's signature is not.",
              f"{DPOP} 7.1", token=token)
    token = access_token(signer=KEY)
    suite.ask("token-self-made", proof(proof_claims(token)), "unknown_key", "The client's own key signed the token too.", f"{DPOP} 7.1",
              token=token)


def replays():
    suite = ProofSuite("replays", "Proofs that were used before.", f"{DPOP} 11.1")
    good, again = proof(), "replayed_proof"
    suite.ask("replay-same", good, again, "The proof was used before.", earlier=[good])
    suite.ask("replay-third", good, again, "The proof was used before, and another one since.",
              earlier=[good, proof(proof_claims(jti="proof-2"))])
    suite.ask("replay-other-time", proof(proof_claims(iat=NOW - 1)), again, "A later proof has the identifier of an earlier one.",
              earlier=[good])
    suite.ask("replay-other-claims", proof(proof_claims(x=1)), again, "Another proof has the identifier of an earlier one.", earlier=[good])
    suite.ask("replay-other-spelling", proof(proof_claims(jti=raw('"proof\\u002d1"'))), again,
              "The identifier of an earlier proof comes in another spelling.", "RFC 8259 section 8.3", earlier=[good])
    for identifier, value in (("other", "proof-2"), ("longer", "proof-11"), ("capital", "PROOF-1"), ("space", "proof-1 "),
                              ("nul", "proof-1\0"), ("composed", "proof-\u00e9")):
        suite.ask(f"replay-jti-{identifier}", proof(proof_claims(jti=value)), "valid", f"The identifier is another one: {value!r}.",
                  f"{DPOP} 4.2", "must" if identifier == "other" else "should", earlier=[good])
    suite.ask("replay-jti-decomposed", proof(proof_claims(jti="proof-e\u0301")), "valid",
              "The identifier has the same letters in another normal form.", f"{DPOP} 4.2", "should",
              earlier=[proof(proof_claims(jti="proof-\u00e9"))])
    return suite


def endpoint():
    suite = ProofSuite("endpoint", "Proofs at a token endpoint, where no access token comes with them.", f"{DPOP} 5")
    url = "https://idp.example/token"

    def ask(identifier, text, expect, why, *rest, **options):
        suite.ask(f"endpoint-{identifier}", text, expect, why, *rest, token=None, method="POST", url=url, **options)
    good = proof(proof_claims(None, htm="POST", htu=url))
    ask("good", good, "valid", "A proof for a token request.")
    ask("with-hash", proof(proof_claims(htm="POST", htu=url)), "valid", "The proof also has the hash of a token.", None, "should")
    ask("other-key", proof(proof_claims(None, htm="POST", htu=url), ec_key("dpop-stranger")), "valid",
        "Any key may ask for a token that is bound to it.")
    ask("absent", [], "missing_proof", "The request has no proof.")
    ask("twice", [good, good], "several_proofs", "The request has two proofs.", f"{DPOP} 4.3")
    ask("replay", good, "replayed_proof", "The proof was used before.", f"{DPOP} 11.1", earlier=[good])
    ask("resource", proof(proof_claims(None, htm="POST")), "proof_url_mismatch", "The proof was made for a resource server.", f"{DPOP} 4.3")
    ask("signature", with_signature(good, flipped(signature_of(good))), "proof_signature_invalid", "The signature is not good.",
        f"{DPOP} 4.3")
    ask("swapped-key", proof(proof_claims(None, htm="POST", htu=url), ec_key("dpop-stranger"), jwk=public(KEY)), "proof_signature_invalid",
        "The proof has another key than the one that signed it.", f"{DPOP} 4.3")
    return suite


def nonces():
    current, before = (nonce(SECRET, LABEL, NOW - age, PERIOD) for age in (0, PERIOD))
    suite = ProofSuite("nonces", "Proofs for a server that gives out nonces.", f"{DPOP} 9", nonces=[current, before],
                       nonce_secret=base64url(SECRET), nonce_label=LABEL, nonce_period=PERIOD)

    def ask(identifier, value, expect, why, *rest):
        suite.ask(f"nonce-{identifier}", proof(proof_claims(nonce=value)), expect, why, *rest)
    ask("current", current, "valid", "The proof has the server's nonce.")
    ask("before", before, "valid", "The proof has the server's last nonce but one, which is still good.")
    ask("absent", ABSENT, "missing_proof_nonce", "The proof has no nonce.")
    for what, value in (("null", None), ("number", 7), ("array", [current]), ("object", {}), ("true", True)):
        ask(what, value, "invalid_proof_claim", f"The nonce is no string ({what}).")
    made = {
        "older": nonce(SECRET, LABEL, NOW - 2 * PERIOD, PERIOD),
        "next": nonce(SECRET, LABEL, NOW + PERIOD, PERIOD),
        "other-secret": nonce(secret("dpop other nonces"), LABEL, NOW, PERIOD),
        "other-label": nonce(SECRET, "https://other.example", NOW, PERIOD),
        "other-period": nonce(SECRET, LABEL, NOW, 60),
        "no-label": nonce(SECRET, "", NOW, PERIOD),
        "empty-secret": nonce(b"", LABEL, NOW, PERIOD),
        "empty": "",
        "word": "x",
        "cut": current[:-1],
        "longer": f"{current}A",
        "padded": f"{current}=",
        "flipped": ("B" if current[0] == "A" else "A") + current[1:],
        "capitals": current.swapcase(),
        "space": f"{current} ",
        "nul": f"{current}\0",
        "both": f"{current},{before}",
        "time": str(NOW),
        "secret": base64url(SECRET),
        "label": LABEL
    }
    for identifier, value in made.items():
        ask(identifier, value, "proof_nonce_mismatch", f"The nonce is none that the server takes now ({identifier}).")
    ask("long", "n" * 257, "invalid", "The nonce has 257 characters.")
    suite.ask("nonce-twice", proof(Members([("nonce", "x"), *proof_claims(nonce=current).items()])), "malformed_proof",
              "The proof has two nonces.", "RFC 7519 section 4", "should")
    suite.ask("nonce-in-header", proof(proof_claims(), nonce=current), "missing_proof_nonce", "The nonce is in the header.")
    return suite


SUITES = [requests, replays, endpoint, nonces]

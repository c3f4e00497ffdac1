"""SD-JWTs, their disclosures and key binding tokens, and their files."""

import hashlib
import json

from ..encoding import Raw, base64url, dump, unbase64url
from ..keys import ec_key
from ..suite import ABSENT, AFTER_SIGNATURE, CODES, COMMON, NOW, GeneratorError, Suite, sign_parts
from ..verify import verify

ISSUER, AUDIENCE, NONCE = "https://idp.example", "https://verifier.example", "n-0S6_WzA2Mj"
TYPE, CREDENTIAL = "dc+sd-jwt", "urn:example:person:1"
# With ES256, which every profile of wallets has.
KEY, HOLDER = ec_key("p256-issuer"), ec_key("p256-1")
POLICY = {"issuer": ISSUER, "types": [TYPE]}
BINDING = {"audience": AUDIENCE, "nonce": NONCE}
BOUND = {**POLICY, "key_binding": BINDING}
RFC = "RFC 9901 section"
CNF = {"jwk": HOLDER.jwk()}
BEFORE = """
malformed_presentation presentation_too_large too_many_disclosures invalid_disclosure missing_key_binding unexpected_key_binding
""".split()
AFTER_ISSUER = """
unsupported_digest invalid_digests duplicate_disclosure duplicate_digest duplicate_claim forbidden_disclosure unused_disclosure
missing_confirmation unusable_confirmation
""".split()
SELECTIVE_CODES = [*BEFORE, *AFTER_ISSUER, "presentation_mismatch"]


def issuer_claims(**changes):
    """The claims of an issuer's token with some of them set, or left out with ABSENT."""
    base = {"iss": ISSUER, "vct": CREDENTIAL, "exp": NOW + 3600}
    return {name: value for name, value in {**base, **changes}.items() if value is not ABSENT}


def header_of(key, kind, algorithm=None, **header):
    members = {"alg": algorithm or key.default_algorithm, "typ": kind, "kid": key.name, **header}
    return {name: value for name, value in members.items() if value is not ABSENT}


def issuer_token(claims=None, key=KEY, algorithm=None, **header):
    """The issuer's token with an ordinary header, changed by the keyword arguments."""
    return sign_parts(key, header_of(key, TYPE, algorithm, **header), issuer_claims() if claims is None else claims, algorithm)


def disclosure(*parts):
    """The text of a disclosure: of a salt, a name and a value, or of a salt and a value."""
    return base64url(dump(list(parts)))


def digest(text, bits=256):
    return base64url(hashlib.new(f"sha{bits}", text.encode()).digest())


def listed(*texts):
    """The value of _sd for disclosures."""
    return [digest(text) for text in texts]


def place(text):
    """The element of an array that stands for a disclosure."""
    return {"...": digest(text)}


def presented(token, *disclosures):
    return "".join(f"{part}~" for part in (token, *disclosures))


def credential(members, *disclosures, **header):
    """A presentation without key binding of an issuer's token with these members, and disclosures."""
    claims = members if isinstance(members, Raw) else issuer_claims(**members)
    return presented(issuer_token(claims, **header), *disclosures)


def binding_claims(text, bits=256, **changes):
    """The claims of the key binding token for a presentation."""
    base = {"aud": AUDIENCE, "nonce": NONCE, "iat": NOW - 10, "sd_hash": digest(text, bits)}
    return {name: value for name, value in {**base, **changes}.items() if value is not ABSENT}


def binding_token(claims, key=HOLDER, algorithm=None, **header):
    return sign_parts(key, header_of(key, "kb+jwt", algorithm, **{"kid": ABSENT, **header}), claims, algorithm)


def bound(text, claims=None, key=HOLDER, algorithm=None, **header):
    """The presentation with a key binding token."""
    return text + binding_token(binding_claims(text) if claims is None else claims, key, algorithm, **header)


class Processing:
    """RFC 9901 section 7.1 steps 3 and 4 on values of Python, as the specification tells them: only for presentations that are good."""

    def __init__(self, texts, bits):
        self.found = {digest(text, bits): json.loads(unbase64url(text)) for text in texts}
        self.met = []

    def value(self, value):
        if isinstance(value, dict):
            return self.members(value)
        return self.elements(value) if isinstance(value, list) else value

    def members(self, value):
        named = [self.found[text] for text in map(self.meet, value.get("_sd", [])) if text in self.found]
        pairs = [*((name, member) for name, member in value.items() if name != "_sd"), *((name, member) for _, name, member in named)]
        return {name: self.value(member) for name, member in pairs}

    def elements(self, value):
        kept = []
        for element in value:
            if not isinstance(element, dict) or list(element) != ["..."]:
                kept.append(self.value(element))
            elif self.meet(element["..."]) in self.found:
                kept.append(self.value(self.found[element["..."]][1]))
        return kept

    def meet(self, text):
        self.met.append(text)
        return text


def processed(text):
    """The claims of a good presentation. Raises if a disclosure is not used, or a digest is there twice."""
    token, *texts, _ = text.split("~")
    payload = json.loads(unbase64url(token.split(".")[1]))
    processing = Processing(texts, int(payload.pop("_sd_alg", "sha-256")[4:]))
    claims = processing.value(payload)
    if len(set(processing.met)) != len(processing.met) or not processing.found.keys() <= set(processing.met):
        raise GeneratorError("the presentation is not good")
    return claims


class SelectiveSuite(Suite):
    """A file of presentations. A valid case has the claims. Where a token in it is refused, `refused` says whose."""

    kind, member, folder, codes = "selective", "presentation", "selective/", [*CODES, *SELECTIVE_CODES]

    def ask(self, identifier, text, expect, why, reference=None, severity=None, claims=None):
        """A case whose verdict is a code, perhaps after "issuer: " or "holder: ", or an object: members of the claims that must come out.

        `claims` has all of them instead, for a token that is not of this module.
        """
        whose, _, code = expect.rpartition(": ") if isinstance(expect, str) else ("", "", "valid")
        self.add(f"selective-{identifier}", text, code, why, reference, severity)
        if code == "valid":
            self.cases[-1]["claims"] = issuer_claims(**expect) if claims is None else claims
        elif whose:
            self.cases[-1]["refused"] = whose

    def _with_needs(self, case):
        if case["expect"] != "valid":
            return case
        token, *_, binding = case[self.member].split("~")
        header, payload = (json.loads(unbase64url(part)) for part in token.split(".")[:2])
        needs = [header["alg"]]
        if binding:
            needs += ["key-binding", json.loads(unbase64url(binding.split(".")[0]))["alg"]]
        if payload.get("_sd_alg", "sha-256") != "sha-256":
            needs.append(payload["_sd_alg"])
        return {**{name: case[name] for name in COMMON}, "needs": list(dict.fromkeys(needs)), **case}

    def check(self):
        """Raises unless signatures are as good or as bad as each case says, and each valid case has the claims that arithmetic finds."""
        cases, self.cases = self.cases, []
        super().check()
        self.cases = cases
        for case in cases:
            self.check_case(case)

    def check_case(self, case):
        identifier, expect, whose = case["id"], case["expect"], case.get("refused")
        if expect not in ("valid", "invalid", *self.codes) or not case["why"].endswith(".") or not case["reference"]:
            raise GeneratorError(f"{identifier}: {expect}, its sentence or its reference is wrong")
        if whose and expect not in CODES or not whose and expect in CODES:
            raise GeneratorError(f"{identifier}: whose token is refused?")
        token, binding = case[self.member].partition("~")[0], case[self.member].rpartition("~")[2]
        if whose == "issuer" and expect == "signature_invalid" and self._is_signed(token):
            raise GeneratorError(f"{identifier}: the issuer's signature is good")
        if (expect in ("valid", "presentation_mismatch", *AFTER_ISSUER) or whose == "holder") and not self._is_signed(token):
            raise GeneratorError(f"{identifier}: the issuer's signature is not good")
        if whose == "issuer" and expect in AFTER_SIGNATURE[1:] and not self._is_signed(token):
            raise GeneratorError(f"{identifier}: the issuer's signature is not good")
        if expect == "valid" and processed(case[self.member]) != case["claims"]:
            raise GeneratorError(f"{identifier}: other claims than RFC 9901 section 7.1 gives")
        good = expect in ("valid", "presentation_mismatch") and binding or whose == "holder" and expect in AFTER_SIGNATURE[1:]
        if (good or whose == "holder" and expect == "signature_invalid") and is_bound(token, binding) != bool(good):
            raise GeneratorError(f"{identifier}: the holder's signature is not what {expect} needs")


def is_bound(token, binding):
    """Whether the key in the issuer's token signed the key binding token."""
    jwk = json.loads(unbase64url(token.split(".")[1]))["cnf"]["jwk"]
    data, _, signature = binding.rpartition(".")
    return verify(jwk, json.loads(unbase64url(data.partition(".")[0]))["alg"], data.encode(), unbase64url(signature))

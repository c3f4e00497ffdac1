"""Tokens, cases and vector files."""

import json

from cryptography.hazmat.primitives.asymmetric import ed25519

from .encoding import base64url, dump, unbase64url
from .verify import verify

NOW = 1700000000
CODES = """
token_too_large malformed_token encrypted_token invalid_base64url invalid_json invalid_utf8 duplicate_member
nesting_too_deep too_many_members invalid_header missing_algorithm unsecured_token unsupported_algorithm
algorithm_not_allowed unsupported_critical type_mismatch unknown_key ambiguous_key key_algorithm_mismatch
key_use_mismatch weak_key invalid_key keys_unavailable signature_invalid missing_claim invalid_claim expired
not_yet_valid issued_in_future too_old issuer_mismatch audience_mismatch authorized_party_mismatch nonce_mismatch
token_hash_mismatch authentication_too_old context_class_mismatch revoked
""".split()
SEVERITIES = ("must", "should", "hardening")
AFTER_SIGNATURE = CODES[CODES.index("signature_invalid") + 1:]
COMMON = ("id", "expect", "severity", "why", "reference")
PRIVATE_MEMBERS = {"d", "p", "q", "dp", "dq", "qi", "oth", "priv"}
ABSENT = object()


class GeneratorError(Exception):
    pass


def claims(**changes):
    """Ordinary claims with some of them set, or left out with ABSENT."""
    base = {"iss": "https://idp.example", "sub": "user-1", "aud": "client-1", "iat": NOW - 60, "exp": NOW + 3600}
    return {name: value for name, value in {**base, **changes}.items() if value is not ABSENT}


def header_of(key, algorithm=None, **members):
    header = {"alg": algorithm or key.default_algorithm, "typ": "JWT", "kid": key.name, **members}
    return {name: value for name, value in header.items() if value is not ABSENT}


def octets(part):
    return part if type(part) is bytes else dump(part)


def assemble(header, payload, signature):
    return ".".join(base64url(octets(part)) for part in (header, payload, signature))


def sign_input(key, signing_input, algorithm=None):
    """The compact token for a signing input, its signature checked before it is returned."""
    algorithm = algorithm or key.default_algorithm
    data = signing_input.encode("utf-8")
    signature = key.sign(algorithm, data)
    if not verify(key.jwk(), algorithm, data, signature):
        raise GeneratorError(f"a signature made with {key.name} for {algorithm} does not verify")
    return f"{signing_input}.{base64url(signature)}"


def sign_parts(key, header, payload, algorithm=None):
    """The token for a header and a payload, each given as a JSON value or as octets."""
    return sign_input(key, f"{base64url(octets(header))}.{base64url(octets(payload))}", algorithm)


def token(key, payload=None, algorithm=None, **header):
    """A correctly signed token with an ordinary header, changed by the keyword arguments."""
    return sign_parts(key, header_of(key, algorithm, **header), claims() if payload is None else payload, algorithm)


def split(text):
    """The three parts of a token."""
    header, payload, signature = text.split(".")
    return header, payload, signature


def signing_input(text):
    return text.rpartition(".")[0]


def with_signature(text, signature):
    """The token with the octets of its signature replaced."""
    return f"{signing_input(text)}.{base64url(signature)}"


def signature_of(text):
    return unbase64url(text.rpartition(".")[2])


def flipped(data, index=0):
    """The octets with one bit of one octet changed."""
    changed = bytearray(data)
    changed[index] ^= 1
    return bytes(changed)


def is_private_key(jwk):
    """Whether the private members are what they claim to be; one case has a d that does not belong to its x."""
    if jwk["kty"] != "OKP" or jwk["crv"] != "Ed25519":
        return True
    private = ed25519.Ed25519PrivateKey.from_private_bytes(unbase64url(jwk["d"]))
    return private.public_key().public_bytes_raw() == unbase64url(jwk["x"])


def needs(text, keys):
    """What a verifier must support to accept a good token: its algorithm, and the curve or the extension beyond that."""
    header = json.loads(unbase64url(text.partition(".")[0]))
    named = [key for key in keys if key.get("kid") == header.get("kid")]
    extras = [("Ed448", header["alg"] == "EdDSA" and any(key.get("crv") == "Ed448" for key in named)),
              ("b64", "b64" in header.get("crit", []))]
    return [header["alg"]] + [name for name, needed in extras if needed]


def written(value):
    return json.dumps(value, ensure_ascii=True)


def lines(values):
    """An array with a line for each element."""
    return "[" + ",".join("\n" + written(value) for value in values) + "]"


class Suite:
    """One vector file: a key set, a policy, a time, and cases. Other kinds of files with a token in each case derive from it."""

    kind, member, folder, codes, after_signature = "tokens", "token", "", CODES, AFTER_SIGNATURE
    bad_signature = "signature_invalid"

    def __init__(self, name, description, keys, policy=None, now=NOW, reference="", severity="must"):
        self.name, self.description, self.policy, self.now = name, description, policy or {}, now
        self.keys = None if keys is None else {"keys": keys}
        self.reference, self.severity, self.cases = reference, severity, []

    def add(self, identifier, text, expect, why, reference=None, severity=None):
        self.cases.append({"id": identifier, "expect": expect, "severity": severity or self.severity, "why": why,
                           "reference": reference or self.reference, self.member: text})

    def valid(self, identifier, text, why, reference=None, severity=None):
        self.add(identifier, text, "valid", why, reference, severity)

    def rate(self, severity, *beginnings):
        """Gives the cases so far whose ids begin with one of the texts another severity."""
        for beginning in beginnings:
            cases = [case for case in self.cases if case["id"].startswith(beginning)]
            if not cases:
                raise GeneratorError(f"{self.name}: no id begins with {beginning}")
            for case in cases:
                case["severity"] = severity

    def text(self):
        """The file: a line for each key and for each case."""
        head = {"kind": self.kind, "name": self.name, "description": self.description, "policy": self.policy,
                "now": self.now}
        keys = "null" if self.keys is None else '{"keys": ' + lines(self.keys["keys"]) + "}"
        return f'{written(head)[:-1]},\n"keys": {keys},\n"cases": {lines(map(self._with_needs, self.cases))}}}\n'

    @property
    def path(self):
        return f"{self.folder}{self.name}.json"

    def _with_needs(self, case):
        """The case; one that is valid says what a verifier must support."""
        if case["expect"] != "valid":
            return case
        common = {name: case[name] for name in COMMON}
        return {**common, "needs": needs(case[self.member], self._keys()), **case}

    def check(self):
        """Raises unless every signature is as good, or as bad, as its case says."""
        for key in self._keys():
            if PRIVATE_MEMBERS & key.keys() and is_private_key(key):
                raise GeneratorError(f"{self.name}: {key['kid']} is a private key")
        for case in self.cases:
            expect = case["expect"]
            if expect not in ("valid", "invalid", *self.codes):
                raise GeneratorError(f"{case['id']}: unknown code {expect}")
            if case["severity"] not in SEVERITIES:
                raise GeneratorError(f"{case['id']}: unknown severity {case['severity']}")
            if not case["why"].endswith(".") or not case["reference"]:
                raise GeneratorError(f"{case['id']}: needs a sentence and a reference")
            if expect in ("valid", self.bad_signature, *self.after_signature):
                if self._is_signed(case[self.member]) != (expect != self.bad_signature):
                    raise GeneratorError(f"{case['id']}: the signature is not what {expect} needs")

    def _keys(self):
        return [key for key in (self.keys or {"keys": []})["keys"] if isinstance(key, dict)]

    def _is_signed(self, text):
        data, _, signature = text.rpartition(".")
        header = json.loads(unbase64url(data.partition(".")[0]))
        keys = self._keys()
        if "kid" in header:
            keys = [key for key in keys if key.get("kid") == header["kid"]]
        return any(verify(key, header["alg"], data.encode(), unbase64url(signature)) for key in keys)

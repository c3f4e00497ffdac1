"""Status List Tokens, referenced tokens, and their files."""

import json
import zlib

from ..encoding import base64url, unbase64url
from ..keys import ed_key
from ..suite import ABSENT, AFTER_SIGNATURE, CODES, NOW, GeneratorError, Suite, sign_parts
from .streams import stream

URI = "https://example.com/statuslists/1"
DRAFT = "draft-ietf-oauth-status-list-20 section"
LIST_CODES = """
missing_status_list invalid_status_list invalid_bits invalid_time_to_live invalid_encoding invalid_compression truncated_list
trailing_bytes list_too_large subject_mismatch invalid_status
""".split()
KEY = ed_key("ed25519-1")
EXAMPLE = b"\xb9\xa3"  # section 4.1, the first example


def status_list(lst=None, bits=1, **members):
    """The value of status_list: by default the first example of the draft."""
    value = {"bits": bits, "lst": base64url(stream(EXAMPLE)) if lst is None else lst, **members}
    return {name: member for name, member in value.items() if member is not ABSENT}


def list_claims(**changes):
    """The claims of a Status List Token with some of them set, or left out with ABSENT."""
    base = {"sub": URI, "iat": NOW - 60, "exp": NOW + 3600, "ttl": 300, "status_list": status_list()}
    return {name: value for name, value in {**base, **changes}.items() if value is not ABSENT}


def list_token(claims=None, key=KEY, algorithm=None, **header):
    """A signed Status List Token with an ordinary header, changed by the keyword arguments."""
    base = {"alg": algorithm or key.default_algorithm, "typ": "statuslist+jwt", "kid": key.name, **header}
    members = {name: value for name, value in base.items() if value is not ABSENT}
    return sign_parts(key, members, list_claims() if claims is None else claims, algorithm)


def token_with(octets, bits=1, **header):
    """A Status List Token with this zlib stream."""
    return list_token(list_claims(status_list=status_list(base64url(octets), bits)), **header)


def status_at(index, octets, bits):
    """The status, read bit by bit; None beyond the list."""
    if (index + 1) * bits > 8 * len(octets):
        return None
    whole = int.from_bytes(octets, "little")
    return whole >> index * bits & (1 << bits) - 1


def statuses(token):
    """The octets of the list in a token, and the size of each status."""
    value = json.loads(unbase64url(token.split(".")[1]))["status_list"]
    return zlib.decompress(unbase64url(value["lst"])), value["bits"]


class ListSuite(Suite):
    """A file of Status List Tokens. Each case asks for the status at an index; where it is valid, it says which."""

    kind, member, folder, codes = "statuslists", "list", "statuslists/", [*CODES, *LIST_CODES]
    after_signature = [*AFTER_SIGNATURE, *LIST_CODES]

    def ask(self, identifier, text, expect, why, reference=None, severity=None, index=0, uri=URI):
        """A case whose verdict is a code, or the status itself."""
        is_status = isinstance(expect, int)
        self.add(f"list-{identifier}", text, "valid" if is_status else expect, why, reference, severity)
        self.cases[-1] |= {"uri": uri, "index": index, **({"status": expect} if is_status else {})}

    def check(self):
        super().check()
        for case in self.cases:
            if case["expect"] not in ("valid", "invalid_status"):
                continue
            octets, bits = statuses(case["list"])
            if status_at(case["index"], octets, bits) != case.get("status"):
                raise GeneratorError(f"{case['id']}: another status than zlib and arithmetic find")


class ReferenceSuite(Suite):
    """A file of referenced tokens. Each case asks where the token's status is; no `uri` in a valid case: in no list."""

    kind, member, folder, codes = ListSuite.kind, "referenced_token", ListSuite.folder, ListSuite.codes
    after_signature = ListSuite.after_signature

    def ask(self, identifier, text, expect, why, reference=None, severity=None):
        """A case whose verdict is a code, or the place of the status as a pair of address and index, or None: there is none."""
        is_code = isinstance(expect, str)
        self.add(f"status-claim-{identifier}", text, expect if is_code else "valid", why, reference, severity)
        if not is_code and expect:
            self.cases[-1] |= {"uri": expect[0], "index": expect[1]}

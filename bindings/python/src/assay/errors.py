"""Exceptions. Each has a stable code of Assay; none holds a byte of a token."""

from enum import IntEnum
from typing import Optional

from . import _core

Code = IntEnum("Code", {name.upper(): number for number in range(1000) if (name := _core.code_name(number)) != "unknown"}, module=__name__)
Code.__doc__ = "The stable codes, with the numbers of `assay.h`."


class AssayError(Exception):
    """What all exceptions of this package have: `code`, a `Code`, and `name`, its stable name for logs and metrics."""

    def __init__(self, code: int, reason: str):
        self.args = (code, reason)
        self.code = Code(code)
        self.reason = reason

    @property
    def name(self) -> str:
        return _core.code_name(self.code)

    def __str__(self) -> str:
        return self.reason if self.reason.startswith(self.name) else f"{self.name}: {self.reason}"


class VerificationError(AssayError):
    """A token was refused.

    `reason` is a sentence for logs. `status` is the status of a reply, and `challenge` its `WWW-Authenticate` (RFC 6750 section 3), or None
    where the reply has none. `claim` is the registered claim that was missing, malformed or unequal, and `offset` the place in the token
    in bytes; None where there is none.
    """

    def __init__(self, code: int, reason: str, challenge: Optional[str] = None, claim: Optional[str] = None, offset: int = -1):
        super().__init__(code, reason)
        self.args = (code, reason, challenge, claim, offset)
        self.challenge = challenge
        self.claim = claim
        self.offset = None if offset < 0 else offset

    @property
    def status(self) -> int:
        return _core.http_status(self.code)

    @property
    def is_retryable(self) -> bool:
        """True for keys_unavailable alone: the token may be good."""
        return self.code == Code.KEYS_UNAVAILABLE


class KeysUnavailable(VerificationError):
    """There are no keys to judge the token with, or a fetch is under way that may bring its key. The status is 503."""


class DocumentError(AssayError, ValueError):
    """Keys that cannot be read, or an algorithm that is not known."""


class SettingsError(AssayError, ValueError):
    """Settings or revocations of a gateway that cannot be used. `reason` has a line for each fault."""

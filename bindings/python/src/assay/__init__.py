"""Verifies JSON Web Tokens, and keeps the keys of their issuers up to date. The engine is libassay."""

from . import _core
from .claims import Claims, Payload
from .errors import AssayError, Code, DocumentError, KeysUnavailable, SettingsError, VerificationError
from .gateway import Decision, Gateway
from .keys import Client, Keys, KeysState, RemoteKeys
from .verifier import Verifier

__version__ = "0.1.0"
library_version: str = _core.library_version
"""The version of libassay in this process."""

__all__ = [
    "AssayError",
    "Claims",
    "Client",
    "Code",
    "Decision",
    "DocumentError",
    "Gateway",
    "Keys",
    "KeysState",
    "KeysUnavailable",
    "Payload",
    "RemoteKeys",
    "SettingsError",
    "VerificationError",
    "Verifier",
    "library_version",
]

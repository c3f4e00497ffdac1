"""What a verification returns."""

from collections.abc import Mapping
from typing import Any, Dict, NamedTuple

from . import _core


class Claims(_core.Claims, Mapping):  # type: ignore[type-arg]
    """The claims of a verified token: an immutable mapping.

    A claim is decoded when it is asked for, each time anew, so a change to a list that it gave changes nothing here. `repr` shows no claim.
    """

    __slots__ = ()
    __hash__ = None  # type: ignore[assignment]  # as for dict

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Mapping):
            return NotImplemented
        return self.copy() == dict(other.items())


class Payload(NamedTuple):
    """The verified payload of a JWS that need not be claims."""

    header: Dict[str, Any]
    payload: bytes

    def __repr__(self) -> str:
        return f"<assay.Payload: {len(self.payload)} bytes>"

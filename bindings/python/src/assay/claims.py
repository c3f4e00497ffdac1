"""What a verification returns."""

from collections.abc import Mapping
from typing import NamedTuple

from . import _core


class Claims(_core.Claims, Mapping):
    """The claims of a verified token: an immutable mapping.

    A claim is decoded when it is asked for, each time anew, so a change to a list that it gave changes nothing here. `repr` shows no claim.
    """

    __slots__ = ()
    __hash__ = None  # as for dict

    def __eq__(self, other):
        if not isinstance(other, Mapping):
            return NotImplemented
        return dict(self.items()) == dict(other.items())


class Payload(NamedTuple):
    """The verified payload of a JWS that need not be claims."""

    header: dict
    payload: bytes

    def __repr__(self) -> str:
        return f"<assay.Payload: {len(self.payload)} bytes>"

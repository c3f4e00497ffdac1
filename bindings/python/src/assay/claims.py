"""What a verification returns."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Dict, NamedTuple

from . import _core


def _equals(self: Any, other: object) -> bool:
    if not isinstance(other, Mapping):
        return NotImplemented
    return self.copy() == dict(other.items())


if TYPE_CHECKING:

    class Claims(_core.Claims, Mapping[str, Any]):
        """The claims of a verified token: an immutable mapping."""

else:
    # A class of Python under a class of C would be one for the collector of garbage, which costs a tenth of the time of an HMAC.
    Claims = _core.Claims
    Claims.__eq__, Claims.__hash__, Claims.__reversed__ = _equals, None, None
    Claims.keys, Claims.items, Claims.values = Mapping.keys, Mapping.items, Mapping.values
    Mapping.register(Claims)


class Payload(NamedTuple):
    """The verified payload of a JWS that need not be claims."""

    header: Dict[str, Any]
    payload: bytes

    def __repr__(self) -> str:
        return f"<assay.Payload: {len(self.payload)} bytes>"

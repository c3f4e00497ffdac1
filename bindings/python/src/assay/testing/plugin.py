"""Fixtures for pytest, which finds them by itself where assay-jwt[testing] is installed."""

from typing import TYPE_CHECKING, Iterator

import pytest

if TYPE_CHECKING:
    from . import TestIssuer


@pytest.fixture
def assay_issuer() -> Iterator["TestIssuer"]:
    """A TestIssuer, which answers at http on this machine until the test ends."""
    from . import TestIssuer

    with TestIssuer() as issuer:
        yield issuer

"""Fixtures for pytest, which finds them by itself where assay-jwt[testing] is installed."""

import pytest


@pytest.fixture
def assay_issuer():
    """A TestIssuer, which answers at http on this machine until the test ends."""
    from . import TestIssuer

    with TestIssuer() as issuer:
        yield issuer

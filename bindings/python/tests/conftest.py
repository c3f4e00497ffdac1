"""Fixtures. Where the package is not installed, the plugin of assay.testing is loaded here."""

import importlib.metadata

import pytest

import assay
from assay.testing import TestIssuer

NOW = 1_700_000_000

try:
    importlib.metadata.version("assay-jwt")
except importlib.metadata.PackageNotFoundError:
    from assay.testing.plugin import assay_issuer  # noqa: F401


@pytest.fixture(scope="session")
def issuer():
    """An issuer at a time that stands still."""
    return TestIssuer(clock=lambda: NOW)


@pytest.fixture(scope="session")
def verifier(issuer):
    return assay.Verifier(issuer.identifier, "client-1", issuer.keys, clock=lambda: NOW)

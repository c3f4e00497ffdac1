"""Keys, tokens and issuers for tests of a program of one's own: `pip install assay-jwt[testing]`.

The keys and tokens are real: a verifier judges them as those of any issuer. Never trust an issuer of this module outside a test.
"""

from .issuer import TestIssuer
from .keys import SigningKey

__all__ = ["SigningKey", "TestIssuer"]

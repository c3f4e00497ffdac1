"""The parts of the vector generator: keys, signatures, tokens, and one module of suites per subject."""

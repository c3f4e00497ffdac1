"""Other libraries' functions on Assay, for programs that move to it step by step."""

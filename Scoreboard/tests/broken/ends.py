"""Ends without an answer and without having read the question."""

"""Decisions from scores: may a system replace another, is a test set large enough, what carries it.

The fixture ``mteval_gate`` of pytest is in `mteval_decide.fixture`.
"""

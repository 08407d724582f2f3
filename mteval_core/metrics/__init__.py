"""Metrics: their contract, rows and formulas, and the scorer that a spec resolves to."""

"""Explanations of segment scores, as data."""

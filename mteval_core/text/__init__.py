"""Texts: reading, normalizing, tokenizing, and the ids that metrics count."""

"""Data: test sets with their systems, judgments and outside scores, and how they are read."""

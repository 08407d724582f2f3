"""Interfaces of other programs, for code that was written for them."""

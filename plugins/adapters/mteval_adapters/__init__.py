"""Interfaces of other programs, for code that was written for them."""

mteval_api = 1

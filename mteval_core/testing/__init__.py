"""The fixture ``mteval_gate``."""

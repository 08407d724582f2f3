"""The version and the API level of the host, where every module can import them."""

__version__ = "0.1.0"

API = 1
"""Level of the interface to plugins. It rises when plugins that were written for it would break."""

"""The version of the host, where every module can import it without the package root."""

__version__ = "0.1.0"

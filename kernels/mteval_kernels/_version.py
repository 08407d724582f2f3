"""The version of the kernels, which their compiled form is stamped with."""

__version__ = "0.1.0"

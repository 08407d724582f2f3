"""mteval: a plugin framework for evaluating machine translation."""

from __future__ import annotations

__version__ = "0.1.0"

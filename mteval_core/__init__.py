"""mteval: a plugin framework for evaluating machine translation.

.. code-block:: python

    import mteval_core as mt

    bleu = mt.metric("bleu:smooth=exp")
    bleu.corpus_score(hypotheses, [references])         # one list per reference stream
    mt.evaluate({"A": hypotheses}, [references], ["bleu", "nist"])

Names are imported when they are first used, so that this import costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from mteval_core._version import API as API
from mteval_core._version import __version__ as __version__

_STUB = __spec__.loader.get_data(f"{__file__}i").decode()
_HOME = {name: module for _, module, _, name, *_ in map(str.split, _STUB.splitlines())}
"""The module of each public name, as the stub of this file lists them for type checkers."""
del _HOME["API"], _HOME["__version__"]  # which are here already

__all__ = sorted(_HOME)  # pyright: ignore[reportUnsupportedDunderAll]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_HOME[name]), name)
    return value


def __dir__() -> list[str]:
    return [*__all__, "API", "__version__"]

"""The kinds of declarations, one line each.

Hooks, commands, messages, checks and documentation read this table; no other list names the kinds.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from mteval_core.plugin.declarations import (
    CheckSpec,
    CommandSpec,
    DatasetSpec,
    Declaration,
    EngineSpec,
    FormatSpec,
    MetricSpec,
    NormalizerSpec,
    ReaderSpec,
    ResamplerSpec,
    TokenizerSpec,
)


class Kind(NamedTuple):
    """One kind of declaration.

    Parameters
    ----------
    plural, singular : str
        Its names, such as that of ``mteval list PLURAL``.
    declaration : type of Declaration
        The class that its hook returns.
    summary : str
        What a declaration of this kind adds, with its article.
    """

    plural: str
    singular: str
    declaration: type[Declaration]
    summary: str

    @property
    def hook(self) -> str:
        """Name of the hook that registers declarations of this kind."""
        return f"mteval_register_{self.plural}"


_TABLE = (
    Kind("metrics", "metric", MetricSpec, "a metric"),
    Kind("tokenizers", "tokenizer", TokenizerSpec, "a tokenizer"),
    Kind("normalizers", "normalizer", NormalizerSpec, "a normalizer"),
    Kind("formats", "format", FormatSpec, "an output format"),
    Kind("readers", "reader", ReaderSpec, "an input format for texts"),
    Kind("datasets", "dataset", DatasetSpec, "an input format for data sets"),
    Kind("resamplers", "resampler", ResamplerSpec, "a way to draw resamples"),
    Kind("engines", "engine", EngineSpec, "a way to use many machines"),
    Kind("commands", "command", CommandSpec, "a command"),
    Kind("checks", "check", CheckSpec, "a check of texts"),
)

KINDS: Mapping[str, Kind] = MappingProxyType({kind.plural: kind for kind in _TABLE})
"""All kinds by their plural, in the order in which they are listed."""


def kind_of(declaration: type[Declaration]) -> Kind:
    """Return the kind of a class of declarations.

    Raises
    ------
    TypeError
        If no kind has this class or a base of it.
    """
    for kind in KINDS.values():
        if isinstance(declaration, type) and issubclass(declaration, kind.declaration):
            return kind
    known = ", ".join(kind.declaration.__name__ for kind in KINDS.values())
    message = (
        f"{declaration!r} is not a kind of declaration; expected one of these classes: {known}"
    )
    raise TypeError(message)

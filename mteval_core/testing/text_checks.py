"""The checks of tokenizers and normalizers."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from mteval_core.errors import PluginError
from mteval_core.plugin.declarations import NormalizerSpec, TokenizerSpec, load
from mteval_core.plugin.loading import default_registry
from mteval_core.testing.corpora import CORPUS, EDGE_CASES
from mteval_core.testing.findings import Finding, expect, finding
from mteval_core.text.pipeline import Pipeline, Tokenization, apply
from mteval_core.text.text import as_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from mteval_core.plugin.registry import Registry

__all__ = ["NORMALIZER_CHECKS", "TOKENIZER_CHECKS", "check_normalizer", "check_tokenizer"]

SEGMENTS = [
    *CORPUS.hypotheses,
    *(text for sample in EDGE_CASES.values() for text in sample.hypotheses),
]
"""Texts that the checks run on."""


def outcome(function: Callable[[], Any]) -> Any:
    """Give the result, or the error that came instead."""
    try:
        return function()
    except Exception as error:  # noqa: BLE001 - a plugin may fail in any way
        return error


def cut(tokenizer: TokenizerSpec, text: str) -> Any:
    """Tokenize one text."""
    return outcome(lambda: load(tokenizer.function)(text))


def are_tokens(result: Any) -> bool:
    """Tell whether a result is a list of strings, none of them empty."""
    return isinstance(result, list) and all(isinstance(t, str) and t for t in result)


def gives_tokens(tokenizer: TokenizerSpec) -> None:
    """A text becomes a list of strings, none empty: else one odd line would stop everything."""
    for text in SEGMENTS:
        tokens = cut(tokenizer, text)
        expect(
            are_tokens(tokens),
            f"{text!r} gives {tokens!r}, which is no list of strings that are not empty",
        )


def repeats_itself(tokenizer: TokenizerSpec) -> None:
    """A text has the same tokens each time: else no published score could be checked."""
    for text in SEGMENTS:
        tokens = cut(tokenizer, text)
        if are_tokens(tokens):
            expect(tokens == cut(tokenizer, text), f"{text!r} gives two different results")


def batch_agrees(tokenizer: TokenizerSpec) -> None:
    """A whole text is cut as its segments are: else files would score other than sentences."""
    if tokenizer.batch is None:
        return
    texts = [text for text in SEGMENTS if are_tokens(cut(tokenizer, text))]
    pipelines = [Pipeline((), spec, ()) for spec in (tokenizer, replace(tokenizer, batch=None))]
    batch, single = Tokenization().tokenize(as_text(texts, "segments"), pipelines).values()
    for i, text in enumerate(texts):
        one, other = (side.ids[side.starts[i] : side.ends[i]] for side in (batch, single))
        expect(np.array_equal(one, other), f"{text!r} gives other tokens in a batch")


TOKENIZER_CHECKS = (batch_agrees, gives_tokens, repeats_itself)


def strings_of(normalizer: NormalizerSpec) -> list[str]:
    """Texts, or tokens, whatever the normalizer takes."""
    return SEGMENTS if normalizer.stage == "text" else " ".join(SEGMENTS).split()


def alone(normalizer: NormalizerSpec, string: str) -> Any:
    """Normalize one string."""
    one, several = normalizer.function, normalizer.batch
    if one is not None:
        return outcome(lambda: load(one)(string))
    return outcome(lambda: load(several or "")([string])[0])


def normalized(normalizer: NormalizerSpec) -> dict[str, str]:
    """Give the strings that can be normalized, each with what it becomes."""
    results = {string: alone(normalizer, string) for string in strings_of(normalizer)}
    return {string: result for string, result in results.items() if isinstance(result, str)}


def gives_strings(normalizer: NormalizerSpec) -> None:
    """A string becomes one string: else one odd line would stop everything."""
    for string in strings_of(normalizer):
        result = alone(normalizer, string)
        expect(isinstance(result, str), f"{string!r} gives {result!r}, which is no string")


def company_does_not_matter(normalizer: NormalizerSpec) -> None:
    """A string becomes the same in any batch: else segments would score by their neighbours."""
    single = normalized(normalizer)
    same = not single or apply(normalizer, [*single]) == [*single.values()]
    expect(same, "in a batch there are other strings")


def lines_are_independent(normalizer: NormalizerSpec) -> None:
    """Joined lines become what each becomes, where that is declared: else lines would mingle."""
    if normalizer.across_lines:
        single = normalized(normalizer)
        (together,) = apply(normalizer, ["\n".join(single)])
        expect(together.split("\n") == [*single.values()], "joined lines become other lines")


NORMALIZER_CHECKS = (company_does_not_matter, gives_strings, lines_are_independent)


def check_tokenizer(name: str, *, registry: Registry | None = None) -> list[Finding]:
    """Run all checks on a tokenizer.

    Parameters
    ----------
    name : str
        The tokenizer.
    registry : Registry, optional
        Where to look for it; all that is installed, unless given.

    Returns
    -------
    list of Finding
        One for each check.

    Raises
    ------
    PluginError
        If the tokenizer says that what it needs is not installed.
    """
    found = default_registry() if registry is None else registry
    tokenizer = found.find("tokenizers", name).declaration
    lacks_nothing(cut(tokenizer, SEGMENTS[0]))
    return [finding(check, tokenizer) for check in TOKENIZER_CHECKS]


def check_normalizer(key: str, name: str, *, registry: Registry | None = None) -> list[Finding]:
    """Run all checks on a normalizer.

    Parameters
    ----------
    key, name : str
        Signature key and value of the normalizer.
    registry : Registry, optional
        Where to look for it; all that is installed, unless given.

    Returns
    -------
    list of Finding
        One for each check; none for the value that changes nothing.

    Raises
    ------
    PluginError
        If the normalizer says that what it needs is not installed.
    """
    found = default_registry() if registry is None else registry
    entry = found.normalizer(key, name)
    if entry is None:
        return []
    normalizer = entry.declaration
    lacks_nothing(alone(normalizer, strings_of(normalizer)[0]))
    return [finding(check, normalizer) for check in NORMALIZER_CHECKS]


def lacks_nothing(result: Any) -> None:
    """Raise an error by which a plugin says that something is not installed."""
    if isinstance(result, PluginError):
        raise result

"""Warnings about texts that can be scored, but probably not as they are.

Only the beginning of a text is looked at where this is enough: the warnings must cost little.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from mteval_core.errors import warn
from mteval_core.text.findings import (
    TOKENIZED,
    first_lines,
    has_marks,
    normal_form,
    tokenized_share,
    unspaced_script,
    whole_share,
)
from mteval_core.text.pipeline import Tokenization
from mteval_core.text.text import as_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from mteval_core.metrics.scorer import Scorer
    from mteval_core.text.text import TestSet, Text

__all__ = ["warn_of_inputs"]

MANY = 0.1
"""Share of empty lines from which a reference stream is reported."""

FEWEST = 10
"""Number of segments from which equal texts are no coincidence."""

N_TOKENIZED = 100
"""Number of lines that end in a space and a full stop from which sacreBLEU warns."""

LANGUAGES = {"Han": "zh", "Kana": "ja", "Thai": "th", "Lao": "lo", "Khmer": "km", "Myanmar": "my"}
"""Languages of scripts without spaces, for ``--lang``."""

SEGMENTS = 100
"""Number of segments that are tokenized to see whether a tokenizer cuts a script."""


def warn_of_inputs(
    systems: Mapping[str, Text], test_set: TestSet, scorers: Sequence[Scorer]
) -> None:
    """Warn of everything that is probably wrong with the texts of an evaluation."""
    warn_of_same_files(systems, test_set)
    if not test_set.references:
        return
    warn_of_empty(test_set)
    warn_of_normal_forms(systems, test_set)
    warn_of_script(first_lines(test_set.references[0]), scorers)
    warn_of_tokenized(systems, test_set.references[0], scorers)
    warn_of_breaks([*systems.values(), *test_set.references], scorers)


def warn_of_empty(test_set: TestSet) -> None:
    """Warn of references that are all empty, and of streams of which many are."""
    empty = [stream.empty for stream in test_set.references]
    if np.all(empty):
        warn("empty-references", "all references are empty: the scores mean nothing")
        return
    several = len(test_set.references) > 1
    advice = "type --empty-refs missing, or pass None in Python" if several else "leave them out"
    for k, (stream, lines) in enumerate(zip(test_set.references, empty, strict=True)):
        n = int(lines.sum())
        if n >= MANY * len(stream) and n:
            message = (
                f"{stream.path or f'reference stream {k}'}: {n} of {len(stream)} references are "
                f"empty, and count as empty translations. If they are missing, {advice}"
            )
            warn("many-empty-references", message)


def warn_of_same_files(systems: Mapping[str, Text], test_set: TestSet) -> None:
    """Warn of a file that is both a system and a reference, or two systems."""
    files = {n: text for n, text in systems.items() if text.path and len(text) >= FEWEST}
    for name, text in files.items():
        for reference in test_set.references:
            if reference.path and same(text, reference):
                message = (
                    f"system {name}: {text.path} and the reference {reference.path} are identical; "
                    f"pass the output of the system after -i"
                )
                warn("identical-reference", message)
    for (name, text), (other, its) in combinations(files.items(), 2):
        if same(text, its):
            message = (
                f"systems {name} and {other}: {text.path} and {its.path} are identical; leave one "
                f"out, or pass the right file"
            )
            warn("identical-systems", message)


def same(text: Text, other: Text) -> bool:
    """Whether two texts are identical."""
    return len(text.buffer) == len(other.buffer) and text.buffer == other.buffer


def warn_of_normal_forms(systems: Mapping[str, Text], test_set: TestSet) -> None:
    """Warn of characters that one side composes and the other does not: they never match."""
    reference = test_set.references[0]
    if not any(map(has_marks, [reference, *systems.values()])):
        return
    form = normal_form(first_lines(reference))
    for name, text in systems.items():
        own = normal_form(first_lines(text))
        if own and form and own != form:
            message = (
                f"system {name} is in the normal form {own}, and the references are in {form}, so "
                f"that equal letters do not match; convert one side, for instance with uconv -x "
                f"any-nfc"
            )
            warn("normal-forms", message)


def warn_of_script(references: Sequence[str], scorers: Sequence[Scorer]) -> None:
    """Warn of a script without spaces if a tokenizer leaves most of its runs whole."""
    script = unspaced_script(references)
    if script is None:
        return
    text = as_text(references[:SEGMENTS], "the references")
    tokenization = Tokenization()
    for scorer in scorers:
        if "tok" not in scorer.fields:
            continue
        tokenizing = [p for p in scorer.pipelines.values() if p.tokenizer is not None]
        for tokens in tokenization.tokenize(text, tokenizing).values():
            words = tokenization.vocabulary.tokens(tokens.ids)
            if whole_share(references[:SEGMENTS], words) > 0.5:
                message = (
                    f"{scorer.spec}: the references are in {script} script, without spaces, and "
                    f"{'+'.join(scorer.fields['tok'])} does not cut it into words; type --lang "
                    f"{LANGUAGES[script]}, or --tok char"
                )
                warn("unspaced-script", message)
                return


def warn_of_tokenized(
    systems: Mapping[str, Text], references: Text, scorers: Sequence[Scorer]
) -> None:
    """Warn of a system that looks tokenized where the references do not, or the other way round.

    A metric that tokenizes gives nearly the same score if both sides are tokenized.
    """
    if all(scorer.fields.get("tok", ("none",)) == ("none",) for scorer in scorers):
        return
    expected = tokenized_share(first_lines(references))
    for name, text in systems.items():
        share = tokenized_share(first_lines(text))
        low, high = sorted((share, expected))
        looked_at = text if share > expected else references
        if high >= TOKENIZED > 2 * low and looked_at.buffer.count(b" .\n") >= N_TOKENIZED:
            message = (
                f"system {name}: {share:.0%} of its lines end in ' .', as in tokenized text, and "
                f"{expected:.0%} of those of the references; pass text before tokenization"
            )
            warn("tokenized-text", message)
            return


def warn_of_breaks(texts: Sequence[Text], scorers: Sequence[Scorer]) -> None:
    """Warn of a metric that compares sentences if no text separates them."""
    for scorer in scorers:
        reads_sentences = any(pipeline.sent == "tab" for pipeline in scorer.pipelines.values())
        if reads_sentences and not any(b"\t" in text.buffer for text in texts):
            message = (
                f"{scorer.spec}: tabs separate sentences, and no segment has one, so "
                f"that each counts as one sentence; put tabs between the sentences"
            )
            warn("one-sentence", message)
            return

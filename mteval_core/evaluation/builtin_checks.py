"""The host's checks of texts."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from mteval_core.text.findings import (
    TOKENIZED,
    has_marks,
    n_tokenized,
    normal_form,
    tokenized_share,
    unspaced_script,
    whole_share,
)
from mteval_core.text.pipeline import Tokenization
from mteval_core.text.text import as_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mteval_core.evaluation.checks import CheckedTexts
    from mteval_core.text.summary import TextSummary

__all__ = [
    "empty_references",
    "identical_references",
    "identical_systems",
    "many_empty_references",
    "normal_forms",
    "one_sentence",
    "tokenized_text",
    "unspaced_text",
]

MANY = 0.1
"""Share of empty lines from which a reference stream is reported."""

FEWEST = 10
"""Number of segments from which equal texts are no coincidence."""

N_TOKENIZED = 100
"""Number of lines that end in a space and a full stop from which sacreBLEU warns."""

LANGUAGES = {"Han": "zh", "Kana": "ja", "Thai": "th", "Lao": "lo", "Khmer": "km", "Myanmar": "my"}
"""Languages of scripts without spaces, for ``--lang``."""

SEGMENTS = 100
"""Number of segments that show the script of a text, and whether a tokenizer cuts it."""


def empty_references(texts: CheckedTexts) -> Iterator[str]:
    """Find references that are all empty."""
    if texts.references and are_empty(texts):
        yield "all references are empty: the scores mean nothing"


def are_empty(texts: CheckedTexts) -> bool:
    """Tell whether all references are empty."""
    return all(stream.n_empty == stream.n_segments for stream in texts.references)


def many_empty_references(texts: CheckedTexts) -> Iterator[str]:
    """Find reference streams of which a tenth or more is empty."""
    if are_empty(texts):
        return
    several = len(texts.references) > 1
    advice = "type --empty-refs missing, or pass None in Python" if several else "leave them out"
    for k, stream in enumerate(texts.references):
        if stream.n_empty >= MANY * stream.n_segments and stream.n_empty:
            yield (
                f"{stream.path or f'reference stream {k}'}: {stream.n_empty} of "
                f"{stream.n_segments} references are empty, and count as empty translations. If "
                f"they are missing, {advice}"
            )


def identical_references(texts: CheckedTexts) -> Iterator[str]:
    """Find files that are both a system and a reference."""
    for name, text in files(texts).items():
        for reference in texts.references:
            if reference.path and are_same(text, reference):
                yield (
                    f"system {name}: {text.path} and the reference {reference.path} are identical; "
                    f"pass the output of the system after -i"
                )


def identical_systems(texts: CheckedTexts) -> Iterator[str]:
    """Find files of two systems that are identical."""
    for (name, text), (other, its) in combinations(files(texts).items(), 2):
        if are_same(text, its):
            yield (
                f"systems {name} and {other}: {text.path} and {its.path} are identical; leave one "
                f"out, or pass the right file"
            )


def files(texts: CheckedTexts) -> dict[str, TextSummary]:
    """Return the outputs that are files of some length."""
    return {n: text for n, text in texts.systems.items() if text.path and text.n_segments >= FEWEST}


def are_same(text: TextSummary, other: TextSummary) -> bool:
    """Tell whether two texts are identical."""
    return text.n_bytes == other.n_bytes and text.digest == other.digest


def normal_forms(texts: CheckedTexts) -> Iterator[str]:
    """Find characters that one side composes and the other does not: they never match."""
    if not texts.references:
        return
    reference, *outputs = map(sample_lines, (texts.references[0], *texts.systems.values()))
    if not any(map(has_marks, (reference, *outputs))):
        return
    form = normal_form(reference)
    for name, output in zip(texts.systems, outputs, strict=True):
        own = normal_form(output)
        if own and form and own != form:
            yield (
                f"system {name} is in the normal form {own}, and the references are in {form}, so "
                f"that equal letters do not match; convert one side, for instance with uconv -x "
                f"any-nfc"
            )


def sample_lines(text: TextSummary) -> list[str]:
    """Return the sample of a text without empty segments."""
    return [segment for segment in text.sample.values() if segment.strip()]


def unspaced_text(texts: CheckedTexts) -> Iterator[str]:
    """Find a script without spaces of which a tokenizer leaves most runs whole."""
    references = sample_lines(texts.references[0])[:SEGMENTS] if texts.references else []
    script = unspaced_script(references)
    if script is None:
        return
    text = as_text(references, "the references")
    tokenization = Tokenization()
    for scorer in texts.metrics:
        setup = scorer.setup
        if "tok" not in setup.fields:
            continue
        tokenizing = [p for p in setup.pipelines.values() if p.tokenizer is not None]
        for tokens in tokenization.tokenize(text, tokenizing).values():
            words = tokenization.vocabulary.tokens(tokens.ids)
            if whole_share(references, words) > 0.5:
                yield (
                    f"{scorer.spec}: the references are in {script} script, without spaces, and "
                    f"{'+'.join(setup.fields['tok'])} does not cut it into words; type --lang "
                    f"{LANGUAGES[script]}, or --tok char"
                )
                return


def tokenized_text(texts: CheckedTexts) -> Iterator[str]:
    """Find a system that looks tokenized where the references do not, or the other way round.

    A metric that tokenizes gives nearly the same score if both sides are tokenized.
    """
    tokenizes = any(
        scorer.setup.fields.get("tok", ("none",)) != ("none",) for scorer in texts.metrics
    )
    if not (tokenizes and texts.references):
        return
    references = sample_lines(texts.references[0])
    expected = tokenized_share(references)
    for name, text in texts.systems.items():
        output = sample_lines(text)
        share = tokenized_share(output)
        low, high = sorted((share, expected))
        tokenized = output if share > expected else references
        if high >= TOKENIZED > 2 * low and n_tokenized(tokenized) >= N_TOKENIZED:
            yield (
                f"system {name}: {share:.0%} of its lines end in ' .', as in tokenized text, and "
                f"{expected:.0%} of those of the references; pass text before tokenization"
            )
            return


def one_sentence(texts: CheckedTexts) -> Iterator[str]:
    """Find a metric that compares sentences if no text separates them."""
    samples = [text.sample.values() for text in (*texts.systems.values(), *texts.references)]
    for scorer in texts.metrics:
        reads_sentences = any(p.sent == "tab" for p in scorer.setup.pipelines.values())
        if reads_sentences and not any("\t" in segment for text in samples for segment in text):
            yield (
                f"{scorer.spec}: tabs separate sentences, and no segment has one, so "
                f"that each counts as one sentence; put tabs between the sentences"
            )
            return

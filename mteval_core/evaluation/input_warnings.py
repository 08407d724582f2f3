"""Warnings about texts that can be scored, but probably not as they are.

Only the beginning of a text is looked at where this is enough: the warnings must cost little.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, TypeAlias

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
    from mteval_core.text.summary import TextSummary

    Systems: TypeAlias = Mapping[str, TextSummary]
    References: TypeAlias = Sequence[TextSummary]

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


def warn_of_inputs(systems: Systems, references: References, scorers: Sequence[Scorer]) -> None:
    """Warn of everything that is probably wrong with the texts of an evaluation.

    Parameters
    ----------
    systems : mapping of str to TextSummary
        What is known of the output of each system.
    references : sequence of TextSummary
        What is known of each reference stream.
    scorers : sequence of Scorer
        The metrics.

    Warns
    -----
    MtevalWarning
        See `mteval_core.errors.WARNINGS`.
    """
    warn_of_same_files(systems, references)
    if not references:
        return
    warn_of_empty(references)
    warn_of_normal_forms(systems, references[0])
    warn_of_script(first_lines(references[0].beginning), scorers)
    warn_of_tokenized(systems, references[0], scorers)
    warn_of_breaks([*systems.values(), *references], scorers)


def warn_of_empty(references: References) -> None:
    """Warn of references that are all empty, and of streams of which many are."""
    if all(stream.n_empty == stream.n_segments for stream in references):
        warn("empty-references", "all references are empty: the scores mean nothing")
        return
    several = len(references) > 1
    advice = "type --empty-refs missing, or pass None in Python" if several else "leave them out"
    for k, stream in enumerate(references):
        if stream.n_empty >= MANY * stream.n_segments and stream.n_empty:
            message = (
                f"{stream.path or f'reference stream {k}'}: {stream.n_empty} of "
                f"{stream.n_segments} references are empty, and count as empty translations. If "
                f"they are missing, {advice}"
            )
            warn("many-empty-references", message)


def warn_of_same_files(systems: Systems, references: References) -> None:
    """Warn of a file that is both a system and a reference, or two systems."""
    files = {n: text for n, text in systems.items() if text.path and text.n_segments >= FEWEST}
    for name, text in files.items():
        for reference in references:
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


def same(text: TextSummary, other: TextSummary) -> bool:
    """Whether two texts are identical."""
    return text.n_bytes == other.n_bytes and text.digest == other.digest


def warn_of_normal_forms(systems: Systems, reference: TextSummary) -> None:
    """Warn of characters that one side composes and the other does not: they never match."""
    if not any(has_marks(text.beginning) for text in (reference, *systems.values())):
        return
    form = normal_form(first_lines(reference.beginning))
    for name, text in systems.items():
        own = normal_form(first_lines(text.beginning))
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


def warn_of_tokenized(systems: Systems, references: TextSummary, scorers: Sequence[Scorer]) -> None:
    """Warn of a system that looks tokenized where the references do not, or the other way round.

    A metric that tokenizes gives nearly the same score if both sides are tokenized.
    """
    if all(scorer.fields.get("tok", ("none",)) == ("none",) for scorer in scorers):
        return
    expected = tokenized_share(first_lines(references.beginning))
    for name, text in systems.items():
        share = tokenized_share(first_lines(text.beginning))
        low, high = sorted((share, expected))
        looked_at = text if share > expected else references
        if high >= TOKENIZED > 2 * low and looked_at.n_tokenized >= N_TOKENIZED:
            message = (
                f"system {name}: {share:.0%} of its lines end in ' .', as in tokenized text, and "
                f"{expected:.0%} of those of the references; pass text before tokenization"
            )
            warn("tokenized-text", message)
            return


def warn_of_breaks(texts: Sequence[TextSummary], scorers: Sequence[Scorer]) -> None:
    """Warn of a metric that compares sentences if no text separates them."""
    for scorer in scorers:
        reads_sentences = any(pipeline.sent == "tab" for pipeline in scorer.pipelines.values())
        if reads_sentences and not any(text.has_tab for text in texts):
            message = (
                f"{scorer.spec}: tabs separate sentences, and no segment has one, so "
                f"that each counts as one sentence; put tabs between the sentences"
            )
            warn("one-sentence", message)
            return

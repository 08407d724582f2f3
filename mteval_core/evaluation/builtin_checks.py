"""The host's checks of texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mteval_core.metrics.outside import outside_metric

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mteval_core.evaluation.checks import CheckedTexts
    from mteval_core.text.digest import TextDigest
    from mteval_core.text.summary import TextSummary

__all__ = [
    "empty_references",
    "identical_references",
    "identical_systems",
    "many_empty_references",
    "one_sentence",
    "only_in_scores",
]

MANY = 0.1
"""Share of empty lines from which a reference stream is reported."""

FEWEST = 10
"""Number of segments from which equal texts are no coincidence."""


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
    """Find files of systems that are identical to that of an earlier system."""
    of_size: dict[int, list[str]] = {}
    given = files(texts)
    for name, text in given.items():
        of_size.setdefault(text.n_bytes, []).append(name)
    for names in of_size.values():
        firsts: dict[TextDigest, str] = {}
        for name in names if len(names) > 1 else ():
            first = firsts.setdefault(given[name].digest, name)
            if first != name:
                yield (
                    f"systems {first} and {name}: {given[first].path} and {given[name].path} are "
                    f"identical; leave one out, or pass the right file"
                )


def files(texts: CheckedTexts) -> dict[str, TextSummary]:
    """Return the outputs that are files of some length."""
    return {n: text for n, text in texts.systems.items() if text.path and text.n_segments >= FEWEST}


def are_same(text: TextSummary, other: TextSummary) -> bool:
    """Tell whether two texts are identical."""
    return text.n_bytes == other.n_bytes and text.digest == other.digest


def only_in_scores(texts: CheckedTexts) -> Iterator[str]:
    """Find scores of other programs for systems whose outputs are not given."""
    for scorer in texts.metrics:
        metric = outside_metric(scorer)
        others = metric.given.values.keys() - texts.systems.keys() if metric else ()
        if metric and others:
            yield (
                f"{metric.where} also has scores of {', '.join(sorted(others))}, which are left "
                f"out; pass the output of each system after -i"
            )


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

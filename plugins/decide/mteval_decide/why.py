"""Changes of an output: parts of the scores, lengths, numbers, names, damage, and lost segments."""

from __future__ import annotations

import re
from collections import Counter
from functools import partial, reduce
from operator import and_
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from mteval_core import CheckedTexts, TextSummary, totals_under
from mteval_decide.losses import Loss, largest_losses, on_both

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from mteval_core import Evaluation, Registry, TestSet, Text

__all__ = ["Changes", "Figure", "Finding", "changes"]

MOST = 20
"""Number of the segments that lost most."""

NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
"""A number, a time or a date."""

NAME = re.compile(r"(?<=[\w,;] )(?!\d)\w[\w'’-]+")
"""A word that does not begin a sentence; one with a capital is taken for a name."""


class Figure(NamedTuple):
    """A number before and now.

    Parameters
    ----------
    metric : str
        The spec of the metric that it is a value of; empty for a figure of the texts.
    name : str
        Name of the value of the metric, or what was counted.
    before, after : float
        The number of the base and of the new output.
    unit : {"score", "count", "percent"}
        What it is.
    """

    metric: str
    name: str
    before: float
    after: float
    unit: Literal["score", "count", "percent"]


class Finding(NamedTuple):
    """Damage that a check finds in one of two outputs.

    Parameters
    ----------
    code, message : str
        What the check says.
    where : {"now", "base"}
        The output that is damaged.
    """

    code: str
    message: str
    where: Literal["now", "base"]


class Changes(NamedTuple):
    """What changed between an output of a base and a new one.

    Parameters
    ----------
    system, baseline, metric : str
        The new output, that of the base, and the spec of the metric that ranks the segments.
    figures : list of Figure
        All metrics with their values, then the texts.
    findings : list of Finding
        Damage of one output that the other does not have.
    n_changed : int
        Number of segments whose outputs differ.
    n_lost : int
        Number of segments without which the score would have lost less.
    lost : list of Loss
        Those that lost most, at most 20.
    without : float
        The change of the score without these segments; NaN if there would be none left.
    """

    system: str
    baseline: str
    metric: str
    figures: list[Figure]
    findings: list[Finding]
    n_changed: int
    n_lost: int
    lost: list[Loss]
    without: float


def changes(
    evaluation: Evaluation, pair: tuple[str, str], spec: str, registry: Registry
) -> Changes:
    """Find what changed.

    Parameters
    ----------
    evaluation : Evaluation
        Both outputs under metrics, with their rows. Of several runs, the texts of the first are
        compared.
    pair : (str, str)
        The new output, and that of the base.
    spec : str
        The metric that ranks the segments.
    registry : Registry
        The checks of texts.
    """
    test_set, texts = evaluation.scores.corpus
    new, old = (texts[evaluation.scores.runs[name][0]] for name in pair)
    lost = largest_losses(evaluation, pair, spec)
    return Changes(
        *pair,
        spec,
        figures=[*_of_scores(evaluation, pair), *_of_texts(old, new, test_set)],
        findings=_findings(evaluation, (old, new), pair[0], registry),
        n_changed=sum(a != b for a, b in zip(old, new, strict=True)),
        n_lost=len(lost),
        lost=lost[:MOST],
        without=_change_without(evaluation, pair, spec, [one.segment for one in lost[:MOST]]),
    )


def _of_scores(evaluation: Evaluation, pair: tuple[str, str]) -> Iterator[Figure]:
    """All values of all metrics; the score of each first."""
    for spec, scorer in evaluation.scorers.items():
        after, before = (evaluation.score(name, spec).values for name in pair)
        for name in sorted(before, key=lambda one: one != scorer.main):
            yield Figure(spec, name, before[name], after[name], unit="score")


def _change_without(
    evaluation: Evaluation, pair: tuple[str, str], spec: str, segments: Sequence[int]
) -> float:
    """Compute the difference of the scores without some segments."""
    scores = on_both(evaluation, pair, spec).scores
    kept = np.ones((1, len(scores.test_set)))
    kept[0, list(segments)] = 0
    if not kept.any():
        return float("nan")
    rows = {key: each for key, each in scores.rows.items() if key[1] == spec}
    means = scores.mean_scores(totals_under(rows)(kept), spec)
    return float(means[pair[0]][0] - means[pair[1]][0])


# Texts


def _of_texts(old: Text, new: Text, test_set: TestSet) -> Iterator[Figure]:
    """Count what both texts have."""
    references = [*zip(*test_set.references, strict=True)] or [()] * len(new)
    sources = test_set.source or [None] * len(new)
    segments = [*zip(references, sources, strict=True)]

    def figure(name: str, count: Callable[[str, Segment], int]) -> Figure:
        before, after = (
            sum(count(line or "", Segment(*one)) for line, one in zip(text, segments, strict=True))
            for text in (old, new)
        )
        return Figure("", name, before, after, unit="count")

    yield figure("characters", lambda line, _: len(line))
    yield figure("empty lines", lambda line, _: not line.strip())
    if test_set.references:
        yield figure("lines under half of their references", lambda line, one: one.is_cut(line))
        for what, find in (("numbers", numbers), ("names", names)):
            n = sum(Segment(*one).agreed(find).total() for one in segments)
            kept = figure(f"{what} of the references", partial(n_kept, find))
            if n:
                before, after = 100 * kept.before / n, 100 * kept.after / n
                yield kept._replace(before=before, after=after, unit="percent")
    if test_set.source:
        yield figure("lines copied from the source", lambda line, one: one.is_copied(line))


class Segment(NamedTuple):
    """What an output is compared with: the references of a segment, and its source."""

    references: Sequence[str | None]
    source: str | None

    def agreed(self, find: Callable[[str], Counter[str]]) -> Counter[str]:
        """Words of a kind that all references have."""
        return reduce(and_, (find(one) for one in self.references if one is not None))

    def is_cut(self, line: str) -> bool:
        """Whether a line has less than half of the characters of the shortest reference."""
        lengths = [len(one) for one in self.references if one is not None]
        return bool(line.strip()) and 2 * len(line) < min(lengths)

    def is_copied(self, line: str) -> bool:
        """Whether a line is the source, and no reference is."""
        return bool(line.strip()) and line == self.source and line not in self.references


def numbers(line: str) -> Counter[str]:
    """Count the numbers of a line."""
    return Counter(NUMBER.findall(line))


def names(line: str) -> Counter[str]:
    """Count the words with a capital that do not begin a sentence."""
    return Counter(word for word in NAME.findall(line) if word[0].isupper())


def n_kept(find: Callable[[str], Counter[str]], line: str, segment: Segment) -> int:
    """Count the words of a kind that all references have, and a line."""
    return (segment.agreed(find) & find(line)).total()


# Damage


def _findings(
    evaluation: Evaluation, texts: tuple[Text, Text], name: str, registry: Registry
) -> list[Finding]:
    """Run all checks of texts on both outputs; list what they find in one of them."""
    test_set = evaluation.scores.corpus.test_set
    streams = tuple(map(TextSummary.of, test_set.references))
    source = TextSummary.of(test_set.source) if test_set.source else None
    metrics = tuple(evaluation.scorers.values())
    before, after = (
        dict(
            CheckedTexts({name: TextSummary.of(text)}, streams, source, metrics).findings(registry)
        )
        for text in texts
    )
    return [
        *(Finding(code, after[code], "now") for code in after if code not in before),
        *(Finding(code, before[code], "base") for code in before if code not in after),
    ]

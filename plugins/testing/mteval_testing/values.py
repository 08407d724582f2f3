"""Values of metrics on small texts, for tests."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from mteval_core import UsageError, evaluate, metric
from mteval_testing.corpora import selected

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from mteval_core import Evaluation, Sample, Scorer

__all__ = [
    "assert_order_is_irrelevant",
    "assert_range",
    "assert_rows_add",
    "evaluate_sample",
    "sentence_values",
    "values_of_sums",
]


def evaluate_sample(sample: Sample, specs: Iterable[str | Scorer], **arguments: Any) -> Evaluation:
    """Evaluate the hypotheses of a sample as the output of one system, named ``""``.

    Parameters
    ----------
    sample : Sample
        Hypotheses and references.
    specs : iterable of str or Scorer
        The metrics.
    **arguments
        Further arguments of `mteval_core.evaluate`.

    Returns
    -------
    Evaluation
        See `mteval_testing.originals.by_name` for its values.
    """
    return evaluate({"": sample.hypotheses}, sample.test_set, [*specs], **arguments)


def sentence_values(
    spec: str, hypothesis: str, *references: str, **options: Any
) -> dict[str, float]:
    """All values of one segment.

    Parameters
    ----------
    spec : str
        The metric.
    hypothesis, *references : str
        The texts of the segment.
    **options
        Further arguments of `mteval_core.metric`, such as ``tok="none"``.

    Returns
    -------
    dict of str to float
        Values by name, each in its scale.
    """
    return dict(metric(spec, **options).sentence_score(hypothesis, references).values)


def values_of_sums(
    evaluation: Evaluation,
) -> Iterator[tuple[str, dict[str, NDArray[np.float64]]]]:
    """Values of typical sums of rows: of each row, of all rows, of multiples, and of no rows.

    Parameters
    ----------
    evaluation : Evaluation
        An evaluation of one system.

    Yields
    ------
    spec : str
        The metric.
    values : dict of str to ndarray of float64, shape (n_sums,)
        Values by name, each in its scale.
    """
    (system,) = evaluation.systems
    for spec, scorer in evaluation.scorers.items():
        each = np.eye(len(evaluation.scores.test_set))
        weights = np.concatenate([each, [np.ones(len(each))], 1000 * each, 0 * each])
        sums = weights @ evaluation.scores.rows[system, spec]
        yield spec, dict(zip(scorer.scales, scorer.values(sums).T, strict=True))


def assert_range(
    evaluation: Evaluation,
    highest: Mapping[str, float],
    between: Mapping[str, tuple[str, str]] | None = None,
) -> None:
    """Assert the range of all values of segments, corpora and resamples.

    Parameters
    ----------
    evaluation : Evaluation
        An evaluation of one system.
    highest : mapping of str to float
        The highest possible values by name, each in its scale; the lowest is 0.
    between : mapping of str to tuple of str, optional
        Names of values that lie between two others, such as ``{"F": ("P", "R")}``.
    """
    for spec, values in values_of_sums(evaluation):
        for name, some in values.items():
            assert (some >= 0).all(), (spec, name)
            assert (some <= highest.get(name, np.inf) * (1 + 1e-12)).all(), (spec, name)
        for name, ends in (between or {}).items():
            if name in values:
                one, other = (values[end] for end in ends)
                assert (values[name] >= np.minimum(one, other) - 1e-9).all(), (spec, name)
                assert (values[name] <= np.maximum(one, other) + 1e-9).all(), (spec, name)


def assert_rows_add(
    sample: Sample, specs: Iterable[str], documents: Sequence[str], **arguments: Any
) -> None:
    """Assert that the rows of documents are sums over segments, and add up to the corpus.

    Parameters
    ----------
    sample : Sample
        Hypotheses and references.
    specs : iterable of str
        The metrics.
    documents : sequence of str
        Document id of each segment, in any arrangement.
    **arguments
        Further arguments of `mteval_core.evaluate`.
    """
    evaluation = evaluate_sample(sample, specs, documents=documents, **arguments)
    names, _ = evaluation.scores.groups("doc")
    for spec, scorer in evaluation.scorers.items():
        if scorer.setup.keeps_rows:
            raise UsageError(f"the metric {spec} is computed from all rows: they are not added")
        rows, sums = evaluation.scores.rows["", spec], evaluation.scores.sums("", spec, "doc")
        for name, total in zip(names, sums, strict=True):
            chosen = [document == name for document in documents]
            np.testing.assert_allclose(total, rows[chosen].sum(axis=0), 1e-12)
        np.testing.assert_allclose(sums.sum(axis=0), evaluation.scores.totals["", spec], 1e-12)


def assert_order_is_irrelevant(
    sample: Sample, specs: Iterable[str], order: list[int], **arguments: Any
) -> None:
    """Assert that the values of a corpus do not depend on the order of its segments.

    Parameters
    ----------
    sample : Sample
        Hypotheses and references.
    specs : iterable of str
        The metrics.
    order : list of int
        A permutation of the segments.
    **arguments
        Further arguments of `mteval_core.evaluate`.
    """
    straight = evaluate_sample(sample, specs, **arguments)
    permuted = evaluate_sample(selected(sample, order), specs, **arguments)
    for spec in straight.scorers:
        one, other = straight.score("", spec).values, permuted.score("", spec).values
        np.testing.assert_allclose(list(one.values()), list(other.values()), 1e-12, 1e-12)

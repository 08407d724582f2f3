"""The checks of metrics, as a kit and as tests."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import TYPE_CHECKING

from mteval_core import Scorer, Spec, metric
from mteval_testing.declaration_checks import (
    aliases_name_the_metric,
    declaration_is_complete,
    hook_module_is_light,
    literature_is_found,
    options_are_in_the_signature,
    signature_replays,
    unsigned_options_do_not_matter,
)
from mteval_testing.effect_checks import (
    a_reference_twice_changes_nothing,
    case_is_that_of_the_signature,
    every_view_has_an_effect,
    every_word_counts,
    main_value_tells_texts_apart,
    options_have_an_effect,
    references_have_an_effect,
)
from mteval_testing.explanation_checks import (
    explanations_are_the_rows,
    marks_lie_in_their_texts,
)
from mteval_testing.findings import Finding, expect
from mteval_testing.kit import Kit
from mteval_testing.pair_checks import pairs_have_rows_of_segments
from mteval_testing.process_checks import (
    nothing_else_is_read,
    nothing_is_left_behind,
    processes_agree,
)
from mteval_testing.row_checks import (
    documents_are_one_text,
    inputs_are_unchanged,
    metric_can_be_pickled,
    rows_are_independent,
    segment_form_is_corpus_form,
    threads_do_not_matter,
)
from mteval_testing.score_checks import (
    a_corpus_twice_scores_the_same,
    edge_cases_are_finite,
    empty_sums_are_finite,
    formula_is_vectorised,
    identity_is_best,
    is_deterministic,
    reference_order_is_irrelevant,
    repetitive_text_is_affordable,
    score_is_in_bounds,
    segment_order_is_irrelevant,
)
from mteval_testing.targets import load
from mteval_testing.watch import LIMIT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    import pytest

    from mteval_core import Entry, MetricSpec, Registry, Sample

__all__ = ["METRIC_KIT", "check_metric", "parametrize_with_checks"]


def registered_metric(entry: Entry[MetricSpec], registry: Registry) -> Scorer:
    """Configure a registered metric with its defaults, and the options of its sample."""
    sample = entry.declaration.sample
    given = load(sample)().options if sample is not None else {}
    options = {key: (value,) for key, value in given.items()}
    spec = Spec(entry.declaration.name, options, entry.plugin.distribution)
    return metric(spec, registry=registry)


def with_sample(scorer: Scorer, sample: Sample | None) -> Scorer:
    """Return a metric that is checked on another sample."""
    if sample is None:
        return scorer
    declaration = replace(scorer.declaration, sample=lambda: sample)
    entry = replace(scorer.setup.entry, declaration=declaration)
    return replace(scorer, setup=replace(scorer.setup, entry=entry))


CHEAP = {
    declaration_is_complete,
    empty_sums_are_finite,
    formula_is_vectorised,
    hook_module_is_light,
    inputs_are_unchanged,
    is_deterministic,
    literature_is_found,
    metric_can_be_pickled,
    options_are_in_the_signature,
    segment_form_is_corpus_form,
    signature_replays,
}
"""The checks that run on a sample that is few: together they score 30 segments at most."""


OF_PAIRS = {
    aliases_name_the_metric,
    declaration_is_complete,
    hook_module_is_light,
    options_are_in_the_signature,
    pairs_have_rows_of_segments,
}
"""The checks of metrics that compare systems."""


def does_not_suit(check: Callable[[Scorer], str | None], scorer: Scorer) -> str:
    """Say why a check does not suit a metric; empty if it does."""
    if scorer.declaration.compares and check not in OF_PAIRS:
        return "the metric compares systems"
    sample = scorer.declaration.sample
    is_few = sample is not None and load(sample)().few
    return "the sample asks for few texts" if is_few and check not in CHEAP else ""


METRIC_KIT = Kit(
    checks=(
        a_corpus_twice_scores_the_same,
        a_reference_twice_changes_nothing,
        aliases_name_the_metric,
        case_is_that_of_the_signature,
        declaration_is_complete,
        documents_are_one_text,
        edge_cases_are_finite,
        empty_sums_are_finite,
        every_view_has_an_effect,
        every_word_counts,
        explanations_are_the_rows,
        formula_is_vectorised,
        hook_module_is_light,
        identity_is_best,
        inputs_are_unchanged,
        is_deterministic,
        literature_is_found,
        main_value_tells_texts_apart,
        marks_lie_in_their_texts,
        metric_can_be_pickled,
        nothing_else_is_read,
        nothing_is_left_behind,
        options_are_in_the_signature,
        options_have_an_effect,
        pairs_have_rows_of_segments,
        processes_agree,
        reference_order_is_irrelevant,
        references_have_an_effect,
        repetitive_text_is_affordable,
        rows_are_independent,
        score_is_in_bounds,
        segment_form_is_corpus_form,
        segment_order_is_irrelevant,
        signature_replays,
        threads_do_not_matter,
        unsigned_options_do_not_matter,
    ),
    subject=registered_metric,
    unsuited=does_not_suit,
)
"""The checks of metrics."""


def check_metric(
    spec: str | Scorer,
    *,
    registry: Registry | None = None,
    sample: Sample | None = None,
    limit: float = LIMIT,
) -> list[Finding]:
    """Run all checks on a metric.

    Parameters
    ----------
    spec : str or Scorer
        The metric.
    registry : Registry, optional
        Where to look for it (default: everything installed).
    sample : Sample, optional
        What to score as ordinary text (default: what the declaration names, or the kit's).
    limit : float
        Seconds after which a check fails.

    Returns
    -------
    list of Finding
        One for each check.
    """
    scorer = spec if isinstance(spec, Scorer) else metric(spec, registry=registry)
    scorer = with_sample(scorer, sample)
    return METRIC_KIT.examine(scorer, scorer.declaration, limit, scorer.setup.entry)


def parametrize_with_checks(
    specs: Iterable[str], *, sample: Sample | None = None, limit: float = LIMIT
) -> pytest.MarkDecorator:
    """Parametrize a pytest test over specs and checks.

    The test gets ``spec`` and ``check`` and calls ``check(spec)``. A check that the metric
    declares as an exception must fail.

    Parameters
    ----------
    specs : iterable of str
        The metrics.
    sample : Sample, optional
        What to score as ordinary text (default: what the declaration names, or the kit's).
    limit : float
        Seconds after which a check fails.

    Returns
    -------
    pytest.MarkDecorator
    """
    import pytest

    cases = [(spec, check) for spec in specs for check in METRIC_KIT.checks]
    return pytest.mark.parametrize(
        ("spec", "check"),
        [(spec, as_test(check, sample, limit)) for spec, check in cases],
        ids=[f"{spec}-{check.__name__}" for spec, check in cases],
    )


def as_test(
    check: Callable[[Scorer], str | None], sample: Sample | None, limit: float
) -> Callable[[str], None]:
    """Make a check a function that fails unless a metric passes as declared."""

    def checked(spec: str) -> None:
        scorer = with_sample(metric(spec), sample)
        entry = scorer.setup.entry
        finding = METRIC_KIT.find(check, scorer, scorer.declaration, limit, entry=entry)
        passes = f"passes, although it is declared as an exception: {finding.reason}"
        expect(finding.ok, finding.message or passes)
        if finding.warning and not finding.reason:
            warnings.warn(f"{finding.check}: {finding.message}", stacklevel=2)

    return checked

"""The checks of metrics: each states what holds, and the consequence for users if it does not."""

from __future__ import annotations

import pickle
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import Field, fields, is_dataclass
from importlib import metadata
from typing import TYPE_CHECKING, Any

import numpy as np

from mteval_core.errors import OptionError
from mteval_core.metrics.contract import CorpusMetric, SegmentMetric
from mteval_core.metrics.resolve import STANDARD, metric
from mteval_core.metrics.rows import rows_of, segment_tokens, statistics
from mteval_core.metrics.scorer import Scorer, score_systems, tokenize_systems
from mteval_core.plugin.markers import PROJECT
from mteval_core.spec import Spec
from mteval_core.testing.corpora import CORPUS, EDGE_CASES, EQUALLY_GOOD, Sample
from mteval_core.testing.findings import Finding, expect
from mteval_core.testing.kit import Kit
from mteval_core.text.text import as_test_set, as_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from numpy.typing import NDArray

    from mteval_core.plugin.declarations import MetricSpec
    from mteval_core.plugin.options import Option
    from mteval_core.plugin.registry import Entry, Registry
    from mteval_core.text.tokens import TokenizedCorpus

__all__ = ["METRIC_KIT", "check_metric", "parametrize_with_checks"]

TOLERANCE = 1e-12


def bound_rows(scorer: Scorer, sample: Sample) -> tuple[Scorer, NDArray[np.float64]]:
    """Bind a metric to the references of a sample, and compute its rows."""
    systems = {"sample": as_text(sample.hypotheses, "the hypotheses")}
    ((_, bound, rows),) = score_systems([scorer], systems, as_test_set(sample.references))
    return bound, rows


def bound_views(scorer: Scorer, sample: Sample) -> tuple[Scorer, dict[str, TokenizedCorpus]]:
    """Bind a metric to the references of a sample, and return the views that it gets."""
    systems = {"sample": as_text(sample.hypotheses, "the hypotheses")}
    ((_, (bound,), corpora),) = tokenize_systems([scorer], systems, as_test_set(sample.references))
    return bound, {name: corpora[pipeline] for name, pipeline in scorer.pipelines.items()}


def values(scorer: Scorer, sample: Sample) -> NDArray[np.float64]:
    """Return all values of the corpus score."""
    bound, rows = bound_rows(scorer, sample)
    return bound.values(rows.sum(axis=0))


def score_alike(scorer: Scorer, one: Sample, other: Sample) -> bool:
    """Tell whether two samples get the same values; another check reports those without any."""
    with suppress(Exception):
        return close(values(scorer, one), values(scorer, other))
    return True


def is_prepared(scorer: Scorer) -> bool:
    """Tell whether the rows depend on the whole set of references."""
    return hasattr(scorer.implementation, "prepare")


def fuzz(check: Callable[[Sample], None]) -> str:
    """Run a check on random texts, the same ones each time; return a note if it cannot."""
    try:
        import hypothesis
    except ImportError:
        return "not run on random texts: install the package hypothesis"
    from mteval_core.testing.strategies import samples

    settings = hypothesis.settings(
        max_examples=40,
        derandomize=True,
        database=None,
        deadline=None,
        phases=(hypothesis.Phase.generate, hypothesis.Phase.shrink),
        suppress_health_check=list(hypothesis.HealthCheck),
    )
    settings(hypothesis.given(samples())(lambda sample: check(sample)))()
    return ""


def close(one: Any, other: Any) -> bool:
    """Tell whether two results are equal up to rounding."""
    return np.shape(one) == np.shape(other) and bool(
        np.allclose(one, other, rtol=TOLERANCE, atol=TOLERANCE)
    )


def is_deterministic(scorer: Scorer) -> None:
    """Scoring twice gives identical results; otherwise published scores cannot be verified."""
    expect(
        np.array_equal(values(scorer, CORPUS), values(scorer, CORPUS)),
        "the same texts got two different scores",
    )


def rows_are_independent(scorer: Scorer) -> None:
    """A row does not depend on other segments; otherwise documents and resamples are wrong."""
    _, whole = bound_rows(scorer, CORPUS)
    for start, stop in ((0, 1), (2, 5), (5, len(CORPUS))):
        # Each range gets fresh texts: another check reports metrics that modify them.
        bound, views = bound_views(scorer, CORPUS)
        part = {name: corpus.slice(start, stop) for name, corpus in views.items()}
        rows = [statistics(bound.implementation, part, scorer.label)]
        if not is_prepared(scorer):
            rows.append(bound_rows(scorer, CORPUS.select([*range(start, stop)]))[1])
        expect(
            all(close(found, whole[start:stop]) for found in rows),
            f"the rows of segments {start} to {stop - 1} differ when they are scored alone",
        )


def segment_form_is_corpus_form(scorer: Scorer) -> None:
    """A segment scores alone as in its corpus; otherwise examples do not explain a table."""
    bound, views = bound_views(scorer, CORPUS)
    metric = bound.implementation
    if isinstance(metric, CorpusMetric) and isinstance(metric, SegmentMetric) and len(views) == 1:
        (corpus,) = views.values()
        alike = [metric.segment_statistics(*tokens) for tokens in segment_tokens(corpus)]
        expect(
            close(np.asarray(alike, np.float64), rows_of(metric, views)),
            "segment_statistics() and statistics() return different rows",
        )
    if is_prepared(scorer):
        return
    _, rows = bound_rows(scorer, CORPUS)
    for i, row in enumerate(rows):
        expected = bound.values(row).tolist()
        references = [stream[i] for stream in CORPUS.references if stream[i] is not None]
        alone = scorer.sentence_score(CORPUS.hypotheses[i], [str(r) for r in references])
        expect(
            close([*alone.values.values()], expected),
            f"segment {i} scores {[*alone.values.values()]} alone, {expected} in the corpus",
        )


def formula_is_vectorised(scorer: Scorer) -> None:
    """score() works along the last axis; otherwise intervals and segment scores are wrong."""
    bound, rows = bound_rows(scorer, CORPUS)
    score = bound.implementation.score
    stack = np.stack([rows, rows[::-1] * 2.0])
    expect(
        close(score(stack.copy()), [[score(row.copy()) for row in rows] for rows in stack]),
        "score() of stacked rows differs from score() of each row",
    )


def empty_sums_are_finite(scorer: Scorer) -> None:
    """A sum of zeros has a finite score; otherwise resamples of tiny corpora fail."""
    bound, rows = bound_rows(scorer, CORPUS)
    bound.values(np.zeros(rows.shape[1]))


def edge_cases_are_finite(scorer: Scorer) -> str:
    """Empty and unusual segments have a score; otherwise one line spoils a test set."""

    def check(sample: Sample, name: str = "") -> None:
        try:
            values(scorer, sample)
        except Exception as error:
            message = f"{name or sample}: {type(error).__name__}: {error}"
            raise AssertionError(message) from error

    for name, sample in EDGE_CASES.items():
        check(sample, name)
    return fuzz(check)


def identity_is_best(scorer: Scorer) -> None:
    """A copy of the reference scores best; otherwise the metric can be gamed."""
    references = CORPUS.references[:1]
    best = scorer.corpus_score([str(r) for r in references[0]], references).score
    for name, hypotheses in {
        "another translation": CORPUS.hypotheses,
        "last words dropped": [str(r).rpartition(" ")[0] for r in references[0]],
        "everything repeated": [f"{r} {r}" for r in references[0]],
    }.items():
        other = scorer.corpus_score(hypotheses, references).score
        worse = other <= best if scorer.declaration.better == "higher" else other >= best
        expect(worse, f"{name} scores {other}, but a copy of the reference scores {best}")


def score_is_in_bounds(scorer: Scorer) -> str:
    """Scores stay within the declared bounds; otherwise readers misjudge them."""
    low, high = scorer.declaration.bounds

    def check(sample: Sample, name: str = "") -> None:
        try:
            score = scorer.corpus_score(sample.hypotheses, sample.references).score
        except Exception:  # noqa: BLE001 - another check reports samples without a score
            return
        expect(
            low - TOLERANCE <= score <= high * (1 + TOLERANCE),
            f"{name or sample}: the score {score} is outside {low:g} to {high:g}",
        )

    for name, sample in {**EDGE_CASES, "ordinary text": CORPUS}.items():
        check(sample, name)
    return fuzz(check)


def inputs_are_unchanged(scorer: Scorer) -> None:
    """Arguments are not modified; otherwise the next metric scores different texts."""
    bound, views = bound_views(scorer, CORPUS)
    arrays = [
        array
        for corpus in views.values()
        for side in (corpus.hypotheses, corpus.references)
        for array in vars(side).values()
    ]
    before = [array.copy() for array in arrays]
    rows = statistics(bound.implementation, views, scorer.label)
    totals = rows.sum(axis=0)
    copy = totals.copy()
    bound.implementation.score(totals)
    expect(all(map(np.array_equal, arrays, before)), "statistics() modified its texts")
    expect(np.array_equal(totals, copy), "score() modified its totals")


def segment_order_is_irrelevant(scorer: Scorer) -> str:
    """The order of segments does not matter; otherwise scores depend on how files are sorted."""

    def check(sample: Sample) -> None:
        reversed_ = sample.select([*range(len(sample))][::-1])
        expect(
            score_alike(scorer, sample, reversed_),
            f"reversing the segments changes the score: {sample}",
        )

    check(CORPUS)
    return fuzz(check)


def reference_order_is_irrelevant(scorer: Scorer) -> str:
    """The order of references does not matter; otherwise scores depend on file names."""

    def check(sample: Sample) -> None:
        reversed_ = Sample(sample.hypotheses, sample.references[::-1])
        expect(
            score_alike(scorer, sample, reversed_),
            f"reversing the references changes the score: {sample}",
        )

    check(CORPUS)
    check(EQUALLY_GOOD)
    return fuzz(check)


def metric_can_be_pickled(scorer: Scorer) -> None:
    """A metric can be pickled; otherwise it cannot be sent to other processes."""
    bound, rows = bound_rows(scorer, CORPUS)
    again = pickle.loads(pickle.dumps(bound.implementation))
    same = statistics(again, bound_views(scorer, CORPUS)[1], scorer.label)
    expect(np.array_equal(rows, same), "a pickled copy of the metric returns different rows")


def threads_do_not_matter(scorer: Scorer) -> None:
    """Threads do not disturb each other; otherwise scores depend on the machine."""
    # As in a large corpus, each thread has its own texts, with different segments.
    parts = []
    for start in 4 * [*range(len(CORPUS))]:
        _, views = bound_views(scorer, CORPUS)
        parts.append({name: corpus.slice(start, start + 1) for name, corpus in views.items()})
    implementation = bound_views(scorer, CORPUS)[0].implementation
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(4) as pool:
            together = [
                *pool.map(lambda part: statistics(implementation, part, scorer.label), parts)
            ]
    finally:
        sys.setswitchinterval(interval)
    _, alone = bound_rows(scorer, CORPUS)
    expect(
        close(np.concatenate(together), np.tile(alone, (4, 1))),
        "four threads return different rows from one",
    )


def signature_replays(scorer: Scorer) -> None:
    """The signature reproduces the score; otherwise readers cannot verify it."""
    score = scorer.corpus_score(CORPUS.hypotheses, CORPUS.references)
    replayed = metric(str(score.signature), registry=scorer.registry)
    again = replayed.corpus_score(CORPUS.hypotheses, CORPUS.references)
    expect(
        again.score == score.score,
        f"{score.signature} replays to {again.score}, not to {score.score}",
    )
    expect(
        str(again.signature) == str(score.signature), f"the replayed signature is {again.signature}"
    )


def options_are_in_the_signature(scorer: Scorer) -> None:
    """Every option is in the signature; otherwise equal signatures hide different settings."""
    options = scorer.declaration.options
    signature = scorer.get_signature()
    missing = [option.key for option in options if option.key not in signature.fields]
    expect(not missing, f"the options {missing} are not in the signature")
    hidden = undeclared_settings(scorer)
    expect(not hidden, f"the class takes {hidden}, which are not declared as options")
    for option in options:
        for value in other_values(option):
            items = option.format(value)
            text = "+".join(items)
            expect(
                option.parse(items) == value,
                f"the value {value!r} of option {option.key!r} is written as {text!r}, which is "
                f"read as {option.parse(items)!r}",
            )


def undeclared_settings(scorer: Scorer) -> list[str]:
    """Name the settings of the metric's class that are not declared as options."""
    implementation = scorer.plain().implementation
    declared = {option.keyword for option in scorer.declaration.options}
    settings: tuple[Field[Any], ...] = ()
    if is_dataclass(implementation):
        settings = fields(implementation)
    return [
        field.name
        for field in settings
        if field.init
        and isinstance(field.default, (bool, int, float, str))
        and field.name not in declared
    ]


def other_values(option: Option) -> list[Any]:
    """Return the default and some other values of an option."""
    default = option.default
    if option.type is not None:
        tried = [str(default), "0.123456789", "1", "2", *option.choices]
        found = []
        for text in tried:
            try:
                found.append(option.parse((text,)))
            except OptionError:  # noqa: PERF203 - not a value of this option
                continue
        return found
    if isinstance(default, bool):
        return [False, True]
    if isinstance(default, tuple):
        return [default, *((choice,) for choice in option.choices)]
    bounds = [bound for bound in (option.minimum, option.maximum) if bound is not None]
    return [default, *option.choices, *map(type(default), bounds if is_number(default) else ())]


def is_number(value: Any) -> bool:
    """Tell whether a default is a number, not a word."""
    return isinstance(value, (int, float))


def declaration_is_complete(scorer: Scorer) -> None:
    """The declaration has a name and help; otherwise 'mteval list' cannot describe the metric."""
    declaration = scorer.declaration
    expect(bool(declaration.help.strip()), "the declaration has no help")
    expect(
        declaration.name == declaration.name.lower() and not set(declaration.name) & set(" :,=|/+"),
        f"the name {declaration.name!r} is not in lower case, or contains one of ' :,=|/+'",
    )
    expect(scorer.main in scorer.scales, f"the main value {scorer.main!r} is not among the values")
    undocumented = [o.key for o in declaration.options if not o.help and o.key not in STANDARD]
    expect(not undocumented, f"the options {undocumented} have no help")


def hook_module_is_light(scorer: Scorer) -> None:
    """Importing the hooks does not import numpy; otherwise every command starts slowly."""
    points = metadata.entry_points(group=PROJECT)
    ours = {plugin.distribution for plugin in scorer.plugins}
    modules = [point.module for point in points if point.dist and point.dist.name in ours]
    code = f"import sys, {', '.join(modules)}; sys.exit('numpy' in sys.modules)" if modules else ""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    expect(done.returncode == 0, f"importing {modules} imports numpy or fails. {done.stderr}")


def registered_metric(entry: Entry[MetricSpec], registry: Registry) -> Scorer:
    """Configure a registered metric with its defaults."""
    spec = Spec(entry.declaration.name, distribution=entry.plugin.distribution)
    return metric(spec, registry=registry)


METRIC_KIT = Kit(
    checks=(
        declaration_is_complete,
        edge_cases_are_finite,
        empty_sums_are_finite,
        formula_is_vectorised,
        hook_module_is_light,
        identity_is_best,
        inputs_are_unchanged,
        is_deterministic,
        metric_can_be_pickled,
        options_are_in_the_signature,
        reference_order_is_irrelevant,
        rows_are_independent,
        score_is_in_bounds,
        segment_form_is_corpus_form,
        segment_order_is_irrelevant,
        signature_replays,
        threads_do_not_matter,
    ),
    subject=registered_metric,
)
"""The checks of metrics."""


def check_metric(spec: str | Scorer, *, registry: Registry | None = None) -> list[Finding]:
    """Run all checks on a metric.

    Parameters
    ----------
    spec : str or Scorer
        The metric.
    registry : Registry, optional
        Where to look for it (default: everything installed).

    Returns
    -------
    list of Finding
        One for each check.
    """
    scorer = spec if isinstance(spec, Scorer) else metric(spec, registry=registry)
    return METRIC_KIT.examine(scorer, scorer.declaration)


def parametrize_with_checks(specs: Iterable[str]) -> Any:
    """Parametrize a pytest test over specs and checks.

    The test gets ``spec`` and ``check`` and calls ``check(spec)``. A check that the metric
    declares as an exception must fail.

    Parameters
    ----------
    specs : iterable of str
        The metrics.

    Returns
    -------
    pytest.MarkDecorator
    """
    import pytest

    cases = [(spec, check) for spec in specs for check in METRIC_KIT.checks]
    return pytest.mark.parametrize(
        ("spec", "check"),
        [(spec, as_test(check)) for spec, check in cases],
        ids=[f"{spec}-{check.__name__}" for spec, check in cases],
    )


def as_test(check: Callable[[Scorer], str | None]) -> Callable[[str], None]:
    """Make a check a function that fails unless a metric passes as declared."""

    def checked(spec: str) -> None:
        scorer = metric(spec)
        finding = METRIC_KIT.find(check, scorer, scorer.declaration)
        passes = f"passes, although it is declared as an exception: {finding.reason}"
        expect(finding.ok, finding.message or passes)

    return checked

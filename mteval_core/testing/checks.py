"""The checks of metrics: each says what holds, and what a user would suffer else."""

from __future__ import annotations

import pickle
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import fields, is_dataclass
from importlib import metadata
from typing import TYPE_CHECKING, Any

import numpy as np

from mteval_core.errors import OptionError
from mteval_core.metrics.resolve import STANDARD, metric
from mteval_core.metrics.rows import rows_of, segment_tokens, statistics
from mteval_core.metrics.scorer import Scorer, score_systems, tokenize_systems
from mteval_core.plugin.markers import PROJECT
from mteval_core.testing.corpora import CORPUS, EDGE_CASES, EQUALLY_GOOD, Sample
from mteval_core.testing.findings import Finding, expect, finding
from mteval_core.text.text import as_test_set, as_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from numpy.typing import NDArray

    from mteval_core.plugin.declarations import Option
    from mteval_core.plugin.registry import Registry
    from mteval_core.testing.findings import Check
    from mteval_core.text.tokens import TokenizedCorpus

__all__ = ["CHECKS", "check_metric", "parametrize_with_checks"]

TOLERANCE = 1e-12


def bound_rows(scorer: Scorer, sample: Sample) -> tuple[Scorer, NDArray[np.float64]]:
    """Metric bound to the references of a sample, and its rows."""
    systems = {"sample": as_text(sample.hypotheses, "the hypotheses")}
    ((_, bound, rows),) = score_systems([scorer], systems, as_test_set(sample.references))
    return bound, rows


def bound_views(scorer: Scorer, sample: Sample) -> tuple[Scorer, dict[str, TokenizedCorpus]]:
    """Metric bound to the references of a sample, and the views that it gets of it."""
    systems = {"sample": as_text(sample.hypotheses, "the hypotheses")}
    ((_, (bound,), corpora),) = tokenize_systems([scorer], systems, as_test_set(sample.references))
    return bound, {name: corpora[pipeline] for name, pipeline in scorer.pipelines.items()}


def values(scorer: Scorer, sample: Sample) -> NDArray[np.float64]:
    """All values of the corpus score."""
    bound, rows = bound_rows(scorer, sample)
    return bound.values(rows.sum(axis=0))


def score_alike(scorer: Scorer, one: Sample, other: Sample) -> bool:
    """Tell whether two samples get the same values; what has none is found by another check."""
    with suppress(Exception):
        return close(values(scorer, one), values(scorer, other))
    return True


def is_prepared(scorer: Scorer) -> bool:
    """Tell whether a score depends on the whole set of references, as the metric announces."""
    return hasattr(scorer.implementation, "prepare")


def fuzz(check: Callable[[Sample], None]) -> str:
    """Run a check on many texts, the same ones each time; say so if that is not possible."""
    try:
        import hypothesis
    except ImportError:
        return "not tried on random texts: install the package hypothesis"
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
    """Tell whether two results are equal but for rounding."""
    return np.shape(one) == np.shape(other) and bool(
        np.allclose(one, other, rtol=TOLERANCE, atol=TOLERANCE)
    )


def is_deterministic(scorer: Scorer) -> None:
    """Scoring twice gives the same bits: else no published number could be checked."""
    expect(
        np.array_equal(values(scorer, CORPUS), values(scorer, CORPUS)),
        "the same texts got two different scores",
    )


def rows_are_independent(scorer: Scorer) -> None:
    """A row is the same in any company: else documents, threads and resamples would be wrong."""
    _, whole = bound_rows(scorer, CORPUS)
    for start, stop in ((0, 1), (2, 5), (5, len(CORPUS))):
        # The texts anew for each: a metric that spoils them is found by another check.
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
    """A segment scores alone as in its corpus: else examples would not explain a table."""
    bound, views = bound_views(scorer, CORPUS)
    implementation = bound.implementation
    both = ("statistics", "segment_statistics")
    if all(hasattr(implementation, form) for form in both) and len(views) == 1:
        (corpus,) = views.values()
        alike = [implementation.segment_statistics(*tokens) for tokens in segment_tokens(corpus)]
        expect(
            close(np.asarray(alike, np.float64), rows_of(implementation, views)),
            "segment_statistics() gives other rows than statistics()",
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
    """A stack of sums gives a stack of scores: else intervals and segments would be wrong."""
    bound, rows = bound_rows(scorer, CORPUS)
    score = bound.implementation.score
    stack = np.stack([rows, rows[::-1] * 2.0])
    expect(
        close(score(stack.copy()), [[score(row.copy()) for row in rows] for rows in stack]),
        "score() of stacked rows is not the stack of score() of each row",
    )


def empty_sums_are_finite(scorer: Scorer) -> None:
    """No segments at all still have a score: else resamples of tiny corpora would break."""
    bound, rows = bound_rows(scorer, CORPUS)
    bound.values(np.zeros(rows.shape[1]))


def edge_cases_are_finite(scorer: Scorer) -> str:
    """Empty and odd segments get a number: else one empty line would spoil a test set."""

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
    """A copy of the reference beats everything else: else the metric could be fooled."""
    references = CORPUS.references[:1]
    best = scorer.corpus_score([str(r) for r in references[0]], references).score
    for name, hypotheses in {
        "another translation": CORPUS.hypotheses,
        "words left out": [str(r).rpartition(" ")[0] for r in references[0]],
        "words repeated": [f"{r} {r}" for r in references[0]],
    }.items():
        other = scorer.corpus_score(hypotheses, references).score
        worse = other <= best if scorer.declaration.better == "higher" else other >= best
        expect(worse, f"{name} scores {other}, the reference itself {best}")


def score_is_in_bounds(scorer: Scorer) -> str:
    """Scores keep to the declared bounds: else readers could not tell good from bad."""
    low, high = scorer.declaration.bounds

    def check(sample: Sample, name: str = "") -> None:
        try:
            score = scorer.corpus_score(sample.hypotheses, sample.references).score
        except Exception:  # noqa: BLE001 - what has no score is found by another check
            return
        expect(
            low - TOLERANCE <= score <= high * (1 + TOLERANCE),
            f"{name or sample}: the score {score} is outside {low:g} to {high:g}",
        )

    for name, sample in {**EDGE_CASES, "ordinary text": CORPUS}.items():
        check(sample, name)
    return fuzz(check)


def inputs_are_unchanged(scorer: Scorer) -> None:
    """Ids and totals stay as they are: else the next metric would score other texts."""
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
    expect(all(map(np.array_equal, arrays, before)), "statistics() changed the texts it was given")
    expect(np.array_equal(totals, copy), "score() changed the totals it was given")


def segment_order_is_irrelevant(scorer: Scorer) -> str:
    """Shuffled test sets score the same: else scores would depend on how files are sorted."""

    def check(sample: Sample) -> None:
        reversed_ = sample.select([*range(len(sample))][::-1])
        expect(
            score_alike(scorer, sample, reversed_),
            f"the segments in reverse score differently: {sample}",
        )

    check(CORPUS)
    return fuzz(check)


def reference_order_is_irrelevant(scorer: Scorer) -> str:
    """The first reference is no better than the second: else file names would move scores."""

    def check(sample: Sample) -> None:
        reversed_ = Sample(sample.hypotheses, sample.references[::-1])
        expect(
            score_alike(scorer, sample, reversed_),
            f"the references in reverse give another score: {sample}",
        )

    check(CORPUS)
    check(EQUALLY_GOOD)
    return fuzz(check)


def metric_can_be_pickled(scorer: Scorer) -> None:
    """Metrics travel between processes: else large evaluations could not be spread out."""
    bound, rows = bound_rows(scorer, CORPUS)
    again = pickle.loads(pickle.dumps(bound.implementation))
    same = statistics(again, bound_views(scorer, CORPUS)[1], scorer.label)
    expect(np.array_equal(rows, same), "a pickled copy of the metric gives other rows")


def threads_do_not_matter(scorer: Scorer) -> None:
    """Two threads at once compute what one does: else scores would depend on the machine."""
    # Each thread has texts of its own, and other segments than the next, as in a large corpus.
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
        "threads at work at once got other rows than one alone",
    )


def signature_replays(scorer: Scorer) -> None:
    """The signature is enough to score again: else a reviewer could not check a number."""
    score = scorer.corpus_score(CORPUS.hypotheses, CORPUS.references)
    replayed = metric(str(score.signature), registry=scorer.registry)
    again = replayed.corpus_score(CORPUS.hypotheses, CORPUS.references)
    expect(again.score == score.score, f"{score.signature} gives {again.score}, not {score.score}")
    expect(str(again.signature) == str(score.signature), f"replayed, it is {again.signature}")


def options_are_in_the_signature(scorer: Scorer) -> None:
    """Every option shows: else equal signatures could stand on different scores."""
    options = scorer.declaration.options
    signature = scorer.get_signature()
    missing = [option.key for option in options if option.key not in signature.fields]
    expect(not missing, f"the options {missing} are not in the signature")
    hidden = undeclared_settings(scorer)
    expect(not hidden, f"the class takes {hidden}, which are declared as no options")
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
    """Name the simple settings that the metric's class takes beside its options."""
    implementation = scorer.plain().implementation
    declared = {option.keyword for option in scorer.declaration.options}
    return [
        field.name
        for field in (fields(implementation) if is_dataclass(implementation) else ())
        if field.init
        and isinstance(field.default, (bool, int, float, str))
        and field.name not in declared
    ]


def other_values(option: Option) -> list[Any]:
    """Give the default and other values of an option."""
    default = option.default
    if option.type is not None:
        tried = [str(default), "0.123456789", "1", "2", *option.choices]
        found = []
        for text in tried:
            try:
                found.append(option.parse((text,)))
            except OptionError:  # noqa: PERF203 - no value of this option
                continue
        return found
    if isinstance(default, bool):
        return [False, True]
    if isinstance(default, tuple):
        return [default, *((choice,) for choice in option.choices)]
    bounds = [bound for bound in (option.minimum, option.maximum) if bound is not None]
    return [default, *option.choices, *map(type(default), bounds if is_number(default) else ())]


def is_number(value: Any) -> bool:
    """Tell numbers from words."""
    return isinstance(value, (int, float))


def declaration_is_complete(scorer: Scorer) -> None:
    """Name and help are there: else 'mteval list' could not explain the metric."""
    declaration = scorer.declaration
    expect(bool(declaration.help.strip()), "the declaration has no help")
    expect(
        declaration.name == declaration.name.lower() and not set(declaration.name) & set(" :,=|/+"),
        f"the name {declaration.name!r} is not in lower case, or holds a character of specs",
    )
    expect(scorer.main in scorer.scales, f"the main value {scorer.main!r} is not among the values")
    undocumented = [o.key for o in declaration.options if not o.help and o.key not in STANDARD]
    expect(not undocumented, f"the options {undocumented} have no help")


def hook_module_is_light(scorer: Scorer) -> None:
    """Registering imports no numpy: else every 'mteval list' would pay for every plugin."""
    points = metadata.entry_points(group=PROJECT)
    ours = {plugin.distribution for plugin in scorer.plugins}
    modules = [point.module for point in points if point.dist and point.dist.name in ours]
    code = f"import sys, {', '.join(modules)}; sys.exit('numpy' in sys.modules)" if modules else ""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    expect(done.returncode == 0, f"importing {modules} imports numpy or fails. {done.stderr}")


CHECKS: tuple[Check, ...] = (
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
)
"""All checks of a metric, by name."""


def check_metric(spec: str | Scorer, *, registry: Registry | None = None) -> list[Finding]:
    """Run all checks on a metric.

    Parameters
    ----------
    spec : str or Scorer
        The metric.
    registry : Registry, optional
        Where to look for it; all that is installed, unless given.

    Returns
    -------
    list of Finding
        One for each check.
    """
    scorer = spec if isinstance(spec, Scorer) else metric(spec, registry=registry)
    return [find(scorer, check) for check in CHECKS]


def find(scorer: Scorer, check: Check) -> Finding:
    """Run a check on a metric, which may declare that it does not pass."""
    return finding(check, scorer, scorer.declaration.exceptions.get(check.__name__, ""))


def parametrize_with_checks(specs: Iterable[str]) -> Any:
    """Parametrize a pytest test over specs and checks.

    The test gets ``spec`` and ``check`` and calls ``check(spec)``. A check that the metric
    declares as an exception must fail.
    """
    import pytest

    def run(check: Check) -> Callable[[str], None]:
        def checked(spec: str) -> None:
            found = find(metric(spec), check)
            expect(found.ok, found.message or f"passes, though it is an exception: {found.reason}")

        return checked

    cases = [(spec, run(check)) for spec in specs for check in CHECKS]
    names = [f"{spec}-{check.__name__}" for spec in specs for check in CHECKS]
    return pytest.mark.parametrize(("spec", "check"), cases, ids=names)

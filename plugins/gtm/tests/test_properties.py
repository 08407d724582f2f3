"""Properties of any text: ranges, sums, word overlap, monotonicity, and plain definitions."""

from __future__ import annotations

import random
from collections import Counter
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mteval_gtm.tokenization import gtm as gtm_tokens
from mteval_testing import parametrize_with_checks
from mteval_testing.strategies import samples, segments
from mteval_testing.values import (
    assert_order_is_irrelevant,
    assert_range,
    assert_rows_add,
    evaluate_sample,
    sentence_values,
    values_of_sums,
)

import mteval_core as mt

if TYPE_CHECKING:
    from collections.abc import Callable

    from mteval_core import Sample

# Texts drawn at random look damaged.
pytestmark = pytest.mark.filterwarnings("ignore::mteval_core.MtevalWarning")

SPECS = [
    "gtm",
    "gtm:e=1.5,case=lc",
    "gtm:e=2,tok=gtm",
    "gtm:e=3,matching=exact,tok=none",
    "gtm:e=100,stem=porter",
    "gtm:e=1e9,tok=char",
]

no_deadline = settings(deadline=None)
exponents = st.floats(1, 50)


@parametrize_with_checks(SPECS)
def test_contract(spec: str, check: Callable[[str], None]) -> None:
    check(spec)


values = partial(sentence_values, tok="none")


@no_deadline
@given(samples())
def test_range(sample: Sample) -> None:
    """All in 0 to 100, F between P and R, and no more matches than words."""
    evaluation = evaluate_sample(sample, SPECS)
    assert_range(evaluation, {"F": 100, "P": 100, "R": 100}, {"F": ("P", "R")})
    for _, values in values_of_sums(evaluation):
        most = np.minimum(values["hyp_len"], values["ref_len"])
        assert (values["MMS"] <= most * (1 + 1e-12)).all()


@no_deadline
@given(segments(), segments())
def test_exponent_1_with_one_reference_is_word_overlap(hypothesis: str, reference: str) -> None:
    words = Counter(hypothesis.split()), Counter(reference.split())
    found = values("gtm", hypothesis, reference)
    assert found["MMS"] == (words[0] & words[1]).total()
    assert found["hyp_len"] == words[0].total()
    assert found["ref_len"] == words[1].total()


@no_deadline
@given(segments(), st.lists(segments(), min_size=2, max_size=4))
def test_exponent_1_with_several_references_is_capped_overlap(
    hypothesis: str, references: list[str]
) -> None:
    """Overlap with all references together, limited to their mean length."""
    words = Counter(hypothesis.split())
    together = Counter(" ".join(references).split())
    found = values("gtm", hypothesis, *references)
    mean = together.total() / len(references)
    assert found["ref_len"] == pytest.approx(mean)
    assert found["MMS"] == pytest.approx(min((words & together).total(), mean))


@no_deadline
@given(segments(), segments())
def test_exponent_1_is_symmetric(one: str, other: str) -> None:
    there, back = values("gtm", one, other), values("gtm", other, one)
    assert there["F"] == pytest.approx(back["F"])
    assert (there["P"], there["R"]) == (back["R"], back["P"])


@no_deadline
@given(segments(), segments(), exponents)
def test_the_exact_matching_is_symmetric(one: str, other: str, e: float) -> None:
    there, back = (
        values(f"gtm:e={e!r},matching=exact", *pair) for pair in ((one, other), (other, one))
    )
    assert there["MMS"] == pytest.approx(back["MMS"])


@no_deadline
@given(segments(), exponents, st.sampled_from(["greedy", "exact"]))
def test_the_reference_itself_is_best(text: str, e: float, matching: str) -> None:
    found = values(f"gtm:e={e!r},matching={matching}", text, text)
    assert found["F"] == pytest.approx(100 if text.split() else 0)


@no_deadline
@given(samples(max_segments=1), exponents)
def test_greedy_is_at_most_exact(sample: Sample, e: float) -> None:
    greedy, exact = f"gtm:e={e!r}", f"gtm:e={e!r},matching=exact"
    evaluation = evaluate_sample(sample, [greedy, exact])
    found, most = (evaluation.score("", spec).values["MMS"] for spec in (greedy, exact))
    assert found <= most * (1 + 1e-12)
    overlap = evaluate_sample(sample, ["gtm"]).score("", "gtm").values["MMS"]
    assert most <= overlap * (1 + 1e-12)


@no_deadline
@given(samples(max_segments=1), exponents, exponents)
def test_match_sizes_fall_as_the_exponent_rises(sample: Sample, e: float, f: float) -> None:
    """Both matchings: the greedy one takes the same runs for every exponent."""
    low, high = sorted([e, f])
    for matching in ("greedy", "exact"):
        specs = [f"gtm:e={exponent!r},matching={matching}" for exponent in (low, high)]
        if low < high:
            evaluation = evaluate_sample(sample, specs)
            larger, smaller = (evaluation.score("", spec).values["MMS"] for spec in specs)
            assert smaller <= larger * (1 + 1e-12)


def test_with_large_exponents_only_the_longest_run_counts() -> None:
    for matching in ("greedy", "exact"):
        spec = f"gtm:e=1e300,matching={matching}"
        assert values(spec, "a b c d e f", "d e a b c f")["MMS"] == 3
        assert values(spec, "a", "a", "")["MMS"] == 0.5


@no_deadline
@given(samples(max_segments=6), st.data())
def test_rows_add(sample: Sample, data: st.DataObject) -> None:
    """Documents in any arrangement have the sums of their segments, and add up to the corpus."""
    ids = st.sampled_from("xyz")
    documents = data.draw(st.lists(ids, min_size=len(sample), max_size=len(sample)))
    assert_rows_add(sample, SPECS, documents)


@no_deadline
@given(samples(max_segments=6), st.randoms(use_true_random=False))
def test_order_of_segments(sample: Sample, rng: random.Random) -> None:
    order = list(range(len(sample)))
    rng.shuffle(order)
    assert_order_is_irrelevant(sample, SPECS, order)


def test_threads_do_not_change_a_bit() -> None:
    rng = random.Random(1)
    words = [f"w{i}" for i in range(50)]

    def lines() -> list[str]:
        return [" ".join(rng.choices(words, k=rng.randrange(12))) for _ in range(41_003)]

    systems, references = {"": lines()}, [lines(), lines()]
    specs = ["gtm:tok=none", "gtm:tok=none,e=2"]
    one = mt.evaluate(systems, references, specs)
    several = mt.evaluate(systems, references, specs, threads=2)
    for key, rows in one.scores.rows.items():
        assert np.array_equal(rows, several.scores.rows[key])
        assert np.array_equal(one.scores.totals[key], several.scores.totals[key])


@no_deadline
@given(segments(), segments())
def test_tokens(one: str, other: str) -> None:
    """Only the five separators are removed, and each of them separates."""
    text = f"{one}\f{other}\r\n"
    tokens = gtm_tokens(text)
    assert "".join(tokens) == "".join(c for c in text if c not in " \t\r\n\f")
    assert tokens == [*gtm_tokens(one), *gtm_tokens(other)]


@pytest.mark.parametrize("e", ["0.99", "0", "-1", "nan", "inf", "two", ""])
def test_invalid_exponents_are_refused(e: str) -> None:
    with pytest.raises(mt.OptionError, match=f"e={e}: expected a number from 1 to"):
        mt.metric("gtm", e=e)


def test_an_unknown_matching_is_refused() -> None:
    with pytest.raises(mt.OptionError, match=r"expected greedy or exact\. Did you mean 'greedy'"):
        mt.metric("gtm:matching=greed")


@no_deadline
@given(exponents | st.integers(1, 9), st.sampled_from(["greedy", "exact"]))
def test_a_signature_is_a_spec(e: float, matching: str) -> None:
    metric = mt.metric("gtm", e=e, matching=matching)
    signature = metric.signature([["a reference"]])
    again = mt.metric(str(signature))
    assert again.signature([["a reference"]]) == signature
    assert again.setup.options == metric.setup.options
    assert again.setup.pipelines == metric.setup.pipelines


def test_the_signature_states_all_options() -> None:
    signature = str(mt.metric("gtm:e=2").signature([["a reference"]]))
    expected = "GTM|nrefs:1|case:mixed|tok:13a|e:2|matching:greedy|stem:none|refs:"
    assert signature.startswith(expected)

"""Properties of any text: ranges, references, identity, and options without effect."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mteval_chrf import tokenization
from mteval_testing import parametrize_with_checks
from mteval_testing.strategies import samples, segments
from mteval_testing.values import assert_range, evaluate_sample

import mteval_core as mt
from mteval_kernels import Vocabulary

if TYPE_CHECKING:
    from collections.abc import Callable

    from mteval_core import Sample

# Texts drawn at random look damaged.
pytestmark = pytest.mark.filterwarnings("ignore::mteval_core.MtevalWarning")

SPECS = [
    "chrf",
    "chrf:nw=2",
    "chrf:nw=2,eff=no,case=lc",
    "chrf:nc=3,nw=1,space=yes,beta=0.5",
    "chrf:beta=0,eff=no",
]

no_deadline = settings(deadline=None)


@parametrize_with_checks(SPECS)
def test_contract(spec: str, check: Callable[[str], None]) -> None:
    check(spec)


@pytest.mark.parametrize(
    ("scan", "cut"),
    [
        (tokenization.scan_words, tokenization.words),
        (tokenization.scan_characters_and_space, tokenization.characters),
    ],
)
@no_deadline
@given(texts=st.lists(segments(), max_size=5))
def test_many_texts_are_cut_as_one(scan: Any, cut: Any, texts: list[str]) -> None:
    text, vocabulary = mt.Text.of(texts), Vocabulary()
    ids, offsets = scan(text.buffer, text.starts, text.ends, vocabulary)
    found = [vocabulary.tokens(ids[a:b]) for a, b in pairwise(offsets)]
    assert found == [cut(text[i]) for i in range(len(texts))]


def score(spec: str, hypothesis: str, *references: str) -> float:
    return mt.metric(spec).sentence_score(hypothesis, references).score


@no_deadline
@given(samples())
def test_range(sample: Sample) -> None:
    """All in 0 to 100, and F between P and R with eff=yes."""
    highest = dict.fromkeys(("chrF", "chrP", "chrR"), 100)
    effective = [spec for spec in SPECS if "eff=no" not in spec]
    assert_range(evaluate_sample(sample, SPECS), highest)
    assert_range(evaluate_sample(sample, effective), highest, {"chrF": ("chrP", "chrR")})


@no_deadline
@given(segments(), segments())
def test_only_copies_score_100(hypothesis: str, reference: str) -> None:
    if reference.split():
        assert score("chrf:nw=2", reference, reference) == pytest.approx(100)
    if score("chrf", hypothesis, reference) > 100 - 1e-9:
        assert sorted("".join(hypothesis.split())) == sorted("".join(reference.split()))


@no_deadline
@given(segments(), st.lists(segments(), min_size=1, max_size=4))
def test_the_best_of_several_references_counts(hypothesis: str, references: list[str]) -> None:
    for spec in SPECS:
        each = [score(spec, hypothesis, reference) for reference in references]
        assert score(spec, hypothesis, *references) == max(each)


@no_deadline
@given(segments(), segments())
def test_the_other_side_changes_precision_and_recall(hypothesis: str, reference: str) -> None:
    for spec in ("chrf:beta=1,eff=no", "chrf:nc=1,beta=1"):
        swapped = score(spec, reference, hypothesis)
        assert score(spec, hypothesis, reference) == pytest.approx(swapped, abs=1e-9)


@no_deadline
@given(samples())
def test_the_tokenizer_of_other_metrics_changes_nothing(sample: Sample) -> None:
    plain = evaluate_sample(sample, SPECS)
    defaults = {"tok": "intl", "stem": "porter"}
    other = evaluate_sample(sample, [mt.metric(spec, defaults=defaults) for spec in SPECS])
    for spec in SPECS:
        assert plain.score("", spec).values == other.score("", spec).values
        assert "tok" not in plain.score("", spec).signature.fields


def test_unknown_option() -> None:
    with pytest.raises(mt.OptionError, match="no option 'tok'"):
        mt.metric("chrf:tok=13a")
    with pytest.raises(mt.OptionError, match="option nc=0"):
        mt.metric("chrf:nc=0")

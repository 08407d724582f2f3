"""Properties of any text: ranges, sums, stacks, threads, and equality with plain definitions."""

from __future__ import annotations

import random
import re
from collections import Counter
from math import exp, log, log2, prod
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mteval_bleu_nist import parse_sacrebleu
from mteval_bleu_nist.smoothing import Smoothing
from mteval_testing.strategies import samples
from mteval_testing.values import (
    assert_order_is_irrelevant,
    assert_range,
    assert_rows_add,
    evaluate_sample,
)

import mteval_core as mt

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mteval_core import Sample

    Tokens = Sequence[str]

# Texts drawn at random look damaged.
pytestmark = pytest.mark.filterwarnings("ignore::mteval_core.MtevalWarning")

BLEU = [
    "bleu",
    "bleu:smooth=none,tok=none",
    "bleu:smooth=floor,tok=none",
    "bleu:smooth=add-k[0.5],bp=shortest,tok=none",
    "bleu:smooth=mteval,bp=average,tok=none",
    "bleu:eff=yes,tok=char",
    "bleu:eff=yes,mean=arithmetic,tok=none",
    "bleu:order=1,tok=none",
    "bleu:order=9,mean=arithmetic,smooth=mteval,tok=none",
]
NIST = ["nist", "nist:weights=no", "nist:order=1", "nist:order=9,tok=none,case=mixed"]

no_deadline = settings(deadline=None)
many_specs = settings(deadline=None, max_examples=40)


@many_specs
@given(samples())
def test_range(sample: Sample) -> None:
    """BLEU and precisions are in 0 to 100, penalties in 0 to 1."""
    highest = {"BLEU": 100, "BP": 1, **{f"P{n}": 100 for n in range(1, 10)}}
    assert_range(evaluate_sample(sample, [*BLEU, *NIST]), highest)


@no_deadline
@given(samples())
def test_copies_of_a_reference_score_100(sample: Sample) -> None:
    """In BLEU, if they have an n-gram of every order."""
    copy = [references[0] for references in zip(*sample.references, strict=True)]
    specs = [spec for spec in BLEU if "bp=average" not in spec]
    evaluation = mt.evaluate({"": copy}, sample.references, specs)
    for spec in specs:
        longest = evaluation.scores.totals["", spec][-1]
        if longest:
            assert evaluation.score("", spec).score == pytest.approx(100, abs=1e-12), spec


def test_short_copies_of_the_reference() -> None:
    """BLEU of fewer tokens than its order is 0 as in sacreBLEU, or 100 as in mteval."""
    options = ["smooth=exp", "smooth=none", "smooth=mteval", "eff=yes", "order=3"]
    metrics = [mt.metric(f"bleu:{option}") for option in options]
    scores = [bleu.sentence_score("a b c", ["a b c"]).score for bleu in metrics]
    assert scores == pytest.approx([0, 0, 100, 100, 100], abs=1e-12)


def test_copies_of_the_reference_are_not_the_best_of_nist() -> None:
    """Leaving out a frequent word, which carries little information, raises the mean."""
    reference = "a a a a a a a a a b"
    nist = mt.metric("nist:order=1")
    copy = nist.sentence_score(reference, [reference]).score
    assert nist.sentence_score("a a a a a a a a b", [reference]).score > copy


@many_specs
@given(samples(max_segments=6), st.randoms(use_true_random=False))
def test_order_of_segments(sample: Sample, rng: random.Random) -> None:
    order = list(range(len(sample)))
    rng.shuffle(order)
    specs = [*BLEU, *NIST]
    assert_order_is_irrelevant(sample, specs, order)


@many_specs
@given(samples(max_segments=6), st.data())
def test_rows_add(sample: Sample, data: st.DataObject) -> None:
    """Documents in any arrangement have the sums of their segments, and add up to the corpus."""
    ids = st.sampled_from("xyz")
    documents = data.draw(st.lists(ids, min_size=len(sample), max_size=len(sample)))
    assert_rows_add(sample, [*BLEU, *NIST], documents)


@many_specs
@given(samples(max_segments=6))
def test_score_of_a_stack(sample: Sample) -> None:
    evaluation = evaluate_sample(sample, [*BLEU, *NIST])
    for spec, scorer in evaluation.scorers.items():
        rows = evaluation.scores.rows["", spec]
        stack = np.stack([rows, rows.cumsum(axis=0)])
        values = scorer.values(stack)
        assert values.shape == (2, len(rows), len(scorer.scales))
        for place in np.ndindex(values.shape[:-1]):
            np.testing.assert_allclose(values[place], scorer.values(stack[place]), 1e-12, 1e-12)


# The definitions, with counters.


def ngrams(tokens: Tokens, n: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1))


def clipped(hypothesis: Tokens, references: Sequence[Tokens], n: int) -> Counter[tuple[str, ...]]:
    """Clipped matches: at most as many as in any one reference."""
    most: Counter[tuple[str, ...]] = Counter()
    for reference in references:
        most |= ngrams(reference, n)
    return ngrams(hypothesis, n) & most


def split(sample: Sample) -> list[tuple[Tokens, list[Tokens]]]:
    """Tokens of every segment's hypothesis and references."""
    present = [
        [reference.split() for reference in references if reference is not None]
        for references in zip(*sample.references, strict=True)
    ]
    return list(zip(map(str.split, sample.hypotheses), present, strict=True))


@no_deadline
@given(
    samples(),
    st.integers(1, 6),
    st.sampled_from(["closest", "shortest", "average"]),
    st.sampled_from(["geometric", "arithmetic"]),
)
def test_bleu_is_its_definition(sample: Sample, order: int, bp: str, mean: str) -> None:
    segments = split(sample)
    c, r = 0.0, 0.0
    matched, total = [0] * order, [0] * order
    for hypothesis, references in segments:
        length, lengths = len(hypothesis), [len(reference) for reference in references]
        c += length
        r += {
            "closest": min(lengths, key=lambda other: (abs(other - length), other)),
            "shortest": min(lengths),
            "average": sum(lengths) / len(lengths),
        }[bp]
        for n in range(order):
            matched[n] += clipped(hypothesis, references, n + 1).total()
            total[n] += ngrams(hypothesis, n + 1).total()
    precisions = [m / t if t else 0.0 for m, t in zip(matched, total, strict=True)]
    penalty = min(1.0, exp(1 - r / c)) if c else 0.0
    average = prod(precisions) ** (1 / order) if mean == "geometric" else sum(precisions) / order

    score = mt.metric(f"bleu:tok=none,smooth=none,order={order},bp={bp},mean={mean}").corpus_score(
        sample.hypotheses, sample.references
    )
    assert score.score == pytest.approx(100 * penalty * average, rel=1e-12, abs=1e-12)
    assert [score.values[f"P{n}"] / 100 for n in range(1, order + 1)] == pytest.approx(precisions)
    lengths_found = (score.values["hyp_len"], score.values["ref_len"])
    assert lengths_found == pytest.approx((c, r), rel=1e-12)


@no_deadline
@given(samples(), st.integers(1, 6), st.booleans())
def test_nist_is_its_definition(sample: Sample, order: int, weights: bool) -> None:  # noqa: FBT001
    segments = split(sample)
    seen: Counter[tuple[str, ...]] = Counter()
    for _, references in segments:
        for reference in references:
            seen[()] += len(reference)
            for n in range(1, order + 1):
                seen += ngrams(reference, n)

    def information(ngram: tuple[str, ...]) -> float:
        return log2(seen[ngram[:-1]] / seen[ngram]) if weights else 1.0

    expected = 0.0
    for n in range(1, order + 1):
        matches = [clipped(hypothesis, references, n) for hypothesis, references in segments]
        gained = sum(k * information(ngram) for found in matches for ngram, k in found.items())
        total = sum(ngrams(hypothesis, n).total() for hypothesis, _ in segments)
        expected += gained / max(total, 1)
    c = sum(len(hypothesis) for hypothesis, _ in segments)
    r = sum(sum(map(len, references)) / len(references) for _, references in segments)
    ratio = min(c / r, 1) if r else 1
    expected *= exp(-log(2) * (log(ratio) / log(1.5)) ** 2) if ratio else 0

    spec = f"nist:tok=none,case=mixed,order={order},weights={'yes' if weights else 'no'}"
    score = mt.metric(spec).corpus_score(sample.hypotheses, sample.references)
    assert score.score == pytest.approx(expected, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("spec", [*BLEU, *NIST])
@pytest.mark.parametrize(
    ("hypothesis", "reference"), [("", "a b c d"), ("", ""), ("a b c d", "")], ids=repr
)
def test_nothing_to_compare(spec: str, hypothesis: str, reference: str) -> None:
    """Empty hypotheses and references score 0; mteval fails if references have no words.

    Only under its smoothing an empty reference has a score, like any reference that shares nothing:
    an order without a match counts half a match, the next one a quarter ...
    """
    score = mt.metric(spec).sentence_score(hypothesis, [reference]).score
    if "smooth=mteval" in spec and hypothesis:
        assert 0 < score < 100
    else:
        assert score == 0


def test_smoothing_of_mteval_where_nothing_matches() -> None:
    score = mt.metric("bleu:smooth=mteval").sentence_score("a b c d", [""])
    assert score.score == pytest.approx(100 * (1 / 2 / 4 / 4 / 3 / 8 / 2 / 16) ** (1 / 4))


# Options and signatures.


@pytest.mark.parametrize(
    ("signature", "spec"),
    [
        (
            "BLEU|nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0",
            "bleu:case=mixed,eff=no,tok=13a,smooth=exp",
        ),
        (
            "BLEU|#:1|c:lc|e:yes|tok:intl|s:floor[0.10]|v:2.6.0",
            "bleu:case=lc,eff=yes,tok=intl,smooth=floor[0.10]",
        ),
        (
            "BLEU|nrefs:var|bs:1000|seed:12345|case:lc|eff:no|tok:zh|smooth:add-k[1.00]|version:2.0.0",
            "bleu:case=lc,eff=no,tok=zh,smooth=add-k[1.00]",
        ),
        ("BLEU|t:wmt21|l:en-de|tok:char|v:2.3.1 = 27.1 58.0/33.2/20.9/13.6", "bleu:tok=char"),
    ],
)
def test_signatures_of_sacrebleu(signature: str, spec: str) -> None:
    parsed = mt.Signature.parse(signature)
    assert parse_sacrebleu(parsed.name, parsed.fields) == spec
    assert mt.metric(signature).signature() == mt.metric(spec).signature()
    assert mt.metric(signature).signature().get("order") == "4"


def test_signatures_of_other_metrics() -> None:
    parsed = mt.Signature.parse("chrF2|nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|version:2.6.0")
    assert parse_sacrebleu(parsed.name, parsed.fields) is None


@pytest.mark.parametrize("tok", ["flores9", "13a,order=2"])
def test_a_tokenizer_that_is_not_installed(tok: str) -> None:
    with pytest.raises(mt.UnknownNameError, match=f"unknown tokenizer '{tok}'"):
        mt.metric(f"BLEU|nrefs:1|case:mixed|eff:no|tok:{tok}|smooth:exp|version:2.6.0")


smoothings = st.one_of(
    st.sampled_from(["none", "exp", "mteval", "floor", "add-k"]),
    st.floats(0, 1, exclude_min=True).map("floor[{!r}]".format),
    st.floats(0, 1e300, exclude_min=True).map("add-k[{!r}]".format),
)


@no_deadline
@given(smoothings)
def test_smoothing_reads_what_it_writes(text: str) -> None:
    smoothing = Smoothing.parse(text)
    assert Smoothing.parse(str(smoothing)) == smoothing


@pytest.mark.parametrize("text", ["", "None", "laplace", "exp[1]", "floor0.1]", "floor[0.1"])
def test_what_is_no_smoothing(text: str) -> None:
    with pytest.raises(mt.OptionError, match=rf"smooth={re.escape(text)}: expected none, exp, mt"):
        mt.metric("bleu", smooth=text)


@pytest.mark.parametrize("value", ["", "0", "-1", "1.01", "nan", "inf", "one", "0.1]", "1e-400"])
def test_what_is_no_floor(value: str) -> None:
    """A floor above 1 would produce precisions above 1."""
    with pytest.raises(mt.OptionError, match=r"floor\[x\] with 0 < x <= 1"):
        mt.metric("bleu", smooth=f"floor[{value}]")


@no_deadline
@given(
    st.fixed_dictionaries(
        {
            "smooth": smoothings,
            "eff": st.booleans(),
            "order": st.integers(1, 15),
            "bp": st.sampled_from(["closest", "shortest", "average"]),
            "mean": st.sampled_from(["geometric", "arithmetic"]),
            "case": st.sampled_from(["mixed", "lc", "ascii"]),
            "tok": st.sampled_from(["none", "13a", "intl", "char", "zh", "mteval-v13a"]),
        }
    )
)
def test_a_signature_is_a_spec(options: dict[str, Any]) -> None:
    bleu = mt.metric("bleu", **options)
    signature = bleu.signature([["a reference"]])
    again = mt.metric(str(signature))
    assert again.signature([["a reference"]]) == signature
    assert again.setup.options == bleu.setup.options
    assert again.setup.pipelines == bleu.setup.pipelines


def test_the_signature_begins_as_that_of_sacrebleu() -> None:
    signature = str(mt.metric("bleu").signature([["a reference"]]))
    assert signature.startswith("BLEU|nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|order:4|")

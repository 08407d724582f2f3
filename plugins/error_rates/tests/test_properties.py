"""Properties of any text: bounds of the rates by each other, references, sums, signatures."""

from __future__ import annotations

from collections import Counter
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mteval_error_rates import characters, parse_sacrebleu, tercom
from mteval_testing import check_metric, parametrize_with_checks
from mteval_testing.strategies import samples, segments
from mteval_testing.values import assert_range, evaluate_sample, sentence_values

import mteval_core as mt
from mteval_kernels import Vocabulary

if TYPE_CHECKING:
    from collections.abc import Callable

    from mteval_core import Sample

# Texts drawn at random look damaged.
pytestmark = pytest.mark.filterwarnings("ignore::mteval_core.MtevalWarning")

# Many texts here are empty.

COUNTS_INSERTIONS = "wer:kinds=yes,empty=insertions"
"""As in jiwer, the rate of empty references is a number of words, which doubles with the text."""

SPECS = [
    "wer",
    "wer:over=hypothesis,tok=none",
    "per",
    "per:tok=char,case=lc",
    "ser",
    "ser:stem=porter",
    "ter",
    "ter:tok=13a,case=mixed",
    "ter:norm=yes,asian=yes",
    "ter:limits=sacrebleu",
    COUNTS_INSERTIONS,
    "wer:kinds=yes,over=hypothesis",
    "cer",
]

SPACED = st.text("a \u00a0\u3000\t", max_size=6)

no_deadline = settings(deadline=None)


@parametrize_with_checks([spec for spec in SPECS if spec != COUNTS_INSERTIONS])
def test_contract(spec: str, check: Callable[[str], None]) -> None:
    check(spec)


def test_contract_except_that_a_number_of_words_doubles_with_the_text() -> None:
    failed = [finding.check for finding in check_metric(COUNTS_INSERTIONS) if not finding.ok]
    assert failed == ["a_corpus_twice_scores_the_same"]


@pytest.mark.parametrize(
    ("scan", "cut"),
    [(tercom.scan, tercom.tokenize), (characters.scan, characters.characters)],
    ids=["tercom", "characters"],
)
@no_deadline
@given(texts=st.lists(segments() | SPACED, max_size=5), ascii_only=st.booleans())
def test_many_texts_are_cut_as_one(
    scan: Any,
    cut: Any,
    texts: list[str],
    ascii_only: bool,  # noqa: FBT001 - a case
) -> None:
    if ascii_only:
        texts = [text.encode("ascii", "ignore").decode() for text in texts]
    text, vocabulary = mt.Text.of(texts), Vocabulary()
    vocabulary.intern(["x", " ", ""])
    ids, offsets = scan(text.buffer, text.starts, text.ends, vocabulary)
    found = [vocabulary.tokens(ids[a:b]) for a, b in pairwise(offsets)]
    assert found == [cut(text[i]) for i in range(len(texts))]
    assert (ids.dtype, offsets.dtype) == (np.int32, np.int64)


def test_lower_is_better() -> None:
    assert {mt.metric(spec).declaration.better for spec in SPECS} == {"lower"}


values = partial(sentence_values, tok="none")


@no_deadline
@given(samples())
def test_range(sample: Sample) -> None:
    """No value is below 0, and no SER above 100."""
    assert_range(evaluate_sample(sample, SPECS), {"SER": 100})


@no_deadline
@given(segments(), segments())
def test_rates_bound_each_other(hypothesis: str, reference: str) -> None:
    """PER <= TER <= WER if TER's beam of 20 misses nothing; SER says whether they are 0."""
    per, wer, ser, ter = (
        values(spec, hypothesis, reference) for spec in ("per", "wer", "ser", "ter:case=mixed")
    )
    few = len(hypothesis.split()) <= 20 and len(reference.split()) <= 20
    assert per["PER"] <= wer["WER"] + 1e-9
    if few:
        assert per["PER"] - 1e-9 <= ter["TER"] <= wer["WER"] + 1e-9
    assert (wer["WER"] > 0) == (ser["SER"] > 0) == (ter["TER"] > 0)


@no_deadline
@given(st.lists(st.tuples(segments(), segments()), min_size=1, max_size=4))
def test_kinds_of_edits_are_those_of_jiwer(pairs: list[tuple[str, str]]) -> None:
    jiwer = pytest.importorskip("jiwer", reason="jiwer is the oracle")
    hypotheses, references = zip(
        *([" ".join(text.split()) for text in pair] for pair in pairs), strict=True
    )
    theirs = jiwer.process_words(list(references), list(hypotheses))
    scorer = mt.metric("wer:tok=none,kinds=yes,empty=insertions")
    ours = scorer.corpus_score(hypotheses, [references]).values
    for name, value in ours.items():
        kind = {"sub": "substitutions", "del": "deletions", "ins": "insertions"}.get(name, name)
        if hasattr(theirs, kind.lower()):
            scale = 100 if name.isupper() else 1
            assert value == pytest.approx(scale * getattr(theirs, kind.lower())), name
    plain = mt.metric("wer:tok=none").corpus_score(hypotheses, [references]).values
    assert plain["edits"] == ours["edits"]
    assert plain["WER"] == ours["WER"] or not plain["ref_len"]


@no_deadline
@given(segments(), segments())
def test_character_error_rate_is_that_of_jiwer(hypothesis: str, reference: str) -> None:
    jiwer = pytest.importorskip("jiwer", reason="jiwer is the oracle")
    theirs = jiwer.process_characters(reference, hypothesis)
    ours = mt.metric("cer:kinds=yes,empty=insertions").sentence_score(hypothesis, [reference])
    assert ours.score == pytest.approx(100 * theirs.cer)
    kinds = [ours.values[name] for name in ("hits", "sub", "del", "ins")]
    assert kinds == [theirs.hits, theirs.substitutions, theirs.deletions, theirs.insertions]


def test_kinds_of_edits_in_long_texts_are_those_of_jiwer() -> None:
    jiwer = pytest.importorskip("jiwer", reason="jiwer is the oracle")
    rng = np.random.default_rng(0)
    one, other = (" ".join(map(str, rng.integers(0, 5, n))) for n in (700, 650))
    theirs = jiwer.process_words(other, one)
    ours = mt.metric("wer:tok=none,kinds=yes").sentence_score(one, [other]).values
    assert [ours[name] for name in ("hits", "sub", "del", "ins")] == [
        theirs.hits,
        theirs.substitutions,
        theirs.deletions,
        theirs.insertions,
    ]


def test_a_reference_without_words() -> None:
    one, insertions = "wer:kinds=yes", "wer:kinds=yes,empty=insertions"
    assert values(one, "a b", "")["WER"] == 100
    assert values(insertions, "a b", "")["WER"] == 200
    assert values("wer", "a b", "")["WER"] == 100
    for spec in (one, insertions):
        assert values(spec, "", "")["WER"] == 0
        rates = values(spec, "a b", "")
        assert [rates[name] for name in ("MER", "WIL", "WIP")] == [100, 100, 0]
        rates = values(spec, "", "")
        assert [rates[name] for name in ("MER", "WIL", "WIP")] == [0, 0, 100]


@no_deadline
@given(segments(), segments())
def test_per_counts_bags_of_words(hypothesis: str, reference: str) -> None:
    h, r = Counter(hypothesis.split()), Counter(reference.split())
    errors = max((h - r).total(), (r - h).total())
    expected = 100 * errors / r.total() if r else 100 * (errors > 0)
    assert values("per", hypothesis, reference)["PER"] == pytest.approx(expected, abs=1e-9)


@no_deadline
@given(segments(), segments())
def test_edits_are_as_many_from_either_side(hypothesis: str, reference: str) -> None:
    there, back = values("wer", hypothesis, reference), values("wer", reference, hypothesis)
    assert there["edits"] == back["edits"]
    over = values("wer:over=hypothesis", hypothesis, reference)
    assert over["WER"] == pytest.approx(back["WER"])


@no_deadline
@given(segments(), st.lists(segments(), min_size=1, max_size=4))
def test_the_best_of_several_references_counts(hypothesis: str, references: list[str]) -> None:
    for spec, value in [
        ("wer", "WER"),
        ("wer:over=hypothesis", "WER"),
        ("per", "PER"),
        ("ser", "SER"),
        ("ter", "edits"),
    ]:
        each = [values(spec, hypothesis, reference)[value] for reference in references]
        assert values(spec, hypothesis, *references)[value] == min(each)
    mean = np.mean([len(reference.split()) for reference in references])
    assert values("ter", hypothesis, *references)["ref_len"] == pytest.approx(mean)


@no_deadline
@given(samples())
def test_edits_are_the_sum_of_their_kinds(sample: Sample) -> None:
    kinds = evaluate_sample(sample, ["ter"]).score("", "ter").values
    assert kinds["edits"] == sum(kinds[name] for name in ("ins", "del", "sub", "shifts"))
    assert kinds["shifts"] <= kinds["shifted"] <= 10 * kinds["shifts"]


def test_signatures() -> None:
    signatures = [str(mt.metric(spec).signature()).partition("|plugin")[0] for spec in SPECS]
    assert signatures[0] == "WER|case:mixed|tok:13a|over:reference|empty:one|kinds:no|stem:none"
    assert signatures[2] == "PER|case:mixed|tok:13a|stem:none"
    assert (
        signatures[6] == "TER|case:lc|tok:tercom|norm:no|punct:yes|asian:no|limits:tercom|stem:none"
    )


@pytest.mark.parametrize(
    ("signature", "spec"),
    [
        (
            "TER|nrefs:1|case:lc|tok:tercom|norm:no|punct:yes|asian:no|version:2.6.0",
            "ter:tok=none,limits=sacrebleu,case=lc,norm=no,punct=yes,asian=no",
        ),
        (
            "TER|#:4|c:mixed|t:tercom|nr:yes|pn:no|as:yes|v:2.6.0",
            "ter:tok=none,limits=sacrebleu,case=mixed,norm=yes,punct=no,asian=yes",
        ),
        ("BLEU|nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0", None),
    ],
)
def test_signatures_of_sacrebleu_are_read(signature: str, spec: str | None) -> None:
    parsed = mt.Signature.parse(signature)
    assert parse_sacrebleu(parsed.name, parsed.fields) == spec
    if spec is not None:
        ours, read = mt.metric(spec), mt.metric(signature)
        assert str(read.signature()) == str(ours.signature())


def test_ter_of_a_segment_that_is_too_long_names_the_other_limits() -> None:
    text = "a " * 2100
    with pytest.raises(mt.InputError, match="equal tokens; score ter:limits=sacrebleu"):
        mt.metric("ter").sentence_score(text, [f"{text}b"])
    score = mt.metric("ter:limits=sacrebleu").sentence_score(text, [f"{text}b"])
    assert score.score == pytest.approx(100 / 2101)

"""BLEU equals sacreBLEU 2.6 in every part, to 1e-9.

The rows of a set are compared one by one with sacreBLEU's own statistics of the segments; then the
formula, on corpus and on segments, with what sacreBLEU computes from these statistics. This
counts each text once for all smoothing methods.
"""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mteval_testing.originals import read_lines
from mteval_testing.strategies import samples

import mteval_core as mt

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from mteval_core import Sample

    Streams = Sequence[Sequence[str | None]]

# Texts drawn at random look damaged.
pytestmark = pytest.mark.filterwarnings("ignore::mteval_core.MtevalWarning")

sacrebleu = pytest.importorskip("sacrebleu", minversion="2.6")

ROOT = Path(__file__).parents[3]
EXAMPLE = ROOT / "examples" / "mini"
if not EXAMPLE.is_dir():
    pytest.skip("examples/mini is absent", allow_module_level=True)
DATA = ROOT.parent / "shared" / "data"
SETS = [
    pytest.param(
        DATA / name,
        id=name,
        marks=pytest.mark.skipif(
            not (DATA / name).is_dir(), reason=f"the test set ../shared/data/{name} is absent"
        ),
    )
    for name in ("ted21-zh-en", "ted21-en-de", "news23-en-de", "news24-en-ja", "summeval")
]
EVERY_SET = [pytest.param(EXAMPLE, id="mini"), *SETS]

TOKENIZERS = ("none", "13a", "intl", "char", "zh")
SMOOTHING: list[tuple[str, float | None]] = [
    ("none", None),
    ("floor", None),
    ("floor", 0.01),
    ("add-k", None),
    ("add-k", 0.5),
    ("exp", None),
]
FORMULAS = list(product(SMOOTHING, (False, True)))
"""Smoothing method and its value, and whether the order is the effective one."""

CHINESE = [
    ["他在2024年买了3.5公斤苹果。", "会议将于星期二（5月7日）举行。", "我不知道。"],
    ["2024年他买了3.5公斤的苹果。", "会议于5月7日星期二举行。", "我不知道!"],
    ["他 2024 年买了苹果,3.5公斤", "会议“星期二”开", "不知道"],
]
"""Hypotheses and two streams of references: no test set is translated into Chinese."""


def systems_of(folder: Path) -> dict[str, list[str]]:
    return {path.stem: read_lines(path) for path in sorted((folder / "systems").glob("*.txt"))}


def references_of(folder: Path) -> list[list[str]]:
    return [read_lines(path) for path in sorted(folder.glob("ref*.txt"))]


def without_some(references: Streams) -> Streams:
    """Remove every reference but the first from some segments."""
    first, *others = references
    return [first] + [
        [None if i % k else text for i, text in enumerate(stream)]
        for k, stream in enumerate(others, start=2)
    ]


def peer(options: dict[str, Any], references: Streams | None = None) -> Any:
    """Metric of sacreBLEU with the same options, which have the keys of mteval's specs."""
    return sacrebleu.BLEU(
        tokenize=options.get("tok", "13a"),
        lowercase=options.get("case") == "lc",
        max_ngram_order=options.get("order", 4),
        effective_order=options.get("eff", False),
        smooth_method=options.get("smooth", ("exp", None))[0],
        smooth_value=options.get("smooth", ("exp", None))[1],
        force=True,
        references=references,
    )


def ours(options: dict[str, Any]) -> mt.Scorer:
    given = dict(options)
    if "smooth" in given:
        method, value = given["smooth"]
        given["smooth"] = method if value is None else f"{method}[{value}]"
    return mt.metric("bleu", **given)


def parts(score: Any) -> list[float]:
    """Results of sacreBLEU in the order of mteval's values."""
    return [score.score, *score.precisions, score.bp, score.sys_len, score.ref_len]


def formulas(order: int = 4) -> Iterator[tuple[mt.Scorer, Any]]:
    """Formulas of this plugin and of sacreBLEU, for every smoothing, with and without eff."""
    for smooth, eff in FORMULAS:
        options = {"smooth": smooth, "eff": eff, "order": order}
        yield ours(options), peer(options)


def compare_sums(sums: NDArray[np.float64], order: int = 4) -> None:
    """Compare both formulas on sums of rows, shape (n, 2 + 2 * order)."""
    for scorer, other in formulas(order):
        expected = [parts(other._compute_score_from_stats(row)) for row in sums.tolist()]
        np.testing.assert_allclose(scorer.values(sums), expected, 0, 1e-9, err_msg=str(scorer.spec))


def compare_rows(
    systems: dict[str, list[str]], references: Streams, **options: Any
) -> dict[str, NDArray[np.float64]]:
    """Return the counts of every segment, which must be equal to sacreBLEU's."""
    other, scorer = peer(options, references), ours(options)
    evaluation = mt.evaluate(systems, references, [scorer])
    rows = {system: found for (system, _), found in evaluation.scores.rows.items()}
    assert list(rows) == list(systems)
    for system, found in rows.items():
        np.testing.assert_array_equal(
            found, other._extract_corpus_statistics(systems[system], None)
        )
    return rows


@pytest.mark.parametrize("folder", EVERY_SET)
def test_every_system(folder: Path) -> None:
    rows = compare_rows(systems_of(folder), references_of(folder), tok="13a")
    compare_sums(np.stack([found.sum(axis=0) for found in rows.values()]))
    compare_sums(np.concatenate(list(rows.values())))


@pytest.mark.parametrize("tok", TOKENIZERS)
@pytest.mark.parametrize("folder", EVERY_SET)
def test_every_tokenizer(folder: Path, tok: str) -> None:
    first, *_ = systems_of(folder).items()
    (rows,) = compare_rows(dict([first]), references_of(folder), tok=tok).values()
    compare_sums(rows.sum(axis=0)[None])


@pytest.mark.parametrize("folder", EVERY_SET)
def test_lower_case(folder: Path) -> None:
    systems, references = systems_of(folder), references_of(folder)
    rows = compare_rows(systems, references, tok="13a", case="lc")
    compare_sums(np.stack([found.sum(axis=0) for found in rows.values()]))


@pytest.mark.parametrize("folder", EVERY_SET)
def test_orders(folder: Path) -> None:
    first, *_ = systems_of(folder).items()
    (rows,) = compare_rows(dict([first]), references_of(folder), order=12).values()
    for order in range(1, 13):
        shorter = rows[:, columns(order)]
        compare_sums(np.concatenate([[shorter.sum(axis=0)], shorter[:20]]), order)


def columns(order: int) -> list[int]:
    """Columns of the rows of an order within those of order 12."""
    return [0, 1, *range(2, 2 + order), *range(14, 14 + order)]


@pytest.mark.parametrize("order", range(1, 12))
def test_rows_of_orders(order: int) -> None:
    first, *_ = systems_of(EXAMPLE).items()
    specs = ["bleu:order=12", f"bleu:order={order}"]
    evaluation = mt.evaluate(dict([first]), references_of(EXAMPLE), specs)
    longest, rows = evaluation.scores.rows.values()
    np.testing.assert_array_equal(rows, longest[:, columns(order)])


@pytest.mark.parametrize("folder", EVERY_SET)
def test_other_numbers_of_references(folder: Path) -> None:
    """One reference, and numbers of references that differ between segments."""
    first, *_ = systems_of(folder).items()
    references = references_of(folder)
    compare_rows(dict([first]), references[:1])
    compare_rows(dict([first]), without_some([*references, references[0][::-1]]))


@pytest.mark.parametrize("eff", [False, True])
@pytest.mark.parametrize("streams", ["one", "four", "uneven"])
@pytest.mark.parametrize("tok", TOKENIZERS)
def test_public_functions(tok: str, streams: str, *, eff: bool) -> None:
    """The calls of users in both, on the beginning of the example: one smoothing per system."""
    references = [stream[:40] for stream in references_of(EXAMPLE)]
    chosen = {"one": references[:1], "four": references, "uneven": without_some(references)}
    systems = systems_of(EXAMPLE).values()
    for hypotheses, smooth in zip(systems, SMOOTHING, strict=True):
        for case in ("mixed", "lc"):
            options = {"tok": tok, "case": case, "smooth": smooth, "eff": eff}
            compare_scores(hypotheses[:40], chosen[streams], options)


@pytest.mark.parametrize(("smooth", "eff"), FORMULAS)
@pytest.mark.parametrize("tok", TOKENIZERS)
def test_chinese(tok: str, smooth: tuple[str, float | None], *, eff: bool) -> None:
    compare_scores(CHINESE[0], CHINESE[1:], {"tok": tok, "smooth": smooth, "eff": eff})


@settings(deadline=None)
@given(samples(max_tokens=6), st.sampled_from(TOKENIZERS), st.sampled_from(["mixed", "lc"]))
def test_any_text(sample: Sample, tok: str, case: str) -> None:
    rows = compare_rows({"": list(sample.hypotheses)}, sample.references, tok=tok, case=case)
    compare_sums(np.concatenate([rows[""], [rows[""].sum(axis=0)]]))


def compare_scores(hypotheses: list[str], references: Streams, options: dict[str, Any]) -> None:
    """Compare the corpus score, some sentence scores, and signatures."""
    other, scorer = peer(options), ours(options)
    expected = other.corpus_score(hypotheses, references)
    score = scorer.corpus_score(hypotheses, references)
    assert list(score.values.values()) == pytest.approx(parts(expected), rel=0, abs=1e-9)

    signature = other.get_signature()
    same, _, _ = str(signature).partition("|version:")
    assert str(score.signature).startswith(f"BLEU|{same}|order:4|")
    for written in (str(signature), signature.format(short=True)):
        assert mt.metric(f"BLEU|{written}").setup.options == scorer.setup.options

    if options["eff"]:  # without it sacreBLEU scores sentences too, but warns
        for i in range(3):
            present = [text for stream in references if (text := stream[i]) is not None]
            sentence = scorer.sentence_score(hypotheses[i], present)
            expected = other.sentence_score(hypotheses[i], present)
            assert list(sentence.values.values()) == pytest.approx(parts(expected), rel=0, abs=1e-9)

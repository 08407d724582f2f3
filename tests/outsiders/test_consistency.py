from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import mteval_core as mt

if TYPE_CHECKING:
    from collections.abc import Callable

REFERENCE = ["the bank", "a bank", "no bank", "bank of a river", "river"]
SYSTEM = ["the bank", "a bank", "no shore", "bank of a stream", "river"]
DOCUMENTS = ["1", "1", "1", "2", "2"]
SPEC = "consistency"


def evaluated(registry: mt.Registry, documents: list[str] | None = DOCUMENTS) -> mt.Evaluation:
    systems = {"A": SYSTEM, "B": REFERENCE}
    return mt.evaluate(systems, [REFERENCE], [SPEC], documents=documents, registry=registry)


def test_a_row_depends_on_the_segments_before_it_in_its_document(registry: mt.Registry) -> None:
    # Segment 1 repeats "bank". Segment 2 does not, and segment 4 has no "river" before it.
    rows = evaluated(registry).scores.rows["A", SPEC]
    assert rows.tolist() == [[0, 0], [1, 1], [0, 1], [0, 0], [0, 1]]
    assert evaluated(registry).score("B", SPEC).score == 100.0


def test_other_documents_have_other_rows(registry: mt.Registry) -> None:
    rows = evaluated(registry, ["1"] * 5).scores.rows["A", SPEC]
    assert rows.tolist() == [[0, 0], [1, 1], [0, 1], [2, 2], [0, 1]]


def test_the_rows_of_a_document_are_those_of_the_document_alone(registry: mt.Registry) -> None:
    whole, metric = evaluated(registry), mt.metric(SPEC, registry=registry)
    alone = metric.corpus_score(SYSTEM[3:], mt.TestSet.of([REFERENCE[3:]], ["2", "2"]))
    assert alone.score == next(
        one["score"] for one in whole.to_records("doc") if one["id"] == "2" and one["system"] == "A"
    )


def test_a_segment_alone_has_nothing_around(registry: mt.Registry) -> None:
    metric = mt.metric(SPEC, registry=registry)
    assert metric.sentence_score("a bank", ["a bank"]).score == 0.0
    assert {score.score for score in metric.sentence_scores(SYSTEM, [REFERENCE])} == {0.0}


def test_segments_have_scores_and_only_documents_are_drawn(registry: mt.Registry) -> None:
    done = evaluated(registry)
    of_segments = [one["score"] for one in done.to_records("segment") if one["system"] == "A"]
    assert of_segments == [0, 100, 0, 0, 0]
    assert done.confidence(50, by="doc").compare("bs", 50, by="doc").intervals
    for draw in (done.confidence, lambda n: done.compare("ar", n)):
        with pytest.raises(mt.UsageError, match="depend on segments around: add --by doc"):
            draw(50)


def test_without_documents_the_error_names_the_flag(registry: mt.Registry) -> None:
    with pytest.raises(mt.InputError, match="no documents for the metric consistency: add --docs"):
        evaluated(registry, None)


@pytest.mark.parametrize(
    "view",
    [
        mt.View(of="document"),
        mt.View(before=1),
        mt.View(of="document", before=-1),
        mt.View(of="document", after=1.5),  # type: ignore[arg-type]
    ],
)
def test_views_that_mean_nothing_are_refused(plugin: Callable[..., Any], view: mt.View) -> None:
    spec = mt.MetricSpec("m", factory="x:X", values={"m": 1}, views={"around": view})
    with pytest.raises(mt.PluginError, match="its views"):
        mt.load_registry([plugin(metrics=[spec])], strict=True)


def test_raw_views_have_tabs_between_segments(plugin: Callable[..., Any]) -> None:
    seen: list[mt.TextCorpus] = []

    class Judge:
        def statistics(self, around: mt.TextCorpus) -> list[list[float]]:
            seen.append(around)
            return [[0.0]] * len(around)

    view = {"around": mt.View(of="document", before=1, after=1, raw=True)}
    spec = mt.MetricSpec("judge", factory=Judge, values={"judge": 1}, views=view, source="required")
    registry = mt.load_registry([plugin(metrics=[spec])])
    texts, source = ["a", "b", "c"], ["x", "y", "z"]
    known = mt.TestSet.of([["p", None, "r"], ["s", "t", "u"]], ["1"] * 3, source=source)
    mt.metric("judge", registry=registry).corpus_score(texts, known)
    assert seen[0].hypotheses == ["b", "a\tc", "b"]
    assert seen[0].sources == ["y", "x\tz", "y"]
    assert seen[0].references == [["", "t"], ["s\tu"], ["", "t"]]


@pytest.fixture
def correlate(outside: Callable[..., Any]) -> Callable[..., Any]:
    """Correlate the metric, and BLEU, with the ratings of the example."""
    for plugin in ("metaeval", "bleu_nist"):
        pytest.importorskip(f"mteval_{plugin}")
    mini = Path(__file__).parents[2] / "examples" / "mini"
    systems = [mini / "systems" / f"{name}.txt" for name in ("deep", "neural", "rule", "short")]
    files = [mini / "ref0.txt", "-i", *systems, "--human", mini / "ratings.tsv"]
    return partial(outside, "correlate", *files, "--docs", mini / "docs.txt", "-m", SPEC, "bleu")


@pytest.mark.parametrize(
    ("flags", "done"),
    [
        ("--level segment -n 10", "drawn"),
        ("--level system -n 10", "drawn"),
        ("--calibrate", "drawn"),
        ("--curve", "drawn"),
        ("--level segment --compare", "exchanged"),
        ("--compare --coefficient soft", "exchanged"),
    ],
)
def test_single_segments_are_not_drawn_and_not_exchanged(
    correlate: Callable[..., Any], flags: str, done: str
) -> None:
    refused = correlate(*flags.split())
    assert f"consistency depend on the segments around, which are not {done}" in refused.err


def test_correlations_draw_documents(correlate: Callable[..., Any]) -> None:
    assert "from 10 resamples of documents" in correlate("-n", "10", "--level", "doc").out


@pytest.mark.parametrize(
    ("flags", "with_soft_accuracy"),
    [
        ("-n 0", {"BLEU"}),
        ("-n 10 --resample systems", {"BLEU"}),
        ("-n 0 --by doc", {"BLEU", SPEC}),
    ],
)
def test_soft_accuracy_exchanges_documents(
    correlate: Callable[..., Any], flags: str, with_soft_accuracy: set[str]
) -> None:
    done = json.loads(correlate(*flags.split(), "-f", "json").out)
    soft = {one["metric"] for one in done["records"] if one["quantity"].startswith("soft")}
    noted = any("No soft pairwise accuracy of consistency" in note for note in done["notes"])
    assert (soft, noted) == (with_soft_accuracy, SPEC not in soft)


def test_parts_are_refused(outside: Callable[..., Any], tmp_path: Path) -> None:
    pytest.importorskip("mteval_scale")
    ref, docs = tmp_path / "ref", tmp_path / "docs"
    ref.write_text("\n".join(REFERENCE) + "\n")
    docs.write_text("\n".join(DOCUMENTS) + "\n")
    planned = outside(
        "plan", ref, "-i", ref, "-m", SPEC, "--docs", docs, "--level", "doc", "-o", tmp_path / "p"
    )
    assert "consistency needs whole documents, which parts cut" in planned.err

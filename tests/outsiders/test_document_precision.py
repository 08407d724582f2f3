from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import mteval_core as mt
from mteval_core.commands.card import form_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

A = ["a b c", "d e", "x y", "z"]
B = ["a b", "e", "x q", "z z"]
REFERENCE = ["d b c", "a e", "x q", "y z"]
DOCUMENTS = ["1", "1", "2", "2"]
SPEC = "doc-precision"


def evaluated(registry: mt.Registry, **more: Any) -> mt.Evaluation:
    more = {"documents": DOCUMENTS, **more}
    return mt.evaluate({"A": A, "B": B}, [REFERENCE], [SPEC, "wer"], registry=registry, **more)


def test_the_metric_sees_documents(registry: mt.Registry) -> None:
    # A has all words of both documents, in other segments. In B, one z of document 2 is too many.
    done = evaluated(registry)
    assert done.score("A", SPEC).score == 100.0
    by_document = [one for one in done.to_records("doc") if one["metric"] == SPEC]
    assert [one["score"] for one in by_document] == [100.0, 100.0, 100.0, 75.0]
    assert done.scores.rows["B", SPEC].tolist() == [[3, 3], [0, 0], [3, 4], [0, 0]]


def test_the_same_score_comes_from_texts_of_documents(registry: mt.Registry) -> None:
    metric = mt.metric(SPEC, registry=registry)
    known = mt.TestSet.of([REFERENCE], DOCUMENTS)
    assert metric.corpus_score(B, known).score == evaluated(registry).score("B", SPEC).score
    documents = ["x q z z", "a b e"], [["x q y z", "d b c a e"]]
    whole = metric.sentence_scores(*documents)
    assert [score.score for score in whole] == [75.0, 100.0]
    assert metric.sentence_score("x q z z", ["x q y z"]).score == 75.0


def test_the_signature_names_the_documents(registry: mt.Registry) -> None:
    one, other = (
        evaluated(registry, documents=names).signature("A", SPEC).get("docs")
        for names in (DOCUMENTS, ["1", "2", "2", "2"])
    )
    assert one
    assert one != other
    assert evaluated(registry).signature("A", "wer").get("docs") is None


def test_documents_are_drawn_and_segments_are_refused(registry: mt.Registry) -> None:
    done = evaluated(registry)
    drawn = done.confidence(50, by="doc")
    # There are only four ways to exchange two documents.
    with pytest.warns(mt.MtevalWarning, match="4 exchanges"):
        drawn = drawn.compare("ar", by="doc")
    assert drawn.comparisons["B", "A", SPEC].n == 4
    for refused in (
        lambda: done.confidence(50),
        lambda: done.compare("ar"),
        lambda: done.to_records("segment"),
    ):
        with pytest.raises(mt.UsageError, match=r"per doc, not per segment.*--by doc"):
            refused()


def test_without_documents_the_error_names_the_flag(registry: mt.Registry) -> None:
    with pytest.raises(
        mt.InputError, match=r"no documents for the metric doc-precision: add --docs"
    ):
        evaluated(registry, documents=None)


def test_pieces_that_could_cut_a_document_are_refused(registry: mt.Registry) -> None:
    state = mt.State(mt.metric(SPEC, registry=registry))
    with pytest.raises(mt.UsageError, match="needs whole documents: call corpus_score"):
        state.update(A[:3], [REFERENCE[:3]])


def test_a_document_without_a_complete_reference_is_refused(registry: mt.Registry) -> None:
    references = [["d b c", None, "x q", "y z"], [None, "a e", "x q", "y z"]]
    metric = mt.metric(SPEC, registry=registry)
    with pytest.raises(mt.InputError, match="no reference has all segments of the document '1'"):
        metric.corpus_score(A, mt.TestSet.of(references, DOCUMENTS))


def test_a_pooled_judge_sees_each_document_once(plugin: Callable[..., Any]) -> None:
    seen: list[str] = []

    class Judge:
        def statistics(self, texts: mt.TextCorpus) -> np.ndarray:
            seen.extend(texts.hypotheses)
            return np.array([[len(text.split("\t"))] for text in texts.hypotheses], float)

    declared = mt.MetricSpec(
        "judge",
        factory=Judge,
        values={"segments": 1},
        references="none",
        unit="document",
        pooled=True,
        views={"texts": mt.View(raw=True)},
    )
    registry = mt.load_registry([plugin(metrics=[declared])])
    assert form_of(mt.metric("judge", registry=registry)) == "documents"
    systems = {"A": ["a b", "c", "d"], "B": ["a b", "c", "e"]}
    source = ["x", "y", "z"]
    done = mt.evaluate(
        systems, (), ["judge"], documents=["1", "1", "2"], source=source, registry=registry
    )
    assert seen == ["a b\tc", "d", "e"]
    assert done.score("A", "judge").score == 1.5


def test_it_is_saved_replayed_and_decided_upon(outside: Callable[..., Any], tmp_path: Path) -> None:
    pytest.importorskip("mteval_decide")
    texts = {
        "a": A * 8,
        "b": B * 8,
        "ref": REFERENCE * 8,
        "docs": [f"d{k // 2}" for k in range(32)],
    }
    for name, lines in texts.items():
        (tmp_path / name).write_text("\n".join(lines) + "\n")
    a, b, ref, docs = (tmp_path / name for name in texts)
    report = tmp_path / "r.json"
    words = ["score", ref, "-i", a, b, "-m", SPEC, "--docs", docs]
    shown = outside(*words)
    assert shown.code == 0
    signature = next(line for line in shown.out.splitlines() if line.startswith(f"{SPEC}|"))
    assert outside(*words, "--by", "doc", "-ci", "-pbs", "-n", 99, "-o", report).code == 0
    assert "2 of 2 records and 1 of 1 comparisons pass" in outside("replay", report).out
    replayed = outside("replay", signature, ref, "-i", a, "--docs", docs)
    assert replayed.code == 0
    assert outside("gate", report, "-i", f"a={b}", "--by", "doc").code == 1
    assert "--by doc" in outside("gate", report, "-i", f"a={b}").err


def test_flags_without_effect_are_refused(outside: Callable[..., Any], tmp_path: Path) -> None:
    for name in ("ref", "sys", "docs"):
        (tmp_path / name).write_text("a\nb\n")
    ref, system, docs = (tmp_path / name for name in ("ref", "sys", "docs"))
    refused = outside("score", ref, "-i", system, "-m", "wer", "--docs", docs)
    assert "--docs applies to documents: add --level doc" in refused.err


def test_texts_without_documents_are_refused_and_a_segment_alone_is_a_document(
    registry: mt.Registry,
) -> None:
    metric = mt.metric(SPEC, registry=registry)
    with pytest.raises(mt.InputError, match="no documents for the metric doc-precision"):
        metric.corpus_score(["a b"], [["a b"]])
    assert metric.sentence_score("a b", ["a b"]).signature.get("docs")


def test_commands_take_documents_and_say_so(outside: Callable[..., Any], tmp_path: Path) -> None:
    texts = {"ref": [*REFERENCE, *REFERENCE], "A": [*A, *A], "B": [*B, *B]}
    texts["docs"] = [*"11223344"]
    for name, lines in texts.items():
        (tmp_path / f"{name}.txt").write_text("".join(f"{line}\n" for line in lines))
    ref, a, b, docs = (tmp_path / f"{name}.txt" for name in texts)
    pilot = outside(
        "power", ref, "-i", a, b, "-m", SPEC, "--docs", docs, "--by", "doc", "-f", "json"
    )
    (record,) = json.loads(pilot.out)["records"]
    assert (record["n"], record["design_effect"]) == (4, None)
    base = tmp_path / "base.json"
    assert outside("score", ref, "-i", a, "-m", SPEC, "--docs", docs, "-o", base).code == 0
    assert "8 segments, 4 documents" in outside("gate", base, "-i", b, "--by", "doc").out
    why = outside("why", base, "-i", b).out
    assert "segments changed, doc-precision ↑ has scores of documents only" in why
    assert "mteval explain" not in why
    assert f"mteval score REF -i SYS -m {SPEC} --docs DOCS" in outside("list", SPEC).out

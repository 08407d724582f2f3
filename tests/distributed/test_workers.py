"""What workers count, against plain sums."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mteval_core as mt
from mteval_core.distributed.partial import Partial
from mteval_core.distributed.plan import plan_of
from mteval_core.distributed.streaming import evaluate_files
from mteval_core.distributed.worker import (
    Batch,
    Worker,
    check_alone,
    first_of,
    grouped,
    texts_of,
)
from mteval_core.evaluation.poisson import poisson_weights
from mteval_core.text.blocks import LineFiles

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

HYPOTHESES = ["a", "a b c", "", "ü ü", "x"]
REFERENCES = ["a", "a b d", "e f", "ü", "y z"]
ROWS = [[0, 1], [1, 3], [2, 2], [1, 1], [2, 2]]
"""Edits and reference words of each segment, counted by hand."""


def batch(ids: Any, places: Any = range(5), **texts: Any) -> Batch:
    hypotheses, references = ([text[k] for k in places] for text in (HYPOTHESES, REFERENCES))
    test_set = mt.TestSet((mt.Text.of(references),), **texts)
    return Batch(np.array(ids, np.int64), {"A": mt.Text.of(hypotheses)}, test_set)


def planned(*metrics: str, **settings: Any) -> Worker:
    return Worker(plan_of(metrics or ["wer"], ["A"], ["r"], **settings))


@pytest.mark.parametrize("threads", [1, 3])
def test_sums_are_those_of_the_rows(threads: int) -> None:
    found = planned().count(batch([9, 4, 7, 0, 2]), threads)
    assert found.counted["A", "wer"].total.total().tolist() == [6, 9]
    assert found.counted["A", "wer"].row is None
    assert (found.n_segments, found.last, found.id_sum) == (5, 9, 22)
    assert (found.ids, found.rows, found.documents) == ([], {}, {})


def test_rows_are_kept_in_the_order_of_the_batch() -> None:
    found = planned(level="segment").count(batch([9, 4, 7, 0, 2]))
    assert found.all_ids.tolist() == [9, 4, 7, 0, 2]
    assert found.all_rows(("A", "wer")).tolist() == ROWS


@given(
    ids=st.lists(st.integers(0, 3000), min_size=5, max_size=5, unique=True), cut=st.integers(1, 4)
)
def test_resamples_are_weighted_sums(ids: list[int], cut: int) -> None:
    """In fractions: segment by segment, with the weight of its id."""
    worker = planned(resamples=4, seed=11)
    whole = Partial(worker.plan.id)
    for part in (range(cut), range(cut, 5)):
        whole.merge(worker.count(batch([ids[k] for k in part], part)))
    weights = np.concatenate([*poisson_weights(np.array(ids), 4, 11)])
    expected = [
        [sum(Fraction(int(w)) * row[k] for w, row in zip(drawn, ROWS, strict=True)) for k in (0, 1)]
        for drawn in weights
    ]
    resampled = whole.counted["A", "wer"].resampled
    assert resampled is not None
    assert resampled.total().tolist() == expected


def test_documents_are_sums_of_their_segments() -> None:
    one = batch([9, 4, 7, 0, 2], documents=("y", "x", "y", "z", "x"))
    assert grouped(one) == {"y": [0, 2], "x": [1, 4], "z": [3]}
    found = planned(level="doc").count(one).documents
    totals = {name: each.totals["A", "wer"].total().tolist() for name, each in found.items()}
    assert totals == {"y": [2, 3], "x": [3, 5], "z": [1, 1]}
    sizes = {name: (each.first, each.n_segments) for name, each in found.items()}
    assert sizes == {"y": (7, 2), "x": (2, 2), "z": (0, 1)}
    assert grouped(batch([1, 2, 3, 4, 5])) == {}


def test_all_texts_of_a_batch_have_a_role() -> None:
    source = mt.Text.of(list("12345"))
    full = batch(range(5), documents=tuple("yyxxz"), source=source)
    assert [*texts_of(full)] == [("hyp", "A"), ("ref", "0"), ("src", ""), ("doc", "")]
    assert list(texts_of(full)["doc", ""]) == list("yyxxz")
    assert [*texts_of(batch(range(5)))] == [("hyp", "A"), ("ref", "0")]
    alone = first_of(full.test_set)
    assert alone.source is not None
    assert [list(alone.source), list(alone.references[0])] == [["1"], ["a"]]
    assert (len(alone), alone.documents, first_of(batch(range(5)).test_set).source) == (
        1,
        None,
        None,
    )


def test_digests_of_parts_do_not_depend_on_their_order() -> None:
    worker = planned()
    parts = [worker.count(batch([k], [k])) for k in range(5)]
    digests = []
    for order in ([0, 1, 2, 3, 4], [3, 0, 4, 2, 1]):
        whole = Partial(worker.plan.id)
        for k in order:
            whole.merge(worker.count(batch([k], [k])))
        digests.append(whole.digests)
    assert digests[0] == digests[1]
    assert digests[0] != parts[0].digests
    swapped = worker.count(batch([1, 0, 2, 3, 4]))
    assert swapped.digests["hyp", "A"] != digests[0]["hyp", "A"]


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        (
            {"source": mt.Text.of(["s"] * 5)},
            "1 references and a source; the plan has A, 1 and no so",
        ),
        ({"ids": [0, 1, 2, 3]}, "4 ids for 5 segments; expected one each"),
        ({"ids": [0, 1, 2, 3, 3]}, "two segments have the id 3; expected an id of its own"),
        ({"ids": [0, 1, 2, 3, -3]}, "segment id -3: expected a whole number of at least 0"),
    ],
)
def test_batches_that_do_not_fit_are_refused(changed: dict[str, Any], message: str) -> None:
    wrong = batch(**{"ids": range(5), **changed})
    with pytest.raises(mt.InputError, match=message):
        planned().count(wrong)


def test_a_plan_with_a_source_needs_one() -> None:
    message = (
        "a batch with the systems A, 1 references and no source; the plan has A, 1 and a source"
    )
    with pytest.raises(mt.InputError, match=message):
        planned("untranslated", source=True).count(batch(range(5)))


def test_configured_metrics_must_be_those_of_the_plan() -> None:
    plan = planned().plan
    assert Worker(plan, scorers=[mt.metric("wer")]).scorers[0].spec == mt.metric("wer").spec
    with pytest.raises(
        mt.PluginError, match=r"wer:case=lc has the signature .*case:lc.* here, and"
    ):
        Worker(plan, scorers=[mt.metric("wer:case=lc")])


def test_a_row_may_differ_alone_by_the_tolerance_of_the_metric() -> None:
    class Tolerant:
        class declaration:
            tolerance = 0.01

        entry = "mine"

    alone: Any = np.array([[1.0, 100.0]])
    scorer: Any = Tolerant()
    check_alone(scorer, np.array([1.009, 99.1]), alone, 711)
    with pytest.raises(mt.PluginError, match=r"metric mine: the row of segment 711 is .* alone"):
        check_alone(scorer, np.array([1.011, 100.0]), alone, 711)
    with pytest.raises(mt.PluginError, match="the row of segment 711"):
        check_alone(scorer, np.array([np.nan, 100.0]), alone, 711)


def test_pieces_of_references_are_collected_by_metric() -> None:
    worker = planned("nist", "wer", "nist:order=1")
    assert [str(scorer.spec) for scorer in worker.collects] == ["nist", "nist:order=1"]
    pieces = [worker.collect(batch(part, part).test_set) for part in (range(2), range(2, 5))]
    seen = worker.collected(iter(pieces))
    n_words = {spec: each.counts.words.sum() for spec, each in seen.collection.items()}  # type: ignore[attr-defined]
    assert n_words == {"nist": 9, "nist:order=1": 9}
    assert seen.collects == []
    assert worker.collects != []
    assert len(worker.collected([]).collects) == 2


@pytest.fixture
def scored(tmp_path: Path) -> Callable[..., mt.Evaluation]:
    """Write texts, and score the first one by the others, in blocks of two lines."""

    def score(*texts: str, **settings: Any) -> mt.Evaluation:
        paths = []
        for k, text in enumerate(texts):
            paths.append(str(tmp_path / f"{k}.txt"))
            (tmp_path / f"{k}.txt").write_text(text, encoding="utf-8")
        files = LineFiles(paths[1:], paths[:1], n_lines=2)
        return evaluate_files(files, {"A": ["A"]}, [mt.metric("wer")], **settings)

    return score


@pytest.mark.filterwarnings("ignore::mteval_core.MtevalWarning")
@pytest.mark.parametrize("threads", [1, 2])
def test_files_are_sums_of_their_lines(scored: Any, tmp_path: Path, threads: int) -> None:
    hypotheses, references = ("".join(f"{s}\n" for s in text) for text in (HYPOTHESES, REFERENCES))
    found = scored(hypotheses, references, threads=threads)
    assert found.score("A", "wer").values == {
        "WER": pytest.approx(600 / 9),
        "edits": 6,
        "ref_len": 9,
    }
    assert len(found.test_set) == 5
    inputs = found.inputs()
    assert inputs["references"][0]["path"] == str(tmp_path / "1.txt")
    assert inputs["systems"]["A"][0]["hash"] == mt.Text.of(HYPOTHESES).digest.hex
    one = scored("a x\n", "a b\n", threads=threads)
    assert (one.score("A", "wer").score, len(one.test_set)) == (50, 1)


def test_files_without_lines_or_of_other_lengths_are_refused(scored: Any) -> None:
    with pytest.raises(mt.InputError, match=r"1\.txt.*the file is empty"):
        scored("", "")
    with pytest.raises(mt.InputError, match=r"0\.txt: 3 segments, but .*1\.txt has 5"):
        scored("a\n" * 3, "a\n" * 5)

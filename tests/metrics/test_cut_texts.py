"""Metrics whose models cut long texts: how many are cut, in a warning and in signatures."""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import mteval_core as mt

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

LIMIT = 3
"""Words that the model reads."""


class Model:
    """A model that reads three words; its answer is their number, and none if there is none."""

    def segment_statistics(self, hypothesis: list[str], references: list[list[str]]) -> list[float]:
        n_cut = sum(len(text) > LIMIT for text in (hypothesis, *references))
        read = len(hypothesis[:LIMIT])
        return [float(read or math.nan), n_cut if read else math.nan]


class Share(Model):
    """The same with a formula of sums."""

    def score(self, totals: NDArray[np.float64]) -> NDArray[np.float64]:
        assert totals.shape[-1] == 1
        return totals / 10


@dataclass(frozen=True)
class Prepared(Model):
    """A model that sees the references first."""

    seen: int = 0

    def prepare(self, words: Any, vocabulary: Any) -> Prepared:  # noqa: ARG002
        return replace(self, seen=len(words))


MODEL = mt.MetricSpec(
    "model",
    factory=Model,
    help="words that a model reads",
    values={"read": 1},
    views={"words": mt.View(tok="none")},
    bounds=(0, 3),
    may_cut=True,
)

SHORT, LONG, REFERENCES = ["a b", "a"], ["a b c d", "a b c d e"], [["a b c", "a b c d"]]


@pytest.fixture
def registry(plugin: Callable[..., Any]) -> mt.Registry:
    more = {
        "share": replace(MODEL, name="share", factory=Share),
        "prepared": replace(MODEL, name="prepared", factory=Prepared),
        "missing": replace(MODEL, name="missing", may_miss=True),
    }
    return mt.load_registry([plugin(metrics=[MODEL, *more.values()])])


@pytest.mark.parametrize(("name", "score"), [("model", 3), ("share", 0.6), ("prepared", 3)])
def test_cut_texts_are_counted_and_change_no_score(
    registry: mt.Registry, name: str, score: float
) -> None:
    scorer = mt.metric(name, registry=registry)
    with pytest.warns(mt.MtevalWarning, match=f"{name} cut texts .*: 3 for the hypotheses"):
        found = scorer.corpus_score(LONG, REFERENCES)
    assert found.values == {"read": score}
    assert found.signature.get("cut") == "3"
    assert mt.metric(str(found.signature), registry=registry).spec.name == name


@pytest.mark.filterwarnings("ignore::mteval_core.MtevalWarning")
@pytest.mark.parametrize("name", ["model", "prepared"])
def test_a_state_has_the_signature_of_the_whole(registry: mt.Registry, name: str) -> None:
    scorer = mt.metric(name, registry=registry)
    state = mt.State(scorer, REFERENCES)
    for i in (0, 1):
        state.update(LONG[i : i + 1], [REFERENCES[0][i : i + 1]])
    whole = scorer.corpus_score(LONG, REFERENCES)
    assert str(state.compute().signature) == str(whole.signature)
    assert state.compute().signature.get("cut") == "3"


@pytest.mark.filterwarnings("ignore::mteval_core.MtevalWarning")
@pytest.mark.parametrize("name", ["model", "share"])
def test_each_sentence_has_its_own_number(registry: mt.Registry, name: str) -> None:
    scorer = mt.metric(name, registry=registry)
    texts, references = [*LONG, "a"], [[*REFERENCES[0], "a"]]
    scores = scorer.sentence_scores(texts, references)
    alone = [scorer.sentence_score(t, [r]) for t, r in zip(texts, references[0], strict=True)]
    assert [score.signature.get("cut") for score in scores] == ["1", "2", None]
    assert [str(score.signature) for score in scores] == [str(one.signature) for one in alone]


@pytest.mark.filterwarnings("error")
def test_nothing_is_said_if_no_text_is_cut(registry: mt.Registry) -> None:
    found = mt.metric("model", registry=registry).corpus_score(SHORT, [["a", "b"]])
    assert (found.score, found.signature.get("cut")) == (1.5, None)


def test_a_warning_names_the_systems_and_signatures_have_their_numbers(
    registry: mt.Registry,
) -> None:
    with pytest.warns(mt.MtevalWarning, match=r"reads: 1 for A, 5 for B \[cut-texts\]$"):
        evaluation = mt.evaluate(
            {"A": SHORT, "B": [LONG, SHORT[:1] + LONG[:1]]}, REFERENCES, ["model"],
            registry=registry,
        )  # fmt: skip
    assert [evaluation.signature(name, "model").get("cut") for name in "AB"] == ["1", "5"]
    assert evaluation.confidence(10).score("A", "model").score == 1.5


@pytest.mark.filterwarnings("ignore::mteval_core.MtevalWarning")
def test_a_metric_may_miss_segments_and_cut_others(registry: mt.Registry) -> None:
    texts = [*(["a b c d"] * 19), ""]
    found = mt.metric("missing", registry=registry).corpus_score(texts, [["a"] * 20])
    assert found.values == {"read": 3, "coverage": 95}
    assert (found.signature.get("cover"), found.signature.get("cut")) == ("95", "19")


@pytest.mark.filterwarnings("ignore::mteval_core.MtevalWarning")
def test_with_jackknifing_the_set_with_most_cut_texts_counts(registry: mt.Registry) -> None:
    # Without the second reference, the hypotheses and one reference are cut; without the first, 2.
    scorer = mt.metric("model:loo=yes", registry=registry)
    found = scorer.corpus_score(LONG, [["a b c d", "a"], ["a", "a"]])
    assert (found.score, found.signature.get("cut")) == (3, "3")


def test_blocks_of_a_long_file_add_up(registry: mt.Registry, tmp_path: Path) -> None:
    paths = []
    for name, lines in {"ref": REFERENCES[0] * 5, "A": LONG * 5}.items():
        path = tmp_path / f"{name}.txt"
        path.write_text("\n".join([*lines, ""]), "utf-8")
        paths.append(str(path))
    source = mt.LineFiles(paths[:1], {"A": paths[1:]}, n_lines=3)
    scorers = [mt.metric("model", registry=registry)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", mt.MtevalWarning)
        evaluation = mt.evaluate(source, scorers, kept=mt.Kept())
    assert evaluation.score("A", "model").score == 3
    assert evaluation.signature("A", "model").get("cut") == "15"

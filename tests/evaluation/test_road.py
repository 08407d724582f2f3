"""Scores, intervals and p-values do not depend on where texts come from and how they are cut."""

from __future__ import annotations

import pickle
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import mteval_core as mt
from mteval_core.evaluation.counting import Kept, needs_whole
from mteval_core.evaluation.evaluate import to_evaluation
from mteval_core.evaluation.partial import Partial
from mteval_core.evaluation.sources import InMemory, LineFiles, Part, Source

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

MINI = Path(__file__).parents[2] / "examples" / "mini"
SYSTEMS = {name: MINI / "systems" / f"{name}.txt" for name in ("deep", "rule", "short")}
REFERENCES = [MINI / f"ref{k}.txt" for k in range(2)]
SOURCE = MINI / "src.de.txt"
METRICS = [
    entry.declaration.name
    for entry in mt.default_registry().of_kind(mt.MetricSpec)
    if not entry.declaration.pooled and not needs_whole(mt.metric(entry.declaration.name))
]
METRICS += ["bleu:loo=yes", "chrf:nw=2", "gtm:e=2"]
POISSON: dict[str, Any] = {"resampler": "poisson", "seed": 7}


def lines(path: Path) -> list[str]:
    return path.read_text().split("\n")[:-1]


TEXTS = {name: lines(path) for name, path in SYSTEMS.items()}
DOCUMENTS = lines(MINI / "docs.txt")
N = len(DOCUMENTS)


class Shuffled(Source):
    """Segments of texts in memory, in any order, some parts without any; results come backwards."""

    is_whole = False

    def __init__(self, whole: InMemory, n_parts: int, *, has_all: bool = True) -> None:
        super().__init__(whole.runs)
        order = np.random.default_rng(n_parts).permutation(N)
        self.whole, self.has_all = whole, has_all
        self.pieces: list[Any] = [*np.array_split(order, n_parts), np.empty(0, np.int64)]
        self.n_segments = N

    def parts(self) -> Iterator[Part]:
        for ids in self.pieces:
            if len(ids):
                yield some(self.whole.whole, ids)

    def map(self, function: Callable[..., Any], threads: int) -> Iterator[Any]:
        assert threads >= 1
        call = pickle.loads(pickle.dumps(function))
        for part in reversed([*self.parts()]):
            yield pickle.loads(pickle.dumps(call(part)))

    def references(self) -> Shuffled | None:
        return self if self.has_all else None


def some(whole: Part, ids: Any) -> Part:
    """Take some segments, wherever they are."""
    test_set = whole.test_set
    return Part(
        {run: text.take(ids) for run, text in whole.systems.items()},
        mt.TestSet(
            tuple(text.take(ids) for text in test_set.references),
            source=test_set.source and test_set.source.take(ids),
            documents=test_set.documents and tuple(test_set.documents[i] for i in ids),
        ),
        np.asarray(ids, np.int64),
    )


def in_memory(*, documents: bool = True) -> InMemory:
    references = [lines(path) for path in REFERENCES]
    return InMemory.of(
        TEXTS, references, source=lines(SOURCE), documents=DOCUMENTS if documents else None
    )


def with_statistics(evaluation: mt.Evaluation) -> mt.Evaluation:
    return evaluation.confidence(200, **POISSON).compare("bs", **POISSON)


def scored(source: Source, kept: Kept, threads: int = 1, specs: Any = METRICS) -> mt.Evaluation:
    return mt.evaluate(source, specs, kept=kept, threads=threads)


def small_file() -> InMemory:
    texts = {name: mt.read_text(path) for name, path in SYSTEMS.items()}
    references = mt.TestSet(tuple(map(mt.read_text, REFERENCES)), source=mt.read_text(SOURCE))
    return InMemory.of(texts, references)


def long_file(n_lines: int) -> LineFiles:
    outputs = {name: [str(path)] for name, path in SYSTEMS.items()}
    return LineFiles(list(map(str, REFERENCES)), outputs, str(SOURCE), n_lines=n_lines)


@pytest.fixture(scope="module")
def whole() -> mt.Evaluation:
    texts = in_memory()
    test_set = texts.whole.test_set
    return mt.evaluate(TEXTS, test_set, METRICS)


RESAMPLED = Kept(resamples=200, seed=7)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(
    ("source", "kept"),
    [
        (in_memory, RESAMPLED),
        (in_memory, Kept("segment")),
        (small_file, RESAMPLED),
        (partial(long_file, 25), RESAMPLED),
        (partial(long_file, 50), Kept("segment")),
        (partial(long_file, 10**6), RESAMPLED),
        *((lambda n=n: Shuffled(in_memory(), n), RESAMPLED) for n in (1, 2, 7)),
    ],
)
def test_all_roads_lead_to_the_same_numbers(
    whole: mt.Evaluation, source: Any, kept: Kept, threads: int
) -> None:
    assert len(METRICS) >= 14
    found, expected = with_statistics(scored(source(), kept, threads)), with_statistics(whole)
    assert found.to_records() == expected.to_records()
    assert found.to_dict()["comparisons"] == expected.to_dict()["comparisons"]
    digests = [each.to_dict()["inputs"]["systems"]["rule"][0]["hash"] for each in (found, whole)]
    assert digests[0] == digests[1]


@pytest.mark.slow
def test_many_small_parts_equal_the_whole() -> None:
    specs = ["bleu", "rouge-w", "meteor", "nist"]
    found, expected = (
        with_statistics(scored(source, RESAMPLED, specs=specs))
        for source in (Shuffled(in_memory(), 64), in_memory())
    )
    assert found.to_records() == expected.to_records()


@pytest.mark.parametrize("source", [in_memory, lambda: Shuffled(in_memory(), 7)])
def test_documents_are_the_same(whole: mt.Evaluation, source: Any) -> None:
    found = scored(source(), Kept("doc"))
    assert found.to_records("doc") == whole.to_records("doc")
    by_document = [each.confidence(100, by="doc").to_records() for each in (found, whole)]
    assert by_document[0] == by_document[1]


@pytest.mark.slow
def test_rows_are_the_same(whole: mt.Evaluation) -> None:
    found = scored(Shuffled(in_memory(), 3), Kept("segment"))
    assert found.to_records("segment") == whole.to_records("segment")
    assert found.compare().to_dict()["comparisons"] == whole.compare().to_dict()["comparisons"]


def test_the_hypotheses_of_a_system_can_have_runs() -> None:
    texts: dict[str, Any] = {"deep": [TEXTS["deep"], TEXTS["rule"]], "short": TEXTS["short"]}
    references = [lines(path) for path in REFERENCES]
    source = Shuffled(InMemory.of(texts, references), 2)
    assert source.runs["deep"] == ("deep (run 1)", "deep (run 2)")
    expected = mt.evaluate(texts, references, ["chrf"])
    assert scored(source, Kept(), specs=["chrf"]).to_records() == expected.to_records()


def test_a_source_has_all_texts() -> None:
    source = small_file()
    with pytest.raises(mt.UsageError, match="a data set has references"):
        mt.evaluate(source, [["a"]], ["wer"])
    with pytest.raises(mt.UsageError, match="a source has all texts: expected no documents"):
        mt.evaluate(source, ["wer"], documents=["d"])


def merged(source: Source, kept: Kept, specs: Sequence[str]) -> mt.Evaluation:
    scorers = list(map(mt.metric, specs))
    found = kept.count_source(source, kept.with_references(scorers, source))
    found.merge(Partial())
    return to_evaluation(found, source.runs, scorers, kept)


def test_an_evaluation_can_be_made_later(whole: mt.Evaluation) -> None:
    """The metrics that make it have not seen the references."""
    found = merged(Shuffled(in_memory(), 2), Kept(), ["bleu:loo=yes", "nist"])
    expected = [one for one in whole.to_records() if one["metric"] in found.scorers]
    key = lambda one: (one["metric"], one["system"])  # noqa: E731
    assert sorted(found.to_records(), key=key) == sorted(expected, key=key)


class Huge:
    """Rows whose sum is too large."""

    def statistics(self, words: mt.TokenizedCorpus) -> Any:
        return np.full((len(words), 1), 2.0**50)

    def score(self, totals: Any) -> Any:
        return totals


@pytest.mark.parametrize("n_parts", [None, 3])
def test_sums_that_are_too_large_are_refused(
    plugin: Callable[..., Any], matches: mt.MetricSpec, n_parts: int | None
) -> None:
    mine = replace(matches, factory=Huge, options=(), values={"n": 1.0}, bounds=(0, np.inf))
    scorers = [mt.metric("matches", registry=mt.load_registry([plugin(metrics=[mine])]))]
    source = long_file(50) if n_parts else in_memory()
    with pytest.raises(mt.PluginError, match=r"a sum of rows is 1\.35\d*e\+17: above 2\^53"):
        mt.evaluate(source, scorers, kept=Kept())


@pytest.mark.parametrize(
    ("pieces", "message"),
    [
        ([[0, 1], [1]], "3 segments with ids up to 1: some ids come twice"),
        ([[0, 1], [0, 3]], "4 segments with ids up to 3: some ids come twice"),
        ([[2, 2]], "have the id 2"),
        ([], "the test set is empty"),
    ],
)
def test_repeated_ids_are_refused(pieces: list[list[int]], message: str) -> None:
    source = Shuffled(in_memory(), 1)
    source.pieces, source.n_segments = pieces, None
    with pytest.raises(mt.InputError, match=message):
        scored(source, Kept(), specs=["wer"])


def test_as_many_segments_are_counted_as_there_are() -> None:
    source = Shuffled(in_memory(), 3)
    source.pieces.pop(0)
    with pytest.raises(mt.InputError, match=f"80 segments were counted of {N}: the files have"):
        scored(source, Kept(), specs=["wer"])


def test_what_cannot_be_counted_in_parts_is_refused() -> None:
    cut = Shuffled(in_memory(), 2)
    with pytest.raises(mt.UsageError, match="nist:loo=yes must see all references before it count"):
        scored(cut, Kept(), specs=["nist:loo=yes"])
    cut.has_all = False
    with pytest.raises(mt.UsageError, match="collect them first"):
        scored(cut, Kept(), specs=["nist"])


def test_only_what_was_counted_can_be_asked_for() -> None:
    found = scored(Shuffled(in_memory(documents=False), 2), RESAMPLED, specs=["wer"])
    for ask, message in (
        (lambda: found.confidence(200), "only 200 resamples of a Poisson bootstrap"),
        (lambda: found.confidence(100, seed=7, resampler="poisson"), "expected intervals and"),
        (lambda: found.compare("ar"), "only 200 resamples"),
        (lambda: found.to_records("doc"), "the texts were counted in parts and dropped"),
        (lambda: found.scores.corpus, "the texts were counted in parts and dropped"),
    ):
        with pytest.raises(mt.UsageError, match=message):
            ask()


def test_texts_in_memory_stay_with_the_evaluation(whole: mt.Evaluation) -> None:
    assert list(whole.scores.corpus.texts["rule"]) == TEXTS["rule"]
    source = in_memory()
    found = scored(source, Kept(), specs=["bleu", "nist"])
    assert found.scores.corpus.test_set is source.whole.test_set
    assert found.scores.rows == {}


def test_humans_are_scored_beside_the_systems() -> None:
    references = mt.TestSet(tuple(map(mt.read_text, REFERENCES)))
    source = InMemory.of(TEXTS, references, humans=True)
    assert [*source.runs] == [*TEXTS, "ref0 (human)", "ref1 (human)"]
    found = scored(source, Kept(), specs=["wer", "nist"])
    others = mt.TestSet(references.references[1:])
    alone = mt.evaluate({"ref0 (human)": references.references[0]}, others, ["wer", "nist"])
    for spec in ("wer", "nist"):
        score = found.score("ref0 (human)", spec)
        assert score == alone.score("ref0 (human)", spec)

"""A plugin of mistakes: each declaration has one that authors of plugins make.

``mteval -p mistakes.py check hash-of-words`` shows what the kit says about one. The tables at the
end of each part name the check that is there for it.
"""

from __future__ import annotations

import itertools
import os
import random
import threading
import time
from collections import Counter
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

import mteval_core as mt

if TYPE_CHECKING:
    from collections.abc import Iterator

mteval_api = 1


# Metrics


@dataclass(frozen=True)
class Sound:
    """F-measure of clipped unigram matches: nothing is wrong with it."""

    bonus: float = 0.0

    def segment_statistics(self, hypothesis: list[str], references: list[list[str]]) -> list[float]:
        rows = [
            ((Counter(hypothesis) & Counter(r)).total(), len(hypothesis), len(r))
            for r in references
        ]
        return [*max(rows, key=lambda row: (2 * row[0] / max(row[1] + row[2], 1), -row[2]))]

    def score(self, totals: Any) -> Any:
        m, n = totals[..., 0], totals[..., 1] + totals[..., 2]
        f = np.divide(2 * m, n, out=np.zeros_like(m), where=n > 0)
        return np.minimum(f + self.bonus, 1)[..., None]


BONUS = mt.Option("bonus", 0.0, "added to the score", minimum=0, maximum=1)

SOUND = mt.MetricSpec(
    "sound",
    factory=Sound,
    help="F-measure of unigrams",
    values={"F": 100},
    options=(BONUS,),
    bounds=(0, 100),
)


def tokens_of(words: mt.TokenizedCorpus) -> Iterator[tuple[list[str], list[list[str]]]]:
    """Yield the hypothesis and the references of each segment."""
    tokens = words.vocabulary.tokens
    h, r = words.hypotheses, words.references
    for i in range(len(words)):
        of_segment = range(r.index[i], r.index[i + 1])
        yield (
            tokens(h.ids[h.starts[i] : h.ends[i]]),
            [tokens(r.ids[r.starts[k] : r.ends[k]]) for k in of_segment],
        )


def rows_of(metric: Any, words: mt.TokenizedCorpus) -> Any:
    return np.array([metric.segment_statistics(*each) for each in tokens_of(words)], float)


class PlaceWeighs(Sound):
    def statistics(self, words: mt.TokenizedCorpus) -> Any:
        rows = rows_of(self, words)
        return rows * np.linspace(1, 0.5, len(rows))[:, None]


class CountsItsCalls(Sound):
    calls = itertools.count()

    def segment_statistics(self, hypothesis: list[str], references: list[list[str]]) -> list[float]:
        m, h, r = super().segment_statistics(hypothesis, references)
        return [m, h + next(self.calls) * 1e-3, r]


class SumForMean(Sound):
    def segment_statistics(self, hypothesis: list[str], references: list[list[str]]) -> list[float]:
        m, h, r = super().segment_statistics(hypothesis, references)
        return [2 * m / max(h + r, 1)]

    def score(self, totals: Any) -> Any:
        return totals[..., :1]


class NanOfNothing(Sound):
    def segment_statistics(self, hypothesis: list[str], references: list[list[str]]) -> list[float]:
        row = super().segment_statistics(hypothesis, references)
        return row if hypothesis else [0.0, float("nan"), 0.0]


class FailsOnNothing(Sound):
    def segment_statistics(self, hypothesis: list[str], references: list[list[str]]) -> list[float]:
        row = super().segment_statistics(hypothesis, references)
        return [row[0] / len(hypothesis) * len(hypothesis), *row[1:]]


class AsciiOnly(Sound):
    def segment_statistics(self, hypothesis: list[str], references: list[list[str]]) -> list[float]:
        " ".join(hypothesis).encode("ascii")
        return super().segment_statistics(hypothesis, references)


class RemembersItsSegment(Sound):
    def segment_statistics(self, hypothesis: list[str], references: list[list[str]]) -> list[float]:
        object.__setattr__(self, "hypothesis", hypothesis)
        time.sleep(0.001)
        return super().segment_statistics(vars(self)["hypothesis"], references)


class Noise(Sound):
    size = 1e-2

    def segment_statistics(self, hypothesis: list[str], references: list[list[str]]) -> list[float]:
        m, h, r = super().segment_statistics(hypothesis, references)
        return [m, h + random.random() * self.size, r]


class LittleNoise(Noise):
    size = 1e-8


class Cubic(Sound):
    def segment_statistics(self, hypothesis: list[str], references: list[list[str]]) -> list[float]:
        start = time.thread_time()
        cost = 1e-7 * len(hypothesis) ** 3
        while len({*hypothesis}) == 1 and time.thread_time() - start < cost:
            pass
        return super().segment_statistics(hypothesis, references)


@dataclass(frozen=True)
class UndeclaredSetting(Sound):
    weight: float = 1.0


class FirstReference(Sound):
    def segment_statistics(self, hypothesis: list[str], references: list[list[str]]) -> list[float]:
        return super().segment_statistics(hypothesis, references[:1])


class NotToBePickled(Sound):
    def __reduce__(self) -> Any:
        raise TypeError("cannot be pickled")


class NormalizedInItsBatch(Sound):
    def statistics(self, words: mt.TokenizedCorpus) -> Any:
        rows = rows_of(self, words)
        return rows / max(1.0, rows[:, 1].max())


class PaddedInItsBatch(Sound):
    def statistics(self, words: mt.TokenizedCorpus) -> Any:
        rows = rows_of(self, words)
        padding = rows[:, 1].max() - rows[:, 1]
        return rows + np.stack([0 * padding, 0.01 * padding, 0 * padding], axis=-1)


class OneValueForAll(Sound):
    def score(self, totals: Any) -> Any:
        f = super().score(totals)
        return f if totals.ndim == 1 else np.full_like(f, f.mean())


class IgnoresWeights:
    def segment_statistics(self, hypothesis: list[str], references: list[list[str]]) -> list[float]:
        shared = (Counter(hypothesis) & Counter(references[0])).total()
        return [shared / max(1, len(hypothesis), len(references[0]))]

    def score_rows(self, rows: Any, weights: Any) -> Any:
        return np.broadcast_to(rows.mean(axis=0), (*weights.shape[:-1], 1))


class PreparedInPlace(Sound):
    def prepare(self, words: Any, vocabulary: Any) -> Any:
        vars(self)["seen"] = vars(self).get("seen", 0) + 1
        return self

    def segment_statistics(self, hypothesis: list[str], references: list[list[str]]) -> list[float]:
        m, h, r = super().segment_statistics(hypothesis, references)
        return [m, h + 0.01 * vars(self).get("seen", 0), r]


class ExplainsAnotherRow(Sound):
    def explain(self, words: Any) -> mt.Explanation:
        hypothesis, references = words.segment()
        terms = tuple(mt.Term(name, 1.0) for name in ("matches", "h", "r"))
        return mt.Explanation(hypothesis, references, (), terms, ("matches", "h", "r"))


class MarksTokensAsCharacters(Sound):
    def marks(self, words: Any) -> Any:
        ends = words.hypotheses.lengths.tolist()
        return [[mt.Mark("hypothesis", n + 99, n + 100, "minor")] for n in ends]


class MarksTheTarget(Sound):
    def marks(self, words: Any) -> Any:
        return [[mt.Mark("target", 0, 0, "minor")] for _ in range(len(words))]


class MarksBackwards(Sound):
    def marks(self, words: Any) -> Any:
        return [[mt.Mark("hypothesis", 1, 0, "minor")] for _ in range(len(words))]


class MarksByCompany(Sound):
    def marks(self, words: Any) -> Any:
        said = f"one of {len(words)}"
        return [[mt.Mark("hypothesis", 0, 0, "minor", note=said)] for _ in range(len(words))]


class MarksWordsAsScored(Sound):
    """Looks for words in the text as it is, which has no words in lower case, and no stems."""

    def statistics(self, words: mt.TokenizedCorpus, texts: Any) -> Any:
        return rows_of(self, words)

    def marks(self, words: mt.TokenizedCorpus, texts: mt.TextCorpus) -> Any:
        for text, (tokens, references) in zip(texts.hypotheses, tokens_of(words), strict=True):
            found = [(text.find(token), len(token)) for token in tokens if token in references[0]]
            yield [mt.Mark("hypothesis", i, i + n, "neutral") for i, n in found]


class ScoresSegmentsOfDocuments(Sound):
    def statistics(self, texts: mt.TextCorpus) -> Any:
        pairs = zip(texts.hypotheses, texts.references, strict=True)
        return [
            self.segment_statistics(hypothesis.split(), [reference.split()])
            for document, references in pairs
            for hypothesis, reference in zip(
                document.split("\t"), references[0].split("\t"), strict=False
            )
        ]


class EmptiesItsArguments(Sound):
    def segment_statistics(self, hypothesis: list[str], references: list[list[str]]) -> list[float]:
        row = super().segment_statistics(hypothesis, references)
        hypothesis.clear()
        references.clear()
        return row


class Prints(Sound):
    def segment_statistics(self, hypothesis: list[str], references: list[list[str]]) -> list[float]:
        print("scoring", len(hypothesis), "tokens")  # noqa: T201 - the mistake
        return super().segment_statistics(hypothesis, references)


class HashOfWords(Sound):
    def segment_statistics(self, hypothesis: list[str], references: list[list[str]]) -> list[float]:
        m, h, r = super().segment_statistics(hypothesis, references)
        return [m, h + sum(hash(token) % 97 for token in hypothesis) * 1e-4, r]


class OrderOfASet(Sound):
    """Adds a little for the first word of a set, in an order that the hashes decide."""

    def segment_statistics(self, hypothesis: list[str], references: list[list[str]]) -> list[float]:
        m, h, r = super().segment_statistics(hypothesis, references)
        return [m, h + sum(len(token) for token in [*{*hypothesis}][:3]) * 1e-6, r]


class RemembersHypotheses(Sound):
    rows: ClassVar[dict[str, list[float]]] = {}

    def segment_statistics(self, hypothesis: list[str], references: list[list[str]]) -> list[float]:
        text = " ".join(hypothesis)
        if text not in self.rows:
            self.rows[text] = super().segment_statistics(hypothesis, references)
        return self.rows[text]


class SeededByProcess(Sound):
    bias = random.Random(os.getpid()).random()

    def segment_statistics(self, hypothesis: list[str], references: list[list[str]]) -> list[float]:
        m, h, r = super().segment_statistics(hypothesis, references)
        return [m, h + self.bias, r]


class Cuts20(Sound):
    longest = 20

    def segment_statistics(self, hypothesis: list[str], references: list[list[str]]) -> list[float]:
        short = [reference[: self.longest] for reference in references]
        return super().segment_statistics(hypothesis[: self.longest], short)


class Cuts100(Cuts20):
    longest = 100


class CutsReferences(Sound):
    def segment_statistics(self, hypothesis: list[str], references: list[list[str]]) -> list[float]:
        return super().segment_statistics(hypothesis, [reference[:50] for reference in references])


class DropsNumbers(Sound):
    def segment_statistics(self, hypothesis: list[str], references: list[list[str]]) -> list[float]:
        def words(tokens: list[str]) -> list[str]:
            return [token for token in tokens if not token.isdigit()]

        return super().segment_statistics(words(hypothesis), [*map(words, references)])


class CountsASegmentOnce(Sound):
    def statistics(self, words: mt.TokenizedCorpus) -> Any:
        rows = rows_of(self, words)
        _, first = np.unique(rows, axis=0, return_index=True)
        return np.where(np.isin(np.arange(len(rows)), first)[:, None], rows, 0)


class FailsOnLongWords(Sound):
    def segment_statistics(self, hypothesis: list[str], references: list[list[str]]) -> list[float]:
        assert all(len(token) < 200 for token in hypothesis)
        return super().segment_statistics(hypothesis, references)


class SeedsAll(Sound):
    def segment_statistics(self, hypothesis: list[str], references: list[list[str]]) -> list[float]:
        random.seed(0)
        return super().segment_statistics(hypothesis, references)


class LatinLettersOnly(Sound):
    def segment_statistics(self, hypothesis: list[str], references: list[list[str]]) -> list[float]:
        def latin(tokens: list[str]) -> list[str]:
            return [token for token in tokens if token.isascii()]

        return super().segment_statistics(latin(hypothesis), [*map(latin, references)])


class LowersCase(Sound):
    def segment_statistics(self, hypothesis: list[str], references: list[list[str]]) -> list[float]:
        def lower(tokens: list[str]) -> list[str]:
            return [token.lower() for token in tokens]

        return super().segment_statistics(lower(hypothesis), [*map(lower, references)])


@dataclass(frozen=True)
class IgnoresAnOption(Sound):
    order: int = 2


class IgnoresTheSource(Sound):
    def statistics(self, words: mt.TokenizedCorpus, sources: Any) -> Any:
        return rows_of(self, words)


class ValuesInWrongOrder(Sound):
    """Returns the penalty and then the F-measure, and declares the F-measure first."""

    def score(self, totals: Any) -> Any:
        penalty = np.where(totals[..., 1] > 2 * totals[..., 2], 0.5, 1.0)
        return np.stack([penalty, super().score(totals)[..., 0]], axis=-1)


class AddsReferencesUp(Sound):
    def segment_statistics(self, hypothesis: list[str], references: list[list[str]]) -> list[float]:
        rows = [
            super(AddsReferencesUp, self).segment_statistics(hypothesis, [r]) for r in references
        ]
        return [sum(row[0] for row in rows), len(hypothesis), sum(row[2] for row in rows)]


class FormsDifferLater(Sound):
    """One form takes the best reference, the other the first; few texts have a better second."""

    def statistics(self, words: mt.TokenizedCorpus) -> Any:
        return rows_of(Sound(), words)

    def segment_statistics(self, hypothesis: list[str], references: list[list[str]]) -> list[float]:
        if len(hypothesis) > 12 and hypothesis[0] != "Two":
            return super().segment_statistics(hypothesis, references[:1])
        return super().segment_statistics(hypothesis, references)


class PerCentAlready(Sound):
    def score(self, totals: Any) -> Any:
        return super().score(totals) * 100


class HalfPrecision(Sound):
    def score(self, totals: Any) -> Any:
        m, n = (np.asarray(each, np.float16) for each in (totals[..., 0], totals[..., 1:].sum(-1)))
        with np.errstate(all="ignore"):
            return np.where(n > 0, 2 * m / np.maximum(n, np.float16(1)), 0)[..., None].astype(float)


class ReadsTheEnvironment(Sound):
    def segment_statistics(self, hypothesis: list[str], references: list[list[str]]) -> list[float]:
        m, h, r = super().segment_statistics(hypothesis, references)
        return [m * float(os.environ.get("MISTAKES_WEIGHT", "1")), h, r]


WORDS = Path(__file__).parents[3] / "examples" / "mini" / "ref0.txt"


class ReadsAFile(Sound):
    def segment_statistics(self, hypothesis: list[str], references: list[list[str]]) -> list[float]:
        words = WORDS.read_text(encoding="utf-8").split()
        return super().segment_statistics([t for t in hypothesis if t != words[0]], references)


class Leaks(Sound):
    kept: ClassVar[list[bytes]] = []

    def segment_statistics(self, hypothesis: list[str], references: list[list[str]]) -> list[float]:
        self.kept.append(bytes(200_000))
        return super().segment_statistics(hypothesis, references)


class ChangesTheFolder(Sound):
    def segment_statistics(self, hypothesis: list[str], references: list[list[str]]) -> list[float]:
        os.chdir("/")
        return super().segment_statistics(hypothesis, references)


class LeavesAThread(Sound):
    def statistics(self, words: mt.TokenizedCorpus) -> Any:
        threading.Thread(target=time.sleep, args=(30,), name="a cache", daemon=True).start()
        return rows_of(self, words)


class IgnoresAView(Sound):
    def statistics(self, words: mt.TokenizedCorpus, stems: mt.TokenizedCorpus) -> Any:
        return rows_of(self, words)


STEMS = {"words": mt.View(), "stems": mt.View(stem="porter")}
SOURCE = {"words": mt.View(), "sources": mt.View(of="source")}
AS_IS = {"words": mt.View(), "texts": mt.View(raw=True, case="mixed")}
ORDER = mt.Option("order", 2, "n-grams up to this length", minimum=1, maximum=4)

METRICS: dict[str, tuple[Any, dict[str, Any], str]] = {
    "place-weighs": (PlaceWeighs, {}, "segment_order_is_irrelevant"),
    "counts-its-calls": (CountsItsCalls, {}, "is_deterministic"),
    "sum-for-mean": (SumForMean, {"bounds": (0, np.inf)}, "a_corpus_twice_scores_the_same"),
    "wrong-direction": (Sound, {"better": "lower"}, "identity_is_best"),
    "wrong-bounds": (Sound, {"bounds": (0, 50)}, "score_is_in_bounds"),
    "nan-of-nothing": (NanOfNothing, {}, "edge_cases_are_finite"),
    "fails-on-nothing": (FailsOnNothing, {}, "edge_cases_are_finite"),
    "ascii-only": (AsciiOnly, {}, "edge_cases_are_finite"),
    "remembers-its-segment": (RemembersItsSegment, {}, "threads_do_not_matter"),
    "noise": (Noise, {}, "is_deterministic"),
    "little-noise": (LittleNoise, {}, "is_deterministic"),
    "cubic": (Cubic, {}, "repetitive_text_is_affordable"),
    "undeclared-setting": (UndeclaredSetting, {}, "options_are_in_the_signature"),
    "unsigned-setting": (
        Sound,
        {"options": (replace(BONUS, signed=False),)},
        "unsigned_options_do_not_matter",
    ),
    "first-reference": (FirstReference, {}, "reference_order_is_irrelevant"),
    "not-to-be-pickled": (NotToBePickled, {}, "metric_can_be_pickled"),
    "normalized-in-its-batch": (NormalizedInItsBatch, {}, "rows_are_independent"),
    "padded-in-its-batch": (PaddedInItsBatch, {}, "rows_are_independent"),
    "one-value-for-all": (OneValueForAll, {}, "formula_is_vectorised"),
    "ignores-weights": (IgnoresWeights, {"options": ()}, "rows_are_independent"),
    "prepared-in-place": (PreparedInPlace, {}, "is_deterministic"),
    "explains-another-row": (ExplainsAnotherRow, {}, "explanations_are_the_rows"),
    "marks-outside-the-text": (MarksTokensAsCharacters, {}, "marks_lie_in_their_texts"),
    "marks-the-wrong-side": (MarksTheTarget, {}, "marks_lie_in_their_texts"),
    "marks-backwards": (MarksBackwards, {}, "marks_lie_in_their_texts"),
    "marks-by-company": (MarksByCompany, {}, "marks_lie_in_their_texts"),
    "marks-words-as-scored": (MarksWordsAsScored, {"views": AS_IS}, "marks_lie_in_their_texts"),
    "scores-segments-of-documents": (
        ScoresSegmentsOfDocuments,
        {"views": {"texts": mt.View(raw=True)}, "unit": "document"},
        "documents_are_one_text",
    ),
    "empties-its-arguments": (EmptiesItsArguments, {}, ""),
    "prints": (Prints, {}, "nothing_is_left_behind"),
    "hash-of-words": (HashOfWords, {}, "processes_agree"),
    "order-of-a-set": (OrderOfASet, {}, "processes_agree"),
    "remembers-hypotheses": (RemembersHypotheses, {}, "references_have_an_effect"),
    "seeded-by-process": (SeededByProcess, {}, "processes_agree"),
    "cuts-20": (Cuts20, {}, "every_word_counts"),
    "cuts-100": (Cuts100, {}, "every_word_counts"),
    "cuts-references": (CutsReferences, {}, "every_word_counts"),
    "drops-numbers": (DropsNumbers, {}, "every_word_counts"),
    "counts-a-segment-once": (CountsASegmentOnce, {}, "rows_are_independent"),
    "fails-on-long-words": (FailsOnLongWords, {}, "edge_cases_are_finite"),
    "seeds-all": (SeedsAll, {}, "nothing_is_left_behind"),
    "latin-letters-only": (LatinLettersOnly, {}, "every_word_counts"),
    "lowers-case": (LowersCase, {}, "case_is_that_of_the_signature"),
    "ignores-an-option": (IgnoresAnOption, {"options": (BONUS, ORDER)}, "options_have_an_effect"),
    "ignores-the-source": (
        IgnoresTheSource,
        {"views": SOURCE, "source": "required"},
        "every_view_has_an_effect",
    ),
    "values-in-wrong-order": (
        ValuesInWrongOrder,
        {"values": {"F": 100, "penalty": 100}},
        "main_value_tells_texts_apart",
    ),
    "adds-references-up": (AddsReferencesUp, {}, "a_reference_twice_changes_nothing"),
    "forms-differ-later": (FormsDifferLater, {}, "segment_form_is_corpus_form"),
    "per-cent-already": (PerCentAlready, {"bounds": (0, np.inf)}, "main_value_tells_texts_apart"),
    "half-precision": (HalfPrecision, {}, "a_corpus_twice_scores_the_same"),
    "reads-the-environment": (ReadsTheEnvironment, {}, "nothing_else_is_read"),
    "reads-a-file": (ReadsAFile, {}, "nothing_else_is_read"),
    "leaks": (Leaks, {}, "nothing_is_left_behind"),
    "changes-the-folder": (ChangesTheFolder, {}, "nothing_is_left_behind"),
    "leaves-a-thread": (LeavesAThread, {}, "nothing_is_left_behind"),
    "ignores-a-view": (IgnoresAView, {"views": STEMS}, "every_view_has_an_effect"),
    "says-nothing": (Sound, {"help": " "}, "declaration_is_complete"),
    "lost-paper": (Sound, {"literature": "missing.bib"}, "literature_is_found"),
}
"""Metrics: the class, what is declared otherwise, and the check; none if it does no harm."""


@mt.hookimpl
def mteval_register_metrics() -> list[mt.MetricSpec]:
    return [
        replace(SOUND, **{"name": name, "factory": factory, **changes})
        for name, (factory, changes, _) in {"sound": (Sound, {}, ""), **METRICS}.items()
    ]


# Tokenizers and normalizers

CALLS = itertools.count()

TOKENIZERS: dict[str, tuple[Any, str]] = {
    "empty-tokens": (lambda text: text.split(" "), "gives_tokens"),
    "a-tuple": (lambda text: tuple(text.split()), "gives_tokens"),
    "latin-1": (lambda text: text.encode("latin-1").decode().split(), "gives_tokens"),
    "counts-calls": (lambda text: [*text.split(), str(next(CALLS))], "repeats_itself"),
    "batch-differs": (lambda text: text.lower().split(), "batch_agrees"),
    "set-order": (lambda text: [*{*text.split()}], "processes_agree"),
    "cut-at-20": (lambda text: text.split()[:20], "every_word_counts"),
    "without-the-last": (lambda text: text.split()[:-1], "every_word_counts"),
}
"""Tokenizers: the function and the check."""

NORMALIZERS: dict[str, tuple[dict[str, Any], str]] = {
    "knows-its-batch": (
        {"batch": lambda lines: [f"{len(lines)} {x}" for x in lines]},
        "batch_is_irrelevant",
    ),
    "bytes": ({"function": lambda text: text.encode()}, "gives_strings"),
    "mixes-lines": ({"function": str.lower, "lines": bytes.lower}, "lines_are_independent"),
    "deletes-everything": ({"function": lambda text: ""}, "something_is_left"),  # noqa: ARG005
    "adds-lines": ({"function": lambda text: text.replace(", ", ",\n")}, "gives_strings"),
    "grows": ({"function": lambda text: f"{text} {text}"}, "text_does_not_grow"),
}
"""Normalizers: what is declared, and the check."""


@mt.hookimpl
def mteval_register_tokenizers() -> list[mt.TokenizerSpec]:
    from mteval_kernels import scan_whitespace

    batch = {"batch-differs": scan_whitespace}
    return [
        mt.TokenizerSpec(name, function=function, batch=batch.get(name))
        for name, (function, _) in TOKENIZERS.items()
    ]


@mt.hookimpl
def mteval_register_normalizers() -> list[mt.NormalizerSpec]:
    return [
        mt.NormalizerSpec(name, key="mistake", stage="text", **declared)
        for name, (declared, _) in NORMALIZERS.items()
    ]


# Formats


def nameless(report: mt.Report, _: mt.Layout) -> str:
    return "".join(f"{record.get('score')}\n" for record in report.records) + report.title


def timed(report: mt.Report, _: mt.Layout) -> str:
    return f"{report.records} {time.perf_counter_ns()}"


def first_only(report: mt.Report, _: mt.Layout) -> str:
    return f"{report.records[:1]}"


FORMATS: dict[str, tuple[Any, str]] = {
    "nameless": (nameless, "names_every_system"),
    "timed": (timed, "writes_the_same_again"),
    "first-only": (first_only, "writes_every_record"),
}
"""Formats of records: the function and the check."""


@mt.hookimpl
def mteval_register_formats() -> list[mt.FormatSpec]:
    return [
        mt.FormatSpec(name, function=function, parts=("record",))
        for name, (function, _) in FORMATS.items()
    ]


# Readers


def lines_of(path: str) -> list[str]:
    with mt.open_binary(path) as file:
        try:
            return file.read().decode().splitlines()
        except UnicodeDecodeError as error:
            raise mt.InputError(f"{path}: not UTF-8: {error}") from None


def drops_a_segment(path: str) -> list[str]:
    return lines_of(path)[:-1]


def replaces_bytes(path: str) -> list[str]:
    with mt.open_binary(path) as file:
        return file.read().decode(errors="replace").splitlines()


def fails_in_its_way(path: str) -> list[str]:
    with mt.open_binary(path) as file:
        return file.read().decode().splitlines()


def three_lines(name: str) -> mt.FileSample:
    content = "das Haus\nein Wort, größer\nzwei\n"
    return mt.FileSample({f"three.{name}": content.encode()}, {"": content.splitlines()})


READERS: dict[str, tuple[Any, str]] = {
    "drops-a-segment": (drops_a_segment, "reads_its_sample"),
    "replaces-bytes": (replaces_bytes, "keeps_every_byte"),
    "fails-in-its-way": (fails_in_its_way, "refuses_damaged_files"),
}
"""Readers: the function and the check."""


@mt.hookimpl
def mteval_register_readers() -> list[mt.ReaderSpec]:
    return [
        mt.ReaderSpec(
            name,
            patterns=(f"*.{name}",),
            function=function,
            help="lines",
            sample=partial(three_lines, name),
        )
        for name, (function, _) in READERS.items()
    ]


# Resamplers


def half_as_many(n: int, count: int, seed: int) -> list[Any]:
    draw = np.random.default_rng(seed)
    return [draw.multinomial(n // 2, np.full(n, 1 / n), count).astype(float)]


def never_draws(n: int, count: int, _: int) -> list[Any]:
    return [np.ones((count, n))]


def all_but_the_last(n: int, count: int, seed: int) -> list[Any]:
    drawn = np.random.default_rng(seed).multinomial(n - 1, np.full(n - 1, 1 / (n - 1)), count)
    return [np.column_stack([drawn, np.ones(count)]).astype(float)]


RESAMPLERS: dict[str, tuple[Any, str]] = {
    "all-but-the-last": (all_but_the_last, "weights_have_mean_and_variance_one"),
    "half-as-many": (half_as_many, "weights_have_mean_and_variance_one"),
    "never-draws": (never_draws, "weights_have_mean_and_variance_one"),
}
"""Resamplers: the function and the check."""


@mt.hookimpl
def mteval_register_resamplers() -> list[mt.ResamplerSpec]:
    return [mt.ResamplerSpec(name, function=function) for name, (function, _) in RESAMPLERS.items()]

"""A metric that is broken in one way is caught by the check that is there for it, and no other."""

from __future__ import annotations

import itertools
import time
from collections import Counter
from dataclasses import KW_ONLY, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from mteval_testing import (
    METRIC_KIT,
    TOKENIZER_KIT,
    Finding,
    check_metric,
    check_normalizer,
    check_resampler,
    check_tokenizer,
)

import mteval_core as mt
from mteval_core import Sample

if TYPE_CHECKING:
    from collections.abc import Callable


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

DECLARED = mt.MetricSpec(
    "sound",
    factory=Sound,
    help="F-measure of unigrams",
    values={"F": 100},
    options=(BONUS,),
    bounds=(0, 100),
)


def failures(plugin: Callable[..., Any], declaration: mt.MetricSpec) -> list[Finding]:
    registry = mt.load_registry([plugin(metrics=[declaration])])
    findings = check_metric(declaration.name, registry=registry)
    return [finding for finding in findings if not finding.ok]


def found(plugin: Callable[..., Any], declaration: mt.MetricSpec) -> set[str]:
    return {finding.check for finding in failures(plugin, declaration)}


def test_nothing_is_found_where_nothing_is_wrong(plugin: Callable[..., Any]) -> None:
    assert found(plugin, DECLARED) == set()
    assert found(plugin, replace(DECLARED, factory=ComputedState)) == set()


# Broken classes


class EmptySumsFail(Sound):
    def score(self, totals: Any) -> Any:
        if totals.ndim == 1 and not totals.any():
            return [np.nan]
        return super().score(totals)

    def segment_statistics(self, hypothesis: list[str], references: list[list[str]]) -> list[float]:
        m, h, r = super().segment_statistics(hypothesis, references)
        return [m, h + 1e-9, r]


class EmptyHypothesisIsNan(Sound):
    def segment_statistics(self, hypothesis: list[str], references: list[list[str]]) -> list[float]:
        if not hypothesis:
            return [0.0, np.nan, 0.0]
        return super().segment_statistics(hypothesis, references)


class ManyTokensFail(Sound):
    def segment_statistics(self, hypothesis: list[str], references: list[list[str]]) -> list[float]:
        if len(hypothesis) >= 1000:
            raise ValueError("too long")
        return super().segment_statistics(hypothesis, references)


class UnevenReferencesFail(Sound):
    def statistics(self, words: mt.TokenizedCorpus) -> Any:
        counts = words.references.counts
        if len(counts) == 2 and len(set(counts.tolist())) > 1 and len(words.hypotheses.ids) < 99:
            raise ValueError("not equally many references")
        return rows_of(self, words)


def tokens_of(words: mt.TokenizedCorpus) -> Any:
    tokens = words.vocabulary.tokens
    h, r = words.hypotheses, words.references
    for i in range(len(words)):
        of_segment = range(r.index[i], r.index[i + 1])
        yield (
            tokens(h.ids[h.starts[i] : h.ends[i]]),
            [tokens(r.ids[r.starts[k] : r.ends[k]]) for k in of_segment],
        )


def rows_of(metric: Sound, words: mt.TokenizedCorpus) -> Any:
    return np.array([metric.segment_statistics(*tokens) for tokens in tokens_of(words)], float)


class OneRowOnly(Sound):
    def score(self, totals: Any) -> Any:
        if totals.ndim == 1:
            return super().score(totals)
        mean = super().score(totals).mean()
        return np.full((*totals.shape[:-1], 1), mean)


class AlmostVectorised(Sound):
    def score(self, totals: Any) -> Any:
        return super().score(totals) * (1 if totals.ndim < 3 else 1 - 1e-10)


class SpoilsTexts(Sound):
    def statistics(self, words: mt.TokenizedCorpus) -> Any:
        rows = rows_of(self, words)
        words.hypotheses.ids[:] = 0
        return rows


class SpoilsTotals(Sound):
    def score(self, totals: Any) -> Any:
        values = super().score(totals)
        totals[..., 0] = 0
        return values


class DependsOnCompany(Sound):
    def statistics(self, words: mt.TokenizedCorpus) -> Any:
        return rows_of(self, words) * (0.9 if len(words) == 3 else 1)


class TwoForms(Sound):
    def statistics(self, words: mt.TokenizedCorpus) -> Any:
        rows = rows_of(self, words)
        rows[:, 0] /= 2
        return rows


class FirstReferenceOnly(Sound):
    def segment_statistics(self, hypothesis: list[str], references: list[list[str]]) -> list[float]:
        return super().segment_statistics(hypothesis, references[:1])


class FirstOfEquals(Sound):
    """Of references without a match the first one counts, however long it is."""

    def segment_statistics(self, hypothesis: list[str], references: list[list[str]]) -> list[float]:
        rows = [super(FirstOfEquals, self).segment_statistics(hypothesis, [r]) for r in references]
        return max(rows, key=lambda row: row[0] / max(row[1] + row[2], 1))


class NotToBePickled(Sound):
    def __reduce__(self) -> Any:
        raise TypeError("cannot be pickled")


class PreparedNotToBePickled(Sound):
    def prepare(self, words: Any, vocabulary: Any) -> Any:
        return NotToBePickled()


class RemembersItsSegment(Sound):
    def segment_statistics(self, hypothesis: list[str], references: list[list[str]]) -> list[float]:
        object.__setattr__(self, "hypothesis", hypothesis)
        time.sleep(0.001)
        return super().segment_statistics(vars(self)["hypothesis"], references)


class ScoresTooHigh(Sound):
    def score(self, totals: Any) -> Any:
        return super().score(totals) * 1.5


@dataclass(frozen=True)
class HiddenSetting(Sound):
    weight: float = 1.0


@dataclass(frozen=True)
class HiddenKeyword(Sound):
    _: KW_ONLY
    kinds: tuple[str, ...] = ("all",)


@dataclass(frozen=True)
class HiddenFactory(Sound):
    weights: dict[str, float] = field(default_factory=dict)


class HiddenParameter(Sound):
    def __init__(self, bonus: float = 0.0, *, weight: float = 1.0) -> None:
        super().__init__(bonus)
        object.__setattr__(self, "weight", weight)


@dataclass(frozen=True)
class ComputedState(Sound):
    """Nothing is wrong with state that is no setting."""

    counts: tuple[int, ...] = ()
    table: Any = None
    total: int = field(default=0, init=False)


class AddsOne(Sound):
    def score(self, totals: Any) -> Any:
        m, n = totals[..., 0], totals[..., 1] + totals[..., 2]
        return ((2 * m + 1) / (n + 1))[..., None]


class MarksByCompany(Sound):
    def marks(self, words: Any) -> Any:
        said = f"one of {len(words)}"
        return [[mt.Mark("hypothesis", 0, 0, "minor", note=said)] for _ in range(len(words))]


class ExplainsAnotherRow(Sound):
    def explain(self, words: Any) -> mt.Explanation:
        hypothesis, references = words.segment()
        terms = tuple(mt.Term(name, 1.0) for name in ("matches", "h", "r"))
        return mt.Explanation(hypothesis, references, (), terms, ("matches", "h", "r"))


COUNTER = itertools.count()


class Random(Sound):
    def prepare(self, words: Any, vocabulary: Any) -> Any:
        return replace(self, bonus=next(COUNTER) * 1e-6)


@dataclass(frozen=True)
class Rounded:
    """A setting that is written with fewer digits than it has."""

    __array_ufunc__ = None  # ``array + setting`` calls `__radd__` with the array

    value: float

    @classmethod
    def parse(cls, text: str) -> Rounded:
        return cls(float(text))

    def __str__(self) -> str:
        return f"{self.value:.1f}"

    def __radd__(self, other: Any) -> Any:
        return other + self.value


CLASSES = [
    (EmptySumsFail, "empty_sums_are_finite"),
    (EmptyHypothesisIsNan, "edge_cases_are_finite"),
    (ManyTokensFail, "edge_cases_are_finite"),
    (UnevenReferencesFail, "edge_cases_are_finite"),
    (OneRowOnly, "formula_is_vectorised"),
    (AlmostVectorised, "formula_is_vectorised"),
    (SpoilsTexts, "inputs_are_unchanged"),
    (SpoilsTotals, "inputs_are_unchanged"),
    (DependsOnCompany, "rows_are_independent"),
    (FirstReferenceOnly, "reference_order_is_irrelevant"),
    (FirstOfEquals, "reference_order_is_irrelevant"),
    (NotToBePickled, "metric_can_be_pickled"),
    (PreparedNotToBePickled, "metric_can_be_pickled"),
    (RemembersItsSegment, "threads_do_not_matter"),
    (ScoresTooHigh, "score_is_in_bounds"),
    (HiddenSetting, "options_are_in_the_signature"),
    (HiddenKeyword, "options_are_in_the_signature"),
    (HiddenFactory, "options_are_in_the_signature"),
    (HiddenParameter, "options_are_in_the_signature"),
    (AddsOne, "a_corpus_twice_scores_the_same"),
    (ExplainsAnotherRow, "explanations_are_the_rows"),
    (MarksByCompany, "marks_lie_in_their_texts"),
]


@pytest.mark.parametrize(("factory", "check"), CLASSES, ids=lambda x: getattr(x, "__name__", x))
def test_a_broken_class(plugin: Callable[..., Any], factory: Any, check: str) -> None:
    assert found(plugin, replace(DECLARED, factory=factory)) == {check}


ROUNDED = mt.Option("bonus", Rounded(0.0), "added to the score", type=Rounded.parse)

DECLARATIONS = [
    ({"help": " "}, "declaration_is_complete"),
    ({"options": (mt.Option("bonus", 0.0, minimum=0, maximum=1),)}, "declaration_is_complete"),
    ({"name": "Sound"}, "declaration_is_complete"),
    ({"literature": "missing.bib"}, "literature_is_found"),
    ({"aliases": {"sounder": "bleu:order=2"}}, "aliases_name_the_metric"),
    ({"better": "lower"}, "identity_is_best"),
    ({"bounds": (0, 50)}, "score_is_in_bounds"),
    ({"options": (ROUNDED,)}, "options_are_in_the_signature"),
    ({"options": (replace(BONUS, signed=False),)}, "unsigned_options_do_not_matter"),
    ({"exceptions": {"is_deterministic": "it rolls dice"}}, "is_deterministic"),
]


@pytest.mark.parametrize(("change", "check"), DECLARATIONS, ids=str)
def test_a_broken_declaration(
    plugin: Callable[..., Any], change: dict[str, Any], check: str
) -> None:
    assert found(plugin, replace(DECLARED, **change)) == {check}


WITHOUT_GROUND = {
    "a_corpus_twice_scores_the_same",
    "a_reference_twice_changes_nothing",
    "is_deterministic",
    "reference_order_is_irrelevant",
    "segment_order_is_irrelevant",
    "signature_replays",
}
"""What compares one score with another finds nothing in a metric that never gives the same."""


def test_dice(plugin: Callable[..., Any]) -> None:
    wrong = found(plugin, replace(DECLARED, factory=Random))
    assert wrong - {"processes_agree"} == WITHOUT_GROUND  # only if processes can import this module


class CountsSegments(Sound):
    """The last segments weigh less: no row is another, but the sum depends on their order."""

    def statistics(self, words: mt.TokenizedCorpus) -> Any:
        rows = rows_of(self, words)
        return rows * np.linspace(1, 0.5, len(rows))[:, None]


def test_order_of_segments(plugin: Callable[..., Any]) -> None:
    """Rows that know their place are not independent, and segments alone have none."""
    assert found(plugin, replace(DECLARED, factory=CountsSegments)) == {
        "a_corpus_twice_scores_the_same",
        "rows_are_independent",
        "segment_form_is_corpus_form",
        "segment_order_is_irrelevant",
        "threads_do_not_matter",
    }


def test_two_forms(plugin: Callable[..., Any]) -> None:
    assert found(plugin, replace(DECLARED, factory=TwoForms)) == {"segment_form_is_corpus_form"}


class SlowOnRepetitions(Sound):
    """Takes CPU time for every word of a segment that has but one."""

    def segment_statistics(self, hypothesis: list[str], references: list[list[str]]) -> list[float]:
        start = time.thread_time()
        while len({*hypothesis}) == 1 and time.thread_time() - start < 0.001 * len(hypothesis):
            pass
        return super().segment_statistics(hypothesis, references)


def test_a_metric_that_is_slow_on_repeated_words(
    plugin: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mteval_testing.score_checks.implementation", "native")
    monkeypatch.setattr("mteval_testing.score_checks.AFFORDABLE", 0.08)
    (finding,) = failures(plugin, replace(DECLARED, factory=SlowOnRepetitions))
    assert finding.check == "repetitive_text_is_affordable"
    assert finding.message.startswith("one word 100 times: one segment takes 0.1 s")


# What failures say


@pytest.mark.slow
def test_a_failure_shows_the_first_segment_that_differs(plugin: Callable[..., Any]) -> None:
    first = "'The harbour master closed the northern pier on Tuesday"
    (found,) = failures(plugin, replace(DECLARED, factory=FirstReferenceOnly))
    assert found.message.startswith(f"reversing the references changes the values: {first}")
    (found,) = failures(plugin, replace(DECLARED, factory=ScoresTooHigh))
    assert "outside 0 to 100" in found.message
    (found,) = failures(plugin, replace(DECLARED, factory=TwoForms))
    assert found.message == (
        "segment_statistics() and statistics(): segment 0 has the rows [12.0, 15.0, 15.0] and "
        "[6.0, 15.0, 15.0]"
    )
    (found,) = failures(plugin, replace(DECLARED, factory=DependsOnCompany))
    assert found.message.startswith("scored alone and with others: segment 2 has the rows")


def test_the_way_out_of_an_undeclared_setting_is_said(plugin: Callable[..., Any]) -> None:
    (found,) = failures(plugin, replace(DECLARED, factory=HiddenFactory))
    assert "takes weights, which the declaration does not have as options" in found.message
    assert "Option('key', default, 'help')" in found.message
    assert "field(init=False)" in found.message


# The sample of an author


@dataclass(frozen=True)
class ReadsAWord(Sound):
    """Needs a file with the word that it ignores, and a source that begins with it."""

    words: str = ""

    def segment_statistics(
        self, hypothesis: list[str], references: list[list[str]], source: str = ""
    ) -> list[float]:
        word = Path(self.words).read_text().strip()
        row = super().segment_statistics(hypothesis, references)
        return row if source.startswith(word) else [0.0, *row[1:]]


def test_a_metric_that_needs_a_file_is_checked_on_the_sample_of_its_author(
    plugin: Callable[..., Any], tmp_path: Path
) -> None:
    path = tmp_path / "words.txt"
    path.write_text("zu", encoding="utf-8")
    option = mt.Option("words", "", "the ignored word", file=True)
    declaration = replace(DECLARED, factory=ReadsAWord, options=(*DECLARED.options, option))
    options = {"words": str(path)}
    sample = Sample(("a b", "c d"), (("a c", "c d"),), source=("zu a", "zu c"), options=options)
    declared = replace(declaration, sample=lambda: sample)
    registry = mt.load_registry([plugin(metrics=[declared])])
    (entry,) = [e for e in registry.of_kind(mt.MetricSpec) if e.declaration.name == "sound"]
    findings = METRIC_KIT.run(entry, registry)
    assert [finding for finding in findings if not finding.ok] == []
    given = mt.metric(
        f"sound:words={path}", registry=mt.load_registry([plugin(metrics=[declaration])])
    )
    assert [f for f in check_metric(given, sample=sample) if not f.ok] == []


def test_a_label_that_another_metric_has_as_its_name_replays(plugin: Callable[..., Any]) -> None:
    """The signature names the distribution of its metric, so nothing leads the replay astray."""
    entry = plugin(metrics=[replace(DECLARED, label="other"), replace(DECLARED, name="sound2")])
    other = plugin("other", metrics=[replace(DECLARED, name="other", factory=ScoresTooHigh)])
    registry = mt.load_registry([entry, other])
    findings = check_metric("sound", registry=registry)
    assert [f for f in findings if not f.ok] == []


def test_a_heavy_hook_module(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, plugin: Callable[..., Any]
) -> None:
    (tmp_path / "mteval_toy.py").write_text("import numpy\n", encoding="utf-8")
    information = tmp_path / "mteval_toy-1.0.dist-info"
    information.mkdir()
    (information / "METADATA").write_text("Name: mteval-toy\nVersion: 1.0\n", encoding="utf-8")
    (information / "entry_points.txt").write_text("[mteval]\ntoy = mteval_toy\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    assert found(plugin, DECLARED) == {"hook_module_is_light"}


class Ranked:
    """Compares lengths; the row depends on the other segments."""

    def pair_statistics(self, a: Any, b: Any) -> Any:
        lead = a["words"].hypotheses.lengths - b["words"].hypotheses.lengths
        return lead.argsort() / len(lead)


def test_pairs_of_systems_whose_rows_depend_on_other_segments(plugin: Callable[..., Any]) -> None:
    declared = mt.MetricSpec(
        "ranked", factory=Ranked, help="ranks", values={"ranked": 1}, compares=True
    )
    assert found(plugin, declared) == {"pairs_have_rows_of_segments"}


def test_every_check_has_a_defect() -> None:
    caught = {check for _, check in [*CLASSES, *DECLARATIONS]} | WITHOUT_GROUND
    elsewhere = {
        "hook_module_is_light",
        "pairs_have_rows_of_segments",
        "repetitive_text_is_affordable",
        "segment_form_is_corpus_form",
    }
    in_mistakes = {
        "case_is_that_of_the_signature",
        "documents_are_one_text",
        "every_view_has_an_effect",
        "every_word_counts",
        "main_value_tells_texts_apart",
        "nothing_else_is_read",
        "nothing_is_left_behind",
        "options_have_an_effect",
        "processes_agree",
        "references_have_an_effect",
    }
    assert caught | elsewhere | in_mistakes == {check.__name__ for check in METRIC_KIT.checks}


# Tokenizers and normalizers


def flag() -> Callable[[str], list[str]]:
    count = itertools.count()
    return lambda text: [*text.split(), str(next(count))]


@pytest.mark.parametrize(
    ("function", "check"),
    [
        (lambda text: text.split(" "), "gives_tokens"),
        (lambda text: tuple(text.split()), "gives_tokens"),
        (lambda text: text.split() if text.isascii() else 1 / 0, "gives_tokens"),
        ("no_such_module:tokenize", "gives_tokens"),
        (flag(), "repeats_itself"),
    ],
)
def test_a_broken_tokenizer(plugin: Callable[..., Any], function: Any, check: str) -> None:
    registry = mt.load_registry(
        [plugin(tokenizers=[mt.TokenizerSpec("broken", function=function)])]
    )
    findings = check_tokenizer("broken", registry=registry)
    assert {f.check for f in findings if not f.ok} == {check}
    assert all(f.claim for f in findings)


def test_a_tokenizer_whose_batch_differs(plugin: Callable[..., Any]) -> None:
    from mteval_kernels import scan_whitespace

    spec = mt.TokenizerSpec(
        "broken", function=lambda text: text.lower().split(), batch=scan_whitespace
    )
    registry = mt.load_registry([plugin(tokenizers=[spec])])
    findings = check_tokenizer("broken", registry=registry)
    assert {f.check for f in findings if not f.ok} == {"batch_agrees"}


def splitter(path: str) -> Callable[[str], list[str]]:
    """Splits at the characters in a file, and stumbles over one word."""
    separators = Path(path).read_text(encoding="utf-8").strip()
    return lambda text: [text] if text == "stumble" else f"{text}x".split(separators)


def test_a_tokenizer_that_needs_a_file_is_checked_on_the_sample_of_its_author(
    plugin: Callable[..., Any], tmp_path: Path
) -> None:
    (tmp_path / "separators").write_text("ζ", encoding="utf-8")
    option = mt.Option("separators", "", "characters", file=True)
    spec = mt.TokenizerSpec("split", function=splitter, option=option)
    registry = mt.load_registry([plugin(tokenizers=[spec])])
    (entry,) = registry.of_name(mt.TokenizerSpec, "split")
    with pytest.raises(mt.PluginError, match="declare a sample"):
        TOKENIZER_KIT.run(entry, registry)
    for text, failed in (("stumble", set()), ("aζ ζζb", {"gives_tokens"})):
        options = {"separators": str(tmp_path / "separators")}
        sample = Sample((text,), ((text,),), options=options)
        declared = replace(entry, declaration=replace(spec, sample=lambda s=sample: s))
        found = TOKENIZER_KIT.run(declared, registry)
        assert {f.check for f in found if not f.ok} == failed


@pytest.mark.parametrize(
    ("change", "check"),
    [
        ({"batch": lambda lines: [f"{len(lines)} {x}" for x in lines]}, "batch_is_irrelevant"),
        ({"function": str.lower, "lines": bytes.lower}, "lines_are_independent"),
        ({"function": lambda text: text.encode()}, "gives_strings"),
        ({"function": lambda text: text if text.isascii() else 1 / 0}, "gives_strings"),
        ({"function": "no_such_module:normalize"}, "gives_strings"),
    ],
)
def test_a_broken_normalizer(
    plugin: Callable[..., Any], change: dict[str, Any], check: str
) -> None:
    spec = mt.NormalizerSpec("broken", key="state", stage="text", **change)
    registry = mt.load_registry([plugin(normalizers=[spec])])
    findings = check_normalizer("state", "broken", registry=registry)
    assert {f.check for f in findings if not f.ok} == {check}


# Resamplers


def fair(n: int, count: int) -> Any:
    return np.random.default_rng(0).multinomial(n, np.full(n, 1 / n), count).astype(float)


def draws(*chunks: Any) -> Callable[..., Any]:
    return lambda n, count, _: (chunk(n, count) for chunk in chunks)


def from_units(fewest: int) -> Callable[..., Any]:
    def draw(n: int, count: int, _: int) -> Any:
        if n < fewest:
            raise mt.UsageError(str(n))
        return [fair(n, count)]

    return draw


@pytest.mark.parametrize(
    ("function", "check"),
    [
        (draws(fair), None),
        (draws(lambda n, count: np.ones((count, n))), "weights_have_mean_and_variance_one"),
        (draws(lambda n, count: 2 * fair(n, count)), "weights_have_mean_and_variance_one"),
        (from_units(64), None),
        (draws(lambda n, count: fair(n, count + 1)), "count_is_kept"),
        (draws(lambda n, count: fair(n + 1, count)), "weights_are_valid"),
        (draws(lambda n, count: fair(n, count).astype(int)), "weights_are_valid"),
        (draws(lambda n, count: fair(n, count) - [[1, *[0] * (n - 1)]]), "weights_are_valid"),
        (draws(lambda n, count: np.full((count, n), np.nan)), "weights_are_valid"),
        (draws(lambda n, count: fair(n, count) + 1e-6 * next(COUNTER)), "seed_determines_draw"),
    ],
)
def test_a_broken_resampler(plugin: Callable[..., Any], function: Any, check: str | None) -> None:
    registry = mt.load_registry([plugin(resamplers=[mt.ResamplerSpec("x", function=function)])])
    findings = check_resampler("x", registry=registry)
    failed = {finding.check for finding in findings if not finding.ok}
    if check == "weights_are_valid":
        failed.discard("seed_determines_draw")  # NaN differs from itself
    assert failed == ({check} if check else set())


def test_a_resampler_that_refuses_many_segments(plugin: Callable[..., Any]) -> None:
    spec = mt.ResamplerSpec("x", function=from_units(65))
    findings = check_resampler("x", registry=mt.load_registry([plugin(resamplers=[spec])]))
    assert not any(finding.ok for finding in findings)


class Mute:
    """A judge that has no answer about empty outputs, and 1 for all others."""

    def segment_statistics(self, hypothesis: list[str], _: object) -> list[float]:
        return [1.0 if hypothesis else float("nan")]


def test_a_metric_may_miss_all_segments_of_a_text(plugin: Callable[..., Any]) -> None:
    spec = mt.MetricSpec("mute", factory=Mute, values={"s": 100}, may_miss=True, bounds=(0, 100))
    registry = mt.load_registry([plugin(metrics=[spec])])
    found = {one.check: one for one in check_metric("mute", registry=registry)}
    assert found["score_is_in_bounds"].ok
    assert found["a_corpus_twice_scores_the_same"].ok

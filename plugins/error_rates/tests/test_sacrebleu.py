"""TER equals sacreBLEU 2.6: with its limits everywhere, with tercom's where they do not matter.

Both search in the same order, but with other limits. sacreBLEU keeps to 25 cells on each side of
the diagonal, whereas tercom drops cells that are 20 edits worse than the best. sacreBLEU stops
after 1000 candidates, and measures the distance of a shift between positions, not along the
alignment. The segments that differ are equal without these limits, or if words that go behind one
of their own move where tercom moves them.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings
from mteval_testing.originals import read_lines
from mteval_testing.strategies import samples
from mteval_testing.targets import load

import mteval_core as mt
from mteval_kernels import Vocabulary, shift_edit_distance

if TYPE_CHECKING:
    from mteval_core import Sample

# Texts drawn at random look damaged.
pytestmark = pytest.mark.filterwarnings("ignore::mteval_core.MtevalWarning")

sacrebleu = pytest.importorskip("sacrebleu", minversion="2.6")
lib_ter = pytest.importorskip("sacrebleu.metrics.lib_ter")

# Many texts here are empty.

ROOT = Path(__file__).parents[3]
EXAMPLE = ROOT / "examples" / "mini"
DATA = ROOT.parent / "shared" / "data"
UNLIMITED = 10**9

AT_RANDOM = [" ".join(random.Random(seed).choices("ab", k=70)) for seed in (1, 2)]
"""Two texts of two types that have nothing to do with each other."""

OPTIONS = {
    "ter:tok=none": {},
    "ter:tok=none,case=mixed": {"case_sensitive": True},
    "ter:tok=none,norm=yes": {"normalized": True},
    "ter:tok=none,punct=no": {"no_punct": True},
    "ter:tok=none,norm=yes,punct=no,asian=yes": {
        "normalized": True,
        "no_punct": True,
        "asian_support": True,
    },
}


def folder(name: str) -> Path:
    path = EXAMPLE if name == "mini" else DATA / name
    if not path.is_dir():
        pytest.skip(f"the test set ../shared/data/{name} is absent")
    return path


def ours(spec: str, hypotheses: list[str], streams: list[list[str]]) -> np.ndarray:
    """Edits and mean reference length of every segment."""
    evaluation = mt.evaluate({"": hypotheses}, streams, [spec])
    values = evaluation.scorers[spec].values(evaluation.scores.rows["", spec])
    return values[:, [1, -1]]


def theirs(spec: str, hypotheses: list[str], streams: list[list[str]]) -> np.ndarray:
    metric = sacrebleu.TER(**OPTIONS[spec])
    return np.array(metric._extract_corpus_statistics(hypotheses, streams))


@pytest.mark.parametrize(
    ("name", "system", "n_segments"),
    [
        ("mini", "short", 120),
        ("ted21-zh-en", "NiuTrans", 100),
        ("news24-en-ja", "GPT-4", 100),
        ("news23-en-de", "ONLINE-A", 5),
        ("summeval", "M0", 2),
    ],
)
def test_equals_sacrebleu_with_its_limits(name: str, system: str, n_segments: int) -> None:
    path = folder(name)
    hypotheses = read_lines(path / "systems" / f"{system}.txt")[:n_segments]
    streams = [read_lines(file)[:n_segments] for file in sorted(path.glob("ref[0-3].txt"))]
    spec = "ter:tok=none,limits=sacrebleu"
    one, other = ours(spec, hypotheses, streams), theirs("ter:tok=none", hypotheses, streams)
    assert one.tolist() == other.tolist()


def rotated(rng: random.Random, n_types: int, length: int) -> tuple[str, str]:
    """Make two texts of few types; the second one is the first with stretches moved."""
    reference = [f"w{rng.randrange(n_types)}" for _ in range(rng.randint(0, length))]
    words = reference[: rng.choice([length, length, length // 4])] + reference * rng.randrange(2)
    for _ in range(rng.randint(0, 6)):
        a, b, c = sorted(rng.randint(0, len(words)) for _ in range(3))
        words = words[:a] + words[b:c] + words[a:b] + words[c:]
        place = rng.randint(0, len(words))
        words[place : place + rng.randrange(2)] = [f"w{rng.randrange(n_types)}"]
    return " ".join(words), " ".join(reference)


@pytest.mark.parametrize(("n_types", "length"), [(2, 12), (3, 30), (20, 60), (1000, 60)])
def test_equals_sacrebleu_on_repetitive_texts(n_types: int, length: int) -> None:
    rng = random.Random(n_types)
    hypotheses, references = zip(*(rotated(rng, n_types, length) for _ in range(8)), strict=True)
    spec, texts = "ter:tok=none,limits=sacrebleu", (list(hypotheses), [list(references)])
    assert ours(spec, *texts).tolist() == theirs("ter:tok=none", *texts).tolist()


@pytest.mark.parametrize(
    ("hypothesis", "reference"),
    [
        ("a b " * 60, "b a " * 20 + "c " * 40),  # three times as long
        (AT_RANDOM[0], AT_RANDOM[1]),  # more than 1000 candidates
        ("a " * 3, "b c " * 40 + "a"),  # a beam wider than 25
        ("a b c d " * 40 + "x", "x " + "a b c d " * 10),  # off the diagonal
        ("", "a b"),
        ("a b", ""),
        ("", ""),
    ],
)
def test_equals_sacrebleu_at_its_limits(hypothesis: str, reference: str) -> None:
    spec, texts = "ter:tok=none,limits=sacrebleu", ([hypothesis.strip()], [[reference.strip()]])
    assert ours(spec, *texts).tolist() == theirs("ter:tok=none", *texts).tolist()


def assert_equal_without_limits(
    hypothesis: str, reference: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    words, copy = hypothesis.lower().split(), reference.lower().split()
    vocabulary = Vocabulary()
    one, other = vocabulary.intern(words), vocabulary.intern(copy)
    rows = shift_edit_distance(
        mt.Tokens(one, np.array([0]), np.array([len(one)])),
        mt.References(other, np.array([0]), np.array([len(other)]), np.array([0, 1])),
        max_size=10,
        max_distance=UNLIMITED,
        beam=UNLIMITED,
    )
    with monkeypatch.context() as lifted:
        for limit in ("_BEAM_WIDTH", "_MAX_SHIFT_CANDIDATES", "_MAX_SHIFT_DIST"):
            lifted.setattr(lib_ter, limit, UNLIMITED)
        edits, _ = lib_ter.translation_edit_rate(words, copy)
    assert rows[0, :4].sum() == edits


@pytest.mark.parametrize(
    ("name", "system", "n_segments", "n_different"),
    [
        ("mini", "short", 120, 0),
        ("ted21-zh-en", "NiuTrans", 120, 0),
        ("ted21-en-de", "UEdin", 120, 0),
        ("news24-en-ja", "GPT-4", 400, 0),
        ("news23-en-de", "ONLINE-A", 6, 1),
    ],
)
def test_equals_sacrebleu_or_its_limits_differ(
    name: str, system: str, n_segments: int, n_different: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = folder(name)
    hypotheses = read_lines(path / "systems" / f"{system}.txt")[:n_segments]
    streams = [read_lines(file)[:n_segments] for file in sorted(path.glob("ref[0-3].txt"))]
    one, other = (f("ter:tok=none", hypotheses, streams) for f in (ours, theirs))
    assert np.array_equal(one[:, 1], other[:, 1])
    different = np.flatnonzero(one[:, 0] != other[:, 0])
    assert len(different) == n_different
    for i in different:
        for stream in streams:
            assert_equal_without_limits(hypotheses[i], stream[i], monkeypatch)


@pytest.mark.parametrize(
    ("name", "system", "segment"),
    [
        ("ted21-zh-en", "metricsystem5", 188),  # 10 words for 37: tercom's beam
        ("ted21-en-de", "metricsystem1", 405),  # 164 for 38: sacreBLEU's diagonal
        ("ted21-en-de", "metricsystem4", 397),  # 117 for 40
        ("ted21-en-de", "metricsystem4", 463),  # 160 for 34
    ],
)
def test_segments_of_ted21_that_differ(
    name: str, system: str, segment: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All of them, in the 13 systems of both sets."""
    path = folder(name)
    hypothesis = read_lines(path / "systems" / f"{system}.txt")[segment]
    streams = [[read_lines(file)[segment]] for file in sorted(path.glob("ref*.txt"))]
    one, other = (f("ter:tok=none", [hypothesis], streams)[0, 0] for f in (ours, theirs))
    assert abs(one - other) == 1
    for stream in streams:
        assert_equal_without_limits(hypothesis, stream[0], monkeypatch)


def shift_of_tercom(
    words: list[str], start: int, size: int, target: int, shift: Any = lib_ter._perform_shift
) -> list[str]:
    """Move words that go behind one of their own by its distance from the first of them."""
    end = start + size
    if not start < target <= end:
        return shift(words, start, size, target)
    by = end + target - 1 - start
    return words[:start] + words[end:by] + words[start:end] + words[by:]


def test_words_that_go_behind_one_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """From ``d e c f i f`` tercom makes ``f i d e c f``, sacreBLEU ``f i f d e c``."""
    texts = ["d e c f i f j a k"], [["a b c d e c f g h"]]
    assert ours("ter:tok=none", *texts).tolist() == [[6, 9]]
    assert theirs("ter:tok=none", *texts).tolist() == [[7, 9]]
    assert ours("ter:tok=none,limits=sacrebleu", *texts).tolist() == [[7, 9]]
    monkeypatch.setattr(lib_ter, "_perform_shift", shift_of_tercom)
    assert theirs("ter:tok=none", *texts).tolist() == [[6, 9]]


@pytest.mark.parametrize("spec", OPTIONS)
@settings(deadline=None)
@given(sample=samples())
def test_equals_sacrebleu_on_any_short_text(spec: str, sample: Sample) -> None:
    hypotheses = [" ".join(hypothesis.split()) for hypothesis in sample.hypotheses]
    streams = [[" ".join((text or "").split()) for text in stream] for stream in sample.references]
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(lib_ter, "_perform_shift", shift_of_tercom)
        expected = theirs(spec, hypotheses, streams)
    assert ours(spec, hypotheses, streams).tolist() == expected.tolist()
    unpatched = theirs(spec, hypotheses, streams).tolist()
    assert ours(f"{spec},limits=sacrebleu", hypotheses, streams).tolist() == unpatched


def test_sacrebleu_normalizes_references_twice() -> None:
    """After two passes, a text differs from itself: ``she's ,`` becomes ``she 's ,``."""
    spec, text = "ter:tok=none,norm=yes", "and she's, let's say"
    assert theirs(spec, [text], [[text]]).tolist() == [[2, 7]]
    assert ours(f"{spec},limits=sacrebleu", [text], [[text]]).tolist() == [[2, 7]]
    assert ours(spec, [text], [[text]]).tolist() == [[0, 6]]


@pytest.mark.parametrize(
    ("hypothesis", "reference", "edits"),
    [
        ("a cat's\t", "a cat's", 0),  # white space at the end of a line is removed first
        ("a cat's\u3000", "a cat's", 0),
        ("<skipped> a b", "a b", 3),  # not deleted, as tercom does
        ("co\n-op", "coop", 0),  # joined at a hyphen after the line feed, not before it
    ],
)
def test_sacrebleu_normalizes_in_its_own_way(hypothesis: str, reference: str, edits: int) -> None:
    spec, texts = "ter:tok=none,norm=yes", ([hypothesis], [[reference]])
    assert theirs(spec, *texts)[0, 0] == edits
    assert ours(f"{spec},limits=sacrebleu", *texts)[0, 0] == edits
    assert ours(spec, *texts)[0, 0] != edits


PIECES = [
    *"abcX19 .,-'\"!?&;:/()[]{}_$%#@<>|`^~*+=\t\xa0、。東タ，？「」",
    "'s",
    "'s,",
    "1.5",
    "-2",
    " ",
    " ",
]
PIECES += [
    "&amp;",
    "&quot;",
    "&lt;",
    "&amp;lt;",
    "the",
    "cat",
    "the",
    "<skipped>",
    "\n",
    "-\n",
    "\n-",
]


@pytest.mark.parametrize("spec", [spec for spec in OPTIONS if "norm" in spec])
def test_equals_sacrebleu_on_random_normalized_segments(spec: str) -> None:
    rng = random.Random(spec)
    lines = ["".join(rng.choices(PIECES, k=rng.randrange(1, 30))) for _ in range(300)]
    hypotheses = [line if rng.random() < 0.3 else line[rng.randrange(9) :] for line in lines]
    streams = [lines, [line[::-1] if rng.random() < 0.5 else line for line in lines]]
    expected = theirs(spec, hypotheses, streams).tolist()
    assert ours(f"{spec},limits=sacrebleu", hypotheses, streams).tolist() == expected
    assert ours(spec, hypotheses, streams).tolist() != expected


@pytest.mark.parametrize("spec", OPTIONS)
@pytest.mark.parametrize("name", ["mini", "news24-en-ja"])
def test_normalization_equals_that_of_sacrebleu(spec: str, name: str) -> None:
    path = folder(name)
    tokenize = sacrebleu.TER(**OPTIONS[spec]).tokenizer
    scorer = mt.metric(spec)
    steps = scorer.setup.pipelines["words"].text
    for file in sorted(path.glob("ref*.txt")):
        for line in read_lines(file):
            text = line
            for step in steps:
                text = step_function(step)(text)
            assert text.split() == tokenize(line).split()


def step_function(step: mt.NormalizerSpec):  # type: ignore[no-untyped-def]
    return load(step.function)

"""chrF equals sacreBLEU 2.6: statistics of every segment count by count, scores to 1e-9."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings
from mteval_testing.originals import read_lines
from mteval_testing.strategies import samples

import mteval_core as mt

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mteval_core import Sample

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
        system,
        id=name,
        marks=pytest.mark.skipif(
            not (DATA / name).is_dir(), reason=f"the test set ../shared/data/{name} is absent"
        ),
    )
    for name, system in [
        ("ted21-zh-en", "Online-W"),
        ("ted21-en-de", "UEdin"),
        ("news23-en-de", "ONLINE-A"),
        ("news24-en-ja", "GPT-4"),
        ("summeval", "M11"),
    ]
]

OPTIONS: dict[str, dict[str, Any]] = {
    "chrf": {},
    "chrf:nw=2": {"word_order": 2},
    "chrf:nw=2,eff=no": {"word_order": 2, "eps_smoothing": True},
    "chrf:case=lc,space=yes,nc=4,beta=1": {
        "lowercase": True,
        "whitespace": True,
        "char_order": 4,
        "beta": 1,
    },
    "chrf:nc=1,nw=5,beta=3": {"char_order": 1, "word_order": 5, "beta": 3},
    "chrf:beta=0": {"beta": 0},
}
SPECS = pytest.mark.parametrize("spec", OPTIONS)


def compare(spec: str, hypotheses: Sequence[str], streams: Sequence[Sequence[str | None]]) -> None:
    """Compare counts and scores of segments and corpus."""
    theirs = sacrebleu.CHRF(**OPTIONS[spec])
    counts = np.array(theirs._extract_corpus_statistics(hypotheses, streams))
    evaluation = mt.evaluate({"": hypotheses}, streams, [spec])
    rows = evaluation.scores.rows["", spec]
    assert np.array_equal(rows, counts)
    rows, counts = (np.concatenate([a, a.sum(axis=0, keepdims=True)]) for a in (rows, counts))
    scores = [theirs._compute_f_score(row.tolist()) for row in counts]
    ours = evaluation.scorers[spec].values(rows)[:, 0]
    np.testing.assert_allclose(ours, scores, rtol=0, atol=1e-9)


@SPECS
@pytest.mark.parametrize("system", ["deep", "phrase", "short"])
def test_example(spec: str, system: str) -> None:
    streams = [read_lines(file) for file in sorted(EXAMPLE.glob("ref*.txt"))]
    compare(spec, read_lines(EXAMPLE / "systems" / f"{system}.txt"), streams)


@SPECS
@pytest.mark.parametrize(("folder", "system"), SETS)
def test_sets(spec: str, folder: Path, system: str) -> None:
    n = 100
    streams = [read_lines(file)[:n] for file in sorted(folder.glob("ref[0-3].txt"))]
    compare(spec, read_lines(folder / "systems" / f"{system}.txt")[:n], streams)


@SPECS
@settings(deadline=None, max_examples=40)
@given(sample=samples())
def test_any_text(spec: str, sample: Sample) -> None:
    """Texts do not end in line ends, which the reader removes.

    With eff=no there is one reference. If none of several has anything in common with the
    hypothesis, sacreBLEU takes the shortest, because it adds 1e-16 for orders that both texts lack;
    this plugin takes the first, as the original program.
    """
    hypotheses = [hypothesis.rstrip("\r\n") for hypothesis in sample.hypotheses]
    streams = [
        [None if reference is None else reference.rstrip("\r\n") for reference in stream]
        for stream in sample.references[: 1 if "eff=no" in spec else None]
    ]
    compare(spec, hypotheses, streams)


@pytest.mark.parametrize(
    ("signature", "spec"),
    [
        (
            "chrF2++|nrefs:1|case:mixed|eff:yes|nc:6|nw:2|space:no|version:2.6.0",
            "chrf:nw=2",
        ),
        ("chrF2|#:1|c:mixed|e:yes|nc:6|nw:0|s:no|v:2.6.0", "chrf"),
        (
            "chrF3+|#:2|c:lc|e:no|nc:4|nw:1|s:yes|v:2.0.0",
            "chrf:beta=3,case=lc,eff=no,nc=4,nw=1,space=yes",
        ),
        ("chrF2+++|nrefs:1|version:2.6.0", "chrf:nw=3"),
    ],
)
def test_signatures_are_read(signature: str, spec: str) -> None:
    assert str(mt.metric(signature).signature()) == str(mt.metric(spec).signature())


@pytest.mark.parametrize("options", OPTIONS.values(), ids=str)
def test_signatures_that_sacrebleu_writes_are_read(options: dict[str, Any]) -> None:
    (spec,) = (spec for spec in OPTIONS if OPTIONS[spec] == options)
    metric = sacrebleu.CHRF(**options)
    name = metric.corpus_score(["a b c"], [["a b d"]]).name
    for short in (False, True):
        signature = f"{name}|{metric.get_signature().format(short)}"
        assert str(mt.metric(signature).signature()) == str(mt.metric(spec).signature())


def test_leading_fields_of_our_signature_are_its_own() -> None:
    metric = sacrebleu.CHRF(word_order=2)
    metric.corpus_score(["a b c"], [["a b d"]])
    theirs = metric.get_signature().format().partition("|version")[0]
    ours = mt.metric("chrf:nw=2").corpus_score(["a b c"], [["a b d"]]).signature
    assert str(ours).startswith(f"chrF|{theirs}|beta:2|")

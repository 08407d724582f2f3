"""Every kind of note has one code and one wording."""

from __future__ import annotations

from dataclasses import replace

import pytest
from mteval_metaeval import notes
from mteval_metaeval.reports.notes import sentence

OUTLIERS = notes.OutlierSystems(
    criterion="MQM", systems=("a",), change=0.1, n_changed=1, n_measures=2
)

EXAMPLES: list[tuple[notes.Note, str]] = [
    (notes.UnjudgedSystems(("a", "b")), "Not judged, therefore left out: a, b."),
    (notes.UnscoredSystems(("a",)), "Judged but not scored, therefore left out: a."),
    (notes.LeftOutSystems(("a", "b")), "Left out on request: a, b."),
    (notes.LeftOutSystems(("a",), are_outliers=True), "Outliers by the human scores, left out: a."),
    (notes.OneDomain("news"), "Only the segments of the domain news count."),
    (notes.UnusedCriteria(("year", "n")), "Human scores that were not chosen: year, n."),
    (
        notes.WrongDirection("COMET", "higher"),
        "COMET correlates negatively with the human scores, with higher values as better: if lower "
        "values are better, type COMET[lower]=FILE.",
    ),
    (notes.FewSystems(1), "Only 1 system: coefficients"),
    (notes.FewSystems(4), "Only 4 systems: coefficients"),
    (notes.MissingJudgments("MQM", 3, 40), "MQM: 3 of 40 outputs were not judged"),
    (notes.ConstantScores("BLEU"), "BLEU gives all systems the same score"),
    (
        OUTLIERS,
        "MQM: a is an outlier by the human scores. Without it, Pearson's coefficient changes by "
        "0.1 or more in 1 of 2 cases.",
    ),
    (replace(OUTLIERS, systems=("a", "b")), "MQM: a, b are outliers"),
    (
        notes.OutsideInterval("MQM", (("BLEU", "", "pearson"), ("TER", "case", "kendall"))),
        "MQM: resamples give other values than 2 coefficients (BLEU, pearson; TER, case, kendall)",
    ),
    (
        notes.OutsideInterval("MQM", tuple(("BLEU", "", q) for q in "abcdefg")),
        "(BLEU, a; BLEU, b; BLEU, c; BLEU, d; BLEU, e; ...)",
    ),
    (
        notes.NarrowIntervals("bca", "both", 95.0),
        "bca intervals over systems and segments are too narrow: they contain the coefficient of "
        "all systems of this kind less often than in 95% of the cases",
    ),
    (
        notes.NegativeCorrelations("MQM", 5, 6),
        "MQM: 5 of 6 metrics correlate negatively. A higher rating must mean a better output",
    ),
    (notes.SampledCalibration(("none", "item"), 2_000_000), "on 2,000,000 randomly drawn pairs"),
    (
        notes.UnitsNotComplete("MQM", 30, 100, "doc"),
        "MQM: soft pairwise accuracy uses the 30 of 100 documents",
    ),
    (
        notes.UnitsNotScored("BLEU", 30, 100, "doc"),
        "BLEU: soft pairwise accuracy of means uses the 30 of 100 documents that have a score of "
        "every system.",
    ),
    (
        notes.NotExchanged(("A", "B")),
        "No soft pairwise accuracy of A, B: it exchanges segments, and these depend on the "
        "segments around. Exchange documents: --by doc.",
    ),
    (
        notes.SignificantDifferences("MQM", 0.0851, 0.05),
        "MQM: all differences of 0.086 or more between the means of two metrics are significant",
    ),
    (notes.SegmentMeans(), "PERM-BOTH exchanges segment scores"),
    (
        notes.DocumentsTooLong(40, "segment", (50, 60)),
        "Lengths left out, because the test set has only 40 segments: 50, 60.",
    ),
    (notes.UndefinedDocuments("segment", 1), "Some documents of 1 segment have no coefficient"),
    (notes.UndefinedDocuments("doc", 3), "Some documents of up to 3 documents have no coefficient"),
    (notes.DocumentsNotJudged(), "segments were judged, not documents"),
    (notes.NoSharedRaters("MQM"), "MQM: there is no inter-judge curve"),
    (notes.NoSharedOutputs("MQM"), "MQM: no output was judged by two raters."),
    (notes.FewSharedOutputs("MQM", 2, 3, 10), "MQM: 2 of 3 pairs of raters share fewer than 10"),
]


@pytest.mark.parametrize(("note", "words"), EXAMPLES, ids=lambda x: getattr(x, "code", ""))
def test_a_note_in_words(note: notes.Note, words: str) -> None:
    assert words in sentence(note)


def test_every_code_has_a_wording() -> None:
    kinds = notes.Note.__subclasses__()
    assert {type(note) for note, _ in EXAMPLES} == set(kinds)
    for kind in kinds:
        assert sentence.dispatch(kind) is not sentence.dispatch(notes.Note), kind.code
    assert len({kind.code for kind in kinds}) == len(kinds)


def test_a_note_without_wording_is_an_error() -> None:
    class Unworded(notes.Note):
        code = "unworded"

    with pytest.raises(NotImplementedError, match="unworded"):
        sentence(Unworded())

"""Reports of profiles: tables, marks, legend and records."""

from __future__ import annotations

import numpy as np
import pytest
from mteval_profile.report import Profile, of_profile

import mteval_core as mt
from mteval_core import Subset
from mteval_core.report import Picture

HYPOTHESES = {"good": ["a b c d"] * 12, "bad": ["a b x"] * 9 + ["a b c d"] * 3}
REFERENCES = [["a b c d"] * 12]


PLUGIN = '''
import numpy as np

import mteval_core as mt
from mteval_core.formulas import ratio


class Matches:
    """Clipped matches of words, and the number of words."""

    def segment_statistics(self, hypothesis, references):
        return [sum(word in references[0] for word in hypothesis), len(hypothesis)]

    def score(self, totals):
        return ratio(totals[..., :1], totals[..., 1:])


class Lost:
    """The share of words that are not there, and the same of the references."""

    def __init__(self, of="all"):
        self.of = of

    def segment_statistics(self, hypothesis, references):
        return [len({*references[0]} - {*hypothesis}), len(references[0])]

    def score(self, totals):
        lost = ratio(totals[..., 0], totals[..., 1])
        return np.stack([lost, np.full_like(lost, 0.125)], axis=-1)


@mt.hookimpl
def mteval_register_metrics():
    return [
        mt.MetricSpec("matches", factory=Matches, label="Matches", values={"P": 100}),
        mt.MetricSpec(
            "lost",
            factory=Lost,
            help="words that are not there",
            values={"words": 100, "references": 100},
            options=(mt.Option("of", "all", choices=("all", "some")),),
            better="lower",
        ),
    ]
'''


@pytest.fixture(scope="module")
def profile(tmp_path_factory: pytest.TempPathFactory) -> Profile:
    """Two systems under a metric and two figures, as a whole and in two parts."""
    path = tmp_path_factory.mktemp("plugins") / "lost.py"
    path.write_text(PLUGIN, encoding="utf-8")
    registry = mt.load_registry([], files=[str(path)])
    figures = ("lost", "lost:of=some,value=words")
    evaluation = mt.evaluate(HYPOTHESES, REFERENCES, ["matches", *figures], registry=registry)
    parts = [Subset("length", "0-9", np.arange(11)), Subset("length", "10-", np.array([11]))]
    first, second = (part.evaluation(evaluation, ["matches"]) for part in parts)
    return Profile(
        evaluation.confidence(50).compare("ar"),
        figures,
        ((parts[0], first.confidence(50).compare("ar")), (parts[1], second)),
        ("Something was left out.",),
    )


def test_an_overview_says_what_is_significantly_worse(profile: Profile) -> None:
    overview, *tables = of_profile(profile, {}).parts()
    assert isinstance(overview, Picture)
    assert len(tables) == 2
    assert overview.title == "▲ better, ▼ worse than good (p < 0.05), · no significant difference"
    # Fewer matches and more lost words are worse.
    assert overview.text(mt.Layout()).split("\n") == [
        "                    bad",
        "Matches              ▼",
        "lost                 ▼",
        "lost words,of=some   ▼",
    ]
    assert '<th scope="row">Matches</th><td>100.0</td><td class="worse3">76.9 ▼</td>' in (
        overview.html(mt.Layout())
    )
    assert overview.svg(mt.Layout()).count('<rect class="worse3"') == 3


def test_an_overview_shows_what_is_better_and_what_has_no_better_direction() -> None:
    registry = mt.default_registry()
    specs = ["repetition:order=1", "length-ratio"]
    systems = {"long": ["a a b c d e f"] * 12, "exact": ["a b c d"] * 12, "same": ["a b c d"] * 12}
    evaluation = mt.evaluate(systems, REFERENCES, specs, registry=registry).compare("ar")
    overview = of_profile(Profile(evaluation, tuple(specs), ()), {}).parts()[0]
    assert isinstance(overview, Picture)
    assert "+ larger, − smaller" in overview.title
    narrow = overview.text(mt.Layout(columns=30)).split("\n\n")
    assert [block.split()[0] for block in narrow] == ["exact", "same"]
    assert [block.split()[1:] for block in narrow] == [
        ["repetition", "order=1", "▲", "length-ratio", "−"]
    ] * 2
    turned = {name: systems[name] for name in ("exact", "long")}
    evaluation = mt.evaluate(turned, REFERENCES, specs, registry=registry).compare("ar")
    overview = of_profile(Profile(evaluation, tuple(specs), ()), {}).parts()[0]
    assert isinstance(overview, Picture)
    shown = overview.text(mt.Layout()).split()
    assert shown == ["long", "repetition", "order=1", "▼", "length-ratio", "+"]


def test_one_system_has_no_overview() -> None:
    evaluation = mt.evaluate({"A": ["a"] * 12}, [["a"] * 12], ["length-ratio"])
    report = of_profile(Profile(evaluation, ("length-ratio",), ()), {})
    assert [part.kind for part in report.parts()] == ["table"]


def test_a_table_for_each_metric_and_for_the_figures_of_each(profile: Profile) -> None:
    by_length, figures = of_profile(profile, {}).tables()
    assert by_length.caption == "Matches ↑ by length of the reference in words"
    assert by_length.titles == ("words", "segments")
    assert by_length.names == (("all", 12), ("0-9", 11), ("10-", 1))
    assert figures.caption == "lost: words that are not there"
    assert figures.names == (("words",), ("words,of=some",))
    assert [column.heads for column in figures.columns] == [("good",), ("bad",), ("references",)]


def test_cells(profile: Profile) -> None:
    by_length, figures = of_profile(profile, {}, 2).tables()
    good, bad = by_length.columns
    # The bad system has 18 + 12 of 27 + 12 words, in the first part 18 + 8 of 27 + 8.
    assert [cell.parts[0] for cell in good.cells] == ["100.00", "100.00", "100.00"]
    assert [cell.parts[0] for cell in bad.cells] == ["76.92", "74.29", "100.00"]
    assert [cell.mark for cell in bad.cells] == ["significant", "significant", None]
    assert [cell.mark for cell in good.cells] == [None, None, None]
    assert good.cells[0].parts == ("100.00", "[100.00,", "100.00]")
    assert bad.cells[2].parts == ("100.00", "", "")
    *_, references = figures.columns
    assert [cell.parts for cell in references.cells] == [("12.50",), ("12.50",)]
    assert figures.columns[1].cells[0].parts[0] == "37.50"  # 18 of 48 words


def test_legend_and_notes(profile: Profile) -> None:
    report = of_profile(profile, {})
    legend = report.legend_lines({"significant": "† "})
    assert legend[0].startswith("[ ] 95% percentile interval from 50 bootstrap resamples")
    assert legend[1].startswith("† against good, row by row: p < 0.05 (exact paired")
    assert legend[2] == "references: the same figure of the references"
    assert report.notes[0] == "Something was left out."
    assert report.notes[1].startswith("Parts with fewer than 10 segments are not tested")
    assert report.summary == "2 systems, 12 segments, 1 reference"


def test_records(profile: Profile) -> None:
    report = of_profile(profile, {"seed": 12345})
    records = {(r["metric"], r["level"], r["id"], r["system"]): r for r in report.records}
    assert len(records) == len(report.records) == 2 * (3 + 2)
    whole, part = (
        records["matches", level, name, "bad"]
        for level, name in (("corpus", None), ("length", "0-9"))
    )
    assert whole["signature"] == part["signature"]
    assert whole["score"] == pytest.approx(100 * 30 / 39)
    assert part["score"] == pytest.approx(100 * 26 / 35)
    assert records["matches", "length", "10-", "bad"]["ci"] is None
    assert report.data["settings"] == {"seed": 12345}
    assert len(report.signatures) == 3

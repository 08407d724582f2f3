"""What changed between two outputs: figures, damage and lost segments by hand, and the command."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

import pytest
from mteval_decide.why import Figure, Finding, changes

import mteval_core as mt

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    Run = Callable[..., Any]

SPEC = "matches:tok=none"
PAIR = ("new", "base")


def figures(
    registry: mt.Registry, old: list[str], new: list[str], *references: list[Any], **more: Any
) -> dict[str, tuple[float, float]]:
    """The figures of two texts, before and now."""
    outputs = {"base": old, "new": new}
    evaluation = mt.evaluate(outputs, references, [SPEC], registry=registry, **more)
    found = changes(evaluation, PAIR, SPEC, registry)
    return {one.name: (one.before, one.after) for one in found.figures if not one.metric}


# Figures


def test_values_of_all_metrics_are_figures_the_score_first(registry: mt.Registry) -> None:
    # Of a b | c, "a b", "x" matches 2 of 3 words, and "a", "c" 2 of 2.
    outputs = {"base": ["a b", "x"], "new": ["a", "c"]}
    evaluation = mt.evaluate(outputs, [["a b", "c"]], [SPEC], registry=registry)
    found = changes(evaluation, PAIR, SPEC, registry)
    assert [one for one in found.figures if one.metric] == [
        Figure(SPEC, "P", pytest.approx(200 / 3), 100.0, "score"),
        Figure(SPEC, "length", 3.0, 2.0, "score"),
    ]


def test_numbers_count_if_all_references_have_them(registry: mt.Registry) -> None:
    # Both references have 22:48, 7 and 7; only one has 3.
    references = ["at 22:48 with 7 and 7", "ok"], ["with 7, 3 and 7 at 22:48", "ok"]
    found = figures(registry, ["22:48 7 7 3", "5"], ["7 22:47", "22:48"], *references)
    assert found["numbers of the references"] == (100.0, pytest.approx(100 / 3))


def test_names_have_a_capital_inside_a_sentence(registry: mt.Registry) -> None:
    # The first word, and the one after a full stop, may have a capital without being a name.
    references = ["Then Anna saw Bert. Later, Cäsar came and I slept."]
    found = figures(registry, ["so Anna and Bert and Cäsar"], ["Then Later Bert"], references)
    assert found["names of the references"] == (100.0, pytest.approx(100 / 3))


def test_texts_without_numbers_and_names_have_no_figure_of_them(registry: mt.Registry) -> None:
    found = figures(registry, ["日本語"], ["日本"], ["日本語"])
    assert found == {
        "characters": (3, 2),
        "empty lines": (0, 0),
        "lines under half of their references": (0, 0),
    }


def test_lines_are_cut_that_have_less_than_half_of_the_shortest_reference(
    registry: mt.Registry,
) -> None:
    references = ["abcdef"] * 3, ["abcdefgh"] * 2 + [None]
    found = figures(registry, ["abc", "ab", ""], ["ab", "ab", "ab"], *references)
    assert found["lines under half of their references"] == (1, 3)
    assert found["empty lines"] == (1, 0)


def test_lines_are_copied_unless_a_reference_is_the_source(registry: mt.Registry) -> None:
    sources = ["Haus", "Taxi", "Hund"]
    texts = ["house", "Taxi", "dog"], ["Haus", "Taxi", "Hund"], ["home", "Taxi", "dog"]
    found = figures(registry, *texts, source=sources)
    assert found["lines copied from the source"] == (0, 2)
    assert "lines copied from the source" not in figures(registry, *texts)


# Damage


def test_damage_is_listed_that_only_one_output_has(
    plugin: Callable[..., Any], registry: mt.Registry
) -> None:
    def check(letter: str) -> Callable[[mt.CheckedTexts], Iterator[str]]:
        def find(texts: mt.CheckedTexts) -> Iterator[str]:
            for name, text in texts.systems.items():
                if letter in text.sample.values():
                    yield f"system {name} has {letter}"

        return find

    point = plugin([registry.find(mt.MetricSpec, "matches").declaration])
    checks = [mt.CheckSpec(f"has-{one}", function=check(one), help="A letter.") for one in "abc"]
    point.load().mteval_register_checks = mt.hookimpl(lambda: checks)
    checking = mt.load_registry([point])
    outputs = {"base": ["a", "b"], "new": ["b", "c"]}
    with pytest.warns(mt.MtevalWarning, match="has"):
        both = mt.evaluate(outputs, [["a", "b"]], [SPEC], registry=checking)
    assert changes(both, PAIR, SPEC, checking).findings == [
        Finding("has-c", "system new has c", "now"),
        Finding("has-a", "system new has a", "base"),
    ]


# Segments


def test_change_without_the_segments_that_lost_most(
    evaluate: Callable[..., mt.Evaluation], mean_registry: mt.Registry
) -> None:
    # Segments change by -4, 0, +2, -1 and -2, in the mean by -1. Without segments 0 and 4, which
    # lose more than that, the others change by +1/3.
    both = evaluate({"base": [5, 5, 5, 5, 5], "new": [1, 5, 7, 4, 3]})
    (spec,) = both.scorers
    found = changes(both, PAIR, spec, mean_registry)
    assert (found.n_changed, found.n_lost) == (4, 2)
    assert [one.segment for one in found.lost] == [0, 4]
    assert found.without == pytest.approx(1 / 3)


def test_twenty_segments_that_lost_most_are_kept(
    evaluate: Callable[..., mt.Evaluation], mean_registry: mt.Registry
) -> None:
    # Of 50 segments, 30 lose 2 and 20 nothing: without 20 of them, 10 of 30 lose 2.
    both = evaluate({"base": [5] * 50, "new": [3] * 30 + [5] * 20})
    (spec,) = both.scorers
    found = changes(both, PAIR, spec, mean_registry)
    assert (found.n_lost, [one.segment for one in found.lost]) == (30, list(range(20)))
    assert found.without == pytest.approx(-20 / 30)


def test_nothing_remains_without_the_only_segment(registry: mt.Registry) -> None:
    both = mt.evaluate({"base": ["a"], "new": ["x"]}, [["a"]], [SPEC], registry=registry)
    found = changes(both, PAIR, SPEC, registry)
    assert (found.n_lost, math.isnan(found.without)) == (1, True)


# The command

REFERENCE = ["One goal after 7 minutes .", "two", "three men", "four"]
OLD = ["One goal after 7 minutes .", "two", "three men", "five"]
NEW = ["One goal", "two", "three women", "four"]


@pytest.fixture
def why(files: Callable[..., list[str]], mteval: Run, tmp_path: Path) -> Run:
    """Run the command in this process on a base and a new output."""
    texts = {"ref": REFERENCE, "old": OLD, "new": NEW}
    paths = files(**{name: "".join(f"{line}\n" for line in text) for name, text in texts.items()})
    ref, old, new = paths
    base = str(tmp_path / "base.json")
    done = mteval("score", ref, "-i", old, "-m", "wer", "per", "-o", base)
    assert done.code == 0
    return lambda *words: mteval("why", base, *(words or ("-i", new)))


def test_report_as_text(why: Run, tmp_path: Path) -> None:
    # Of 10 reference words, 1 and 5 are wrong: 4 are lost in segment 0, 1 in segment 2, and
    # segment 3 gains 1. Without segments 0 and 2, the change is from 1/2 to 0/2.
    code, out, err = why("-i", str(tmp_path / "new"), "--top", "1")
    assert (code, err) == (0, "")
    lines = [" ".join(line.split()) for line in out.splitlines()]
    assert lines[:3] == ["What changed: new", "", "3 of 4 segments changed, 2 lost under WER ↓"]
    for line in (
        "WER ↓ 10.00 50.00 +40.00 +400.0",
        "PER ↓ 10.00 50.00 +40.00 +400.0",
        "characters 42 26 -16 -38.1",
        "lines under half of their references 0 1 +1 –",
        "numbers of the references 100.0% 0.0% -100.0 –",
        "0 base One goal after 7 minutes . 0.00",
        "0 now One goal 66.67 +0.00",
        "! As before: empty lines.",
        "! Without the 2 segments that lost most, the change of the score is -50.00.",
    ):
        assert line in lines, line
    assert "2 now" not in out


def test_damage_is_said_once_in_the_report(
    files: Callable[..., list[str]], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("mteval_doctor")
    capitals, small = "One Man Goes Home .\n" * 30, "one man goes home .\n" * 30
    ref, old, new = files(ref=capitals, old=capitals, new=small)
    base = str(tmp_path / "base.json")
    assert mt.main(["score", ref, "-i", old, "-m", "wer", "-o", base, "-q"]) == 0
    assert mt.main(["why", base, "-i", new]) == 0
    out, err = capfd.readouterr()
    assert out.count("[letter-case]") == 1
    assert "[letter-case]" not in err
    assert mt.main(["why", base, "-i", new, "--strict"]) == 3


def test_json_has_all_segments_figures_and_commands(why: Run, tmp_path: Path) -> None:
    report = json.loads(why("-i", str(tmp_path / "new"), "-f", "json", "-m", "per").out)
    assert report["experiment"] == "why"
    kinds = [one["kind"] for one in report["records"]]
    assert kinds == sorted(kinds, key=["figure", "finding", "segment"].index)
    segments = [one for one in report["records"] if one["kind"] == "segment"]
    assert [(one["segment"], one["old"], one["new"]) for one in segments] == [
        (0, OLD[0], NEW[0]),
        (2, OLD[2], NEW[2]),
    ]
    settings = report["settings"]
    assert (settings["metric"], settings["n_lost"]) == ("per", 2)
    assert settings["change_without_lost"] == pytest.approx(-50)


def test_the_source_says_which_lines_are_copied(
    why: Run, tmp_path: Path, files: Callable[..., list[str]]
) -> None:
    (source,) = files(src="a\ntwo\nthree women\nd\n")
    out = why("-i", str(tmp_path / "new"), "--source", source).out
    # "two" is also the reference.
    assert "lines copied from the source 0 1 +1 –" in " ".join(out.split())


def test_commands_are_those_of_installed_plugins(
    why: Run, tmp_path: Path, error_rates: mt.Registry
) -> None:
    report = json.loads(why("-i", str(tmp_path / "new"), "-f", "json").out)
    shown = {line.split()[1] for line in report["settings"]["commands"].values()}
    installed = {one.declaration.name for one in error_rates.of_kind(mt.CommandSpec)}
    assert shown == {"explain", "profile", "doctor"} & installed


@pytest.mark.parametrize("form", ["markdown", "latex", "csv", "html"])
def test_every_format_writes_it(
    why: Run, tmp_path: Path, error_rates: mt.Registry, form: str
) -> None:
    if not error_rates.of_name(mt.FormatSpec, form):
        pytest.skip(f"no format {form} is installed")
    code, out, _ = why("-i", str(tmp_path / "new"), "-f", form)
    assert code == 0
    assert "One goal after 7 minutes" in out


def test_equal_outputs_have_no_lost_segments(why: Run, tmp_path: Path) -> None:
    code, out, _ = why("-i", f"new={tmp_path / 'old'}")
    assert code == 0
    assert "0 of 4 segments changed, 0 lost under WER" in out
    assert "that lost most" not in out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("", "no new output: add -i SYS"),
        ("-i {new} x={new}", "one output is compared with the base: name one after -i"),
        ("-i {new} -m bleu", "the base has no metric 'bleu' of mteval"),
        ("-i {new} --top 21", "expected a number of segments, from 0 to 20, got '21'"),
    ],
)
def test_what_is_refused(why: Run, tmp_path: Path, words: str, message: str) -> None:
    given = words.format(new=tmp_path / "new").split() or ["-q"]
    code, _, err = why(*given)
    assert code == 2
    assert message in err

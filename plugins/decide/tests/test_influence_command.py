"""``mteval influence``: the report, its records in every format, and what is refused."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING, Any

import pytest

import mteval_core as mt

if TYPE_CHECKING:
    from collections.abc import Callable

    Run = Callable[..., tuple[int, str, str]]

# Errors by segment, of four words each. GOOD has 1 in all, and BAD 2 + 3 more in every four.
REFERENCE = ["a b c d", "e f g h", "i j k l", "m n o p"] * 4
OTHER = ["a b c d", "e f g y", "i j k l", "m n o p"] * 4
GOOD = ["a b c d", "e f g h", "i j k l", "m n o x"] * 4
BAD = ["a b c d", "e f x x", "i j k l", "x x x x"] * 4


@pytest.fixture
def run(files: Callable[..., list[str]], monkeypatch: pytest.MonkeyPatch, mteval: Run) -> Run:
    """Run the command in this process on two systems: exit code, output, errors."""
    monkeypatch.setenv("COLUMNS", "120")
    texts = {
        "r": REFERENCE,
        "other": OTHER,
        "part": [*OTHER[:-1], ""],
        "good": GOOD,
        "bad": BAD,
        "docs": [f"d{k // 4}" for k in range(16)],
    }
    paths = files(**{name: "".join(f"{line}\n" for line in text) for name, text in texts.items()})
    named = dict(zip(texts, paths, strict=True))

    def command(*arguments: str, systems: str = "good bad") -> tuple[int, str, str]:
        placed = [named.get(word, word) for word in arguments]
        given = ["-i", *(named[name] for name in systems.split())]
        return mteval("influence", named["r"], *given, "-m", "wer", *placed)

    return command


def records(run: Run, *arguments: str, **options: str) -> dict[str, list[dict[str, Any]]]:
    """The records of a report by their kind."""
    code, out, err = run("-f", "json", *arguments, **options)
    assert (code, err) == (0, "")
    report = json.loads(out)
    assert report["experiment"] == "influence"
    found: dict[str, list[dict[str, Any]]] = {"unit": [], "ranks": [], "references": []}
    for record in report["records"]:
        found[record.pop("kind")].append(record)
    return {**found, "settings": [report["settings"]]}


def test_the_report(run: Run) -> None:
    # 4 and 24 errors in 64 words, a difference of 31.25. Without the last segment of four words,
    # there are 3 and 20 in 60: 28.333.
    code, out, err = run("--top", "1")
    assert (code, err) == (0, "")
    lines = [line.split() for line in out.splitlines()]
    assert "16 segments, 1 reference" in out
    assert "WER ↓: bad − good = +31.250" in out
    assert ["3", "+2.917", "+28.333"] in lines
    # Segments go in the order 3, 7, 11, 15 (3 errors more each), then 1, 5, 9 and 13 (2); in the
    # others, the systems are equal.
    assert ["bad", "good", "WER", "↓", "+31.25", "8", "of", "16"] in lines
    assert ["good", "100%", "·"] in lines
    assert ["bad", "·", "100%"] in lines
    assert "each rank in 1000 bootstrap" in out
    assert "references" not in out


def test_records_say_the_same_as_the_table(run: Run) -> None:
    found = records(run, "--top", "20", "-n", "50", "--seed", "3")
    assert found["settings"] == [
        {"top": 20, "resamples": 50, "seed": 3, "level": 95.0, "by": "segment"}
    ]
    assert len(found["unit"]) == 16
    first = found["unit"][0]
    assert first == {
        "system": "bad",
        "baseline": "good",
        "metric": "wer",
        "value": 31.25,
        "id": 3,
        "effect": pytest.approx(31.25 - 100 * 17 / 60),
        "without": pytest.approx(100 * 17 / 60),
        "reversal": 8,
        "n_units": 16,
    }
    assert [record["id"] for record in found["unit"][:4]] == [3, 7, 11, 15]
    assert found["ranks"] == [
        {"system": "good", "metric": "wer", "shares": [1.0, 0.0]},
        {"system": "bad", "metric": "wer", "shares": [0.0, 1.0]},
    ]
    assert found["references"] == []


def test_documents(run: Run) -> None:
    found = records(run, "--by", "doc", "--docs", "docs")
    assert [record["id"] for record in found["unit"]] == ["d0", "d1", "d2", "d3"]
    assert {record["without"] for record in found["unit"]} == {31.25}
    out = run("--by", "doc", "--docs", "docs")[1]
    assert "16 segments, 4 documents, 1 reference" in out
    assert "! Only 4 documents: " in out
    assert "documents that carry it" in out


def test_a_single_system(run: Run) -> None:
    found = records(run, "--top", "1", systems="bad")
    assert found["ranks"] == []
    (record,) = found["unit"]
    assert (record["system"], record["baseline"], record["value"]) == ("bad", None, 37.5)
    out = run("--top", "1", systems="bad")[1]
    assert "WER ↓: bad = 37.500" in out
    assert "carry" not in out


def test_references(run: Run) -> None:
    pytest.importorskip("mteval_error_rates")
    found = records(run, "-r", "other", "-n", "100", "--ci-level", "80")
    (choice,) = found["references"]
    both = mt.evaluate({"good": GOOD, "bad": BAD}, [REFERENCE, OTHER], ["wer"])
    ones = [
        mt.evaluate({"good": GOOD, "bad": BAD}, [reference], ["wer"])
        for reference in (OTHER, REFERENCE)
    ]

    def difference(evaluation: mt.Evaluation) -> float:
        return evaluation.score("bad", "wer").score - evaluation.score("good", "wer").score

    assert choice["value"] == difference(both)
    assert choice["without"] == [difference(one) for one in ones]
    gap = abs(choice["without"][0] - choice["without"][1])
    assert choice["of_references"] == pytest.approx(gap / 2)
    reach = 1.2815516 * (choice["of_units"] ** 2 + choice["of_references"] ** 2) ** 0.5
    assert choice["high"] - choice["value"] == pytest.approx(reach)
    out = run("-r", "other", "-n", "100", "--ci-level", "80")[1]
    assert "WER ↓: references" in out
    assert "L, U: 80% interval over both" in out
    assert "! Only 2 references: " in out
    row = next(line.split() for line in out.splitlines() if line.startswith("bad − good  "))
    assert row[3] == f"{choice['value']:+.2f}"
    assert row[6] == f"{choice['of_units']:.2f}"


def test_references_of_some_segments_only(run: Run) -> None:
    code, out, _ = run("-r", "part", "--empty-refs", "missing")
    assert code == 0
    assert "references was not examined" in out
    assert records(run, "-r", "part", "--empty-refs", "missing")["references"] == []


def test_jackknifed_scores(run: Run) -> None:
    assert "references was not examined" in " ".join(run("-r", "other", "--jackknife")[1].split())
    three = records(run, "-r", "other", "part", "--jackknife")
    assert len(three["references"][0]["without"]) == 3


def test_all_pairs(run: Run) -> None:
    found = records(run, "--all-pairs", "--top", "1")
    assert [(one["system"], one["baseline"]) for one in found["unit"]] == [("bad", "good")]
    code, _, err = run("--all-pairs", systems="bad")
    assert (code, "needs two systems or more" in err) == (2, True)


@pytest.mark.parametrize("form", ["markdown", "latex", "html", "csv", "tsv", "jsonl"])
def test_every_format(run: Run, form: str) -> None:
    if form in ("latex", "html"):
        pytest.importorskip("mteval_figures" if form == "latex" else "mteval_html_report")
    code, out, err = run("-r", "other", "--top", "2", "-f", form)
    assert (code, err) == (0, "")
    if form == "jsonl":
        rows = [json.loads(line) for line in out.splitlines()]
    elif form in ("csv", "tsv"):
        rows = list(csv.DictReader(io.StringIO(out), delimiter="," if form == "csv" else "\t"))
    else:
        assert "What carries the differences" in out
        assert out.count("100") >= 2
        return
    assert [row["kind"] for row in rows] == ["unit", "unit", "ranks", "ranks", "references"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--top", "0"], "expected a whole number"),
        (["-n", "0"], "expected a whole number"),
        (["--ci-level", "100"], "--ci-level"),
        (["--seed", "-1"], "--seed"),
        (["-f", "json", "-w", "3"], "-w changes tables, and the format json has none"),
        (["--by", "doc"], "documents need --docs"),
        (["--docs", "docs"], "--docs applies to"),
    ],
)
def test_what_makes_no_sense_is_refused(run: Run, arguments: list[str], message: str) -> None:
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert message in err


def test_several_metrics_have_tables_of_their_own(run: Run, tmp_path: Any) -> None:
    path = tmp_path / "influence.json"
    assert run("-m", "per", "--top", "2", "-o", str(path))[:2] == (0, "")
    report = json.loads(path.read_text(encoding="utf-8"))
    units = [record["metric"] for record in report["records"] if record["kind"] == "unit"]
    assert units == ["wer", "wer", "per", "per"]
    assert [signature.split("|")[0] for signature in report["signatures"]] == ["WER", "PER"]
    out = run("-m", "per", "--top", "2")[1]
    assert "WER ↓: ranks" in out
    assert "PER ↓: ranks" in out
    assert out.count("What carries the differences") == 1

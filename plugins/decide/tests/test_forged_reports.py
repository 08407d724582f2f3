"""Reports that were changed by hand, by accident or in bad faith: replay does not confirm them."""

from __future__ import annotations

import copy
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import mteval_core as mt
from mteval_core import main

if TYPE_CHECKING:
    from collections.abc import Callable

pytest.importorskip("mteval_bleu_nist", reason="the plugin bleu_nist is not installed")
pytest.importorskip("mteval_error_rates", reason="the plugin error_rates is not installed")

SEGMENTS = {
    "ref": ["the cat sat on the mat"] * 4 + ["a dog barked at night"] * 4,
    "best": ["the cat sat on the mat"] * 4 + ["a dog barked at me"] * 4,
    "middle": ["the cat sat on a mat", "the cat sat"] * 2 + ["a dog barked at me"] * 4,
    "worst": ["some cat sat on the hat", "the mat"] * 2 + ["dogs bark at night"] * 4,
    "docs": ["one"] * 4 + ["two"] * 4,
}


@pytest.fixture
def genuine(files: Callable[..., list[str]], monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Return a report with documents, intervals and tests of all pairs, next to its texts."""
    written = files(**{name: "\n".join(lines) + "\n" for name, lines in SEGMENTS.items()})
    monkeypatch.chdir(Path(written[0]).parent)
    test_set = mt.TestSet((mt.read_text("ref"),), tuple(SEGMENTS["docs"]), "docs")
    systems = {name: mt.read_text(name) for name in ("best", "middle", "worst")}
    evaluation = mt.evaluate(systems, test_set, ["bleu", "wer"])
    drawn = evaluation.confidence(50, seed=7).compare("ar", 60, seed=7, all_pairs=True)
    report: dict[str, Any] = json.loads(json.dumps(drawn.to_dict()))
    return report


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Any:
    """Replay a report in this process: exit code, output, errors."""

    def replay(report: Any) -> tuple[int, str, str]:
        path = tmp_path / "report.json"
        path.write_text(report if isinstance(report, str) else json.dumps(report))
        code = main(["replay", str(path)])
        return code, *capsys.readouterr()

    return replay


def forged(report: dict[str, Any], where: tuple[Any, ...], value: Any) -> dict[str, Any]:
    """Change one value of a report. A function changes the value that is there."""
    changed: dict[str, Any] = copy.deepcopy(report)
    holder: Any = changed
    for key in where[:-1]:
        holder = holder[key]
    holder[where[-1]] = value(holder[where[-1]]) if callable(value) else value
    return changed


@pytest.mark.filterwarnings("ignore::mteval_core.errors.MtevalWarning")
def test_the_genuine_report_passes(run: Any, genuine: dict[str, Any]) -> None:
    code, out, _ = run(genuine)
    assert code == 0, out
    assert out.endswith(
        "6 of 6 records and 6 of 6 comparisons pass: scores, values, intervals, tests, signatures, "
        "inputs\n"
    )


def more(number: float) -> float:
    return number + 0.001


@pytest.mark.parametrize(
    ("where", "value", "reason"),
    [
        (("records", 1, "score"), more, ""),
        (("records", 1, "values", "BP"), more, "values: BP"),
        (("records", 1, "values", "extra"), 1.0, "values: extra"),
        (("records", 1, "n_segments"), 9, "number of segments"),
        (("records", 1, "ci", "high"), more, "interval"),
        (("records", 1, "p_value"), more, "p-value"),
        (("records", 1, "baseline"), "worst", "baseline"),
        (("records", 1, "difference", "value"), more, "difference"),
        (("records", 1, "difference", "exact"), True, "difference"),
        (("records", 1, "signature"), lambda s: s.replace("refs:", "refs:0"), "the references (h"),
        (("records", 1, "signature"), lambda s: s.replace("|refs:", "|x:y|refs:"), "x: y → not"),
        (("records", 1, "signature"), lambda s: s.replace("nrefs:1", "nrefs:2"), "nrefs: 2 → 1"),
        (("records", 1, "signature"), lambda s: s.replace("ar:60", "ar:61"), "ar: 61 → 60"),
        (("records", 1, "signature"), lambda s: s.replace("|smooth:exp", ""), "smooth: not given"),
        (("inputs", "references", 0, "hash"), "0" * 32, "the references differ"),
        (("inputs", "references", 0, "sha256"), "0" * 64, "the references differ"),
        (("inputs", "systems", "middle", 0, "sha256"), "0" * 64, "output of the system"),
        (
            ("inputs", "systems", "middle", 0, "hash"),
            "0" * 32,
            "output of the system",
        ),
        (("inputs", "docs"), lambda docs: {**docs, "hash": "0" * 32}, "the documents differ"),
        (("inputs", "docs"), None, ""),
        (("comparisons", 2, "difference"), more, ""),
        (("comparisons", 2, "p_raw"), more, "p-value before correction"),
        (("comparisons", 2, "p_value"), 0.0001, "p-value"),
        (("comparisons", 2, "high"), more, "high"),
        (("comparisons", 2, "correction"), "none", "correction"),
    ],
)
@pytest.mark.filterwarnings("ignore::mteval_core.errors.MtevalWarning")
def test_a_changed_value_fails(
    run: Any, genuine: dict[str, Any], where: tuple[Any, ...], value: Any, reason: str
) -> None:
    code, out, _ = run(forged(genuine, where, value))
    if where == ("inputs", "docs") and value is None:
        # Documents that no number depends on may be left out.
        assert code == 0
        return
    assert code == 1
    assert "FAIL" in out
    assert reason in out


@pytest.mark.filterwarnings("ignore::mteval_core.errors.MtevalWarning")
def test_another_output_fails_every_comparison_with_it(run: Any, genuine: dict[str, Any]) -> None:
    where = ("inputs", "systems", "best", 0, "hash")
    _, out, _ = run(forged(genuine, where, "0" * 32))
    assert "4 of 6 records and 2 of 6 comparisons pass" in out


@pytest.mark.filterwarnings("ignore::mteval_core.errors.MtevalWarning")
@pytest.mark.parametrize("spec", ["wer", "bleu:order=3", "bleu:tok=intl", "bleu:case=lc"])
def test_another_metric_than_the_signatures_fails(
    run: Any, genuine: dict[str, Any], spec: str
) -> None:
    report = copy.deepcopy(genuine)
    for record in [*report["records"], *report["comparisons"]]:
        if record["metric"] == "wer":
            record["metric"] = "per"
        elif record["metric"] == "bleu":
            record["metric"] = spec
    code, out, _ = run(report)
    assert code == 1
    assert "the metric is not that of the signature" in out
    assert out.endswith("0 of 6 records and 0 of 6 comparisons pass\n")


@pytest.mark.usefixtures("genuine")
@pytest.mark.parametrize(("level", "n"), [("corpus", 3), ("doc", 6), ("segment", 24)])
def test_a_deleted_record_is_found(run: Any, level: str, n: int) -> None:
    documents = ["--docs", "docs"] if level == "doc" else []
    command = ["score", "ref", "-i", "best", "middle", "worst", "-m", "bleu", "--level", level]
    assert main([*command, *documents, "-q", "-o", "whole.json"]) == 0
    report = json.loads(Path("whole.json").read_text("utf-8"))
    assert run(report)[0] == 0
    for k in (0, n // 2, n - 1):
        records = [*report["records"][:k], *report["records"][k + 1 :]]
        code, out, _ = run({**report, "records": records})
        assert code == 1
        assert "(1) is missing from the report\n" in out
        assert f"{n - 1} of {n} records pass" in out
        (failed,) = (line for line in out.splitlines() if "FAIL" in line)
        assert failed.startswith(report["records"][k]["system"])


def test_a_deleted_comparison_and_a_deleted_system_are_found(
    run: Any, genuine: dict[str, Any]
) -> None:
    report = copy.deepcopy(genuine)
    del report["comparisons"][3]
    code, out, _ = run(report)
    assert (code, "6 of 6 records and 5 of 6 comparisons pass" in out) == (1, True)
    code, out, _ = run({**genuine, "comparisons": []})
    assert (code, "6 of 6 records and 0 of 6 comparisons pass" in out) == (1, True)
    for key in ("records", "comparisons"):
        report[key] = [
            each for each in genuine[key] if "worst" not in (each["system"], each["baseline"])
        ]
    code, out, _ = run(report)
    assert (code, "is missing from the report" in out) == (1, True)
    assert sum(line.startswith("worst") for line in out.splitlines()) == 6


def test_a_key_that_is_given_twice_is_refused(run: Any, genuine: dict[str, Any]) -> None:
    written = json.dumps(genuine).replace('"score": ', '"score": 99.9, "score": ', 1)
    code, _, err = run(written)
    assert code == 3
    assert "an object has the key 'score' twice" in err


def test_a_record_that_is_given_twice_is_refused(run: Any, genuine: dict[str, Any]) -> None:
    report = copy.deepcopy(genuine)
    report["records"].append(report["records"][0])
    code, _, err = run(report)
    assert code == 3
    assert "records: 2 of them are of ('best', 'bleu', 'corpus', None); expected one" in err


@pytest.mark.parametrize(
    ("where", "value", "message"),
    [
        (("records", 0, "signature"), lambda s: s.replace("seed:7", "seed:abc"), "as the seed"),
        (("records", 0, "signature"), lambda s: s.replace("seed:7", "seed:-3"), "as the seed"),
        (("records", 0, "signature"), lambda s: s.replace("|seed:7", ""), "as the seed, got None"),
        (("records", 0, "signature"), lambda s: s.replace("|seed:7", "|seed:7|by:x"), "by 'x'"),
        (("records", 0, "signature"), lambda s: s.replace("tok:13a", "tok:99"), "tokenizer '99'"),
        (("records", 0, "signature"), lambda s: s.replace("BLEU|", "XX|"), "unknown metric 'XX'"),
        (("comparisons", 0, "test"), "zz", "comparisons[0].test: expected 'ar' or 'bs'"),
        (("comparisons", 0, "trials"), -1, "comparisons[0].trials: expected"),
        (("comparisons", 0, "trials"), 10**12, "comparisons[0].trials: expected"),
        (("records", 0, "ci", "n"), 10**12, "records[0].ci.n: expected"),
        (("records", 0, "ci", "level"), 100, "records[0].ci.level: expected"),
        (("inputs", "docs"), 5, "inputs.docs: expected an object"),
        (("inputs", "references", 0, "path"), "-", "an input of the report was not a file"),
        (("inputs", "references", 0, "path"), None, "an input of the report was not a file"),
        (("inputs", "references", 0, "path"), "/dev/zero", "/dev/zero: not a regular file"),
        (("inputs", "references", 0, "path"), "/", "/: not a regular file"),
        (("inputs", "references", 0, "path"), "a\0b", r"'a\x00b' cannot be the path of a file"),
        (("inputs", "references", 0, "path"), "a\ud800b", "cannot be the path of a file"),
        (("inputs", "references", 0, "path"), "a" * 10_000, "File name too long"),
        (("inputs", "systems", "best", 0, "path"), "/nowhere", "/nowhere: no such file"),
    ],
)
def test_what_cannot_be_computed_is_an_error_of_the_report(
    run: Any, genuine: dict[str, Any], where: tuple[Any, ...], value: Any, message: str
) -> None:
    report = forged(genuine, where, value)
    if where[-1] == "signature":
        for k in range(1, len(report["records"])):
            report = forged(report, ("records", k, "signature"), value)
    code, _, err = run(report)
    assert code == 3, err
    assert message in err
    assert err.count("\n") == 1


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")
def test_a_report_is_a_regular_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pipe = tmp_path / "pipe.json"
    os.mkfifo(pipe)
    (tmp_path / "zero.json").symlink_to("/dev/zero")
    for path in (pipe, tmp_path / "zero.json", tmp_path):
        assert main(["replay", str(path)]) == 3
        assert capsys.readouterr().err == f"mteval: error: {path}: not a regular file\n"
        assert main(["diff", str(path), str(path)]) == 3
        assert capsys.readouterr().err == f"mteval: error: {path}: not a regular file\n"
    for name in ("a\0b.json", "a\ud800.json"):
        assert main(["diff", name, name]) == 3
        assert "cannot be the path of a file" in capsys.readouterr().err


def test_a_report_has_a_largest_size(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "report.json"
    with path.open("wb") as stream:
        stream.truncate(1 << 40)
    assert main(["replay", str(path)]) == 3
    assert "1,099,511,627,776 bytes; a report has at most 268,435,456" in capsys.readouterr().err

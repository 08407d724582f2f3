"""Scores that another program computed: columns, intervals, tests, replay."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import mteval_core as mt
from mteval_core.commands.main import main
from mteval_core.data.addresses import Address
from mteval_core.data.reading import Files

if TYPE_CHECKING:
    from collections.abc import Callable

    Run = Callable[..., tuple[int, str, str]]

FORMATS = Path(__file__).with_name("data_formats.py")
SYSTEMS = ("A", "B", "C")
N = 12
RNG = np.random.default_rng(7)
COMET = {name: np.round(RNG.random(N), 3) for name in SYSTEMS}
WORDS = ["a b c", "d e", "f g h", "i", "j k l m", "n o"] * 2


def table(scores: Any = COMET, column: str = "score") -> str:
    """Write scores of segments as a table."""
    rows = [f"{s}\t{i}\t{v}\n" for s, values in scores.items() for i, v in enumerate(values)]
    return f"system\tsegment\t{column}\n" + "".join(rows)


@pytest.fixture
def run(
    files: Callable[..., list[str]],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> Run:
    """Run a command next to three systems with scores of segments."""
    monkeypatch.chdir(tmp_path)
    texts = "".join(f"{line}\n" for line in WORDS)
    data = {
        "refs": {"refA": WORDS},
        "systems": {name: [f"{line} {name}" for line in WORDS] for name in SYSTEMS},
        "ids": [f"s{i}" for i in range(N)],
        "scores": {name: {s: list(v) for s, v in COMET.items()} for name in ("COMET", "MetricX")},
    }
    files(
        ref=texts,
        docs="d1\n" * 4 + "d2\n" * 4 + "d3\n" * 4,
        comet=table(),
        two="system\tsegment\tCOMET\tQE\n" + "".join(f"A\t{i}\t1\t2\n" for i in range(N)),
        whole="system\tscore\n" + "".join(f"{s}\t{v.mean()}\n" for s, v in COMET.items()),
        by_doc="system\tdoc\tscore\n"
        + "".join(f"{s}\td{d}\t{v[d]}\n" for s, v in COMET.items() for d in (3, 2, 1)),
        **{name: texts.replace("d e", name) for name in SYSTEMS},
        **{"d.camp": json.dumps(data) + "\n"},
    )

    def command(*arguments: str) -> tuple[int, str, str]:
        code = main(["-p", str(FORMATS), *arguments])
        return code, *capsys.readouterr()

    return command


SCORE = ("score", "ref", "-i", *SYSTEMS, "-m", "wer", "--scores")


def records(run: Run, *arguments: str) -> list[dict[str, Any]]:
    code, out, err = run(*SCORE, *arguments, "-f", "json")
    assert (code, err) == (0, "")
    written: list[dict[str, Any]] = json.loads(out)["records"]
    return [record for record in written if record["metric"] == "COMET"]


def test_a_table_of_scores_is_a_column(run: Run) -> None:
    """The score of a system is the mean over its segments."""
    corpus = records(run, "COMET=comet")
    assert [each["score"] for each in corpus] == [math.fsum(COMET[s]) / N for s in SYSTEMS]
    segments = records(run, "COMET=comet", "--level", "segment")
    assert [each["score"] for each in segments] == np.concatenate(list(COMET.values())).tolist()
    documents = records(run, "COMET=comet", "--level", "doc", "--docs", "docs")
    expected = [four.sum() / 4 for s in SYSTEMS for four in COMET[s].reshape(3, 4)]
    assert [each["score"] for each in documents] == pytest.approx(expected, abs=1e-12)


def test_what_reads_tables_is_named_where_it_is_missing(run: Run) -> None:
    code, _, err = run("-p", "no:mteval-metaeval", *SCORE, "COMET=comet")
    assert code == 4
    assert "comet: its format is in the plugin 'metaeval' of mteval-metaeval" in err


def test_the_signature_has_the_hash_of_the_file(run: Run, tmp_path: Path) -> None:
    from hashlib import sha256

    code, out, _ = run(*SCORE, "COMET[lower]=comet", "-f", "json")
    report = json.loads(out)
    digest = sha256((tmp_path / "comet").read_bytes()).hexdigest()
    assert code == 0
    assert report["inputs"]["scores"] == [
        {"name": "COMET", "path": "comet", "sha256": digest, "better": "lower"}
    ]
    signature = report["records"][-1]["signature"]
    assert signature == f"COMET|file:{digest[:12]}|better:lower|version:{mt.__version__}"


def test_intervals_and_tests_are_those_of_the_rows(run: Run) -> None:
    """The interval of a mean is that of the means of resamples; the baseline is first."""
    (first, *others) = records(run, "COMET=comet", "-ci", "-n", "200", "-par", "--trials", "500")
    drawn = np.random.default_rng(12345).choice(N, size=(200, N))  # as sacreBLEU draws
    means = np.sort(COMET["A"][drawn].mean(axis=1))
    for end, place in (("low", 5), ("high", 195)):  # 2.5 % of 200 on either side
        assert np.abs(means[place - 1 : place + 1] - first["ci"][end]).min() < 1e-12
    assert [each["difference"]["value"] for each in others] == pytest.approx(
        [COMET[s].mean() - COMET["A"].mean() for s in "BC"], abs=1e-12
    )
    assert all(0 < each["p_value"] <= 1 for each in others)


@pytest.mark.parametrize(
    "arguments",
    [
        ("COMET=comet", "-ci", "-pbs"),
        ("COMET=two::COMET",),
        ("COMET=whole",),
        ("COMET=by_doc", "--docs", "docs", "--level", "doc"),
    ],
)
def test_a_report_with_scores_is_replayed(run: Run, tmp_path: Path, arguments: Any) -> None:
    command = [*SCORE, *arguments, "-f", "json", "-o", "saved.json"]
    if "two" in arguments[0]:
        command = [word for word in command if word not in ("B", "C")]
    assert run(*command)[0] == 0
    assert run("replay", "saved.json")[0] == 0
    path = tmp_path / arguments[0].partition("=")[2].partition(":")[0]
    path.rename(tmp_path / "moved")
    code, _, err = run("replay", "saved.json")
    assert (code, "No such file" in err or "no such file" in err) == (3, True)
    moved = f"COMET=moved{'::COMET' if 'two' in arguments[0] else ''}"
    assert run("replay", "saved.json", "--scores", moved)[0] == 0
    text = (tmp_path / "moved").read_text()
    (tmp_path / "moved").write_text(
        text.replace("A\t", "Z\t").replace("B\t", "A\t").replace("Z", "B")
    )
    code, out, err = run("replay", "saved.json", "--scores", moved)
    assert (
        code == 3
        if "two" in arguments[0]
        else (code, "scores of other programs" in out) == (1, True)
    )


@pytest.mark.parametrize(("direction", "verdict"), [("higher", "better"), ("lower", "worse")])
def test_diff_knows_the_direction_of_scores(
    run: Run, tmp_path: Path, direction: str, verdict: str
) -> None:
    for name, gain in (("1.json", 0.0), ("2.json", 0.1)):
        (tmp_path / "comet").write_text(table({s: v + gain for s, v in COMET.items()}))
        assert run(*SCORE, f"COMET[{direction}]=comet", "-f", "json", "-o", name)[0] == 0
    code, out, _ = run("diff", "1.json", "2.json")
    assert (code, out.splitlines()[2]) == (1, f"3 of 6 records differ: 3 {verdict}")


def test_scores_of_documents_and_of_whole_systems(run: Run) -> None:
    by_doc = records(run, "COMET=by_doc", "--docs", "docs", "--level", "doc")
    assert [each["score"] for each in by_doc] == [COMET[s][d] for s in SYSTEMS for d in (1, 2, 3)]
    assert [each["id"] for each in by_doc[:3]] == ["d1", "d2", "d3"]
    assert [r["score"] for r in records(run, "COMET=whole")] == [COMET[s].mean() for s in SYSTEMS]
    drawn = ("-ci", "--by", "doc", "--docs", "docs")
    assert all(each["ci"] for each in records(run, "COMET=by_doc", *drawn))
    for arguments in (["COMET=whole", "-ci"], ["COMET=whole", *drawn], ["COMET=whole", "-par"]):
        code, _, err = run(*SCORE, *arguments)
        assert code == 2
        assert "whole: score has a score per system, not per" in err.replace("COMET", "score")
    code, _, err = run(*SCORE, "COMET=by_doc", "-ci", "--docs", "docs", "--by", "segment")
    assert code == 2


def test_scores_of_a_data_set_go_by_their_name(run: Run) -> None:
    code, out, err = run(
        "score", "--data", "d.camp", "-m", "wer", "--scores", "MetricX[lower]", "-b", "-q"
    )
    assert (code, err) == (0, "")
    lines = [f"{s}\tMetricX\t{COMET[s].mean():.2f}" for s in SYSTEMS]
    assert [line for line in out.splitlines() if "MetricX" in line] == lines
    arguments = ("score", "ref", "-i", "A", "-m", "wer", "--scores")
    code, out, err = run(*arguments, "X=d.camp::COMET", "-b")
    assert (code, out.split()[-1]) == (0, f"{COMET['A'].mean():.2f}")
    code, _, err = run(*arguments, "X=d.camp")
    assert code == 3
    assert "d.camp: no scores of a metric 'X'. Known: COMET, MetricX. Choose one" in err


def test_a_data_set_without_scores_or_with_several_says_so(
    files: Callable[..., list[str]],
) -> None:
    texts = {"refs": {"ref": ["a"]}, "systems": {"A": ["a"]}}
    scores = {"scores": {"COMET": {"A": [1]}, "QE": {"A": [1]}}}
    human = {"human": {"mqm": [["A", 0, 1]], "esa": [["A", 0, 1]]}}
    none, some = files(
        **{"none.camp": json.dumps(texts), "some.camp": json.dumps({**texts, **scores, **human})}
    )
    reader = Files(mt.load_registry(files=[str(FORMATS)]))
    for read, message in (
        (lambda: reader.scores(Address(none)), f"{none}: no scores of a metric in this data set"),
        (lambda: reader.judgments(Address(none)), f"{none}: no human scores in this data set"),
        (
            lambda: reader.scores(Address(some)),
            f"{some}: no scores of a metric without a name. Known: COMET, QE. Choose one, "
            f"NAME={some}::METRIC",
        ),
        (
            lambda: reader.judgments(Address(some)),
            f"{some}: no human scores without a name. Known: esa, mqm. Choose one, {some}::NAME",
        ),
    ):
        with pytest.raises(mt.InputError) as caught:
            read()
        assert str(caught.value) == message


@pytest.mark.parametrize(
    ("content", "code", "message"),
    [
        (
            table({s: COMET[s] for s in "AB"}),
            3,
            "no scores of the system 'C'; it has A, B",
        ),
        (
            table({s: COMET[s][:-1] for s in SYSTEMS}),
            3,
            "11 scores of the system 'A'; the",
        ),
        (table().replace("A\t2\t", "A\t99\t"), 3, "no score of segment 12; expected one for"),
        (table({**COMET, "B": COMET["B"][:9]}), 3, "the system 'B' has no score of segment 9"),
        (table() + "B\t3\t0.5\n", 3, "the system 'B' has 2 scores of segment 3; expected one"),
        (table({**COMET, "A": [1, float("nan")]}), 3, "the system 'A' has no score of segment 1"),
        (table({**COMET, "A": [1, float("inf")]}), 3, "score 'inf'; expected a number"),
        ("a\nb\n", 3, "expected a column 'system'"),
    ],
)
def test_scores_that_do_not_fit_are_errors(
    run: Run, tmp_path: Path, content: str, code: int, message: str
) -> None:
    (tmp_path / "odd").write_text(content)
    seen, out, err = run(*SCORE, "COMET=odd")
    assert (seen, out) == (code, "")
    assert message in err


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["COMET"], 2, "--scores COMET: expected NAME=FILE; NAME alone needs --data"),
        (["COMET[up]=comet"], 2, "expected NAME=FILE, NAME[lower]=FILE, or NAME with --data"),
        (["=comet"], 2, "expected NAME=FILE, NAME[lower]=FILE, or NAME with --data"),
        (["COMET=absent"], 3, "absent: no such file"),
        (["COMET=comet::x"], 3, "comet: no scores of a metric 'x'. Known: score."),
        (["COMET=two"], 3, "the system 'B'"),
        (["X=two"], 3, "two: no scores of a metric 'X'. Known: COMET, QE. Choose one, NAME=two::"),
        (["wer=comet"], 2, "wer is the name of the metric wer too: give the scores another"),
        (["WER=comet"], 2, "WER is the name of the metric wer too: give the scores another"),
        (["COMET=comet", "COMET=whole"], 2, "two different metrics have the spec 'COMET'"),
        (
            ["COMET=comet", "--human-performance"],
            3,
            "human performance needs two complete reference",
        ),
        (["COMET=comet", "-o", "comet"], 2, "-o comet would overwrite"),
    ],
)
def test_requests_that_are_not_valid(
    run: Run, arguments: list[str], code: int, message: str
) -> None:
    seen, out, err = run(*SCORE, *arguments)
    assert (seen, out) == (code, ""), err
    assert message in err


# Systems without outputs

TWO = ("score", "ref", "-i", "A", "B", "-m", "wer", "--scores", "COMET=comet")


def test_systems_that_only_the_file_names_have_records(run: Run) -> None:
    code, out, _ = run(*TWO, "-f", "json")
    written = json.loads(out)["records"]
    found = {(one["system"], one["metric"]): one for one in written if "from_file_only" in one}
    assert (code, [*found]) == (0, [("C", "COMET")])
    record = found["C", "COMET"]
    assert record["from_file_only"] is True
    assert record["score"] == pytest.approx(COMET["C"].mean())
    assert record["signature"] == written[-2]["signature"]
    _, out, _ = run(*TWO, "-f", "tsv")
    rows = [line.split("\t") for line in out.splitlines()]
    assert rows[0][-1] == "from_file_only"
    assert [(row[0], row[-1]) for row in rows[-2:]] == [("B", ""), ("C", "True")]
    _, out, _ = run(*TWO, "--level", "segment", "-f", "json")
    assert {one["system"] for one in json.loads(out)["records"]} == {"A", "B"}


def test_replay_computes_records_from_a_file_again(run: Run, tmp_path: Path) -> None:
    run(*TWO, "-o", "report.json")
    code, out, _ = run("replay", "report.json")
    assert (code, "5 of 5 records pass" in out) == (0, True)
    assert run("diff", "report.json", "report.json")[0] == 0
    report = json.loads((tmp_path / "report.json").read_text())
    (record,) = [one for one in report["records"] if one["system"] == "C"]
    for forged in ({"score": 0.5}, {"system": "D"}, {"metric": "wer"}):
        records = [{**one, **(forged if one is record else {})} for one in report["records"]]
        (tmp_path / "forged.json").write_text(json.dumps({**report, "records": records}))
        code, out, _ = run("replay", "forged.json")
        assert (code, "FAIL" in out) == (1, True)


def test_a_system_without_an_output_needs_a_file_of_scores(run: Run, tmp_path: Path) -> None:
    run(*SCORE[:-1], "-o", "report.json")
    report = json.loads((tmp_path / "report.json").read_text())
    report["records"].append({**report["records"][0], "system": "D", "from_file_only": True})
    (tmp_path / "report.json").write_text(json.dumps(report))
    code, _, err = run("replay", "report.json")
    assert (code, "'D' is not a system of the inputs" in err) == (3, True)


# Python


def test_scores_from_outside_in_python() -> None:
    scores = mt.OutsideScores(name="COMET", values={"A": np.array([0.5, 1.0])})
    evaluation = mt.evaluate({"A": ["x", "y"]}, [["x", "z"]], ["wer", scores])
    assert evaluation.score("A", "COMET").score == 0.75
    assert len(scores.sha256) == 64
    other = mt.OutsideScores(name="COMET", values={"A": np.array([0.5, 2.0])})
    assert other.sha256 != scores.sha256
    test_set = mt.TestSet((mt.Text.of(["x", "z"]),), ids=("a", "b"))
    swapped = mt.OutsideScores(name="S", values={"A": np.array([0.5, 1.0])}, ids=("b", "a"))
    by_segment = mt.evaluate({"A": ["x", "y"]}, test_set, [swapped]).scores.values(
        "A", "S", "segment"
    )
    assert by_segment.tolist() == [[1.0], [0.5]]
    wrong = mt.OutsideScores(name="S", values={"A": np.array([0.5, 1.0])}, ids=("b", "c"))
    with pytest.raises(mt.InputError, match="S: no row with the id 'a'"):
        mt.evaluate({"A": ["x", "y"]}, test_set, [wrong])

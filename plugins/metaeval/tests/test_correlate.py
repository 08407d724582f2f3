"""``mteval correlate``: the documented commands, what they refuse, and the real test sets."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING

import pytest

import mteval_core as mt
from mteval_core import main

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Run = Callable[..., tuple[int, str, str]]

pytest.importorskip("mteval_bleu_nist", reason="the plugin bleu_nist is not installed")


@pytest.fixture
def correlate(capsysbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run ``mteval correlate`` in this process: exit code, output, errors."""
    monkeypatch.setenv("COLUMNS", "120")

    def run(*arguments: str | Path) -> tuple[int, str, str]:
        code = main(["correlate", *map(str, arguments)])
        out, err = capsysbinary.readouterr()
        return code, out.decode(), err.decode()

    return run


def files(directory: Path) -> list[Path | str]:
    """References and systems of a test set, as arguments."""
    systems = sorted(directory.glob("systems/*.txt"))
    return [*sorted(directory.glob("ref*.txt")), "-i", *systems]


METRICS = ["-m", "bleu", "nist"]
QUICK = ["-q", *METRICS, "-n", "50"]  # the system "lower" has no capitals


# The example, by the commands of the guide


def test_systems(correlate: Run, mini: Path) -> None:
    code, out, err = correlate(*files(mini), "--human", mini / "ratings.tsv", *QUICK)
    assert (code, err) == (0, "")
    assert "6 systems, 120 segments, 4 references" in out
    assert "System level: adequacy" in out
    assert "System level: fluency" in out
    assert out.count("\nBLEU ") == out.count("\nNIST ") == 2


def test_a_metric_without_references_needs_none(
    mini: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plugin = tmp_path / "length.py"
    plugin.write_text(
        "import mteval_core as mt\n"
        "class Length:\n"
        "    def segment_statistics(self, hypothesis, references): return [len(hypothesis), 1]\n"
        "    def score(self, totals): return totals[..., :1] / totals[..., 1:]\n"
        "@mt.hookimpl\n"
        "def mteval_register_metrics():\n"
        "    values = {'length': 1}\n"
        "    return mt.MetricSpec('length', factory=Length, values=values, references='none')\n"
    )
    systems = [str(path) for path in sorted(mini.glob("systems/*.txt"))]
    human = ["--human", str(mini / "ratings.tsv"), "-n", "50"]
    assert main(["-p", str(plugin), "correlate", "-i", *systems, *human, "-m", "length"]) == 0
    assert "6 systems, 120 segments, 0 references" in capsys.readouterr().out
    assert main(["correlate", "-i", *systems, *human, "-m", "bleu"]) == 2
    assert "no references" in capsys.readouterr().err


def test_domains_of_a_file(correlate: Run, mini: Path, tmp_path: Path) -> None:
    domains = tmp_path / "domains"
    domains.write_text("news\n" * 40 + "chat\n" * 80)
    arguments = *files(mini), "--human", mini / "ratings.tsv", *QUICK, "--domains", domains
    assert "40 segments" in correlate(*arguments, "--domain", "news")[1]
    code, out, _ = correlate(*arguments, "--level", "domain", "--group", "item")
    assert code == 0
    assert "6 systems, 2 domains, 4 references; 95% basic intervals from 50 resamples of do" in out
    assert "adequacy, grouping item: the systems' outputs for one domain, mean over domains" in out
    docs = "--docs", mini / "docs.txt", "--by", "doc"
    assert correlate(*arguments, "--domain", "news", *docs)[0] == 0
    domains.write_text("news\n" * 45 + "chat\n" * 75)
    code, _, err = correlate(*arguments, "--domain", "news", *docs)
    assert (code, "document 'chess' is only in part of the domain 'news'" in err) == (3, True)
    code, _, err = correlate(*files(mini), "--human", mini / "ratings.tsv", "-m", "none")
    assert (code, "add --scores NAME=FILE" in err) == (2, True)
    domains.write_text("news\n" * 40)
    assert correlate(*arguments, "--domain", "news")[0] == 3


def test_the_table(correlate: Run, mini: Path) -> None:
    code, out, _ = correlate(*files(mini), "--human", mini / "ratings.tsv", "--lin-och", *QUICK)
    assert code == 0
    head = out[out.index("\nadequacy") + 1 : out.index("\nfluency")].split("\n")
    assert head[1].split() == ["metric", "Case", "NoCase", "Stem"]
    assert head[2].split() == ["P", "L", "U", "S", "L", "U"] * 3
    assert [line.split()[0] for line in head[4:6]] == ["BLEU", "NIST"]
    assert all(len(line) <= 120 for line in head)


def test_human_performance_has_rows_of_the_table(correlate: Run, mini: Path) -> None:
    """Each metric has two rows, and only that of the systems has coefficients."""
    flags = ["--jackknife", "--criteria", "adequacy", "--sets", "case", "-n", "0"]
    command = [*files(mini), "--human", mini / "ratings.tsv", "--lin-och", *flags]
    _, alone, _ = correlate(*command, "-m", "bleu", "wer")
    code, out, _ = correlate(*command, "-m", "bleu", "wer", "--human-performance")
    assert code == 0
    assert out.count("\nadequacy\n") == 1
    rows = [line.split() for line in out.splitlines() if line.startswith(("BLEU ", "WER "))]
    assert [row[:2] for row in rows] == [
        ["BLEU", "systems"],
        ["BLEU", "humans"],
        ["WER", "systems"],
        ["WER", "humans"],
    ]
    assert [len(row) for row in rows] == [7, 5, 7, 5]
    of_systems = [row[2:4] for row in rows[::2]]
    expected = [line.split()[1:] for line in alone.splitlines() if line[:4] in ("BLEU", "WER ")]
    assert of_systems == [row for row in expected if len(row) == 2]
    assert "For error rates, lower scores are better." in " ".join(out.split())


def test_segments_documents_and_ranks(correlate: Run, mini: Path) -> None:
    human = ["--human", mini / "ratings.tsv", *QUICK]
    docs = ["--docs", mini / "docs.txt"]
    _, out, _ = correlate(*files(mini), *human, "--level", "segment")
    assert "adequacy, grouping item: the systems' outputs for one segment" in out
    _, out, _ = correlate(*files(mini), *human, "--level", "doc", *docs, "--group", "item")
    assert "12 documents" in out
    assert "grouping none" not in out
    _, out, _ = correlate(*files(mini), *human, "--by", "doc", *docs)
    assert "resamples of documents" in out
    for extra in ([], ["--level", "segment"], ["--test", "bootstrap", "--coefficient", "kendall"]):
        code, out, _ = correlate(*files(mini), *human, "--compare", *extra)
        assert code == 0
        assert "A rank ends at the first metric" in out


@pytest.mark.slow
def test_the_curve(correlate: Run, mini: Path, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="plots need matplotlib")
    code, out, _ = correlate(
        *files(mini), "--human", mini / "ratings.tsv", *METRICS, "--curve", "--samples", "24",
        "--lengths", "1,10", "--plot", tmp_path / "curve.png",
    )  # fmt: skip
    assert code == 0
    for words in ("1 reference (4 choices of 4)", "2 references (6 choices of 4)", "3 references"):
        assert f"adequacy, {words}" in out
    assert "judge against judge" in out
    assert (tmp_path / "curve.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--compare"], ["adequacy, Pearson", "NIST", "bold: p"]),
        (
            [
                "--curve",
                "--samples",
                "5",
                "--lengths",
                "2",
                "--choose-refs",
                "1",
                "--plot-lines",
                "coefficients",
            ],
            ["adequacy, BLEU, 1 reference", "Pearson", "Spearman", "Kendall"],
        ),
        (
            ["--curve", "--samples", "5", "--lengths", "2", "--plot-lines", "references"],
            [
                "adequacy, BLEU",
                "adequacy, NIST",
                "1 reference",
                "3 references",
                "judge against judge",
            ],
        ),
    ],
)
def test_plots_of_p_values_and_of_references(
    correlate: Run, mini: Path, tmp_path: Path, arguments: list[str], words: list[str]
) -> None:
    pytest.importorskip("matplotlib", reason="plots need matplotlib")
    human = ("--human", mini / "ratings.tsv", "--criteria", "adequacy")
    path = tmp_path / "plot.svg"
    code, _, err = correlate(*files(mini), *human, *METRICS, *arguments, "--plot", path)
    assert code == 0, err
    picture = path.read_text("utf-8")
    assert [word for word in words if word not in picture] == []


def test_agreement_needs_no_texts(correlate: Run, mini: Path) -> None:
    code, out, _ = correlate("--agreement", "--human", mini / "ratings.tsv")
    assert code == 0
    assert "judge1  judge3" in out
    assert "adequacy" in out


def test_judgments_as_asked_for(correlate: Run, mini: Path) -> None:
    command = [*files(mini), "--human", mini / "ratings.tsv", *QUICK, "-f", "json"]
    _, out, _ = correlate(*command, "--criteria", "total=adequacy+fluency", "--z", "--draw")
    report = json.loads(out)
    assert {record["criterion"] for record in report["records"]} == {"total"}
    assert report["settings"]["judgments"] == {
        "criteria": ["total=adequacy+fluency"],
        "z": True,
        "draw": "output",
        "min_judgments": 1,
        "judged_only": False,
    }
    assert [f["path"] for f in report["inputs"]["human"]] == [str(mini / "ratings.tsv")]
    assert len(report["signatures"]) == 2


def test_sets_change_what_a_spec_does_not_say(correlate: Run, mini: Path) -> None:
    command = [*files(mini), "--human", mini / "ratings.tsv", "-n", "0", "-f", "json"]
    specs = ["bleu", "bleu:case=lc", "bleu:stem=porter,case=mixed"]
    _, out, _ = correlate(*command, "-m", *specs, "--sets", "case,nocase,stem")
    report = json.loads(out)
    computed = [(r["metric"], r["set"]) for r in report["records"] if r["quantity"] == "pearson"]
    assert computed[: len(computed) // 2] == [
        ("BLEU", "case"), ("BLEU:case=lc", "case"), ("BLEU:stem=porter,case=mixed", "case"),
        ("BLEU", "nocase"),
        ("BLEU", "stem"), ("BLEU:case=lc", "stem"),
    ]  # fmt: skip
    signatures = [mt.Signature.parse(signature) for signature in report["signatures"]]
    assert [(s.get("case"), s.get("stem")) for s in signatures] == [
        ("mixed", "none"), ("lc", "none"), ("mixed", "porter"), ("lc", "porter"),
    ]  # fmt: skip


def test_jackknifed_references(correlate: Run, mini: Path) -> None:
    command = [*files(mini), "--human", mini / "ratings.tsv", *QUICK, "-f", "json"]
    _, out, _ = correlate(*command, "--jackknife")
    assert all("|loo:yes|" in signature for signature in json.loads(out)["signatures"])


def test_written_to_a_file(correlate: Run, mini: Path, tmp_path: Path) -> None:
    command = [*files(mini), "--human", mini / "ratings.tsv", *QUICK]
    code, out, err = correlate(*command, "-f", "html", "-o", tmp_path / "report.html")
    assert (code, out, err) == (0, "", "")
    assert (tmp_path / "report.html").read_text().startswith("<!doctype html>")


@pytest.mark.parametrize(("format_", "delimiter"), [("csv", ","), ("tsv", "\t")])
def test_records_as_a_table(correlate: Run, mini: Path, format_: str, delimiter: str) -> None:
    command = [*files(mini), "--human", mini / "ratings.tsv", *QUICK]
    code, out, err = correlate(*command, "-f", format_)
    assert (code, err) == (0, "")
    records = json.loads(correlate(*command, "-f", "json")[1])["records"]
    rows = list(csv.DictReader(io.StringIO(out), delimiter=delimiter))
    assert [row["metric"] for row in rows] == [record["metric"] for record in records]
    assert [float(row["value"]) for row in rows] == [record["value"] for record in records]


def test_what_has_no_chart_cannot_be_drawn(
    correlate: Run, mini: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    command = [*files(mini), "--human", mini / "ratings.tsv", *QUICK]
    code, _, err = correlate(*command, "--lin-och", "-o", "x.png")
    assert code == 2
    assert "the format png cannot write the report 'Correlation of metrics with human" in err
    assert "expected csv, " in err


def test_lines_fit_the_width_of_the_terminal(
    correlate: Run, mini: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    code, out, err = correlate(*files(mini), "--human", mini / "ratings.tsv", *QUICK)
    assert (code, err) == (0, "")
    assert max(map(len, (line for line in out.split("\n") if "|" not in line))) <= 80


# What is refused


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["ref", "-i", "sys"], 2, "the following arguments are required: --human"),
        (["--human", "x"], 2, "expected systems: mteval correlate REF... -i SYS..."),
        (["r", "-i", "s", "--human", "h", "--pool-refs"], 2, "applies to the curve: add --curve"),
        (
            ["r", "-i", "s", "--human", "h", "--lin-och", "--choose-refs", "1"],
            2,
            "but not --lin-och, ",
        ),
        (["r", "-i", "s", "--human", "h", "--jackknife", "--choose-refs", "1"], 2, "both choose"),
        (["r", "-i", "s", "--human", "h", "--two-sided"], 2, "significance tests: add --compare"),
        (
            ["r", "-i", "s", "--human", "h", "--coefficient", "kendall"],
            2,
            "applies to --compare, --",
        ),
        (
            ["r", "-i", "s", "--human", "h", "--lin-och", "--coefficient", "accuracy"],
            2,
            "expected pe",
        ),
        (["r", "-i", "s", "--human", "h", "--group", "item"], 2, "add --level segment or --level"),
        (
            ["r", "-i", "s", "--human", "h", "--level", "segment", "--by", "doc"],
            2,
            "leave out --by",
        ),
        (
            ["r", "-i", "s", "--human", "h", "--min-judgments", "0"],
            2,
            "--min-judgments: expected a",
        ),
        (["--agreement", "--human", "h", "--z"], 2, "leave out --z, --draw and --min-judgments"),
        (["r", "-i", "s", "--human", "h", "--lin-och", "--compare"], 2, "--compare takes --level"),
        (["r", "-i", "s", "--human", "h", "--by", "doc"], 2, "documents need --docs"),
        (
            ["r", "-i", "s", "--human", "h", "--lin-och", "--curve"],
            2,
            "--lin-och and --curve exclude each other",
        ),
        (["r", "-i", "s", "--human", "h", "--sets", "case", "-lc"], 2, "leave out --case"),
        (["r", "-i", "s", "--human", "h", "--lengths", "1,x"], 2, "expected whole numbers from 1"),
        (
            ["r", "-i", "s", "--human", "h", "--samples", "0"],
            2,
            "--samples: expected a whole num",
        ),
        (["r", "-i", "s", "--human", "h", "-w", "x"], 2, "expected a number of decimals"),
        (["r", "-i", "s", "--human", "h", "-n", "-5"], 2, "expected a whole number, from 2 to "),
        (
            ["r", "-i", "s", "--human", "h", "--lin-och", "--coefficient", "soft"],
            2,
            "soft applies to --compare; expected pearson",
        ),
        (
            [
                "r",
                "-i",
                "s",
                "--human",
                "h",
                "--compare",
                "--coefficient",
                "soft",
                "--level",
                "doc",
            ],
            2,
            "soft compares systems: leave out --level doc",
        ),
        (
            ["r", "-i", "s", "--human", "h", "--compare", "--coefficient", "calibrated"],
            2,
            "calibrated compares segments: add --level",
        ),
        (["r", "-i", "s", "--human", "h", "--level", "domain"], 2, "domains need --domains FILE"),
        (["r", "-i", "s", "--human", "h", "--domains", "d"], 2, "add --domain NAME or --level"),
        (
            [
                "r",
                "-i",
                "s",
                "--human",
                "h",
                "--level",
                "domain",
                "--domains",
                "d",
                "--domain",
                "news",
            ],
            2,
            "the domains: leave out --domain",
        ),
        (["r", "-i", "s", "--human", "h", "--refs-as-systems", "x"], 2, "or pass the files to -i"),
        (["--agreement", "--human", "h", "--no-outliers"], 2, "uses judgments alone: leave out --"),
        (["r", "-i", "s", "--human", "h", "--correct", "bh"], 2, "significance tests: add --compa"),
        (["r", "--agreement", "--human", "h"], 2, "leave out references, -i, -m and"),
        (["r", "-i", "s", "--human", "h", "--draw", "document"], 2, "applies to the curve: add --"),
        (["--agreement", "--human", "h", "-n", "5"], 2, "--agreement draws nothing: leave out -n"),
        (["--agreement", "--human", "h", "--threads", "1"], 2, "--agreement takes one thread"),
        (["--agreement", "--human", "h", "--seed", "5"], 2, "--agreement draws nothing"),
        (["--agreement", "--human", "h", "--by", "segment"], 2, "--agreement draws nothing"),
        (["r", "-i", "s", "--human", "h", "--curve", "-n", "5"], 2, "--curve draws documents, and"),
        (["r", "-i", "s", "--human", "h", "--curve", "--resample", "both"], 2, "and no resamples"),
        (["r", "-i", "s", "--human", "h", "-n", "0", "--ci-level", "90"], 2, "no intervals: leave"),
        (["r", "-i", "s", "--human", "h", "-n", "0", "--resample", "both"], 2, "-n 0 means no int"),
        (
            ["r", "-i", "s", "--human", "h", "-n", "0", "--lin-och", "--seed", "1"],
            2,
            "leave out --s",
        ),
        (
            ["r", "-i", "s", "--human", "h", "-n0", "--compare", "--seed", "1"],
            2,
            "nothing is drawn",
        ),
        (["-", "-i", "-", "--human", "h"], 2, "standard input (-)"),
        (["--agreement", "--human", "nowhere.tsv"], 3, "nowhere.tsv: no such file"),
    ],
)
def test_refusals(correlate: Run, arguments: list[str], code: int, message: str) -> None:
    exit_code, out, err = correlate(*arguments)
    assert (exit_code, out) == (code, "")
    assert err.startswith("mteval: error: ")
    assert message in err
    assert err.count("\n") == 1


def test_a_seed_has_an_effect_without_intervals(correlate: Run, mini: Path) -> None:
    """One random judgment of each output, and the exchanges of soft pairwise accuracy."""
    command = [*files(mini), "--human", mini / "ratings.tsv", *METRICS, "-n", "0", "-f", "jsonl"]
    for flags in ([], ["--lin-och", "--draw"]):
        one, other = (correlate(*command, *flags, "--seed", seed) for seed in ("1", "2"))
        assert (one[0], other[0]) == (0, 0)
        assert [line for line in one[1].splitlines() if '"value"' in line] != [
            line for line in other[1].splitlines() if '"value"' in line
        ]


def test_metrics_get_other_names(correlate: Run, mini: Path) -> None:
    command = [*files(mini), "--human", mini / "ratings.tsv", "-n", "0", "-f", "jsonl"]
    command += ["-m", "gtm", "gtm.R", "gtm:e=2"]
    for given, names in (
        ([], ["GTM", "GTM.R", "GTM:e=2"]),
        (["--rename", "gtm:e=2=GTM20", "gtm.R=Recall"], ["GTM", "Recall", "GTM20"]),
    ):
        code, out, _ = correlate(*command, *given)
        records = [json.loads(line) for line in out.splitlines()]
        assert code == 0
        assert list(dict.fromkeys(r["metric"] for r in records if "metric" in r)) == names
    for wrong, message in (
        ("gtm:e=3=x", "no metric 'gtm:e=3' to rename"),
        ("gtm:e=2=GTM", "two metrics are named 'GTM'"),
        ("gtm", "--rename: expected"),
    ):
        code, _, err = correlate(*command, "--rename", wrong)
        assert (code, message in err) == (2, True), err


def test_ratings_are_written_as_they_are_used(correlate: Run, mini: Path, tmp_path: Path) -> None:
    command = [*files(mini), *METRICS, "-n", "0", "-f", "jsonl", "--human"]
    treated = ["--z", "--criteria", "total=adequacy+fluency", "--min-judgments", "2"]
    written = tmp_path / "z.tsv"
    expected = correlate(*command, mini / "ratings.tsv", *treated, "--write-ratings", written)
    assert expected[0] == 0
    assert correlate(*command, written) == expected
    assert written.read_text().startswith("system\tsegment\ttotal\n")
    code, _, err = correlate("--agreement", "--human", written, "--write-ratings", written)
    assert (code, "leave out --judged-only and --write-ratings" in err) == (2, True)
    code, _, err = correlate(*command, written, "--write-ratings", written)
    assert (code, "would overwrite" in err) == (2, True)


def test_refusals_of_the_example(correlate: Run, mini: Path, tmp_path: Path) -> None:
    command = [*files(mini), "--human", mini / "ratings.tsv", *METRICS]
    for extra, code, message in (
        (["--criteria", "fluent"], 2, "unknown criterion 'fluent'. Did you mean 'fluency'?"),
        (["--compare", "--coefficient", "kendall", "--test", "williams"], 2, "Williams' test is"),
        (["--lengths", "500"], 2, "no documents of 500: the test set has 120 segments"),
        (["--choose-refs", "1,7"], 2, "there are 4 references"),
        (["--plot", "curve.gif"], 2, "expected .pdf, .png, .svg"),
        (["--sets", "stems"], 2, "unknown set 'stems'. Did you mean 'stem'?"),
        (["--min-judgments", "4"], 3, "judged by 4 raters or more"),
        (["-o", str(tmp_path)], 3, "expected the name of a file, in a folder that exists"),
    ):
        about_the_curve = extra[0] in ("--lengths", "--choose-refs", "--plot")
        flags = ["--curve"] if about_the_curve else QUICK[-2:]
        exit_code, _, err = correlate(*command, *flags, *extra)
        assert (exit_code, message in err) == (code, True), err


# The real test sets


@pytest.mark.parametrize(
    ("name", "human"),
    [
        ("ted21-zh-en", "human_raters.tsv"),
        ("ted21-en-de", "human_seg.tsv"),
        ("news23-en-de", "human_raters.tsv"),
        ("news24-en-ja", "human_seg.tsv"),
        ("summeval", "human_seg.coherence.tsv"),
        ("summeval", "human_sys.tsv"),
    ],
)
def test_real_sets(correlate: Run, shared: Path, name: str, human: str) -> None:
    directory = shared / name
    command = [*files(directory), "--human", directory / human, "-m", "bleu", "-n", "20", "-q"]
    if name == "news24-en-ja":
        command += ["--tok", "char"]
    code, out, err = correlate(*command, "-f", "json")
    assert (code, err) == (0, "")
    report = json.loads(out)
    pearson = [r["value"] for r in report["records"] if r["quantity"] == "pearson"]
    assert all(-1 <= value <= 1 for value in pearson)


def test_pearson_of_a_real_set_is_that_of_its_published_scores(
    correlate: Run, shared: Path
) -> None:
    """Compare with the published system scores and the scores of `mteval score`."""
    stats = pytest.importorskip("scipy.stats", reason="scipy is the oracle")
    directory = shared / "ted21-zh-en"
    lines = (directory / "human_sys.tsv").read_text().splitlines()[1:]
    human = {name: float(score) for name, score in (line.split("\t") for line in lines)}
    references = [mt.read_text(directory / f"ref{k}.txt") for k in range(2)]
    bleu = mt.metric("bleu")
    scores = [
        bleu.corpus_score(
            mt.read_text(directory / "systems" / f"{name}.txt"), mt.TestSet(tuple(references))
        ).score
        for name in human
    ]
    command = [*files(directory), "--human", directory / "human_raters.tsv", "-m", "bleu"]
    _, out, _ = correlate(*command, "-n", "0", "-f", "json", "--criteria", "score")
    computed = {r["quantity"]: r["value"] for r in json.loads(out)["records"]}
    for quantity, function in (
        ("pearson", stats.pearsonr),
        ("spearman", stats.spearmanr),
        ("kendall", stats.kendalltau),
    ):
        expected = function(scores, list(human.values()))[0]
        # The file has six decimals.
        assert computed[quantity] == pytest.approx(expected, abs=1e-5)

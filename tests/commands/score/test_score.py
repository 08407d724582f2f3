"""``mteval score``: its references, systems and metrics, its output and its errors."""

from __future__ import annotations

import csv
import gzip
import io
import json
import lzma
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import mteval_core as mt
from mteval_core.commands.arguments import Options
from mteval_core.commands.main import main
from mteval_core.commands.requests import ScoreRequest
from mteval_core.data.reading import Files

if TYPE_CHECKING:
    from collections.abc import Callable

pytest.importorskip("mteval_bleu_nist", reason="the plugin bleu_nist is not installed")


@pytest.fixture
def score(capsysbinary: pytest.CaptureFixture[bytes]) -> Callable[..., tuple[int, str, str]]:
    """Run ``mteval score`` in this process: exit code, output, errors."""

    def run(*arguments: str | Path) -> tuple[int, str, str]:
        code = main(["score", *map(str, arguments)])
        out, err = capsysbinary.readouterr()
        return code, out.decode(), err.decode()

    return run


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Change to a directory with two references, two systems and document ids."""
    contents = {
        "ref0": "The cat sat on the mat .\nIt was a dog , too .\nA third one is here now .\n",
        "ref1": "A cat sat on the mat .\nThere was a dog also .\nHere is a third one .\n",
        "good.txt": "The cat sat on the mat .\nIt was a dog also .\nA third one is here .\n",
        "bad.txt": "Mat cat .\nthe dog was it , too .\nthird here\n",
        "docs": "d1\nd2\nd1\n",
    }
    for name, content in contents.items():
        (tmp_path / name).write_text(content)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def bleu(small: Path, system: str, *references: str, spec: str = "bleu") -> float:
    """Compute a score with the Python API."""
    streams = [(small / name).read_text().splitlines() for name in references]
    return mt.metric(spec).corpus_score((small / system).read_text().splitlines(), streams).score


# As processes


@pytest.mark.parametrize("script", [False, True], ids=["-m", "script"])
def test_the_readmes_first_column(mteval: Callable[..., Any], mini: Path, *, script: bool) -> None:
    references = sorted(mini.glob("ref?.txt"))
    systems = sorted(mini.glob("systems/*.txt"))
    done = mteval("score", *references, "-i", *systems, "-m", "bleu", script=script)
    assert done.code == 0
    assert re.findall(r"system lower.*\[([a-z-]+)\]\n", done.err) == [
        "letter-case",
        "tokenized-text",
    ]
    assert done.err.count("\n") == 2
    readme = (Path(__file__).parents[3] / "README.md").read_text()
    blocks = done.out.split("\n\n")
    rows = [line.split() for line in blocks[0].splitlines()]
    assert [row[0] for row in rows[2:]] == ["deep", "lower", "neural", "phrase", "rule", "short"]
    shown = next(block for block in readme.split("```") if block.startswith("text\nsystem"))
    in_readme = {line.split()[0]: line.split()[1:2] for line in shown.splitlines()[3:9]}
    for name, *cells in rows[2:]:
        assert cells == in_readme[name][: len(cells)]


def test_stdin_is_the_system(mteval: Callable[..., Any], small: Path) -> None:
    data = (small / "good.txt").read_bytes()
    for arguments in ([], ["-i", "-"], ["-i", "good=-"]):
        done = mteval("score", "ref0", *arguments, "-m", "bleu", "-b", stdin=data, cwd=small)
        assert (done.code, done.err) == (0, "")
        assert done.out == f"{bleu(small, 'good.txt', 'ref0'):.2f}\n"


def test_stdin_may_be_a_reference(mteval: Callable[..., Any], small: Path) -> None:
    data = (small / "ref0").read_bytes()
    done = mteval("score", "-", "ref1", "-i", "good.txt", "-m", "bleu", "-b", stdin=data, cwd=small)
    assert done.out == f"{bleu(small, 'good.txt', 'ref0', 'ref1'):.2f}\n"


def test_a_locale_without_arrows(mteval: Callable[..., Any], small: Path) -> None:
    done = mteval(
        "score",
        "ref0",
        "-i",
        "Système=good.txt",
        cwd=small,
        env={"PYTHONIOENCODING": "ascii", "LC_ALL": "C"},
    )
    assert done.code == 0
    assert "BLEU ↑" in done.out
    assert "Système" in done.out


def test_piped_there_is_no_progress(mteval: Callable[..., Any], mini: Path) -> None:
    done = mteval("score", mini / "ref0.txt", "-i", mini / "systems" / "deep.txt")
    assert done.err == ""


@pytest.mark.parametrize(("quiet", "seen"), [([], True), (["-q"], False)])
def test_on_a_terminal_long_work_shows_progress(
    quiet: list[str], small: Path, site: Path, terminal: Callable[..., Any], *, seen: bool
) -> None:
    """Only a terminal shows the bar, only after a second, and not with ``-q``."""
    arguments = ["ref0", "-i", "good.txt", "bad.txt", "-m", "slow", "bleu", *quiet]
    done = terminal("score", *arguments, cwd=small, env={"PYTHONPATH": str(site)})
    assert done.code == 0, done.out
    assert "slow" in done.out.lower()
    assert ("score/s" in done.out or "s/score" in done.out) is seen, done.out


@pytest.fixture
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with a distribution of one slow metric and one that raises."""
    root = tmp_path_factory.mktemp("site")
    (root / "mteval_x.py").write_text(
        "import mteval_core\n"
        "@mteval_core.hookimpl\n"
        "def mteval_register_metrics():\n"
        "    return [mteval_core.MetricSpec(name, factory='mteval_x_metrics:' + name.title(),\n"
        "                                   values={'n': 1}) for name in ('slow', 'raising')]\n"
    )
    (root / "mteval_x_metrics.py").write_text(
        "import time\n"
        "import numpy as np\n"
        "class Slow:\n"
        "    def statistics(self, words):\n"
        "        time.sleep(0.7)\n"
        "        return np.ones((len(words), 1))\n"
        "    def score(self, totals):\n"
        "        return totals\n"
        "class Raising(Slow):\n"
        "    def statistics(self, words):\n"
        "        return np.ones((len(words), 1))\n"
        "    def score(self, totals):\n"
        "        raise RuntimeError('no score today')\n"
    )
    info = root / "mteval_x-0.3.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: mteval-x\nVersion: 0.3\n")
    (info / "entry_points.txt").write_text("[mteval]\nx = mteval_x\n")
    return root


def test_a_plugin_that_raises_in_score_is_named(
    mteval: Callable[..., Any], small: Path, site: Path
) -> None:
    arguments = ("score", "ref0", "-i", "good.txt", "-b", "-m")
    env = {"PYTHONPATH": str(site)}
    done = mteval(*arguments, "raising", cwd=small, env=env)
    assert (done.code, done.out) == (4, "")
    assert done.err == (
        "mteval: error: the formula of metric 'raising' of mteval-x 0.3: "
        "RuntimeError: no score today\n"
    )
    # Other metrics still work.
    done = mteval(*arguments, "bleu", cwd=small, env=env)
    assert (done.code, done.err) == (0, "")


# Metrics, systems, references


def test_several_of_everything(score: Callable[..., Any], small: Path) -> None:
    code, out, err = score(
        *("ref0", "ref1", "-i", "good.txt", "B=bad.txt"),
        *("-m", "bleu", "bleu:order=2,smooth=none", "nist", "-f", "json"),
    )
    assert (code, err) == (0, "")
    records = json.loads(out)["records"]
    assert [(r["metric"], r["system"]) for r in records] == [
        (spec, system)
        for spec in ("bleu", "bleu:order=2,smooth=none", "nist")
        for system in ("good", "B")
    ]
    for record in records:
        file = {"good": "good.txt", "B": "bad.txt"}[record["system"]]
        assert record["score"] == bleu(small, file, "ref0", "ref1", spec=record["metric"])
        assert "|nrefs:2|" in record["signature"]
        assert record["n_segments"] == 3


@pytest.mark.usefixtures("small")
def test_without_m_the_default_set(score: Callable[..., Any]) -> None:
    _, out, _ = score("ref0", "-i", "good.txt", "-f", "json")
    expected = mt.default_registry().default_metrics()
    assert [r["metric"] for r in json.loads(out)["records"]] == expected
    assert "bleu" in expected
    assert "nist" not in expected


@pytest.mark.usefixtures("small")
def test_all_stands_for_every_metric_that_needs_no_model(score: Callable[..., Any]) -> None:
    _, out, _ = score("ref0", "-i", "good.txt", "-m", "bleu:order=2", "all", "-f", "json", "-q")
    first, *computed = [r["metric"] for r in json.loads(out)["records"]]
    declared = [entry.declaration for entry in mt.default_registry().of_kind(mt.MetricSpec)]
    assert first == "bleu:order=2"
    expected = [one.name for one in declared if not (one.libraries or one.figures)]
    assert computed == expected
    assert {"bleu", "nist"} <= set(computed)


def test_all_leaves_out_metrics_of_a_source_that_is_not_given(
    plugin: Callable[..., Any], matches: mt.MetricSpec
) -> None:
    adequacy = replace(matches, name="adequacy", label=None, source="required")
    registry = mt.load_registry([plugin(metrics=[matches, adequacy])])
    for source, expected in ((None, ["matches"]), ("src.txt", ["adequacy", "matches"])):
        options = Options({"metrics": ["all"], "source": source})
        assert ScoreRequest("score", options, Files(registry)).specs == expected


def test_no_metric_may_be_called_all(plugin: Callable[..., Any], matches: mt.MetricSpec) -> None:
    registry = mt.load_registry([plugin(metrics=[replace(matches, name="all")])])
    (broken,) = [each for each in registry.plugins if each.status == "broken"]
    assert "'all' stands for every metric" in broken.error


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize(
    ("flags", "fields"),
    [
        (["--tok", "char", "--case", "lc", "--stem", "porter"], ("char", "lc", "porter")),
        (["-tok", "none", "-lc"], ("none", "lc", "none")),
        (["--tokenize", "intl", "--case", "ascii"], ("intl", "ascii", "none")),
    ],
)
def test_text_options_are_for_all_metrics_whose_spec_is_silent(
    score: Callable[..., Any], flags: list[str], fields: tuple[str, ...]
) -> None:
    specs = ["bleu", "nist", "bleu:tok=13a,case=mixed,stem=none"]
    _, out, _ = score("ref0", "-i", "good.txt", "-m", *specs, "-f", "json", *flags)
    signatures = [mt.Signature.parse(r["signature"]) for r in json.loads(out)["records"]]
    found = [tuple(s.get(key) for key in ("tok", "case", "stem")) for s in signatures]
    assert found == [fields, fields, ("13a", "mixed", "none")]


@pytest.mark.usefixtures("small")
def test_sets_change_what_a_spec_does_not_say(score: Callable[..., Any]) -> None:
    # In the set nocase, the first metric becomes the second.
    specs = ["bleu", "bleu:case=lc", "bleu:stem=porter,case=mixed"]
    command = ["ref0", "-i", "good.txt", "-m", *specs, "-f", "json"]
    _, out, _ = score(*command, "--sets", "case,nocase,stem")
    signatures = [mt.Signature.parse(r["signature"]) for r in json.loads(out)["records"]]
    assert [(s.get("case"), s.get("stem")) for s in signatures] == [
        ("mixed", "none"), ("lc", "none"), ("lc", "porter"), ("mixed", "porter"),
    ]  # fmt: skip


@pytest.mark.usefixtures("small")
def test_text_options_that_no_metric_has_are_refused(score: Callable[..., Any]) -> None:
    code, out, err = score("ref0", "-i", "good.txt", "-m", "bleu:stem=none", "--stem", "porter")
    assert (code, out) == (2, "")
    assert err == (
        "mteval: error: no metric takes stem=porter: bleu:stem=none (its spec sets it)\n"
    )


def test_compressed_files(score: Callable[..., Any], small: Path) -> None:
    Path("ref0.gz").write_bytes(gzip.compress(Path("ref0").read_bytes()))
    Path("good.txt.xz").write_bytes(lzma.compress(Path("good.txt").read_bytes()))
    _, out, _ = score("ref0.gz", "-i", "good.txt.xz", "good.txt", "-m", "bleu", "-b")
    assert [line.split("\t")[1] for line in out.splitlines()] == [
        f"{bleu(small, 'good.txt', 'ref0'):.2f}"
    ] * 2


@pytest.mark.parametrize(
    ("inputs", "names"),
    [
        (["good.txt", "bad.txt"], ["good", "bad"]),
        (["A=good.txt", "bad.txt"], ["A", "bad"]),
        (["sub/good.txt", "good.txt"], ["sub/good.txt", "good.txt"]),
        (["good=bad.txt", "good.txt"], ["good", "good.txt"]),
        (["good.txt.gz", "./bad.txt"], ["good", "bad"]),
        # A file of that literal name takes precedence.
        (["A=b", "x=A=b"], ["A=b", "x"]),
        (["Système 系统=good.txt"], ["Système 系统"]),
        (["A=good.txt,bad.txt", "good.txt"], ["A", "good"]),
    ],
)
def test_names_of_systems(
    score: Callable[..., Any], small: Path, inputs: list[str], names: list[str]
) -> None:
    (small / "sub").mkdir()
    good = (small / "good.txt").read_bytes()
    for name in ("sub/good.txt", "A=b"):
        (small / name).write_bytes(good)
    (small / "good.txt.gz").write_bytes(gzip.compress(good))
    code, out, err = score("ref0", "-i", *inputs, "-m", "bleu", "-f", "json")
    assert (code, err) == (0, "")
    assert list(json.loads(out)["inputs"]["systems"]) == names


@pytest.mark.usefixtures("small")
def test_inputs_are_recorded(score: Callable[..., Any]) -> None:
    _, out, _ = score(
        "ref0", "ref1", "-i", "good.txt", "--docs", "docs", "--level", "doc", "-f", "json"
    )
    inputs = json.loads(out)["inputs"]
    assert [source["path"] for source in inputs["references"]] == ["ref0", "ref1"]
    assert inputs["systems"]["good"][0]["path"] == "good.txt"
    assert len(inputs["docs"]["hash"]) == 32


# Levels and formats


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize(
    ("flags", "level", "ids"),
    [
        ([], "corpus", [None]),
        (["--level", "segment"], "segment", [0, 1, 2]),
        (["-sl"], "segment", [0, 1, 2]),
        (["--level", "doc", "--docs", "docs"], "doc", ["d1", "d2"]),
    ],
)
def test_levels(score: Callable[..., Any], flags: list[str], level: str, ids: list[Any]) -> None:
    code, out, err = score(
        "ref0", "ref1", "-i", "good.txt", "-m", "bleu:eff=yes", "-f", "jsonl", *flags
    )
    assert (code, err) == (0, "")
    records = list(map(json.loads, out.splitlines()))
    assert [(r["level"], r["id"]) for r in records] == [(level, i) for i in ids]
    if level == "segment":
        scorer = mt.metric("bleu:eff=yes")
        lines = [Path(n).read_text().splitlines() for n in ("good.txt", "ref0", "ref1")]
        for record, (hypothesis, *references) in zip(records, zip(*lines), strict=True):  # noqa: B905
            assert record["score"] == scorer.sentence_score(hypothesis, references).score


FORMATS = ["text", "markdown", "json", "jsonl", "csv", "tsv"]


@pytest.mark.parametrize("format_", FORMATS)
def test_formats(score: Callable[..., Any], small: Path, format_: str) -> None:
    arguments = ("ref0", "-i", "good.txt", "B=bad.txt", "-m", "bleu", "-f", format_)
    code, out, err = score(*arguments)
    assert (code, err) == (0, "")
    expected = {n: bleu(small, f, "ref0") for n, f in (("good", "good.txt"), ("B", "bad.txt"))}
    if format_ in ("csv", "tsv"):
        rows = csv.DictReader(io.StringIO(out), delimiter={"csv": ",", "tsv": "\t"}[format_])
        found = {row["system"]: float(row["score"]) for row in rows}
    elif format_ == "jsonl":
        found = {r["system"]: r["score"] for r in map(json.loads, out.splitlines())}
    elif format_ == "json":
        found = {r["system"]: r["score"] for r in json.loads(out)["records"]}
    else:
        best, other = (f"{expected[name]:.2f}" for name in ("good", "B"))
        mark = {
            "text": f"{best}*",
            "markdown": f"**{best}**",
        }
        assert mark[format_] in out
        assert other in out
        assert "BLEU|nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|" in out
        found = expected
    assert found == expected
    assert score(*arguments, "-o", "out") == (0, "", "")
    assert Path("out").read_text(encoding="utf-8") == out


def test_scores_only(score: Callable[..., Any], small: Path) -> None:
    good, bad = (bleu(small, name, "ref0") for name in ("good.txt", "bad.txt"))
    one = ("ref0", "-i", "good.txt", "-m", "bleu", "-b")
    assert score(*one)[1] == f"{good:.2f}\n"
    assert len(score(*one, "-sl")[1].split()) == 3  # lines, as in the file
    two = (*one, "-i", "bad.txt")
    assert score(*two)[1] == f"good\t{good:.2f}\nbad\t{bad:.2f}\n"
    assert score(*two, "-w", "4")[1] == f"good\t{good:.4f}\nbad\t{bad:.4f}\n"
    assert score(*two, "--digits", "0")[1] == f"good\t{good:.0f}\nbad\t{bad:.0f}\n"
    labels = [line.split("\t")[:-1] for line in score(*two, "-sl", "-m", "nist")[1].splitlines()]
    assert labels == [
        [system, metric, str(segment)]
        for metric in ("bleu", "nist")
        for system in ("good", "bad")
        for segment in range(3)
    ]


@pytest.mark.usefixtures("small")
def test_metrics_are_renamed_and_rows_sorted(score: Callable[..., Any]) -> None:
    command = ("ref0", "-i", "bad.txt", "good.txt", "-m", "nist", "bleu:order=2")
    for metric in ("bleu:order=2", "BLEU", "Two"):
        rename = ("--rename", "bleu:order=2=Two") if metric == "Two" else ()
        code, out, err = score(*command, "--sort", metric, *rename)
        assert (code, err) == (0, "")
        names = [line.split()[0] for line in out.split("\n\n")[0].splitlines()[-2:]]
        assert names == ["good", "bad"]
        assert (" Two ↑" in out) == bool(rename)
        assert "BLEU|nrefs:1|" in out
    for flags, message in (
        (["--sort", "ter"], "--sort: no metric 'ter'."),
        (["-m", "bleu", "--sort", "BLEU"], "--sort: several metrics are called 'BLEU'."),
        (["--rename", "bleu=B"], "no metric 'bleu' to rename. Known: bleu:order=2, nist."),
        (["--rename", "nist"], "--rename: expected SPEC=NAME, got 'nist'"),
        (["--rename", "nist=N", "bleu:order=2=N"], "two metrics are named 'N'"),
        (["--rename", "nist=N", "nist=M"], "--rename: nist has the names N and M: leave one out"),
    ):
        code, _, err = score(*command, *flags)
        assert code == 2
        assert err.startswith(f"mteval: error: {message}")
    code, _, err = score("ref0", "-i", "good.txt", "-m", "bleu", "--sort", "bleu")
    assert (code, "--sort sorts systems, and there is only one" in err) == (2, True)
    assert score(*command, "--rename", "nist=N", "-f", "json")[0] == 2


@pytest.mark.usefixtures("small")
def test_a_terminal_gets_less(score: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Only a terminal: piped, and in a file, everything is as it was."""
    systems = ("ref0", "-i", "good.txt", "bad.txt", "-m", "bleu", "nist")
    _, piped, _ = score(*systems, "-sl")
    monkeypatch.setattr("mteval_core.commands.session.is_terminal", lambda: True)
    monkeypatch.setattr("mteval_core.commands.terminal.is_terminal", lambda: True)
    monkeypatch.setenv("LINES", "5")
    monkeypatch.setenv("NO_COLOR", "1")
    _, seen, err = score(*systems, "-sl", "--signatures", "full")
    assert (piped.count("\n"), seen.count("\n"), err) == (13, 14, "")
    assert [line.split()[1] for line in seen.splitlines()[3:6]] == ["mean", "worst", "best"]
    _, seen, _ = score(*systems)
    assert [line for line in seen.splitlines() if "|" in line] == piped.splitlines()[-2:]
    assert "\x1b" not in seen
    monkeypatch.delenv("NO_COLOR")
    assert "\x1b[1m" in score(*systems)[1]
    assert "\x1b" not in score(*systems, "-f", "markdown")[1]


@pytest.mark.usefixtures("small")
def test_scores_and_intervals_only(score: Callable[..., Any]) -> None:
    arguments = ("ref0", "-i", "good.txt", "-m", "bleu", "-ci")
    (record,) = json.loads(score(*arguments, "-f", "json")[1])["records"]
    ends = "[{low:.2f}, {high:.2f}]".format(**record["ci"])
    assert score(*arguments, "-b")[1] == f"{record['score']:.2f} {ends}\n"


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize(("flags", "n"), [(["-ci"], 1000), (["-ci", "-cin", "20"], 20)])
def test_intervals(score: Callable[..., Any], flags: list[str], n: int) -> None:
    _, out, _ = score("ref0", "-i", "good.txt", "-m", "bleu", *flags, "-f", "json")
    assert json.loads(out)["records"][0]["ci"]["n"] == n


def test_decimals_of_the_table(score: Callable[..., Any], small: Path) -> None:
    _, out, _ = score("ref0", "-i", "good.txt", "-m", "bleu", "-w", "5")
    assert f"{bleu(small, 'good.txt', 'ref0'):.5f}" in out


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("columns", [60, 80, 100])
def test_the_table_fits_the_terminal(
    score: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, columns: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    specs = [f"bleu:order={n},smooth=floor[0.25]" for n in range(1, 8)]
    _, out, _ = score("ref0", "-i", "A long name of a system=good.txt", "B=bad.txt", "-m", *specs)
    blocks = [block for block in out.split("\n\n") if block.startswith("system")]
    assert len(blocks) > 1
    assert all(len(line) <= columns for block in blocks for line in block.splitlines())
    assert sum(block.count("BLEU ↑") for block in blocks) == 7


# Errors: message and exit code


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["ref0", "--sets", "stems"], 2, "unknown set 'stems'. Did you mean 'stem'?"),
        (["ref0", "--sets", "stem", "-lc"], 2, "--sets chooses case and stemmer: leave out --case"),
        (["absent"], 3, "absent: no such file"),
        (["ref0", "-i", "absent"], 3, "absent: no such file"),
        (["ref0", "--level", "doc", "--docs", "."], 3, ".: Is a directory"),
        (["ref0", "--level", "doc", "--docs", "absent"], 3, "absent: no such file"),
        (["empty"], 3, "empty: the file is empty"),
        (
            ["ref0", "-i", "short"],
            3,
            "short: 1 segments, but ref0 has 3",
        ),
        (
            ["ref0", "short"],
            3,
            "the references are of uneven length: ref0 has 3, short has 1 segments",
        ),
        (
            ["ref0", "--level", "doc", "--docs", "short"],
            3,
            "short: 1 document ids for 3 segments",
        ),
        (
            ["ref0", "-i", "latin"],
            3,
            "latin:2: byte 4 of the line, 0xE9",
        ),
        (
            ["cut.gz"],
            3,
            "cut.gz: Compressed file ended before the end-of-stream marker was reached",
        ),
        (
            ["ref0", "-o", "absent/out"],
            3,
            "-o absent/out: expected the name of a file, in a folder",
        ),
        (["ref0", "-m", "bleuu"], 2, "unknown metric 'bleuu'. Did you mean 'bleu' or "),
        (["ref0", "-m", "bleu:tok=13"], 2, "unknown tokenizer '13'. Did you mean '13a'?"),
        (["ref0", "--tok", "13"], 2, "unknown tokenizer '13'. Did you mean '13a'?"),
        (["ref0", "--case", "lower"], 2, "unknown normalizer case 'lower'."),
        (["ref0", "--stem", "snow"], 2, "unknown normalizer stem 'snow'. Known: none, porter"),
        (["ref0", "-f", "texd"], 2, "unknown format 'texd'. Did you mean 'tex' or 'text'"),
        (
            ["ref0", "-m", "bleu:smoth=exp"],
            2,
            "metric 'bleu': no option 'smoth'. Did you mean 'smooth'?",
        ),
        (
            ["ref0", "-m", "bleu:order=0"],
            2,
            "metric 'bleu': option order=0",
        ),
        (
            ["ref0", "-m", "bleu:bp=longest"],
            2,
            "metric 'bleu': option bp=longest: expected one of closest, shortest, average.",
        ),
        (["ref0", "-m", "bleu:order"], 2, "in 'bleu:order': expected"),
        (["ref0", "-m", ""], 2, "'' is not a spec"),
    ],
)
def test_refusals(
    score: Callable[..., Any], small: Path, arguments: list[str], code: int, message: str
) -> None:
    (small / "empty").touch()
    (small / "short").write_text("one\n")
    (small / "latin").write_bytes(b"one\ncaf\xe9\nthree\n")
    (small / "cut.gz").write_bytes(gzip.compress(b"text\n" * 99)[:-12])
    given = arguments if "-i" in arguments else [*arguments, "-i", "good.txt"]
    found, out, err = score(*given)
    assert (found, out) == (code, "")
    assert err.startswith(f"mteval: error: {message}")
    assert err.count("\n") == 1


def test_a_refusal_as_a_process(mteval: Callable[..., Any], small: Path) -> None:
    for arguments, code in ((["absent"], 3), (["ref0", "-m", "bleuu"], 2)):
        done = mteval("score", *arguments, "-i", "good.txt", cwd=small, script=True)
        assert (done.code, done.out) == (code, "")
        assert done.err.startswith("mteval: error: ")
        assert done.err.count("\n") == 1


def test_a_closed_standard_input(small: Path) -> None:
    done = subprocess.run(
        f"{sys.executable} -m mteval_core score ref0 <&-",
        shell=True,
        cwd=small,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.startswith("mteval: error: standard input is closed")
    assert done.stderr.count("\n") == 1


def test_nothing_is_written_where_something_is_refused(
    score: Callable[..., Any], small: Path
) -> None:
    assert score("ref0", "-i", "absent", "-o", "out")[0] == 3
    assert not (small / "out").exists()


@pytest.mark.usefixtures("small")
def test_tables_are_chosen_by_their_names(score: Callable[..., Any]) -> None:
    systems = ("ref0", "-i", "good.txt", "bad.txt", "-m", "bleu", "-par", "-q")
    _, both, _ = score(*systems)
    _, differences, _ = score(*systems, "--tables", "differences")
    assert differences.startswith("Difference to good\n")
    assert differences.partition("\n\n")[0] in both
    assert score(*systems, "--tables", "scores", "differences")[1] == both
    code, _, err = score(*systems, "--tables", "scores", "margins")
    assert (code, "no table margins, only scores, differences" in err) == (2, True)

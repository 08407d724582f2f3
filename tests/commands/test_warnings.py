"""Warnings: each has a code, a test, and a line in the documentation; --strict and -q apply."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import mteval_core as mt
from mteval_core.commands.main import main
from mteval_core.text.text import without_empty

if TYPE_CHECKING:
    from collections.abc import Callable

for plugin in ("error_rates", "readers", "rouge"):
    pytest.importorskip(f"mteval_{plugin}", reason=f"the plugin {plugin} is not installed")

PAGE = Path(__file__).parents[2] / "docs" / "messages.md"

NUMBERED = "".join(f"the {i}. of é\n" for i in range(12))

FILES = {
    "numbered": NUMBERED,
    "copy": NUMBERED,
    "changed": NUMBERED.replace("of", "in"),
    "again": NUMBERED.replace("of", "in"),
    "ref": "a b c\nd e\nf g h\n",
    "sparse": "a b c\n\n\n",
    "sys": "a b d\nd e\nq\n",
    "other": "a c d\nd\nf g\n",
    "blank": "\n\n\n",
    "human": "system\tsegment\tdomain\tscore\nsys\t0\tnews\t1\nother\t1\tnews\t2\n",
    "from-1": "system\tsegment\tscore\nsys\t1\t1\nother\t2\t2\n",
    "scores": "system\tsegment\tscore\n"
    + "".join(f"{system}\t{i}\t{i}\n" for system in ("sys", "other") for i in range(3)),
    "table.tsv": "source\thypothesis\nein\tb c\nzwei\te\n",
    "wmt.xml": "<dataset><doc id='d'><src lang='de'><seg id='1'>a</seg><seg id='2'>b</seg></src>"
    "<ref lang='en'><seg id='1'>c</seg></ref></doc></dataset>",
    "partial.xml": "<dataset><doc id='d'><src lang='de'><seg id='1'>a</seg><seg id='2'>b</seg>"
    "</src><ref lang='en'><seg id='1'>c</seg><seg id='2'>d</seg></ref><hyp lang='en' system='S'>"
    "<seg id='1'>c</seg></hyp></doc></dataset>",
    "line": "c d\n",
    "two": "c d\ne\n",
    "lao.py": """
import mteval_core as mt

def cut(text):
    raise mt.PluginError("the library is not installed")

@mt.hookimpl
def mteval_register_tokenizers():
    return [mt.TokenizerSpec("lao", function=cut, languages=("lo",))]
""",
    "failing.py": """
import mteval_core as mt

class Failing:
    def segment_statistics(self, hypothesis, references): return [1]
    def score(self, totals): raise SystemExit(0)

@mt.hookimpl
def mteval_register_metrics():
    return mt.MetricSpec("failing", factory=Failing, values={"x": 1}, in_default_set=True)
""",
    "judge.py": """
import mteval_core as mt

class Judge:
    def segment_statistics(self, hypothesis, references): return [float("nan")]

@mt.hookimpl
def mteval_register_metrics():
    return mt.MetricSpec("judge", factory=Judge, values={"x": 1}, bounds=(0, 1), may_miss=True)
""",
    "model.py": """
import mteval_core as mt

class Model:
    def segment_statistics(self, hypothesis, references): return [1, len(hypothesis) > 2]

@mt.hookimpl
def mteval_register_metrics():
    return mt.MetricSpec("model", factory=Model, values={"x": 1}, may_cut=True)
""",
    "lost_check.py": """
import mteval_core as mt

@mt.hookimpl
def mteval_register_checks():
    return mt.CheckSpec("lost", function="nowhere:lost")
""",
    "tabs": "a b\tc d\ne f\tg h\ni j\tk l\n",
}

ROOT = Path(__file__).parents[2]
SOURCES = [*ROOT.glob("mteval_core/**/*.py"), *ROOT.glob("plugins/*/mteval_*/**/*.py")]
WARNED = re.compile(r'\b(?:warn|MtevalWarning)\(\s*"([a-z-]+)"')

MEANINGS = dict(re.findall(r"^\| `([a-z-]+)` \| (.+) \|$", PAGE.read_text("utf-8"), re.MULTILINE))
"""What the page says of each code."""

TRIGGERS = {
    "dropped-systems": ["score", "partial.xml::ref.ref", "-i", "two"],
    "dropped-segments": ["score", "wmt.xml::ref.ref", "-i", "line"],
    "empty-file": ["score", "ref", "-i", "blank"],
    "failed-check": ["-p", "lost_check.py", "score", "ref", "-i", "sys"],
    "failed-metric": ["-p", "failing.py", "score", "ref", "-i", "sys"],
    "header-line": ["score", "ref", "-i", "table.tsv::2"],
    "language-tokenizer": ["-p", "lao.py", "score", "ref", "-i", "sys", "--lang", "lo"],
    "cut-texts": ["-p", "model.py", "score", "ref", "-i", "sys", "-m", "model"],
    "missing-scores": [
        *("-p", "judge.py", "score", "ref", "-i", "sys", "-m", "judge", "--missing", "worst")
    ],
    "no-first-segment": ["correlate", "ref", "-i", "sys", "other", "--human", "from-1", "-n", "0"],
    "similar-names": [
        *("correlate", "ref", "-i", "sys", "Other=other"),
        *("--human", "human", "--criteria", "score", "-n", "0"),
    ],
    "single-hypotheses": ["mbr", "sys"],
    "tabs": ["score", "ref", "-i", "tabs"],
    "unreachable-p": ["score", "ref", "-i", "sys", "other", "-pbs", "-n", "5"],
    "unused-columns": ["correlate", "ref", "-i", "sys", "other", "--human", "human", "-n", "0"],
}
"""A command that issues each warning."""


@pytest.fixture
def run(
    files: Callable[..., list[str]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsysbinary: pytest.CaptureFixture[bytes],
) -> Callable[..., tuple[int, str, str]]:
    files(**FILES)
    monkeypatch.chdir(tmp_path)

    def command(*arguments: str) -> tuple[int, str, str]:
        with_defaults = {"replay", "failing.py"} & {*arguments}
        code = main([*arguments] if with_defaults else [*arguments, "-m", "wer"])
        out, err = capsysbinary.readouterr()
        return code, out.decode(), err.decode()

    return command


def test_every_warning_has_a_command() -> None:
    assert set(TRIGGERS) == set(MEANINGS)


def test_every_warning_is_documented() -> None:
    code = "\n".join(path.read_text("utf-8") for path in SOURCES)
    warned = {*WARNED.findall(code)}
    assert len(warned) > 6
    assert warned - {*MEANINGS} == set()
    assert [each for each in MEANINGS if f'"{each}"' not in code] == []
    assert [*MEANINGS] == sorted(MEANINGS)


def test_every_exit_code_is_documented() -> None:
    text = PAGE.read_text("utf-8")
    codes = [error.exit_code for error in (mt.UsageError, mt.InputError, mt.PluginError)]
    assert all(f"\n| {code} | " in text for code in (0, 1, *codes, mt.MtevalError.exit_code, 130))


@pytest.mark.parametrize("code", list(TRIGGERS))
def test_a_warning_is_one_line_with_its_code(
    run: Callable[..., tuple[int, str, str]], code: str
) -> None:
    exit_code, out, err = run(*TRIGGERS[code])
    assert exit_code == 0
    assert out
    assert re.search(rf"^mteval: warning: .+ \[{code}\]$", err, re.MULTILINE)


@pytest.mark.parametrize("code", list(TRIGGERS))
def test_strict_turns_a_warning_into_an_error(
    run: Callable[..., tuple[int, str, str]], code: str
) -> None:
    for flags in (["--strict"], ["--strict", "-q"]):
        exit_code, out, err = run(*TRIGGERS[code], *flags)
        assert (exit_code, out) == (3, "")
        assert re.fullmatch(r"mteval: error: .+ \[[a-z-]+\], an error because of --strict\n", err)


@pytest.mark.parametrize("code", list(TRIGGERS))
def test_quiet_silences_a_warning(run: Callable[..., tuple[int, str, str]], code: str) -> None:
    loud = run(*TRIGGERS[code])
    assert run(*TRIGGERS[code], "-q") == (0, loud[1], "")


def test_without_a_warning_strict_changes_nothing(
    run: Callable[..., tuple[int, str, str]],
) -> None:
    assert run("score", "ref", "-i", "sys", "--strict") == run("score", "ref", "-i", "sys")


# Metrics of the default set that fail


@pytest.mark.parametrize("flags", [[], ["-b"], ["-ci"], ["-sl"], ["-f", "json"], ["--tok", "char"]])
def test_without_a_failing_metric_the_others_are_the_same(
    run: Callable[..., tuple[int, str, str]], flags: list[str]
) -> None:
    command = ["-p", "failing.py", "score", "ref", "-i", "sys", "blank", *flags]
    code, out, err = run(*command)
    named = run(*command, "-m", *mt.default_registry().default_metrics())
    warning = "mteval: warning: failing is left out of the default set: the formula of metric"
    assert (code, out) == (0, named[1])
    assert err.startswith(f"{named[2]}{warning} 'failing' in failing.py: SystemExit: 0 [failed")
    assert err.count("\n") == named[2].count("\n") + 1 == 2


def test_a_failing_metric_that_is_named_is_an_error(
    run: Callable[..., tuple[int, str, str]],
) -> None:
    command = ["-p", "failing.py", "score", "ref", "-i", "sys", "-m"]
    for metrics in (["failing"], ["wer", "failing"]):
        code, out, err = run(*command, *metrics)
        assert (code, out) == (4, "")
        assert "the formula of metric 'failing'" in err


# Empty references


def test_empty_references_may_be_missing_ones(run: Callable[..., tuple[int, str, str]]) -> None:
    command = ["score", "ref", "sparse", "-i", "sys", "-m", "ter", "-b", "-w", "9"]
    code, out, err = run(*command, "--empty-refs", "missing")
    assert (code, err) == (0, "")
    hypotheses, first, second = (FILES[name].splitlines() for name in ("sys", "ref", "sparse"))
    references = [first, [line or None for line in second]]
    scores = {m: mt.metric(m).corpus_score(hypotheses, references).score for m in ("ter", "wer")}
    assert out == "".join(f"{metric}\t{score:.9f}\n" for metric, score in scores.items())
    assert run(*command, "-q")[1] != out
    assert run(*command, "-q", "--empty-refs", "empty") == run(*command, "-q")


def test_a_segment_without_any_reference_is_refused(
    run: Callable[..., tuple[int, str, str]],
) -> None:
    code, _, err = run("score", "sparse", "-i", "sys", "--empty-refs", "missing")
    assert (code, "segment 1 has no reference" in err) == (3, True)


def test_missing_references_replay(run: Callable[..., tuple[int, str, str]]) -> None:
    flags = ["--empty-refs", "missing"]
    texts = ["ref", "sparse", "-i", "sys"]
    assert run("score", *texts, *flags, "-o", "x.json")[0] == 0
    code, out, err = run("replay", "x.json")
    assert (code, err) == (0, "")
    assert "1 of 1 records" in out
    references = [FILES["ref"].splitlines(), [s or None for s in FILES["sparse"].splitlines()]]
    signature = str(mt.metric("wer").signature(references))
    assert run("replay", signature, *texts, *flags)[0] == 0
    assert run("replay", signature, *texts, "-q")[0] == 1


def test_white_space_counts_as_empty() -> None:
    text = mt.Text.of(["a", "", "  \t", None, " b", "\xa0"])
    assert text.empty.tolist() == [False, True, True, False, False, False]
    assert list(without_empty(text)) == ["a", None, None, None, " b", "\xa0"]


def test_in_python_a_warning_has_a_code() -> None:
    pytest.importorskip("mteval_doctor", reason="the checks of texts are not installed")
    for references, code in (
        ([["", ""]], "empty-references"),
        ([["a", "b"], ["", "c"]], "many-empty-references"),
    ):
        with pytest.warns(mt.MtevalWarning) as caught:
            mt.evaluate({"A": ["a", "b"]}, references, ["wer"])
        (warning,) = caught
        assert getattr(warning.message, "code", "") == code

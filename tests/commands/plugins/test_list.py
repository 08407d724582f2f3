"""``mteval list`` and ``mteval plugins``: everything that can be named, and what is wrong."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import mteval_core as mt
from mteval_core import evaluation  # noqa: F401 - else it would be imported with what is patched
from mteval_core.commands import main as cli
from mteval_core.plugin.declarations import KINDS

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.fixture
def mteval_with(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Callable[..., tuple[int, str, str]]:
    """Run a command with plugins that are only pretended."""

    def run(*arguments: str, points: list[Any]) -> tuple[int, str, str]:
        monkeypatch.setattr(
            "mteval_core.plugin.loading.default_registry",
            lambda blocked=(), files=(): mt.load_registry(points, blocked=blocked, files=files),
        )
        code = cli.main(list(arguments))
        return code, *capsys.readouterr()

    return run


@pytest.fixture
def points(plugin: Callable[..., Any], matches: mt.MetricSpec) -> list[Any]:
    """A good plugin, a broken one and one to block."""
    return [
        plugin(
            metrics=[matches],
            tokenizers=[mt.TokenizerSpec("commas", function=str.split, help="at commas")],
        ),
        plugin("bad", metrics=ModuleNotFoundError("No module named 'java'", name="java")),
        plugin(
            "shy",
            version="3.2",
            normalizers=[mt.NormalizerSpec("nfc", key="form", stage="text", function=str)],
        ),
    ]


def test_metrics_in_one_line_each(mteval_with: Callable[..., Any], points: list[Any]) -> None:
    code, out, err = mteval_with("list", "metrics", points=points)
    assert (code, err) == (0, "")
    assert [line.split() for line in out.splitlines()] == [
        ["metrics:"],
        ["matches", "clipped", "unigram", "matches"],
    ]


def test_long_lines_are_broken_at_the_width_of_the_terminal(
    mteval_with: Callable[..., Any],
    plugin: Callable[..., Any],
    matches: mt.MetricSpec,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", "58")
    text = "clipped unigram matches of all tokens, and nothing else"
    tokenizers = [mt.TokenizerSpec(f"tokenizer{i}", function=str.split) for i in range(9)]
    points = [plugin(metrics=[replace(matches, help=text)], tokenizers=tokenizers)]
    _, out, _ = mteval_with("list", "metrics", points=points)
    assert out.splitlines() == [
        "metrics:",
        "  matches  clipped unigram matches of all tokens, and",
        "           nothing else",
    ]
    _, out, _ = mteval_with("plugins", points=points)
    assert max(map(len, out.splitlines())) <= 58
    assert all(line.startswith(("  ", "mteval-")) for line in out.splitlines())


def test_names_and_help(mteval_with: Callable[..., Any], points: list[Any]) -> None:
    _, out, _ = mteval_with("list", points=points)
    heads = [line for line in out.splitlines() if line.endswith(":") and not line.startswith(" ")]
    registry = mt.load_registry(points)
    assert heads == [
        f"{plural}:" for plural, kind in KINDS.items() if registry.of_kind(kind.declaration)
    ]
    lines = {line.split()[0]: line.split(maxsplit=1)[1:] for line in out.splitlines() if line}
    assert lines["commas"] == ["at commas"]
    assert lines["form=nfc"] == []
    assert lines["case=lc"] == ["lower case, all of Unicode"]
    assert lines["json"]


def test_what_a_metric_of_a_model_declares_is_shown(
    mteval_with: Callable[..., Any], plugin: Callable[..., Any], matches: mt.MetricSpec
) -> None:
    declared = replace(matches, tolerance=1e-4, libraries=("torch", "no-such-library"))
    _, out, _ = mteval_with("list", "matches", points=[plugin(metrics=[declared])])
    assert "libraries   torch, no-such-library\n" in out
    assert "tolerance   scores are compared within 0.0001\n" in out


class Lengths:
    """The mean of the lengths of the segments."""

    def segment_statistics(self, hypothesis: list[str], references: list[list[str]]) -> list[int]:
        assert not references
        return [len(hypothesis)]


class Longest(Lengths):
    """The length of the longest segment."""

    def score_rows(self, rows: Any, weights: Any) -> Any:
        return (rows[:, 0] * (weights > 0)).max(axis=-1)[..., None]


def test_what_a_metric_uses_and_how_it_is_computed(
    mteval_with: Callable[..., Any], plugin: Callable[..., Any], matches: mt.MetricSpec
) -> None:
    declared = [
        mt.MetricSpec("lengths", factory=Lengths, help="mean", values={"m": 1}, references="none"),
        mt.MetricSpec(
            "longest", factory=Longest, help="maximum", values={"m": 1}, source="optional"
        ),
    ]
    points = [plugin(metrics=[matches, *declared])]

    def card(name: str) -> str:
        code, out, _ = mteval_with("list", name, points=points)
        assert code == 0
        return " ".join(out.split())

    assert "is better; the mean of the scores of the segments" in card("lengths")
    assert "uses no references" in card("lengths")
    assert "uses references and the source if there is one" in card("mteval-toy/longest")
    assert "computed from the rows of all segments, not from sums" in card("longest")
    assert "; a formula of sums over the segments" in card("Matches")
    _, out, _ = mteval_with("list", "lengths", "--json", points=points)
    ((one,),) = json.loads(out).values()
    assert (one["references"], one["source"], one["form"]) == ("none", "none", "segments")
    assert (one["bounds"], one["values"], one["equation"]) == ([0.0, None], {"m": 1.0}, "")


LI = """@inproceedings{li, author = {L{\\'i}, A. and {Gro\\ss}, B.}, title = {On {MT}: a survey},
  booktitle = "Proceedings", year = 2001}"""

CARD = """\
matches, metric of mteval-toy 1.0
Clipped unigram matches.

equation    P = matches / hypothesis words
            p = 1
score       0 or more, higher is better; a formula of sums over the segments
values      P in percent; length
uses        references
options     bonus=0  added to the score (a number from 0 to 1)
literature  On MT: a survey (li)
example     mteval score REF -i SYS -m matches
signature   Matches|case:mixed|tok:13a|bonus:0|stem:none|plugin:mteval-toy@1.0|version:VERSION
"""


def test_the_card_of_a_metric_fits_the_terminal(
    mteval_with: Callable[..., Any],
    plugin: Callable[..., Any],
    matches: mt.MetricSpec,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    declared = replace(
        matches, equation="P = matches / hypothesis words\np = 1", literature="toy.bib"
    )
    (tmp_path / "toy.bib").write_text(LI, encoding="utf-8")
    points = [plugin(metrics=[declared])]
    points[0].load().__file__ = str(tmp_path / "mteval_toy.py")
    monkeypatch.setenv("COLUMNS", "80")
    _, out, _ = mteval_with("list", "matches", points=points)
    assert out.replace(mt.__version__, "VERSION") == CARD
    for width in (40, 57):
        monkeypatch.setenv("COLUMNS", str(width))
        _, narrow, _ = mteval_with("list", "matches", points=points)
        assert max(map(len, narrow.splitlines()[:-1])) <= width
        assert "".join(narrow.split()) == "".join(out.split())


def test_cards_of_tokenizers_and_normalizers_show_what_they_do(
    mteval_with: Callable[..., Any], points: list[Any]
) -> None:
    def last(name: str) -> str:
        _, out, _ = mteval_with("list", name, points=points)
        return " ".join(out.splitlines()[-1].split())

    assert last("13a") == "The dogs' owners weren't running : it cost $ 3.50 !"
    assert last("case=lc") == "the dogs' owners weren't running: it cost $3.50!"
    assert last("case") == last("case=lc"), "the key of normalizers lists them all"
    assert last("porter") == "The dogs' owner weren't running: it cost $3.50!"
    assert last("zh") == "我 喜 欢 狗 。"
    assert last("poisson") == "example mteval score REF -i SYS -ci --resampler poisson"


def test_a_card_says_why_a_metric_cannot_be_computed(
    mteval_with: Callable[..., Any], plugin: Callable[..., Any], matches: mt.MetricSpec
) -> None:
    declared = replace(matches, factory="no_such_module:Metric")
    code, out, _ = mteval_with("list", "matches", points=[plugin(metrics=[declared])])
    assert code == 0
    assert "missing     " in out
    assert "no_such_module" in out
    assert "signature" not in out


@pytest.mark.parametrize("equation", ["x" * 67, "a\tb", None])
def test_an_equation_is_a_few_short_lines(
    plugin: Callable[..., Any], matches: mt.MetricSpec, equation: Any
) -> None:
    registry = mt.load_registry([plugin(metrics=[replace(matches, equation=equation)])])
    (broken,) = [one for one in registry.plugins if one.status == "broken"]
    assert "its equation is" in str(broken.error)


def test_json(mteval_with: Callable[..., Any], points: list[Any]) -> None:
    _, out, _ = mteval_with("list", "--json", points=points)
    listed = json.loads(out)
    assert list(listed) == list(KINDS)
    assert listed["metrics"] == [
        {
            "name": "matches",
            "shown": "matches",
            "help": "clipped unigram matches",
            "distribution": "mteval-toy",
            "version": "1.0",
            "better": "higher",
            "references": "required",
            "source": "none",
            "default_set": False,
            "tolerance": 0.0,
            "libraries": [],
            "aliases": {},
            "options": [
                {
                    "key": "bonus",
                    "default": "0",
                    "values": "a number from 0 to 1",
                    "choices": [],
                    "signed": True,
                    "help": "added to the score",
                }
            ],
        }
    ]
    assert {n["name"]: (n["key"], n["stage"]) for n in listed["normalizers"]} == {
        "ascii": ("case", "text"),
        "lc": ("case", "text"),
        "nfc": ("form", "text"),
        "porter": ("stem", "token"),
    }
    for kind in KINDS:
        _, out, _ = mteval_with("list", kind, "--json", points=points)
        assert json.loads(out) == {kind: listed[kind]}
        names = [item["name"] for item in listed[kind]]
        assert names == sorted(names)


def test_plugins(
    mteval_with: Callable[..., Any], points: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    code, out, err = mteval_with("-p", "no:mteval_shy", "plugins", points=points)
    assert (code, err) == (0, "")
    conftest = Path(__file__).parents[2] / "conftest.py"
    lines = re.sub(rf"{conftest}:\d+", "PLACE", out).splitlines()
    assert lines[-7:] == [
        "mteval-bad 1.0 (bad): broken",
        "  error: ModuleNotFoundError: No module named 'java' (PLACE)",
        "  install the package that provides the module 'java' in this environment, or block the "
        "plugin with -p no:bad",
        "mteval-shy 3.2 (shy): blocked",
        "mteval-toy 1.0 (toy): ok, API level 1",
        "  metrics: matches",
        "  tokenizers: commas",
    ]
    assert out.startswith(
        f"mteval-core {mt.__version__} (host): ok, API level 1\n  tokenizers: 13a, char, "
    )


def test_plugins_as_json(mteval_with: Callable[..., Any], points: list[Any]) -> None:
    _, out, _ = mteval_with("plugins", "--json", points=points)
    host, bad, shy, toy = json.loads(out)
    assert (host["distribution"], host["status"]) == ("mteval-core", "ok")
    assert 0 <= bad.pop("seconds") < 1
    assert bad.pop("advice").startswith("install the package that provides the module 'java'")
    assert "conftest.py:" in bad.pop("where")
    assert bad == {
        "name": "bad",
        "distribution": "mteval-bad",
        "version": "1.0",
        "status": "broken",
        "api": None,
        "registers": {},
        "hidden": [],
        "error": "ModuleNotFoundError: No module named 'java'",
    }
    assert shy["registers"] == {"normalizers": ["form=nfc"]}
    assert toy["registers"] == {"metrics": ["matches"], "tokenizers": ["commas"]}
    assert (toy["api"], toy["error"]) == (1, None)


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["-p", "no:shi", "plugins"], 2, "-p no:shi: unknown plugin 'shi'. Did you mean 'shy'?"),
        (["list", "tokenizer"], 2, "no kind or name 'tokenizer'. Did you mean 'tokenizers'"),
        (
            ["-p", "no:shy", "score", "ref", "-m", "zzz", "-f", "form"],
            4,
            "unknown format 'form'.",
        ),
    ],
)
def test_refusals(
    mteval_with: Callable[..., Any],
    points: list[Any],
    arguments: list[str],
    code: int,
    message: str,
) -> None:
    found, out, err = mteval_with(*arguments, points=points)
    assert (found, out) == (code, "")
    assert err.startswith(f"mteval: error: {message}")


def test_as_processes(mteval: Callable[..., Any]) -> None:
    done = mteval("list", "tokenizers", "--json")
    assert (done.code, done.err) == (0, "")
    assert "13a" in [item["name"] for item in json.loads(done.out)["tokenizers"]]
    done = mteval("plugins", script=True, env={"MTEVAL_DISABLE_PLUGINS": "bleu_nist"})
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith(f"mteval-core {mt.__version__} (host): ok, API level 1\n")
    if "bleu_nist" in done.out:
        assert "(bleu_nist): blocked" in done.out

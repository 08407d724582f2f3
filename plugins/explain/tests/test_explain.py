"""``mteval explain``: which segments, what is compared, and in which formats."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import numpy as np
import pytest
from mteval_explain.command import orders_letters
from mteval_explain.segments import compare_ngrams, influence
from mteval_testing import run_command
from mteval_testing.explanation_checks import check_explanations

import mteval_core as mt

if TYPE_CHECKING:
    from collections.abc import Callable

    Run = Callable[..., tuple[int, str, str]]

pytest.importorskip("mteval_bleu_nist")
pytest.importorskip("mteval_error_rates")

REFERENCE = "the cat sat\na dog ran home\nit is late\nwe left\n"
A = "the cat sat\na dog ran\nit was late\nthey left\n"
B = "a cat sat\nhome ran a dog\nit is late\nwe left now\n"


MINI = Path(__file__).parents[3] / "examples" / "mini"


@pytest.fixture
def files(tmp_path: Path) -> Callable[..., list[str]]:
    """Write files of text, and return their paths."""

    def write(**contents: str) -> list[str]:
        for name, content in contents.items():
            (tmp_path / name).write_text(content, encoding="utf-8")
        return [str(tmp_path / name) for name in contents]

    return write


@pytest.fixture
def run(files: Callable[..., list[str]]) -> Run:
    """Explain systems A and B in this process: exit code, output, errors."""
    paths = dict(zip("rab", files(r=REFERENCE, a=A, b=B), strict=True))

    def command(*arguments: str, systems: str = "ab") -> tuple[int, str, str]:
        inputs = ["-i", *(paths[name] for name in systems)]
        return run_command("explain", paths["r"], *inputs, *arguments)

    return command


def chosen(run: Run, *arguments: str) -> list[int]:
    code, out, err = run("-m", "wer", "-f", "json", *arguments)
    assert code == 0, err
    return [row["segment"] for row in json.loads(out)["segments"]]


@pytest.mark.parametrize(
    ("arguments", "segments"),
    [
        ([], [3, 2, 1, 0]),
        (["--worst", "1"], [3]),
        (["--segment", "2", "0", "--segment", "2"], [2, 0]),
        (["--worse", "b", "a"], [1, 0]),
        (["--worse", "a", "b"], [2]),
        (["--worse", "b", "a", "--top", "1"], [1]),
        (["--contains", "^it "], [2]),
        (["--contains", "home|now", "--worst", "1"], [3]),
    ],
)
def test_segments_are_chosen(run: Run, arguments: list[str], segments: list[int]) -> None:
    """WER of a: 0, 1/4, 1/3, 1/2; of b: 1/3, 1, 0, 1/2."""
    assert chosen(run, *arguments) == segments


def test_segments_of_a_document(run: Run, files: Callable[..., list[str]]) -> None:
    (docs,) = files(docs="x\ny\ny\nx\n")
    assert chosen(run, "--docs", docs, "--doc", "y") == [1, 2]
    code, _, err = run("-m", "wer", "--docs", docs, "--doc", "z")
    assert (code, err) == (3, "mteval: error: --doc z: no such document. Known: x, y.\n")


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ([], 2, "no metric to explain: add -m SPEC"),
        (
            ["-m", "wer", "--segment", "9"],
            3,
            "--segment 9: no such segment; the segments are 0 to 3",
        ),
        (["-m", "wer", "--segment", "1", "--worst", "1"], 2, "--segment names the segments"),
        (["-m", "wer", "--worst", "1", "--worse", "a", "b"], 2, "--worst and --worse both rank"),
        (["-m", "wer", "--top", "1"], 2, "--top applies to --worse A B"),
        (["-m", "wer", "--worse", "a", "c"], 2, "--worse: no system 'c'. Known: a, b."),
        (["-m", "wer", "--worse", "a", "a"], 2, "--worse a a: expected two different systems"),
        (["-m", "wer", "--contains", "("], 2, "'(' is not a regular expression"),
        (["-m", "wer", "--contains", "zebra"], 3, "--contains zebra: no segment has a text"),
        (["-m", "wer", "--doc", "x"], 2, "documents need --docs"),
        (["-m", "wer", "--docs", "x"], 2, "--docs applies to documents: add --doc D"),
        (
            ["-m", "wer", "-f", "json", "--pictures", "grid"],
            2,
            "--pictures changes pictures, and the format json",
        ),
        (
            ["-m", "wer", "-f", "png"],
            2,
            "the format png cannot write the reports of mteval explain",
        ),
        (["-m", "wer", "--worst", "0"], 2, "expected a number of segments, 1 or more"),
    ],
)
def test_what_is_refused(run: Run, arguments: list[str], code: int, message: str) -> None:
    found, out, err = run(*arguments)
    assert (found, out) == (code, "")
    assert message in err


def test_a_system_with_several_runs_is_refused(files: Callable[..., list[str]]) -> None:
    r, a, b = files(r=REFERENCE, a=A, b=B)
    assert run_command("explain", r, "-i", f"s={a},{b}", "-m", "wer").code == 2


def test_a_metric_without_explanations_is_refused(tmp_path: Path) -> None:
    plugin = tmp_path / "toy.py"
    plugin.write_text(
        "import mteval_core\nclass Toy:\n"
        "    def segment_statistics(self, h, r): return [1]\n"
        "@mteval_core.hookimpl\ndef mteval_register_metrics():\n"
        "    return mteval_core.MetricSpec('toy', factory=Toy, help='x', values={'x': 1})\n"
    )
    (tmp_path / "r").write_text("a\n")
    path = str(tmp_path / "r")
    words = ["-p", str(plugin), "explain", path, "-i", f"s={path}", "-m", "toy", "wer"]
    code, _, err = run_command(*words)
    assert code == 2
    assert "the metric toy does not explain its scores; wer can" in err


# Two systems


def test_two_systems_are_compared(run: Run) -> None:
    """Errors of a: 0, 1, 1, 1; of b: 1, 4, 0, 1; words: 3, 4, 3, 2."""
    _, out, _ = run("-m", "wer", "--segment", "1", "-w", "1")
    assert "matches in reference 0, and b does not: “ran”" in out
    assert "n-grams of the references that a matches more often in 4 segments" in out
    lines = [line.split() for line in out.splitlines()]
    assert ["1", "25.0", "100.0", "-75.0", "-25.0"] in lines
    assert ["a", "dog", "ran", "1", "0"] in lines


def test_influence_is_the_change_of_the_difference() -> None:
    """Recomputed from the texts without each segment."""
    texts = [text.splitlines() for text in (A, B, REFERENCE)]
    evaluation = mt.evaluate({"a": texts[0], "b": texts[1]}, [texts[2]], ["bleu:smooth=add-k[1]"])
    spec = "bleu:smooth=add-k[1]"
    bleu = mt.metric(spec)

    def difference(rows: list[int]) -> float:
        a, b, references = ([text[i] for i in rows] for text in texts)
        return bleu.corpus_score(a, [references]).score - bleu.corpus_score(b, [references]).score

    whole = difference([0, 1, 2, 3])
    expected = [whole - difference([j for j in range(4) if j != i]) for i in range(4)]
    np.testing.assert_allclose(influence(evaluation, ("a", "b"), spec), expected, rtol=1e-10)


class Lengths:
    """The mean length of the hypotheses: a metric without a formula."""

    def segment_statistics(self, hypothesis: list[str], references: list[list[str]]) -> list[float]:
        return [len(hypothesis) + 0 * len(references)]


class MedianLength(Lengths):
    """The median length of the hypotheses, which is no function of a sum."""

    def score_rows(self, rows: Any, weights: Any) -> Any:
        chosen = [np.repeat(rows[:, 0], each.astype(int)) for each in np.atleast_2d(weights)]
        medians = [[np.median(some) if len(some) else 0.0] for some in chosen]
        return np.reshape(medians, (*np.shape(weights)[:-1], 1))


@pytest.mark.parametrize("factory", ["Lengths", "MedianLength"])
def test_influence_on_metrics_of_every_form(factory: str) -> None:
    """Mean and median of 1, 2, 3 are 2; without the first 2.5, without the last 1.5."""
    spec = mt.MetricSpec("m", factory=globals()[factory], help="m", values={"P": 100})
    module: Any = ModuleType("mteval_toy")
    module.mteval_register_metrics = mt.hookimpl(lambda: [spec])
    dist = SimpleNamespace(name="mteval-toy", version="1.0")
    point: Any = SimpleNamespace(name="toy", dist=dist, load=lambda: module)
    scorer = mt.metric("m", registry=mt.load_registry([point]))
    systems = {"x": ["b", "b a", "c c c"], "y": ["b", "b", "b"]}
    evaluation = mt.evaluate(systems, [["a b", "c", "d"]], [scorer])
    assert influence(evaluation, ("x", "y"), "m").tolist() == [-50.0, 0.0, 50.0]


def test_ngrams_are_ranked_by_difference_then_length() -> None:
    texts = {"a": ["x y z"], "b": ["z z y"]}
    evaluation = mt.evaluate(texts, [["x y z z"], ["q"]], ["wer"])
    made = compare_ngrams(evaluation, ("a", "b"), evaluation.scorers.values(), [0])
    assert [(" ".join(one.ngram), one.first, one.second) for one in made] == [
        ("x y z", 1, 0),
        ("x y", 1, 0),
        ("y z", 1, 0),
        ("z z", 0, 1),
        ("x", 1, 0),
        ("z", 1, 2),
    ]


def test_a_third_system_is_explained_without_comparison(run: Run) -> None:
    systems = [str(MINI / "systems" / f"{name}.txt") for name in ("deep", "rule", "neural")]
    code, out, _ = run_command("explain", str(MINI / "ref0.txt"), "-i", *systems, "-m", "wer", "-q")
    assert code == 0
    code, out, _ = run("-m", "wer", "--segment", "0", systems="a")
    assert code == 0
    assert "influence" not in out


# Formats


def test_formats_hold_the_same_explanations(run: Run) -> None:
    flags = ["-m", "bleu", "--segment", "0"]
    _, text, _ = run(*flags)
    _, page, _ = run(*flags, "-f", "html", "--pictures", "grid")
    _, picture, _ = run(*flags, "-f", "svg")
    _, data, _ = run(*flags, "-f", "json")
    _, lines, _ = run(*flags, "-f", "jsonl")
    for title in ("a, segment 0, bleu", "b, segment 0, bleu"):
        assert title in text
        assert title in page
        assert title in picture
    assert page.count("<svg") == 2
    ElementTree.fromstring(picture)
    explanations = json.loads(data)["explanations"]
    assert [json.loads(line) for line in lines.splitlines()] == explanations
    assert [one["system"] for one in explanations] == ["a", "b"]


def test_a_plugin_can_add_a_format(files: Callable[..., list[str]]) -> None:
    r, a, plugin = files(
        r=REFERENCE,
        a=A,
        **{
            "links.py": "import mteval_core\n"
            "def write(report, layout):\n"
            "    pictures = [part for part in report.parts(layout) if part.kind == 'picture']\n"
            "    titles = [picture.title for picture in pictures]\n"
            "    return f'{titles} {layout.columns}'\n"
            "@mteval_core.hookimpl\ndef mteval_register_formats():\n"
            "    return mteval_core.FormatSpec('links', function=write, parts=('picture',))\n"
        },
    )
    flags = ["-m", "wer", "--segment", "0", "3", "--pictures", "grid", "-f", "links"]
    code, out, _ = run_command("-p", plugin, "explain", r, "-i", a, *flags)
    assert (code, out) == (0, "['a, segment 0, wer', 'a, segment 3, wer'] 100")
    words = ["-p", plugin, "score", r, "-i", a, "-m", "wer", "-f", "links"]
    assert run_command(*words).code == 2


def test_options_for_the_text_apply(run: Run) -> None:
    code, out, _ = run(
        "-m", "bleu", "--segment", "0", "-lc", "--tok", "char", "--pictures", "lines"
    )
    assert code == 0
    assert "case:lc|eff:no|tok:char" in out


def test_bidi_mirrors_text_alone(run: Run) -> None:
    flags = ("-m", "wer", "--segment", "0")
    assert run(*flags, "--bidi", "yes") == run(*flags, "--bidi", "no") == run(*flags)
    code, _, err = run(*flags, "--bidi", "yes", "-f", "json")
    assert code == 2
    assert "--bidi applies to plain text" in err


@pytest.mark.parametrize(
    ("environment", "orders"),
    [
        ({}, False),
        ({"VTE_VERSION": "5800"}, True),
        ({"VTE_VERSION": "5202"}, False),
        ({"VTE_VERSION": "new"}, False),
        ({"KONSOLE_VERSION": "221203"}, True),
        ({"MLTERM": "3.9.3"}, True),
        ({"TERM_PROGRAM": "Apple_Terminal"}, True),
        ({"TERM_PROGRAM": "vscode", "TERM": "xterm-kitty"}, False),
    ],
)
def test_terminals_say_whether_they_order_letters(
    environment: dict[str, str], *, orders: bool
) -> None:
    assert orders_letters(environment) == orders


@pytest.mark.slow
def test_colours_are_for_terminals(files: Callable[..., list[str]]) -> None:
    r, a = files(r=REFERENCE, a=A)
    words = ["explain", r, "-i", a, "-m", "wer"]
    assert "\x1b[32m" in on_terminal(words, {"NO_COLOR": ""})
    assert "\x1b" not in on_terminal(words, {"NO_COLOR": "1"})


def on_terminal(words: list[str], environment: dict[str, str]) -> str:
    """Run the command line on a terminal, and return what it shows."""
    pty = pytest.importorskip("pty", reason="this system has no pseudo-terminals")
    keyboard, screen = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "mteval_core", *words],
        stdin=screen,
        stdout=screen,
        stderr=screen,
        env={**os.environ, **environment},
    ):
        os.close(screen)
        shown = b""
        with suppress(OSError):  # Linux reports in this way that the other end is closed
            while data := os.read(keyboard, 4096):
                shown += data
    os.close(keyboard)
    return shown.decode()


def test_a_configuration_file_may_name_two_systems(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mteval.toml").write_text('[explain]\nworse = ["a", "b"]\n', encoding="utf-8")
    _, configured, _ = run("-m", "wer")
    assert "! mteval.toml sets --worse a b." in configured


# The whole of a small test set


@pytest.mark.parametrize("spec", ["bleu", "ter"])
def test_every_segment_of_the_example_is_explained(spec: str) -> None:
    references = [(MINI / f"ref{k}.txt").read_text("utf-8").splitlines()[:40] for k in range(2)]
    system = (MINI / "systems" / "phrase.txt").read_text("utf-8").splitlines()[:40]
    assert len(check_explanations(spec, system, references)) == 40

"""Broken distributions and hostile plugins: everything else works, and standard output is clean."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

HOOK = """
import mteval_core

@mteval_core.hookimpl
def mteval_register_tokenizers():
    return [mteval_core.TokenizerSpec({name!r}, function=lambda text: text.split())]
"""

FAULTY = """
import mteval_core

class Faulty:
    def __init__(self, where="never"):
        self.where = where
        self.fail("factory")

    def fail(self, where):
        print("a plugin prints")
        if self.where == where:
            raise SystemExit(0)

    def segment_statistics(self, hypothesis, references):
        self.fail("statistics")
        return [1.0]

    def score(self, totals):
        self.fail("score")
        return totals

@mteval_core.hookimpl
def mteval_register_metrics():
    return [mteval_core.MetricSpec(
        "faulty", factory=Faulty, help="faulty", values={"x": 1},
        options=(mteval_core.Option("where", "never"),))]
"""

METADATA = b"Metadata-Version: 2.1\nName: mteval-%s\nVersion: 1.0\n"


def install(folder: Path, name: str, code: str, metadata: bytes | None = None) -> None:
    """Write a distribution ``mteval-NAME``; empty metadata means that the file is missing."""
    (folder / f"mteval_{name}.py").write_text(code, encoding="utf-8")
    information = folder / f"mteval_{name}-1.0.dist-info"
    information.mkdir()
    metadata = METADATA % name.encode() if metadata is None else metadata
    if metadata:
        (information / "METADATA").write_bytes(metadata)
    (information / "entry_points.txt").write_text(f"[mteval]\n{name} = mteval_{name}\n")


BROKEN = {
    "unnamed": (b"", "there is no METADATA"),
    "latin": (b"Name: mteval-latin\nAuthor: \xe9\xff\n", "METADATA"),
    "versionless": (b"Metadata-Version: 2.1\nName: mteval-versionless\n", "the version ''"),
    "injected": (b"Name: mteval-injected\nVersion: 1|x\n", "the version '1|x'"),
    "host": (b"Name: Mteval_Core\nVersion: 1.0\n", "only the host may be called mteval-core"),
}

FAILING = {
    "exits": ("raise SystemExit(0)", "SystemExit: 0"),
    "generator": ("raise GeneratorExit", "GeneratorExit:"),
    "custom": ("class Odd(BaseException): pass\nraise Odd('x')", "Odd: x"),
    "mute": ("class Odd(Exception):\n def __str__(self): 1/0\nraise Odd", "text cannot be read"),
    "syntax": ("def", "SyntaxError: invalid syntax"),
    "specname": (
        "import mteval_core\n@mteval_core.hookimpl(specname='odd')\n"
        "def mteval_register_metrics(): return []",
        "mteval_register_metrics is marked with specname",
    ),
    "greedy": (
        "import mteval_core\n@mteval_core.hookimpl\ndef mteval_register_readers():\n"
        "    return [mteval_core.ReaderSpec('all', patterns=('*.t?t',), function=list)]",
        "claims all files like '*.t?t', also plain text",
    ),
}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install thirty good plugins next to broken distributions and failing plugins."""
    folder = tmp_path_factory.mktemp("site")
    for i in range(30):
        install(folder, f"good{i:02}", HOOK.format(name=f"good{i:02}"))
    install(folder, "loud", "print('noise at import')" + HOOK.format(name="13a"))
    install(folder, "faulty", FAULTY)
    for name, (metadata, _) in BROKEN.items():
        install(folder, name, HOOK.format(name=name), metadata)
    for name, (code, _) in FAILING.items():
        install(folder, name, code)
    (folder / "mteval_binary-1.0.dist-info").mkdir()
    points = folder / "mteval_binary-1.0.dist-info" / "entry_points.txt"
    points.write_bytes(b"[mteval]\n\xff\n")
    leftover = folder / "~teval_good00-0.9.dist-info"
    leftover.mkdir()
    (leftover / "METADATA").write_bytes(METADATA % b"good00")
    (leftover / "entry_points.txt").write_text("[mteval]\ngood00 = mteval_good00\n")
    other = folder / "other-1.0.dist-info"  # broken, but not a plugin
    other.mkdir()
    (other / "entry_points.txt").write_bytes(b"[console_scripts]\n\xff\n")
    return folder


@pytest.fixture(scope="module")
def run(mteval: Callable[..., Any], site: Path) -> Callable[..., Any]:
    return lambda *arguments, **more: mteval(*arguments, env={"PYTHONPATH": str(site)}, **more)


def test_broken_distributions_are_named_and_nothing_else_changes(
    run: Callable[..., Any], site: Path
) -> None:
    done = run("plugins", "--json")
    assert done.code == 0
    assert "noise at import" in done.err
    plugins = {plugin["name"]: plugin for plugin in json.loads(done.out)}
    for name, (_, fault) in {**BROKEN, **FAILING}.items():
        assert plugins[name]["status"] == "broken", name
        assert fault in plugins[name]["error"], name
    for name in ("unnamed", "latin"):
        assert str(site / f"mteval_{name}-1.0.dist-info") in plugins[name]["error"]
        assert plugins[name]["distribution"] == f"mteval_{name}"
    assert plugins["custom"]["where"] == f"{site}/mteval_custom.py:2"
    assert plugins["syntax"]["where"] == f"{site}/mteval_syntax.py:1"
    assert plugins["?"]["distribution"] == "mteval_binary"
    good = [plugin for name, plugin in plugins.items() if name.startswith("good")]
    assert [(p["status"], p["error"]) for p in good] == [("ok", None)] * 30
    assert plugins["loud"]["hidden"] == ["13a"]


def test_every_command_works_next_to_them(run: Callable[..., Any], mini: Path) -> None:
    listed = run("list", "--json")
    assert listed.code == 0
    names = {each["name"] for each in json.loads(listed.out)["tokenizers"]}
    assert {f"good{i:02}" for i in range(30)} < names
    text = run("plugins").out
    assert "tokenizer '13a' of mteval-loud is hidden by that of mteval-core" in text
    texts = (mini / "ref0.txt", "-i", mini / "systems" / "deep.txt")
    scored = run("score", *texts, "-m", "bleu", "-f", "json")
    assert scored.code == 0
    (record,) = json.loads(scored.out)["records"]
    assert "|tok:13a|" in record["signature"]
    assert "loud" not in record["signature"]
    assert run("replay", record["signature"], *texts).code == 0


def test_what_is_broken_is_an_error_when_asked_for(run: Callable[..., Any], mini: Path) -> None:
    texts = (mini / "ref0.txt", "-i", mini / "systems" / "deep.txt")
    done = run("score", *texts, "-m", "bleu:tok=unnamed")
    assert (done.code, done.out) == (4, "")
    assert "there is no METADATA" in done.err
    assert run("check", "exits").code == 4


@pytest.mark.parametrize("where", ["factory", "statistics", "score"])
def test_an_exit_inside_a_metric_does_not_end_the_command(
    run: Callable[..., Any], mini: Path, where: str
) -> None:
    texts = (mini / "ref0.txt", "-i", mini / "systems" / "deep.txt")
    done = run("score", *texts, "-m", f"faulty:where={where}")
    assert (done.code, done.out) == (4, "")
    assert "metric 'faulty' of mteval-faulty 1.0: SystemExit: 0" in done.err
    assert run("check", f"faulty:where={where}").code in (1, 4)


def test_what_a_metric_prints_is_not_in_the_report(run: Callable[..., Any], mini: Path) -> None:
    texts = (mini / "ref0.txt", "-i", mini / "systems" / "deep.txt")
    done = run("score", *texts, "-m", "faulty", "-f", "json")
    assert done.code == 0
    assert json.loads(done.out)["records"]
    assert "a plugin prints" in done.err
    assert "a plugin prints" not in run("check", "faulty").out


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("def", "SyntaxError: invalid syntax"),
        ("import mteval_core\n\n1 / 0", "ZeroDivisionError: division by zero"),
        ("raise SystemExit(0)", "SystemExit: 0"),
        ("class Odd(BaseException): pass\nraise Odd('x')", "Odd: x"),
        ("import mteval_core\n@mteval_core.hookimpl\ndef mteval_register_x(): ...", "no hook"),
    ],
)
def test_a_broken_file_is_an_error_because_it_was_asked_for(
    mteval: Callable[..., Any], tmp_path: Path, code: str, reason: str
) -> None:
    path = tmp_path / "broken_file.py"
    path.write_text(code, encoding="utf-8")
    for command in ("list", "plugins"):
        done = mteval("-p", path, command)
        assert (done.code, done.out) == (4, "")
        assert f"plugin 'broken_file' in {path} is broken: " in done.err
        assert reason in done.err

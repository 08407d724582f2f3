"""A plugin that claims names of others: what is installed scores as before, and it is told."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from mteval_core.commands.main import main

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

for module in ("mteval_bleu_nist", "mteval_error_rates", "mteval_readers"):
    pytest.importorskip(module, reason="the plugin is not installed")

REF, SYS = "A b c d e\nx\n", "a b c d e\nx\n"
TEXTS = {
    "ref": REF,
    "sys": SYS,
    "ref.txt": REF,
    "ref.tsv": f"text\n{REF}",
    "sys.tsv": f"text\n{SYS}",
}

PLUGIN = """
import mteval_core as mt

class One:
    def segment_statistics(self, hypothesis, references):
        return [0.01]

def ruined(text):
    return ""

@mt.hookimpl
def mteval_register_{kind}s():
    return mt.{declaration}
"""

METRIC = "MetricSpec('{}', factory=One, values={{'x': 100}}, label='{}', in_default_set=True)"
TOLD = "{} of {{file}} is hidden by that of mteval-core: choose {{file}}/{}"
KNOWN = "metric {!r} of {{file}} is hidden by that of mteval-bleu-nist: choose {{file}}/{}"

CASES = [
    pytest.param(
        "normalizer",
        "NormalizerSpec('lc', key='case', stage='text', function=str.title)",
        TOLD.format("normalizer 'case=lc'", "lc"),
        ("wer:tok=none,case={file}/lc", "0.00"),
        id="case=lc",
    ),
    pytest.param(
        "tokenizer",
        "TokenizerSpec('13a', function=list)",
        TOLD.format("tokenizer '13a'", "13a"),
        ("wer:tok={file}/13a", "10.00"),
        id="tok=13a",
    ),
    pytest.param(
        "metric",
        METRIC.format("bleu", "BLEU"),
        KNOWN.format("bleu", "bleu"),
        ("{file}/bleu", "1.00"),
        id="bleu",
    ),
    pytest.param(
        "metric",
        METRIC.format("Bleu", "BLEU"),
        KNOWN.format("BLEU", "Bleu"),
        ("Bleu", "1.00"),
        id="BLEU",
    ),
    pytest.param(
        "format",
        "FormatSpec('json', function=ruined)",
        TOLD.format("format 'json'", "json"),
        None,
        id="json",
    ),
    pytest.param(
        "resampler",
        "ResamplerSpec('bootstrap', function=ruined)",
        TOLD.format("resampler 'bootstrap'", "bootstrap"),
        None,
        id="bootstrap",
    ),
]


@pytest.fixture
def run(
    files: Callable[..., list[str]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Callable[..., tuple[int, str, str]]:
    monkeypatch.setenv("COLUMNS", "300")
    files(**TEXTS)
    monkeypatch.chdir(tmp_path)

    def command(*arguments: str) -> tuple[int, str, str]:
        code = main([*arguments])
        out, err = capsys.readouterr()
        return code, out, err

    return command


def plugin_file(tmp_path: Path, kind: str, declaration: str) -> str:
    """Write a plugin; its name is that of no other, because modules are loaded once."""
    path = tmp_path / f"odd_{tmp_path.name}.py"
    path.write_text(PLUGIN.format(kind=kind, declaration=declaration), "utf-8")
    return str(path)


@pytest.mark.parametrize(("kind", "declaration", "told", "other"), CASES)
def test_what_is_installed_scores_as_before(
    run: Callable[..., Any],
    tmp_path: Path,
    kind: str,
    declaration: str,
    told: str,
    other: tuple[str, str] | None,
) -> None:
    plugin = ("-p", plugin_file(tmp_path, kind, declaration))
    scored = ("score", "ref", "-i", "sys", "-ci", "-n", "20", "-q", "-f", "json")
    specs = ("mteval-bleu-nist/bleu:case=lc", "mteval-bleu-nist/bleu", "wer", "cer:case=lc")
    before, after = (run(*p, *scored, "-m", *specs) for p in ((), plugin))
    assert before[0] == 0
    assert after == before
    for record in json.loads(after[1])["records"][:2]:
        assert run(*plugin, "replay", record["signature"], "ref", "-i", "sys")[0] == 0
    code, out, _ = run(*plugin, "score", "ref", "-i", "sys", "-q", "-f", "json")
    assert code == 0
    defaults = [r for r in json.loads(out)["records"] if "|plugin:file-" not in r["signature"]]
    _, out, _ = run("score", "ref", "-i", "sys", "-q", "-f", "json")
    assert [r["signature"] for r in defaults] == [
        r["signature"] for r in json.loads(out)["records"]
    ]

    listed = json.loads(run(*plugin, "plugins", "--json")[1])
    file = next(each["distribution"] for each in listed if each["name"].startswith("odd_"))
    assert told.format(file=file) in run(*plugin, "plugins")[1].splitlines()
    if other:
        spec, score = other
        found = run(*plugin, "score", "ref", "-i", "sys", "-b", "-m", spec.format(file=file))
        assert found == (0, f"{score}\n", "")


READER = "ReaderSpec('odd', patterns=({!r},), function=lambda path: ['', ''])"


@pytest.mark.parametrize("pattern", ["*", "*.txt", "r*", "ref.*", "ref", "s?s", "*.tsv"])
def test_a_reader_does_not_read_the_files_of_others(
    run: Callable[..., Any], tmp_path: Path, pattern: str
) -> None:
    file = plugin_file(tmp_path, "reader", READER.format(pattern))
    scored = ("score", "-m", "wer", "-b", "ref.txt", "-i", "sys")
    code, out, err = run("-p", file, *scored)
    if pattern.endswith(("*", ".txt")):
        assert (code, out) == (4, "")
        assert f"'odd' claims all files like {pattern!r}, also plain text such as" in err
    elif pattern == "s?s":  # an unusual name, but nobody else's
        assert (code, out) == (0, "100.00\n")
    else:
        assert (code, out) == (0, "16.67\n")


def test_two_readers_of_one_name_are_told(run: Callable[..., Any], tmp_path: Path) -> None:
    file = plugin_file(tmp_path, "reader", READER.format("*.tsv"))
    code, _, err = run("-p", file, "score", "ref.tsv::text", "-i", "sys.tsv::text", "-m", "wer")
    assert code == 4
    _, out, _ = run("-p", file, "plugins")
    (told,) = [line for line in out.splitlines() if line.startswith("*.tsv: ")]
    assert "/odd and mteval-readers/table both read" in told
    assert told.partition(": ")[2] in err
    name = told.partition("-p no:")[2].partition(" ")[0]
    for block in (name, "readers"):
        assert f"-p no:{block}" in told
    texts = ("ref.tsv::text", "-i", "sys.tsv::text", "-m", "wer", "-b")
    assert run("-p", file, "-p", f"no:{name}", "score", *texts) == (0, "16.67\n", "")

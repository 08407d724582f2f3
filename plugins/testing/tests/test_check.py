"""``mteval check``: what it prints, and its exit code."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest
from mteval_testing import METRIC_KIT, check_metric
from mteval_testing.check import check as findings_of

import mteval_core as mt

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

PLUGIN = '''
import mteval_core as mt
import numpy as np

class Shorter:
    """Words of the first reference that the hypothesis is short of."""
    def segment_statistics(self, hypothesis, references):
        return {row}
    def score(self, totals):
        h, r = totals[..., 0], totals[..., 1]
        return np.divide(h, r, out=np.zeros(np.shape(h)), where=r > 0)[..., None]

def halves(text):
    if not text:
        raise mt.PluginError("halves needs the package 'scissors': pip install scissors")
    return [text]

def absent(text):
    raise mt.PluginError("absent needs the package 'here': pip install here")

@mt.hookimpl
def mteval_register_metrics():
    return [mt.MetricSpec("shorter", factory="short_plugin:Shorter", help="short",
                          values={{"S": 1}}{declared})]

@mt.hookimpl
def mteval_register_tokenizers():
    return [mt.TokenizerSpec("halves", function="short_plugin:halves"),
            mt.TokenizerSpec("absent", function="short_plugin:absent")]

@mt.hookimpl
def mteval_register_readers():
    return [mt.ReaderSpec("short", patterns=("*.short",), function="short_plugin:read")]
'''

N = len(METRIC_KIT.checks)

FIRST = "len(hypothesis), len(references[0])"
BEST = "len(hypothesis), max(map(len, references))"
REASON = "there is no other way"


@pytest.fixture
def check(mteval: Callable[..., Any], tmp_path: Path) -> Callable[..., Any]:
    """Check a plugin in a file."""

    def run(*arguments: str, row: str, declared: str = "") -> Any:
        path = tmp_path / "short_plugin.py"
        path.write_text(PLUGIN.format(row=row, declared=declared), encoding="utf-8")
        return mteval("-p", path, "check", *arguments, env={"COLUMNS": "80"})

    return run


def test_a_failure_says_what_a_user_would_suffer(check: Callable[..., Any]) -> None:
    done = check("shorter", row=FIRST)
    other = re.sub(r"mteval: .* has been running for 5 s\n", "", done.err)  # a slow machine
    assert (done.code, other) == (1, "")
    lines = done.out.splitlines()
    assert lines[0] == f"shorter: {N - 2} of {N} checks pass"
    start = lines.index("  FAIL reference_order_is_irrelevant")
    assert lines[start + 1 : start + 3] == [
        "       The order of references does not matter; otherwise scores depend on file",
        "       names.",
    ]
    assert "  FAIL identity_is_best" in lines  # a longer hypothesis is better
    assert max(map(len, lines)) <= 80


def test_all_that_a_plugin_registers(check: Callable[..., Any]) -> None:
    exceptions = {"identity_is_best": REASON, "is_deterministic": REASON}
    done = check("short_plugin", row=BEST, declared=f", exceptions={exceptions}")
    assert done.code == 1
    heads = [line for line in done.out.splitlines() if not line.startswith(" ")]
    assert heads == [
        f"metric shorter: {N - 2} of {N} checks pass, 1 failing as declared",
        "tokenizer absent: 0 of 1 checks pass",
        "tokenizer halves: 4 of 5 checks pass",
        "reader short: 5 of 6 checks pass",
    ]
    out = " ".join(done.out.split())
    assert "FAIL refuses_damaged_files" in out
    assert "has no attribute 'read'" in out
    assert "absent needs the package 'here': pip install here" in out
    assert f"ok identity_is_best fails, as declared: {REASON}" in out
    assert f"passes, although declared as an exception: {REASON}" in out


NEEDS_A_FILE = """
import mteval_core as mt
from mteval_core import Sample

class Needy:
    def __init__(self, words):
        if not words:
            raise mt.UsageError("which words? needy:words=FILE")
    def segment_statistics(self, hypothesis, references):
        return [len(references[0]), len(hypothesis)]

def sample():
    return Sample(("a", "b c"), (("a", "b"),), options={"words": __file__})

@mt.hookimpl
def mteval_register_metrics():
    return [mt.MetricSpec(name, factory="needy_plugin:Needy", help="x", values={"a": 1, "b": 1},
                          options=(mt.Option("words", "", "words", file=True),), **kwargs)
            for name, kwargs in (("needy", {}), ("given", {"sample": sample}))]
"""


def test_a_metric_that_needs_a_file_is_checked_with_that_of_its_sample(
    mteval: Callable[..., Any], tmp_path: Path
) -> None:
    path = tmp_path / "needy_plugin.py"
    path.write_text(NEEDS_A_FILE, encoding="utf-8")
    done = mteval("-p", path, "check", "needy_plugin", "--json")
    found = json.loads(done.out)
    assert [finding["check"] for finding in found["metric needy"]] == ["can_be_used"]
    assert "which words? needy:words=FILE" in found["metric needy"][0]["message"]
    assert len(found["metric given"]) == N
    assert {f["check"] for f in found["metric given"] if not f["ok"]} <= {
        "identity_is_best",
        "reference_order_is_irrelevant",
    }


def test_the_time_limit_is_a_whole_number(mteval: Callable[..., Any]) -> None:
    done = mteval("check", "bleu", "--timeout", "0")
    assert (done.code, "expected a whole number of seconds, from 1" in done.err) == (2, True)


def test_json(check: Callable[..., Any]) -> None:
    done = check("short_plugin", "--json", row=FIRST)
    assert done.code == 1
    found = json.loads(done.out)
    assert list(found) == ["metric shorter", "tokenizer absent", "tokenizer halves", "reader short"]
    (failed,) = [finding for finding in found["tokenizer halves"] if not finding["ok"]]
    assert failed["check"] == "gives_tokens"
    assert failed["message"].startswith(
        "'': expected a list of non-empty strings, got PluginError("
    )
    assert failed["claim"].endswith("otherwise one odd line stops the whole run.")


def test_what_passes_is_shown_on_request(check: Callable[..., Any]) -> None:
    exceptions = {"identity_is_best": REASON}
    done = check("shorter", row=BEST, declared=f", exceptions={exceptions}")
    assert done.code == 0
    assert done.out.splitlines()[:3] == [
        f"shorter: {N - 1} of {N} checks pass, 1 failing as declared",
        "  ok   identity_is_best",
        f"       fails, as declared: {REASON}",
    ]
    done = check("shorter", "--all", row=BEST, declared=f", exceptions={exceptions}")
    assert (done.code, done.out.count("\n  ok ")) == (0, N)


def test_what_is_not_there(mteval: Callable[..., Any]) -> None:
    done = mteval("check", "mteval-coer")
    assert (done.code, done.out) == (2, "")
    assert "with the name 'mteval-coer'. Did you mean 'mteval-core'" in done.err


@pytest.mark.parametrize(
    ("what", "things"),
    [
        ("tok=13a", {"tokenizer 13a"}),
        ("13a", {"tokenizer 13a"}),
        ("case=lc", {"normalizer case=lc"}),
        ("csv", {"format csv"}),
        ("bootstrap", {"resampler bootstrap"}),
        ("mteval-core/csv", {"format csv"}),
        ("matches", {"matches"}),
        ("matches:tok=none", {"matches:tok=none"}),
    ],
)
def test_anything_is_checked_by_its_name(
    registry: mt.Registry, what: str, things: set[str]
) -> None:
    found = findings_of(what, registry)
    assert found.keys() == things
    assert all(found.values())


def test_a_folder_of_a_plugin_must_be_installed(
    registry: mt.Registry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mteval-mine").mkdir()
    (tmp_path / "mteval-mine" / "pyproject.toml").touch()
    install = f"pip install -e {tmp_path / 'mteval-mine'}"
    for spec in ("mteval-mine", "mteval-mine/"):
        with pytest.raises(mt.UnknownNameError, match=re.escape(install)):
            findings_of(spec, registry)


def test_an_unknown_value_of_a_key_is_named(registry: mt.Registry) -> None:
    with pytest.raises(mt.UnknownNameError, match="unknown tokenizer '13b'"):
        findings_of("tok=13b", registry)


def test_exceptions_are_those_of_the_default_options() -> None:
    pytest.importorskip("mteval_bleu_nist")
    checks = {found.check: found for found in check_metric("bleu:smooth=none")}
    assert "a_corpus_twice_scores_the_same" in mt.metric("bleu").declaration.exceptions
    assert checks["a_corpus_twice_scores_the_same"].passed
    assert all(found.ok for found in checks.values())

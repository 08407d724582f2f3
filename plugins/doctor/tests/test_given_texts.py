"""Files that are given twice, references that are missing, and sentences that nothing separates."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from mteval_doctor.copies import identical_systems, repeated_references

import mteval_core as mt

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

PLUGIN = """
import mteval_core as mt

class Sentences:
    def segment_statistics(self, hypothesis, references):
        return [len(hypothesis)]

    def score(self, totals):
        return totals

@mt.hookimpl
def mteval_register_metrics():
    views = {"sentences": mt.View(sent="tab")}
    return [mt.MetricSpec("sentences", factory=Sentences, values={"n": 1}, views=views)]
"""


@pytest.fixture
def registry(tmp_path: Path) -> mt.Registry:
    path = tmp_path / "sentences.py"
    path.write_text(PLUGIN, "utf-8")
    return mt.load_registry(files=[str(path)])


def codes(
    systems: Mapping[str, Sequence[str] | mt.Text],
    references: Sequence[str],
    registry: mt.Registry | None = None,
) -> list[str]:
    """Return the codes of warnings, whatever the blocks that texts are read in."""
    registry = registry or mt.default_registry()
    texts = {n: s if isinstance(s, mt.Text) else mt.Text.of(s) for n, s in systems.items()}
    stream = replace(mt.Text.of(references), path="ref")
    names = [each.declaration.name for each in registry.of_kind(mt.MetricSpec)]
    metrics = [mt.metric(name, registry=registry) for name in names if name == "sentences"]

    def found(size: int) -> list[tuple[str, str]]:
        summaries = {name: in_blocks(text, size) for name, text in texts.items()}
        checked = mt.CheckedTexts(summaries, (in_blocks(stream, size),), None, tuple(metrics))
        return [*checked.findings(registry)]

    whole = found(len(stream))
    assert found(7) == found(1000) == whole
    return [code for code, _ in whole]


def in_blocks(text: mt.Text, size: int) -> mt.TextSummary:
    summary = mt.TextSummary(text.path)
    for start in range(0, len(text), size):
        summary.add(text[start : start + size])
    return summary


def test_equal_texts_are_files_of_some_length() -> None:
    lines = [f"line {i}" for i in range(10)]
    same, short = (replace(mt.Text.of(some), path="sys") for some in (lines, lines[:9]))
    other = replace(mt.Text.of([*lines[1:], "x"]), path="sys")
    assert "identical-reference" in codes({"A": same}, lines)
    assert "identical-systems" in codes({"A": other, "B": other}, lines)
    assert codes({"A": short, "B": short}, lines[:9]) == []
    assert codes({"A": lines, "B": lines}, lines) == []


def test_references_are_given_once() -> None:
    lines = [f"line {i}" for i in range(10)]
    one, other, new = (
        replace(mt.Text.of(some), path=name)
        for some, name in ((lines, "ref0"), (lines, "ref1"), (lines[::-1], "ref2"))
    )
    found = [mt.TextSummary.of(text) for text in (one, new, other)]
    assert [*repeated_references(mt.CheckedTexts({}, tuple(found[:2]), None))] == []
    (message,) = repeated_references(mt.CheckedTexts({}, tuple(found), None))
    assert message.startswith("references ref0 and ref1 are identical; leave one out")


def test_outputs_that_differ_in_a_column_are_not_identical() -> None:
    lines = [f"line {i}" for i in range(10)]
    early, late = (
        replace(mt.Text.of(lines), path="sys", columns={"delay": mt.Text.of([n] * 10)})
        for n in "12"
    )
    found = {"early": mt.TextSummary.of(early), "late": mt.TextSummary.of(late)}
    again = {**found, "again": mt.TextSummary.of(late)}
    assert [*identical_systems(mt.CheckedTexts(found, (), None))] == []
    (one,) = identical_systems(mt.CheckedTexts(again, (), None))
    assert "systems late and again" in one


def test_the_digest_of_each_text_is_computed_once_however_many_there_are() -> None:
    computed: list[str] = []

    class Summary(SimpleNamespace):
        @property
        def digest(self) -> str:
            computed.append(self.path)
            return str(self.path)

    sizes = {"n_bytes": 90, "n_segments": 100, "columns": ()}
    systems = {str(k): Summary(path=str(k), **sizes) for k in range(300)}
    texts: Any = SimpleNamespace(systems=systems)
    assert [*identical_systems(texts)] == []
    assert computed == [*systems]


def test_many_segments_without_any_reference() -> None:
    assert codes({"A": ["a"] * 10}, ["", *"abcdefghi"]) == ["many-empty-references"]
    assert codes({"A": ["a"] * 11}, ["", *"abcdefghij"]) == []
    assert codes({"A": ["a"] * 2}, ["", " "]) == ["empty-references"]


def test_sentences_that_no_tab_separates(registry: mt.Registry) -> None:
    assert codes({"A": ["a b"]}, ["a. b"], registry) == ["one-sentence"]
    assert codes({"A": ["a\tb"]}, ["a. b"], registry) == []
    assert codes({"A": ["a b"]}, ["a. b"]) == []

"""Replays and differences of scores that another machine repeats only roughly."""

from __future__ import annotations

import itertools
import json
from dataclasses import dataclass, replace
from importlib import metadata
from typing import TYPE_CHECKING, Any

import pytest
from mteval_decide.diff import diff
from mteval_decide.replay import replay
from mteval_decide.saved import SavedReport

import mteval_core as mt

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

TEXTS = {"ref": ["abc"] * 3, "A": ["ab", "abc", "a"], "B": ["abc", "xbc", "xyz"]}

NOISE = itertools.count()


@dataclass(frozen=True)
class Copied:
    """The share of the characters of the reference that are copied."""

    def statistics(self, texts: mt.TextCorpus) -> list[list[float]]:
        pairs = zip(texts.hypotheses, texts.references, strict=True)
        return [[len({*text} & {*references[0]}) / 3] for text, references in pairs]


class Noisy(Copied):
    """Its scores differ by 0.001 from one call to the next."""

    def statistics(self, texts: mt.TextCorpus) -> list[list[float]]:
        noise = 1e-5 * (next(NOISE) % 2)
        return [[share * 0.5 + noise] for (share,) in super().statistics(texts)]


COPIED = mt.MetricSpec(
    "copied",
    factory=Copied,
    values={"score": 100},
    views={"texts": mt.View(raw=True)},
    pooled=True,
)


@pytest.fixture
def noisy(plugin: Callable[..., Any]) -> mt.Registry:
    """Load a metric whose scores differ from call to call, with and without a tolerance."""
    tolerant = replace(COPIED, factory=Noisy, tolerance=1e-3)
    exact = replace(COPIED, name="exact", factory=Noisy)
    return mt.load_registry([plugin([tolerant, exact])])


def saved(registry: mt.Registry, spec: str, folder: Path) -> SavedReport:
    for name, lines in TEXTS.items():
        (folder / name).write_text("".join(f"{line}\n" for line in lines))
    systems = {name: mt.read_text(folder / name) for name in "AB"}
    references = mt.TestSet((mt.read_text(folder / "ref"),))
    evaluation = mt.evaluate(systems, references, [spec], registry=registry)
    path = folder / "report.json"
    path.write_text(json.dumps(evaluation.to_dict()))
    return SavedReport.read(str(path))


@pytest.mark.parametrize(("spec", "same"), [("copied", True), ("exact", False)])
def test_replay_and_diff_compare_within_the_tolerance(
    noisy: mt.Registry, tmp_path: Path, spec: str, *, same: bool
) -> None:
    before = saved(noisy, spec, tmp_path)
    assert {change.same for change in replay(before, registry=noisy)} == {same}
    mt.metric(spec, registry=noisy).sentence_score("a", ["a"])  # the next call is odd again
    after = saved(noisy, spec, tmp_path)
    scores = [[record["score"] for record in report["records"]] for report in (before, after)]
    assert scores[0] == pytest.approx(scores[1], abs=2e-3)
    assert scores[0] != scores[1]
    assert {change.same for change in diff(before, after, registry=noisy)} == {same}
    assert {change.same for change in diff(before, after, 1e-2)} == {True}
    assert {change.same for change in diff(before, after, 1e-9, registry=noisy)} == {False}


def test_replay_reports_other_versions(
    plugin: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    registry = mt.load_registry([plugin([replace(COPIED, libraries=("numpy",))])])
    report = saved(registry, "copied", tmp_path)
    now, version = metadata.version("numpy"), metadata.version
    monkeypatch.setattr(
        metadata, "version", lambda name: "1.0" if name == "numpy" else version(name)
    )
    for change in replay(report, registry=registry):
        assert change.same
        assert f"libraries: numpy@{now} → numpy@1.0" in change.reasons

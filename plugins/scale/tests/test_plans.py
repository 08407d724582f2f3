"""Plans: their ids, their JSON, and what they refuse."""

from __future__ import annotations

import json
import pickle
from dataclasses import fields, replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mteval_scale.plan import Plan, plan_of

import mteval_core as mt
from mteval_core import Kept

for needed in ("bleu_nist", "chrf", "error_rates", "profile"):
    pytest.importorskip(f"mteval_{needed}")

PLAN = plan_of(
    ["bleu", "chrf:nw=2"],
    {"A": ["A"], "B": ["B (run 1)", "B (run 2)"]},
    ["human", "other"],
    level="doc",
    resamples=50,
    seed=3,
    defaults={"case": "lc"},
)

CHANGES: dict[str, Any] = {
    "metrics": ("bleu",),
    "signatures": PLAN.signatures[:1],
    "systems": {"A": ("A",)},
    "references": ("other", "human"),
    "source": True,
    "level": "corpus",
    "resamples": 51,
    "seed": 4,
    "defaults": {},
}


def test_a_plan_survives_json_and_pickle() -> None:
    for again in (Plan.from_json(PLAN.to_json()), pickle.loads(pickle.dumps(PLAN))):
        assert again == PLAN
        assert again.id == PLAN.id
    assert len(PLAN.id) == 16


def test_everything_in_a_plan_changes_its_id() -> None:
    assert {field.name for field in fields(Plan)} == set(CHANGES)
    ids = {replace(PLAN, **{name: value}).id for name, value in CHANGES.items()}
    assert len(ids | {PLAN.id}) == len(CHANGES) + 1


def test_a_plan_names_runs_metrics_and_versions() -> None:
    assert PLAN.runs == ["A", "B (run 1)", "B (run 2)"]
    assert PLAN.metrics == ("bleu", "chrf:nw=2")
    assert "case:lc" in PLAN.signatures[0]
    assert "refs:" not in PLAN.signatures[0]
    assert PLAN.kept == Kept("doc", 50, 3)
    assert [str(scorer.spec) for scorer in PLAN.scorers()] == ["bleu", "chrf:nw=2"]


@given(st.recursive(st.none() | st.integers() | st.text(max_size=3), st.lists, max_leaves=5))
def test_other_json_is_no_plan(value: Any) -> None:
    with pytest.raises(mt.InputError, match="not a plan of mteval"):
        Plan.from_json(json.dumps(value))


@given(st.sampled_from(sorted(CHANGES)), st.none() | st.integers() | st.text(max_size=3))
def test_a_damaged_plan_is_an_error_of_mteval(name: str, value: Any) -> None:
    damaged = {**json.loads(PLAN.to_json()), name: value}
    try:
        plan = Plan.from_json(json.dumps(damaged))
    except mt.MtevalError:
        return
    assert plan.id != PLAN.id or plan == PLAN


@pytest.mark.parametrize("missing", ["metrics", "systems", "references", "signatures"])
def test_a_plan_without_a_part_is_refused(missing: str) -> None:
    damaged = json.loads(PLAN.to_json())
    del damaged[missing]
    with pytest.raises(mt.InputError, match="not a plan of mteval"):
        Plan.from_json(json.dumps(damaged))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"resamples": -1}, "-1 resamples: expected"),
        ({"resamples": 10**7}, "10000000 resamples: expected"),
        ({"seed": -1}, "seed -1: expected"),
        ({"defaults": {"tok": "none", "unknown": "x"}}, "no metric takes unknown=x"),
    ],
)
def test_wrong_settings_are_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(mt.UsageError, match=message):
        plan_of(["wer"], ["A"], ["human"], **settings)


def test_metrics_must_fit_the_texts() -> None:
    with pytest.raises(mt.InputError, match="no references for"):
        plan_of(["wer"], ["A"], [])
    with pytest.raises(mt.UsageError, match="unknown metric 'nothing'"):
        plan_of(["nothing"], ["A"], ["human"])


def test_other_versions_of_a_metric_are_refused() -> None:
    elsewhere = replace(PLAN, signatures=("BLEU|version:0.0.1", *PLAN.signatures[1:]))
    with pytest.raises(mt.PluginError, match="install the same versions"):
        elsewhere.scorers()


def test_what_cannot_be_counted_in_parts_is_refused() -> None:
    with pytest.raises(mt.UsageError, match="nist:loo=yes must see"):
        plan_of(["nist:loo=yes"], ["A"], ["x", "y"])
    with pytest.raises(mt.InputError, match="no source for"):
        plan_of(["untranslated"], ["A"], ["x"])
    with pytest.raises(mt.InputError, match="not a plan of mteval"):
        Plan.from_json('{"metrics": 3}')

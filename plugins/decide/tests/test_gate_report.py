"""Reports of gates: sentences about verdicts, columns, and outputs that are too long for a line."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from mteval_decide.gate import Decision, Rules, Verdict
from mteval_decide.losses import Loss
from mteval_decide.reports.gate import lost_segments, of_gate, reason

import mteval_core as mt

if TYPE_CHECKING:
    from mteval_core.report import Report

NAN, INF = math.nan, math.inf
SPEC = "matches:tok=none"
HEAD = "Matches ↑ tok=none"
INPUTS: dict[str, Any] = {"scores": [{"name": "COMET"}, {"name": "MQM"}]}
VERDICT = Verdict("新", "base", SPEC, 100, 50, -80, -20, 50, 0, 0.01, NAN, "fail")


@pytest.fixture(scope="module")
def evaluation(registry: mt.Registry) -> mt.Evaluation:
    systems = {"base": ["a b", "c"], "新": ["a x", "x"]}
    return mt.evaluate(systems, [["a b", "c"]], [SPEC], registry=registry)


def decided(evaluation: mt.Evaluation, *verdicts: Verdict, **rules: Any) -> Decision:
    return Decision(evaluation, Rules(resamples=100, **rules), {"新": "base"}, list(verdicts))


def shown(decision: Decision, *lost: Loss) -> Report:
    return of_gate(decision, [(decision.verdicts[0], list(lost))] if lost else [], INPUTS)


# Sentences


@pytest.mark.parametrize(
    ("fields", "rules", "sentence"),
    [
        ({"verdict": ""}, {}, "only reported, no condition"),
        ({"loss": 1.5}, {}, "1.50 points worse (p = 0.010)"),
        ({"loss": 1.5, "allowed": 0.5}, {}, "1.50 points worse, more than 0.5 (p = 0.010)"),
        ({"p_loss": 0.00099}, {}, "50.00 points worse (p < 0.001)"),
        ({"p_loss": 0.2}, {}, "50.00 points worse, perhaps by chance (p = 0.200)"),
        ({"p_loss": 0.2}, {"alpha": 0.3}, "50.00 points worse (p = 0.200)"),
        ({"loss": 0.5, "allowed": 0.5}, {}, "0.50 points worse, as allowed"),
        ({"loss": 0.5, "allowed": INF, "p_loss": NAN}, {}, "0.50 points worse, as allowed"),
        ({"loss": -1.234}, {}, "1.23 points better"),
        ({"loss": 0.0}, {}, "0.00 points better"),
        (
            {"loss": -1.0, "p_not_worse": 0.05},
            {"margin": 2.5},
            "not shown to be worse by less than 2.5 (p = 0.050)",
        ),
        ({"loss": -1.0, "p_not_worse": 0.049}, {"margin": 2.5}, "1.00 points better"),
        (
            {"loss": 9.0, "p_loss": 0.5, "p_not_worse": 0.04},
            {"margin": 10.0},
            "9.00 points worse, perhaps by chance (p = 0.500)",
        ),
    ],
)
def test_a_verdict_has_a_sentence(
    evaluation: mt.Evaluation, fields: dict[str, Any], rules: dict[str, Any], sentence: str
) -> None:
    one = VERDICT._replace(**fields)
    assert reason(decided(evaluation, one, **rules), one) == f"{HEAD}: {sentence}"


def test_points_have_as_many_digits_as_scores(evaluation: mt.Evaluation) -> None:
    one = VERDICT._replace(loss=2 / 3)
    assert reason(decided(evaluation, one), one, 4) == f"{HEAD}: 0.6667 points worse (p = 0.010)"


@given(
    st.floats(-9, 9),
    st.sampled_from([0.0, 1.0, INF]),
    st.floats(0.0005, 1),
    st.floats(0.0005, 1) | st.just(NAN),
)
def test_a_sentence_agrees_with_its_verdict(
    evaluation: mt.Evaluation, loss: float, allowed: float, p_loss: float, p_not_worse: float
) -> None:
    given_ = VERDICT._replace(loss=loss, allowed=allowed, p_loss=p_loss, p_not_worse=p_not_worse)
    one = given_.decided(0.05)
    sentence = reason(decided(evaluation, one, margin=3.0), one)
    excused = ("perhaps by chance", "as allowed", "points better")
    assert any(words in sentence for words in excused) == (one.verdict == "pass")
    notes = shown(decided(evaluation, one, margin=3.0)).notes
    assert (f"新, {sentence}." in notes) == (one.verdict == "fail" or one.is_large)


# Tables


@pytest.mark.parametrize(
    ("fields", "rules", "heads"),
    [
        ({}, {}, ["worse: p"]),
        ({"allowed": INF}, {"margin": 1.0}, ["not worse: p"]),
        ({}, {"margin": 1.0}, ["worse: p", "not worse: p"]),
    ],
)
def test_columns_of_p_values_are_those_that_decide(
    evaluation: mt.Evaluation, fields: dict[str, Any], rules: dict[str, Any], heads: list[str]
) -> None:
    report = shown(decided(evaluation, VERDICT._replace(**fields), alpha=0.01, **rules))
    (table,) = report.tables()
    found = [column.heads[0] for column in table.columns]
    assert found == ["base", "now", "change", "98% interval", *heads, "verdict"]
    assert table.names == (("新", HEAD),)
    explained = report.legend
    assert [line.partition(": ")[0] for line in explained] == [
        head.removesuffix(": p") for head in heads
    ]
    assert report.summary == "2 segments, 1 reference; p < 0.01, one-sided" + (
        "; margin 1" if rules else ""
    )


def test_what_failed_lists_segments_and_what_passed_lists_none(
    evaluation: mt.Evaluation,
) -> None:
    passed = VERDICT._replace(verdict="pass")
    decision = decided(evaluation, VERDICT, passed)
    ((one, found),) = lost_segments(decision)
    assert one is VERDICT
    # The base has 100 and the system 33.3. Without segment 0 the system has 0; without 1, 50.
    assert [(loss.segment, loss.without) for loss in found] == [(1, -50.0)]
    assert lost_segments(decision, 0) == [(VERDICT, [])]
    assert lost_segments(decided(evaluation, passed)) == []


def test_records_hold_the_segments_of_their_verdict(evaluation: mt.Evaluation) -> None:
    loss = Loss(1, before=100.0, after=0.0, without=-50.0, old="c", new="x")
    report = shown(decided(evaluation, VERDICT, VERDICT._replace(verdict="")), loss)
    first, second = report.make_records()
    assert first["segments"] == [loss._asdict()]
    assert (first["difference"], second["segments"]) == (-50, [])
    assert report.title == "Gate: failed"
    _, table = report.tables()
    assert table.caption == f"新, {HEAD}: the segments that lost most"
    assert table.names == ((1, "base", "c"), (1, "now", "x"))
    assert [cell.parts[0] for cell in table.columns[1].cells] == ["", "-50.00"]


def test_scores_of_other_programs_are_named(evaluation: mt.Evaluation) -> None:
    note = "Not compared: COMET, MQM. Another program scored the base."
    assert note in shown(decided(evaluation, VERDICT)).notes


# Long outputs


@given(
    st.text(st.sampled_from("ab 中 \n"), max_size=150),
    st.text(st.sampled_from("cd文"), min_size=1, max_size=90),
    st.text(st.sampled_from("xy 字"), max_size=90),
)
@example("中" * 100, "文", "字")
@example("a " + "b" * 100, "c", "x")
@example("a" * 29 + " " + "b" * 19, "c", "x")
@example("a" * 24, "c", "")
@example("", "c", "")
def test_two_outputs_are_shown_where_they_begin_to_differ(
    evaluation: mt.Evaluation, start: str, old: str, new: str
) -> None:
    loss = Loss(0, before=1.0, after=0.0, without=0.0, old=start + old, new=start + new)
    _, table = shown(decided(evaluation, VERDICT), loss).tables()
    (_, _, before), (_, _, after) = table.names
    assert before != after
    for line, whole in ((str(before), start + old), (str(after), start + new)):
        assert len(line) <= 46
        assert " ".join(line.split()) == line
        assert line.strip("…") in " ".join(whole.split())
        if max(len(start + old), len(start + new)) <= 46:
            assert line == " ".join(whole.split())

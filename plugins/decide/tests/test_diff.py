"""What changed between two reports: pairs of records, reasons, tolerances."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from mteval_decide.diff import Change, diff, equal, renamed_metrics, signature_differences

if TYPE_CHECKING:
    pass

SIGNATURE = "BLEU|nrefs:1|case:mixed|refs:0a"


def record(**fields: Any) -> dict[str, Any]:
    return {
        "system": "A",
        "metric": "bleu",
        "level": "corpus",
        "id": None,
        "better": "higher",
        "score": 50.0,
        "signature": SIGNATURE,
        **fields,
    }


def report(*records: dict[str, Any], **hashes: str) -> dict[str, Any]:
    systems = {system: [{"hash": digest}] for system, digest in hashes.items()}
    inputs = {"references": [{}], "systems": systems}
    return {"inputs": inputs, "records": list(records), "comparisons": []}


def only(before: dict[str, Any], after: dict[str, Any], **options: float) -> Change:
    (change,) = diff(before, after, **options)
    return change


def test_equal_reports_have_no_reasons() -> None:
    change = only(report(record()), report(record()))
    assert change == Change("A", "bleu", "", 50.0, 50.0, (), same=True)


def test_another_score_is_a_change() -> None:
    change = only(report(record()), report(record(score=51.0)))
    assert (change.before, change.after, change.same) == (50.0, 51.0, False)


@pytest.mark.parametrize(
    ("score", "tolerance", "same"),
    [(50.0000000001, 1e-9, True), (50.001, 1e-9, False), (50.001, 1e-4, True)],
)
def test_rounding_is_no_change(score: float, tolerance: float, same: object) -> None:
    change = only(report(record()), report(record(score=score)), tolerance=tolerance)
    assert change.same is same


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"ci": {"low": 1.0, "high": 3.0}}, "interval"),
        ({"ci": None}, "interval"),
        ({"ci": {"low": 1.0, "high": 2.0}, "p_value": 0.04}, "p-value"),
    ],
)
def test_intervals_and_p_values_are_compared(fields: dict[str, Any], reason: str) -> None:
    before = record(ci={"low": 1.0, "high": 2.0})
    change = only(report(before), report({**before, **fields}))
    assert (change.same, change.reasons) == (False, (reason,))


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"values": {"BLEU": 50.0, "BP": 0.9}}, "values: BP"),
        ({"values": {"BLEU": 50.0}}, "values: BP"),
        ({"baseline": "C"}, "baseline"),
        ({"n_segments": 4}, "number of segments"),
        ({"difference": {"value": 1.0}}, "difference"),
        ({"jackknife": {"n": 2}}, "jackknife"),
    ],
)
def test_everything_else_is_compared(fields: dict[str, Any], reason: str) -> None:
    before = record(values={"BLEU": 50.0, "BP": 1.0}, baseline="B", n_segments=5)
    change = only(report(before), report({**before, **fields}))
    assert (change.same, change.reasons) == (False, (reason,))


def test_comparisons_are_compared() -> None:
    pair = {"system": "A", "baseline": "B", "metric": "bleu", "difference": 1.0, "p_raw": 0.1}
    before, after, without = (report(record()) for _ in range(3))
    before["comparisons"] = [pair]
    after["comparisons"] = [{**pair, "p_raw": 0.2}]
    _, change = diff(before, after)
    assert (change.where, change.is_comparison, change.same) == ("vs B", True, False)
    assert change.reasons == ("p-value before correction",)
    assert [change.reasons for change in diff(before, without)] == [(), ("is gone",)]


@pytest.mark.parametrize(
    ("better", "score", "verdict"),
    [
        ("higher", 51.0, "better"),
        ("higher", 49.0, "worse"),
        ("lower", 51.0, "worse"),
        ("lower", 49.0, "better"),
        ("lower", 50.0, ""),
    ],
)
def test_the_verdict_follows_the_direction_of_the_metric(
    better: str, score: float, verdict: str
) -> None:
    before, after = record(better=better), record(better=better, score=score)
    assert only(report(before), report(after)).verdict == verdict
    assert only(report(record(better="x")), report(after)).verdict == ""


def test_records_of_documents_and_segments_name_their_place() -> None:
    records = [record(level="doc", id="news"), record(level="segment", id=3), record()]
    changes = diff(report(*records), report(*reversed(records)))
    assert [change.where for change in changes] == ["doc news", "segment 3", ""]
    assert all(change.same for change in changes)


def test_records_of_one_side_are_gone_or_new() -> None:
    changes = diff(report(record(), record(system="B")), report(record(), record(system="C")))
    assert changes[1:] == [
        Change("B", "bleu", "", 50.0, None, ("is gone",), same=False),
        Change("C", "bleu", "", None, 50.0, ("is new",), same=False),
    ]


def test_another_output_explains_another_score() -> None:
    change = only(report(record(), A="0a"), report(record(score=51.0), A="0b"))
    assert change.reasons == ("the output of the system differs",)


def test_metrics_with_other_options_are_paired_by_label() -> None:
    lower = record(metric="bleu:case=lc", signature=SIGNATURE.replace("mixed", "lc"), score=51.0)
    change = only(report(record()), report(lower))
    assert (change.metric, change.reasons) == ("bleu", ("case: mixed → lc",))


def test_metrics_of_one_label_are_paired_in_order() -> None:
    before = [record(metric=f"bleu:order={n}") for n in (1, 2, 3)]
    after = [record(metric=f"bleu:order={n}") for n in (2, 5)]
    assert renamed_metrics(before, after) == {"bleu:order=1": "bleu:order=5"}


def test_metrics_of_other_labels_are_not_paired() -> None:
    after = record(metric="gtm", signature="GTM|nrefs:1")
    assert renamed_metrics([record()], [after]) == {}
    assert [change.reasons for change in diff(report(record()), report(after))] == [
        ("is gone",),
        ("is new",),
    ]


@pytest.mark.parametrize(
    ("after", "differences"),
    [
        (SIGNATURE, []),
        ("BLEU|nrefs:1|case:lc|refs:0a", ["case: mixed → lc"]),
        ("BLEU|nrefs:1|case:mixed|refs:0b", ["the references (hash): 0a → 0b"]),
        ("BLEU|nrefs:1|refs:0a", ["case: mixed → not given"]),
        (f"{SIGNATURE}|tok:13a", ["tok: not given → 13a"]),
        ("GTM|nrefs:2|case:mixed|refs:0a", ["BLEU → GTM", "nrefs: 1 → 2"]),
    ],
)
def test_signatures_are_compared_by_field(after: str, differences: list[str]) -> None:
    assert signature_differences(SIGNATURE, after) == differences


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (None, None, True),
        (None, 0.0, False),
        (0.0, 1e-10, True),
        (1e6, 1e6 + 1e-4, True),
        (1e6, 1e6 + 1, False),
        ({"low": 1.0}, {"low": 1.0 + 1e-12}, True),
        ({"low": 1.0}, {"low": 1.0, "high": 2.0}, False),
        ({"low": 1.0}, None, False),
        ("bs", "bs", True),
        ("bs", "ar", False),
    ],
)
def test_numbers_are_equal_up_to_rounding(one: object, other: object, same: object) -> None:
    assert equal(one, other, 1e-9) is same

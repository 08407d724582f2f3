"""JUnit XML: any text fits into it, and its counts are those of its cases."""

from __future__ import annotations

from math import inf, nan
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mteval_decide.gate import Decision, Rules, Verdict
from mteval_decide.losses import Loss
from mteval_decide.reports.junit import junit

import mteval_core as mt

if TYPE_CHECKING:
    from collections.abc import Sequence

SPEC = "matches"
texts = st.text(st.characters(exclude_categories=()), max_size=30)
verdicts = st.sampled_from(["pass", "fail", ""])


def verdict(system: str = "new", decided: Any = "fail", **more: Any) -> Verdict:
    made = Verdict(
        system,
        "old",
        SPEC,
        50.0,
        40.0,
        -12.0,
        -8.0,
        loss=10.0,
        allowed=0.0,
        p_loss=0.01,
        p_not_worse=nan,
        verdict=decided,
    )
    return made._replace(**more)


def written(
    registry: mt.Registry, verdicts: Sequence[Verdict], losses: Sequence[Loss] = (), **rules: Any
) -> ET.Element:
    """The only suite of what is written."""
    evaluation = mt.evaluate({"new": ["a"], "old": ["b"]}, [["a"]], [SPEC], registry=registry)
    decision = Decision(evaluation, Rules(**rules), {"new": "old"}, list(verdicts))
    found = [(one, list(losses)) for one in verdicts if one.verdict == "fail"]
    content = junit(decision, found)
    assert content.startswith(b"<?xml version='1.0' encoding='utf-8'?>\n<testsuites>")
    assert content.endswith(b"</testsuites>\n")
    (suite,) = ET.fromstring(content)
    return suite


def holds(text: str) -> str:
    """What XML 1.0 (section 2.2, Char) leaves of a text whose control characters are escaped."""
    hidden = {*range(32), *range(0x7F, 0xA0), 0x2028, 0x2029, *range(0x202A, 0x202F)}
    hidden |= {*range(0x2066, 0x206A), *range(0xD800, 0xE000)}
    escaped = "".join(repr(c)[1:-1] if ord(c) in hidden else c for c in text)
    return "".join("\ufffd" if ord(c) in (0xFFFE, 0xFFFF) else c for c in escaped)


@settings(max_examples=10)
@given(system=texts, old=texts, new=texts)
def test_any_text_is_written_and_read(
    registry: mt.Registry, system: str, old: str, new: str
) -> None:
    loss = Loss(3, 12.345, 0.0, -1.0, old, new)
    (case,) = written(registry, [verdict(system)], [loss, loss])
    (failure,) = case
    assert case.get("classname") == holds(system)
    one = ["segment 3: 12.35, now 0.00", f"  base: {holds(old)}", f"  now:  {holds(new)}"]
    assert failure.text == "\n".join(one * 2)


@given(st.lists(verdicts, max_size=6))
def test_counts_are_those_of_the_cases(registry: mt.Registry, decided: list[str]) -> None:
    suite = written(registry, [verdict(f"s{k}", each) for k, each in enumerate(decided)])
    kinds = [case[0].tag for case in suite]
    assert kinds == [{"pass": "system-out", "fail": "failure", "": "skipped"}[d] for d in decided]
    counts = {key: int(suite.attrib[key]) for key in ("tests", "failures", "skipped", "errors")}
    of_kinds = {"failures": kinds.count("failure"), "skipped": kinds.count("skipped")}
    assert counts == {"tests": len(kinds), **of_kinds, "errors": 0}


@pytest.mark.parametrize(
    ("changed", "rules", "message"),
    [
        ({}, {}, "10.00 points worse (p = 0.010)"),
        ({"allowed": 2.5, "p_loss": 1e-9}, {}, "10.00 points worse, more than 2.5 (p < 0.001)"),
        ({"p_loss": 0.5}, {}, "10.00 points worse, perhaps by chance (p = 0.500)"),
        ({"allowed": 12.0}, {}, "10.00 points worse, as allowed"),
        ({"allowed": 10.0 - 1e-12}, {}, "10.00 points worse, as allowed"),
        ({"loss": -3.0}, {}, "3.00 points better"),
        ({"loss": 0.0}, {}, "0.00 points better"),
        (
            {"allowed": inf, "p_loss": nan, "p_not_worse": 0.25},
            {"margin": 0.5},
            "not shown to be worse by less than 0.5 (p = 0.250)",
        ),
        ({"verdict": ""}, {}, "only reported, no condition"),
    ],
)
def test_every_reason(
    registry: mt.Registry, changed: dict[str, Any], rules: dict[str, Any], message: str
) -> None:
    given = {"decided": "pass", **changed}
    (case,) = written(registry, [verdict(**given)], **rules)
    assert (case[0].get("message") or case[0].text) == f"Matches ↑: {message}"

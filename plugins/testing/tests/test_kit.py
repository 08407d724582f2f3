"""What a kit makes of exceptions, of young checks, and of samples that are few."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from mteval_testing import Kit, check_metric
from mteval_testing.findings import Doubt, expect
from mteval_testing.kit import since

import mteval_core as mt
from mteval_core import Sample

if TYPE_CHECKING:
    from collections.abc import Callable

DECLARED = mt.TokenizerSpec("words", function=str.split)


def fails(_: object) -> None:
    """It holds; otherwise something is wrong."""
    expect(False, "it does not hold")  # noqa: FBT003 - as an assertion


def warns(_: object) -> None:
    """It is plausible; otherwise something may be wrong."""
    raise Doubt("it is odd")


@since("0.3")
def young(_: object) -> None:
    """It holds; otherwise something is wrong."""
    expect(False, "it does not hold")  # noqa: FBT003 - as an assertion


KIT: Kit[Any, Any] = Kit((fails, warns, young), lambda entry, _: entry)


def test_a_warning_is_no_failure() -> None:
    failed, warned, _ = KIT.examine(None, DECLARED)
    assert (failed.passed, failed.warning, failed.ok) == (False, False, False)
    assert (warned.passed, warned.warning, warned.ok) == (False, True, True)
    assert warned.message == "it is odd"


def test_a_warning_can_be_declared() -> None:
    declared = replace(DECLARED, exceptions={"warns": "it is meant so"})
    assert KIT.find(warns, None, declared).ok
    assert KIT.find(warns, None, declared).reason == "it is meant so"


def test_an_exception_for_a_check_that_does_not_exist_is_refused() -> None:
    declared = replace(DECLARED, exceptions={"fialss": "a typing mistake"})
    with pytest.raises(
        mt.UsageError, match=r"'words' .* exception for fialss; .* fails, warns, yo"
    ):
        KIT.examine(None, declared)


@pytest.mark.parametrize(
    ("requirements", "fails_at_once"),
    [
        (["mteval-core>=0.2", "numpy"], False),
        (["mteval_core >=0.2.9,<1"], False),
        (["mteval-core>=0.3"], True),
        (["mteval-core>=0.10"], True),
        (["mteval-core"], True),
        (["numpy>=0.2"], True),
        (None, True),
    ],
)
def test_a_check_that_is_younger_than_the_oldest_host_of_a_plugin_warns(
    monkeypatch: pytest.MonkeyPatch, requirements: list[str] | None, fails_at_once: Any
) -> None:
    monkeypatch.setattr("mteval_testing.kit.requires", lambda _: requirements)
    entry = mt.default_registry().find(mt.TokenizerSpec, "13a")
    old, _, new = KIT.run(entry, mt.default_registry())
    assert not old.ok
    assert (new.ok, new.warning) == (not fails_at_once, not fails_at_once)
    assert ("once the plugin requires mteval-core>=0.3" in new.message) == (not fails_at_once)


ASKED: Counter[str] = Counter()


class Endpoint:
    """Counts the segments that it is asked for."""

    def statistics(self, words: mt.TextCorpus) -> Any:
        ASKED.update(words.hypotheses)
        return [[len(text)] for text in words.hypotheses]


def test_a_metric_of_a_paid_service_is_asked_30_times_at_most(plugin: Callable[..., Any]) -> None:
    few = Sample(("a b", "c d e", "f"), (("a", "b", "c"),), few=True)
    spec = mt.MetricSpec(
        "endpoint",
        factory=Endpoint,
        help="length",
        values={"length": 1},
        views={"words": mt.View(raw=True)},
        pooled=True,
        sample=lambda: few,
    )
    registry = mt.load_registry([plugin(metrics=[spec])])
    ASKED.clear()
    findings = check_metric("endpoint", registry=registry)
    assert all(finding.ok for finding in findings)
    assert sum("few texts" in finding.message for finding in findings) > 10
    assert sum(not finding.message for finding in findings) >= 10
    assert set(ASKED) == {"a b", "c d e"}
    assert 0 < ASKED.total() <= 30

"""The kit finds checks of texts that are noisy, blind, slow or unsteady."""

from __future__ import annotations

import re
from itertools import count
from typing import TYPE_CHECKING, Any

import pytest
from mteval_testing import check_text_check

import mteval_core as mt
from mteval_core import Sample

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Function = Callable[[mt.CheckedTexts], Any]

CALLS = count()


def right(texts: mt.CheckedTexts) -> Iterator[str]:
    for name, text in texts.systems.items():
        if any("<think>" in segment for segment in text.sample.values()):
            yield f"system {name}: it thinks"


def noisy(texts: mt.CheckedTexts) -> list[str]:
    return [f"system {name}: look at it" for name in texts.systems]


def blind(texts: mt.CheckedTexts) -> list[str]:
    return [name for name in texts.systems if name == "B"]


def two_lines(texts: mt.CheckedTexts) -> list[str]:
    return [f"{message}\nlook at it" for message in right(texts)]


def needs_references(texts: mt.CheckedTexts) -> list[str]:
    return [*right(texts)][: texts.references[0].n_segments]


def needs_words(texts: mt.CheckedTexts) -> list[str]:
    words = [text.sample[0].split()[0] for text in texts.systems.values()]
    return [*right(texts)][: len(words)]


def unsteady(texts: mt.CheckedTexts) -> list[str]:
    return [f"{message} {next(CALLS)}" for message in [*right(texts), "something"]]


def forgetful(texts: mt.CheckedTexts) -> list[str]:
    found = [*right(texts)]
    texts.systems.clear()  # type: ignore[attr-defined]
    return found


def backtracking(texts: mt.CheckedTexts) -> list[str]:
    for text in texts.systems.values():
        for segment in text.sample.values():
            re.search(r"\s+$", segment + "x")
    return [*right(texts)]


def sample() -> Sample:
    return Sample(("<think> a", "b"), (("a", "b"),), name="thoughts")


def failed(function: Function, plugin: Callable[..., Any], **more: Any) -> list[str]:
    """Names of the checks that a check of texts fails."""
    check = mt.CheckSpec("think", function=function, **{"sample": sample, **more})
    registry = mt.load_registry([plugin(checks=[check])])
    return [each.check for each in check_text_check("think", registry=registry) if not each.ok]


@pytest.mark.parametrize(
    ("function", "checks"),
    [
        (right, []),
        (noisy, ["ordinary_text_is_quiet"]),
        (blind, ["sample_is_found"]),
        (two_lines, ["sample_is_found"]),
        (needs_references, ["any_texts_are_checked"]),
        (unsteady, ["ordinary_text_is_quiet", "repeats_itself"]),
        (forgetful, ["texts_are_unchanged"]),
        (backtracking, ["large_texts_are_affordable"]),
    ],
)
def test_each_defect_is_found(
    plugin: Callable[..., Any], function: Function, checks: list[str]
) -> None:
    assert failed(function, plugin) == checks


def test_a_check_that_fails_on_some_texts_fails_all_checks_on_them(
    plugin: Callable[..., Any],
) -> None:
    assert failed(needs_words, plugin) == [
        "any_texts_are_checked",
        "large_texts_are_affordable",
        "repeats_itself",
        "texts_are_unchanged",
    ]


def test_without_a_sample_one_check_says_so(plugin: Callable[..., Any]) -> None:
    check = mt.CheckSpec("think", function=right)
    registry = mt.load_registry([plugin(checks=[check])])
    (finding,) = [f for f in check_text_check("think", registry=registry) if f.message]
    assert (finding.check, finding.ok) == ("sample_is_found", True)
    assert finding.message == "not run: the declaration has no sample"

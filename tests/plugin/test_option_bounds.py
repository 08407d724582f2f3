"""Every number that an installed metric takes has bounds, and works at both of them."""

from __future__ import annotations

import math
from typing import Any

import pytest

import mteval_core as mt

HYPOTHESES = ["the cat sat on the mat", "a", "x y z x y z"]
REFERENCES = [["the cat is on the mat", "", "x y z"], ["a cat on a mat", "a", "z y x z y x"]]

NUMBERS = [
    pytest.param(entry.qualified, option, id=f"{entry.declaration.name}-{option.key}")
    for entry in mt.default_registry().of_kind(mt.MetricSpec)
    for option in entry.declaration.options
    if option.type is None
    and not isinstance(option.default, (bool, tuple))
    and (isinstance(option.default, (int, float)) or option.minimum is not None)
]

TOO_LARGE = ("1000000000", "1" + "0" * 19, "1e200", "1e400", "1" + "0" * 5000)


@pytest.mark.parametrize(("metric", "option"), NUMBERS)
def test_a_number_has_bounds_and_works_at_both(metric: str, option: mt.Option) -> None:
    assert option.minimum is not None
    assert option.maximum is not None
    for bound in (option.minimum, option.maximum):
        text = str(int(bound)) if bound == int(bound) else repr(bound)
        try:
            scorer = mt.metric(f"{metric}:{option.key}={text}")
        except mt.PluginError as error:  # what it reads is not installed
            pytest.skip(str(error))
        values = scorer.corpus_score(HYPOTHESES, REFERENCES).values
        assert all(map(math.isfinite, values.values()))
        again = mt.metric(str(scorer.signature(REFERENCES)))
        assert again.corpus_score(HYPOTHESES, REFERENCES).values == values


@pytest.mark.parametrize(("metric", "option"), NUMBERS)
def test_a_number_that_is_too_large_is_an_option_error(metric: str, option: mt.Option) -> None:
    try:
        mt.metric(metric)
    except mt.PluginError as error:  # what it reads is not installed
        pytest.skip(str(error))
    for text in TOO_LARGE:
        if option.maximum is not None and float(text) > option.maximum:
            with pytest.raises(mt.OptionError, match=f"option {option.key}=.*: expected a "):
                mt.metric(f"{metric}:{option.key}={text}")


@pytest.mark.parametrize(
    "spec",
    [
        "bleu:order=1000000000",
        "bleu:order=1_0",
        "bleu:order= 4",
        "bleu:order=٤",
        "bleu:smooth=floor[1_0]",
        "bleu:smooth=add-k[1e999]",
        "chrf:beta=1e200",
        "chrf:beta=1_0.0",
        "meteor:align=beam[99999999999999999999]",
        "meteor:weights=1e300",
        "meteor:weights=1_0",
        "rouge-l:limit=words[99999999999999999999]",
        "rouge-s:skip=10000000000000000000",
        "rouge-w:weight=400",
    ],
)
def test_numbers_follow_one_grammar_and_fit(spec: str) -> None:
    with pytest.raises(mt.OptionError) as caught:
        mt.metric(spec)
    assert caught.value.exit_code == 2


@pytest.mark.parametrize("value", [10**400, -1, 1e200, True, "4_0", b"4", None, 2.5, math.nan])
def test_a_keyword_meets_the_same_bounds(value: Any) -> None:
    with pytest.raises(mt.OptionError, match="option order="):
        mt.metric("bleu", order=value)

"""Metrics that read columns: values of segments besides their texts, typed and signed."""

from __future__ import annotations

import json
import pickle
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import mteval_core as mt

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    Plugin = Callable[..., Any]

HYPOTHESES = ["a b", "c", "d e f"]
DELAYS = [[1, 2], [4], [8.5, 16, 32]]
REFERENCES = [["a b", "x", "d f"]]


class Delay:
    """The mean of the last delays of the segments; a word of the reference divides it."""

    def segment_statistics(
        self, hypothesis: Sequence[str], references: Any, delays: list[float]
    ) -> list[float]:
        del hypothesis, references
        return [delays[-1]]


class Rows:
    """Each value of a column as a row of its own."""

    def statistics(self, **views: Any) -> NDArray[np.float64]:
        (values,) = (view for view in views.values() if type(view).__name__ == "Values")
        return np.array([[float(len(str(value)))] for value in values])


@dataclass(frozen=True)
class Pooled(Rows):
    """A pooled metric, which remembers what it was called with."""

    def statistics(self, **views: Any) -> NDArray[np.float64]:
        CALLS.append([*zip(views["texts"].hypotheses, views["delays"], strict=True)])
        return np.array([[delays[0]] for delays in views["delays"]])


CALLS: list[Any] = []

VIEW = mt.View(of="column:delays", type="numbers")
SPEC = mt.MetricSpec(
    "delay",
    factory=Delay,
    help="a metric of delays",
    values={"delay": 1},
    views={"words": mt.View(), "delays": VIEW},
)


def scorer(plugin: Plugin, spec: mt.MetricSpec = SPEC) -> mt.Scorer:
    return mt.metric(spec.name, registry=mt.load_registry([plugin(metrics=[spec])]))


@pytest.fixture
def delay(plugin: Plugin) -> mt.Scorer:
    return scorer(plugin)


def output(delays: Any = DELAYS) -> mt.Text:
    return mt.Text.of(HYPOTHESES, columns={"delays": delays})


def test_a_metric_gets_the_column_of_the_system_or_of_the_test_set(delay: mt.Scorer) -> None:
    of_system = delay.corpus_score(output(), REFERENCES)
    of_test_set = delay.corpus_score(
        HYPOTHESES, mt.TestSet.of(REFERENCES, columns={"delays": DELAYS})
    )
    assert of_system.score == of_test_set.score == (2 + 4 + 32) / 3
    assert [s.score for s in delay.sentence_scores(output(), REFERENCES)] == [2, 4, 32]
    assert delay.sentence_score(output()[2:], ["d f"]).score == 32


def test_columns_follow_the_segments_of_a_text() -> None:
    text = output()
    for part, kept in (
        (text.take([2, 0]), [2, 0]),
        (text[1:], [1, 2]),
        (text[::-1], [2, 1, 0]),
        (text[:1] + text[2:], [0, 2]),
        (pickle.loads(pickle.dumps(text)), [0, 1, 2]),
    ):
        assert [*part] == [HYPOTHESES[i] for i in kept]
        assert [json.loads(value or "") for value in part.columns["delays"]] == [
            DELAYS[i] for i in kept
        ]


def test_texts_of_different_columns_are_not_joined() -> None:
    with pytest.raises(mt.InputError, match="only one of two texts has the column 'delays'"):
        output().__add__(["d"])


def test_columns_follow_the_segments_of_subsets_and_of_single_segments(delay: mt.Scorer) -> None:
    test_set = mt.TestSet.of(REFERENCES, ["d1", "d2", "d1"], columns={"delays": DELAYS})
    evaluation = mt.evaluate({"A": HYPOTHESES}, test_set, [delay])
    assert evaluation.to_dict("doc")["records"][0]["score"] == (2 + 32) / 2
    first, _ = mt.Subset.of(test_set, "doc", mt.default_registry())
    part = first.evaluation(evaluation, ["delay"])
    assert part.score("A", "delay").score == (2 + 32) / 2
    assert isinstance(part.scores.test_set, mt.TestSet)
    assert [*part.scores.test_set.columns["delays"]] == ["[1, 2]", "[8.5, 16, 32]"]
    assert [*test_set.segment(1).columns["delays"]] == ["[4]"]


def test_states_that_are_merged_in_any_order_score_as_one_call(delay: mt.Scorer) -> None:
    states = [mt.State(delay) for _ in HYPOTHESES]
    for i, state in enumerate(states):
        state.update(output()[i : i + 1], [[REFERENCES[0][i]]])
    first, *others = states[::-1]
    for other in others:
        first.merge(other)
    assert first.compute().score == delay.corpus_score(output(), REFERENCES).score


def test_threads_and_ranges_of_segments_keep_columns_with_their_segments(delay: mt.Scorer) -> None:
    n = 20_000
    delays = [[i] for i in range(n)]
    text = mt.Text.of(["a"] * n, columns={"delays": delays})
    evaluation = mt.evaluate({"A": text}, [["a"] * n], [delay], threads=2)
    rows: Any = evaluation.scores.rows["A", "delay"]
    assert rows[:, 0].tolist() == [*range(n)]


def test_a_pooled_metric_sees_equal_texts_with_other_values_apart(
    plugin: Plugin,
) -> None:
    views = {"texts": mt.View(raw=True), "delays": VIEW}
    spec = replace(SPEC, factory=Pooled, views=views, pooled=True)
    outputs = {"A": output(), "B": output([[1, 2], [5], [8.5, 16, 32]])}
    CALLS.clear()
    evaluation = mt.evaluate(outputs, REFERENCES, [scorer(plugin, spec)])
    (call,) = CALLS
    assert sorted(call) == [
        ("a b", [1, 2]), ("c", [4]), ("c", [5]), ("d e f", [8.5, 16, 32])
    ]  # fmt: skip
    assert evaluation.score("B", "delay").score == (1 + 5 + 8.5) / 3


def test_the_signature_has_the_hash_of_the_column_of_a_test_set(delay: mt.Scorer) -> None:
    def signed(delays: Any) -> str | None:
        test_set = mt.TestSet.of(REFERENCES, columns={"delays": delays})
        return delay.corpus_score(HYPOTHESES, test_set).signature.get("columns")

    assert signed(DELAYS) == signed(DELAYS)
    assert signed(DELAYS) != signed([[1, 2], [4], [8.5, 16, 33]])
    assert (signed(DELAYS) or "").startswith("delays@")
    assert delay.corpus_score(output(), REFERENCES).signature.get("columns") == "delays"


def test_the_inputs_of_a_report_have_the_digest_of_the_column_of_a_system(delay: mt.Scorer) -> None:
    def recorded(delays: Any) -> dict[str, Any]:
        inputs = mt.evaluate({"A": output(delays)}, REFERENCES, [delay]).to_dict()["inputs"]
        (run,) = inputs["systems"]["A"]
        source: dict[str, Any] = run["columns"]["delays"]
        return source

    assert recorded(DELAYS) == recorded(DELAYS)
    assert recorded(DELAYS)["hash"] != recorded([[1, 2], [4], [9, 16, 32]])["hash"]


@pytest.mark.parametrize(
    ("columns", "of_test_set", "seen"),
    [({}, {}, "neither has one"), ({"delays": DELAYS}, {"delays": DELAYS}, "both have one")],
)
def test_a_column_is_either_of_the_system_or_of_the_test_set(
    delay: mt.Scorer, columns: Any, of_test_set: Any, seen: str
) -> None:
    text = mt.Text.of(HYPOTHESES, columns=columns)
    test_set = mt.TestSet.of(REFERENCES, columns=of_test_set)
    with pytest.raises(mt.InputError, match=f"metric delay needs a column 'delays' of A.*{seen}"):
        mt.evaluate({"A": text}, test_set, [delay])


@pytest.mark.parametrize(
    ("type", "values", "seen"),
    [
        ("number", [1, 2.5, "4"], ""),
        ("number", [1, True, 2], "true; expected a number"),
        ("number", [1, "x", 2], "x; expected a number"),
        ("number", [1, None, 2], "nothing; expected a number"),
        ("numbers", [[1], [], "[2, 3]"], ""),
        ("numbers", [[1], 2, [3]], r"2; expected a list of numbers, such as \[1, 2.5\]"),
        ("numbers", [[1], ["2"], [3]], r'\["2"\]; expected a list of numbers'),
        ("numbers", [[1], "[1e999]", [3]], r"\[1e999\]; expected a list of numbers"),
        ("text", ["a", "", "1"], ""),
        ("text", ["a", None, "c"], "nothing; expected a text"),
        ("json", [None, {"a": [1]}, "[]"], ""),
        ("json", [[], "[NaN, 1]", []], r"\[NaN, 1\]; expected a value of JSON"),
        ("json", [[], "{", []], "{; expected a value of JSON"),
    ],
)
def test_a_value_of_another_type_is_refused(
    plugin: Plugin, type: Any, values: Any, seen: str
) -> None:
    views = {"words": mt.View(), "x": mt.View(of="column:x", type=type)}
    spec = replace(SPEC, factory=Rows, views=views)
    text = mt.Text.of(HYPOTHESES, columns={"x": values})
    if not seen:
        assert scorer(plugin, spec).corpus_score(text, REFERENCES).n_segments == 3
        return
    with pytest.raises(mt.InputError, match=f"segment 1: the column 'x' has {seen}"):
        scorer(plugin, spec).corpus_score(text, REFERENCES)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([1, 2], "the column 'x' has 2 values for 3 segments"),
        ({1, 2, 3}, "expected one string per segment, got set"),
        ([1, 2, object()], "'x', segment 2: <object .* cannot be written as JSON; expected a st"),
        ([[1], [float("nan"), 1], [2]], r"segment 1: \[nan, 1\] cannot .* a finite number"),
    ],
)
def test_a_column_has_a_value_of_json_for_each_segment(values: Any, message: str) -> None:
    with pytest.raises(mt.InputError, match=message):
        mt.Text.of(HYPOTHESES, columns={"x": values})
    with pytest.raises(mt.InputError, match=message):
        mt.TestSet.of(REFERENCES, columns={"x": values})


def test_a_reference_has_no_columns() -> None:
    with pytest.raises(mt.InputError, match="a reference or the source has columns"):
        mt.TestSet((output(),))


def test_numbers_of_numpy_are_numbers() -> None:
    columns: Any = {"x": np.arange(3), "y": [np.array([1.5]), [], [2]]}
    text = mt.Text.of(HYPOTHESES, columns=columns)
    assert [*text.columns["x"]] == ["0", "1", "2"]
    assert [*text.columns["y"]] == ["[1.5]", "[]", "[2]"]


@pytest.mark.parametrize(
    "view",
    [
        {"of": "column:"},
        {"of": "column:a b"},
        {"of": "column:x", "raw": True},
        {"of": "column:x", "tok": "13a"},
        {"of": "column:x", "type": "date"},
        {"type": "number"},
    ],
)
def test_a_view_of_a_column_has_a_name_a_type_and_no_pipeline(plugin: Plugin, view: Any) -> None:
    spec = replace(SPEC, views={"x": mt.View(**view)})
    with pytest.raises(mt.PluginError, match="its views is"):
        scorer(plugin, spec)


def test_a_metric_of_columns_is_not_counted_in_parts(delay: mt.Scorer) -> None:
    with pytest.raises(mt.UsageError, match="parts of a test set have only texts"):
        mt.Kept().check_scorers([delay], n_references=1, source=False)

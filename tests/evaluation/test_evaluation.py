"""Evaluations: systems by metrics, at three levels, as records."""

from __future__ import annotations

import json
from dataclasses import replace
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mteval_testing.corpora import selected
from mteval_testing.strategies import samples

import mteval_core as mt
from mteval_core import InputError, TestSet, Text, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

SYSTEMS = {"good": ["a b", "c d", "e"], "bad": ["a x", "y", "z"]}
REFERENCES = [["a b", "c d", "e f"]]


@pytest.fixture
def evaluation(registry: mt.Registry) -> mt.Evaluation:
    return mt.evaluate(
        SYSTEMS,
        REFERENCES,
        ["matches", "matches:bonus=0.5"],
        documents=["one", "two", "one"],
        registry=registry,
    )


def test_records_have_the_keys_of_the_design(evaluation: mt.Evaluation) -> None:
    for level in ("corpus", "doc", "segment"):
        for record in evaluation.to_records(level):
            assert list(record) == [
                "system",
                "metric",
                "level",
                "id",
                "better",
                "score",
                "values",
                "n_segments",
                "signature",
                "ci",
                "p_value",
                "baseline",
            ]
            assert record["level"] == level
            assert (record["ci"], record["p_value"], record["baseline"]) == (None, None, None)
            assert record["values"]["P"] == record["score"]
            assert json.loads(json.dumps(record)) == record


@pytest.mark.parametrize(
    ("specs", "defaults", "listed"),
    [
        (["fixed"], {"tok": "char"}, r"tok=char: fixed \(no option 'tok'\)$"),
        (["fixed", "fixed:bonus=1"], {"stem": "porter"}, r"fixed \(.*\), fixed:bonus=1 \(.*\)$"),
        (["fixed", "matches:tok=none"], {"tok": "char"}, r"matches:tok=none \(its spec sets it\)$"),
        (["matches"], {"tokens": "char"}, r"tokens=char: matches \(no option 'tokens'\)$"),
    ],
)
def test_options_for_all_metrics_that_none_takes_are_refused(
    plugin: Callable[..., Any],
    matches: mt.MetricSpec,
    specs: list[str],
    defaults: dict[str, str],
    listed: str,
) -> None:
    view = mt.View(tok="none", stem="none")
    fixed = replace(matches, name="fixed", label="Fixed", views={"words": view})
    registry = mt.load_registry([plugin(metrics=[matches, fixed])])
    with pytest.raises(mt.OptionError, match=f"^no metric takes .*{listed}"):
        mt.evaluate(SYSTEMS, REFERENCES, specs, registry=registry, defaults=defaults)
    # One that takes it is enough.
    if "tokens" not in defaults:
        both = [*specs, "matches:bonus=0.5"]
        mt.evaluate(SYSTEMS, REFERENCES, both, registry=registry, defaults=defaults)


def test_records_of_the_corpus(evaluation: mt.Evaluation) -> None:
    rows = [
        (r["metric"], r["system"], r["id"], r["score"], r["n_segments"])
        for r in evaluation.to_records()
    ]
    assert rows == [
        ("matches", "good", None, 100.0, 3),
        ("matches", "bad", None, 25.0, 3),
        ("matches:bonus=0.5", "good", None, 150.0, 3),
        ("matches:bonus=0.5", "bad", None, 75.0, 3),
    ]


def test_records_of_documents_and_segments(evaluation: mt.Evaluation) -> None:
    documents = [
        (r["system"], r["id"], r["score"], r["n_segments"])
        for r in evaluation.to_records("doc")
        if r["metric"] == "matches"
    ]
    assert documents == [
        ("good", "one", 100.0, 2),
        ("good", "two", 100.0, 1),
        ("bad", "one", pytest.approx(100 / 3), 2),
        ("bad", "two", 0.0, 1),
    ]
    segments = [
        (r["id"], r["score"], r["n_segments"])
        for r in evaluation.to_records("segment")
        if (r["metric"], r["system"]) == ("matches", "bad")
    ]
    assert segments == [(0, 50.0, 1), (1, 0.0, 1), (2, 0.0, 1)]


def test_scores_are_those_of_the_metric_alone(
    evaluation: mt.Evaluation, registry: mt.Registry
) -> None:
    scorer = mt.metric("matches", registry=registry)
    for name, hypotheses in SYSTEMS.items():
        assert evaluation.score(name, "matches") == scorer.corpus_score(hypotheses, REFERENCES)
    segment = evaluation.to_records("segment")[3]
    assert segment["score"] == scorer.sentence_score("a x", ["a b"]).score


def test_a_score_that_is_not_there(evaluation: mt.Evaluation) -> None:
    for system, spec in (("ugly", "matches"), ("good", "other")):
        with pytest.raises(UsageError) as caught:
            evaluation.score(system, spec)
        assert str(caught.value) == (
            f"no score of system {system!r} under {spec!r}; "
            f"systems: good, bad; metrics: matches, matches:bonus=0.5"
        )


@pytest.mark.filterwarnings("ignore:.*empty-references:mteval_core.MtevalWarning")
@settings(max_examples=30)
@given(samples(), st.data())
def test_documents_add_up_to_the_corpus(registry: mt.Registry, sample: Any, data: Any) -> None:
    documents = data.draw(
        st.lists(st.sampled_from("xyz"), min_size=len(sample), max_size=len(sample))
    )
    evaluation = mt.evaluate(
        {"A": sample.hypotheses},
        sample.references,
        "matches",
        documents=documents,
        registry=registry,
    )
    for level in ("doc", "segment"):
        sums = evaluation.scores.sums("A", "matches", level)
        assert np.allclose(sums.sum(axis=0), evaluation.scores.totals["A", "matches"])
        ids, sizes = evaluation.scores.groups(level)
        assert len(ids) == len(sizes) == len(sums)
        assert sizes.sum() == len(sample)
    ids, _ = evaluation.scores.groups("doc")
    assert ids == list(dict.fromkeys(documents))
    first = [i for i, document in enumerate(documents) if document == ids[0]]
    rows = evaluation.scores.rows["A", "matches"]
    assert np.allclose(evaluation.scores.sums("A", "matches", "doc")[0], rows[first].sum(axis=0))


@settings(max_examples=30)
@given(samples(), st.randoms())
def test_the_order_of_segments_does_not_matter(
    registry: mt.Registry, sample: Any, random: Any
) -> None:
    order = list(range(len(sample)))
    random.shuffle(order)
    shuffled = selected(sample, order)
    scorer = mt.metric("matches", registry=registry)
    one, other = (scorer.corpus_score(s.hypotheses, s.references).score for s in (sample, shuffled))
    assert one == pytest.approx(other, rel=1e-12)


@pytest.mark.parametrize(
    ("kept", "message"),
    [
        ("segment", "^kept is 'segment': expected"),
        (mt.Kept("segments"), "^unknown level 'segments'"),  # type: ignore[arg-type] # users try it
    ],
)
def test_what_is_kept_is_checked(kept: Any, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        mt.evaluate({"a": ["x"]}, [["x"]], ["bleu"], kept=kept)


def test_without_rows_there_is_only_the_corpus(registry: mt.Registry) -> None:
    evaluation = mt.evaluate(
        SYSTEMS,
        REFERENCES,
        "matches",
        documents=["x"] * 3,
        registry=registry,
        kept=mt.Kept(),
    )
    assert evaluation.scores.rows == {}
    assert len(evaluation.to_records()) == 2
    with pytest.raises(UsageError, match=r"^the rows were not kept: evaluate with kept=Kept"):
        evaluation.to_records("segment")


def test_documents_must_be_known(registry: mt.Registry) -> None:
    evaluation = mt.evaluate(SYSTEMS, REFERENCES, "matches", registry=registry)
    with pytest.raises(InputError) as caught:
        evaluation.to_records("doc")
    assert str(caught.value) == (
        "the documents are not known: pass the document id of each segment"
    )


# What is evaluated


def test_what_is_wrong_with_the_request(registry: mt.Registry) -> None:
    def refused(*arguments: Any, **keywords: Any) -> str:
        with pytest.raises(UsageError) as caught:
            mt.evaluate(*arguments, registry=registry, **keywords)
        return str(caught.value)

    assert refused({}, REFERENCES, "matches") == "no system to score"
    assert refused(SYSTEMS, REFERENCES, []) == "no metric to score with: name one"
    assert refused(SYSTEMS, REFERENCES) == "no metric to score with: name one"
    assert refused(SYSTEMS, REFERENCES, "mtches").startswith("unknown metric 'mtches'. Did you")


@pytest.mark.parametrize(
    ("outputs", "message"),
    [
        ("text", "got a string"),
        (None, "got NoneType"),
        (["a", "b", 3], "segment 2, got int"),
        (["a", "b", ["c"]], "segment 2, got list"),
        (["a", "b", None], "segment 2 is missing"),
        (
            ["a", "b"],
            "2 segments, but the reference has 3",
        ),
        ([], "0 segments, but the reference has 3"),
    ],
)
def test_the_system_at_fault_is_named(registry: mt.Registry, outputs: Any, message: str) -> None:
    with pytest.raises(InputError) as caught:
        mt.evaluate({"good": outputs}, REFERENCES, "matches", registry=registry)
    assert str(caught.value).startswith("good: ")
    assert message in str(caught.value)


def test_one_spec_needs_no_list(registry: mt.Registry) -> None:
    for one in ("matches", mt.Spec("matches"), mt.metric("matches", registry=registry)):
        evaluation = mt.evaluate(SYSTEMS, REFERENCES, one, registry=registry)
        assert list(evaluation.scorers) == ["matches"]


def test_a_spec_given_twice_is_computed_once(registry: mt.Registry) -> None:
    evaluation = mt.evaluate(SYSTEMS, REFERENCES, ["matches", "matches"], registry=registry)
    assert list(evaluation.scorers) == ["matches"]


def test_options_by_keyword_are_another_metric(registry: mt.Registry) -> None:
    scorers = [mt.metric("matches", registry=registry, bonus=bonus) for bonus in (0, 0.5)]
    evaluation = mt.evaluate(SYSTEMS, REFERENCES, scorers, registry=registry)
    assert list(evaluation.scorers) == ["matches:bonus=0", "matches:bonus=0.5"]
    assert [r["score"] for r in evaluation.to_records()] == [100.0, 25.0, 150.0, 75.0]


def test_two_metrics_of_one_spec_are_refused(registry: mt.Registry) -> None:
    scorers = [
        mt.metric("matches", registry=registry, defaults={"case": case}) for case in ("lc", "mixed")
    ]
    with pytest.raises(UsageError, match=r"two .* have the spec 'matches'$"):
        mt.evaluate(SYSTEMS, REFERENCES, scorers, registry=registry)


def test_the_default_set(plugin: Callable[..., Any], matches: mt.MetricSpec) -> None:
    registry = mt.load_registry(
        [
            plugin(
                metrics=[
                    replace(matches, name="zz", label=None, in_default_set=True),
                    replace(matches, name="aa", label=None, in_default_set=True),
                    replace(matches, name="mm", label=None),
                ]
            )
        ]
    )
    evaluation = mt.evaluate(SYSTEMS, REFERENCES, registry=registry)
    assert list(evaluation.scorers) == ["aa", "zz"]


def test_the_order_of_the_systems_is_kept(registry: mt.Registry) -> None:
    names = ["z", "a", "m"]
    evaluation = mt.evaluate({name: ["x"] for name in names}, [["x"]], "matches", registry=registry)
    assert evaluation.systems == names


# Inputs


def test_inputs_are_named_and_fingerprinted(registry: mt.Registry) -> None:
    reference = Text.from_lines(b"a\nb\n", "ref.txt")
    evaluation = mt.evaluate(
        {"A": Text.from_lines(b"a\nc", "a.txt"), "B": ["\u00e9", "x"]},
        TestSet((reference,), ("d", "e")),
        "matches",
        registry=registry,
    )

    def hashes(*segments: str) -> dict[str, str]:
        text = Text.of(segments)
        return {"hash": text.digest.hex, "sha256": sha256(text.buffer).hexdigest()}

    report = evaluation.to_dict()
    assert list(report) == ["mteval", "inputs", "settings", "records", "comparisons"]
    assert report["mteval"] == mt.__version__
    assert report["inputs"] == {
        "references": [{"path": "ref.txt", **hashes("a", "b")}],
        "systems": {
            "A": [{"path": "a.txt", **hashes("a", "c")}],
            "B": [{"path": None, **hashes("\u00e9", "x")}],
        },
        "docs": {"path": None, **hashes("d", "e")},
        "scores": [],
        "source": None,
        "plugins": [],
        "files": {},
    }


# Progress


class Terminal:
    """A stream that says it is a terminal, or not."""

    def __init__(self) -> None:
        self.written = ""

    def write(self, text: str) -> int:
        self.written += text
        return len(text)

    def flush(self) -> None:
        pass


def test_progress_is_shown_only_where_asked_for_and_late(
    registry: mt.Registry, monkeypatch: pytest.MonkeyPatch
) -> None:
    import sys

    for progress in (False, True):
        terminal = Terminal()
        monkeypatch.setattr(sys, "stderr", terminal)
        mt.evaluate(SYSTEMS, REFERENCES, "matches", registry=registry, progress=progress)
        # This is done within the second after which the bar would appear.
        assert terminal.written.strip() == ""


def test_an_evaluation_shows_itself(evaluation: mt.Evaluation) -> None:
    assert repr(evaluation) == "<Evaluation: 2 systems, 2 metrics, 3 segments>"
    lines = str(evaluation).splitlines()
    assert lines[0].split() == ["system", "Matches", "↑", "Matches", "↑"]
    assert [line.split()[0] for line in lines[3:5]] == ["good", "bad"]


@pytest.mark.parametrize("form", ["html", "latex"])
def test_a_notebook_shows_a_format_if_it_is_installed(
    plugin: Callable[..., Any], matches: mt.MetricSpec, form: str
) -> None:
    def page(report: mt.Report, layout: mt.Layout) -> str:
        return f"{report.title}, {len(report.tables(layout))} table, {layout.is_fragment}"

    spec = mt.FormatSpec(form, function=page)
    for formats, shown in (([spec], "Scores, 1 table, True"), ([], None)):
        registry = mt.load_registry([plugin(metrics=[matches], formats=formats)])
        scored = mt.evaluate({"A": ["a"]}, [["a"]], "matches", registry=registry)
        assert getattr(scored, f"_repr_{form}_")() == shown


@pytest.mark.parametrize(
    ("systems", "references", "specs", "error", "message"),
    [
        ([["a"], ["b"]], [["a"]], ["matches"], UsageError, "expected systems as a mapping of"),
        ({"a", "b"}, [["a"]], ["matches"], UsageError, "expected systems as a mapping of name"),
        ({"A": {"a"}}, [["a"]], ["matches"], mt.InputError, "^A: expected one string"),
        ({"A": {"a": 1}}, [["a"]], ["matches"], mt.InputError, "^A: expected one string"),
        ({"A": ["a"]}, [{"a"}], ["matches"], mt.InputError, "expected one string"),
        ({"A": ["a"]}, {"r": ["a"]}, ["matches"], mt.InputError, "expected a list of streams"),
        ({"A": ["a"]}, [["a"]], {"matches"}, UsageError, "expected a list of metrics, got set"),
        ({"A": ["a"]}, [["a"]], 3, UsageError, "expected a list of metrics, got int"),
        ({"A": ["a"]}, [["a"]], [None], UsageError, "expected the spec"),
    ],
)
def test_what_has_no_order_or_name_is_refused(
    registry: mt.Registry,
    systems: Any,
    references: Any,
    specs: Any,
    error: type[Exception],
    message: str,
) -> None:
    with pytest.raises(error, match=message):
        mt.evaluate(systems, references, specs, registry=registry)


def test_documents_without_an_order_are_refused(registry: mt.Registry) -> None:
    documents: Any = {"x", "y"}
    with pytest.raises(mt.InputError, match="the documents: expected one id per segment"):
        mt.evaluate({"A": ["a"]}, [["a"]], "matches", documents=documents, registry=registry)


def test_the_keys_of_a_mapping_have_an_order(registry: mt.Registry) -> None:
    segments: Any = {"a": 1, "b": 2}.keys()
    evaluation = mt.evaluate({"A": segments}, [["a", "c"]], "matches", registry=registry)
    assert evaluation.score("A", "matches").score == 50.0

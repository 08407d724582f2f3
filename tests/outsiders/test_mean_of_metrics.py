"""A metric of other metrics: their scores, signatures, registry and options stand inside."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from mteval_testing import check_metric

import mteval_core as mt

if TYPE_CHECKING:
    from collections.abc import Callable

PLUGIN = str(Path(__file__).with_name("mean_of_metrics.py"))
MINI = Path(__file__).parents[2] / "examples" / "mini"
HALF = """
import mteval_core as mt

class Half:
    def segment_statistics(self, hypothesis, references):
        return [0.5]

mteval_api = 1

@mt.hookimpl
def mteval_register_metrics():
    return [mt.MetricSpec("half", factory=Half, values={"half": 1})]
"""
HYPOTHESES, REFERENCES = ["a b c d", "a b x d e"], [["a b c d", "a b c d e"], ["b c d", None]]


@pytest.fixture(scope="module")
def registry() -> mt.Registry:
    return mt.load_registry(files=[PLUGIN])


def mean(spec: str, registry: mt.Registry) -> mt.Scorer:
    return mt.metric(spec, registry=registry)


@pytest.mark.parametrize("of", ["bleu:order=2,smooth=floor[0.1]", "chrf ter:norm=yes wer"])
def test_the_score_is_the_mean_of_the_scores_of_the_parts(of: str, registry: mt.Registry) -> None:
    specs = of.split()
    spec = f"mean:of={'+'.join(f'[{one}]' for one in specs)}"
    score = mean(spec, registry).corpus_score(HYPOTHESES, REFERENCES).score
    parts = [mt.metric(one).corpus_score(HYPOTHESES, REFERENCES).score for one in specs]
    assert score == pytest.approx(sum(parts) / len(parts), rel=1e-14)
    assert mean(f"mean:of=[{spec}]", registry).corpus_score(HYPOTHESES, REFERENCES).score == score


def test_the_signature_holds_those_of_the_parts_and_makes_the_metric_again(
    registry: mt.Registry,
) -> None:
    scorer = mean("mean:of=[bleu:order=2]+[ter:case=mixed]", registry)
    signature = scorer.signature(REFERENCES)
    parts = [mt.metric(spec).signature() for spec in ("bleu:order=2", "ter:case=mixed")]
    assert signature.fields["of"] == tuple(f"[{part}]" for part in parts)
    named = {item.partition("@")[0] for item in signature.fields["plugin"]}
    assert {"mteval-bleu-nist", "mteval-error-rates"} < named
    again = mt.metric(str(signature), registry=registry)
    assert again.signature(REFERENCES) == signature
    assert mt.Signature.parse(f"{signature} = 12.5") == signature


def test_parts_come_from_the_registry_of_the_run(
    mteval: Callable[..., Any], tmp_path: Path
) -> None:
    texts = (MINI / "ref0.txt", "-i", MINI / "systems" / "deep.txt")
    blocked = mteval("-p", PLUGIN, "-p", "no:chrf", "score", *texts, "-m", "mean")
    assert blocked.code == 4
    assert "unknown metric 'chrf': it is in the plugin 'chrf'" in blocked.err
    half = tmp_path / "half.py"
    half.write_text(HALF)
    run = ("-p", PLUGIN, "-p", half, "score", *texts, "-m", "mean:of=[half]+[half]", "-f", "json")
    (record,) = json.loads(mteval(*run).out)["records"]
    assert record["score"] == 0.5


def test_defaults_and_keywords_reach_the_parts(registry: mt.Registry) -> None:
    lower = mt.metric(
        "mean", of=["bleu:order=1", "wer"], registry=registry, defaults={"case": "lc"}
    )
    assert str(lower.spec) == "mean:of=[bleu:order=1]+[wer]"
    assert [part.setup.fields["case"] for part in lower.setup.options["of"]] == [("lc",)] * 2


@pytest.mark.parametrize(
    ("of", "message"),
    [
        ("bleu", r"option of=bleu: expected metrics in brackets, joined by '\+': "),
        ("[bleu", r"option of=\[bleu: expected metrics in brackets"),
        ("[blue]", "unknown metric 'blue'. Did you mean 'bleu'"),
        ("[bleu:order=x]", "option order=x: expected a whole number"),
        ("[]", "'' is not a spec"),
    ],
)
def test_a_part_that_is_no_metric_is_refused(of: str, message: str, registry: mt.Registry) -> None:
    with pytest.raises(mt.MtevalError, match=message):
        mean(f"mean:of={of}", registry)


def test_a_default_that_is_no_tuple_is_refused(plugin: Callable[..., object]) -> None:
    option = mt.Option("of", "bleu", spec=True)
    metric = mt.MetricSpec("odd", factory=object, values={"odd": 1}, options=(option,))
    registry = mt.load_registry([plugin(metrics=[metric])])
    with pytest.raises(mt.PluginError, match="its spec is True; expected a tuple of specs"):
        mt.metric("odd", registry=registry)


def test_it_can_be_pickled(registry: mt.Registry, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mteval_core.metrics.resolve.default_registry", lambda: registry)
    scorer = mean("mean:of=[wer]", registry)
    again = pickle.loads(pickle.dumps(scorer))
    assert again.corpus_score(HYPOTHESES, REFERENCES) == scorer.corpus_score(HYPOTHESES, REFERENCES)


def test_the_kit_accepts_it(registry: mt.Registry) -> None:
    findings = check_metric("mean", registry=registry)
    assert [found for found in findings if not found.ok or found.warning] == []


def test_gate_and_replay_know_it(mteval: Callable[..., Any], tmp_path: Path) -> None:
    base, run = tmp_path / "base.json", ("-p", PLUGIN)
    systems = [MINI / "systems" / "deep.txt", MINI / "systems" / "neural.txt"]
    spec = "mean:of=[bleu:order=2]+[chrf]"
    done = mteval(*run, "score", MINI / "ref0.txt", "-i", *systems, "-m", spec, "-o", base, "-ci")
    assert done.code == 0, done.err
    records = json.loads(base.read_text())["records"]
    assert {record["metric"] for record in records} == {spec}
    assert mteval(*run, "replay", base).code == 0
    assert mteval(*run, "gate", base, "-i", *systems).code == 0


TYPES = Path(__file__).with_name("type_token_ratio.py")
DOCUMENTS = Path(__file__).with_name("document_precision.py")
JUDGE = Path(__file__).with_name("preference.py")


@pytest.mark.parametrize(
    ("part", "why"),
    [
        ("chrf:loo=yes", "jackknife the whole metric"),
        ("preference", "it compares systems"),
        ("doc-precision", "it needs documents or columns"),
        ("ttr", "its score is no formula of sums"),
        ("nist", "it is prepared"),
    ],
)
def test_a_part_that_cannot_be_used_is_refused_with_the_reason(part: str, why: str) -> None:
    files = [PLUGIN, *map(str, (TYPES, DOCUMENTS, JUDGE))]
    with pytest.raises(mt.OptionError, match=rf"metric 'mean': it cannot take {part}: .*{why}"):
        mean(f"mean:of=[bleu]+[{part}]", mt.load_registry(files=files))


def test_references_are_left_out_of_the_metric_and_not_of_its_parts(registry: mt.Registry) -> None:
    spec, streams = "mean:of=[chrf]+[ter]", [["a b c d", "a b x d e"], ["a b c", "b x d"]]
    scorer = mt.metric(spec, registry=registry, defaults={"loo": "yes"})
    each = [mean(spec, registry).corpus_score(HYPOTHESES, [one]).score for one in streams]
    assert scorer.corpus_score(HYPOTHESES, streams).score == pytest.approx(sum(each) / 2)


@pytest.mark.parametrize("specs", [["mean"], ["mean", "bleu"]])
def test_a_default_counts_as_taken_if_a_part_takes_it(
    specs: list[str], registry: mt.Registry
) -> None:
    scorers = mt.scorers_of(specs, registry=registry, defaults={"tok": "char"})
    assert [one.setup.fields["tok"] for one in scorers[0].setup.parts[:1]] == [("char",)]
    for default in ({"missing": "worst"}, {"stem": "porter"}):
        with pytest.raises(mt.OptionError, match="no metric takes"):
            mt.scorers_of(["mean:of=[chrf]"], registry=registry, defaults=default)


@pytest.mark.parametrize("defaults", [{}, {"tok": "char"}])
def test_parts_are_pickled_with_what_they_took(
    defaults: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    registry = mt.load_registry(files=[PLUGIN])
    monkeypatch.setattr("mteval_core.metrics.resolve.default_registry", lambda: registry)
    scorer = mt.metric("mean:of=[bleu]+[ter]", registry=registry, defaults=defaults)
    again = pickle.loads(pickle.dumps(scorer))
    assert (again.signature(), again.spec) == (scorer.signature(), scorer.spec)

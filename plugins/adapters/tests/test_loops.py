"""The interfaces of training loops and harnesses, on the real packages where they are installed."""

from __future__ import annotations

import inspect
import pickle
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from mteval_adapters.evaluate import load
from mteval_adapters.references import streams
from mteval_adapters.transformers import ComputeMetrics

import mteval_core as mt

for plugin in ("bleu_nist", "chrf", "error_rates", "meteor_fmean"):
    pytest.importorskip(f"mteval_{plugin}")

HYPOTHESES = ["the cat sat on the mat .", "a dog barked", "", "they run 3.5 miles"]
REFERENCES = [["the cat sat on a mat .", "a cat sat"], ["the dog barked"], ["x"], ["they ran 3"]]
STREAMS = [[own[0] for own in REFERENCES], [REFERENCES[0][1], None, None, None]]
SPECS = ["bleu", "chrf:nw=2", "ter", "meteor"]


def expected(spec: str) -> mt.Score:
    return mt.metric(spec).corpus_score(HYPOTHESES, STREAMS)


# References of each segment


def test_references_of_segments_become_streams() -> None:
    assert streams(REFERENCES) == STREAMS
    assert streams(["a", "b"]) == [["a", "b"]]


@pytest.mark.parametrize(
    ("references", "message"),
    [
        ("ab", "expected a list, one item per segment, got a string"),
        ([["a"], 3], "a string or a list of strings for segment 1, got int"),
        ([["a"], [["b"]]], "a string or a list of strings for segment 1, got list"),
        ([["a"], []], "segment 1 has none; expected at least one"),
    ],
)
def test_other_references_are_refused(references: Any, message: str) -> None:
    with pytest.raises(mt.InputError, match=message):
        streams(references)


# evaluate


@pytest.mark.parametrize("spec", SPECS)
def test_compute_returns_all_values(spec: str) -> None:
    result = load(spec).compute(predictions=HYPOTHESES, references=REFERENCES)
    score = expected(spec)
    assert result == {"score": score.score, **score.values, "signature": str(score.signature)}


def test_segments_can_be_added_and_are_forgotten() -> None:
    module = load("chrf", nw=2)
    module.add_batch(predictions=HYPOTHESES[:2], references=REFERENCES[:2])
    for hypothesis, references in zip(HYPOTHESES[2:], REFERENCES[2:], strict=True):
        module.add(prediction=hypothesis, reference=references)
    assert module.name == "chrf:nw=2"
    assert module.compute()["score"] == expected("chrf:nw=2").score
    with pytest.raises(mt.InputError, match="nothing to score: pass predictions and references"):
        module.compute()
    with pytest.raises(mt.InputError, match="2 predictions, but 1 references"):
        module.compute(predictions=["a", "b"], references=["a"])


# transformers


class Words:
    """A tokenizer whose ids are numbers of words, 0 for padding."""

    pad_token_id = 0

    def __init__(self) -> None:
        self.words = [""]

    def ids(self, texts: list[str], fill: int) -> np.ndarray:
        rows = [[self.number(word) for word in text.split()] for text in texts]
        longest = max(map(len, rows))
        return np.array([row + [fill] * (longest - len(row)) for row in rows])

    def number(self, word: str) -> int:
        if word not in self.words:
            self.words.append(word)
        return self.words.index(word)

    def batch_decode(self, ids: Any, *, skip_special_tokens: bool) -> list[str]:
        assert skip_special_tokens
        return [" ".join(self.words[i] for i in row if i) for row in ids.tolist()]


def batch(tokenizer: Words, start: int, stop: int) -> SimpleNamespace:
    firsts = [own[0] for own in REFERENCES[start:stop]]
    return SimpleNamespace(
        predictions=(tokenizer.ids(HYPOTHESES[start:stop], 0), "hidden states"),
        label_ids=tokenizer.ids(firsts, -100),
    )


def test_a_trainer_scores_all_texts_or_batches() -> None:
    tokenizer = Words()
    metrics = ComputeMetrics(tokenizer, "bleu", "chrf:nw=2")
    whole = metrics(batch(tokenizer, 0, 4))
    for spec, score in whole.items():
        assert score == mt.metric(spec).corpus_score(HYPOTHESES, STREAMS[:1]).score
    for _ in range(2):  # a second evaluation begins anew
        assert metrics(batch(tokenizer, 0, 3), compute_result=False) == {}
        assert metrics(batch(tokenizer, 3, 4), compute_result=True) == whole
    assert "compute_result" in inspect.signature(metrics).parameters  # what the trainer looks for


def test_a_trainer_that_generates_no_texts_is_told_so() -> None:
    metrics = ComputeMetrics(Words(), "bleu")
    logits = SimpleNamespace(predictions=np.zeros((2, 3, 4)), label_ids=np.zeros((2, 3), int))
    with pytest.raises(mt.InputError, match=r"float64, shape \(2, 3, 4\); .*predict_with_generate"):
        metrics(logits)
    with pytest.raises(mt.UsageError, match="no metric: expected specs"):
        ComputeMetrics(Words())


# torchmetrics


@pytest.mark.parametrize("spec", SPECS)
def test_states_of_processes_add_up(spec: str) -> None:
    pytest.importorskip("torchmetrics")
    torch = pytest.importorskip("torch")
    from mteval_adapters.torchmetrics import Metric

    parts = [Metric(spec) for _ in HYPOTHESES]
    for part, hypothesis, references in zip(parts, HYPOTHESES, REFERENCES, strict=True):
        part.update([hypothesis], [references])
    whole, *_ = parts = pickle.loads(pickle.dumps(parts))
    for name in ("sums", "n_segments"):
        stacked = torch.stack([getattr(part, name) for part in parts])
        setattr(whole, name, whole._reductions[name](stacked))
    assert whole.compute().item() == expected(spec).score


@pytest.mark.filterwarnings("ignore:The ``compute`` method")
def test_a_metric_of_torchmetrics_is_called_reset_and_prepared() -> None:
    pytest.importorskip("torchmetrics")
    from mteval_adapters.torchmetrics import Metric

    chrf = Metric("chrf")
    first = chrf(HYPOTHESES[:2], REFERENCES[:2]).item()
    assert first == mt.metric("chrf").corpus_score(HYPOTHESES[:2], streams(REFERENCES[:2])).score
    chrf(HYPOTHESES[2:], REFERENCES[2:])
    assert chrf.compute().item() == expected("chrf").score
    chrf.reset()
    with pytest.raises(mt.InputError, match="no segments yet"):
        chrf.compute()
    with pytest.raises(mt.UsageError, match=r"State\(metric, references\)"):
        Metric("nist")
    nist = Metric("nist", REFERENCES)
    nist.update(HYPOTHESES, REFERENCES)
    assert nist.compute().item() == expected("nist").score
    assert (nist.higher_is_better, Metric("ter").higher_is_better) == (True, False)


def test_sums_survive_their_limbs() -> None:
    pytest.importorskip("torchmetrics")
    from mteval_adapters.torchmetrics import BITS, limbs_of

    from mteval_core import ExactSum

    for number in (-0.1, 5e-324, -(2.0**53), 2.0**52, -1e-300):
        sums = ExactSum.of(np.array([[number]]))
        (limbs,) = limbs_of(sums).tolist()
        assert sum(limb << BITS * i for i, limb in enumerate(limbs)) == sums.units[0]


# lm_eval, lighteval


def test_the_harness_finds_registered_metrics() -> None:
    registry = pytest.importorskip("lm_eval.api.registry")
    from mteval_adapters.lm_eval import register

    assert register(*SPECS) == [f"mteval {spec}" for spec in SPECS]
    for spec in SPECS:
        name = f"mteval {spec}"
        passed = registry.get_metric(name)
        items = [
            passed(references=[references], predictions=[hypothesis])
            for hypothesis, references in zip(HYPOTHESES, REFERENCES, strict=True)
        ]
        assert registry.get_metric_aggregation(name)(items) == expected(spec).score
        assert registry.is_higher_better(name) == (spec != "ter")
        with pytest.raises(mt.InputError, match=r"got 1\.0"):
            registry.get_metric_aggregation(name)([1.0])


def test_lighteval_gets_corpus_scores() -> None:
    preparator = pytest.importorskip("lighteval.metrics.sample_preparator")
    from mteval_adapters.lighteval import metric

    items = [
        preparator.GenerativeCorpusMetricInput(golds=references, preds=[hypothesis])
        for hypothesis, references in zip(HYPOTHESES, REFERENCES, strict=True)
    ]
    for spec in SPECS:
        made = metric(spec)
        assert made.get_corpus_aggregations()[spec](items) == expected(spec).score
        assert made.higher_is_better == (spec != "ter")
    items[0].preds = ["a", "b"]
    with pytest.raises(mt.InputError, match="document 0 has 2 predictions; expected one"):
        metric("bleu").get_corpus_aggregations()["bleu"](items)

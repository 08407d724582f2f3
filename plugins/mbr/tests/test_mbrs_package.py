"""A metric of mteval in the package mbrs, with and without the package."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from mteval_mbr import expected_utility, matrix

import mteval_core as mt

pytest.importorskip("mteval_chrf")
pytest.importorskip("mteval_error_rates")


def test_mbrs_gets_matrices_and_scores(monkeypatch: pytest.MonkeyPatch) -> None:
    class Base:
        class Config:
            pass

        def __init__(self, cfg: Any) -> None:
            self.cfg = cfg

    registered: list[str] = []

    def register(name: str) -> Any:
        registered.append(name)
        return lambda cls: cls

    fakes: dict[str, dict[str, Any]] = {
        "torch": {"float64": np.float64, "tensor": np.array, "from_numpy": np.array},
        "mbrs": {},
        "mbrs.metrics": {"Metric": Base, "register": register},
    }
    for name, content in fakes.items():
        fake = ModuleType(name)
        vars(fake).update(content)
        monkeypatch.setitem(sys.modules, name, fake)
    monkeypatch.setitem(sys.modules, "mteval_mbr.mbrs", None)
    monkeypatch.delitem(sys.modules, "mteval_mbr.mbrs")
    from mteval_mbr.mbrs import MetricMteval

    assert registered == ["mteval"]
    hypotheses, references = ["a dog", "a cat", ""], ["a dog", "x", "\u6771\u4eac"]
    for spec, up in (("chrf", True), ("ter", False)):
        made, scorer = MetricMteval(MetricMteval.Config(spec, threads=2)), mt.metric(spec)
        assert made.HIGHER_IS_BETTER is up
        wanted = [[scorer.sentence_score(h, [r]).score for r in references] for h in hypotheses]
        assert made.pairwise_scores(hypotheses, references).tolist() == wanted
        assert made.scores(hypotheses, references).tolist() == np.diagonal(wanted).tolist()
        assert made.score("a dog", "x") == wanted[0][1]
        whole = scorer.corpus_score(hypotheses, [references]).score
        assert made.corpus_score(hypotheses, [references]) == whole


def test_mbrs_decodes_with_a_metric() -> None:
    decoders = pytest.importorskip("mbrs.decoders")
    from mteval_mbr.mbrs import MetricMteval

    n_best = ["a b c d", "a b c e", "a b c d f", "x"]
    for spec in ("chrf", "ter"):
        made, scorer = MetricMteval(MetricMteval.Config(spec)), mt.metric(spec)
        output = decoders.DecoderMBR(decoders.DecoderMBR.Config(), made).decode(n_best, n_best)
        best = expected_utility(scorer, n_best)
        assert output.idx == [int(best.argmin() if spec == "ter" else best.argmax())]
        pairs = made.pairwise_scores(n_best, n_best[:2])
        assert pairs.tolist() == matrix(scorer, n_best, n_best[:2]).tolist()
        assert made.score("a", "b") == scorer.sentence_score("a", ["b"]).score
        assert made.scores(["a"], ["b"]).tolist() == [made.score("a", "b")]
        assert (
            made.corpus_score(["a b"], [["a c"]]) == scorer.corpus_score(["a b"], [["a c"]]).score
        )

"""Metrics for the package ``mbrs``, which decodes by minimum Bayes risk.

::

    from mteval_mbr.mbrs import MetricMteval

    DecoderMBR(DecoderMBR.Config(), MetricMteval(MetricMteval.Config("chrf")))

After the import, the programs of the package have it, too: ``--metric mteval --metric.spec chrf``.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch  # pyright: ignore[reportMissingImports]
from mbrs.metrics import Metric, register  # pyright: ignore[reportMissingImports]

from mteval_core import metric
from mteval_mbr.matrices import matrix

__all__ = ["MetricMteval"]


@register("mteval")
class MetricMteval(Metric):  # type: ignore[misc]
    """A metric of mteval.

    Parameters
    ----------
    cfg : MetricMteval.Config
        Names the metric.
    """

    @dataclass
    class Config(Metric.Config):  # type: ignore[misc]
        """Configuration of the metric.

        Parameters
        ----------
        spec : str
            A metric with options.
        threads : int
            Number of parts of a matrix that are computed at the same time.
        """

        spec: str = "chrf"
        threads: int = 1

    def __init__(self, cfg: Config) -> None:
        super().__init__(cfg)
        self.scorer = metric(cfg.spec)
        self.HIGHER_IS_BETTER = self.scorer.declaration.better == "higher"

    def score(self, hypothesis: str, reference: str, source: str | None = None) -> float:
        """Score a hypothesis against a reference."""
        return self.scorer.sentence_score(hypothesis, [reference], source=source).score

    def scores(
        self, hypotheses: list[str], references: list[str], sources: list[str] | None = None
    ) -> torch.Tensor:
        """Score each hypothesis against its reference, shape (N,)."""
        scores = self.scorer.sentence_scores(hypotheses, [references], source=sources)
        return torch.tensor([score.score for score in scores], dtype=torch.float64)

    def pairwise_scores(
        self, hypotheses: list[str], references: list[str], source: str | None = None
    ) -> torch.Tensor:
        """Score each hypothesis against each reference, shape (H, R)."""
        threads = self.cfg.threads
        scores = matrix(self.scorer, hypotheses, references, source=source, threads=threads)
        return torch.from_numpy(scores)

    def corpus_score(
        self,
        hypotheses: list[str],
        references_lists: list[list[str]],
        sources: list[str] | None = None,
    ) -> float:
        """Score a corpus; each list of references is one stream."""
        return self.scorer.corpus_score(hypotheses, references_lists, source=sources).score

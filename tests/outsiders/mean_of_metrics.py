"""A plugin of somebody else: the mean of the scores of other metrics, ``mean:of=[bleu]+[chrf]``."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING

import numpy as np

from mteval_core import MetricSpec, Option, Scorer, State, TextCorpus, View, hookimpl

if TYPE_CHECKING:
    from numpy.typing import NDArray

mteval_api = 1


class Mean:
    """The mean of several scores: their rows side by side, and a formula of their formulas."""

    def __init__(self, of: tuple[Scorer, ...]) -> None:
        self.of = of
        self.widths = [State(part).rows([""], [[""]]).shape[1] for part in of]

    def statistics(self, texts: TextCorpus) -> NDArray[np.float64]:
        references = list(zip_longest(*texts.references))
        rows = [State(part).rows(texts.hypotheses, references) for part in self.of]
        return np.hstack(rows)

    def score(self, totals: NDArray[np.float64]) -> NDArray[np.float64]:
        sums = np.split(totals, np.cumsum(self.widths)[:-1], axis=-1)
        scores = [part.scores(own) for part, own in zip(self.of, sums, strict=True)]
        return np.stack([np.mean(scores, axis=0)], axis=-1)


@hookimpl
def mteval_register_metrics() -> list[MetricSpec]:
    return [
        MetricSpec(
            "mean",
            factory=Mean,
            help="mean of the scores of other metrics",
            values={"mean": 1},
            options=(Option("of", ("bleu", "chrf"), "the metrics", spec=True),),
            views={"texts": View(raw=True)},
            bounds=(0, 100),
            exceptions={
                "a_corpus_twice_scores_the_same": "the smoothing of BLEU depends on the size",
                "reference_order_is_irrelevant": "chrF takes the first of equally good references",
            },
        )
    ]

"""Metrics for the package ``torchmetrics``.

::

    from mteval_adapters.torchmetrics import Metric

    bleu = Metric("bleu")  # bleu.update(["a b c d"], [["a b c d"]]); bleu.compute()

The sums of rows are whole numbers, cut into limbs of 32 bits. So their sum over processes is exact,
and the score is that of one call with all segments, to the last bit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import torch  # pyright: ignore[reportMissingImports]
import torchmetrics  # pyright: ignore[reportMissingImports]

from mteval_adapters.references import streams
from mteval_core import ExactSum, InputError, State, UsageError, metric

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

__all__ = ["Metric"]

BITS = 32
LIMBS = 40
"""Limbs of a sum: 1280 bits hold the largest sum, 2^53, in units of 2^-1074."""


class Metric(torchmetrics.Metric):  # type: ignore[misc]
    """A metric of mteval, whose sums are added up over processes.

    Parameters
    ----------
    spec : str
        A metric with options, such as ``"chrf:nw=2"``.
    references : sequence of str, or of sequence of str, optional
        The references of all segments, for metrics that are prepared on them, such as NIST.
    **more
        Keywords of ``torchmetrics.Metric``.

    Raises
    ------
    UsageError
        If the metric needs all rows, or the references of all segments and does not get them.
    """

    sums: Any
    n_segments: Any
    is_differentiable = False
    full_state_update = False

    def __init__(
        self, spec: str, references: Sequence[str | Sequence[str]] | None = None, **more: Any
    ) -> None:
        super().__init__(**more)
        scorer = metric(spec)
        if scorer.setup.keeps_rows:
            raise UsageError(
                f"the metric {spec} needs the rows of all segments, which torchmetrics sums"
            )
        state = State(scorer, None if references is None else streams(references))
        self.scorer: Any = state.scorer
        self._state: Any = state
        rows = State(scorer, [[""]]).rows([""], [[""]], source=[""])
        sums = torch.zeros((rows.shape[1], LIMBS), dtype=torch.int64)
        self.add_state("sums", default=sums, dist_reduce_fx="sum")
        self.add_state("n_segments", default=torch.tensor(0), dist_reduce_fx="sum")

    @property
    def higher_is_better(self) -> bool:
        """Whether higher scores are better."""
        return bool(self.scorer.declaration.better == "higher")

    def update(
        self,
        preds: Sequence[str],
        target: Sequence[str | Sequence[str]],
        source: Sequence[str] | None = None,
    ) -> None:
        """Add segments.

        Parameters
        ----------
        preds : sequence of str
            The hypotheses.
        target : sequence of str, or of sequence of str
            The reference or the references of each hypothesis.
        source : sequence of str, optional
            The source of each hypothesis, for metrics that use it.
        """
        rows = self._state.rows(preds, streams(target), source=source)
        limbs = torch.from_numpy(limbs_of(ExactSum.of(rows)))
        self.sums += limbs.to(self.sums.device)
        self.n_segments += len(rows)

    def compute(self) -> torch.Tensor:
        """Compute the score of all segments.

        Raises
        ------
        InputError
            If there are no segments.
        """
        if not self.n_segments:
            raise InputError("there are no segments yet: call update(preds, target) first")
        units = [sum(limb << BITS * i for i, limb in enumerate(own)) for own in self.sums.tolist()]
        total = ExactSum(units, int(self.n_segments)).total()
        return torch.tensor(float(self.scorer.scores(total)), dtype=torch.float64)


def limbs_of(sums: ExactSum) -> NDArray[np.int64]:
    """Cut the units of sums into limbs, shape (k, LIMBS): the lowest first, the highest signed.

    Raises
    ------
    PluginError
        If a sum is larger than 2^53.
    """
    sums.total()
    data = b"".join(units.to_bytes(4 * LIMBS, "little", signed=True) for units in sums.units)
    limbs = np.frombuffer(data, "<u4").reshape(-1, LIMBS).astype(np.int64)
    limbs[:, -1] = np.frombuffer(data, "<i4").reshape(-1, LIMBS)[:, -1]
    return limbs

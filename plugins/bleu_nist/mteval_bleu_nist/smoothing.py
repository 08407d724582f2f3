"""Smoothing methods of BLEU."""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import NamedTuple

from mteval_core import Option

__all__ = ["EXP", "Smoothing"]

DEFAULTS = {"none": 0.0, "floor": 0.1, "add-k": 1.0, "exp": 0.0, "mteval": 0.0}
LARGEST = {"floor": 1.0, "add-k": sys.float_info.max}


class Smoothing(NamedTuple):
    """How BLEU smooths the precision of an order without a match.

    Parameters
    ----------
    method : {"none", "floor", "add-k", "exp", "mteval"}
        See `mteval_bleu_nist.bleu.Bleu`.
    value : float
        The floor, or k; 0 for the other methods.

    Examples
    --------
    >>> Smoothing.parse("floor"), str(Smoothing.parse("add-k[0.5]"))
    (Smoothing(method='floor', value=0.1), 'add-k[0.50]')
    """

    method: str
    value: float = 0.0

    @classmethod
    def parse(cls, text: str) -> Smoothing:
        """Read ``method`` or ``method[value]``.

        Raises
        ------
        ValueError
            If the text has neither form, or the value is out of range: a floor is a precision,
            above 0 and at most 1; k is above 0.
        """
        method, bracket, rest = text.partition("[")
        if method in DEFAULTS and not bracket:
            return cls(method, DEFAULTS[method])
        value = 0.0
        if rest.endswith("]"):
            with suppress(ValueError):
                value = Option(method, value).parse((rest[:-1],))
        if not 0 < value <= LARGEST.get(method, 0.0):
            raise ValueError("none, exp, mteval, floor[x] with 0 < x <= 1, or add-k[k] with k > 0")
        return cls(method, value)

    def __str__(self) -> str:
        if not self.value:
            return self.method
        # sacreBLEU prints two decimals. Print more only if two would change the value.
        rounded = f"{self.value:.2f}"
        return f"{self.method}[{rounded if float(rounded) == self.value else repr(self.value)}]"


EXP = Smoothing("exp")
"""The default method."""

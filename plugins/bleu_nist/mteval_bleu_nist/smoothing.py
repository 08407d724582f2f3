"""Smoothing methods of BLEU by name."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Smoothing"]

DEFAULTS = {"none": None, "floor": 0.1, "add-k": 1.0, "exp": None, "mteval": None}


@dataclass(frozen=True)
class Smoothing:
    """What the precision of an order without a match becomes.

    Parameters
    ----------
    method : {"none", "floor", "add-k", "exp", "mteval"}
        See `mteval_bleu_nist.bleu.Bleu`.
    value : float or None
        The floor, or k.

    Examples
    --------
    >>> Smoothing.parse("floor"), str(Smoothing.parse("add-k[0.5]"))
    (Smoothing(method='floor', value=0.1), 'add-k[0.50]')
    """

    method: str
    value: float | None = None

    @classmethod
    def parse(cls, text: str) -> Smoothing:
        """Read ``method`` or ``method[value]``.

        Raises
        ------
        ValueError
            If it is neither, or the value is not a positive number.
        """
        method, bracket, rest = text.partition("[")
        default = DEFAULTS.get(method)
        if method in DEFAULTS and not bracket:
            return cls(method, default)
        try:
            value = float(rest.removesuffix("]"))
        except ValueError:
            value = -1.0
        if default is None or not rest.endswith("]") or not 0 < value < float("inf"):
            raise ValueError("none, exp, mteval, floor[x] or add-k[k] with a number above 0")
        return cls(method, value)

    def __str__(self) -> str:
        if self.value is None:
            return self.method
        # sacreBLEU prints two decimals; more only where two would change the value.
        rounded = f"{self.value:.2f}"
        return f"{self.method}[{rounded if float(rounded) == self.value else repr(self.value)}]"

"""Scores and signatures with the attributes of sacreBLEU's."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    import mteval_core

__all__ = ["BLEUScore", "CHRFScore", "Result", "Signature", "TERScore"]


class Result:
    """A score with the attributes and the format of sacreBLEU's.

    Attributes
    ----------
    name : str
        Name of the metric in print.
    score : float
        The score, times 100 if it is a ratio.
    """

    name: str
    score: float

    def __init__(self, name: str, score: float, verbose: str = "") -> None:
        self.name, self.score = name, score
        self._mean, self._ci = -1.0, -1.0  # sacreBLEU's values for "no interval"
        self._verbose = verbose

    def set_interval(self, mean: float, half_width: float) -> None:
        """Add a confidence interval.

        Parameters
        ----------
        mean : float
            Mean of the resampled scores.
        half_width : float
            Half the width of the interval.
        """
        self._mean, self._ci = mean, half_width

    @property
    def _has_interval(self) -> bool:
        return self._mean > 0

    def format(
        self,
        width: int = 2,
        score_only: bool = False,
        signature: str = "",
        is_json: bool = False,
    ) -> str:
        """Write the score after its name and signature.

        Parameters
        ----------
        width : int
            Number of decimals.
        score_only : bool
            Whether to leave out name, signature and details.
        signature : str
            The signature of the metric, as `get_signature` returns it.
        is_json : bool
            Whether to write a JSON object.

        Returns
        -------
        str
        """
        if is_json and not score_only:
            return self._json(width, signature)
        text = f"{self.score:.{width}f}"
        if self._has_interval:
            text += f" ({self._shown_interval(width)})"
        if score_only:
            return text
        name = f"{self.name}|{signature}" if signature else self.name
        return f"{name} = {text} {self._verbose}".rstrip()

    def _shown_interval(self, width: int) -> str:
        return f"μ = {self._mean:.{width}f} ± {self._ci:.{width}f}"

    def _json(self, width: int, signature: str) -> str:
        members: dict[str, object] = {
            "name": self.name,
            "score": float(f"{self.score:.{width}f}"),
            "signature": signature,
        }
        if self._has_interval:
            members["confidence_mean"] = float(f"{self._mean:.{width}f}")
            members["confidence_var"] = float(f"{self._ci:.{width}f}")
            members["confidence"] = self._shown_interval(width)
        if self._verbose:
            members["verbose_score"] = self._verbose
        members |= dict(field.split(":", 1) for field in signature.split("|") if field)
        return json.dumps(members, indent=1, ensure_ascii=False)

    def __repr__(self) -> str:
        return self.format()


class BLEUScore(Result):
    """BLEU and its components.

    Attributes
    ----------
    counts, totals : list of int, or of float when smoothing adds a fraction
        Clipped matches and n-grams of the hypotheses, per order.
    precisions : list of float
        Precision per order, in percent.
    bp : float
        Brevity penalty.
    sys_len, ref_len : int
        Lengths of hypotheses and references, in tokens.
    ratio : float
        ``sys_len / ref_len``.
    """

    counts: list[float]
    totals: list[float]
    precisions: list[float]
    bp: float
    sys_len: int
    ref_len: int
    ratio: float
    prec_str: str

    def __init__(
        self,
        score: float,
        counts: list[float],
        totals: list[float],
        precisions: list[float],
        bp: float,
        sys_len: int,
        ref_len: int,
    ) -> None:
        self.counts, self.totals, self.precisions = counts, totals, precisions
        self.bp, self.sys_len, self.ref_len = bp, sys_len, ref_len
        self.ratio = sys_len / ref_len if ref_len else 0
        self.prec_str = "/".join(f"{precision:.1f}" for precision in precisions)
        verbose = (
            f"{self.prec_str} (BP = {bp:.3f} ratio = {self.ratio:.3f} "
            f"hyp_len = {sys_len} ref_len = {ref_len})"
        )
        super().__init__("BLEU", score, verbose)


class CHRFScore(Result):
    """Character n-gram F-score, and the options that appear in its name."""

    char_order: int
    word_order: int
    beta: int

    def __init__(self, score: float, char_order: int, word_order: int, beta: int) -> None:
        super().__init__(f"chrF{beta}" + "+" * word_order, score)
        self.char_order, self.word_order, self.beta = char_order, word_order, beta


class TERScore(Result):
    """Translation edit rate, the number of edits and the reference length in tokens."""

    num_edits: int
    ref_length: float

    def __init__(self, score: float, num_edits: float, ref_length: float) -> None:
        super().__init__("TER", score)
        self.num_edits, self.ref_length = int(num_edits), ref_length


class Signature:
    """What is needed to reproduce a score: sacreBLEU's fields, then those of mteval.

    ``mteval replay`` takes it after the name of the metric and a bar, ``BLEU|...``.

    Attributes
    ----------
    info : dict of str to str
        Value of each field.
    """

    info: dict[str, str]

    def __init__(self, signature: mteval_core.Signature, short_keys: Mapping[str, str]) -> None:
        self.info = {key: str(signature.get(key)) for key in signature.fields}
        self._signature, self._short_keys = signature, short_keys

    def format(self, short: bool = False) -> str:
        """Write the fields; if `short`, with sacreBLEU's short keys and without the plugins."""
        fields = dict(self._signature.fields)
        if short:
            del fields["plugin"]
            fields = {self._short_keys.get(key, key): items for key, items in fields.items()}
        return str(replace(self._signature, fields=fields)).partition("|")[2]

    def __repr__(self) -> str:
        return self.format()

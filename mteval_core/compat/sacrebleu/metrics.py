"""The classes: ``BLEU``, ``CHRF`` and ``TER``, and the scores that they give."""

from __future__ import annotations

import json
import os
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar, Generic, TypeVar

import numpy as np

from mteval_core.errors import InputError, UsageError
from mteval_core.evaluation.resampling import bootstrap, percentile_interval, weighted_totals
from mteval_core.kernels import clipped_matches
from mteval_core.metrics.resolve import metric
from mteval_core.metrics.scorer import tokenize_systems
from mteval_core.text.text import as_test_set, as_text

if TYPE_CHECKING:
    from mteval_core import signature
    from mteval_core.text.tokens import TokenizedCorpus

__all__ = ["BLEU", "CHRF", "TER", "BLEUScore", "CHRFScore", "Signature", "TERScore"]

References = Sequence[Sequence[str | None]]


class Result:
    """A score as sacreBLEU gives it.

    Attributes
    ----------
    name : str
        What it is called in print.
    score : float
        The score, as people read it.
    """

    def __init__(self, name: str, score: float) -> None:
        self.name, self.score = name, score
        self._mean, self._ci = -1.0, -1.0
        self._verbose = ""

    def format(
        self,
        width: int = 2,
        score_only: bool = False,
        signature: str = "",
        is_json: bool = False,
    ) -> str:
        """Write the score with a number of decimals, after its name and its signature.

        Parameters
        ----------
        width : int
            Number of decimals.
        score_only : bool
            Whether name, signature and parts are left out.
        signature : str
            What `get_signature` of the metric gave, as a string.
        is_json : bool
            Whether to write a JSON object.
        """
        score, mean, half = (f"{x:.{width}f}" for x in (self.score, self._mean, self._ci))
        has_interval = self._mean > 0
        interval = f"μ = {mean} ± {half}"
        text = f"{score} ({interval})" if has_interval else score
        if score_only:
            return text
        if not is_json:
            name = f"{self.name}|{signature}" if signature else self.name
            return f"{name} = {text} {self._verbose}".rstrip()
        confidence = {
            "confidence_mean": float(mean),
            "confidence_var": float(half),
            "confidence": interval,
        }
        members = {
            "name": self.name,
            "score": float(score),
            "signature": signature,
            **(confidence if has_interval else {}),
            **({"verbose_score": self._verbose} if self._verbose else {}),
            **dict(field.split(":", 1) for field in signature.split("|") if field),
        }
        return json.dumps(members, indent=1, ensure_ascii=False)

    def __repr__(self) -> str:
        return self.format()


class BLEUScore(Result):
    """BLEU and its parts.

    Attributes
    ----------
    counts, totals : list of int, of float with smoothing by a fraction
        Clipped matches, and n-grams of the hypotheses, of each order.
    precisions : list of float
        Of each order, in per cent.
    bp : float
        Brevity penalty.
    sys_len, ref_len : int
        Lengths in tokens.
    ratio : float
        Of the lengths.
    """

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
        super().__init__("BLEU", score)
        self.counts, self.totals, self.precisions = counts, totals, precisions
        self.bp, self.sys_len, self.ref_len = bp, sys_len, ref_len
        self.ratio = sys_len / ref_len if ref_len else 0
        self.prec_str = "/".join(f"{precision:.1f}" for precision in precisions)
        self._verbose = (
            f"{self.prec_str} (BP = {bp:.3f} ratio = {self.ratio:.3f} "
            f"hyp_len = {sys_len} ref_len = {ref_len})"
        )


class CHRFScore(Result):
    """Score of character n-grams, and the settings that name it."""

    def __init__(self, score: float, char_order: int, word_order: int, beta: int) -> None:
        super().__init__(f"chrF{beta}" + "+" * word_order, score)
        self.char_order, self.word_order, self.beta = char_order, word_order, beta


class TERScore(Result):
    """Translation edit rate, the edits, and the mean length of the references in tokens."""

    def __init__(self, score: float, num_edits: float, ref_length: float) -> None:
        super().__init__("TER", score)
        self.num_edits, self.ref_length = int(num_edits), ref_length


class Signature:
    """What a score needs to be computed again: sacreBLEU's fields, then those of mteval.

    With the name of a score and a bar before it, it is a signature that ``mteval replay`` reads.

    Attributes
    ----------
    info : dict of str to str
        Value of each field.
    """

    def __init__(self, signature: signature.Signature, short_keys: Mapping[str, str]) -> None:
        self.info = {key: str(signature.get(key)) for key in signature.fields}
        self._signature, self._short_keys = signature, short_keys

    def format(self, short: bool = False) -> str:
        """Write the fields; on request under sacreBLEU's short keys, and without the plugins."""
        fields = dict(self._signature.fields)
        if short:
            del fields["plugin"]
            fields = {self._short_keys.get(key, key): items for key, items in fields.items()}
        return str(replace(self._signature, fields=fields)).partition("|")[2]

    def __repr__(self) -> str:
        return self.format()


R = TypeVar("R", bound=Result)


class Compatible(ABC, Generic[R]):
    """What the three classes share: they score with the metric that reads their signature."""

    short_keys: ClassVar[Mapping[str, str]] = {
        "nrefs": "#",
        "seed": "rs",
        "case": "c",
        "eff": "e",
        "smooth": "s",
        "space": "s",
        "norm": "nr",
        "punct": "pn",
        "asian": "as",
        "version": "v",
    }

    def __init__(self, signature: str, references: References | None) -> None:
        self._scorer = metric(signature)
        self._references = None if references is None else as_test_set(references)
        self._signature = self._scorer.get_signature(self._references)

    def corpus_score(
        self, hypotheses: Sequence[str], references: References | None, n_bootstrap: int = 1
    ) -> R:
        """Score a corpus.

        Parameters
        ----------
        hypotheses : sequence of str
            One per segment.
        references : sequence of sequence of str, or None
            One sequence per reference stream, with None where a segment lacks that reference;
            None for those given to the constructor.
        n_bootstrap : int
            Number of resamples of a confidence interval, if more than one.

        Returns
        -------
        BLEUScore, CHRFScore or TERScore

        Raises
        ------
        InputError
            If there are not equally many segments everywhere, or no references.
        UsageError
            If an interval is asked for, and ``SACREBLEU_SEED`` is no whole number.
        """
        text = as_text(hypotheses, "the hypotheses")
        given = self._references if references is None else references
        test_set = as_test_set(() if given is None else given, n_hypotheses=len(text))
        systems = {"the hypotheses": text}
        ((_, (bound,), corpora),) = tokenize_systems([self._scorer], systems, test_set)
        rows = bound.rows(corpora)
        values = dict(zip(bound.scales, bound.values(rows.sum(axis=0)).tolist(), strict=True))
        result = self._result(values, *corpora.values())
        drawn = None
        if n_bootstrap > 1:
            seed = bootstrap_seed()
            drawn = {"bs": (str(n_bootstrap),), "seed": (str(seed),)}
            weights = bootstrap(len(rows), n_bootstrap, seed)
            (totals,) = weighted_totals(weights, {bound.label: rows}).values()
            scores = bound.values(totals)
            interval = percentile_interval(scores[:, list(bound.scales).index(bound.main)])
            result._mean, result._ci = interval.mean, (interval.high - interval.low) / 2
        self._signature = bound.get_signature(test_set, drawn)
        return result

    def sentence_score(self, hypothesis: str, references: Sequence[str | None]) -> R:
        """Score one segment against its references."""
        if isinstance(references, str):
            message = f"the references: expected a list of strings, found {references!r}"
            raise InputError(message)
        return self.corpus_score([hypothesis], [[reference] for reference in references])

    def get_signature(self) -> Signature:
        """Signature of the last score; before the first one, of the constructor's arguments."""
        return Signature(self._signature, self.short_keys)

    @abstractmethod
    def _result(self, values: dict[str, float], *corpora: TokenizedCorpus) -> R:
        """Make a score of the metric's values, and of the texts as it sees them."""


class BLEU(Compatible[BLEUScore]):
    """BLEU with the arguments of ``sacrebleu.metrics.BLEU``.

    ``force`` silences a warning that is not given here.
    """

    def __init__(
        self,
        lowercase: bool = False,
        force: bool = False,  # noqa: ARG002
        tokenize: str | None = None,
        smooth_method: str = "exp",
        smooth_value: float | None = None,
        max_ngram_order: int = 4,
        effective_order: bool = False,
        trg_lang: str = "",
        references: References | None = None,
    ) -> None:
        if tokenize is None:
            tokenize = {"zh": "zh", "ja": "ja-mecab", "ko": "ko-mecab"}.get(trg_lang, "13a")
        has_value = smooth_value is not None and smooth_method in ("floor", "add-k")
        smooth = f"{smooth_method}[{smooth_value}]" if has_value else smooth_method
        self.max_ngram_order = max_ngram_order
        value = 1 if smooth_value is None else smooth_value
        self._added = value if smooth_method == "add-k" else 0
        super().__init__(
            f"BLEU|case:{case(lowercase)}|eff:{yes(effective_order)}|tok:{tokenize}"
            f"|smooth:{smooth}|order:{max_ngram_order}",
            references,
        )

    def _result(self, values: dict[str, float], *corpora: TokenizedCorpus) -> BLEUScore:
        (words,) = corpora
        N = self.max_ngram_order
        matched = clipped_matches(words.hypotheses, words.references, N).sum(axis=0).tolist()
        lengths = words.hypotheses.lengths
        # Where anything matched, sacreBLEU shows what add-k has made of the counts.
        added = self._added if any(matched) else 0
        return BLEUScore(
            values["BLEU"],
            [int(matched[n]) + (added if n else 0) for n in range(N)],
            [int(np.maximum(lengths - n, 0).sum()) + (added if n else 0) for n in range(N)],
            [values[f"P{n + 1}"] for n in range(N)],
            values["BP"],
            round(values["hyp_len"]),
            round(values["ref_len"]),
        )


class CHRF(Compatible[CHRFScore]):
    """Character n-gram F-score with the arguments of ``sacrebleu.metrics.CHRF``."""

    def __init__(
        self,
        char_order: int = 6,
        word_order: int = 0,
        beta: int = 2,
        lowercase: bool = False,
        whitespace: bool = False,
        eps_smoothing: bool = False,
        references: References | None = None,
    ) -> None:
        self.char_order, self.word_order, self.beta = char_order, word_order, beta
        super().__init__(
            f"chrF{beta}|case:{case(lowercase)}|eff:{yes(not eps_smoothing)}|nc:{char_order}"
            f"|nw:{word_order}|space:{yes(whitespace)}",
            references,
        )

    def _result(self, values: dict[str, float], *_: TokenizedCorpus) -> CHRFScore:
        return CHRFScore(values["chrF"], self.char_order, self.word_order, self.beta)


class TER(Compatible[TERScore]):
    """Translation edit rate with the arguments of ``sacrebleu.metrics.TER``."""

    short_keys: ClassVar[Mapping[str, str]] = {**Compatible.short_keys, "tok": "t"}

    def __init__(
        self,
        normalized: bool = False,
        no_punct: bool = False,
        asian_support: bool = False,
        case_sensitive: bool = False,
        references: References | None = None,
    ) -> None:
        super().__init__(
            f"TER|case:{case(not case_sensitive)}|tok:tercom|norm:{yes(normalized)}"
            f"|punct:{yes(not no_punct)}|asian:{yes(asian_support)}",
            references,
        )

    def _result(self, values: dict[str, float], *_: TokenizedCorpus) -> TERScore:
        return TERScore(values["TER"], values["edits"], values["ref_len"])


def bootstrap_seed() -> int:
    """Seed of the resamples, which is sacreBLEU's: the environment may set another.

    Raises
    ------
    UsageError
        If it sets none, ``SACREBLEU_SEED=none``, or what is no whole number.
    """
    text = os.environ.get("SACREBLEU_SEED", "12345")
    if not text.isdecimal():
        message = (
            f"SACREBLEU_SEED={text}: expected a whole number; resamples without a seed are not "
            f"drawn here, as nobody could draw them again"
        )
        raise UsageError(message)
    return int(text)


def case(lower: bool) -> str:
    """Write a switch as a signature has it."""
    return "lc" if lower else "mixed"


def yes(switch: bool) -> str:
    """Write a switch as a signature has it."""
    return "yes" if switch else "no"

"""The metric classes ``BLEU``, ``CHRF`` and ``TER``."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Generic, TypeVar
from warnings import catch_warnings, simplefilter

from mteval_adapters.sacrebleu.scores import (
    BLEUScore,
    CHRFScore,
    Result,
    Signature,
    TERScore,
)
from mteval_core import (
    InputError,
    MtevalWarning,
    State,
    TestSet,
    Text,
    UsageError,
    evaluate,
    metric,
)

__all__ = ["BLEU", "CHRF", "TER", "BLEUScore", "CHRFScore", "Signature", "TERScore"]

References = Sequence[Sequence[str | None]]


R = TypeVar("R", bound=Result)


class Compatible(ABC, Generic[R]):
    """Base of the three classes: scores with the metric that reads the class's signature."""

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
        self._references = None if references is None else TestSet.of(references)
        self._signature = self._scorer.signature(self._references)

    def corpus_score(
        self, hypotheses: Sequence[str], references: References | None, n_bootstrap: int = 1
    ) -> R:
        """Score a corpus.

        Parameters
        ----------
        hypotheses : sequence of str
            One per segment.
        references : sequence of sequence of str, or None
            One sequence per reference stream, with None where a segment lacks that reference
            (default: the references of the constructor).
        n_bootstrap : int
            Number of resamples for a confidence interval; 1 for no interval.

        Returns
        -------
        BLEUScore, CHRFScore or TERScore

        Raises
        ------
        InputError
            If the numbers of segments differ, if there are no references, or if an interval is
            requested of one segment.
        UsageError
            If an interval is requested and ``SACREBLEU_SEED`` is not a whole number.
        """
        text = Text.of(hypotheses, "the hypotheses")
        given = self._references if references is None else references
        test_set = TestSet.of(() if given is None else given, n_hypotheses=len(text))
        bound = self._scorer
        rows = State(bound).rows(text, test_set)
        values = bound.values(rows.sum(axis=0)).tolist()
        result = self._result(dict(zip(bound.scales, values, strict=True)), rows)
        self._signature = bound.signature(test_set)
        if n_bootstrap > 1:
            with catch_warnings():  # of texts: sacreBLEU looks at none
                simplefilter("ignore", MtevalWarning)
                evaluation = evaluate({"hypotheses": text}, test_set, [bound])
            evaluation = evaluation.confidence(n_bootstrap, seed=bootstrap_seed())
            ((key, interval),) = evaluation.intervals.items()
            result.set_interval(interval.mean, (interval.high - interval.low) / 2)
            self._signature = evaluation.score(*key).signature
        return result

    def sentence_score(self, hypothesis: str, references: Sequence[str | None]) -> R:
        """Score one segment against its references."""
        if isinstance(references, str):
            raise InputError(f"the references: expected a list of strings, got {references!r}")
        return self.corpus_score([hypothesis], [[reference] for reference in references])

    def get_signature(self) -> Signature:
        """Signature of the last score, or of the constructor's arguments if there is none yet."""
        return Signature(self._signature, self.short_keys)

    @abstractmethod
    def _result(self, values: Mapping[str, float], rows: Any, /) -> R:
        """Make a score from the metric's values and the rows of all segments."""


class BLEU(Compatible[BLEUScore]):
    """BLEU with the arguments of ``sacrebleu.metrics.BLEU``.

    ``force`` has no effect: it silences a warning of sacreBLEU that does not exist here.
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

    def _result(self, values: Mapping[str, float], rows: Any, /) -> BLEUScore:
        N = self.max_ngram_order
        # The rows of BLEU: both lengths, then the matches and the n-grams of each order.
        _, _, *statistics = map(int, rows.sum(axis=0))
        matched, totals = statistics[:N], statistics[N:]
        # If anything matched, sacreBLEU shows the counts after add-k smoothing.
        added = self._added if any(matched) else 0
        return BLEUScore(
            values["BLEU"],
            counts=[matched[n] + (added if n else 0) for n in range(N)],
            totals=[totals[n] + (added if n else 0) for n in range(N)],
            # Rounded so that 61.25 is printed as there, and not as 61.25000000000001.
            precisions=[round(values[f"P{n + 1}"], 10) for n in range(N)],
            bp=values["BP"],
            sys_len=round(values["hyp_len"]),
            ref_len=round(values["ref_len"]),
        )


class CHRF(Compatible[CHRFScore]):
    """Character n-gram F-score with the arguments of ``sacrebleu.metrics.CHRF``."""

    char_order: int
    word_order: int
    beta: int

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

    def _result(self, values: Mapping[str, float], _: Any, /) -> CHRFScore:
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

    def _result(self, values: Mapping[str, float], _: Any, /) -> TERScore:
        return TERScore(values["TER"], values["edits"], values["ref_len"])


def bootstrap_seed() -> int:
    """Seed of the resamples: ``SACREBLEU_SEED``, or sacreBLEU's default.

    Raises
    ------
    UsageError
        If the variable is ``none`` or anything else that is not a whole number.
    """
    text = os.environ.get("SACREBLEU_SEED", "12345")
    if not text.isdecimal():
        raise UsageError(
            f"SACREBLEU_SEED={text}: expected a whole number, as resamples without a seed cannot "
            f"be reproduced"
        )
    return int(text)


def case(lower: bool) -> str:
    """Value of the signature's field ``case``."""
    return "lc" if lower else "mixed"


def yes(switch: bool) -> str:
    """Value of a signature's field that is ``yes`` or ``no``."""
    return "yes" if switch else "no"

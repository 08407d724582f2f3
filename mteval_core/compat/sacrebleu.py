"""Classes of sacreBLEU's Python interface: changing the import is enough.

.. code-block:: python

    from mteval_core.compat.sacrebleu import BLEU      # was: from sacrebleu.metrics import BLEU

    bleu = BLEU(effective_order=True)
    bleu.corpus_score(hypotheses, [references]).precisions

Constructors, methods and the attributes of results are sacreBLEU's, the scores equal. What differs:
signatures name mteval's version and plugins, uneven input is refused, and a tokenizer must be one
that ``mteval list tokenizers`` shows.

This is the one module of the host that knows metrics by name: they are the names of its classes.
It finds the metrics as everybody does, in the registry, by asking which one reads sacreBLEU's
signatures; where the plugin is missing, the error says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from mteval_core.kernels import clipped_matches
from mteval_core.resampling import bootstrap, percentile_interval, weighted_totals
from mteval_core.scorer import as_corpus, as_text, metric, tokenize_systems

if TYPE_CHECKING:
    from mteval_core.scorer import Scorer
    from mteval_core.signature import Signature
    from mteval_core.text.tokens import TokenizedCorpus

__all__ = ["BLEU", "CHRF", "TER", "BLEUScore", "CHRFScore", "TERScore"]

SEED = 12345

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
        score_only: bool = False,  # noqa: FBT001, FBT002 - sacreBLEU's
        signature: str = "",
    ) -> str:
        """Write the score with a number of decimals, after its name or its signature."""
        text = f"{self.score:.{width}f}"
        if self._mean > 0:
            text += f" (μ = {self._mean:.{width}f} ± {self._ci:.{width}f})"
        if score_only:
            return text
        name = f"{self.name}|{signature}" if signature else self.name
        return f"{name} = {text} {self._verbose}".rstrip()

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


class Compatible:
    """What the three classes share: they score with the metric that reads their signature."""

    def __init__(self, signature: str, references: References | None) -> None:
        self._scorer = metric(signature)
        self._references = None if references is None else as_corpus(references)
        self._signature = self._scorer.get_signature()

    def corpus_score(
        self, hypotheses: Sequence[str], references: References | None, n_bootstrap: int = 1
    ) -> Any:
        """Score a corpus.

        Parameters
        ----------
        hypotheses : sequence of str
            One per segment.
        references : sequence of sequence of str, or None
            One sequence per reference stream; None for those given to the constructor.
        n_bootstrap : int
            Number of resamples of a confidence interval, if more than one.

        Returns
        -------
        BLEUScore, CHRFScore or TERScore

        Raises
        ------
        InputError
            If there are not equally many segments everywhere, or no references.
        """
        given = self._references if references is None else references
        corpus = as_corpus(() if given is None else given, n_hypotheses=len(hypotheses))
        systems = {"the hypotheses": as_text(hypotheses, "the hypotheses")}
        ((_, (bound,), corpora),) = tokenize_systems([self._scorer], systems, corpus)
        rows = bound.rows(corpora)
        values = dict(zip(bound.scales, bound.values(rows.sum(axis=0)).tolist(), strict=True))
        drawn = None
        result = self._result(bound, values, list(corpora.values()))
        if n_bootstrap > 1:
            drawn = {"bs": (str(n_bootstrap),), "seed": (str(SEED),)}
            weights = bootstrap(len(rows), n_bootstrap, SEED)
            (totals,) = weighted_totals(weights, {bound.label: rows}).values()
            scores = bound.values(totals)
            interval = percentile_interval(scores[:, list(bound.scales).index(bound.main)])
            result._mean, result._ci = interval.mean, (interval.high - interval.low) / 2
        self._signature = bound.get_signature(corpus, drawn)
        return result

    def sentence_score(self, hypothesis: str, references: Sequence[str]) -> Any:
        """Score one segment against its references."""
        return self.corpus_score([hypothesis], [[reference] for reference in references])

    def get_signature(self) -> Signature:
        """Signature of the last score; without references before the first one."""
        return self._signature

    def _result(
        self, bound: Scorer, values: dict[str, float], corpora: list[TokenizedCorpus]
    ) -> Result:
        raise NotImplementedError


class BLEU(Compatible):
    """BLEU with the arguments of ``sacrebleu.metrics.BLEU``."""

    def __init__(
        self,
        lowercase: bool = False,  # noqa: FBT001, FBT002 - sacreBLEU's
        force: bool = False,  # noqa: FBT001, FBT002, ARG002 - silences a warning that we have not
        tokenize: str | None = None,
        smooth_method: str = "exp",
        smooth_value: float | None = None,
        max_ngram_order: int = 4,
        effective_order: bool = False,  # noqa: FBT001, FBT002
        trg_lang: str = "",
        references: References | None = None,
    ) -> None:
        tokenizer = tokenize or {"zh": "zh", "ja": "ja-mecab", "ko": "ko-mecab"}.get(
            trg_lang, "13a"
        )
        has_value = smooth_value is not None and smooth_method in ("floor", "add-k")
        smooth = f"{smooth_method}[{smooth_value}]" if has_value else smooth_method
        self.max_ngram_order = max_ngram_order
        self.added = (1 if smooth_value is None else smooth_value) * (smooth_method == "add-k")
        super().__init__(
            f"BLEU|case:{case(lowercase)}|eff:{yes(effective_order)}|tok:{tokenizer}"
            f"|smooth:{smooth}|order:{max_ngram_order}",
            references,
        )

    def _result(
        self,
        bound: Scorer,  # noqa: ARG002
        values: dict[str, float],
        corpora: list[TokenizedCorpus],
    ) -> Result:
        (words,) = corpora
        orders = range(self.max_ngram_order)
        lengths = words.hypotheses.lengths
        matched = clipped_matches(words.hypotheses, words.references, self.max_ngram_order)
        # sacreBLEU shows the counts of add-k after what was added.
        added = [self.added if n else 0 for n in orders]
        return BLEUScore(
            values["BLEU"],
            [int(count) + k for count, k in zip(matched.sum(axis=0), added, strict=True)],
            [int(np.maximum(lengths - n, 0).sum()) + added[n] for n in orders],
            [values[f"P{n + 1}"] for n in orders],
            values["BP"],
            round(values["hyp_len"]),
            round(values["ref_len"]),
        )


class CHRF(Compatible):
    """Character n-gram F-score with the arguments of ``sacrebleu.metrics.CHRF``."""

    def __init__(
        self,
        char_order: int = 6,
        word_order: int = 0,
        beta: int = 2,
        lowercase: bool = False,  # noqa: FBT001, FBT002
        whitespace: bool = False,  # noqa: FBT001, FBT002
        eps_smoothing: bool = False,  # noqa: FBT001, FBT002
        references: References | None = None,
    ) -> None:
        self.char_order, self.word_order, self.beta = char_order, word_order, beta
        super().__init__(
            f"chrF{beta}|case:{case(lowercase)}|eff:{yes(not eps_smoothing)}|nc:{char_order}"
            f"|nw:{word_order}|space:{yes(whitespace)}",
            references,
        )

    def _result(
        self,
        bound: Scorer,
        values: dict[str, float],
        corpora: list[TokenizedCorpus],  # noqa: ARG002
    ) -> Result:
        return CHRFScore(values[bound.main], self.char_order, self.word_order, self.beta)


class TER(Compatible):
    """Translation edit rate with the arguments of ``sacrebleu.metrics.TER``."""

    def __init__(
        self,
        normalized: bool = False,  # noqa: FBT001, FBT002
        no_punct: bool = False,  # noqa: FBT001, FBT002
        asian_support: bool = False,  # noqa: FBT001, FBT002
        case_sensitive: bool = False,  # noqa: FBT001, FBT002
        references: References | None = None,
    ) -> None:
        super().__init__(
            f"TER|case:{case(not case_sensitive)}|tok:tercom|norm:{yes(normalized)}"
            f"|punct:{yes(not no_punct)}|asian:{yes(asian_support)}",
            references,
        )

    def _result(
        self,
        bound: Scorer,
        values: dict[str, float],
        corpora: list[TokenizedCorpus],  # noqa: ARG002
    ) -> Result:
        return TERScore(values[bound.main], values["edits"], values["ref_len"])


def case(lower: bool) -> str:  # noqa: FBT001
    """Write a switch as a signature has it."""
    return "lc" if lower else "mixed"


def yes(switch: bool) -> str:  # noqa: FBT001
    """Write a switch as a signature has it."""
    return "yes" if switch else "no"

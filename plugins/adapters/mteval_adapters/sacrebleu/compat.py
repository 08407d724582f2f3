"""The functions of ``sacrebleu.compat``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mteval_adapters.sacrebleu.metrics import BLEU, CHRF, TER

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mteval_adapters.sacrebleu.metrics import References
    from mteval_adapters.sacrebleu.scores import BLEUScore, CHRFScore, TERScore

__all__ = [
    "corpus_bleu",
    "corpus_chrf",
    "corpus_ter",
    "raw_corpus_bleu",
    "sentence_bleu",
    "sentence_chrf",
    "sentence_ter",
]


def corpus_bleu(
    hypotheses: Sequence[str],
    references: References,
    smooth_method: str = "exp",
    smooth_value: float | None = None,
    force: bool = False,
    lowercase: bool = False,
    tokenize: str = "13a",
    use_effective_order: bool = False,
) -> BLEUScore:
    """Score a corpus with `BLEU`."""
    bleu = BLEU(
        lowercase=lowercase,
        force=force,
        tokenize=tokenize,
        smooth_method=smooth_method,
        smooth_value=smooth_value,
        effective_order=use_effective_order,
    )
    return bleu.corpus_score(hypotheses, references)


def raw_corpus_bleu(
    hypotheses: Sequence[str], references: References, smooth_value: float | None = 0.1
) -> BLEUScore:
    """Score a tokenized corpus, tokens separated by spaces, with `BLEU`."""
    return corpus_bleu(
        hypotheses,
        references,
        smooth_method="floor",
        smooth_value=smooth_value,
        tokenize="none",
        use_effective_order=True,
    )


def sentence_bleu(
    hypothesis: str,
    references: Sequence[str | None],
    smooth_method: str = "exp",
    smooth_value: float | None = None,
    lowercase: bool = False,
    tokenize: str = "13a",
    use_effective_order: bool = True,
) -> BLEUScore:
    """Score a segment with `BLEU`."""
    bleu = BLEU(
        lowercase=lowercase,
        tokenize=tokenize,
        smooth_method=smooth_method,
        smooth_value=smooth_value,
        effective_order=use_effective_order,
    )
    return bleu.sentence_score(hypothesis, references)


def corpus_chrf(
    hypotheses: Sequence[str],
    references: References,
    char_order: int = 6,
    word_order: int = 0,
    beta: int = 2,
    remove_whitespace: bool = True,
    eps_smoothing: bool = False,
) -> CHRFScore:
    """Score a corpus with `CHRF`."""
    chrf = CHRF(
        char_order=char_order,
        word_order=word_order,
        beta=beta,
        whitespace=not remove_whitespace,
        eps_smoothing=eps_smoothing,
    )
    return chrf.corpus_score(hypotheses, references)


def sentence_chrf(
    hypothesis: str,
    references: Sequence[str | None],
    char_order: int = 6,
    word_order: int = 0,
    beta: int = 2,
    remove_whitespace: bool = True,
    eps_smoothing: bool = False,
) -> CHRFScore:
    """Score a segment with `CHRF`."""
    chrf = CHRF(
        char_order=char_order,
        word_order=word_order,
        beta=beta,
        whitespace=not remove_whitespace,
        eps_smoothing=eps_smoothing,
    )
    return chrf.sentence_score(hypothesis, references)


def corpus_ter(
    hypotheses: Sequence[str],
    references: References,
    normalized: bool = False,
    no_punct: bool = False,
    asian_support: bool = False,
    case_sensitive: bool = False,
) -> TERScore:
    """Score a corpus with `TER`."""
    ter = TER(normalized, no_punct, asian_support, case_sensitive)
    return ter.corpus_score(hypotheses, references)


def sentence_ter(
    hypothesis: str,
    references: Sequence[str | None],
    normalized: bool = False,
    no_punct: bool = False,
    asian_support: bool = False,
    case_sensitive: bool = False,
) -> TERScore:
    """Score a segment with `TER`."""
    ter = TER(normalized, no_punct, asian_support, case_sensitive)
    return ter.sentence_score(hypothesis, references)

"""sacreBLEU's Python interface: changing the import is enough.

.. code-block:: python

    from mteval_core.compat.sacrebleu.metrics import BLEU  # was: from sacrebleu.metrics import BLEU
    from mteval_core.compat import sacrebleu               # was: import sacrebleu

    BLEU(effective_order=True).corpus_score(hypotheses, [references]).precisions
    sacrebleu.corpus_bleu(hypotheses, [references]).score

Arguments and the attributes of results are those of sacreBLEU 2.6, the scores equal. What differs:

- Signatures go on behind sacreBLEU's fields with what mteval states: all options, the fingerprint
  of the references, plugins and versions.
- Uneven, transposed or empty input is an `InputError`, where sacreBLEU scores a part of it.
- A tokenizer must be one that ``mteval list tokenizers`` shows, the value of ``floor`` and
  ``add-k`` more than 0.
- `TER` moves words as tercom does, and normalizes references once, where sacreBLEU does it twice.
- Test sets, tokenizer classes and ``compute_bleu`` are not here, nor is the seed ``none``.

This is the one package of the host that knows metrics by name: they are the names of its classes.
It finds the metrics as everybody does, in the registry, by asking which one reads sacreBLEU's
signatures; where the plugin is missing, the error says so.
"""

from __future__ import annotations

from collections.abc import Sequence

from mteval_core.compat.sacrebleu.metrics import (
    BLEU,
    CHRF,
    TER,
    BLEUScore,
    CHRFScore,
    References,
    TERScore,
)

__all__ = [
    "BLEU",
    "CHRF",
    "TER",
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
        lowercase, force, tokenize, smooth_method, smooth_value, effective_order=use_effective_order
    )
    return bleu.corpus_score(hypotheses, references)


def raw_corpus_bleu(
    hypotheses: Sequence[str], references: References, smooth_value: float | None = 0.1
) -> BLEUScore:
    """Score a corpus of tokens joined by spaces with `BLEU`."""
    return corpus_bleu(
        hypotheses, references, "floor", smooth_value, tokenize="none", use_effective_order=True
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
        lowercase, False, tokenize, smooth_method, smooth_value, effective_order=use_effective_order
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
    chrf = CHRF(char_order, word_order, beta, False, not remove_whitespace, eps_smoothing)
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
    chrf = CHRF(char_order, word_order, beta, False, not remove_whitespace, eps_smoothing)
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

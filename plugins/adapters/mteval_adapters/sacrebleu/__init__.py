"""sacreBLEU's Python interface: to switch, change the import.

.. code-block:: python

    from mteval_adapters.sacrebleu.metrics import BLEU  # was: from sacrebleu.metrics import BLEU
    from mteval_adapters import sacrebleu               # was: import sacrebleu
    from mteval_adapters.sacrebleu.compat import corpus_bleu  # was: from sacrebleu.compat ...

    BLEU(effective_order=True).corpus_score(hypotheses, [references]).precisions
    sacrebleu.corpus_bleu(hypotheses, [references]).score

Arguments, scores and the attributes of results are those of sacreBLEU 2.6. The differences:

- Signatures start with sacreBLEU's fields and continue with mteval's: all options, the hash of the
  references, plugins and versions.
- Uneven, transposed or empty input raises an `InputError`; sacreBLEU scores part of it. So do
  resamples of a single segment.
- The tokenizer must be one of ``mteval list tokenizers``, and the value of ``floor`` and ``add-k``
  must be greater than 0.
- Test sets, tokenizer classes, ``compute_bleu`` and the seed ``none`` are not supported.

The metrics come from the plugins that read sacreBLEU's signatures. If none that is installed does,
the error says so.
"""

from __future__ import annotations

from mteval_adapters.sacrebleu.compat import (
    corpus_bleu,
    corpus_chrf,
    corpus_ter,
    raw_corpus_bleu,
    sentence_bleu,
    sentence_chrf,
    sentence_ter,
)
from mteval_adapters.sacrebleu.metrics import BLEU, CHRF, TER

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

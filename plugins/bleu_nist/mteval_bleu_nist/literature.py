"""The papers that describe BLEU and NIST, as BibTeX."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

BLEU = """
@inproceedings{papineni-etal-2002-bleu,
  author = {Papineni, Kishore and Roukos, Salim and Ward, Todd and Zhu, Wei-Jing},
  title = {{BLEU}: a Method for Automatic Evaluation of Machine Translation},
  booktitle = {Proceedings of the 40th Annual Meeting of the Association for Computational
    Linguistics},
  year = {2002},
  address = {Philadelphia, Pennsylvania, USA},
  pages = {311--318},
  doi = {10.3115/1073083.1073135},
}
"""

SACREBLEU = """
@inproceedings{post-2018-call,
  author = {Post, Matt},
  title = {A Call for Clarity in Reporting {BLEU} Scores},
  booktitle = {Proceedings of the Third Conference on Machine Translation: Research Papers},
  year = {2018},
  address = {Brussels, Belgium},
  pages = {186--191},
  doi = {10.18653/v1/W18-6319},
}
"""

NIST = """
@inproceedings{doddington-2002-automatic,
  author = {Doddington, George},
  title = {Automatic Evaluation of Machine Translation Quality Using N-gram Co-Occurrence
    Statistics},
  booktitle = {Proceedings of the Second International Conference on Human Language Technology
    Research},
  year = {2002},
  address = {San Diego, California, USA},
  pages = {138--145},
}
"""


def of_bleu(_options: Mapping[str, Any]) -> tuple[str, ...]:
    """BLEU, and the call to report it with a signature."""
    return BLEU, SACREBLEU


def of_nist(_options: Mapping[str, Any]) -> tuple[str, ...]:
    """NIST."""
    return (NIST,)

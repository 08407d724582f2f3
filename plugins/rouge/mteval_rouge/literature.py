"""The papers that describe ROUGE, as BibTeX."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

PACKAGE = """
@inproceedings{lin-2004-rouge,
  author = {Lin, Chin-Yew},
  title = {{ROUGE}: A Package for Automatic Evaluation of Summaries},
  booktitle = {Text Summarization Branches Out},
  year = {2004},
  address = {Barcelona, Spain},
  pages = {74--81},
  url = {https://aclanthology.org/W04-1013/},
}
"""

TRANSLATION = """
@inproceedings{lin-och-2004-automatic,
  author = {Lin, Chin-Yew and Och, Franz Josef},
  title = {Automatic Evaluation of Machine Translation Quality Using Longest Common Subsequence
    and Skip-Bigram Statistics},
  booktitle = {Proceedings of the 42nd Annual Meeting of the Association for Computational
    Linguistics},
  year = {2004},
  address = {Barcelona, Spain},
  pages = {605--612},
  doi = {10.3115/1218955.1219032},
}
"""


def of_ngrams(_options: Mapping[str, Any]) -> tuple[str, ...]:
    """ROUGE-N."""
    return (PACKAGE,)


def of_sequences(_options: Mapping[str, Any]) -> tuple[str, ...]:
    """ROUGE-L, ROUGE-W and ROUGE-S, for summaries and for translations."""
    return PACKAGE, TRANSLATION

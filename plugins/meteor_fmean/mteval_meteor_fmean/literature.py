"""The papers that describe unigram precision and recall, and METEOR, as BibTeX."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

RECALL = """
@inproceedings{lavie-etal-2004-significance,
  author = {Lavie, Alon and Sagae, Kenji and Jayaraman, Shyamsundar},
  title = {The Significance of Recall in Automatic Metrics for {MT} Evaluation},
  booktitle = {Proceedings of the 6th Conference of the Association for Machine Translation in
    the Americas},
  year = {2004},
  address = {Washington, DC, USA},
  pages = {134--143},
}
"""

METEOR_2005 = """
@inproceedings{banerjee-lavie-2005-meteor,
  author = {Banerjee, Satanjeev and Lavie, Alon},
  title = {{METEOR}: An Automatic Metric for {MT} Evaluation with Improved Correlation with Human
    Judgments},
  booktitle = {Proceedings of the {ACL} Workshop on Intrinsic and Extrinsic Evaluation Measures
    for Machine Translation and/or Summarization},
  year = {2005},
  address = {Ann Arbor, Michigan, USA},
  pages = {65--72},
  url = {https://aclanthology.org/W05-0909/},
}
"""

METEOR_1_5 = """
@inproceedings{denkowski-lavie-2014-meteor,
  author = {Denkowski, Michael and Lavie, Alon},
  title = {Meteor Universal: Language Specific Translation Evaluation for Any Target Language},
  booktitle = {Proceedings of the Ninth Workshop on Statistical Machine Translation},
  year = {2014},
  address = {Baltimore, Maryland, USA},
  pages = {376--380},
  doi = {10.3115/v1/W14-3348},
}
"""


def of_unigrams(_options: Mapping[str, Any]) -> tuple[str, ...]:
    """Unigram precision and recall, and their means."""
    return (RECALL,)


def of_meteor(options: Mapping[str, Any]) -> tuple[str, ...]:
    """METEOR of 2005, and for the program METEOR 1.5 its own paper, too."""
    return (METEOR_2005,) if options["variant"] == "2005" else (METEOR_2005, METEOR_1_5)

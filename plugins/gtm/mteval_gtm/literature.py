"""The papers that describe the General Text Matcher, as BibTeX."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

MELAMED = """
@inproceedings{melamed-etal-2003-precision,
  author = {Melamed, I. Dan and Green, Ryan and Turian, Joseph P.},
  title = {Precision and Recall of Machine Translation},
  booktitle = {Companion Volume of the Proceedings of {HLT-NAACL} 2003 -- Short Papers},
  year = {2003},
  address = {Edmonton, Canada},
  pages = {61--63},
  url = {https://aclanthology.org/N03-2021/},
}
"""

TURIAN = """
@inproceedings{turian-etal-2003-evaluation,
  author = {Turian, Joseph P. and Shen, Luke and Melamed, I. Dan},
  title = {Evaluation of Machine Translation and its Evaluation},
  booktitle = {Proceedings of Machine Translation Summit {IX}},
  year = {2003},
  address = {New Orleans, Louisiana, USA},
  pages = {386--393},
  url = {https://aclanthology.org/2003.mtsummit-papers.51/},
}
"""


def of_gtm(_options: Mapping[str, Any]) -> tuple[str, ...]:
    """Precision and recall of runs, and the measure on several references."""
    return MELAMED, TURIAN

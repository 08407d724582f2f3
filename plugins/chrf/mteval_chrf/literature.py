"""The papers that describe chrF and chrF++, as BibTeX."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

CHRF = r"""
@inproceedings{popovic-2015-chrf,
  author = {Popovi{\'c}, Maja},
  title = {chr{F}: character n-gram {F}-score for automatic {MT} evaluation},
  booktitle = {Proceedings of the Tenth Workshop on Statistical Machine Translation},
  year = {2015},
  address = {Lisbon, Portugal},
  pages = {392--395},
  doi = {10.18653/v1/W15-3049},
}
"""

CHRF_WITH_WORDS = r"""
@inproceedings{popovic-2017-chrf,
  author = {Popovi{\'c}, Maja},
  title = {chr{F}++: words helping character n-grams},
  booktitle = {Proceedings of the Second Conference on Machine Translation},
  year = {2017},
  address = {Copenhagen, Denmark},
  pages = {612--618},
  doi = {10.18653/v1/W17-4770},
}
"""


def of_chrf(options: Mapping[str, Any]) -> tuple[str, ...]:
    """Describe chrF, or with word n-grams chrF++."""
    return (CHRF, CHRF_WITH_WORDS) if options["nw"] else (CHRF,)

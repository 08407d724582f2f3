"""The papers that describe error rates, as BibTeX."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

WER = r"""
@inproceedings{niessen-etal-2000-evaluation,
  author = {Nie{\ss}en, Sonja and Och, Franz Josef and Leusch, Gregor and Ney, Hermann},
  title = {An Evaluation Tool for Machine Translation: Fast Evaluation for {MT} Research},
  booktitle = {Proceedings of the Second International Conference on Language Resources and
    Evaluation},
  year = {2000},
  address = {Athens, Greece},
  pages = {39--45},
}
"""

PER = """
@inproceedings{tillmann-etal-1997-accelerated,
  author = {Tillmann, Christoph and Vogel, Stephan and Ney, Hermann and Zubiaga, A. and Sawaf, H.},
  title = {Accelerated {DP} Based Search for Statistical Translation},
  booktitle = {Fifth European Conference on Speech Communication and Technology (Eurospeech)},
  year = {1997},
  address = {Rhodes, Greece},
  pages = {2667--2670},
}
"""

TER = """
@inproceedings{snover-etal-2006-study,
  author = {Snover, Matthew and Dorr, Bonnie and Schwartz, Richard and Micciulla, Linnea and
    Makhoul, John},
  title = {A Study of Translation Edit Rate with Targeted Human Annotation},
  booktitle = {Proceedings of the 7th Conference of the Association for Machine Translation in
    the Americas},
  year = {2006},
  address = {Cambridge, Massachusetts, USA},
  pages = {223--231},
  url = {https://aclanthology.org/2006.amta-papers.25/},
}
"""


def of_wer(_options: Mapping[str, Any]) -> tuple[str, ...]:
    """Word error rate, and the error rates of characters and of whole segments."""
    return (WER,)


def of_per(_options: Mapping[str, Any]) -> tuple[str, ...]:
    """Position-independent word error rate."""
    return (PER,)


def of_ter(_options: Mapping[str, Any]) -> tuple[str, ...]:
    """Translation edit rate."""
    return (TER,)

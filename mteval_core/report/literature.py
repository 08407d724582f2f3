"""Literature of metrics, intervals and tests: BibTeX entries, and citations for readers."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from mteval_core.errors import attributed
from mteval_core.plugin.declarations import load
from mteval_core.report.marks import marking

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mteval_core.evaluation.evaluation import Evaluation
    from mteval_core.metrics.scorer import Scorer
    from mteval_core.report.layout import Layout

__all__ = ["citation", "literature", "literature_of_scores"]

ENTRY = re.compile(r"\s*@\w+\{\s*(?P<key>[^\s,{}]+)\s*,.*\}\s*", re.DOTALL)

FIELD = re.compile(r'(\w+)\s*=\s*(?:\{((?:[^{}]|\{[^{}]*\})*)\}|"([^"]*)"|(\d+))')

ACCENTS = {"'": "\u0301", "`": "\u0300", '"': "\u0308", "^": "\u0302", "~": "\u0303", "c": "\u0327"}
ACCENT = re.compile(r"""\\(['`"^~]|c(?=\{))\{?(\w)\}?""")
"""Accents of TeX, as characters that follow a letter."""

MOST_AUTHORS = 4
"""A citation names this many authors, and of more only the first."""

TESTS = {
    "bs": """
@inproceedings{koehn-2004-statistical,
  author = {Koehn, Philipp},
  title = {Statistical Significance Tests for Machine Translation Evaluation},
  booktitle = {Proceedings of the 2004 Conference on Empirical Methods in Natural Language
    Processing},
  year = {2004},
  address = {Barcelona, Spain},
  pages = {388--395},
  url = {https://aclanthology.org/W04-3250/},
}
""",
    "ar": """
@inproceedings{riezler-maxwell-2005-pitfalls,
  author = {Riezler, Stefan and Maxwell, John T.},
  title = {On Some Pitfalls in Automatic Evaluation and Significance Testing for {MT}},
  booktitle = {Proceedings of the {ACL} Workshop on Intrinsic and Extrinsic Evaluation Measures for
    Machine Translation and/or Summarization},
  year = {2005},
  address = {Ann Arbor, Michigan, USA},
  pages = {57--64},
  url = {https://aclanthology.org/W05-0908/},
}
""",
}

HOLM = """
@article{holm-1979-simple,
  author = {Holm, Sture},
  title = {A Simple Sequentially Rejective Multiple Test Procedure},
  journal = {Scandinavian Journal of Statistics},
  year = {1979},
  volume = {6},
  number = {2},
  pages = {65--70},
}
"""

BH = """
@article{benjamini-hochberg-1995-controlling,
  author = {Benjamini, Yoav and Hochberg, Yosef},
  title = {Controlling the False Discovery Rate: A Practical and Powerful Approach to Multiple
    Testing},
  journal = {Journal of the Royal Statistical Society: Series {B}},
  year = {1995},
  volume = {57},
  number = {1},
  pages = {289--300},
  doi = {10.1111/j.2517-6161.1995.tb02031.x},
}
"""

WESTFALL = """
@book{westfall-young-1993-resampling,
  author = {Westfall, Peter H. and Young, S. Stanley},
  title = {Resampling-Based Multiple Testing: Examples and Methods for p-Value Adjustment},
  publisher = {Wiley},
  address = {New York},
  year = {1993},
}
"""

ROMANO = """
@article{romano-wolf-2005-exact,
  author = {Romano, Joseph P. and Wolf, Michael},
  title = {Exact and Approximate Stepdown Methods for Multiple Hypothesis Testing},
  journal = {Journal of the American Statistical Association},
  year = {2005},
  volume = {100},
  number = {469},
  pages = {94--108},
  doi = {10.1198/016214504000000539},
}
"""

CORRECTIONS: dict[str, tuple[str, ...]] = {
    "holm": (HOLM,),
    "bh": (BH,),
    "maxt": (WESTFALL, ROMANO),
    "none": (),
}

BOOTSTRAP = """
@book{efron-tibshirani-1993-introduction,
  author = {Efron, Bradley and Tibshirani, Robert J.},
  title = {An Introduction to the Bootstrap},
  publisher = {Chapman \\& Hall},
  address = {New York},
  year = {1993},
  doi = {10.1201/9780429246593},
}
"""

BCA = """
@article{efron-1987-better,
  author = {Efron, Bradley},
  title = {Better Bootstrap Confidence Intervals},
  journal = {Journal of the American Statistical Association},
  year = {1987},
  volume = {82},
  number = {397},
  pages = {171--185},
  doi = {10.1080/01621459.1987.10478410},
}
"""

LETTERS = """
@article{piepho-2004-algorithm,
  author = {Piepho, Hans-Peter},
  title = {An Algorithm for a Letter-Based Representation of All-Pairwise Comparisons},
  journal = {Journal of Computational and Graphical Statistics},
  year = {2004},
  volume = {13},
  number = {2},
  pages = {456--466},
  doi = {10.1198/1061860043515},
}
"""


def literature_of_scores(evaluation: Evaluation, layout: Layout) -> list[str]:
    """Return the papers that scores rest on, each of them once.

    Parameters
    ----------
    evaluation : Evaluation
        Its metrics, intervals and comparisons.
    layout : Layout
        What is marked in its table.

    Returns
    -------
    list of str
        BibTeX: the papers of the metrics in their order, then those of the statistics.

    Raises
    ------
    PluginError
        If a plugin declares something else than BibTeX entries.
    """
    entries: dict[str, str] = {}
    for entry in (*_of_metrics(evaluation), *_of_statistics(evaluation, layout)):
        entries.setdefault(_key(entry), entry.strip())
    return list(entries.values())


def _key(entry: str) -> str:
    found = ENTRY.fullmatch(entry)
    assert found is not None, "entries are checked where they come from"
    return found["key"]


def _of_metrics(evaluation: Evaluation) -> Iterator[str]:
    for scorer in evaluation.scorers.values():
        yield from literature(scorer)


def literature(scorer: Scorer) -> list[str]:
    """Return the entries that the plugin of a metric declares, as BibTeX.

    Raises
    ------
    PluginError
        If it declares something else.
    """
    if scorer.declaration.literature is None:
        return []
    with attributed(f"the literature of metric {scorer.setup.entry}"):
        entries = list(load(scorer.declaration.literature)(scorer.setup.options))
        for entry in entries:
            if not isinstance(entry, str) or not ENTRY.fullmatch(entry):
                message = f"expected an entry in BibTeX, @KIND{{KEY, ...}}, got {entry!r}"
                raise ValueError(message)
    return entries


def _of_statistics(evaluation: Evaluation, layout: Layout) -> Iterator[str]:
    """Return the entries of tests, corrections, intervals and marks."""
    comparisons = evaluation.comparisons.values()
    for test in {comparison.test: None for comparison in comparisons}:
        yield TESTS[test]
    for correction in {comparison.correction: None for comparison in comparisons}:
        yield from CORRECTIONS[correction]
    intervals = [*evaluation.intervals.values(), *(one.interval for one in comparisons)]
    if intervals:
        yield BOOTSTRAP
    if any(interval.kind == "bca" for interval in intervals):
        yield BCA
    if marking(evaluation, layout) == "letters":
        yield LETTERS


def citation(entry: str) -> str:
    """Write an entry of BibTeX for readers: who, when, what and where.

    Parameters
    ----------
    entry : str
        The entry.

    Returns
    -------
    str
        One line.

    Examples
    --------
    >>> citation("@book{key, author = {Li, A. and Wu, B.}, title = {On {MT}}, year = 2001}")
    'Li and Wu (2001). On MT.'
    """
    plain = {name.lower(): _plain("".join(value)) for name, *value in FIELD.findall(entry)}
    names = [author.partition(",")[0] for author in plain.get("author", "").split(" and ")]
    who = ", ".join(names[:-1]) + " and " * (len(names) > 1) + names[-1]
    if len(names) > MOST_AUTHORS:
        who = f"{names[0]} et al."
    places = ("booktitle", "journal", "publisher", "howpublished", "institution", "url")
    where = next((plain[place] for place in places if place in plain), "")
    parts = [f"{who} ({plain.get('year', 'no year')})".strip(), plain.get("title", ""), where]
    return " ".join(part if part.endswith(".") else f"{part}." for part in parts if part)


def _plain(value: str) -> str:
    """Write a field without the commands of TeX."""
    value = value.replace("\\ss", "ß")
    value = ACCENT.sub(lambda match: match[2] + ACCENTS[match[1]], value)
    return unicodedata.normalize("NFC", " ".join(re.sub(r"[{}\\]", "", value).split()))

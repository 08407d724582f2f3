"""Literature of metrics, intervals and tests: as BibTeX entries."""

from __future__ import annotations

import re
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from mteval_core.errors import attributed, near
from mteval_core.plugin.validity import LITERATURE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mteval_core.evaluation.evaluation import Evaluation
    from mteval_core.plugin.declarations import MetricSpec, OptionValues
    from mteval_core.plugin.registry import Entry

BEGINNING = re.compile(r"^(?=@)", re.MULTILINE)
"""The beginning of an entry. BibTeX ignores what stands before the first one."""

ENTRY = re.compile(r"@\w+\{\s*(?P<key>[^\s,{}]+)\s*,.*\}\s*", re.DOTALL)

STATISTICS_BIB = Path(__file__).with_name("statistics.bib")

TEST_PAPERS = {"bs": "koehn-2004-statistical", "ar": "riezler-maxwell-2005-pitfalls"}

CORRECTION_PAPERS: dict[str, tuple[str, ...]] = {
    "holm": ("holm-1979-simple",),
    "bh": ("benjamini-hochberg-1995-controlling",),
    "maxt": ("westfall-young-1993-resampling", "romano-wolf-2005-exact"),
    "none": (),
}


def literature_of_scores(evaluation: Evaluation, *, letters: bool = False) -> list[str]:
    """Return the papers that scores rest on, each of them once.

    Parameters
    ----------
    evaluation : Evaluation
        Its metrics, intervals and comparisons.
    letters : bool
        Whether letters mark groups of systems in its table.

    Returns
    -------
    list of str
        BibTeX: the papers of the metrics in their order, then those of the statistics.

    Raises
    ------
    PluginError
        If a plugin declares what its BibTeX file does not hold.
    """
    ours = bibtex_entries(STATISTICS_BIB)
    cited = {key: ours[key] for key in _statistics(evaluation, letters=letters)}
    setups = (scorer.setup for scorer in evaluation.scorers.values())
    papers = [*(literature(setup.entry, setup.options) for setup in setups), cited]
    return [*{key: entry for some in papers for key, entry in some.items()}.values()]


def literature(entry: Entry[MetricSpec], options: OptionValues) -> dict[str, str]:
    """Return the papers that a metric declares, as BibTeX by their keys.

    Parameters
    ----------
    entry : Entry
        The metric and its plugin.
    options : mapping of str to object
        The metric's own options.

    Raises
    ------
    PluginError
        If the BibTeX file is missing, is damaged, or lacks an entry.
    """
    declared = entry.declaration.literature
    if declared is None:
        return {}
    with attributed(f"the literature of metric {entry}"):
        named = declared(options) if callable(declared) else declared
        if not LITERATURE.holds(named):
            raise ValueError(f"expected {LITERATURE.expected}, got {named!r}")
        file, _, keys = named.partition(":")
        path = Path(entry.plugin.folder, file)
        found = bibtex_entries(path)
        wanted = keys.split(",") if keys else [*found]
        for key in wanted:
            if key not in found:
                raise ValueError(f"{path} has no entry {key!r}.{near(key, found)}")
        return {key: found[key] for key in wanted}


def bibtex_entries(path: Path) -> dict[str, str]:
    """Read the entries of a BibTeX file, by their keys.

    Raises
    ------
    ValueError
        If the file is missing, or something in it is not an entry with a key of its own.
    """
    if not path.is_file():
        raise ValueError(f"{path}: no such file; is it among the package data of the plugin?")
    found: dict[str, str] = {}
    for text in BEGINNING.split(path.read_text("utf-8"))[1:] or [""]:
        matched = ENTRY.fullmatch(text)
        if not matched or text.count("{") != text.count("}") or matched["key"] in found:
            raise ValueError(
                f"{path}: expected an entry in BibTeX, @KIND{{KEY, ...}}, with balanced braces and "
                f"a key of its own, got {text.strip()!r}"
            )
        found[matched["key"]] = text.strip()
    return found


def _statistics(evaluation: Evaluation, *, letters: bool) -> Iterator[str]:
    """Yield the keys of the papers on tests, corrections, intervals and marks."""
    comparisons = evaluation.comparisons.values()
    yield from (TEST_PAPERS[one.test] for one in comparisons)
    yield from chain(*(CORRECTION_PAPERS[one.correction] for one in comparisons))
    intervals = [*evaluation.intervals.values(), *(one.interval for one in comparisons)]
    if intervals:
        yield "efron-tibshirani-1993-introduction"
    if any(interval.kind == "bca" for interval in intervals):
        yield "efron-1987-better"
    if letters:
        yield "piepho-2004-algorithm"

"""Tasks of ``mteval tasks``: lines of a file, or made from a data set."""

from __future__ import annotations

import re
import shlex
from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from mteval_core import Address, InputError, UnknownNameError, UsageError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from mteval_core import Dataset, Files, Options

__all__ = ["Line", "lines_of_data", "lines_of_file"]

SCORES = re.compile(r"(?P<name>[^=\[]+)(\[(?P<better>lower|higher)\])?(=(?P<file>.+))?")
"""The values of ``--scores``."""

SYSTEMS = ("--coefficient", "soft")
SEGMENTS = ("--level", "segment", "--group", "item", "--coefficient", "calibrated")
"""The arguments of the two tasks of each language pair at WMT 2024."""


class Line(NamedTuple):
    """A task as it is requested: where that stands, its name, and its arguments."""

    where: str
    name: str
    words: list[str]


# Tasks of a file


def lines_of_file(path: str) -> Iterator[Line]:
    """Read the file of tasks.

    Raises
    ------
    InputError
        If the file has no task, or a line is not one.
    """
    from mteval_core import read_text

    n = 0
    for number, content in enumerate(read_text(path, plain=False), 1):
        text, where = str(content), f"{path}:{number}"
        try:
            words = shlex.split(text, comments=True)
        except ValueError as error:
            raise InputError(f"{where}: {error}") from None
        if not words:
            continue
        name = words[0]
        if not name.endswith(":") or name == ":" or len(words) == 1:
            raise InputError(f"{where}: expected 'NAME: ARGUMENTS', got {text[:60]!r}")
        n += 1
        yield Line(where, name[:-1], words[1:])
    if not n:
        raise InputError(f"{path}: no tasks; expected lines 'NAME: ARGUMENTS'")


# Tasks of a data set


def lines_of_data(options: Options, files: Files) -> Iterator[Line]:
    """Make the tasks of WMT 2024 for each part of a data set, or each of its domains.

    Raises
    ------
    UsageError
        If no part has the scores, a part lacks the reference, or none or several human scores could
        be meant.
    """
    parts = {path: files.dataset(Address(path)) for path in files.parts(options.tasks.path)}
    known = {
        name
        for dataset in parts.values()
        for name in chain(*known_scores(dataset, options.references).items())
    }
    for path, dataset in parts.items():
        part = path.rpartition("/")[2]
        words = ["--data", path, "--human", human_scores_of(dataset, options.human)]
        scores = scores_of(dataset, options.scores, options.references, known)
        words += ["-r", options.references] if options.references else []
        given = [f"{name}={path}::{file}" for name, file in scores.items()]
        words += ["--scores", *given] if given else []
        words += ["-m", *(options.metrics or ["none"])]
        words += ["--no-outliers"] if options.no_outliers else []
        domains = dataset.texts.domains or ()
        if options.by_domain and not domains:
            raise UsageError(f"{path}: a data set without domains; leave out --by-domain")
        names: list[str | None] = [*dict.fromkeys(domains)] if options.by_domain else [None]
        for domain in names:
            only = ["--domain", domain] if domain else []
            name = f"{part} {domain}" if domain else part
            yield Line(path, f"{name} sys", [*words, *only, *SYSTEMS])
            yield Line(path, f"{name} seg", [*words, *only, *SEGMENTS])


def human_scores_of(dataset: Dataset, name: str | None) -> str:
    """Choose the human scores of segments of a data set."""
    known = dataset.judgments
    found = [key for key in known if known[key].level == "segment"] if name is None else [name]
    if len(found) != 1 or found[0] not in known:
        hint = (
            UnknownNameError.near(name, known)
            if name
            else f" Choose one with --human: {', '.join(found)}."
        )
        raise UsageError(f"{dataset.path}: expected one human score of segments.{hint}")
    return found[0]


def scores_of(
    dataset: Dataset,
    names: Sequence[str],
    reference: str | None = None,
    elsewhere: Collection[str] = (),
) -> dict[str, str]:
    """Choose scores of metrics: names for tables, with names in the data set.

    A name that other parts of the data set have is left out where it is missing.
    """
    known = known_scores(dataset, reference)
    of_segments = known.values()
    if not known:
        raise UsageError(f"{dataset.path}: no metric with scores of segments")
    chosen: dict[str, str] = {}
    for given in names:
        match = SCORES.fullmatch(given)
        if not match or match["file"]:
            raise UsageError(f"--scores {given}: expected the name of a metric of {dataset.path}")
        name, better = match["name"], match["better"]
        file = known.get(name, name)
        if file in of_segments:
            table = name if name in known else plain(dataset, file)
            chosen[f"{table}[{better}]" if better else table] = file
        elif name not in elsewhere:
            hint = UnknownNameError.near(name, known)
            raise UsageError(f"{dataset.path}: no scores of segments of {name!r}.{hint}")
    return chosen if names else known


def known_scores(dataset: Dataset, reference: str | None = None) -> dict[str, str]:
    """Name the scores of segments, by the names of their metrics for tables.

    A table names a metric without the level and the reference, unless this is ambiguous. Scores
    against another reference than the one that is chosen are left out.

    Raises
    ------
    UsageError
        If the data set does not have the reference.
    """
    references = dataset.reference_names
    if reference is not None and reference not in references:
        hint = UnknownNameError.near(reference, references)
        raise UsageError(f"{dataset.path}: no reference {reference!r}.{hint}")
    others = [f"-{name}" for name in references if reference not in (None, name)]
    files = [
        scores.name
        for scores in dataset.scores
        if scores.level == "segment" and not any(map(stem_of(scores.name).endswith, others))
    ]
    counts = Counter(plain(dataset, file) for file in files)
    names = {file: plain(dataset, file) for file in files}
    return {file if counts[name] > 1 else name: file for file, name in names.items()}


def stem_of(file: str) -> str:
    """Name of a file of scores without the level."""
    return file.rpartition(".")[0] or file


def plain(dataset: Dataset, file: str) -> str:
    """Name of a file of scores without the level and the reference."""
    stem = stem_of(file)
    ends = [f"-{reference}" for reference in ("src", *dataset.reference_names)]
    return next((stem.removesuffix(end) for end in ends if stem.endswith(end)), stem)

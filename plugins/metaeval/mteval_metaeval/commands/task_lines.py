"""Tasks of ``mteval tasks``: lines of a file, or made from a data set."""

from __future__ import annotations

import re
import shlex
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from mteval_core import InputError, UsageError, near
from mteval_core.data import Address

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from mteval_core import Dataset
    from mteval_core.commands import Options
    from mteval_core.data import Files

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
            message = f"{where}: {error}"
            raise InputError(message) from None
        if not words:
            continue
        name = words[0]
        if not name.endswith(":") or name == ":" or len(words) == 1:
            message = f"{where}: expected 'NAME: ARGUMENTS', got {text[:60]!r}"
            raise InputError(message)
        n += 1
        yield Line(where, name[:-1], words[1:])
    if not n:
        message = f"{path}: no tasks; expected lines 'NAME: ARGUMENTS'"
        raise InputError(message)


# Tasks of a data set


def lines_of_data(options: Options, files: Files) -> Iterator[Line]:
    """Make the tasks of WMT 2024 for each part of a data set, or each of its domains.

    Raises
    ------
    UsageError
        If scores are not those of every part, or none or several human scores could be meant.
    """
    for path in files.parts(options.tasks.path):
        dataset = files.dataset(Address(path))
        part = path.rpartition("/")[2]
        words = ["--data", path, "--human", human_scores_of(dataset, options.human)]
        scores = scores_of(dataset, options.scores)
        words += ["--scores", *(f"{name}={path}::{file}" for name, file in scores.items())]
        words += ["-m", *(options.metrics or ["none"])]
        words += ["--no-outliers"] if options.no_outliers else []
        domains = dataset.texts.domains or ()
        if options.by_domain and not domains:
            message = f"{path}: a data set without domains; leave out --by-domain"
            raise UsageError(message)
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
        hint = near(name, known) if name else f" Choose one with --human: {', '.join(found)}."
        message = f"{dataset.path}: expected one human score of segments.{hint}"
        raise UsageError(message)
    return found[0]


def scores_of(dataset: Dataset, names: Sequence[str]) -> dict[str, str]:
    """Choose scores of metrics: names for tables, with names in the data set.

    A table names a metric without the level and the reference, unless this is ambiguous.
    """
    of_segments = [scores.name for scores in dataset.scores if scores.level == "segment"]
    ends = tuple(f"-{reference}" for reference in ("src", *dataset.reference_names))

    def plain(file: str) -> str:
        stem = file.rpartition(".")[0] or file
        return next((stem.removesuffix(end) for end in ends if stem.endswith(end)), stem)

    counts = Counter(map(plain, of_segments))
    known = {file if counts[plain(file)] > 1 else plain(file): file for file in of_segments}
    if not known:
        message = f"{dataset.path}: no metric with scores of segments"
        raise UsageError(message)
    chosen: dict[str, str] = {}
    for given in names:
        match = SCORES.fullmatch(given)
        if not match or match["file"]:
            message = f"--scores {given}: expected the name of a metric of {dataset.path}"
            raise UsageError(message)
        name, better = match["name"], match["better"]
        file = known.get(name, name)
        if file not in of_segments:
            message = f"{dataset.path}: no scores of segments of {name!r}.{near(name, known)}"
            raise UsageError(message)
        table = name if name in known else plain(name)
        chosen[f"{table}[{better}]" if better else table] = file
    return chosen or known

"""``--human``: human scores, from tables, from other formats, or from the data set."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mteval_core.commands.data import Fields
from mteval_core.commands.inputs import is_input, named_tables
from mteval_core.errors import UsageError, near

if TYPE_CHECKING:
    import argparse

    from mteval_core.data.judgments import Judgments
    from mteval_core.data.reading import Files

__all__ = ["read_judgments_of"]


def read_judgments_of(arguments: argparse.Namespace, files: Files) -> Judgments:
    """Read the human scores of ``--human``.

    Raises
    ------
    UsageError
        If a name is not one of the data set, or other formats than tables are joined.
    InputError
        If a file cannot be read.
    """
    from mteval_core.data.judgment_files import read_judgments

    tables = named_tables(arguments.human)
    read = [named_judgments(name, path, arguments, files) for name, path in tables]
    found = [judgments for judgments in read if judgments is not None]
    if not found:
        return read_judgments(tables)
    if len(tables) > 1:
        message = (
            f"--human {' '.join(arguments.human)}: only tables can be joined; expected one of these"
        )
        raise UsageError(message)
    return found[0]


def named_judgments(
    name: str, path: str, arguments: argparse.Namespace, files: Files
) -> Judgments | None:
    """Read human scores of the data set, or in a format of data sets; None for a table."""
    is_name = not (name or is_input(path) or files.dataset_format(path))
    if arguments.data and is_name:
        known = files.dataset(f"{arguments.data}{Fields.of(arguments).of_data}").judgments
        if path not in known:
            message = f"{arguments.data} has no human scores {path!r}.{near(path, known)}"
            raise UsageError(message)
        return known[path]
    judgments = files.judgments(path)
    if judgments is None or not name:
        return judgments
    (criterion, *others) = judgments.criteria
    if others:
        names = ", ".join(judgments.criteria)
        message = f"{path} has several criteria, {names}: choose one with --criteria"
        raise UsageError(message)
    return judgments.choose([f"{name}={criterion}"])

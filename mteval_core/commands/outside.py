"""``--scores``: metrics that another program computed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from mteval_core.data.addresses import MARK
from mteval_core.errors import UsageError

if TYPE_CHECKING:
    import argparse

    from mteval_core.data.reading import Files
    from mteval_core.metrics.scorer import Scorer

__all__ = ["read_scores", "requested_scores"]

SCORES = re.compile(r"(?P<name>[^=\[]+)(\[(?P<better>lower|higher)\])?(=(?P<address>.+))?")
"""The values of ``--scores``."""


def requested_scores(word: str) -> tuple[str, str, str]:
    """Read a value of ``--scores``: name, direction and address; the latter two may be empty.

    Raises
    ------
    UsageError
        If it is not valid.
    """
    match = SCORES.fullmatch(word)
    if not match:
        message = f"--scores {word}: expected NAME=FILE, NAME[lower]=FILE, or NAME with --data"
        raise UsageError(message)
    return match["name"], match["better"] or "", match["address"] or ""


def read_scores(arguments: argparse.Namespace, files: Files) -> list[Scorer]:
    """Read the scores of ``--scores``, as metrics.

    Raises
    ------
    UsageError
        If a value is not valid, or names a metric that the data set does not have.
    InputError
        If a file cannot be read.
    """
    from mteval_core.metrics.outside import scorer_of

    scorers: list[Scorer] = []
    for name, better, address in map(requested_scores, arguments.scores):
        if not (address or arguments.data):
            message = f"--scores {name}: expected NAME=FILE; NAME alone needs --data"
            raise UsageError(message)
        address = address or f"{arguments.data}{MARK}{name}"
        scorers.append(scorer_of(files.scores(address, name, better), files.registry))
    return scorers

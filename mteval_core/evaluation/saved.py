"""Saved reports: reading what the format ``json`` writes."""

from __future__ import annotations

import json
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from mteval_core.errors import InputError
from mteval_core.evaluation.form import check_report

__all__ = ["Record", "SavedReport", "check_file", "read_json", "read_report"]

SavedReport = Mapping[str, Any]
"""Version, inputs, records and comparisons."""

Record = Mapping[str, Any]
"""One record of a report, see `mteval_core.evaluation.records`."""

MOST_BYTES = 1 << 28
"""Largest size of a report in bytes: what JSON holds takes ten times as much memory."""

MOST_DIGITS = 20
"""Longest whole number in a report."""


def read_report(path: str) -> SavedReport:
    """Read a report.

    Raises
    ------
    InputError
        If the file cannot be read or does not hold a report.
    """
    report = read_json(path, "what 'mteval score -f json' writes")
    try:
        check_report(report)
    except InputError as error:
        message = f"{path}: not a report of mteval: {error}"
        raise InputError(message) from None
    return cast("SavedReport", report)


def read_json(path: str, expected: str) -> Any:
    """Read a file of JSON without repeated keys, and with numbers that are finite.

    Parameters
    ----------
    path : str
        The file.
    expected : str
        What the file should be, for messages.

    Raises
    ------
    InputError
        If it cannot be read.
    """
    data = read_bounded(path)
    try:
        return json.loads(
            data, object_pairs_hook=without_repetition, parse_int=whole, parse_constant=refuse
        )
    except RecursionError:
        message = f"{path}: nested too deeply; expected {expected}"
        raise InputError(message) from None
    except ValueError as error:
        message = f"{path}: not JSON ({error}); expected {expected}"
        raise InputError(message) from None


def check_file(path: str) -> int:
    """Return the size of a regular file: it has an end, and opening it does not wait for a writer.

    Raises
    ------
    InputError
        If there is no such file, or it is a directory, device or pipe.
    """
    try:
        status = Path(path).stat()
    except OSError as error:
        message = f"{path}: {error.strerror}"
        raise InputError(message) from None
    except ValueError:
        message = f"{path!r} cannot be the path of a file"
        raise InputError(message) from None
    if not stat.S_ISREG(status.st_mode):
        message = f"{path}: not a regular file"
        raise InputError(message)
    return status.st_size


def read_bounded(path: str) -> bytes:
    """Read a file that is not too large for a report."""
    size = check_file(path)
    if size > MOST_BYTES:
        message = f"{path}: {size:,} bytes; a report has at most {MOST_BYTES:,}"
        raise InputError(message)
    try:
        # Files of the system can be longer than their size.
        with Path(path).open("rb") as stream:
            return stream.read(MOST_BYTES)
    except OSError as error:
        message = f"{path}: {error.strerror}"
        raise InputError(message) from None


def without_repetition(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Make a dictionary of the keys and values of an object."""
    values = dict(pairs)
    if len(values) < len(pairs):
        keys = [key for key, _ in pairs]
        repeated = next(key for key in keys if keys.count(key) > 1)
        message = f"an object has the key {repeated[:40]!r} twice"
        raise ValueError(message)
    return values


def whole(digits: str) -> int:
    """Read a whole number."""
    if len(digits) > MOST_DIGITS:
        message = f"a number of {len(digits)} digits"
        raise ValueError(message)
    return int(digits)


def refuse(constant: str) -> None:
    """Refuse NaN and Infinity, which JSON does not have."""
    message = f"{constant} is not a number"
    raise ValueError(message)

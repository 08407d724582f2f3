"""The form of a saved report: its keys, and the forms of their values.

The form is closed. Another key, or a value of another type or size, is an error that names its
place, so that whoever reads a report can rely on all of it.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from mteval_core import InputError, Layout, Signature, Spec, UsageError

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable

__all__ = ["MOST_TRIALS", "check_report"]

Form = Callable[[Any, str], None]
"""Checks a value; the string names its place in the report. Raises an `InputError`."""

LARGEST_COUNT = 2**53
"""Larger whole numbers are not exact in JSON."""

MOST_TRIALS = 1_000_000
"""Largest number of resamples or trials."""


def check_report(report: Any) -> None:
    """Check that a value has the form of a report, and that its parts belong together.

    Raises
    ------
    InputError
        If it does not; the message says where, what was seen and what was expected.
    """
    REPORT(report, "")
    records, comparisons = report["records"], report["comparisons"]
    check_unique((key_of(record, "level", "id") for record in records), "records")
    check_unique((key_of(pair, "baseline") for pair in comparisons), "comparisons")
    scored = {key_of(record) for record in records}
    for k, record in enumerate(records):
        check_system(record, report["inputs"], f"records[{k}].system")
        if (record["p_value"] is None) == ("difference" in record):
            raise InputError(f"records[{k}]: expected 'p_value' and 'difference', or neither")
        if record["level"] == "corpus" and None in (record["score"], *record["values"].values()):
            raise InputError(
                f"records[{k}]: expected finite numbers; only segments may have no score"
            )
        if record["level"] != records[0]["level"]:
            raise InputError(
                f"records[{k}].level: expected {records[0]['level']!r}, as in records[0]"
            )
    for k, pair in enumerate(comparisons):
        known = report["inputs"]["systems"]
        if key_of(pair) not in scored or not {pair["system"], pair["baseline"]} <= known.keys():
            raise InputError(f"comparisons[{k}]: the report has no score of this system and metric")


def key_of(record: Mapping[str, Any], *more: str) -> tuple[Hashable, ...]:
    """What identifies a record."""
    return tuple(record[key] for key in ("system", "metric", *more))


def check_unique(keys: Iterable[tuple[Hashable, ...]], where: str) -> None:
    """Refuse two records of the same system, metric and place."""
    for key, n in Counter(keys).items():
        if n > 1:
            raise InputError(f"{where}: {n} of them are of {key!r}; expected one")


def check_system(record: Mapping[str, Any], inputs: Mapping[str, Any], where: str) -> None:
    """Refuse a record of a system that is no input, no reference, and in no file of scores."""
    system = record["system"]
    from_file = "from_file_only" in record and inputs["scores"]
    is_human = system.endswith(" (human)") or system.startswith("human ")
    known = (system in inputs["systems"], from_file, is_human and len(inputs["references"]) > 1)
    if not any(known):
        raise InputError(f"{where}: {system!r} is not a system of the inputs")


# Forms of single values


def unexpected_value(value: Any, where: str, expected: str) -> InputError:
    """Make the error for a value of the wrong form."""
    seen = repr(value[:40] if isinstance(value, str) else value)
    if isinstance(value, (list, dict)):
        seen = "a list" if isinstance(value, list) else "an object"
    return InputError(f"{where or 'the report'}: expected {expected}, got {seen}")


def value_that(holds: Callable[[Any], bool], expected: str, *first: Form) -> Form:
    """Make the form of values for which a condition holds, and other forms before it."""

    def check(value: Any, where: str) -> None:
        for form in first:
            form(value, where)
        if not holds(value):
            raise unexpected_value(value, where, expected)

    return check


def is_name(value: Any) -> bool:
    """Whether a value is a string that can be a name."""
    return isinstance(value, str) and (value.isprintable() or Layout.printable(value) == value)


def is_finite(value: Any) -> bool:
    """Whether a value is a finite number."""
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return is_number and math.isfinite(value)


def string_like(pattern: str, expected: str) -> Form:
    """Make the form of strings that match a pattern."""
    matches = re.compile(pattern).fullmatch
    return value_that(lambda value: isinstance(value, str) and bool(matches(value)), expected)


def written_by(parse: Callable[[str], object], expected: str) -> Form:
    """Make the form of strings as mteval writes them: parsed and written again, they are equal."""

    def check(value: Any, where: str) -> None:
        PRINTABLE(value, where)
        try:
            written = str(parse(value))
        except UsageError as error:
            raise InputError(f"{where}: {error}") from None
        if written != value:
            raise unexpected_value(value, where, expected.format(written))

    return check


def integer(least: int, most: int = LARGEST_COUNT) -> Form:
    """Make the form of whole numbers from `least` to `most`."""

    def holds(value: object) -> bool:
        return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most

    return value_that(holds, f"a whole number from {least} to {most}")


def one_of(*allowed: str) -> Form:
    """Make the form of a choice among strings."""
    expected = " or ".join(map(repr, allowed))
    return value_that(lambda value: isinstance(value, str) and value in allowed, expected)


def optional(form: Form) -> Form:
    """Make the form of values that may be null."""

    def check(value: Any, where: str) -> None:
        if value is not None:
            form(value, where)

    return check


NUMBER = value_that(is_finite, "a finite number")
PERCENT = value_that(lambda value: 0 < value < 100, "a number of percent between 0 and 100", NUMBER)
BOOLEAN = value_that(lambda value: isinstance(value, bool), "true or false")
STRING = value_that(lambda value: isinstance(value, str), "a string")
PRINTABLE = value_that(is_name, "a string of printable characters")
SHA256 = string_like("[0-9a-f]{64}", "a SHA-256 of 64 hexadecimal digits")
DIGEST = string_like("[0-9a-f]{32}", "a digest of 32 hexadecimal digits")
SPEC = written_by(Spec.parse, "the spec {!r}")
SIGNATURE = written_by(Signature.parse, "the signature {}")


def config_value(value: Any, where: str) -> None:
    """Check a value of a configuration file."""
    for item in value if isinstance(value, list) else [value]:
        if not isinstance(item, (bool, str)):
            NUMBER(item, where)


def document_or_segment(value: Any, where: str) -> None:
    """Check the name of a document, or the number of a segment."""
    (PRINTABLE if isinstance(value, str) else integer(0))(value, where)


# Forms of lists and objects


def list_of(form: Form, least: int = 0) -> Form:
    """Make the form of lists of at least so many values."""

    def check(value: Any, where: str) -> None:
        if not isinstance(value, list) or len(value) < least:
            raise unexpected_value(value, where, f"a list of {least} values or more")
        for k, item in enumerate(value):
            form(item, f"{where}[{k}]")

    return check


def object_of(form: Form) -> Form:
    """Make the form of objects with names as their keys."""

    def check(value: Any, where: str) -> None:
        if not isinstance(value, dict):
            raise unexpected_value(value, where, "an object")
        for key, item in value.items():
            PRINTABLE(key, f"a key of {where}")
            form(item, f"{where}.{key}")

    return check


def object_with(required: Mapping[str, Form], more: Mapping[str, Form] | None = None) -> Form:
    """Make the form of objects with these keys and no others; those in `more` may be missing."""
    known = {**required, **(more or {})}

    def check(value: Any, where: str) -> None:
        if not isinstance(value, dict):
            raise unexpected_value(value, where, "an object")
        for key in sorted(value.keys() - known.keys() | required.keys() - value.keys()):
            message = f"{where or 'the report'}: the key {key[:40]!r} is "
            raise InputError(message + ("missing" if key in known else "not known"))
        for key, item in value.items():
            known[key](item, f"{where}.{key}".removeprefix("."))

    return check


# The report

COLUMN = object_with({"path": optional(STRING), "hash": DIGEST}, {"sha256": SHA256})
SOURCE = object_with(
    {"path": optional(STRING), "hash": DIGEST},
    {"sha256": SHA256, "columns": object_of(COLUMN)},
)
SCORES = object_with(
    {
        "name": PRINTABLE,
        "path": optional(STRING),
        "sha256": SHA256,
        "better": one_of("higher", "lower"),
    }
)
INTERVAL = {
    "low": NUMBER,
    "high": NUMBER,
    "level": PERCENT,
    "kind": one_of("percentile", "basic", "bca"),
}
RESAMPLES = {"mean": NUMBER, "n": integer(1, MOST_TRIALS)}
TRIALS = {
    "test": one_of("ar", "bs"),
    "trials": integer(1, MOST_TRIALS),
    "exact": BOOLEAN,
    "correction": one_of("holm", "bh", "maxt", "none"),
}
DIFFERENCE = object_with({"value": NUMBER, **INTERVAL, **RESAMPLES, **TRIALS, "all_pairs": BOOLEAN})
RECORD = object_with(
    {
        "system": PRINTABLE,
        "metric": SPEC,
        "level": one_of("corpus", "doc", "segment"),
        "id": optional(document_or_segment),
        "better": one_of("higher", "lower"),
        "score": optional(NUMBER),
        "values": object_of(optional(NUMBER)),
        "n_segments": integer(1),
        "signature": SIGNATURE,
        "ci": optional(object_with({**INTERVAL, **RESAMPLES})),
        "p_value": optional(NUMBER),
        "baseline": optional(PRINTABLE),
    },
    {
        "difference": DIFFERENCE,
        "from_file_only": value_that(lambda value: value is True, "true"),
        "runs": object_with({"scores": list_of(NUMBER), "sd": NUMBER}),
        "jackknife": object_with({"low": NUMBER, "high": NUMBER, "sd": NUMBER, "n": integer(1)}),
    },
)
COMPARISON = object_with(
    {
        "system": PRINTABLE,
        "baseline": PRINTABLE,
        "metric": SPEC,
        "difference": NUMBER,
        **INTERVAL,
        "p_raw": NUMBER,
        "p_value": NUMBER,
        **TRIALS,
    },
    {"margin": NUMBER, "p_equivalent": NUMBER, "p_not_worse": NUMBER},
)
CONFIG = object_with(
    {
        "path": STRING,
        "sha256": SHA256,
        "preset": optional(PRINTABLE),
        "values": object_of(config_value),
    }
)
"""Which defaults of a configuration file the command has taken."""
REPORT = object_with(
    {
        "mteval": PRINTABLE,
        "inputs": object_with(
            {
                "references": list_of(SOURCE),
                "systems": object_of(list_of(SOURCE, 1)),
                "docs": optional(SOURCE),
                "source": optional(SOURCE),
                "scores": list_of(SCORES),
                "plugins": list_of(STRING),
                "files": object_of(STRING),
            },
            {"columns": object_of(COLUMN)},
        ),
        "settings": object_of(object_of(STRING)),
        "records": list_of(RECORD, 1),
        "comparisons": list_of(COMPARISON),
    },
    {"config": CONFIG},
)

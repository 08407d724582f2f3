"""The form of a saved report: which keys it has, and what their values are.

The form is closed. Another key, or a value of another type or size, is an error that names its
place, so that whoever reads a report can rely on all of it.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from mteval_core.errors import InputError, UsageError
from mteval_core.evaluation.draw import CORRECTIONS, MOST_TRIALS
from mteval_core.evaluation.intervals import KINDS
from mteval_core.names import is_name
from mteval_core.signature import Signature
from mteval_core.spec import Spec

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable

__all__ = ["CONFIG", "check_report"]

Form = Callable[[Any, str], None]
"""Checks a value; the string names its place in the report. Raises an `InputError`."""

LARGEST_COUNT = 2**53
"""Larger whole numbers are not exact in JSON."""


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
            message = f"records[{k}]: expected 'p_value' and 'difference', or neither"
            raise InputError(message)
        if record["level"] != records[0]["level"]:
            message = f"records[{k}].level: expected {records[0]['level']!r}, as in records[0]"
            raise InputError(message)
    for k, pair in enumerate(comparisons):
        known = report["inputs"]["systems"]
        if key_of(pair) not in scored or not {pair["system"], pair["baseline"]} <= known.keys():
            message = f"comparisons[{k}]: the report has no score of this system and metric"
            raise InputError(message)


def key_of(record: Mapping[str, Any], *more: str) -> tuple[Hashable, ...]:
    """What identifies a record."""
    return tuple(record[key] for key in ("system", "metric", *more))


def check_unique(keys: Iterable[tuple[Hashable, ...]], where: str) -> None:
    """Refuse two records of the same system, metric and place."""
    for key, n in Counter(keys).items():
        if n > 1:
            message = f"{where}: {n} of them are of {key!r}; expected one"
            raise InputError(message)


def check_system(record: Mapping[str, Any], inputs: Mapping[str, Any], where: str) -> None:
    """Refuse a record of a system that is neither an input nor a reference scored as a system."""
    system = record["system"]
    is_human = system.endswith(" (human)") or system.startswith("human ")
    if system not in inputs["systems"] and not (is_human and len(inputs["references"]) > 1):
        message = f"{where}: {system!r} is not a system of the inputs"
        raise InputError(message)


# Forms of single values


def unexpected(value: Any, where: str, expected: str) -> InputError:
    """Make the error for a value of the wrong form."""
    seen = repr(value[:40] if isinstance(value, str) else value)
    if isinstance(value, (list, dict)):
        seen = "a list" if isinstance(value, list) else "an object"
    return InputError(f"{where or 'the report'}: expected {expected}, got {seen}")


def number(value: Any, where: str) -> None:
    """A finite number."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise unexpected(value, where, "a finite number")


def level_of_confidence(value: Any, where: str) -> None:
    """A number of percent."""
    number(value, where)
    if not 0 < value < 100:
        raise unexpected(value, where, "a number of percent between 0 and 100")


def share(value: Any, where: str) -> None:
    """A number from 0 to 1."""
    number(value, where)
    if not 0 <= value <= 1:
        raise unexpected(value, where, "a number from 0 to 1")


def truth(value: Any, where: str) -> None:
    """True or false."""
    if not isinstance(value, bool):
        raise unexpected(value, where, "true or false")


def text(value: Any, where: str) -> None:
    """A string."""
    if not isinstance(value, str):
        raise unexpected(value, where, "a string")


def name(value: Any, where: str) -> None:
    """A name, see `mteval_core.names`."""
    if not is_name(value):
        raise unexpected(value, where, "a string of printable characters")


def sha256(value: Any, where: str) -> None:
    """A SHA-256 in hexadecimal digits."""
    if not isinstance(value, str) or not re.fullmatch("[0-9a-f]{64}", value):
        raise unexpected(value, where, "a SHA-256 of 64 hexadecimal digits")


def digest(value: Any, where: str) -> None:
    """A digest of a text in hexadecimal digits."""
    if not isinstance(value, str) or not re.fullmatch("[0-9a-f]{32}", value):
        raise unexpected(value, where, "a digest of 32 hexadecimal digits")


def spec(value: Any, where: str) -> None:
    """A spec in the form in which mteval writes it."""
    name(value, where)
    try:
        written = str(Spec.parse(value))
    except UsageError as error:
        message = f"{where}: {error}"
        raise InputError(message) from None
    if written != value:
        raise unexpected(value, where, f"the spec {written!r}")


def signature(value: Any, where: str) -> None:
    """A signature, without a score behind it."""
    name(value, where)
    try:
        parsed = Signature.parse(value)
    except UsageError as error:
        message = f"{where}: {error}"
        raise InputError(message) from None
    if str(parsed) != value:
        raise unexpected(value, where, f"the signature {parsed}")


def setting(value: Any, where: str) -> None:
    """A value of a configuration file."""
    for item in value if isinstance(value, list) else [value]:
        if not isinstance(item, (bool, str)):
            number(item, where)


def whole(least: int, most: int = LARGEST_COUNT) -> Form:
    """A whole number from `least` to `most`."""

    def check(value: Any, where: str) -> None:
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            raise unexpected(value, where, f"a whole number from {least} to {most}")

    return check


def one_of(*allowed: str) -> Form:
    """One of several strings."""

    def check(value: Any, where: str) -> None:
        if not isinstance(value, str) or value not in allowed:
            raise unexpected(value, where, " or ".join(map(repr, allowed)))

    return check


def optional(form: Form) -> Form:
    """Null, or a value."""

    def check(value: Any, where: str) -> None:
        if value is not None:
            form(value, where)

    return check


def place(value: Any, where: str) -> None:
    """The name of a document, or the number of a segment."""
    if isinstance(value, str):
        name(value, where)
    else:
        whole(0)(value, where)


# Forms of lists and objects


def list_of(form: Form, least: int = 0) -> Form:
    """A list of at least so many values."""

    def check(value: Any, where: str) -> None:
        if not isinstance(value, list) or len(value) < least:
            raise unexpected(value, where, f"a list of {least} values or more")
        for k, item in enumerate(value):
            form(item, f"{where}[{k}]")

    return check


def mapping_of(form: Form) -> Form:
    """An object with names as its keys."""

    def check(value: Any, where: str) -> None:
        if not isinstance(value, dict):
            raise unexpected(value, where, "an object")
        for key, item in value.items():
            name(key, f"a key of {where}")
            form(item, f"{where}.{key}")

    return check


def fields(required: Mapping[str, Form], more: Mapping[str, Form] | None = None) -> Form:
    """An object with these keys and no others; those in `more` may be missing."""
    known = {**required, **(more or {})}

    def check(value: Any, where: str) -> None:
        if not isinstance(value, dict):
            raise unexpected(value, where, "an object")
        for key in sorted(value.keys() - known.keys() | required.keys() - value.keys()):
            message = f"{where or 'the report'}: the key {key[:40]!r} is "
            raise InputError(message + ("missing" if key in known else "not known"))
        for key, item in value.items():
            known[key](item, f"{where}.{key}".removeprefix("."))

    return check


# The report

SOURCE = fields({"path": optional(text), "hash": digest})
SCORES = fields(
    {
        "name": name,
        "path": optional(text),
        "sha256": sha256,
        "better": one_of("higher", "lower"),
    }
)
INTERVAL = {
    "low": number,
    "high": number,
    "level": level_of_confidence,
    "kind": one_of(*KINDS),
}
RESAMPLES = {"mean": number, "n": whole(1, MOST_TRIALS)}
TRIALS = {
    "test": one_of("ar", "bs"),
    "trials": whole(1, MOST_TRIALS),
    "exact": truth,
    "correction": one_of(*CORRECTIONS),
}
DIFFERENCE = fields({"value": number, **INTERVAL, **RESAMPLES, **TRIALS, "all_pairs": truth})
RECORD = fields(
    {
        "system": name,
        "metric": spec,
        "level": one_of("corpus", "doc", "segment"),
        "id": optional(place),
        "score": number,
        "values": mapping_of(number),
        "n_segments": whole(1),
        "signature": signature,
        "ci": optional(fields({**INTERVAL, **RESAMPLES})),
        "p_value": optional(number),
        "baseline": optional(name),
    },
    {
        "difference": DIFFERENCE,
        "runs": fields({"scores": list_of(number), "sd": number}),
        "jackknife": fields({"low": number, "high": number, "sd": number, "n": whole(1)}),
    },
)
COMPARISON = fields(
    {
        "system": name,
        "baseline": name,
        "metric": spec,
        "difference": number,
        **INTERVAL,
        "p_raw": number,
        "p_value": number,
        **TRIALS,
    },
    {"margin": number, "p_equivalent": number, "p_not_worse": number},
)
AGREEMENT = fields(
    {
        "system": name,
        "baseline": name,
        "metric": spec,
        "criterion": name,
        "difference": number,
        "agreement": share,
        "low": share,
        "high": share,
        "level": level_of_confidence,
        "largest": number,
        "kind": one_of("jackknife"),
    }
)
CONFIG = fields(
    {
        "path": text,
        "sha256": sha256,
        "profile": optional(name),
        "values": mapping_of(setting),
    }
)
"""Which defaults of a configuration file the command has taken."""
REPORT = fields(
    {
        "mteval": name,
        "inputs": fields(
            {
                "references": list_of(SOURCE),
                "systems": mapping_of(list_of(SOURCE, 1)),
                "docs": optional(SOURCE),
                "source": optional(SOURCE),
                "scores": list_of(SCORES),
                "plugins": list_of(text),
                "files": mapping_of(text),
            }
        ),
        "records": list_of(RECORD, 1),
        "comparisons": list_of(COMPARISON),
    },
    {"agreements": list_of(AGREEMENT), "config": CONFIG},
)

"""``mteval diff``: compare two saved reports, or two signatures."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from mteval_core import Arguments, Signature

if TYPE_CHECKING:
    from mteval_core import Registry, Session

__all__ = ["add_arguments", "run"]

TEXT_FIELDS = (*Signature.TEXTS, "lang", "origlang", "subset", "test")
"""Fields that state which texts were scored; sacreBLEU writes the last four."""


def add_arguments(arguments: Arguments) -> None:
    """Declare the arguments of the command."""
    what = "a report written by 'score -f json', or a signature of mteval or sacreBLEU"
    arguments.basic("before after --tolerance --all -f -o --title --note")
    arguments.add("before", file="input", metavar="A.json|SIGNATURE", help=what)
    arguments.add("after", file="input", metavar="B.json|SIGNATURE", help="the other one").refuse(
        "a report and a signature: give two reports, or two signatures",
        lambda o: means_signature(o.before) != means_signature(o.after),
    )
    arguments.add(
        "--tolerance",
        type=Arguments.number_between(-1e-99, 1e9, "a number of at least 0"),
        metavar="T",
        help="ignore relative differences up to T (default: that of the metric, at least 1e-9)",
    ).refuse(
        "--tolerance applies to the scores of reports: leave it out",
        lambda o: o.tolerance is not None and means_signature(o.before),
    )
    arguments.decide("tolerance")
    arguments.add("--all", action="store_true", help="also show records or fields that agree")
    arguments.group("output").share("formats")


def means_signature(what: str) -> bool:
    """Tell a signature from the path of a report."""
    return Signature.is_meant(what) and not os.path.lexists(what)


def run(session: Session) -> int:
    """Write what differs; return 1 if records differ, or scores cannot be compared."""
    from mteval_decide.diff import diff
    from mteval_decide.reports.changes import of_diff
    from mteval_decide.saved import SavedReport

    options = session.options
    paths = {"before": options.before, "after": options.after}
    if means_signature(options.before):
        return diff_signatures(session, paths)
    before, after = map(SavedReport.read, paths.values())
    changes = diff(before, after, options.tolerance, registry=session.registry)
    how = {"tolerance": options.tolerance}
    session.write(of_diff(changes, paths, how, all_records=options.all))
    return 0 if all(change.same for change in changes) else 1


def diff_signatures(session: Session, given: dict[str, str]) -> int:
    """Write the fields that differ, and whether the scores can be compared."""
    from mteval_core import Report
    from mteval_core.report import Column, Table
    from mteval_decide.reports.numbers import DASH

    old, new = (signed_fields(text, session.registry) for text in given.values())
    fields = {key: {"before": old.get(key), "after": new.get(key)} for key in {**old, **new}}
    differ = [key for key, values in fields.items() if values["before"] != values["after"]]
    # A field of texts that one side leaves out may be equal.
    stated = [key for key in TEXT_FIELDS if key in old and key in new]
    others = {*Signature.DRAW, *Signature.SOFTWARE, *TEXT_FIELDS}.difference(stated)
    hinder = [key for key in differ if key not in others][: 1 if "metric" in differ else None]
    versions = " and these versions compute the same" if {*differ} & {*Signature.SOFTWARE} else ""
    keys = fields if session.options.all else differ
    columns = [Column.of(side, [fields[key][side] or DASH for key in keys]) for side in given]
    table = Table("", ("field",), tuple((key,) for key in keys), tuple(columns))
    report = Report.of(
        experiment="diff",
        title="Signatures",
        summary=f"The scores cannot be compared: another {' and '.join(hinder)}."
        if hinder
        else f"The scores can be compared if the texts are the same{versions}.",
        parts=[table] if keys else [],
        records=[{"field": key, **fields[key]} for key in keys],
        inputs=given,
    )
    session.write(report)
    return 1 if hinder else 0


def signed_fields(text: str, registry: Registry) -> dict[str, str | None]:
    """Return the metric of a signature, all of its options, and what else is signed."""
    from mteval_core import metric

    signature, _ = Signature.quoted(text)
    setup = metric(text, registry=registry).setup
    options = {key: "+".join(items) for key, items in setup.fields.items()}
    keys = (*TEXT_FIELDS, *Signature.DRAW, *Signature.SOFTWARE)
    stated = {key: value for key in keys if (value := signature.get(key)) is not None}
    return {"metric": setup.entry.qualified, **options, **stated}

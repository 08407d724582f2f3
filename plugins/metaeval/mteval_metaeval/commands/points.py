"""``mteval points``: say how often people agree with differences between systems."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mteval_core import Arguments, Session

__all__ = ["add_arguments", "run"]


def add_arguments(arguments: Arguments) -> None:
    """Declare the arguments of the command."""
    arguments.basic("study references -i -m --data --lang -f -o -w -q")
    arguments.describe(
        "Say how often people agree with the differences between systems, as measured in a study "
        "of metrics and human judgments: mteval correlate --calibrate -o STUDY.json."
    )
    arguments.add("study", file="input", metavar="STUDY.json", help="the study")
    arguments.share("references", "systems", "metrics")
    arguments.group("data").share("data", "scores")
    arguments.share("text", sets=True)
    arguments.group("several references").share("several references")
    pairs = arguments.group("pairs")
    pairs.add(
        "--all-pairs",
        action="store_true",
        help="compare every system with every other, not only with the first",
    ).refuse(
        "expected references and systems: mteval points STUDY.json REF REF... -i SYS...",
        lambda o: not (o.data or (o.references and o.input)),
    )
    arguments.group("output").share("output")


def run(session: Session) -> None:
    """Score the systems, look their differences up in the study, and write the report."""
    from hashlib import sha256

    from mteval_core import open_binary
    from mteval_metaeval.reports.points import of_quotes
    from mteval_metaeval.saved_curves import curves_in, quotes

    options = session.options
    with open_binary(options.study) as stream:
        data = stream.read()
    curves = curves_in(data, options.study)
    evaluation = session.evaluation("corpus")
    found = quotes(evaluation, curves, all_pairs=options.all_pairs)
    study = {"path": options.study, "sha256": sha256(data).hexdigest()}
    session.write(of_quotes(evaluation, found, study, options.width))

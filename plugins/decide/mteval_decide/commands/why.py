"""``mteval why``: what changed between an output of a saved report and a new one."""

from __future__ import annotations

import shlex
import warnings
from typing import TYPE_CHECKING

from mteval_core import Arguments
from mteval_decide.commands.base import add_base, add_moved, read_base

if TYPE_CHECKING:
    from mteval_core import Scorer, Session
    from mteval_decide.base import Base

__all__ = ["add_arguments", "run"]

ON_TERMINAL = 3
"""Number of segments that a terminal shows, of those that lost most."""


def add_arguments(arguments: Arguments) -> None:
    """Declare the arguments of the command."""
    arguments.basic("base references -i -m --top -f -o -w -q")
    arguments.describe(
        "Say what changed between the output of a saved report and a new one: parts of the score, "
        "lengths, numbers and names, damage, and the segments that lost most."
    )
    add_base(
        arguments,
        systems="the new output, PATH, NAME=PATH, or NAME=PATH,PATH,... for several runs; it is "
        "compared with the system of its name in the report, or with the only one",
    )
    arguments.add(
        "-m",
        "--metric",
        metavar="METRIC",
        help="the metric whose parts are shown and which ranks the segments (default: the first "
        "of the report)",
    ).refuse("one output is compared with the base: name one after -i", lambda o: len(o.input) > 1)
    add_moved(arguments)
    output = arguments.group("output")
    output.share("output", changes=("table",))
    output.add(
        "--top",
        type=Arguments.whole_number(0, 20, "number of segments"),
        metavar="N",
        help=f"show the N segments that lost most (default: 20, on a terminal {ON_TERMINAL})",
    )


def run(session: Session) -> None:
    """Compare the outputs, and write the report."""
    from mteval_decide.base import score_with
    from mteval_decide.gate import find_metric
    from mteval_decide.reports.why import of_changes
    from mteval_decide.why import MOST, changes

    options = session.options
    base = read_base(options)
    with warnings.catch_warnings(record=True) as caught:
        evaluation, baselines = score_with(
            base, session.texts.systems, session.files, threads=options.threads
        )
    scorers = evaluation.scorers
    spec = find_metric(options.metric, scorers) if options.metric else next(iter(scorers))
    (pair,) = baselines.items()
    top = options.top
    if top is None:
        top = ON_TERMINAL if session.on_terminal else MOST
    inputs = evaluation.to_dict()["inputs"]
    found = changes(evaluation, pair, spec, session.registry)
    reported = {one.code for one in found.findings if one.where == "now"}
    for one in caught:
        if options.strict or getattr(one.message, "code", "") not in reported:
            warnings.warn(one.message, stacklevel=1)
    report = of_changes(
        found,
        evaluation,
        commands(session, base, scorers[spec]),
        inputs={"base": base.report["inputs"], "systems": inputs["systems"]},
        top=top,
        decimals=options.width,
    )
    session.write(report)


def commands(session: Session, base: Base, scorer: Scorer) -> dict[str, str]:
    """Write the commands that show more, those that are installed, by what they show."""
    from mteval_core import CommandSpec

    inputs = base.report["inputs"]
    ((name, runs),) = session.texts.systems.items()
    old = base.predecessor(name)
    paths = {
        "refs": [str(one) for one in base.references]
        or [one["path"] for one in inputs["references"]],
        "old": [str(one) for one in base.systems.get(old, ())]
        or [one["path"] for one in inputs["systems"][old]],
        "new": [str(one) for one in runs],
    }
    if not all(one and one != "-" for some in paths.values() for one in some):
        return {}
    refs, before, after = (shlex.join(some) for some in paths.values())
    systems = shlex.join([f"base={','.join(paths['old'])}", f"{name}={','.join(paths['new'])}"])
    first = shlex.join([f"base={paths['old'][0]}", f"{name}={paths['new'][0]}"])
    ranked = f"-m {shlex.quote(str(scorer.spec))} --worse {shlex.quote(name)} base"
    known = {
        "explain": ("matches", f"{refs} -i {first} {ranked}"),
        "profile": ("kinds of words", f"{refs} -i {systems}"),
        "doctor": ("damage", f"{refs} {before} {after}"),
    }
    return {
        what: f"mteval {command} {arguments}"
        for command, (what, arguments) in known.items()
        if session.registry.of_name(CommandSpec, command)
        and (command != "explain" or scorer.declaration.unit == "segment")
    }

"""``mteval power``: the differences that a test set can show, and the size that it needs."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from mteval_core import Arguments
from mteval_decide.commands.units import add_units
from mteval_decide.commands.values import p_value_below, points

if TYPE_CHECKING:
    from mteval_core import Session

__all__ = ["add_arguments", "run"]


def add_arguments(arguments: Arguments) -> None:
    """Declare the arguments of the command."""
    arguments.basic("references -i -m --effect --power --all-pairs --by --data -f -o -w -q")
    arguments.describe(
        "Show how small a difference between systems a test set can show, and how many segments or "
        "documents a test needs to find it. The systems are a pilot: yours, or similar ones."
    )
    arguments.share("references", "systems", "metrics")
    test = arguments.group("the test")
    test.add(
        "--effect",
        type=points,
        metavar="D",
        help="the true difference to find, in points of every metric (default: the difference "
        "between the systems)",
    )
    test.add(
        "--power",
        type=Arguments.number_between(50, 100, "a number of percent between 50 and 100"),
        default=80.0,
        metavar="PERCENT",
        help="the probability of finding it (default: %(default)g)",
    )
    test.add(
        "--alpha",
        type=p_value_below(1),
        default=0.05,
        metavar="P",
        help="p-values below P are significant; for m comparisons, divide it by m (default: "
        "%(default)g)",
    )
    add_units(test, help="the test draws segments or whole documents")
    test.add("--all-pairs", action="store_true", help="compare every system with every other")
    looks = arguments.group("looking early")
    looks.add(
        "--sequential",
        choices=("pocock", "obrien-fleming"),
        help="plan a test that may stop early, with bounds of this kind, while segments come in",
    )
    looks.add(
        "--looks",
        type=numbers_of_units,
        default=5,
        metavar="K|N,N,...",
        help="K looks, up to the size that finds the effect; or looks at these numbers of segments "
        "or documents, which are taken as far as there are data (default: %(default)s)",
    ).refuse(
        "--looks applies to sequential tests: add --sequential pocock or obrien-fleming",
        lambda o: o.given("looks") and not o.sequential,
    )
    data = arguments.group("data")
    data.share("data", "documents", "scores", "several references")
    arguments.share("text")
    arguments.group("output").share("output", changes=("table",))


def numbers_of_units(text: str) -> int | list[int]:
    """Read the value of ``--looks``."""
    from mteval_decide.sequential import MOST_LOOKS

    if "," not in text:
        return Arguments.whole_number(1, MOST_LOOKS, "number of looks")(text)
    read = Arguments.whole_number(2, 10**9, "number of segments or documents")
    sizes = list(map(read, text.split(",")))
    if sizes != sorted(set(sizes)) or len(sizes) > MOST_LOOKS:
        raise argparse.ArgumentTypeError(
            f"expected at most {MOST_LOOKS} numbers that increase, got {text!r}"
        )
    return sizes


def run(session: Session) -> None:
    """Score the pilot, compute the power and write the report."""
    from mteval_decide.power import Plan, powers
    from mteval_decide.reports.power import of_power
    from mteval_decide.reports.sequential import of_looks
    from mteval_decide.sequential import monitor

    options = session.options
    evaluation = session.evaluation()
    plan = Plan(options.effect, options.power / 100, options.alpha, options.by)
    kind, all_pairs = options.sequential, options.all_pairs
    if kind:
        looks = monitor(evaluation, plan, kind, options.looks, all_pairs=all_pairs)
        session.write(of_looks(evaluation, plan, kind, looks, decimals=options.width))
    else:
        found = powers(evaluation, plan, all_pairs=all_pairs)
        session.write(of_power(evaluation, plan, found, options.width))

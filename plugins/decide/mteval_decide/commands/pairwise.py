"""``mteval pairwise``: compare systems two by two, and rank them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mteval_core import Arguments, Text, UsageError
from mteval_decide.commands.units import add_units

if TYPE_CHECKING:
    from mteval_core import Session

__all__ = ["add_arguments", "run"]


def add_arguments(arguments: Arguments) -> None:
    """Declare the arguments of the command."""
    arguments.basic("references -i -m --test --by --data --source -f -o -w -q")
    arguments.describe(
        "Compare all systems two by two, by metrics that compare two outputs, such as a judge of "
        "preferences: the score of each system against each other, paired tests, and a ranking of "
        "Bradley and Terry with intervals."
    )
    arguments.share("references")
    arguments.share(
        "systems", help="system outputs, each PATH, PATH::FIELD or NAME=PATH; two systems or more"
    )
    arguments.share("metrics")
    group = arguments.group("pairs")
    group.add(
        "--test",
        choices=("ar", "bs"),
        default="ar",
        help="paired test of the two scores of a pair: approximate randomisation, or a bootstrap "
        "(default: %(default)s)",
    )
    group.add(
        "--trials",
        type=Arguments.whole_number(1, 1_000_000),
        default=10_000,
        metavar="N",
        help="trials of approximate randomisation (default: %(default)s)",
    ).refuse(
        "--trials applies to approximate randomisation: leave it out, or --test bs",
        lambda o: o.given("trials") and o.test == "bs",
    )
    add_units(group, help="draw and exchange segments or whole documents")
    group.share("resamples", help="bootstrap resamples (default: %(default)s)")
    group.share("confidence level", "seed")
    arguments.group("data").share("data", "documents")
    arguments.share("text")
    arguments.group("output").share("output", changes=("table",))


def run(session: Session) -> None:
    """Compare the systems and write the report."""
    from mteval_decide.pairs import tournament
    from mteval_decide.reports.pairs import of_pairs

    options = session.options
    if not options.metrics:
        raise UsageError("name a metric that compares systems: -m METRIC")
    scorers, dataset = session.metrics(), session.dataset()
    texts = {}
    for name in dataset.systems:
        first, *others = dataset.runs(name)
        if others:
            raise UsageError(f"system {name!r} has several runs: name the one to compare")
        texts[name] = Text.of(first)
    names = ("test", "trials", "resamples", "by", "seed")
    settings = {key: getattr(options, key) for key in names} | {"level": options.ci_level}
    found = [tournament(scorer, texts, dataset.texts, **settings) for scorer in scorers]
    session.write(of_pairs(found, texts, dataset.texts, settings, decimals=options.width))

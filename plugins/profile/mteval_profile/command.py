"""``mteval profile``: strengths and weaknesses of systems, in figures and by part of the set."""

from __future__ import annotations

from argparse import ArgumentTypeError
from typing import TYPE_CHECKING

from mteval_core import Arguments, MetricSpec

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mteval_core import Evaluation, Options, Registry, Scorer, Session, Subset, TestSet
    from mteval_profile.report import Profile

__all__ = ["add_arguments", "run"]

LENGTHS = (10, 20, 30, 40, 50, 60)
"""Lengths in words at which parts begin, the first one apart."""

MOST_NUMBERS = 1_000_000
"""Largest length."""


def add_arguments(arguments: Arguments) -> None:
    """Declare the arguments of the command."""
    arguments.basic("references -i -m --split --source --docs --domains --lang --data -f -o -w -q")
    arguments.describe(
        "Show what systems do well and badly: figures of plugins, such as lost names and numbers, "
        "repetitions and lengths, and the scores of parts of the test set. Every number has an "
        "interval, and a mark if it differs from that of the first system."
    )
    arguments.share("references")
    arguments.share(
        "systems",
        help="system outputs, each PATH, PATH::FIELD or NAME=PATH; the first is the baseline",
        from_stdin=True,
    )
    arguments.share("metrics", default="none; with metrics, their scores by length and by document")
    arguments.add(
        "--figures",
        nargs="+",
        completes="metrics",
        metavar="SPEC",
        help="figures, which are metrics, too: NAME or NAME:KEY=VALUE,... (default: those that "
        "plugins declare)",
    )
    add_parts(arguments.group("parts"))
    data = arguments.group("data")
    data.share("data", "scores", "empty references")
    arguments.share("text")
    statistics = arguments.group("intervals and tests")
    statistics.share("resamples")
    statistics.add(
        "--resampler",
        default="bootstrap",
        completes="resamplers",
        metavar="R",
        help="how to resample (see 'mteval list resamplers'; default: %(default)s)",
    )
    statistics.share("confidence level", "correction", "seed", "interval")
    arguments.group("output").share("output", kinds=("table", "picture", "record"), decimals=1)


def add_parts(group: Arguments) -> None:
    """Declare the parts of the test set."""
    group.add(
        "--split",
        nargs="+",
        choices=("length", "doc", "domain"),
        help="which parts: length of the reference in words, document, domain (default: all that "
        "are known)",
    ).refuse(
        "--split, --lengths, --docs and --domains divide the scores of metrics: add -m METRIC",
        lambda o: not has_metrics(o) and (o.split or o.lengths or o.docs or o.domains),
    ).refuse(
        "--split doc needs --docs FILE, with the document id of each segment, or --data",
        lambda o: "doc" in o.split and not (o.docs or o.data),
    ).refuse(
        "--split domain needs --domains FILE, with the domain of each segment, or --data",
        lambda o: "domain" in o.split and not (o.domains or o.data),
    ).refuse(
        "--docs applies to documents: add --split doc", lambda o: o.docs and leaves_out(o, "doc")
    ).refuse(
        "--domains applies to domains: add --split domain",
        lambda o: o.domains and leaves_out(o, "domain"),
    )
    group.add(
        "--lengths",
        type=whole_numbers,
        metavar="N,N,...",
        help="lengths at which a new part begins (default: 10,20,30,40,50,60)",
    ).refuse(
        "--lengths applies to lengths: add --split length",
        lambda o: o.lengths and leaves_out(o, "length"),
    )
    group.share("documents", "domains")


def whole_numbers(text: str) -> list[int]:
    """Read whole numbers from 1, separated by commas, as a sorted list without repetitions."""
    try:
        return sorted({Arguments.whole_number(1, MOST_NUMBERS)(part) for part in text.split(",")})
    except ArgumentTypeError:
        raise ArgumentTypeError(
            f"expected whole numbers from 1, separated by commas, got {text!r}"
        ) from None


def has_metrics(options: Options) -> bool:
    """Whether there are metrics whose scores are shown by parts."""
    return bool(options.metrics or options.scores)


def leaves_out(options: Options, part: str) -> bool:
    """Whether ``--split`` names parts, but not these."""
    return bool(options.split) and part not in options.split


def run(session: Session) -> None:
    """Score the systems as a whole and in parts, and write the report."""
    from mteval_profile.report import of_profile

    options = session.options
    chosen = ("seed", "ci_level", "correct", "resampler", "interval")
    settings = {key: getattr(options, key) for key in chosen}
    session.write(of_profile(profile(session), settings, options.width))


def profile(session: Session) -> Profile:
    """Compute the metrics and figures, and the metrics in all parts."""
    from mteval_core import evaluate
    from mteval_profile.report import Profile

    dataset = session.dataset()
    figures, notes = requested_figures(session)
    metrics = session.metrics(default=False, also=figures)
    evaluation = evaluate(
        dataset,
        [*metrics, *figures],
        registry=session.registry,
        threads=session.options.threads,
    )
    specs = [str(scorer.spec) for scorer in metrics]
    parts = [
        (part, tested(part.evaluation(evaluation, specs), session))
        for part in requested_parts(session, dataset.texts)
    ]
    return Profile(
        tested(evaluation, session),
        tuple(str(scorer.spec) for scorer in figures if str(scorer.spec) not in specs),
        tuple(parts),
        tuple(notes),
    )


def tested(evaluation: Evaluation, session: Session) -> Evaluation:
    """Add intervals, and tests against the first system if there are enough segments."""
    from mteval_profile.report import FEW

    n = len(evaluation.scores.test_set)
    if n < 2:
        return evaluation
    options = session.options
    drawn = {
        "level": options.ci_level,
        "seed": options.seed,
        "resampler": options.resampler,
        "interval": options.interval,
        "registry": session.registry,
        "threads": options.threads,
    }
    evaluation = evaluation.confidence(options.resamples, **drawn)
    if n < FEW or len(evaluation.systems) < 2:
        return evaluation
    return evaluation.compare("ar", correct=options.correct, **drawn)


def every_figure(registry: Registry) -> list[str]:
    """Return the specs of the figures that metrics declare, as `Registry.default_metrics` does."""
    return [
        registry.spec(entry).removesuffix(entry.declaration.name) + spec
        for entry in registry.of_kind(MetricSpec)
        for spec in entry.declaration.figures
    ]


def requested_figures(session: Session) -> tuple[list[Scorer], list[str]]:
    """Resolve the figures; leave out those of plugins that need a source if there is none."""
    options = session.options
    scorers = list(map(session.metric, options.figures or every_figure(session.registry)))
    if options.figures or session.texts.references.texts.source is not None:
        return scorers, []
    without = [scorer for scorer in scorers if scorer.declaration.source != "required"]
    names = sorted({scorer.label for scorer in scorers if scorer not in without})
    notes = [f"Left out, because they need --source FILE: {', '.join(names)}."] if names else []
    return without, notes


def requested_parts(session: Session, test_set: TestSet) -> Iterator[Subset]:
    """Divide the test set as the options say; not at all if there is no metric."""
    from mteval_core import Subset

    options = session.options
    known = {"length": True, "doc": test_set.documents, "domain": test_set.domains}
    wanted = options.split or [part for part, names in known.items() if names]
    for part in wanted if has_metrics(options) else ():
        tok, lengths = session.defaults.get("tok", "13a"), options.lengths or LENGTHS
        yield from Subset.of(test_set, part, session.registry, lengths=lengths, tok=tok)

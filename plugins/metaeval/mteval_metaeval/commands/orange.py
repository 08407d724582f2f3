"""``mteval orange``: compare metrics by how high they rank references in n-best lists."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mteval_core import UsageError

if TYPE_CHECKING:
    from mteval_core import Address, Arguments, Session, Text

__all__ = ["add_arguments", "run"]


def add_arguments(arguments: Arguments) -> None:
    """Declare the arguments of the command."""
    arguments.basic("references -i -m -n --data --lang -f -o -w -q")
    arguments.describe(
        "Compare metrics without human judgments: the better metric ranks references higher among "
        "other translations of the same segments (ORANGE, Lin and Och 2004)."
    )
    arguments.share("references")
    arguments.share(
        "systems",
        help="n-best lists: FILE.nbest, FILE::FIELD[*] with a list for each segment, or outputs of "
        "systems, which are n-best lists too",
    )
    arguments.share("metrics")
    texts = arguments.group("text processing")
    texts.share("pipeline", "text sets", "empty references")
    data = arguments.group("data")
    data.share("data", "documents")
    intervals = arguments.group("intervals")
    intervals.share(
        "resamples",
        help="resamples of the segments; 0 for no intervals (default: %(default)s)",
        or_none=True,
    ).refuse(
        "expected references and candidates: mteval orange REF REF... -i LISTS...",
        lambda o: not (o.data or (o.references and o.input)),
    ).refuse(
        "-n 0 means no intervals: leave out --ci-level, --interval and --seed",
        lambda o: o.resamples == 0 and o.given("ci_level", "interval", "seed"),
    )
    intervals.share("confidence level", "seed", "interval")
    arguments.group("output").share("output")


def run(session: Session) -> None:
    """Rank the references and write the report."""
    from mteval_core import progress
    from mteval_metaeval import Resampling, orange
    from mteval_metaeval.reports.orange import of_orange

    options = session.options
    resampling = Resampling(
        n=options.resamples,
        level=options.ci_level,
        seed=options.seed,
        interval=options.interval,
        threads=options.threads,
    )
    metrics = session.metrics()
    result = orange(
        candidates(session),
        session.texts.references.texts,
        metrics,
        sets=options.sets.split(",") if options.sets else None,
        resampling=resampling,
        registry=session.registry,
        defaults=session.defaults,
        threads=options.threads,
        bar=progress,
    )
    session.write(of_orange(result, resampling, options.width))


def candidates(session: Session) -> dict[str, Text]:
    """Read the n-best lists of ``-i``, and the outputs of the data set, place by place."""
    dataset = session.texts.references
    lists = {name: dataset.runs(name) for name in dataset.systems}
    for name, addresses in session.texts.systems.items():
        if name in lists:
            raise UsageError(f"{dataset.path} has a system {name!r} too: name yours, NAME=PATH")
        lists[name] = [text for address in addresses for text in texts_of(address, session)]
    return {
        f"{name} {k}" if len(texts) > 1 else name: text
        for name, texts in lists.items()
        for k, text in enumerate(texts, 1)
    }


def texts_of(address: Address, session: Session) -> list[Text]:
    """Read a list for each segment, place by place; or one text."""
    files = session.files
    if not address.field and files.dataset_format(address.path):
        found = files.dataset(address)
        return [text for name in found.systems for text in found.runs(name)]
    return session.texts.outputs(address)

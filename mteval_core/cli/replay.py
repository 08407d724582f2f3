"""``mteval replay``: compute a score again from its signature."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING

from mteval_core.cli.registry import requested_registry
from mteval_core.cli.score import decimals, named_inputs, once, read
from mteval_core.errors import UsageError

if TYPE_CHECKING:
    import argparse

    from mteval_core.metrics.scorer import Scorer
    from mteval_core.signature import Signature
    from mteval_core.text.text import TestSet


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command's arguments."""
    parser.add_argument(
        "what",
        metavar="SIGNATURE|REPORT.json",
        help="signature, mteval's or sacreBLEU's (with ' = SCORE' behind it the score is "
        "compared), or a report written by 'score -f json'",
    )
    parser.add_argument(
        "references",
        nargs="*",
        metavar="REF",
        help="reference files (a report knows where they were)",
    )
    parser.add_argument(
        "-i",
        "--input",
        nargs="+",
        metavar="SYS",
        help="system output; for a report PATH or NAME=PATH where it is not at its old place",
    )
    parser.add_argument("--docs", metavar="FILE", help="document ids, for a report")
    parser.add_argument(
        "-w",
        "--width",
        type=decimals,
        default=2,
        metavar="N",
        help="decimals (default: %(default)s)",
    )


def run(arguments: argparse.Namespace) -> int:
    """Replay a signature or a report; 1 if something does not come out again."""
    is_report = arguments.what.endswith(".json") and "|" not in arguments.what
    return replay_report(arguments) if is_report else replay_signature(arguments)


def replay_report(arguments: argparse.Namespace) -> int:
    """Compute all records again, and print a verdict on each."""
    from functools import partial

    from mteval_core.cli.diff import print_changes
    from mteval_core.evaluation.saved import read_report, replay

    found = requested_registry(arguments)
    changes = replay(
        read_report(arguments.what),
        partial(read, found=found),
        references=arguments.references,
        systems=dict(named_inputs(arguments.input or [])),
        documents=arguments.docs,
        registry=found,
    )
    print_changes(changes, verdict=True)
    n_failed = sum(not change.same for change in changes)
    print(f"{len(changes) - n_failed} of {len(changes)} records pass")
    return 1 if n_failed else 0


def replay_signature(arguments: argparse.Namespace) -> int:
    """Score, then say in what the circumstances differ from those of the signature."""
    from mteval_core.metrics.resolve import metric
    from mteval_core.signature import Signature
    from mteval_core.text.text import TestSet

    inputs = arguments.input or ["-"]
    if not arguments.references or len(inputs) > 1:
        message = "a signature needs reference files and one system: SIGNATURE REF... -i HYP"
        raise UsageError(message)
    once(*arguments.references, *inputs)
    found = requested_registry(arguments)
    signature = Signature.parse(arguments.what)
    scorer = metric(str(signature), registry=found)
    test_set = TestSet(tuple(read(path, found) for path in arguments.references))
    score = scorer.corpus_score(read(inputs[0], found), test_set)
    print(score.format(arguments.width))
    contradictions = different_references(signature, test_set)
    for message in different_versions(signature, scorer):
        print(f"mteval: note: {message}", file=sys.stderr)
    printed = re.search(r" = (-?\d+(?:\.(\d+))?)", arguments.what)
    if printed:
        again = f"{score.score:.{len(printed[2] or '')}f}"
        if again != printed[1]:
            contradictions.append(f"the score was {printed[1]}, now it is {again}")
    for message in contradictions:
        print(f"mteval: replay failed: {message}", file=sys.stderr)
    return 1 if contradictions else 0


def different_references(signature: Signature, test_set: TestSet) -> list[str]:
    """Say in what the references are not those of the signature."""
    present = {"nrefs": str(test_set.n_references or "var"), "refs": test_set.hash}
    what = {"nrefs": "the number of references", "refs": "the hash of the references"}
    before = {key: signature.get(key) or signature.get({"nrefs": "#"}.get(key, "")) for key in what}
    return [
        f"{what[key]} was {then}, now it is {present[key]}"
        for key, then in before.items()
        if then is not None and then != present[key]
    ]


def different_versions(signature: Signature, scorer: Scorer) -> list[str]:
    """Say which versions are not those of the signature."""
    if signature.get("plugin") is None:
        return []
    now = scorer.get_signature()
    return [
        f"{key} was {signature.get(key)}, now it is {now.get(key)}"
        for key in ("plugin", "version")
        if signature.get(key) != now.get(key)
    ]

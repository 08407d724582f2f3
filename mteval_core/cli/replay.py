"""``mteval replay``: compute a score again from its signature."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

    from mteval_core.scorer import Scorer
    from mteval_core.signature import Signature
    from mteval_core.text.corpus import Corpus


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command's arguments."""
    parser.add_argument(
        "signature",
        metavar="SIGNATURE",
        help="signature, mteval's or sacreBLEU's; with ' = SCORE' behind it the score is compared",
    )
    parser.add_argument("references", nargs="+", metavar="REF", help="reference files")
    parser.add_argument(
        "-i", "--input", default="-", metavar="HYP", help="system output (default: standard input)"
    )
    parser.add_argument(
        "-w", "--width", type=int, default=2, metavar="N", help="decimals (default: %(default)s)"
    )


def run(arguments: argparse.Namespace) -> int:
    """Score, then say in what the circumstances differ from those of the signature."""
    from mteval_core.cli.main import registry
    from mteval_core.cli.score import read
    from mteval_core.scorer import metric
    from mteval_core.signature import Signature
    from mteval_core.text.corpus import Corpus

    found = registry(arguments)
    signature = Signature.parse(arguments.signature)
    scorer = metric(str(signature), registry=found)
    corpus = Corpus(tuple(read(path, found) for path in arguments.references))
    score = scorer.corpus_score(read(arguments.input, found), corpus)
    print(score.format(arguments.width))
    contradictions = different_references(signature, corpus)
    for message in different_versions(signature, scorer):
        print(f"mteval: note: {message}", file=sys.stderr)
    printed = re.search(r" = (-?\d+(?:\.(\d+))?)", arguments.signature)
    if printed:
        again = f"{score.score:.{len(printed[2] or '')}f}"
        if again != printed[1]:
            contradictions.append(f"the score was {printed[1]}, now it is {again}")
    for message in contradictions:
        print(f"mteval: replay failed: {message}", file=sys.stderr)
    return 1 if contradictions else 0


def different_references(signature: Signature, corpus: Corpus) -> list[str]:
    """Say in what the references are not those of the signature."""
    present = {"nrefs": str(corpus.n_references or "var"), "refs": corpus.hash}
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

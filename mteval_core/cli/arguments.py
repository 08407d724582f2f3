"""Arguments that several commands share."""

from __future__ import annotations

import argparse


def add_metrics(parser: argparse.ArgumentParser) -> None:
    """Declare ``-m``."""
    parser.add_argument(
        "-m",
        "--metrics",
        nargs="+",
        metavar="SPEC",
        help="metrics, each NAME or NAME:KEY=VALUE,... (default: every metric that its plugin "
        "marks as a default)",
    )


def add_text_options(group: argparse._ArgumentGroup) -> None:
    """Declare the options that prepare the text."""
    group.add_argument(
        "--tok", "-tok", "--tokenize", metavar="T", help="tokenizer (see 'mteval list tokenizers')"
    )
    group.add_argument(
        "--case",
        metavar="C",
        help="case: mixed (unchanged), lc (lower case) or ascii (only A-Z lower-cased)",
    )
    group.add_argument(
        "-lc", dest="case", action="store_const", const="lc", help="same as --case lc"
    )
    group.add_argument("--stem", metavar="S", help="stemmer: none or porter")
    group.add_argument(
        "--sets",
        metavar="SET,...",
        help="compute every metric on several versions of the text: case (unchanged), nocase "
        "(lower case), stem (lower case, stemmed)",
    )


def add_references_mode(group: argparse._ArgumentGroup) -> None:
    """Declare ``--refs``."""
    group.add_argument(
        "--refs",
        choices=("all", "jackknife"),
        default="all",
        help="score against all references, or (jackknife) average the scores against every set "
        "that leaves one reference out (default: %(default)s)",
    )


def add_documents(group: argparse._ActionsContainer) -> None:
    """Declare ``--docs``."""
    group.add_argument(
        "--docs", metavar="FILE", help="file with the document id of each segment, one per line"
    )


def add_inference(group: argparse._ArgumentGroup) -> None:
    """Declare the confidence level, the correction of p-values and the seed."""
    group.add_argument(
        "--ci-level",
        type=float,
        default=95.0,
        metavar="PERCENT",
        help="confidence level (default: %(default)g)",
    )
    group.add_argument(
        "--correct",
        choices=("holm", "bh", "none"),
        default="holm",
        help="correction of p-values for multiple comparisons (default: %(default)s)",
    )
    group.add_argument(
        "--seed", type=int, default=12345, metavar="N", help="random seed (default: %(default)s)"
    )


def add_decimals(group: argparse._ActionsContainer) -> None:
    """Declare ``-w``."""
    group.add_argument(
        "-w",
        "--width",
        type=decimals,
        default=2,
        metavar="N",
        help="number of decimals (default: %(default)s)",
    )


def add_destination(group: argparse._ArgumentGroup) -> None:
    """Declare ``-o``, ``-w`` and ``-q``."""
    group.add_argument(
        "-o", "--output", metavar="FILE", help="write to FILE instead of standard output"
    )
    add_decimals(group)
    group.add_argument("-q", "--quiet", action="store_true", help="show no progress bar")


def decimals(text: str) -> int:
    """Read the value of ``-w``."""
    if not text.isdecimal():
        message = f"expected a number of decimals, 0 or more, got {text!r}"
        raise argparse.ArgumentTypeError(message)
    return int(text)

"""Arguments that several commands share."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from mteval_core.commands.files import files_of
from mteval_core.commands.inputs import available_threads
from mteval_core.commands.parser import Extend
from mteval_core.errors import UsageError
from mteval_core.plugin.options import read_number

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_DECIMALS = 20
"""Largest value of ``-w``. A double has at most 17 significant digits."""

MOST_THREADS = 1024
"""Largest value of ``--threads``."""

Conflict = tuple[str, Callable[[argparse.Namespace], Any]]
"""Message and condition of a combination of arguments that is refused."""


class ExtendTexts(Extend):
    """Adds texts, as `Extend` does. A folder stands for its files."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[Any] | None,
        option_string: str | None = None,
    ) -> None:
        """Add the texts."""
        paths = [path for word in values or () for path in files_of(word)]
        super().__call__(parser, namespace, paths, option_string)


def refuse(conflicts: Sequence[Conflict], arguments: argparse.Namespace) -> None:
    """Raise a `UsageError` for arguments that contradict each other or have no effect."""
    for message, is_wrong in conflicts:
        if is_wrong(arguments):
            raise UsageError(message.format(**vars(arguments)))


def add_references(
    parser: argparse.ArgumentParser,
    help_: str = "reference files, one segment per line, or a folder of them; or FILE::FIELD",
) -> None:
    """Declare the references, as arguments and as ``-r``."""
    parser.add_argument(
        "references",
        nargs="*",
        action=ExtendTexts,
        default=[],
        metavar="REF",
        help=help_,
    )
    parser.add_argument(
        "-r",
        "--refs",
        dest="references",
        nargs="+",
        action=ExtendTexts,
        default=[],
        metavar="REF",
        help="the same, at any position",
    )


def add_systems(parser: argparse.ArgumentParser, help_: str, default: Sequence[str] = ()) -> None:
    """Declare ``-i``."""
    parser.add_argument(
        "-i",
        "--input",
        nargs="+",
        action=ExtendTexts,
        default=list(default),
        metavar="SYS",
        help=help_,
    )


def add_metrics(
    parser: argparse._ActionsContainer,
    default: str = "of each plugin, those that it marks as defaults",
) -> None:
    """Declare ``-m``."""
    parser.add_argument(
        "-m",
        "--metrics",
        nargs="+",
        action=Extend,
        default=[],
        metavar="SPEC",
        help="metrics, each NAME or NAME:KEY=VALUE,...; 'all' is every metric that needs no "
        "model, and no source without --source; 'none' leaves those of --scores "
        f"(default: {default})",
    )


def add_rename(group: argparse._ActionsContainer) -> None:
    """Declare ``--rename``."""
    group.add_argument(
        "--rename",
        nargs="+",
        action=Extend,
        default=[],
        metavar="SPEC=NAME",
        help="name a metric of -m in the tables",
    )


def add_pipeline(group: argparse._ActionsContainer) -> None:
    """Declare the options that choose the steps from a text to its tokens."""
    tokenizer = group.add_mutually_exclusive_group()
    tokenizer.add_argument(
        "--tok", "-tok", "--tokenize", metavar="T", help="tokenizer (see 'mteval list tokenizers')"
    )
    tokenizer.add_argument(
        "--lang",
        metavar="L",
        help="choose the tokenizer that is usual for a language, if it is one without spaces: "
        "ja, ko, th, zh, ... (default: that of each metric)",
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


def add_text_options(group: argparse._ArgumentGroup) -> None:
    """Declare the options that prepare the text."""
    add_pipeline(group)
    group.add_argument(
        "--sets",
        metavar="SET,...",
        help="compute every metric on several versions of the text: case (unchanged), nocase "
        "(lower case), stem (lower case, stemmed)",
    )


def add_references_mode(group: argparse._ActionsContainer) -> None:
    """Declare ``--jackknife`` and ``--empty-refs``."""
    group.add_argument(
        "--jackknife",
        action="store_true",
        help="average the scores against every set of references that leaves one out",
    )
    add_empty_references(group)


def add_empty_references(group: argparse._ActionsContainer) -> None:
    """Declare ``--empty-refs``."""
    group.add_argument(
        "--empty-refs",
        choices=("empty", "missing"),
        default="empty",
        help="an empty line of a reference file is an empty reference, or a missing one "
        "(default: %(default)s)",
    )


def add_documents(group: argparse._ActionsContainer) -> None:
    """Declare ``--docs``."""
    group.add_argument(
        "--docs", metavar="FILE", help="document id of each segment, one per line, or FILE::FIELD"
    )


def add_domains(group: argparse._ActionsContainer) -> None:
    """Declare ``--domains``."""
    group.add_argument(
        "--domains",
        metavar="FILE",
        help="domain of each segment, one per line, or FILE::FIELD (default: those of --data)",
    )


def add_data(group: argparse._ActionsContainer) -> None:
    """Declare ``--data``, ``--fields`` and ``--source``."""
    group.add_argument(
        "--data",
        metavar="DATA",
        help="data set with references, systems and more: a file or folder, or NAME:REST (see "
        "'mteval list datasets'); REF then chooses reference streams by name, and -i adds systems",
    )
    group.add_argument(
        "--fields",
        metavar="ROLE=FIELD,...",
        help="for --data FILE with columns: what they are, of hyp, ref, src, doc, domain, id and "
        "system; without --data: id=FIELD joins all files with columns by the ids in FIELD",
    )
    add_source(group)


def add_scores(group: argparse._ActionsContainer) -> None:
    """Declare ``--scores``."""
    group.add_argument(
        "--scores",
        nargs="+",
        action=Extend,
        default=[],
        metavar="NAME=FILE",
        help="scores of a metric that another program computed: a table with the columns system, "
        "segment (from 0) and a score, or a format of a plugin; NAME[lower]=FILE if lower is "
        "better; NAME alone for one of the data set",
    )


def add_source(group: argparse._ActionsContainer) -> None:
    """Declare ``--source``."""
    group.add_argument("--source", metavar="FILE", help="text that was translated")


def add_inference(
    group: argparse._ArgumentGroup, corrections: Sequence[str] = ("holm", "bh", "none")
) -> None:
    """Declare the confidence level, the correction of p-values and the seed."""
    group.add_argument(
        "--ci-level",
        type=confidence_level,
        default=95.0,
        metavar="PERCENT",
        help="confidence level (default: %(default)g)",
    )
    group.add_argument(
        "--correct",
        choices=corrections,
        default="holm",
        help="correction of p-values for multiple comparisons (default: %(default)s)",
    )
    group.add_argument(
        "--seed",
        type=random_seed,
        default=12345,
        metavar="N",
        help="random seed (default: %(default)s)",
    )


def add_interval(group: argparse._ArgumentGroup, default: str | None, help_: str) -> None:
    """Declare ``--interval``."""
    group.add_argument(
        "--interval", choices=("percentile", "basic", "bca"), default=default, help=help_
    )


def add_decimals(group: argparse._ActionsContainer) -> None:
    """Declare ``-w``."""
    group.add_argument(
        "-w",
        "--width",
        "--digits",
        type=decimals,
        default=2,
        metavar="N",
        help="number of decimals (default: %(default)s)",
    )


def add_destination(group: argparse._ArgumentGroup) -> None:
    """Declare ``-f``, ``-o``, ``-w``, ``-q``, ``--strict`` and ``--threads``."""
    add_format(group)
    add_decimals(group)
    add_warnings(group)
    add_threads(group)


def add_format(group: argparse._ArgumentGroup) -> None:
    """Declare ``-f`` and ``-o``."""
    group.add_argument(
        "-f",
        "--format",
        metavar="F",
        help="output format (see 'mteval list formats'; default: by the ending of -o, otherwise "
        "text)",
    )
    group.add_argument(
        "-o", "--output", metavar="FILE", help="write to FILE instead of standard output"
    )


def add_warnings(group: argparse._ActionsContainer) -> None:
    """Declare ``-q`` and ``--strict``."""
    group.add_argument(
        "-q", "--quiet", action="store_true", help="show no warnings and no progress bar"
    )
    group.add_argument("--strict", action="store_true", help="treat warnings as errors")


def add_threads(group: argparse._ActionsContainer) -> None:
    """Declare ``--threads``."""
    group.add_argument(
        "--threads",
        type=number_of_threads,
        default=available_threads(),
        metavar="N",
        help="threads that work at the same time, which does not change the results (default: as "
        "many as there are processors for this process)",
    )


# Values


def decimals(text: str) -> int:
    """Read the value of ``-w``."""
    return whole(text, "number of decimals", 0, MOST_DECIMALS)


def random_seed(text: str) -> int:
    """Read the value of ``--seed``."""
    return whole(text, "whole number", 0)


def number_of_threads(text: str) -> int:
    """Read the value of ``--threads``."""
    return whole(text, "whole number", 1, MOST_THREADS)


def count(text: str) -> int:
    """Read a number of resamples or trials."""
    from mteval_core.evaluation.draw import MOST_TRIALS

    return whole(text, "whole number", 1, MOST_TRIALS)


def whole(text: str, what: str, minimum: int, maximum: int | None = None) -> int:
    """Read a whole number in a range, both ends included."""
    with suppress(ValueError):
        number = read_number(text, int)
        if minimum <= number and (maximum is None or number <= maximum):
            return number
    limits = f"{minimum} or more" if maximum is None else f"from {minimum} to {maximum}"
    message = f"expected a {what}, {limits}, got {text!r}"
    raise argparse.ArgumentTypeError(message)


def between(low: float, high: float, what: str) -> Callable[[str], float]:
    """Make a reader of numbers between two others, which are excluded."""

    def read(text: str) -> float:
        with suppress(ValueError):
            number = read_number(text, float)
            if low < number < high:
                return number
        message = f"expected {what}, got {text!r}"
        raise argparse.ArgumentTypeError(message)

    return read


confidence_level = between(0, 100, "a number of percent between 0 and 100")
"""Reads the value of ``--ci-level``."""

points = between(1e-9, 1e9, "a difference above 0")
"""Reads a difference of scores."""

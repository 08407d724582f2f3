"""Groups of arguments that commands share: a flag means the same in every command."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from mteval_core.commands.arguments import percentage, resamples, whole_number
from mteval_core.commands.texts import FieldsInput, ScoresInput, SystemInput
from mteval_core.data.addresses import Address

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from mteval_core.commands.arguments import Arguments, Options

MOST_DECIMALS = 20
"""Largest value of ``-w``. A double has at most 17 significant digits."""

MOST_THREADS = 1024
"""Largest value of ``--threads``."""

TEXT: Mapping[str, Any] = {"file": "input", "type": Address.parse, "metavar": "FILE"}
"""How an argument is declared whose value is a text."""

DEFAULTS = "Defaults for all metrics; an option in a metric's spec takes precedence."


# Texts


def add_references(
    arguments: Arguments,
    help: str = "reference files, one segment per line, or a folder of them; or FILE::FIELD",
) -> None:
    """Declare the references, as arguments and as ``-r``."""
    files: dict[str, Any] = {"file": "input", "folders": Address.parse, "metavar": "REF"}
    arguments.add("references", nargs="*", help=help, **files)
    help = "the same, at any position"
    arguments.add("-r", "--refs", dest="references", nargs="+", help=help, **files)


def add_systems(
    arguments: Arguments,
    help: str = "system outputs, the first is the baseline; each PATH, a folder, PATH::FIELD, "
    "NAME=PATH, or NAME=PATH,PATH,... for several runs of one system",
    *,
    from_stdin: bool = False,
) -> None:
    """Declare ``-i``."""
    arguments.add(
        "-i",
        "--input",
        nargs="+",
        file="input",
        folders=SystemInput.parse,
        default=[SystemInput.parse("-")] if from_stdin else [],
        metavar="SYS",
        help=f"{help} (default: standard input)" if from_stdin else help,
    )


def add_data(arguments: Arguments) -> None:
    """Declare ``--data``, ``--fields`` and ``--source``."""
    arguments.add(
        "--data",
        file="input",
        type=Address.of_dataset,
        metavar="DATA",
        help="data set with references, systems and more: a file or folder, or NAME:REST (see "
        "'mteval list datasets'); REF then chooses reference streams by name, and -i adds systems",
    )
    arguments.add(
        "--fields",
        type=FieldsInput.parse,
        metavar="ROLE=FIELD,...",
        help="for --data FILE with columns: what they are, of hyp, ref, src, doc, domain, id and "
        "system; without --data: id=FIELD joins all files with columns by the ids in FIELD. Any "
        "other NAME=FIELD is a column of values that a metric uses, in the data or in the files of "
        "the systems; NAME=FILE::FIELD is in a file of its own",
    ).refuse(
        "--fields {fields}: fields of a data set need --data FILE; without it, only id=FIELD and "
        "columns of values apply",
        lambda options: options.fields and options.fields.roles and not options.data,
    )
    add_source(arguments)


def add_source(arguments: Arguments) -> None:
    """Declare ``--source``."""
    arguments.add("--source", help="text that was translated", **TEXT)


def add_documents(arguments: Arguments) -> None:
    """Declare ``--docs``."""
    help = "document id of each segment, one per line, or FILE::FIELD"
    arguments.add("--docs", help=help, **TEXT)


def add_domains(arguments: Arguments) -> None:
    """Declare ``--domains``."""
    help = "domain of each segment, one per line, or FILE::FIELD (default: those of --data)"
    arguments.add("--domains", help=help, **TEXT)


def add_empty_references(arguments: Arguments) -> None:
    """Declare ``--empty-refs``."""
    arguments.add(
        "--empty-refs",
        choices=("empty", "missing"),
        default="empty",
        help="an empty line of a reference file is an empty reference, or a missing one "
        "(default: %(default)s)",
    )


def add_several_references(arguments: Arguments) -> None:
    """Declare ``--jackknife`` and ``--empty-refs``."""
    help = "average the scores against every set of references that leaves one out"
    arguments.add("--jackknife", action="store_true", help=help)
    add_empty_references(arguments)


# Metrics


def add_metrics(
    arguments: Arguments, default: str = "of each plugin, those that it marks as defaults"
) -> None:
    """Declare ``-m``."""
    arguments.add(
        "-m",
        "--metrics",
        nargs="+",
        completes="metrics",
        metavar="SPEC",
        help="metrics, each NAME or NAME:KEY=VALUE,...; 'all' is every metric that needs no "
        "model, columns or documents, and no source without --source; 'none' leaves those of "
        f"--scores (default: {default})",
    )
    arguments.add(
        "--missing",
        choices=("leave-out", "error", "worst"),
        help="segments that a metric could not score: left out, an error, or given the worst "
        "possible score (default: leave-out)",
    )


def add_rename(arguments: Arguments, *, changes: tuple[str, ...] = ()) -> None:
    """Declare ``--rename``."""
    help = "name a metric of -m in the tables"
    arguments.add("--rename", nargs="+", changes=changes, metavar="SPEC=NAME", help=help)


def add_scores(arguments: Arguments) -> None:
    """Declare ``--scores``."""
    arguments.add(
        "--scores",
        nargs="+",
        file="input",
        folders=ScoresInput.parse,
        metavar="NAME=FILE",
        help="scores of a metric that another program computed: a table with the columns system, "
        "segment (from 0) and a score, or a format of a plugin; NAME[lower]=FILE if lower is "
        "better; NAME alone for one of the data set",
    )


# Text processing


def add_text(arguments: Arguments, title: str = "text processing", *, sets: bool = False) -> None:
    """Declare a group with the steps from a text to its tokens, and with ``--sets``."""
    group = arguments.group(title, DEFAULTS)
    add_pipeline(group)
    if sets:
        add_text_sets(group)


def add_pipeline(arguments: Arguments) -> None:
    """Declare ``--tok``, ``--lang``, ``--case`` and ``--stem``."""
    tokenizer = arguments.alternatives()
    tokenizer.add(
        "--tok",
        "-tok",
        "--tokenize",
        completes="tokenizers",
        metavar="T",
        help="tokenizer (see 'mteval list tokenizers')",
    )
    tokenizer.add(
        "--lang",
        completes="languages",
        metavar="L",
        help="choose the tokenizer that is usual for a language, if it is one without spaces: "
        "ja, ko, th, zh, ... (default: that of each metric)",
    )
    help = "case: mixed (unchanged), lc (lower case) or ascii (only A-Z lower-cased)"
    arguments.add("--case", completes="case", metavar="C", help=help)
    arguments.add("-lc", dest="case", action="store_const", const="lc", help="same as --case lc")
    arguments.add("--stem", completes="stem", metavar="S", help="stemmer: none or porter")


def add_text_sets(arguments: Arguments) -> None:
    """Declare ``--sets``."""
    arguments.add(
        "--sets",
        metavar="SET,...",
        help="compute every metric on several versions of the text: case (unchanged), nocase "
        "(lower case), stem (lower case, stemmed)",
    ).refuse(
        "--sets chooses case and stemmer: leave out --case and --stem",
        lambda options: options.sets and (options.case or options.stem),
    )


# Documents and levels


NEEDS_DOCUMENTS = "documents need --docs FILE, with the document id of each segment, or --data"


def knows_documents(options: Options) -> bool:
    """Whether the options say which document each segment belongs to."""
    return bool(options.docs or options.data)


def add_level(arguments: Arguments, help: str) -> None:
    """Declare ``--level``."""
    arguments.add("--level", choices=("corpus", "doc", "segment"), default="corpus", help=help)


# Statistics


def add_seed(arguments: Arguments) -> None:
    """Declare ``--seed``."""
    help = "random seed (default: %(default)s)"
    arguments.add("--seed", type=whole_number(), default=12345, metavar="N", help=help)


def add_confidence_level(
    arguments: Arguments, help: str = "confidence level (default: %(default)g)"
) -> None:
    """Declare ``--ci-level``."""
    arguments.add("--ci-level", type=percentage, default=95.0, metavar="PERCENT", help=help)


def add_correction(
    arguments: Arguments, choices: Sequence[str] = ("holm", "bh", "none"), default: str = "holm"
) -> None:
    """Declare ``--correct``."""
    help = "correction of p-values for multiple comparisons (default: %(default)s)"
    arguments.add("--correct", choices=choices, default=default, help=help)


def add_interval(
    arguments: Arguments,
    default: str | None = "percentile",
    help: str = "kind of intervals (default: %(default)s)",
) -> None:
    """Declare ``--interval``."""
    kinds = ("percentile", "basic", "symmetric", "bca")
    arguments.add("--interval", choices=kinds, default=default, help=help)


def add_resamples(
    arguments: Arguments,
    help: str = "number of resamples (default: %(default)s)",
    *,
    default: int | None = 1000,
    or_none: bool = False,
) -> None:
    """Declare ``-n``; with ``or_none``, 0 stands for no resamples."""
    arguments.add(
        "-n",
        "-cin",
        "--resamples",
        type=resamples_or_none if or_none else resamples,
        default=default,
        metavar="N",
        help=help,
    )


def resamples_or_none(text: str) -> int:
    """Read the value of ``-n``; 0 stands for no resamples."""
    return 0 if text == "0" else resamples(text)


# Output


TABLES = ("table", "record")
"""What reports of most commands have."""

READ = ("table", "picture", "passage")
"""What people read in reports, below a title and with notes."""


def add_output(
    arguments: Arguments,
    *,
    kinds: tuple[str, ...] = TABLES,
    decimals: int = 2,
    changes: tuple[str, ...] = (),
) -> None:
    """Declare ``-f``, ``-o``, ``-w``, ``-q``, ``--strict`` and ``--threads``."""
    add_formats(arguments, kinds=kinds)
    add_decimals(arguments, decimals=decimals, changes=changes)
    add_warnings(arguments)
    add_threads(arguments)


def add_formats(arguments: Arguments, *, kinds: tuple[str, ...] = TABLES) -> None:
    """Declare ``-f`` and ``-o``, for reports with these kinds of parts."""
    arguments.add(
        "-f",
        "--format",
        completes="formats",
        metavar="F",
        help="output format (see 'mteval list formats'; default: by the ending of -o, otherwise "
        "text)",
    )
    arguments.add(
        "-o",
        "--output",
        action="append",
        file="output",
        kinds=kinds,
        metavar="FILE",
        help="write to FILE instead of standard output; may be repeated, for several formats",
    )
    arguments.add("--title", changes=READ, metavar="TEXT", help="title of the report")
    help = "a note for the readers of the report; may be repeated"
    arguments.add("--note", action="append", changes=READ, default=[], metavar="TEXT", help=help)
    help = "caption of the first table"
    arguments.add("--caption", changes=("table",), metavar="TEXT", help=help)
    help = "names of the tables to write (default: all; of scores in LaTeX, the first)"
    arguments.add("--tables", nargs="+", changes=("table",), metavar="NAME", help=help)
    help = "a row for each system and a column for each metric, in CSV, TSV and similar formats"
    arguments.add("--wide", action="store_true", changes=("row",), help=help)
    arguments.add(
        "--signatures",
        choices=("none", "full"),
        default="full",
        changes=("table", "row"),
        help="whether to write the signatures (default: %(default)s)",
    )


def add_decimals(arguments: Arguments, *, decimals: int = 2, changes: tuple[str, ...] = ()) -> None:
    """Declare ``-w``."""
    arguments.add(
        "-w",
        "--width",
        "--digits",
        type=whole_number(0, MOST_DECIMALS, "number of decimals"),
        default=decimals,
        changes=changes,
        metavar="N",
        help="number of decimals (default: %(default)s)",
    )


def add_warnings(arguments: Arguments) -> None:
    """Declare ``-q`` and ``--strict``."""
    arguments.add("-q", "--quiet", action="store_true", help="show no warnings and no progress bar")
    arguments.add("--strict", action="store_true", help="treat warnings as errors")
    arguments.decide("quiet")


def add_threads(arguments: Arguments) -> None:
    """Declare ``--threads``."""
    arguments.add(
        "--threads",
        type=whole_number(1, MOST_THREADS),
        default=available_threads(),
        metavar="N",
        help="number of threads (default: one for each processor)",
    )


def available_threads() -> int:
    """Return the number of threads that the process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1


ARGUMENT_GROUPS: Mapping[str, Callable[..., None]] = {
    name.removeprefix("add_").replace("_", " "): declare
    for name, declare in globals().items()
    if name.startswith("add_")
}
"""The groups by the names that commands share them by: ``add_text_sets`` declares "text sets"."""

"""``mteval score``: systems against references."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from mteval_core.errors import InputError, UsageError

if TYPE_CHECKING:
    import argparse

    from mteval_core.plugin.registry import Registry
    from mteval_core.text.corpus import Text

LEVELS = ("corpus", "doc", "segment")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command's arguments."""
    parser.add_argument(
        "references", nargs="+", metavar="REF", help="reference files, one segment per line"
    )
    parser.add_argument(
        "-i",
        "--input",
        nargs="+",
        default=["-"],
        metavar="SYS",
        help="system outputs, PATH or NAME=PATH; the first is the baseline (default: standard "
        "input)",
    )
    parser.add_argument(
        "-m",
        "--metrics",
        nargs="+",
        metavar="SPEC",
        help="metrics, NAME or NAME:KEY=VALUE,... (default: those of the default set)",
    )
    pipeline = parser.add_argument_group("text, for all metrics")
    pipeline.add_argument("--tok", "-tok", "--tokenize", metavar="T", help="tokenizer")
    pipeline.add_argument("--case", metavar="C", help="case: mixed, lc, ascii")
    pipeline.add_argument(
        "-lc", dest="case", action="store_const", const="lc", help="short for --case lc"
    )
    pipeline.add_argument("--stem", metavar="S", help="stemmer: none, porter")
    parser.add_argument(
        "--level", choices=LEVELS, default="corpus", help="what to score (default: %(default)s)"
    )
    parser.add_argument(
        "-sl",
        dest="level",
        action="store_const",
        const="segment",
        help="short for --level segment",
    )
    parser.add_argument("--docs", metavar="FILE", help="document id of each segment, one per line")
    output = parser.add_argument_group("output")
    output.add_argument(
        "-f", "--format", default="text", help="see 'mteval list formats' (default: %(default)s)"
    )
    output.add_argument("-o", "--output", metavar="FILE", help="write there, not to the terminal")
    output.add_argument(
        "-w", "--width", type=int, default=2, metavar="N", help="decimals (default: %(default)s)"
    )
    output.add_argument("-b", "--score-only", action="store_true", help="print scores only")
    output.add_argument("-q", "--quiet", action="store_true", help="no progress bar")


def run(arguments: argparse.Namespace) -> int:
    """Score, and print or write the report."""
    from mteval_core.cli.main import registry
    from mteval_core.declarations import load
    from mteval_core.evaluation import evaluate
    from mteval_core.report import Layout
    from mteval_core.text.corpus import Corpus

    if arguments.width < 0:
        message = f"-w {arguments.width}: expected a number of decimals, 0 or more"
        raise UsageError(message)
    if arguments.level == "doc" and not arguments.docs:
        message = "--level doc needs --docs FILE, with the document id of each segment"
        raise UsageError(message)
    found = registry(arguments)
    write = load(found.find("formats", arguments.format).declaration.function)
    systems = dict(named_inputs(arguments.input))
    if [*arguments.references, *systems.values(), arguments.docs].count("-") > 1:
        message = "standard input can be only one of the files"
        raise UsageError(message)
    references = [read(path, found) for path in arguments.references]
    documents = read(arguments.docs, found) if arguments.docs else None
    given = {"tok": arguments.tok, "case": arguments.case, "stem": arguments.stem}
    evaluation = evaluate(
        {name: read(path, found) for name, path in systems.items()},
        Corpus(tuple(references), None if documents is None else tuple(map(str, documents))),
        arguments.metrics,
        registry=found,
        defaults={key: value for key, value in given.items() if value is not None},
        threads=len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1,
        keep_rows=arguments.level != "corpus",
        progress=not arguments.quiet and sys.stderr.isatty(),
    )
    if arguments.score_only:
        scores = [record["score"] for record in evaluation.to_records(arguments.level)]
        report = "".join(f"{score:.{arguments.width}f}\n" for score in scores)
    else:
        columns = shutil.get_terminal_size((100, 24)).columns
        report = write(evaluation, Layout(arguments.level, arguments.width, columns))
    if arguments.output:
        try:
            Path(arguments.output).write_text(report, encoding="utf-8")
        except OSError as error:
            message = f"{arguments.output}: {error.strerror}"
            raise InputError(message) from None
    else:
        sys.stdout.write(report)
    return 0


def read(path: str, found: Registry) -> Text:
    """Read a file with the reader that its name asks for."""
    from mteval_core.declarations import load
    from mteval_core.scorer import as_text

    return as_text(load(found.reader(path).function)(path), path)


def named_inputs(inputs: list[str]) -> list[tuple[str, str]]:
    """Names and paths of the systems.

    ``NAME=PATH`` names a system, unless there is a file of that literal name. Without a name it
    is that of the file without its ending, or the path where two would have the same.

    Raises
    ------
    UsageError
        If two systems have one name.
    """
    named: list[tuple[str, str]] = []
    for given in inputs:
        name, equals, path = given.partition("=")
        if equals and name and path and not Path(given).exists():
            named.append((name, path))
        else:
            named.append((system_name(given), given))
    names = [name for name, _ in named]
    named = [(path if names.count(name) > 1 else name, path) for name, path in named]
    repeated = {name for name, _ in named if [n for n, _ in named].count(name) > 1}
    if repeated:
        message = f"two systems are called {min(repeated)!r}: name them, NAME=PATH"
        raise UsageError(message)
    return named


def system_name(path: str) -> str:
    """Name of the file without directory and endings."""
    if path == "-":
        return "stdin"
    name = Path(path).name
    for ending in (".gz", ".xz", ".txt"):
        name = name.removesuffix(ending)
    return name

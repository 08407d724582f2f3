"""``mteval score``: systems against references."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mteval_core.cli.registry import requested_registry
from mteval_core.errors import InputError, UsageError, attributed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mteval_core.evaluation.comparison import Test
    from mteval_core.plugin.registry import Registry
    from mteval_core.text.text import TestSet, Text

LEVELS = ("corpus", "doc", "segment")
ONE_WAY = "--case and --stem look at the texts in one way, --sets in several: give one"


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
        help="system outputs, PATH, NAME=PATH, or NAME=PATH,PATH,... for several runs of one "
        "system; the first is the baseline (default: standard input)",
    )
    parser.add_argument(
        "-m",
        "--metrics",
        nargs="+",
        metavar="SPEC",
        help="metrics, NAME or NAME:KEY=VALUE,... (default: those of the default set)",
    )
    pipeline = parser.add_argument_group("text, for all metrics")
    add_pipeline(pipeline)
    pipeline.add_argument(
        "--sets",
        metavar="SET,...",
        help="every metric for each of case, nocase, stem: text as it is, folded, folded and "
        "stemmed; what a spec says itself stays in every set",
    )
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
    statistics = parser.add_argument_group("statistics")
    statistics.add_argument(
        "-ci", "--confidence", action="store_true", help="show bootstrap confidence intervals"
    )
    statistics.add_argument(
        "-cin",
        "--confidence-n",
        type=int,
        metavar="N",
        help="the same, from N resamples (default: 1000)",
    )
    statistics.add_argument(
        "--ci-level", type=float, default=95.0, metavar="PERCENT", help="default: %(default)g"
    )
    statistics.add_argument(
        "--resampler", default="bootstrap", metavar="R", help="see 'mteval list resamplers'"
    )
    tests = statistics.add_mutually_exclusive_group()
    tests.add_argument(
        "-par",
        "--paired-ar",
        dest="test",
        action="store_const",
        const="ar",
        help="compare with the first system by paired approximate randomisation",
    )
    tests.add_argument(
        "-pbs",
        "--paired-bs",
        dest="test",
        action="store_const",
        const="bs",
        help="compare with the first system by paired bootstrap",
    )
    statistics.add_argument(
        "--trials",
        type=int,
        metavar="N",
        help="trials of -par (default: 10000) or resamples of -pbs (default: 1000)",
    )
    statistics.add_argument(
        "--all-pairs", action="store_true", help="compare every system with every other"
    )
    statistics.add_argument(
        "--correct",
        choices=("holm", "bh", "none"),
        default="holm",
        help="correction of p for many comparisons (default: %(default)s)",
    )
    statistics.add_argument(
        "--by",
        choices=("segment", "doc"),
        default="segment",
        help="what is resampled (default: %(default)s)",
    )
    statistics.add_argument("--seed", type=int, default=12345, help="default: %(default)s")
    references = parser.add_argument_group("several references")
    references.add_argument(
        "--refs",
        choices=("all", "jackknife"),
        default="all",
        help="score against all, or as the mean over all sets that leave one out",
    )
    references.add_argument(
        "--humans", action="store_true", help="score each reference against the others, too"
    )
    output = parser.add_argument_group("output")
    output.add_argument(
        "-f", "--format", default="text", help="see 'mteval list formats' (default: %(default)s)"
    )
    output.add_argument("-o", "--output", metavar="FILE", help="write there, not to the terminal")
    output.add_argument(
        "-w",
        "--width",
        type=decimals,
        default=2,
        metavar="N",
        help="decimals (default: %(default)s)",
    )
    output.add_argument(
        "-b", "--score-only", action="store_true", help="print scores only, and intervals"
    )
    output.add_argument("-q", "--quiet", action="store_true", help="no progress bar")


def add_pipeline(group: argparse._ArgumentGroup) -> None:
    """Describe the arguments that prepare the text."""
    group.add_argument("--tok", "-tok", "--tokenize", metavar="T", help="tokenizer")
    group.add_argument("--case", metavar="C", help="case: mixed, lc, ascii")
    group.add_argument(
        "-lc", dest="case", action="store_const", const="lc", help="short for --case lc"
    )
    group.add_argument("--stem", metavar="S", help="stemmer: none, porter")


def run(arguments: argparse.Namespace) -> int:
    """Score, and print or write the report."""
    from shutil import get_terminal_size

    from mteval_core.evaluation.evaluate import evaluate, text_sets
    from mteval_core.plugin.declarations import load
    from mteval_core.report import Layout

    found = requested_registry(arguments)
    form = found.find("formats", arguments.format)
    inputs = named_inputs(arguments.input)
    once(*arguments.references, *(path for _, given in inputs for path in given), arguments.docs)
    if "doc" in (arguments.level, arguments.by) and not arguments.docs:
        message = "documents need --docs FILE, with the document id of each segment"
        raise UsageError(message)
    if arguments.sets and (arguments.case or arguments.stem):
        raise UsageError(ONE_WAY)
    resamples = arguments.confidence_n
    if resamples is None and arguments.confidence:
        resamples = 1000
    test: Test | None = arguments.test or ("ar" if arguments.all_pairs else None)
    test_set = read_test_set(arguments, found)
    specs = arguments.metrics
    if arguments.sets:
        specs = text_sets(specs or found.default_metrics(), arguments.sets.split(","), found)
    evaluation = evaluate(
        {name: [read(path, found) for path in given] for name, given in inputs},
        test_set,
        specs,
        registry=found,
        defaults=text_options(arguments),
        threads=threads(),
        humans=arguments.humans,
        keep_rows=arguments.level != "corpus" or resamples is not None or test is not None,
        progress=not arguments.quiet and sys.stderr.isatty(),
    )
    drawn = {"seed": arguments.seed, "by": arguments.by}
    if resamples is not None:
        evaluation = evaluation.confidence(
            resamples,
            arguments.ci_level,
            resampler=arguments.resampler,
            registry=found,
            **drawn,
        )
    if test is not None:
        evaluation = evaluation.compare(
            test,
            arguments.trials,
            correct=arguments.correct,
            all_pairs=arguments.all_pairs,
            level=arguments.ci_level,
            **drawn,
        )
    if arguments.score_only:
        records = evaluation.to_records(arguments.level)
        report = "".join(f"{bare(record, arguments.width)}\n" for record in records)
    else:
        columns = get_terminal_size((100, 24)).columns
        with attributed(f"format {form}"):
            formatted = load(form.declaration.function)
            report = formatted(evaluation, Layout(arguments.level, arguments.width, columns))
    data = report.encode(errors="backslashreplace") if isinstance(report, str) else report
    if arguments.output:
        write(arguments.output, data)
    elif isinstance(report, bytes) and sys.stdout.isatty():
        message = f"-f {arguments.format} is no text: write it to a file, -o FILE"
        raise UsageError(message)
    else:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
    return 0


def bare(record: Mapping[str, Any], width: int) -> str:
    """Write the score of a record, and its interval if it has one."""
    score, interval = f"{record['score']:.{width}f}", record["ci"]
    if interval is None:
        return score
    return f"{score} [{interval['low']:.{width}f}, {interval['high']:.{width}f}]"


def decimals(text: str) -> int:
    """Read the argument of ``-w``."""
    if not text.isdecimal():
        message = f"expected a number of decimals, 0 or more, found {text!r}"
        raise argparse.ArgumentTypeError(message)
    return int(text)


def once(*paths: str | None) -> None:
    """Raise a `UsageError` if standard input is asked for twice."""
    if paths.count("-") > 1:
        message = "standard input (-) can be only one of the files"
        raise UsageError(message)


def read(path: str, found: Registry) -> Text:
    """Read a file with the reader that its name asks for."""
    from dataclasses import replace

    from mteval_core.plugin.declarations import load
    from mteval_core.text.text import as_text

    reader = found.reader(path)
    with attributed(f"reader {reader}"):
        text = as_text(load(reader.declaration.function)(path), path)
    return text if text.path else replace(text, path=path)


def read_test_set(arguments: argparse.Namespace, found: Registry) -> TestSet:
    """Read the references and the document ids."""
    from mteval_core.text.text import TestSet

    references = tuple(read(path, found) for path in arguments.references)
    if not arguments.docs:
        return TestSet(references)
    documents = read(arguments.docs, found)
    return TestSet(references, tuple(map(str, documents)), arguments.docs)


def text_options(arguments: argparse.Namespace) -> dict[str, str]:
    """Options that the arguments give to all metrics."""
    given = {"tok": arguments.tok, "case": arguments.case, "stem": arguments.stem}
    if arguments.refs == "jackknife":
        given["loo"] = "yes"
    return {key: value for key, value in given.items() if value is not None}


def threads() -> int:
    """How many threads the process may have."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1


def write(path: str, data: bytes) -> None:
    """Write a file.

    Raises
    ------
    InputError
        If it cannot be written.
    """
    try:
        Path(path).write_bytes(data)
    except OSError as error:
        message = f"{path}: {error.strerror}"
        raise InputError(message) from None


def named_inputs(inputs: list[str]) -> list[tuple[str, list[str]]]:
    """Names of the systems and paths of their runs.

    ``NAME=PATH`` names a system and ``NAME=PATH,PATH`` gives it several runs, unless there is a
    file of that literal name. Without a name it is that of the file without its ending, or the
    path where two would have the same.

    Raises
    ------
    UsageError
        If two systems have one name.
    """
    given_names: list[tuple[str, list[str]]] = []
    for given in inputs:
        name, _, paths = given.partition("=")
        if name and paths and not Path(given).exists():
            given_names.append((name, [paths] if Path(paths).exists() else paths.split(",")))
        else:
            given_names.append(("", [given]))
    short = [name or system_name(paths[0]) for name, paths in given_names]
    named = [
        (name or (end if short.count(end) == 1 else paths[0]), paths)
        for (name, paths), end in zip(given_names, short, strict=True)
    ]
    names = [name for name, _ in named]
    repeated = {name for name in names if names.count(name) > 1}
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

"""Inputs of the commands: names and paths, texts, test sets and metrics.

Texts are read and specs resolved here, once; the commands pass on `Text`, `TestSet` and `Scorer`.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from mteval_core.commands.default_set import chosen_metrics
from mteval_core.commands.files import is_file
from mteval_core.data.addresses import Address
from mteval_core.errors import UnknownNameError, UsageError
from mteval_core.names import check_name
from mteval_core.plugin.registry import uncompressed

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Mapping, Sequence

    from mteval_core.metrics.scorer import Scorer
    from mteval_core.plugin.registry import Registry
    from mteval_core.text.text import Text

# Names and paths


def named_inputs(inputs: Sequence[str]) -> dict[str, list[str]]:
    """Names of the systems, and the paths of each system's runs.

    ``NAME=PATH`` names a system and ``NAME=PATH,PATH`` gives it several runs, unless a file has
    that literal name. An unnamed system is named after its file, without directory and ending; or
    after its field or its whole path, if two systems would otherwise share a name.

    Raises
    ------
    UsageError
        If two systems have the same name, or a name cannot be shown.
    """
    systems = [_named_paths(argument) for argument in inputs]
    choices = [[name] if name else [*system_names(paths[0]), paths[0]] for name, paths in systems]
    taken = Counter(name for named in choices for name in named)
    names = [next((name for name in each if taken[name] == 1), each[-1]) for each in choices]
    for name in names:
        check_name(name, "system (NAME=PATH names it)")
    repeated = [name for name, n in Counter(names).items() if n > 1]
    if repeated:
        message = f"two systems are called {min(repeated)!r}: name them, NAME=PATH"
        raise UsageError(message)
    return {name: paths for name, (_, paths) in zip(names, systems, strict=True)}


def _named_paths(argument: str) -> tuple[str, list[str]]:
    """Split ``NAME=PATH,PATH``; the name is empty if there is none."""
    name, _, paths = argument.partition("=")
    if not (name and paths) or is_input(argument):
        return "", [argument]
    return name, [paths] if is_input(paths) else paths.split(",")


def system_names(address: str) -> list[str]:
    """Names for the output at an address: its file without endings, and its field if it has one."""
    path, field, _ = Address.parse(address)
    if path == "-":
        return ["stdin"]
    name = uncompressed(Path(path).name)
    if not field:
        return [name.removesuffix(".txt")]
    return [name.partition(".")[0] or name, field.removeprefix("system.")]


def named_tables(tables: Sequence[str]) -> list[tuple[str, str]]:
    """Names and paths of the tables of human scores; the name is empty if there is none."""
    named = []
    for argument in tables:
        name, equals, path = argument.partition("=")
        is_named = name and equals and not is_input(argument)
        named.append((name, path) if is_named else ("", argument))
    return named


def is_input(word: str) -> bool:
    """Whether a word is the address of a file that exists."""
    return is_file(Address.parse(word).path)


def check_stdin(paths: Iterable[str | None], *, quiet: bool = False) -> None:
    """Refuse to read standard input twice; on a terminal, say that it is read.

    Raises
    ------
    UsageError
        If more than one path is ``-``.
    """
    n = list(paths).count("-")
    if n > 1:
        message = "standard input (-) can be only one of the files"
        raise UsageError(message)
    stdin = sys.stdin  # None if the process was started without it
    if n and not quiet and stdin is not None and not stdin.closed and stdin.isatty():
        print(
            "mteval: reading standard input, one segment per line; end it with Ctrl-D, or name "
            "the systems after -i",
            file=sys.stderr,
        )


# Texts


def read(address: str, registry: Registry) -> Text:
    """Read one text, see `mteval_core.data.reading.Files`."""
    from mteval_core.data.reading import Files

    return Files(registry).text(address)


# Metrics


def requested_metrics(
    arguments: argparse.Namespace, registry: Registry, defaults: Mapping[str, str]
) -> list[Scorer]:
    """Resolve the metrics of ``-m``, or those of the default set.

    Raises
    ------
    UsageError
        If a metric is unknown, or ``-m none`` stands alone.
    """
    from mteval_core.metrics.resolve import metric

    if arguments.metrics == ["none"]:
        if not getattr(arguments, "scores", None):
            message = "-m none leaves only the metrics of --scores: add --scores NAME=FILE"
            raise UsageError(message)
        leave_out_unused(arguments, [])
        return []
    specs = chosen_metrics(arguments, registry)
    try:
        scorers = [metric(spec, registry=registry, defaults=defaults) for spec in specs]
    except UnknownNameError:
        files = [spec for spec in arguments.metrics if is_input(spec)]
        if not files:
            raise
        message = f"{files[0]!r} follows -m, but is a file and not a metric: {usage(arguments)}"
        raise UsageError(message) from None
    leave_out_unused(arguments, scorers)
    return scorers


def leave_out_unused(arguments: argparse.Namespace, scorers: Sequence[Scorer]) -> None:
    """Leave out the options for all metrics in the configuration file that no metric takes."""
    for key, sources in (("tok", {"tok", "lang"}), ("case", {"case"}), ("stem", {"stem"})):
        is_taken = any(key in one.fields and key not in one.spec.options for one in scorers)
        if arguments.from_file & sources and not is_taken:
            setattr(arguments, key, None)


def names_of(
    arguments: argparse.Namespace, registry: Registry, scorers: Iterable[Scorer]
) -> dict[str, str]:
    """Read ``--rename``: names of metrics by their specs.

    The configuration file may also name metrics that are not computed.
    """
    from mteval_core.metrics.resolve import parse, with_value

    names: dict[str, str] = {}
    for request in arguments.rename:
        spec, equals, name = request.rpartition("=")
        if not (equals and spec and name):
            message = f"--rename: expected SPEC=NAME, got {request!r}"
            raise UsageError(message)
        check_name(name, "--rename: name", UsageError)
        metric = str(with_value(parse(spec, registry), registry))
        if names.setdefault(metric, name) != name:
            message = f"--rename: {spec} has the names {names[metric]} and {name}: leave one out"
            raise UsageError(message)
    computed = {str(scorer.spec) for scorer in scorers}
    return {
        spec: name
        for spec, name in names.items()
        if "rename" in arguments.given or spec in computed
    }


def usage(arguments: argparse.Namespace) -> str:
    """Say in which order to write references, systems and metrics."""
    files = [word for word in arguments.metrics if is_input(word)]
    metrics = [word for word in arguments.metrics if word not in files] or ["METRIC..."]
    references = arguments.references or files or ["REF..."]
    given = arguments.input if "input" in arguments.given else ["SYS..."]
    command = ["mteval", arguments.command, *references, "-i", *given, "-m", *metrics]
    return f"write {' '.join(command)}"


def need_texts(
    arguments: argparse.Namespace, scorers: Sequence[Scorer], *, shown: bool = False
) -> None:
    """Raise a `UsageError` if metrics and texts do not fit.

    A metric may need references or a source that are not given, and no metric may use the source,
    although the format may show it.
    """
    if not shown:
        refuse_unused_source(arguments, scorers)
    if arguments.data:
        return
    for scorer in scorers:
        if scorer.declaration.references == "required" and not arguments.references:
            raise UsageError(without_references(arguments))
        if scorer.declaration.source == "required" and not arguments.source:
            message = f"no source for the metric {scorer.spec}: add --source FILE"
            raise UsageError(message)


def refuse_unused_source(arguments: argparse.Namespace, scorers: Sequence[Scorer]) -> None:
    """Raise a `UsageError` if no metric uses the source that is given."""
    if arguments.source and not any(scorer.uses_source for scorer in scorers):
        named = ", ".join(str(scorer.spec) for scorer in scorers)
        message = (
            f"--source {arguments.source}: no metric uses the source ({named}): leave out --source"
        )
        raise UsageError(message)


def without_references(arguments: argparse.Namespace) -> str:
    """Say that there are no references, perhaps because ``-i`` took them."""
    files = [word for word in arguments.input if word != "-" and is_input(word)]
    if len(files) < 2:
        return f"no references: {usage(arguments)}"
    return (
        f"no references: -i takes every word that follows it, also {files[-1]!r}. References come "
        f"first, or after -r: {usage(arguments)}"
    )


def text_options(arguments: argparse.Namespace) -> dict[str, str]:
    """Options that the arguments set for all metrics."""
    options = {"tok": arguments.tok, "case": arguments.case, "stem": arguments.stem}
    if arguments.jackknife:
        options["loo"] = "yes"
    return {key: value for key, value in options.items() if value is not None}


def options_of_data(
    arguments: argparse.Namespace, registry: Registry, language: str
) -> dict[str, str]:
    """Options for all metrics; the language of a data set chooses the tokenizer if nothing does."""
    from mteval_core.text.named import language_options

    implied = language_options(language, registry) if arguments.lang is None else {}
    return {**implied, **text_options(arguments)}


def choose_tokenizer(arguments: argparse.Namespace, registry: Registry) -> None:
    """Set ``--tok`` to the tokenizer of ``--lang``."""
    if arguments.lang is None:
        return
    from mteval_core.text.named import tokenizer_of_language

    arguments.tok = tokenizer_of_language(arguments.lang, registry)


def check_text_sets(arguments: argparse.Namespace) -> None:
    """Raise a `UsageError` if ``--sets`` meets an option that it sets itself."""
    if arguments.sets and (arguments.case or arguments.stem):
        message = "--sets chooses case and stemmer: leave out --case and --stem"
        raise UsageError(message)


def available_threads() -> int:
    """Number of threads that the process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1

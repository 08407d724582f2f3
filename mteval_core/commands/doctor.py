"""``mteval doctor``: examine texts, or the configuration, and say what is wrong with them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mteval_core.commands.arguments import add_format, add_warnings, refuse
from mteval_core.commands.files import check_output
from mteval_core.commands.formats import formatted, requested_format
from mteval_core.commands.inputs import check_stdin
from mteval_core.commands.output import terminal_width, write_report
from mteval_core.commands.registry import requested_registry
from mteval_core.names import check_name

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from mteval_core.commands.arguments import Conflict
    from mteval_core.data.reading import Files
    from mteval_core.text.examination import Examined


CONFLICTS: tuple[Conflict, ...] = (
    ("no texts: write mteval doctor FILE...", lambda a: not (a.texts or a.show_config)),
    (
        "--config shows the configuration file: leave out the texts",
        lambda a: a.texts and a.show_config,
    ),
)
"""Message and condition of every combination of arguments that is refused."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument(
        "texts",
        nargs="*",
        metavar="FILE",
        help="texts of the same segments, each compared with the first: references, systems, "
        "source; PATH::FIELD for a column, or a data set for all of its texts",
    )
    parser.add_argument(
        "--config",
        dest="show_config",
        action="store_true",
        help="show the configuration file instead: its defaults, where they stand, and which "
        "commands take them",
    )
    group = parser.add_argument_group("output")
    add_format(group)
    add_warnings(group)


def run(arguments: argparse.Namespace) -> int:
    """Examine the texts and write the report; return 1 if something is wrong."""
    from mteval_core.data.reading import Files
    from mteval_core.report import Layout
    from mteval_core.report.examination import of_examination
    from mteval_core.text.examination import compare

    refuse(CONFLICTS, arguments)
    if arguments.show_config:
        from mteval_core.commands.doctor_config import show_configuration

        return show_configuration(arguments)
    for address in arguments.texts:
        check_name(address, "text")
    check_stdin(arguments.texts, quiet=arguments.quiet)
    check_output(arguments.output, arguments.texts)
    registry = requested_registry(arguments)
    form = requested_format(arguments, "correlate", registry)
    files = Files(registry)
    texts = [text for address in arguments.texts for text in examined(address, files)]
    problems = [problem for text in texts for problem in text.problems]
    problems += [problem for other in texts[1:] for problem in compare(texts[0], other)]
    layout = Layout(columns=terminal_width())
    write_report(formatted(of_examination(texts, problems), layout, form, arguments), arguments)
    return 1 if any(problem.is_wrong for problem in problems) else 0


def examined(address: str, files: Files) -> Iterator[Examined]:
    """Examine the text of an address, or all texts of a data set."""
    from mteval_core.data.addresses import Address
    from mteval_core.text.examination import examine, examine_file

    path, field, _ = Address.parse(address)
    if not field and files.is_dataset(path):
        dataset = files.dataset(path)
        for name in dataset.fields:
            if name not in ("docs", "ids"):
                yield examine(f"{path}::{name}", dataset.text(name))
    elif field or files.registry.reader(path).declaration.fields is not None:
        for column in files.columns(address):
            yield examine(column.text.path or address, column.text)
    else:
        yield examine_file(path)

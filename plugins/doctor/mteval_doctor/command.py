"""``mteval doctor``: examine texts or the configuration file, and report faults."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mteval_core import Address, InputError, check_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from mteval_core import Arguments, Registry, Session
    from mteval_doctor.examination import Examined, Problem


def add_arguments(arguments: Arguments) -> None:
    """Declare the arguments of the command."""
    arguments.basic("texts --configuration -f -o --title --note -q --strict")
    arguments.add(
        "texts",
        nargs="*",
        file="input",
        type=Address.parse,
        metavar="FILE",
        help="texts of the same segments, each compared with the first: references, systems, "
        "source; PATH::FIELD for a column, or a data set for all of its texts",
    ).refuse(
        "no texts: write mteval doctor FILE...", lambda o: not (o.texts or o.configuration)
    ).refuse(
        "--configuration shows the configuration file: leave out the texts",
        lambda o: o.texts and o.configuration,
    )
    arguments.add(
        "--configuration",
        action="store_true",
        help="show the configuration file instead: its defaults, where they stand, and which "
        "commands take them",
    )
    group = arguments.group("output")
    group.share("formats", "warnings")


def run(session: Session) -> int:
    """Examine the texts and write the report; return 1 if something is wrong."""
    from mteval_doctor.examination import compare
    from mteval_doctor.report import of_examination

    if session.options.configuration:
        from mteval_doctor.configuration import show_configuration

        return show_configuration(session)
    addresses = session.options.texts
    for address in addresses:
        check_name(str(address), "text")
    texts = [text for address in addresses for text in examined(address, session)]
    problems = [problem for text in texts for problem in text.problems]
    problems += [problem for other in texts[1:] for problem in compare(texts[0], other)]
    said = {(problem.text, problem.code) for problem in problems}
    found = [p for p in checked(texts, session.registry) if (p.text, p.code) not in said]
    # A check that compares a text with the references has said it of both.
    compared = {
        name for p in found if p.code == "tokenized-text" for name in (p.text, texts[0].name)
    }
    problems = [p for p in problems if not (p.code == "tokenized" and p.text in compared)] + found
    session.write(of_examination(texts, problems))
    return 1 if any(problem.is_wrong for problem in problems) else 0


def checked(texts: Sequence[Examined], registry: Registry) -> Iterator[Problem]:
    """Find what the registered checks find, if the texts can have the same segments.

    The first text stands for the references, and a field that is called source for the source.
    """
    from mteval_core import CheckedTexts
    from mteval_doctor.examination import EXAMINED, Problem

    if len({text.n_lines for text in texts}) > 1:
        return
    reference, *others = texts
    sources = [text.summary for text in others if text.name.endswith("::source")]
    systems = [text for text in others if text.summary not in sources]
    summaries = {text.name: text.summary for text in systems}
    compared = CheckedTexts(summaries, (reference.summary,), next(iter(sources), None))
    for code, message in compared.findings(registry):
        if code not in EXAMINED:
            named = (text.name for text in systems if f"system {text.name}" in message)
            name = next(named, reference.name)
            yield Problem(name, code, message.removeprefix(f"system {name}").lstrip(": "))


def examined(address: Address, session: Session) -> Iterator[Examined]:
    """Examine the text of an address, or all texts of a data set, references first.

    Raises
    ------
    InputError
        If the data set has no texts.
    """
    from mteval_doctor.examination import examine, examine_file

    path, files = address.path, session.files
    if not address.field and files.dataset_format(path):
        dataset = files.dataset(address)
        names = [n for n in dataset.fields if n.startswith(("ref.", "source", "system."))]
        if not names:
            raise InputError(f"{path}: a data set without texts; expected texts to examine")
        for name in sorted(names, key=lambda name: not name.startswith("ref.")):
            yield examine(f"{path}::{name}", dataset.text(name))
    elif address.field or session.registry.reader(path).declaration.fields is not None:
        for column in files.columns(address):
            yield examine(column.text.path or str(address), column.text)
    else:
        yield examine_file(path)

"""Arguments of commands that compare new outputs with a saved report."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from mteval_core import Address, Spec, UsageError

if TYPE_CHECKING:
    from mteval_core import Arguments, Options
    from mteval_decide.base import Base

__all__ = ["add_base", "add_moved", "add_settings", "read_base"]


class Moved(NamedTuple):
    """Where the runs of a system of the base are now: ``NAME=PATH,PATH``."""

    name: str
    addresses: tuple[Address, ...]

    @classmethod
    def parse(cls, text: str) -> Moved:
        """Read a value of ``--base``."""
        name, equals, paths = text.partition("=")
        if not (name and equals and paths):
            raise UsageError(f"--base {text}: expected NAME=PATH")
        runs = [paths] if Path(paths).is_file() else paths.split(",")
        return cls(name, tuple(map(Address.parse, runs)))

    @property
    def paths(self) -> tuple[str, ...]:
        """The files."""
        return tuple(address.path for address in self.addresses)


def add_base(arguments: Arguments, systems: str) -> None:
    """Declare the report, the references, and the new outputs."""
    arguments.add(
        "base", file="input", metavar="BASE.json", help="report written by 'score -f json'"
    ).refuse("no new output: add -i SYS", lambda o: not o.input)
    arguments.share("references", help="reference files (default: those that the report names)")
    arguments.share("systems", help=systems)
    add_settings(arguments)


def add_settings(arguments: Arguments) -> Any:
    """Declare ``--set``; return it, so that a command can refuse it with others."""
    return arguments.add(
        "--set",
        dest="settings",
        nargs="+",
        type=Spec.parse,
        default=[],
        metavar="METRIC:KEY=VALUE",
        help="options of the metrics of a report that are not signed, such as device=cuda",
    )


def add_moved(arguments: Arguments) -> None:
    """Declare where texts of the base are now."""
    base = arguments.group("texts of the base that have moved")
    base.add(
        "--base",
        dest="moved",
        nargs="+",
        file="input",
        folders=Moved.parse,
        metavar="NAME=PATH",
        help="where the output of a system of the report is now",
    )
    base.share("source", "documents")


def read_base(options: Options) -> Base:
    """Read the report; the options say where its texts are."""
    from mteval_decide.base import Base
    from mteval_decide.saved import SavedReport

    return Base(
        SavedReport.read(options.base),
        references=options.references,
        systems={one.name: one.addresses for one in options.moved or ()},
        source=options.source,
        documents=options.docs,
        settings=options.settings,
    )

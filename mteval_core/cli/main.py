"""``mteval``: the commands and what they have in common.

Nothing here imports numpy or plugins: ``--help`` and ``--version`` answer at once.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

from mteval_core._version import __version__
from mteval_core.errors import InputError, MtevalError, UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NoReturn

__all__ = ["main"]

COMMANDS = {
    "score": "score systems against references, as one table",
    "correlate": "measure metrics against human judgments",
    "replay": "compute a score again from its signature, or a whole report",
    "diff": "compare two saved results, and explain what changed",
    "list": "list metrics, tokenizers, normalizers, formats, readers, resamplers",
    "check": "prove that a plugin keeps the contract",
    "plugins": "list plugins, what they register, and what is wrong with them",
    "new-plugin": "write a plugin to start from, which works at once",
}

INTERRUPTED = 130


class Parser(argparse.ArgumentParser):
    """Raises errors instead of printing and exiting."""

    def error(self, message: str) -> NoReturn:
        """Raise a `UsageError`."""
        message = f"{message}. See '{self.prog} --help'."
        raise UsageError(message)


class CommandParser(Parser):
    """Parser of one command, which imports the command when it is the one that is called."""

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Import the command, then parse its arguments."""
        module = import_module(f"mteval_core.cli.{self.prog.split()[-1].replace('-', '_')}")
        module.add_arguments(self)
        self.set_defaults(run=module.run)
        return super().parse_known_args(args, namespace)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line.

    Parameters
    ----------
    argv : sequence of str, optional
        Arguments; those of the process, unless given.

    Returns
    -------
    int
        Exit code: 0 done, 1 a check said no, 2 usage, 3 input, 4 plugin, 5 internal error.
    """
    # BLAS threads only spin here; this must happen before numpy is imported.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    if isinstance(sys.stdout, io.TextIOWrapper):
        # Names of files may be no UTF-8; what is written always is.
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        arguments = build_parser().parse_args(argv)
        code: int = arguments.run(arguments)
        sys.stdout.flush()
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read our output has seen enough.
        _abandon_output()
        return 0
    except Exception as error:
        if os.environ.get("MTEVAL_TRACEBACK") == "1":
            raise
        return _report(error)
    return code


def _report(error: Exception) -> int:
    """Print an error as one line, and give its exit code."""
    if isinstance(error, MtevalError):
        message, code = f"error: {error}", error.exit_code
    elif isinstance(error, OSError):
        _abandon_output()
        message, code = f"error: cannot write: {error.strerror or error}", InputError.exit_code
    else:
        cause = f"{type(error).__name__}: {error}"
        message = f"internal error: {cause} (MTEVAL_TRACEBACK=1 shows where)"
        code = MtevalError.exit_code
    print(f"mteval: {' '.join(message.splitlines())}", file=sys.stderr)
    return code


def _abandon_output() -> None:
    """Drop what could not be written: the interpreter would try once more at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def build_parser() -> Parser:
    """Parser of all commands."""
    parser = Parser(
        prog="mteval",
        description="Evaluate machine translation: many metrics, one table, one signature.",
        epilog="'mteval COMMAND --help' explains a command.",
    )
    version = f"mteval {__version__}"
    parser.add_argument("--version", action="version", version=version)
    parser.add_argument(
        "-p",
        dest="plugin_requests",
        metavar="no:NAME|FILE.py",
        action="append",
        default=[],
        help="do not load the plugin or distribution NAME, or load the plugin in a file, not "
        "installed (may be repeated)",
    )
    commands = parser.add_subparsers(
        title="commands", metavar="COMMAND", required=True, parser_class=CommandParser
    )
    for name, summary in COMMANDS.items():
        commands.add_parser(name, help=summary, description=f"{summary.capitalize()}.")
    return parser

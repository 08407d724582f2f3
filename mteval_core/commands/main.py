"""``mteval``: the parser of all commands, and the exit code of every error.

This module imports neither numpy nor plugins, so that ``--help`` and ``--version`` answer at once.
"""

from __future__ import annotations

import atexit
import gc
import io
import os
import sys
import warnings
from contextlib import nullcontext
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from mteval_core._version import __version__
from mteval_core.commands.parser import COMMANDS, CommandParser, Commands, Parser
from mteval_core.commands.streams import INTERRUPTED, reserved_output
from mteval_core.errors import InputError, MtevalError, MtevalWarning, UsageError
from mteval_core.names import printable

if TYPE_CHECKING:
    import argparse
    from collections.abc import Collection, Sequence
    from contextlib import AbstractContextManager

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line.

    Parameters
    ----------
    argv : sequence of str, optional
        The arguments (default: those of the process).

    Returns
    -------
    int
        Exit code: 0 done, 1 a check failed, 2 usage error, 3 input error, 4 plugin error, 5
        internal error, 130 interrupted.
    """
    _prepare_process()
    _open_streams()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("always", MtevalWarning)
            warnings.showwarning = _show_warning
            _print_once.cache_clear()
            if "_ARGCOMPLETE" in os.environ:
                return _complete()
            words = sys.argv[1:] if argv is None else [*argv]
            arguments = build_parser(words).parse_args(words)
            _treat_warnings(arguments)
            with reserved_output(), _progress(arguments), _file_defaults(arguments):
                code: int = arguments.run(arguments)
            sys.stdout.flush()
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # The reader of the output has closed it, as `head` does.
        _abandon_output()
        return 0
    except Exception as error:
        if os.environ.get("MTEVAL_TRACEBACK") == "1":
            raise
        return _report(error)
    return code


@cache
def _prepare_process() -> None:
    """Spend less time on what a short process has no use for."""
    # More BLAS threads gain nothing here; numpy reads the variable when it is imported.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # Imports make many objects and few cycles: looking for garbage this often only takes time.
    gc.set_threshold(100_000)
    # At the end of the process all memory is returned; searching it for garbage is in vain.
    atexit.register(gc.freeze)


def _complete() -> int:
    """Answer a shell that completes a command line; see `mteval_core.commands.completion`."""
    from argcomplete import autocomplete  # pyright: ignore[reportMissingImports] - optional

    from mteval_core.commands.completion import CompletedParser, requested

    parser = build_parser(requested(), CompletedParser)
    autocomplete(parser, always_complete_options="long", exit_method=sys.exit)
    return 0


def _open_streams() -> None:
    """Make standard output UTF-8, and replace streams that the caller has closed."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        # Output is always UTF-8, also where a file name is not.
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")
    if sys.stdout is None:
        # Open for reading: writing fails, as it does in a closed stream.
        sys.stdout = os.fdopen(os.open(os.devnull, os.O_RDONLY), "w")
    if sys.stderr is None:
        sys.stderr = Path(os.devnull).open("w")  # noqa: SIM115


def _progress(arguments: argparse.Namespace) -> AbstractContextManager[None]:
    """Show progress bars on a terminal, without ``-q``."""
    if getattr(arguments, "quiet", False) or not sys.stderr.isatty():
        return nullcontext()
    from mteval_core.metrics import bars

    return bars.shown()


def _file_defaults(arguments: argparse.Namespace) -> AbstractContextManager[None]:
    """Say which defaults come from the configuration file, now and in errors."""
    if not arguments.config:
        return nullcontext()
    from mteval_core.commands.defaults import blaming

    if not getattr(arguments, "quiet", False):
        _print_once(f"mteval: {printable(arguments.config.sentence)}")
    return blaming(arguments.config)


def _treat_warnings(arguments: argparse.Namespace) -> None:
    """Turn warnings into errors with ``--strict``, and silence them with ``-q``."""
    if getattr(arguments, "strict", False):
        warnings.showwarning = _raise_warning
    elif getattr(arguments, "quiet", False):
        warnings.simplefilter("ignore", MtevalWarning)


def _show_warning(message: Warning | str, *_where: object, **_more: object) -> None:
    """Print a warning as one line on standard error, once for each command."""
    _print_once(f"mteval: warning: {printable(' '.join(str(message).split()))}")


@cache
def _print_once(line: str) -> None:
    print(line, file=sys.stderr)


def _raise_warning(message: Warning | str, *_where: object, **_more: object) -> None:
    """Raise an `InputError` for a warning of mteval; print any other."""
    if isinstance(message, MtevalWarning):
        text = f"{message}, an error because of --strict"
        raise InputError(text)
    _show_warning(message)


def _report(error: Exception) -> int:
    """Print an error as one line and return its exit code."""
    if isinstance(error, MtevalError):
        message, code = f"error: {error}", error.exit_code
    elif isinstance(error, ImportError) and error.name == "mteval_kernels":
        message, code = f"error: {error}", UsageError.exit_code
    elif isinstance(error, OSError):
        _abandon_output()
        message, code = f"error: cannot write: {error.strerror or error}", InputError.exit_code
    else:
        cause = f"{type(error).__name__}: {error}"
        message = f"internal error: {cause} (MTEVAL_TRACEBACK=1 shows where)"
        code = MtevalError.exit_code
    print(f"mteval: {printable(' '.join(message.splitlines()))}", file=sys.stderr)
    return code


def _abandon_output() -> None:
    """Redirect standard output to nowhere, so that the interpreter does not flush it at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def build_parser(
    words: Collection[str] = (), parser_class: type[CommandParser] = CommandParser
) -> Parser:
    """Build the parser of the commands among the words of a command line, or of all commands."""
    parser = Parser(
        prog="mteval",
        description="Evaluate machine translation: many metrics in one table, with signatures.",
        epilog="Run 'mteval COMMAND --help' for the arguments of a command.",
    )
    version = f"mteval {__version__}"
    parser.add_argument("--version", action="version", version=version)
    parser.add_argument(
        "-p",
        dest="plugin_requests",
        metavar="no:NAME|FILE.py",
        action="append",
        default=[],
        help="block the plugin or distribution NAME, or load a plugin from a file without "
        "installing it (may be repeated)",
    )
    parser.add_argument(
        "--config",
        dest="config_file",
        metavar="FILE",
        help="take defaults of flags from FILE (default: mteval.toml, or pyproject.toml with "
        "[tool.mteval], in this folder or the nearest one above it)",
    )
    parser.add_argument("--no-config", action="store_true", help="read no configuration file")
    parser.add_argument(
        "--profile",
        dest="use_profile",
        metavar="NAME",
        help="also take the defaults of [profiles.NAME] in the configuration file",
    )
    commands = parser.add_subparsers(
        title="commands",
        metavar="COMMAND",
        required=True,
        action=Commands,
        parser_class=parser_class,
        prog=parser.prog,
    )
    for name in COMMANDS.keys() & words or COMMANDS:
        summary = COMMANDS[name]
        commands.add_parser(name, help=summary, description=f"{summary.capitalize()}.")
    return parser

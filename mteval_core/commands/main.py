"""``mteval``: the command line, and the exit code of every error."""

from __future__ import annotations

import argparse
import atexit
import gc
import io
import os
import sys
import threading
import warnings
from contextlib import AbstractContextManager, nullcontext
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from mteval_core._version import __version__
from mteval_core.commands.arguments import whole_number
from mteval_core.commands.parser import CommandParser, Parser, command_parsers
from mteval_core.commands.terminal import INTERRUPTED, output, reserved_output, wrap_line
from mteval_core.errors import (
    InputError,
    MtevalError,
    MtevalWarning,
    UnknownNameError,
    UsageError,
    attributed,
    near,
)
from mteval_core.names import printable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mteval_core.commands.arguments import Options
    from mteval_core.commands.configuration import Taken
    from mteval_core.plugin.registry import Registry


def main(argv: Sequence[str] | None = None, registry: Registry | None = None) -> int:
    """Run the command line.

    Parameters
    ----------
    argv : sequence of str, optional
        The arguments (default: those of the process).
    registry : Registry, optional
        The plugins (default: those that are installed, as ``-p`` asks for them).

    Returns
    -------
    int
        Exit code: 0 done, 1 a check failed, 2 usage error, 3 input error, 4 plugin error, 5
        internal error, 130 interrupted.
    """
    _prepare_process()
    _open_streams()
    try:
        with warnings.catch_warnings(), reserved_output():
            warnings.simplefilter("always", MtevalWarning)
            warnings.showwarning = _show_warning
            _print_once.cache_clear()
            if "_ARGCOMPLETE" in os.environ:
                from mteval_core.commands.completion import complete

                return complete(preceding_parser(commands=False))
            code = _run(sys.argv[1:] if argv is None else [*argv], registry)
            output().flush()
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


def script() -> None:
    """Run the command line as a process, which threads that plugins leave behind do not hold."""
    code = main()
    own = threading.main_thread()
    for thread in (one for one in threading.enumerate() if not (one.daemon or one is own)):
        thread.join(1)
        if thread.is_alive():
            os._exit(code)
    sys.exit(code)


def _run(words: Sequence[str], registry: Registry | None) -> int:
    """Parse the flags before the command, and run it within the bounds that they set."""
    line = preceding_parser().parse_args(words)
    if not line.max_bytes:
        return _run_command(line, registry)
    from mteval_core.plugin.loading import kept_environment

    with kept_environment():  # child processes see it, too
        os.environ |= dict.fromkeys(("MTEVAL_MAX_BYTES", "MTEVAL_MAX_LINE"), str(line.max_bytes))
        return _run_command(line, registry)


def _run_command(line: argparse.Namespace, registry: Registry | None) -> int:
    """Find the command among the plugins, parse its arguments, and run it."""
    from mteval_core.plugin.declarations import CommandSpec, load
    from mteval_core.plugin.registry import HOST

    registry = registry or registry_of(line.plugins)
    if line.help or line.command is None:
        output().write(help_of(registry))
        return 0
    if Path(line.command).is_file() and not registry.of_name(CommandSpec, line.command):
        raise UsageError(f"{line.command} is a file, not a command: mteval score REF... -i SYS...")
    entry = registry.find(CommandSpec, line.command)
    parser = CommandParser(entry)
    wants_help = not {"-h", "--help"}.isdisjoint(line.words)
    taken = None if wants_help else _taken(line, parser, registry)
    with taken.blaming() if taken else nullcontext():
        words, arguments = (taken.words, taken.arguments) if taken else ((), ())
        options = parser.options(line.words, words, arguments)
        _treat_warnings(options)
        options = options.replace(preceding=line, config=taken, plugin_files=line.plugins)
        if taken and (taken.config.was_found or not options.get("quiet")):
            _print_once(f"mteval: {printable(taken.sentence)}")
        from mteval_core.commands.session import Session
        from mteval_core.text.file_types import RefusedFile

        is_own = entry.plugin.distribution == HOST
        with _progress(options), nullcontext() if is_own else attributed(f"command {entry}"):
            session = Session(parser.command, options, registry, parser.declared)
            try:
                return load(entry.declaration.run)(session) or 0
            except BrokenPipeError:  # no fault of the plugin, as the command writes the output
                _abandon_output()
                return 0
            except RefusedFile as error:
                if (error.name, error.code) != ("standard input", "empty"):
                    raise
                raise InputError(f"{error}, or {session.instead_of_stdin}") from error


def _taken(line: argparse.Namespace, parser: CommandParser, registry: Registry) -> Taken | None:
    """Read the configuration file that the flags before the command ask for."""
    registry.chosen = {}
    if line.no_config:
        if line.config_file or line.preset:
            raise UsageError("--no-config reads no file: leave out --config and --preset")
        return None
    from mteval_core.commands.configuration import NAMES, read_configuration, take
    from mteval_core.plugin.declarations import CommandSpec

    def commands() -> list[str]:
        return [entry.declaration.name for entry in registry.of_kind(CommandSpec)]

    config = read_configuration(line.config_file, line.preset, commands)
    if config is None:
        return None
    registry.chosen = config.content.get(NAMES, {})
    for name, distribution in registry.chosen.items():
        _print_once(f"mteval: {config.path} takes {name!r} from {distribution!r}")
    return take(config, parser, parser.given_names(line.words), lambda: command_parsers(registry))


def registry_of(requests: Sequence[str]) -> Registry:
    """Build the registry that the values of ``-p`` ask for.

    Raises
    ------
    UsageError
        If a value is neither ``no:NAME`` nor a Python file.
    UnknownNameError
        If ``no:NAME`` names a plugin that is not installed.
    """
    from mteval_core.plugin.loading import default_registry
    from mteval_core.plugin.registry import canonical

    blocked = [request.removeprefix("no:") for request in requests if request.startswith("no:")]
    files = [request for request in requests if request.endswith(".py")]
    for request in requests:
        if not request.startswith("no:") and request not in files:
            raise UsageError(f"-p {request}: expected no:NAME or FILE.py")
    build = default_registry.__wrapped__ if files else default_registry  # files may have changed
    registry = build(frozenset(blocked), tuple(files))
    known = blocked and {n for one in registry.plugins[1:] for n in (one.name, one.distribution)}
    for name in blocked:
        if canonical(name) not in map(canonical, known):
            raise UnknownNameError(f"-p no:{name}: unknown plugin {name!r}.{near(name, known)}")
    return registry


@cache
def _prepare_process() -> None:
    """Spend less time on what a short process has no use for."""
    # More BLAS threads gain nothing here; numpy reads the variable when it is imported.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # Imports make many objects and few cycles: looking for garbage this often only takes time.
    gc.set_threshold(100_000)
    # At the end of the process all memory is returned; searching it for garbage is in vain.
    atexit.register(gc.freeze)


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


def _progress(options: Options) -> AbstractContextManager[None]:
    """Show progress bars on a terminal, without ``-q``."""
    if options.get("quiet") or not sys.stderr.isatty():
        return nullcontext()
    from mteval_core.metrics import bars

    return bars.show_bars()


def _treat_warnings(options: Options) -> None:
    """Turn warnings into errors with ``--strict``, and silence them with ``-q``."""
    if options.get("strict"):
        warnings.showwarning = _raise_warning
    elif options.get("quiet"):
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
        raise InputError(f"{message}, an error because of --strict")
    _show_warning(message)


def _report(error: Exception) -> int:
    """Print an error as one line and return its exit code."""
    if isinstance(error, MtevalError):
        message, code = f"error: {error}", error.exit_code
    elif isinstance(error, ImportError) and error.name == "mteval_kernels":
        message, code = f"error: {error}", UsageError.exit_code
    elif isinstance(error, MemoryError):
        message, code = "error: out of memory", InputError.exit_code
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


DESCRIPTION = "Evaluate machine translation: many metrics in one table, with signatures."


def preceding_parser(*, commands: bool = True) -> Parser:
    """Make the parser of the flags that precede the command, and of the words after them."""
    parser = Parser(prog="mteval")
    parser.add_argument("-h", "--help", action="store_true", help="show this help, and exit")
    version = f"mteval {__version__}"
    parser.add_argument(
        "--version", action="version", version=version, help="show the version, and exit"
    )
    parser.add_argument(
        "-p",
        dest="plugins",
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
    parser.add_argument(
        "--max-bytes",
        type=whole_number(1, what="number of bytes"),
        metavar="N",
        help="largest size of a line, or of what is unpacked",
    )
    parser.add_argument("--no-config", action="store_true", help="read no configuration file")
    parser.add_argument(
        "--preset",
        metavar="NAME",
        help="also take the defaults of [presets.NAME] in the configuration file",
    )
    if commands:
        parser.add_argument("command", nargs="?", metavar="COMMAND", help=argparse.SUPPRESS)
        parser.add_argument("words", nargs="...", metavar="[ARGUMENT ...]", help=argparse.SUPPRESS)
    return parser


FIRST, LAST = "scores", "texts and plugins"
"""The groups of the host's commands, which come before and after all others in the help."""

SCREEN = """\
{description}

  mteval score REF... -i SYS...           scores; the baseline is the first
  mteval score REF... -i SYS... -ci -pbs  intervals, and tests of differences
  mteval score REF... -i SYS... -o FILE   the ending of FILE chooses the format

{commands}

mteval COMMAND -h      what most people need of a command; --help: all flags
mteval list commands   what each command does; list metrics: what -m takes

before COMMAND: --version; -p no:NAME blocks a plugin, -p FILE.py loads one;
  --config FILE, --no-config, --preset NAME (defaults of flags); --max-bytes N
"""
"""What ``mteval`` alone and ``mteval --help`` show."""


def help_of(registry: Registry) -> str:
    """Write the first screen: what to type for a score, and the commands by their purpose."""
    from mteval_core.plugin.declarations import CommandSpec

    groups: dict[str, list[str]] = {}
    for one in (entry.declaration for entry in registry.of_kind(CommandSpec)):
        groups.setdefault(one.group or "other commands", []).append(one.name)
    order = [FIRST, *sorted(groups.keys() - {FIRST, LAST}), LAST]
    size = max(map(len, order))
    lines = [f"  {group:{size}}  {'  '.join(groups[group])}" for group in order if group in groups]
    commands = "\n".join(wrap_line(line, size + 4) for line in lines)
    return SCREEN.format(description=DESCRIPTION, commands=commands)

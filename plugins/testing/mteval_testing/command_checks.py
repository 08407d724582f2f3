"""The checks of commands, and commands that run inside a test."""

from __future__ import annotations

import io
import json
import os
import re
import shlex
from argparse import ArgumentParser
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple

from mteval_core import Arguments, CommandSpec, NormalizerSpec, Registry, UsageError, main
from mteval_testing.declaration_checks import expect_light
from mteval_testing.findings import Finding, expect
from mteval_testing.kit import Kit
from mteval_testing.targets import load
from mteval_testing.watch import tried

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mteval_core import CommandSample, Entry

__all__ = ["COMMAND_KIT", "Finished", "check_command", "run_command"]

COMPLETED = (*Registry.kinds(), "languages", "names")
"""What completes values, apart from signature keys: plurals of kinds, and two more lists."""


class Declared(NamedTuple):
    """What a command says of an argument of a group that it shares."""

    names: str = ""
    decides: bool = False


class Declarations(dict[str, Any]):
    """What is declared of arguments; those of shared groups are not known."""

    def __missing__(self, name: str) -> Declared:
        return Declared()


class Shared(dict[str, Any]):
    """Groups of arguments that commands share: of those that a command names, only the names."""

    def __contains__(self, name: object) -> bool:
        return True

    def __missing__(self, name: str) -> Any:
        self[name] = lambda *_, **__: None
        return self[name]


class Finished(NamedTuple):
    """A command that has ended.

    Parameters
    ----------
    code : int
        Its exit code.
    out, err : str
        What it has written to standard output and to standard error.
    """

    code: int
    out: str
    err: str


def run_command(*words: str, registry: Registry | None = None) -> Finished:
    r"""Run a command of the command line within this process.

    Parameters
    ----------
    *words : str
        The command and its arguments.
    registry : Registry, optional
        The plugins (default: everything that is installed).

    Returns
    -------
    Finished

    Examples
    --------
    >>> run_command("tokenise").err
    "mteval: error: unknown command 'tokenise'. Did you mean 'tokenize'?\n"
    """
    buffers = [io.BytesIO(), io.BytesIO()]
    out, err = (io.TextIOWrapper(buffer, "utf-8", write_through=True) for buffer in buffers)
    with redirect_stdout(out), redirect_stderr(err):
        try:
            code = main(words, registry)
        except SystemExit as done:  # after --help
            code = int(done.code or 0)
    return Finished(code, *(buffer.getvalue().decode() for buffer in buffers))


class Command(NamedTuple):
    """What the checks of commands get."""

    entry: Entry[CommandSpec]
    registry: Registry

    @property
    def name(self) -> str:
        """The name of the command, with its distribution if another one has the name, too."""
        named = self.registry.of_name(CommandSpec, self.entry.declaration.name)
        return self.entry.declaration.name if len(named) == 1 else self.entry.qualified

    def declared(self) -> tuple[ArgumentParser, Arguments, Shared]:
        """Return a parser with its own arguments, what they declare, and the groups it shares."""
        parser, shared = ArgumentParser(add_help=False), Shared()
        arguments = Arguments(parser, shared)
        arguments.declared = Declarations()
        load(self.entry.declaration.arguments)(arguments)
        return parser, arguments, shared

    @property
    def sample(self) -> CommandSample | None:
        """The sample of its author."""
        sample = self.entry.declaration.sample
        return None if sample is None else load(sample)()

    def run(self, words: str) -> Finished:
        """Run it."""
        tried(f"mteval {self.name} {words}")
        return run_command("--no-config", self.name, *shlex.split(words), registry=self.registry)


NO_SAMPLE = "not run: the declaration has no sample"


@contextmanager
def folder_of(sample: CommandSample) -> Iterator[Path]:
    """Work in a folder with the files of a sample."""
    before = Path.cwd()
    with TemporaryDirectory() as folder:
        for name, content in sample.files.items():
            path = Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content, encoding="utf-8")
        os.chdir(folder)
        try:
            yield Path(folder)
        finally:
            os.chdir(before)


def hook_module_is_light(command: Command) -> None:
    """Importing the hooks does not import numpy; otherwise every command starts slowly."""
    expect_light({command.entry.plugin.distribution})


def help_explains_the_command(command: Command) -> None:
    """The command, its group and every argument have a help text; users have nothing else."""
    declaration = command.entry.declaration
    expect(bool(declaration.help), "the declaration has no help")
    expect(bool(declaration.group), "the declaration has no group")
    parser, _, _ = command.declared()
    silent = [action.dest for action in parser._actions if not action.help]
    expect(not silent, f"these arguments have no help: {', '.join(silent)}")
    done = command.run("--help")
    expect(done.code == 0, f"--help has the exit code {done.code}: {done.err}")
    expect(f"mteval {declaration.name}" in done.out, f"--help does not name it: {done.out!r}")
    listed = run_command("--help", registry=command.registry).out
    expect(declaration.name in listed.split(), "mteval --help does not list it")


def unknown_flags_are_refused(command: Command) -> None:
    """A flag that the command does not have is an error; a typing mistake would be ignored."""
    done = command.run("--no-such-flag")
    expect(done.code == UsageError.exit_code, f"--no-such-flag has the exit code {done.code}")
    expect("--no-such-flag" in done.err, f"the message does not name the flag: {done.err!r}")


def completions_exist(command: Command) -> None:
    """Values are completed by names that exist; otherwise the tab key finds nothing."""
    keys = {entry.declaration.key for entry in command.registry.of_kind(NormalizerSpec)}
    _, arguments, _ = command.declared()
    for name, declared in arguments.declared.items():
        what = declared.names
        exists = not what or what in COMPLETED or what in keys
        expect(exists, f"{name} is completed by {what!r}; expected the plural of a kind, or a key")


def sample_is_answered(command: Command) -> str:
    """The sample has a result, the same every time; otherwise nobody can check a result."""
    sample = command.sample
    if sample is None:
        return NO_SAMPLE
    with folder_of(sample):
        first, second = (command.run(sample.words) for _ in range(2))
    expect(first.code in (0, 1), f"the exit code is {first.code}: {first.err}")
    expect(bool(first.out.strip()), "nothing is written to standard output")
    expect(first == second, f"the second run is different: {first} and {second}")
    return ""


def json_is_valid(command: Command) -> str:
    """``-o FILE.json`` writes valid JSON and nothing else; other programs read it."""
    sample = command.sample
    if sample is None:
        return NO_SAMPLE
    _, _, shared = command.declared()
    if not shared.keys() & {"output", "formats", "tables"}:
        return "not run: the command does not share the arguments of formats"
    with folder_of(sample) as folder:
        done = command.run(f"{sample.words} -o written.json")
        written = folder / "written.json"
        expect(written.exists(), f"no file is written; the exit code is {done.code}: {done.err}")
        json.loads(written.read_text(encoding="utf-8"), parse_constant=refuse_constant)
    expect(not done.out, f"it also writes to standard output: {done.out!r}")
    return ""


def refuse_constant(name: str) -> None:
    """Refuse NaN and infinity, which are not JSON."""
    raise AssertionError(f"{name} is not JSON")


def conflicts_are_refused(command: Command) -> str:
    """Each conflict is refused with its message; flags without effect mislead users."""
    sample = command.sample
    if sample is None:
        return NO_SAMPLE
    messages = ""
    with folder_of(sample):
        for words, part in sample.refused.items():
            done = command.run(f"{sample.words} {words}")
            expect(done.code == UsageError.exit_code, f"{words}: the exit code is {done.code}")
            expect(part in done.err, f"{words}: expected {part!r} in the message {done.err!r}")
            messages += done.err
    _, arguments, _ = command.declared()
    for message, _ in arguments.conflicts:
        shown = ".+".join(map(re.escape, re.split(r"\{\w+\}", message)))
        expect(
            bool(re.search(shown, messages)),
            f"the sample does not try what is refused with {message!r}",
        )
    return ""


COMMAND_KIT = Kit(
    (
        completions_exist,
        conflicts_are_refused,
        help_explains_the_command,
        hook_module_is_light,
        json_is_valid,
        sample_is_answered,
        unknown_flags_are_refused,
    ),
    Command,
)
"""The checks of commands."""


def check_command(name: str, *, registry: Registry | None = None) -> list[Finding]:
    """Run all checks on a command.

    Parameters
    ----------
    name : str
        The command.
    registry : Registry, optional
        Where to look for it (default: everything installed).

    Returns
    -------
    list of Finding
        One for each check.
    """
    return COMMAND_KIT.named(CommandSpec, name, registry)

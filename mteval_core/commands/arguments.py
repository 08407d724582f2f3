"""Arguments of commands: flags, the groups that commands share, conflicts, and values."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from copy import copy
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple, TypeAlias, TypeVar

from mteval_core.errors import UsageError, near

if TYPE_CHECKING:
    Container = argparse._ActionsContainer

# Values

Number = TypeVar("Number", int, float)


def _reader(
    kind: type[Number], is_valid: Callable[[Number], bool], expected: str
) -> Callable[[str], Number]:
    """Make a reader of numbers, which raises what ``argparse`` turns into an error of usage."""

    def read(text: str) -> Number:
        from mteval_core.plugin.options import read_number

        with suppress(ValueError):
            number = read_number(text, kind)
            if is_valid(number):
                return number
        raise argparse.ArgumentTypeError(f"expected {expected}, got {text!r}")

    return read


def whole_number(
    minimum: int = 0, maximum: int | None = None, what: str = "whole number"
) -> Callable[[str], int]:
    """Make a reader of whole numbers in a range, both ends included.

    Parameters
    ----------
    minimum, maximum : int
        The range; without a maximum it is open.
    what : str
        What the number is, for the message.

    Returns
    -------
    callable
        It raises what ``argparse`` turns into an error of usage.

    Examples
    --------
    >>> whole_number(1, 9)("7")
    7
    """
    limits = f"{minimum} or more" if maximum is None else f"from {minimum} to {maximum}"
    most = math.inf if maximum is None else maximum
    return _reader(int, lambda number: minimum <= number <= most, f"a {what}, {limits}")


def number_between(low: float, high: float, what: str) -> Callable[[str], float]:
    """Make a reader of numbers between two others, which are excluded.

    Parameters
    ----------
    low, high : float
        The two others.
    what : str
        What is expected, for the message.

    Returns
    -------
    callable
        It raises what ``argparse`` turns into an error of usage.

    Examples
    --------
    >>> number_between(0, 100, "a number of percent between 0 and 100")("99.5")
    99.5
    """
    return _reader(float, lambda number: low < number < high, what)


percentage: Callable[[str], float] = number_between(0, 100, "a number of percent between 0 and 100")
"""Reads a confidence level."""

points: Callable[[str], float] = number_between(1e-9, 1e9, "a difference above 0")
"""Reads a difference of scores."""


def resamples(text: str) -> int:
    """Read a number of resamples or trials; one alone says nothing."""
    from mteval_core.evaluation.p_values import MOST_TRIALS

    return whole_number(2, MOST_TRIALS)(text)


# Arguments


Conflict: TypeAlias = "tuple[str, Callable[[Options], Any]]"
"""The message about arguments that are refused, and the test of the options that refuses them."""


class Options:
    """The values of a command's arguments, as attributes that can only be read.

    Parameters
    ----------
    values : mapping of str to object
        Values by the names of the arguments: ``options.ci_level`` is that of ``--ci-level``.
    flags : mapping of str to str
        The arguments that stand on the command line, and their flags as they were typed.
    configured : collection of str
        The arguments that a configuration file sets.

    Examples
    --------
    >>> options = Options({"width": 4, "case": None}, flags={"width": "-w"})
    >>> options.width, options.given("width"), options.typed("width"), options.get("stem")
    (4, True, '-w', None)
    """

    __slots__ = ("_configured", "_flags", "_values")

    def __init__(
        self,
        values: Mapping[str, Any],
        flags: Mapping[str, str] = MappingProxyType({}),
        configured: Collection[str] = (),
    ) -> None:
        object.__setattr__(self, "_values", MappingProxyType(dict(values)))
        object.__setattr__(self, "_flags", dict(flags))
        object.__setattr__(self, "_configured", frozenset(configured))

    def __getattr__(self, name: str) -> Any:
        try:
            return self._values[name]
        except KeyError:
            raise AttributeError(f"the command has no argument {name!r}") from None

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"options can only be read; {name!r} cannot be set")

    def __contains__(self, name: object) -> bool:
        return name in self._values

    def get(self, name: str, default: Any = None) -> Any:
        """Return the value of an argument, or the default if the command does not have it."""
        return self._values.get(name, default)

    def given(self, *names: str) -> bool:
        """Whether any of these arguments stands on the command line."""
        return not self._flags.keys().isdisjoint(names)

    def typed(self, name: str) -> str:
        """Return the flag of an argument as it was typed; the long one if it was not."""
        flag: str = self._flags.get(name, f"--{name.replace('_', '-')}")
        return flag

    def configured(self, *names: str) -> bool:
        """Whether a configuration file sets any of these arguments."""
        return not self._configured.isdisjoint(names)

    def replace(self, **values: Any) -> Options:
        """Return a copy with other values."""
        return Options({**self._values, **values}, self._flags, self._configured)

    def written_into(self, message: str) -> str:
        """Put values where a message has the names of arguments in braces, as in ``{level}``."""
        values = self._values.items()
        shown = {k: " ".join(map(str, v)) if isinstance(v, list) else v for k, v in values}
        return message.format_map(shown)

    def __repr__(self) -> str:
        return f"Options({dict(self._values)})"


class Declared(NamedTuple):
    """What the host knows of an argument, in addition to what ``argparse`` does.

    Parameters
    ----------
    file : {"", "input", "output", "path"}
        Whether its values name files: those that are read, those that are written, or others. A
        configuration file cannot set it then.
    kinds : tuple of str
        For an output: kinds of parts of the report that it can hold.
    parts : tuple of str
        For an output: names of the parts that are written to it, if not all.
    names : str
        What completes its values: a kind such as ``tokenizers``, or a signature key.
    changes : tuple of str
        What the argument changes, if not everything: kinds of parts of a report.
    decides : bool
        Whether it decides a verdict or hides messages. A configuration file that nobody named
        cannot set it then.
    """

    file: Literal["", "input", "output", "path"] = ""
    kinds: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    names: str = ""
    changes: tuple[str, ...] = ()
    decides: bool = False


class Flag(NamedTuple):
    """An argument that has been declared."""

    conflicts: list[Conflict]

    def refuse(self, message: str, when: Callable[[Options], Any]) -> Flag:
        """Refuse a combination of this argument with others.

        Parameters
        ----------
        message : str
            What is wrong and what to do.
        when : callable
            ``when(options)`` is true for the combination.

        Returns
        -------
        Flag
            The same flag, for the next combination.
        """
        self.conflicts.append((message, when))
        return self


class Extend(argparse.Action):
    """Adds the values of a repeated flag; its first use replaces the default."""

    read: Callable[[str], Any] | None = None
    """Reads each file, if the values are files. A folder stands for its files."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,  # noqa: ARG002
        namespace: argparse.Namespace,
        values: str | Sequence[Any] | None,
        option_string: str | None = None,  # noqa: ARG002
    ) -> None:
        """Add the values."""
        added = list(values or ())
        if self.read is not None:
            from mteval_core.commands.files import files_of

            added = [self.read(path) for word in added for path in files_of(word)]
        before = getattr(namespace, self.dest)
        kept = [] if before is self.default else before
        setattr(namespace, self.dest, [*kept, *added])


class Arguments:
    """Declares the arguments of a command. The function ``arguments`` of a `CommandSpec` gets it.

    Parameters
    ----------
    container : argparse.ArgumentParser or group
        Where the arguments go.
    groups : mapping of str to callable
        The groups of arguments that commands share.

    Attributes
    ----------
    declared : dict of str to Declared
        What is declared, by destination; groups add to that of their command.
    conflicts : list of Conflict
        What is refused, likewise.

    Examples
    --------
    The arguments of a command that compares systems::

        def add_arguments(arguments):
            arguments.share("references", "systems", "metrics", "data", "text", "output")
            test = arguments.group("the test")
            test.add("--looks", type=int, help="how often to look").refuse(
                "--looks applies to sequential tests: add --sequential",
                lambda options: options.looks and not options.sequential,
            )
    """

    whole_number: ClassVar[Callable[..., Callable[[str], int]]] = staticmethod(whole_number)
    number_between: ClassVar[Callable[[float, float, str], Callable[[str], float]]] = staticmethod(
        number_between
    )

    def __init__(self, container: Container, groups: Mapping[str, Callable[..., None]]) -> None:
        self._container = container
        self._groups = groups
        self.declared: dict[str, Declared] = {}
        self.conflicts: list[Conflict] = []
        self.basics: list[str] = []

    def describe(self, text: str) -> None:
        """Set the text above the arguments in the help of the command."""
        self._container.description = text

    def group(self, title: str, description: str | None = None) -> Arguments:
        """Begin a group of arguments with a heading in the help."""
        return self._within(self._container.add_argument_group(title, description))

    def alternatives(self) -> Arguments:
        """Begin a group of flags of which at most one can be given."""
        return self._within(self._container.add_mutually_exclusive_group())

    def _within(self, container: Container) -> Arguments:
        group = copy(self)  # it adds to the same collections
        group._container = container
        return group

    def add(
        self,
        *names: str,
        file: Literal["", "input", "output", "path"] = "",
        folders: Callable[[str], Any] | None = None,
        kinds: tuple[str, ...] = (),
        parts: tuple[str, ...] = (),
        completes: str = "",
        changes: tuple[str, ...] = (),
        **settings: Any,
    ) -> Flag:
        """Declare an argument.

        A flag that takes several values may be repeated; repetition adds.

        Parameters
        ----------
        *names : str
            As for ``argparse.ArgumentParser.add_argument``.
        file : {"", "input", "output", "path"}
            Whether the values are files that are read or written; ``"path"`` for others. Before the
            command runs, the host checks that no output is an input, that outputs can be written,
            and that standard input is read once. A configuration file cannot set such an argument.
        folders : callable, optional
            For an argument with several values that are files: a folder stands for its files, and
            this function reads each of them.
        kinds : tuple of str
            For an output: kinds of parts that reports of the command have, such as ``"chart"``. A
            format that writes none of them is refused before the command runs.
        parts : tuple of str
            For an output: names of parts of the report. `Session.write` writes those that there are
            in the format of the file's ending.
        completes : str
            What completes a value in the shell: the plural of a kind such as ``"tokenizers"``, or a
            signature key.
        changes : tuple of str
            The kinds of parts of a report that the argument changes, if not all, such as
            ``"table"``. It is refused if no output has one of these parts.
        **settings
            More arguments of ``add_argument``: ``type``, ``default``, ``choices``, ``nargs``,
            ``metavar``, ``help``, ...

        Returns
        -------
        Flag
            Its method `Flag.refuse` declares conflicts.
        """
        if settings.get("nargs") in ("+", "*") and "action" not in settings:
            own = {"read": staticmethod(folders)} if folders else {}
            settings = {"action": type("Extend", (Extend,), own), "default": [], **settings}
        action = self._container.add_argument(*names, **settings)
        declared = Declared(file, kinds, parts, names=completes, changes=changes)
        self.declared.setdefault(action.dest, declared)
        return Flag(self.conflicts)

    def basic(self, names: str) -> None:
        """Say which arguments most people need: ``-h`` shows them, and ``--help`` all.

        Parameters
        ----------
        names : str
            The first spelling of each flag, or the name of an argument without one, separated by
            spaces. Of their help, ``-h`` shows what comes before the first semicolon, colon or
            parenthesis.
        """
        self.basics.extend(names.split())

    def decide(self, *names: str) -> None:
        """Say that arguments decide a verdict or hide messages; see `Declared`."""
        for name in names:
            self.declared[name] = self.declared[name]._replace(decides=True)

    def share(self, *names: str, **settings: Any) -> Flag:
        """Declare arguments that several commands share, so that they mean the same everywhere.

        Parameters
        ----------
        *names : str
            Names of groups, such as ``"references"``: the page on the Python API lists them.
        **settings
            What this command says differently: arguments of the group's function, such as
            ``help``.

        Returns
        -------
        Flag
            Its method `Flag.refuse` declares further conflicts of this command.

        Raises
        ------
        UsageError
            If there is no such group.
        """
        for name in names:
            if name not in self._groups:
                raise UsageError(f"unknown group of arguments {name!r}.{near(name, self._groups)}")
            self._groups[name](self, **settings)
        return Flag(self.conflicts)

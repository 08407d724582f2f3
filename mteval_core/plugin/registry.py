"""The registry: finds what the host and the plugins declare, by kind and name."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field, replace
from fnmatch import fnmatch
from functools import lru_cache
from operator import attrgetter
from pathlib import Path
from typing import Any, Generic, Literal, TypeVar, cast

from mteval_core.errors import (
    MtevalError,
    OptionError,
    PluginError,
    UnknownNameError,
    attributed,
    near,
    one_line,
    readable,
)
from mteval_core.frozen import Frozen
from mteval_core.plugin.declarations import (
    KINDS,
    DatasetSpec,
    Declaration,
    Kind,
    MetricSpec,
    NormalizerSpec,
    ReaderSpec,
    kind_of,
    load,
    neutral,
)

HOST = "mteval-core"

COMPRESSED = (".gz", ".xz", ".zst")
"""Endings of files that `mteval_core.open_binary` decompresses."""

KEPT = 8
"""Number of tokenizers and normalizers with options that stay in memory."""

HOST_FOLDER = str(Path(__file__).parents[1])
STANDARD_LIBRARY = str(Path(os.__file__).parent)

D = TypeVar("D", bound=Declaration)
FileSpec = TypeVar("FileSpec", ReaderSpec, DatasetSpec)
D_co = TypeVar("D_co", bound=Declaration, covariant=True)


class Plugin(Frozen):
    """One plugin, usable or not.

    Parameters
    ----------
    name : str
        Name of its entry point.
    distribution, version : str
        Where it comes from.
    blocked : bool
        Whether the user asked not to load it.
    cause : BaseException or None
        The error that makes it unusable.
    seconds : float
        Time that its import took.
    path : str
        The file, if the plugin is one Python file that is not installed.
    api : int or None
        The API level that it was written for; None if it could not be used.
    folder : str
        Folder of the module with its hooks, beside which its files are.
    """

    name: str
    distribution: str
    version: str
    blocked: bool = False
    cause: BaseException | None = field(default=None, compare=False)
    seconds: float = field(default=0.0, compare=False)
    path: str = field(default="", compare=False)
    api: int | None = field(default=None, compare=False)
    folder: str = field(default="", compare=False)

    @property
    def status(self) -> Literal["ok", "broken", "blocked"]:
        """Whether its declarations are in the registry, and if not, why."""
        if self.blocked:
            return "blocked"
        return "ok" if self.cause is None else "broken"

    @property
    def error(self) -> str:
        """The cause in one line; empty if there is none."""
        if self.cause is None:
            return ""
        if isinstance(self.cause, PluginError):
            return " ".join(str(self.cause).split())
        return one_line(self.cause)

    @property
    def signed(self) -> str:
        """The plugin in a signature: ``distribution@version``, or the hash of a plugin file."""
        return "@".join(filter(None, (self.distribution, self.version)))

    @property
    def where(self) -> str:
        """File and line of the plugin in which the cause was raised; empty if unknown."""
        if isinstance(self.cause, SyntaxError) and self.cause.filename:
            return f"{self.cause.filename}:{self.cause.lineno or 1}"
        from traceback import walk_tb

        frames = walk_tb(self.cause.__traceback__ if self.cause else None)
        places = [(frame.f_code.co_filename, line) for frame, line in frames]
        return next((f"{file}:{line}" for file, line in reversed(places) if _foreign(file)), "")

    @property
    def origin(self) -> str:
        """Distribution and version, or the file, in words."""
        return f"of {self.distribution} {self.version}" if self.version else f"in {self.path}"

    def __str__(self) -> str:
        status = f"plugin {self.name!r} {self.origin} is {self.status}"
        return f"{status}: {self.error}" if self.cause else status


class Entry(Frozen, Generic[D_co]):
    """A declaration and the plugin that made it.

    Parameters
    ----------
    declaration : Declaration
        What the plugin declares.
    plugin : Plugin
        The plugin, with its distribution and version.

    Examples
    --------
    >>> from mteval_core import NormalizerSpec, default_registry
    >>> str(default_registry().find(NormalizerSpec, "lc", "case"))
    "'lc' of mteval-core 0.1.0"
    """

    declaration: D_co
    plugin: Plugin

    @property
    def qualified(self) -> str:
        """The unambiguous name, ``DISTRIBUTION/NAME``."""
        return f"{self.plugin.distribution}/{self.declaration.name}"

    def with_value(self, value: str | None = None) -> tuple[Entry[D_co], str]:
        """Set the option of a tokenizer or normalizer, as ``NAME[VALUE]`` does.

        Parameters
        ----------
        value : str, optional
            What stands in brackets (default: the default of the option).

        Returns
        -------
        (Entry, str)
            The entry, whose declaration has no option any more; what signatures have after its
            name.

        Raises
        ------
        OptionError
            If it takes no value, or not this one.
        InputError
            If the value names a file that cannot be read, or has another hash.
        PluginError
            If the plugin fails.
        """
        declaration: Any = self.declaration
        option, kind = declaration.option, kind_of(type(declaration)).singular
        if option is None:
            if value is not None:
                raise OptionError(
                    f"{kind} {declaration.shown!r} takes no value: leave out [{value}]"
                )
            return self, ""
        with attributed(f"{kind} {self}"):
            chosen = option.parse((value,)) if value else option.value_of(option.default)
            if option.file and not chosen:
                raise OptionError(f"{kind} {declaration.shown!r} needs a file in brackets")
            signed = "+".join(option.format(chosen))
            functions: dict[str, Any] = {
                field: made(target, chosen, signed)
                for field in ("function", "batch", "lines")
                if (target := getattr(declaration, field, None)) is not None
            }
        return replace(
            self, declaration=replace(declaration, option=None, **functions)
        ), f"[{signed}]"

    def __str__(self) -> str:
        return f"{self.declaration.name!r} {self.plugin.origin}"


@lru_cache(KEPT)
def made(function: Callable[..., Any] | str, value: Any, signed: str) -> Callable[..., Any]:  # noqa: ARG001
    """Make a function of texts; a file that has changed has another signed value."""
    return cast("Callable[..., Any]", load(function)(value))


class Registry:
    """Finds declarations by kind and name; a kind is named by its class, such as `MetricSpec`.

    Parameters
    ----------
    plugins : iterable of Plugin
        All plugins, usable or not.
    entries : iterable of Entry
        Everything that the usable ones declare.

    Attributes
    ----------
    chosen : mapping of str to str
        The distribution whose name stands where unknown ones share it, by the name.
    load_offers : callable
        ``load_offers(kind, name)`` adds the plugins that wait until a name of a kind, any name (if
        it is empty), or anything (if both are) is asked for.
    """

    def __init__(self, plugins: Iterable[Plugin], entries: Iterable[Entry[Declaration]]) -> None:
        self.chosen: Mapping[str, str] = {}
        self._plugins: list[Plugin] = []
        self._entries: dict[str, list[Entry[Declaration]]] = {kind: [] for kind in KINDS}
        self.load_offers: Callable[[str, str], None] = lambda _kind, _name: None
        self.add(plugins, entries)

    def add(self, plugins: Iterable[Plugin], entries: Iterable[Entry[Declaration]]) -> None:
        """Add plugins, and what they declare."""
        self._plugins += plugins
        for entry in entries:
            object.__setattr__(entry.declaration, "origin", f" {entry.plugin.origin}")
            self._entries[kind_of(type(entry.declaration)).plural].append(entry)

    @property
    def plugins(self) -> tuple[Plugin, ...]:
        """All plugins, usable or not; the host comes first."""
        self.load_offers("", "")
        order = attrgetter("path", "distribution")
        return tuple(sorted(self._plugins, key=lambda one: (one.distribution != HOST, order(one))))

    @staticmethod
    def kinds() -> Mapping[str, Kind]:
        """Return all kinds of declarations by their plural, in the order of their lists."""
        return KINDS

    def of_kind(self, kind: type[D]) -> list[Entry[D]]:
        """Return all entries of a kind, sorted by name."""
        self.load_offers(kind_of(kind).plural, "")
        return self._loaded(kind)

    def _loaded(self, kind: type[D]) -> list[Entry[D]]:
        entries = self._entries[kind_of(kind).plural]
        by_name = sorted(entries, key=lambda e: (e.declaration.name, e.plugin.distribution))
        return cast("list[Entry[D]]", by_name)

    def of_plugin(self, plugin: Plugin) -> dict[str, list[Entry[Declaration]]]:
        """Return the entries of a plugin by the plural of their kind."""
        return {
            kind: sorted(own, key=lambda entry: entry.declaration.shown)
            for kind, entries in self._entries.items()
            if (own := [entry for entry in entries if entry.plugin is plugin])
        }

    def registered_by(self, plugin: Plugin) -> dict[str, list[str]]:
        """Return the names that a plugin registers, by the plural of their kind."""
        return {
            kind: [entry.declaration.shown for entry in entries]
            for kind, entries in self.of_plugin(plugin).items()
        }

    def default_metrics(self) -> list[str]:
        """Return the specs of the default metrics, with the distribution where names clash."""
        return self.metrics(lambda metric: metric.in_default_set)

    def metrics(self, wanted: Callable[[MetricSpec], bool]) -> list[str]:
        """Return the specs of some metrics, with the distribution where names clash."""
        return [self.spec(entry) for entry in self.of_kind(MetricSpec) if wanted(entry.declaration)]

    def spec(self, entry: Entry[MetricSpec]) -> str:
        """Return the name that finds a metric, with its distribution if the name alone does not."""
        name = entry.declaration.name
        return name if self.standing(MetricSpec, name) == [entry] else entry.qualified

    def of_name(self, kind: type[D], name: str, key: str | None = None) -> list[Entry[D]]:
        """Return all entries of a name; see `find`. A name takes precedence over a label.

        In aliases, upper and lower case do not differ.
        """
        bare = name.rpartition("/")[2]
        self.load_offers(kind_of(kind).plural, bare)
        found = self._loaded_of_name(kind, name, key)
        if any(entry.declaration.name == bare for entry in found):
            return found
        self.load_offers("", "")  # plugins list no labels and aliases
        return self._loaded_of_name(kind, name, key)

    def _loaded_of_name(self, kind: type[D], name: str, key: str | None) -> list[Entry[D]]:
        candidates = [e for e in self._loaded(kind) if e.declaration.signature_key == key]
        distribution, slash, bare = name.rpartition("/")
        if any(name in entry.declaration.names for entry in candidates):
            bare = name  # a label may contain a slash
        elif slash:
            home = canonical(distribution)
            candidates = [e for e in candidates if canonical(e.plugin.distribution) == home]
        return (
            [entry for entry in candidates if entry.declaration.name == bare]
            or [entry for entry in candidates if bare in entry.declaration.names]
            or [entry for entry in candidates if has_alias(entry.declaration, bare)]
        )

    def standing(
        self, kind: type[D], name: str, key: str | None = None, *, home: str = HOST
    ) -> list[Entry[D]]:
        """Return the entry that a name means, or several if it is ambiguous; see `find`."""
        entries, shown = self.of_name(kind, name, key), name if key is None else f"{key}={name}"
        if len(entries) < 2:
            return entries
        from mteval_core.plugin.catalogue import plugins_with

        known = plugins_with(kind_of(kind).plural, shown)
        for distribution in (HOST, home, *known, self.chosen.get(shown)):
            own = [entry for entry in entries if entry.plugin.distribution == distribution]
            if len(own) == 1:
                return own
        return entries

    def find(
        self, kind: type[D], name: str, key: str | None = None, *, home: str = HOST
    ) -> Entry[D]:
        """Return the one entry of a name, or of ``DISTRIBUTION/NAME``.

        Where several distributions claim a name, the host's stands, then that of the distribution
        that asks for it, then that of the plugin that is known for it, then the chosen one.

        Parameters
        ----------
        kind : type of Declaration
            The class of the declaration, such as `MetricSpec`.
        name : str
            The name, or for a metric its label.
        key : str, optional
            The signature key of a normalizer.
        home : str
            The distribution that asks for the name.

        Returns
        -------
        Entry
            The ``declaration`` and its ``plugin``.

        Raises
        ------
        UnknownNameError
            If nothing of that name is registered.
        PluginError
            If several other distributions claim the name, or if nothing has it while some plugins
            could not be loaded or a plugin is known to have it.
        """
        entries = self.standing(kind, name, key, home=home)
        if len(entries) > 1:
            shown = name if key is None else f"{key}={name}"
            raise PluginError(ambiguity(kind_of(kind).singular, shown, entries))
        if not entries:
            causes = [plugin.cause for plugin in self.plugins if plugin.cause]
            raise self._unknown(kind, name, key) from next(iter(causes), None)
        return entries[0]

    def _unknown(self, kind: type[Declaration], name: str, key: str | None) -> MtevalError:
        """Build the error for a name that is not registered."""
        thing = kind_of(kind).singular
        declarations = [entry.declaration for entry in self.of_kind(kind)]
        known = {each.name for each in declarations if each.signature_key == key}
        if key is not None:
            thing, known = f"{thing} {key}", known | {neutral(key)}
        where = self.missing(kind_of(kind).plural, name if key is None else f"{key}={name}")
        if where:
            return PluginError(f"unknown {thing} {name!r}: it is {where}")
        if "," in name and key is None:
            listed = name.replace(",", " ")
            return UnknownNameError(f"unknown {thing} {name!r}: write {listed}, without commas")
        also = [each for one in declarations if one.signature_key == key for each in one.names]
        message = f"unknown {thing} {name!r}.{near(name.rpartition('/')[2], known, also)}"
        unusable = self.unusable
        return PluginError(message + unusable) if unusable else UnknownNameError(message)

    def missing(self, what: str, name: str) -> str:
        """Say in which known plugin something is that is not registered, and how to get it.

        Parameters
        ----------
        what : str
            The plural of a kind, or ``reads`` or ``writes``.
        name : str
            The name, ``DISTRIBUTION/NAME``, or the name of a file to read or write.

        Returns
        -------
        str
            The rest of a sentence, ``in the plugin ...``; empty if no known plugin has it, or if
            the plugin is loaded.
        """
        from mteval_core.plugin.catalogue import plugins_with

        home, slash, bare = name.rpartition("/")
        known = plugins_with(what, name)
        if slash and not known:
            known = [one for one in plugins_with(what, bare) if one == canonical(home)]
        return " or ".join(filter(None, map(self._where, known)))

    def _where(self, distribution: str) -> str:
        """Say that a plugin is not installed, broken or blocked; empty if it is loaded."""
        own = [each for each in self.plugins if canonical(each.distribution) == distribution]
        if not own:
            return f"in the plugin {distribution}; install it with: pip install {distribution}"
        return " or ".join(
            f"in the plugin {plugin.name!r} {plugin.origin}, which is {plugin.status}"
            + (f": {plugin.error}" if plugin.cause else "")
            for plugin in own
            if plugin.status != "ok"
        )

    @property
    def unusable(self) -> str:
        """A sentence that names the plugins that are broken or blocked, with a space before it.

        Plugins with the same cause are named together. It is empty if there are none.
        """
        alike: dict[tuple[str, str], list[Plugin]] = {}
        for plugin in self.plugins:
            if plugin.status != "ok":
                alike.setdefault((plugin.status, plugin.error), []).append(plugin)
        listed = [
            str(first)
            if not others
            else f"plugins {', '.join(f'{each.name!r} {each.origin}' for each in (first, *others))}"
            f" are {status}" + (f": {error}" if error else "")
            for (status, error), (first, *others) in alike.items()
        ]
        return f" These plugins are not loaded: {'; '.join(listed)}" if listed else ""

    def normalizer_keys(self, stage: Literal["text", "token"]) -> list[str]:
        """Return the signature keys of the normalizers of a stage, the host's first.

        A key of the host stays in its stage, and so in its place in signatures, even if a plugin
        declares a normalizer of the key for the other stage.
        """
        entries = self.of_kind(NormalizerSpec)
        stages = {
            entry.declaration.key: entry.declaration.stage
            for entry in entries
            if entry.plugin.distribution == HOST
        }
        normalizers = [entry.declaration for entry in entries]
        keys = {each.key for each in normalizers if stages.get(each.key, each.stage) == stage}
        return sorted(keys, key=lambda key: (key not in ("case", "stem"), key))

    def reader(self, path: str) -> Entry[ReaderSpec]:
        """Return the reader for a file; a plugin's takes precedence over the host's.

        Raises
        ------
        PluginError
            If the readers of several plugins claim the file.
        """
        entry = self._claimant(ReaderSpec, path)
        assert entry is not None, "the host reads every file"
        return entry

    def dataset(self, path: str) -> Entry[DatasetSpec] | None:
        """Return the format of a data set by its file or folder; None if no format claims it.

        Raises
        ------
        PluginError
            If several plugins claim it.
        """
        return self._claimant(DatasetSpec, path)

    def _claimant(self, kind: type[FileSpec], path: str) -> Entry[FileSpec] | None:
        """Return the format whose pattern and ``sniff`` fit a path."""
        name = without_compression(Path(path).name)
        fitting = [
            entry
            for entry in self.of_kind(kind)
            if any(fnmatch(name, pattern) for pattern in entry.declaration.patterns)
            and looks_like(entry, path)
        ]
        foreign = [entry for entry in fitting if entry.plugin.distribution != HOST]
        if len(foreign) > 1:
            raise PluginError(shared_ending(path, foreign))
        return next(iter(foreign or fitting), None)


def has_alias(declaration: Declaration, name: str) -> bool:
    """Whether a declaration has an alias, in upper or lower case."""
    return name.casefold() in map(str.casefold, getattr(declaration, "aliases", ()))


def ambiguity(thing: str, name: str, entries: Iterable[Entry[Declaration]]) -> str:
    """Say that several distributions claim a name, and how to choose one."""
    choices = " or ".join(sorted(entry.qualified for entry in entries))
    return f"{thing} {name!r} is registered more than once: choose {choices}"


def shared_ending(files: str, entries: Sequence[Entry[Declaration]]) -> str:
    """Say that several formats claim files, and how to keep one of them."""
    who = " and ".join(entry.qualified for entry in entries)
    names = " or ".join(dict.fromkeys(f"-p no:{entry.plugin.name}" for entry in entries))
    return f"{files}: {who} both read files of this name; block one with {names}"


def without_compression(name: str) -> str:
    """Return the name of a file without the ending of a compressed one."""
    return name.removesuffix(Path(name).suffix) if name.endswith(COMPRESSED) else name


def looks_like(entry: Entry[FileSpec], path: str) -> bool:
    """Whether a path has the format of an entry, as far as its ``sniff`` knows.

    Raises
    ------
    InputError
        If the path cannot be read.
    """
    sniff = entry.declaration.sniff
    if sniff is None or not Path(path).exists():
        return True
    with attributed(f"{kind_of(type(entry.declaration)).singular} {entry}"), readable(path):
        return bool(load(sniff)(path))


def canonical(name: str) -> str:
    """Return the normalized form of a distribution's name, as on the package index."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _foreign(file: str) -> bool:
    """Tell whether code is neither the host's nor pluggy's nor Python's own."""
    if file.startswith(("<", HOST_FOLDER)) or Path(file).parent.name == "pluggy":
        return False
    return not file.startswith(STANDARD_LIBRARY) or "-packages" in file

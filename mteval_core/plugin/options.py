"""Options of metrics: parse, check and write their values."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, lru_cache
from operator import attrgetter
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar

from mteval_core.errors import InputError, OptionError, near, readable
from mteval_core.frozen import Frozen
from mteval_core.spec import is_in_brackets

NumberT = TypeVar("NumberT", int, float)
NumberKind = type[int] | type[float]

SHARED = {"case": "case folding", "tok": "tokenizer", "stem": "stemmer"}
"""Help of the options that choose the pipeline of any metric."""

WHOLE = re.compile(r"-?[0-9]+")
DECIMAL = re.compile(r"-?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
"""How numbers are written. Python also reads ``1_0``, ``inf``, white space and other digits."""

SIGNED_FILE = r"(?s)(.*?)(?:@([0-9a-f]{12}))?"
"""The path of a file, and in signatures its hash."""

MOVED: ContextVar[Mapping[str, str]] = ContextVar("moved", default=MappingProxyType({}))
"""Where files are now that options name, by their names without folders."""


Hook = TypeVar("Hook", bound=Callable[..., Any])


def load(target: Hook | str) -> Hook:
    """Return the function or class that a declaration names, importing it if necessary."""
    if not isinstance(target, str):
        return target
    module, attribute = _place(target)
    __import__(module)  # as import_module, in less time: it also waits for other threads
    hook: Hook = attribute(sys.modules[module])
    return hook


@cache  # of the text alone: what the module has may change
def _place(target: str) -> tuple[str, attrgetter[Any]]:
    module, _, attribute = target.partition(":")
    return module, attrgetter(attribute)


def read_number(text: str, kind: type[NumberT]) -> NumberT:
    """Read a finite number.

    Parameters
    ----------
    text : str
        A whole number (``4``, ``-1``) or a decimal one (``0.5``, ``.5``, ``1e-3``).
    kind : type
        ``int`` for whole numbers only, or ``float``.

    Raises
    ------
    ValueError
        If the text is not such a number. Python's ``int`` and ``float`` also read underscores,
        spaces, digits of other scripts, ``inf`` and ``nan``.
    """
    grammar = WHOLE if kind is int else DECIMAL
    if not grammar.fullmatch(text):
        raise ValueError(f"{text!r} is not a number")
    number = kind(text)
    if abs(number) == float("inf"):
        raise ValueError(f"{text!r} is too large")
    return number


class Option(Frozen):
    """An option of a metric: a key of its spec, a field of its signature, a keyword of its class.

    Parameters
    ----------
    key : str
        Name in specs and signatures. The keyword has ``_`` for ``-``.
    default : bool, int, float, str or tuple of str
        The default, whose type is the type of the option; a tuple makes it a list (``a+b``). With
        ``type``, a string is read as users' values are; an empty one when it is used.
    help : str
        One line for ``mteval list``.
    choices : tuple of str
        The allowed words. A numeric option allows them in addition to numbers.
    minimum, maximum : float or None
        Range of a numeric option, both ends included. Set a maximum from which on the metric would
        take too much time or memory, or its numbers would overflow.
    type : callable, str or None
        For values that are not numbers, words or lists: reads a value from a string, and raises a
        `ValueError` that says what it expected. ``str`` of a value must be read back as that value.
        ``"module:function"`` is imported when a value is read.
    file : bool
        Whether the value is the path of a file. Signatures have ``NAME@HASH`` in its place, and
        such a value must be a file of that hash. With ``type``, a function from what users write to
        a path; if that string has an attribute ``name``, it is the name in signatures. With the
        default ``""``, the option of a metric can be left without a file.
    folder : bool
        Whether the file may also be a folder. Its hash is that of all files in it, but hidden files
        and those that end in ``.md``.
    signed : bool
        Whether signatures have the option. An option that cannot change a score, such as a device
        or the size of a batch, has ``signed=False``. Then the specs of reports and the heads of
        tables do not have it either. A replay uses its default, unless the user sets it.
    spec : bool
        Whether the values are specs of other metrics, which users write in brackets:
        ``of=[bleu:order=2]+[chrf]``. The default is a tuple of specs without brackets. The class
        gets a tuple of `Scorer` from the registry of the run, and signatures have their signatures
        in the brackets.

    Notes
    -----
    The keys ``case``, ``tok`` and ``stem`` choose the pipeline and are not passed to the class. A
    metric declares them to change their default or their position in the signature.
    """

    key: str
    default: Any
    help: str = ""
    choices: tuple[str, ...] = ()
    minimum: float | None = None
    maximum: float | None = None
    type: Callable[[str], Any] | str | None = None
    file: bool = False
    folder: bool = False
    signed: bool = True
    spec: bool = False

    @property
    def keyword(self) -> str:
        """The option as a keyword of the metric's class."""
        return self.key.replace("-", "_")

    def expected(self) -> str:
        """Describe the allowed values in a few words."""
        words = ["a file", "a folder"][: 1 + self.folder] if self.file else list(self.choices)
        if isinstance(self.default, bool):
            words = ["yes", "no"]
        elif self._numeric is not None:
            number = "a whole number" if self._numeric is int else "a number"
            words = [number + self._range, *words]
        listed = " or ".join(words) if len(words) < 3 else f"one of {', '.join(words)}"
        if self.spec:
            return "metrics in brackets, joined by '+': [NAME]+[NAME]"
        if isinstance(self.default, tuple):
            return f"any of {', '.join(words)}, joined by '+'" if words else "a list (a+b)"
        return listed or "a word"

    @property
    def _range(self) -> str:
        low, high = self.minimum, self.maximum
        if low is not None and high is not None:
            return f" from {_shown(low)} to {_shown(high)}"
        if low is not None:
            return f" of at least {_shown(low)}"
        return "" if high is None else f" of at most {_shown(high)}"

    @property
    def _numeric(self) -> NumberKind | None:
        if self.type is not None or isinstance(self.default, (bool, tuple)):
            return None
        if isinstance(self.default, (int, float)):
            return type(self.default)
        # The default is a word, but there is a range: the option takes "*" or a number.
        bounds = [bound for bound in (self.minimum, self.maximum) if bound is not None]
        return type(bounds[0]) if bounds else None

    def parse(self, items: tuple[str, ...]) -> Any:
        """Read a value from the items of a spec.

        Raises
        ------
        OptionError
            If the items are not a valid value.
        """
        try:
            if isinstance(self.default, tuple):
                return tuple(self._word(item) for item in items if item)
            (item,) = items
            return self._read(item)
        except (InputError, OptionError):
            raise
        except ValueError as error:
            seen = "+".join(items)
            reason = str(error) if self.type is not None and len(items) == 1 else self.expected()
            raise OptionError(f"option {self.key}={seen}: expected {reason}") from None

    def _read(self, item: str) -> Any:
        if self.file:
            return self._read_path(item)
        if self.type is not None:
            return load(self.type)(item)
        if isinstance(self.default, bool):
            return ("no", "yes").index(item) == 1
        if self._numeric is None or item in self.choices:
            return self._word(item)
        number = read_number(item, self._numeric)
        low = -float("inf") if self.minimum is None else self.minimum
        high = float("inf") if self.maximum is None else self.maximum
        if not low <= number <= high:
            raise ValueError
        return number

    def value_of(self, default: Any) -> Any:
        """Return a default as a value: a string is read by ``type``, or names a file."""
        if isinstance(default, str) and (self.type is not None or self.file):
            return self.parse((default,))
        return default

    def _read_path(self, item: str) -> str:
        path, signed = re.fullmatch(SIGNED_FILE, item).groups()  # type: ignore[union-attr]
        moved, name = MOVED.get(), Path(path).name
        read = str if self.type is None else load(self.type)
        path = moved[name] if name in moved else read(path)
        path = moved.get(Path(path).name, path)
        if not path and not self.default:
            return ""
        if signed and not os.path.lexists(path):
            raise InputError(
                f"{path}: no such file; say where the file is that is signed {name}@{signed}"
            )
        now = self._hash(path)
        if signed not in (None, now):
            raise InputError(f"{path}: its hash is {now}, but the signature was made with {signed}")
        return path

    def _hash(self, path: str) -> str:
        return (
            folder_hash(path) if self.folder and path and Path(path).is_dir() else file_hash(path)
        )

    def _word(self, item: str) -> str:
        if self.spec:
            if not is_in_brackets(item):
                raise ValueError
            return item[1:-1]
        if self.choices and item not in self.choices:
            suggestion = near(item, self.choices)
            raise OptionError(f"option {self.key}={item}: expected {self.expected()}.{suggestion}")
        return item

    def format(self, value: Any) -> tuple[str, ...]:
        """Write a value as the items that `parse` reads."""
        if self.file and value:
            before = {path: name for name, path in MOVED.get().items()}
            name = getattr(value, "name", Path(value).name)
            return (f"{before.get(value, name)}@{self._hash(value)}",)
        if self.spec:
            return tuple(f"[{each}]" for each in value) or ("",)
        if self.type is None and isinstance(value, (tuple, list)):
            return tuple(value) or ("",)
        if isinstance(value, bool):
            return ("yes" if value else "no",)
        if isinstance(value, float):
            return (f"{value:g}" if float(f"{value:g}") == value else repr(value),)
        return (str(value),)

    @staticmethod
    @contextmanager
    def moved_files(paths: Mapping[str, str]) -> Iterator[None]:
        """Read the files that options name from other paths; an outer context takes precedence.

        Parameters
        ----------
        paths : mapping of str to str
            The paths, by the names that signatures have.

        Examples
        --------
        >>> with Option.moved_files({"spm.model": "models/flores200.model"}):
        ...     Option("model", "", file=True).expected()
        'a file'
        """
        token = MOVED.set({**paths, **MOVED.get()})
        try:
            yield
        finally:
            MOVED.reset(token)

    def details(self) -> dict[str, object]:
        """Return what ``mteval list --json`` prints of the option."""
        shared = SHARED.get(self.key)
        return {
            "key": self.key,
            "default": "+".join(self.written_default()),
            "values": "see 'mteval list'" if shared else self.expected(),
            "choices": list(self.choices),
            "signed": self.signed,
            "help": self.help or shared or "",
        }

    def written_default(self) -> tuple[str, ...]:
        """Write the default as users would; unlike a value, a file has no hash."""
        return (self.default,) if isinstance(self.default, str) else self.format(self.default)


def file_hash(path: str) -> str:
    """Return the first 12 hexadecimal digits of the SHA-256 of a file.

    Raises
    ------
    InputError
        If the file cannot be read.
    """
    with readable(path or "no file"):
        return file_digest(path, stamp(path))[:12]


def folder_hash(path: str) -> str:
    """Return the first 12 hexadecimal digits of the SHA-256 of the files of a folder.

    It covers, for each file, its path in the folder, a line feed, the hash of the file and a line
    feed, in the order of the paths.
    """
    from hashlib import sha256

    digest = sha256()
    for name, file in sorted(folder_contents(Path(path)).items()):
        digest.update(f"{name}\n{file_hash(str(file))}\n".encode())
    return digest.hexdigest()[:12]


def folder_contents(folder: Path) -> dict[str, Path]:
    """List the files of a folder that decide what it holds, by their paths in it."""
    names = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*")}
    return {
        name: path
        for name, path in names.items()
        if path.is_file() and not name.endswith(".md") and not re.search(r"(^|/)\.", name)
    }


def stamp(path: str) -> tuple[int, ...]:
    """Return what changes with a file: its place on the disk, size, and time of last change."""
    status = Path(path).stat()
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns


@lru_cache(maxsize=1000)
def file_digest(path: str, _stamp: tuple[int, ...]) -> str:
    """Return the SHA-256 of a file in hexadecimal digits; one that has not changed is read once."""
    from hashlib import sha256

    digest = sha256()
    with Path(path).open("rb") as stream:
        while block := stream.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def _shown(bound: float) -> str:
    """Write a bound as short as possible: whole numbers up to a million in digits."""
    return f"{bound:.0f}" if bound == int(bound) and abs(bound) <= 1e6 else f"{bound:g}"


MISSING = Option(
    "missing",
    "leave-out",
    "segments without a score: left out, an error, or given the worst possible score",
    choices=("leave-out", "error", "worst"),
)
"""The option of every metric that may miss segments."""

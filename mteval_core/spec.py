r"""Specs: one string that names a metric with options, ``rouge-s:skip=4`` or ``bleu``.

Grammar::

    spec   = [distribution "/"] name [":" option *("," option)]
    option = key "=" item *("+" item)
    item   = text | "[" (spec | signature) "]"

A backslash escapes ``, = | : +`` and itself; in names it also escapes ``/``. White space has no
special meaning and is kept. What stands in brackets is kept as it is; an item that begins with a
bracket and is no spec in brackets has a backslash before it.
Signatures (`mteval_core.signature`) use the same escapes and the same keys.
"""

from __future__ import annotations

import re
from dataclasses import field
from typing import TYPE_CHECKING

from mteval_core.errors import UsageError
from mteval_core.frozen import Frozen

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


def escape(text: str, plain: str = "") -> str:
    """Put a backslash before every special character of the grammar, but for a `plain` one."""
    special = ",=|:+\\".replace(plain, "")
    return re.sub(rf"(^\[|[{re.escape(special)}])", r"\\\1", text)


def unescape(text: str) -> str:
    """Undo `escape`."""
    return re.sub(r"\\(.)", r"\1", text, flags=re.DOTALL)


def closing_brackets(text: str) -> dict[int, int]:
    """Return where each unescaped bracket begins, and where what it opens ends."""
    opened: list[int] = []
    ends: dict[int, int] = {}
    for found in re.finditer(r"\\.|[][]", text, re.DOTALL):
        if found[0] == "[":
            opened.append(found.start())
        elif found[0] == "]" and opened:
            ends[opened.pop()] = found.end()
    return ends


def is_in_brackets(item: str) -> bool:
    """Tell whether an item is a spec or a signature in brackets."""
    return closing_brackets(item).get(0) == len(item)


def split_unescaped(text: str, separator: str, maxsplit: int = -1) -> list[str]:
    """Split at separators that are neither escaped nor in an item in brackets."""
    ends, parts, start, inside = closing_brackets(text), list[str](), 0, 0
    pattern = rf"\\.|{re.escape(separator)}|(?<![^,=|:+])\["
    for found in re.finditer(pattern, text, re.DOTALL):
        if found.start() < inside:
            continue
        if found[0] == "[":
            end = ends.get(found.start(), 0)
            inside = end if text[end : end + 1] in {"", *",=|:+"} else 0
        elif found[0] == separator and len(parts) != maxsplit:
            parts.append(text[start : found.start()])
            start = found.end()
    return [*parts, text[start:]]


def join_items(items: Iterable[str], separator: str = "+", plain: str = "") -> str:
    """Escape items, but for a `plain` character, and join them into one value."""
    return separator.join(item if is_in_brackets(item) else escape(item, plain) for item in items)


def split_items(value: str, separator: str = "+") -> tuple[str, ...]:
    """Split a value into its items and unescape them."""
    items = split_unescaped(value, separator)
    return tuple(item if is_in_brackets(item) else unescape(item) for item in items)


def split_pairs(
    pairs: Iterable[str], mark: str, where: str, *, what: str, hint: str = ""
) -> dict[str, str]:
    """Split keys, which are unescaped, from values, which stay escaped.

    Raises
    ------
    UsageError
        If a key or a mark is missing, or a key comes twice.
    """
    values: dict[str, str] = {}
    for pair in pairs:
        key, *value = split_unescaped(pair, mark, 1)
        key = unescape(key)
        if not key or not value:
            raise UsageError(f"{where}: expected KEY{mark}VALUE, got {pair!r}{hint}")
        if key in values:
            raise UsageError(f"{where}: the {what} {key!r} is given twice")
        values[key] = value[0]
    return values


class Spec(Frozen):
    """The name of a metric, with the options that were given.

    Parameters
    ----------
    name : str
        Name of the metric.
    options : mapping of str to tuple of str
        The items given for each key; a single value is a tuple of one.
    distribution : str or None
        The distribution that provides the metric, in case the name alone is ambiguous.

    Examples
    --------
    >>> Spec.parse("meteor:modules=exact+stem,alpha=0.9").options
    {'modules': ('exact', 'stem'), 'alpha': ('0.9',)}
    >>> str(Spec.parse("mteval-overlap/overlap:n=2"))
    'mteval-overlap/overlap:n=2'
    """

    name: str
    options: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    distribution: str | None = None

    @classmethod
    def parse(cls, text: str) -> Spec:
        """Read a spec.

        Parameters
        ----------
        text : str
            The spec.

        Returns
        -------
        Spec

        Raises
        ------
        UsageError
            If the text does not follow the grammar, or has a key twice.
        """
        head, *tail = split_unescaped(text, ":", 1)
        *distribution, name = map(unescape, split_unescaped(head, "/", 1))
        if not name or distribution == [""]:
            raise UsageError(
                f"{text!r} is not a spec; expected NAME, NAME:KEY=VALUE,... or DISTRIBUTION/NAME"
            )
        given = split_unescaped(tail[0], ",") if tail and tail[0] else []
        options = split_pairs(
            given, "=", f"in {text!r}", what="option", hint="; spaces separate specs"
        )
        return cls(name, {key: split_items(value) for key, value in options.items()}, *distribution)

    def __str__(self) -> str:
        options = ",".join(f"{escape(k)}={join_items(v)}" for k, v in self.options.items())
        names = [self.name] if self.distribution is None else [self.distribution, self.name]
        path = "/".join(escape(name).replace("/", r"\/") for name in names)
        return f"{path}:{options}" if options else path

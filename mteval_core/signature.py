r"""Signatures: what a score needs to be computed again, as one string.

``NAME|key:value|...|version:V``, the grammar of sacreBLEU. Keys are unique, every value is given,
defaults too. Values are escaped as in specs; the items of a list are joined by ``+``, the
distributions of ``plugin`` by a comma.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from mteval_core.errors import UsageError
from mteval_core.spec import escape, join_items, split, split_items, unescape

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["DRAWN", "NOT_OPTIONS", "Signature", "reference_hash"]

DRAWN = ("bs", "ar", "seed", "resampler", "by")
"""Fields that say how intervals and p-values were drawn."""

NOT_OPTIONS = ("nrefs", *DRAWN, "refs", "plugin", "version")
"""Fields that say what was scored, and by what, not how."""


def _separator(key: str) -> str:
    return "," if key == "plugin" else "+"


@dataclass(frozen=True)
class Signature:
    """Name and fields of a signature, in order.

    Parameters
    ----------
    name : str
        The metric, as its plugin labels it (``BLEU``).
    fields : mapping of str to tuple of str
        The items of each field, unescaped, in the order in which they are printed.

    Examples
    --------
    >>> signature = Signature.parse("BLEU|nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp")
    >>> signature.fields["tok"]
    ('13a',)
    >>> str(signature)
    'BLEU|nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp'
    """

    name: str
    fields: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @classmethod
    def parse(cls, text: str) -> Signature:
        """Read a signature; a score printed behind it (``= 27.1 ...``) is left aside.

        Raises
        ------
        UsageError
            If the text does not follow the grammar, or gives a key twice.
        """
        name, *parts = split(text.partition(" = ")[0], "|")
        fields: dict[str, tuple[str, ...]] = {}
        for part in parts:
            key, *value = split(part, ":", 1)
            key = unescape(key)
            if not key or not value:
                message = f"in the signature {text!r}: expected KEY:VALUE, found {part!r}"
                raise UsageError(message)
            if key in fields:
                message = f"in the signature {text!r}: the key {key!r} is given twice"
                raise UsageError(message)
            fields[key] = split_items(value[0], _separator(key))
        if not name or not fields:
            message = f"{text!r} is no signature; expected NAME|KEY:VALUE|..."
            raise UsageError(message)
        return cls(unescape(name), fields)

    def get(self, key: str) -> str | None:
        """Return the value of a field as one unescaped string, None where there is none."""
        items = self.fields.get(key)
        return None if items is None else _separator(key).join(items)

    def __str__(self) -> str:
        # Behind the first colon of a field another one means nothing special.
        fields = (
            f"{escape(key)}:" + join_items(items, _separator(key)).replace(r"\:", ":")
            for key, items in self.fields.items()
        )
        return "|".join([escape(self.name), *fields])


def reference_hash(streams: Iterable[tuple[int, bytes]]) -> str:
    r"""Fingerprint of a set of references, the ``refs`` field.

    Parameters
    ----------
    streams : iterable of (int, bytes)
        For each reference stream its number of lines, and the UTF-8 of its cleaned lines, each
        ended by a line feed; a missing reference is the byte ``0xFF``.

    Returns
    -------
    str
        The first 12 hexadecimal digits of the SHA-256 over, stream after stream, the line count
        in decimal digits and a line feed, then the lines.

    Examples
    --------
    >>> reference_hash([(2, b"a b\nc\n")]) == hashlib.sha256(b"2\na b\nc\n").hexdigest()[:12]
    True
    """
    digest = hashlib.sha256()
    for n_lines, lines in streams:
        digest.update(b"%d\n" % n_lines)
        digest.update(lines)
    return digest.hexdigest()[:12]

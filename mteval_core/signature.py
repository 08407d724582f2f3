r"""Signatures: one string with everything that is needed to reproduce a score.

The grammar is sacreBLEU's, ``NAME|key:value|...|version:V``. Keys are unique, and all values are
stated, defaults included. Values are escaped as in specs. The items of a list are joined by ``+``,
and the distributions of ``plugin`` and ``libraries`` by a comma. An equals sign separates the score
that may follow.

`Signature.parse` also reads the grammar of sacreBLEU 1.x, ``NAME+key.value+...+version.V``, and
`Signature.quoted` what people make of signatures: without the name, with a score in front, as JSON.
"""

from __future__ import annotations

import re
from dataclasses import field
from typing import TYPE_CHECKING, ClassVar

from mteval_core.errors import UsageError
from mteval_core.frozen import Frozen
from mteval_core.spec import escape, join_items, split_items, split_pairs, split_unescaped, unescape

if TYPE_CHECKING:
    from collections.abc import Mapping

OTHER_NAMES = {"nrefs": ("numrefs", "#"), "version": ("v",)}
"""What other programs and versions call fields."""

OLD_GRAMMAR = r"[^+|:=\s]+\+?(\+[^+.|:=\s]+\.[^+|:=\s]+)+"
"""A signature of sacreBLEU 1.x."""

QUOTED = (
    r"(?s)(?:(?P<name>[^\s|:=(]+)\s*(?:=[\s*]*(?P<score>-?[\d.]+)[\s*]*)?(?:\s|(?P<open>\(sig:)))?"
    r"\s*(?P<fields>[^\s|:=]+:.*?)(?(open)\))"
)
"""A signature of sacreBLEU 2.x without a name, or whose name is not a field of its own."""

MARKS = " \t\r\n`*"
"""White space and Markdown around a signature or a score."""


def split_score(text: str) -> tuple[str, str | None]:
    """Split a printed line into the signature and what follows its equals sign.

    Parameters
    ----------
    text : str
        A signature, or ``SIGNATURE = SCORE ...``.

    Returns
    -------
    (str, str or None)
        None if no equals sign follows the signature.

    Examples
    --------
    >>> split_score("BLEU|nrefs:1|tok:13a = 27.14 (BP = 1.0)")
    ('BLEU|nrefs:1|tok:13a', '27.14 (BP = 1.0)')
    """
    # Another program may write an equals sign in a value, but no score is followed by a field.
    *fields, last = split_unescaped(text, "|")
    last, *score = split_unescaped(last, "=", 1)
    if not score:
        return text, None
    return "|".join([*fields, last]).removesuffix(" "), score[0].strip()


def _separator(key: str) -> str:
    return "," if key in ("libraries", "plugin") else "+"


class Signature(Frozen):
    """The name and the fields of a signature.

    Parameters
    ----------
    name : str
        Label of the metric, such as ``BLEU``.
    fields : mapping of str to tuple of str
        The unescaped items of each field, in the order of the signature.

    Attributes
    ----------
    TEXTS, DRAW, SOFTWARE : tuple of str
        The fields that are not options, by what they state: which texts were scored, how intervals
        and p-values were drawn, and with which software the score was computed.

    Examples
    --------
    >>> signature = Signature.parse("BLEU|nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp")
    >>> signature.fields["tok"]
    ('13a',)
    >>> str(signature)
    'BLEU|nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp'
    """

    TEXTS: ClassVar[tuple[str, ...]] = ("nrefs", "systems", "refs", "src", "docs", "columns")
    DRAW: ClassVar[tuple[str, ...]] = ("bs", "subsamples", "ar", "seed", "draw", "by", "interval")
    SOFTWARE: ClassVar[tuple[str, ...]] = ("libraries", "plugin", "version")

    name: str
    fields: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @staticmethod
    def is_meant(text: str) -> bool:
        """Tell whether a text is meant as a signature and not as a spec."""
        line, _ = split_score(text.strip(MARKS))
        return len(split_unescaped(line, "|")) > 1 or bool(re.fullmatch(OLD_GRAMMAR, line))

    @classmethod
    def parse(cls, text: str) -> Signature:
        """Read a signature, without the score that may follow it (``= 27.1 ...``).

        Parameters
        ----------
        text : str
            The signature.

        Returns
        -------
        Signature

        Raises
        ------
        UsageError
            If the text does not follow the grammar, or has a key twice.
        """
        signature, _ = split_score(text)
        if re.fullmatch(OLD_GRAMMAR, signature):
            name, *parts = re.split(r"\+(?!\+)", signature)  # the name may be chrF2+
            parts = [part.replace(".", ":", 1) for part in parts]
        else:
            name, *parts = split_unescaped(signature, "|")
        values = split_pairs(parts, ":", f"in the signature {text!r}", what="key")
        fields = {key: split_items(value, _separator(key)) for key, value in values.items()}
        if not name or not fields:
            raise UsageError(f"{text!r} is not a signature; expected NAME|KEY:VALUE|...")
        return cls(unescape(name), fields)

    @classmethod
    def quoted(cls, text: str) -> tuple[Signature, str | None]:
        """Read a signature as it stands in papers, READMEs and files of sacreBLEU.

        Parameters
        ----------
        text : str
            A signature with or without its name, with white space or Markdown around it, with a
            score in front or behind; or an object of sacreBLEU's JSON.

        Returns
        -------
        (Signature, str or None)
            The signature, whose name is empty if the text has none; and what stands where a score
            is expected.

        Raises
        ------
        UsageError
            If there is no signature, or it does not follow the grammar.

        Examples
        --------
        >>> signature, score = Signature.quoted("`chrF2 nrefs:1 | case:mixed | nc:6` = **51.3**")
        >>> str(signature), score
        ('chrF2|nrefs:1|case:mixed|nc:6', '51.3')
        """
        text = text.strip(MARKS)
        if text.startswith("{"):
            text = _line_of_json(text)
        line, score = split_score(text)
        line, score = line.strip(MARKS), score and score.strip(MARKS)
        if "|plugin:" not in line:  # in values of our own, white space may mean something
            line = re.sub(r"\s*\|\s*", "|", line)
            if found := re.fullmatch(QUOTED, line):
                fields = cls.parse(f"?|{found['fields']}").fields
                return cls(found["name"] or "", fields), found["score"] or score
        return cls.parse(line), score

    def get(self, key: str) -> str | None:
        """Return the value of a field as one unescaped string; None if there is no such field."""
        names = (key, *OTHER_NAMES.get(key, ()))
        items = next((self.fields[name] for name in names if name in self.fields), None)
        return None if items is None else _separator(key).join(items)

    def __str__(self) -> str:
        # Only the first colon of a field is special.
        fields = (
            f"{escape(key)}:{join_items(items, _separator(key), plain=':')}"
            for key, items in self.fields.items()
        )
        return "|".join(filter(None, [escape(self.name), *fields]))


NOT_OPTIONS = (*Signature.TEXTS, "cover", "cut", *Signature.DRAW, *Signature.SOFTWARE)
"""Fields that are not options: they state what was scored, and with which software."""


def _line_of_json(text: str) -> str:
    import json

    try:
        return "{name}|{signature} = {score}".format(**json.loads(text))
    except (ValueError, KeyError, TypeError):
        raise UsageError(
            f"{text[:60]!r}: expected a signature, or 'name', 'signature' and 'score' in JSON"
        ) from None

"""Residue in outputs of what language models say, and of how texts were prepared."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from mteval_doctor.samples import FEWEST, Sample, sample_of, samples_of_systems

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mteval_core import CheckedTexts

__all__ = [
    "BEFORE_TRANSLATION",
    "CONTROL",
    "ENCODED_TWICE",
    "ESCAPES",
    "FENCES",
    "JSON",
    "LANGUAGE_TAGS",
    "MARKUP",
    "NUMBERING",
    "PREAMBLE",
    "QUOTED",
    "QUOTES",
    "REPLACEMENT",
    "RESIDUES",
    "SPECIAL_TOKENS",
    "SUBWORDS",
    "THINKING",
    "TRANSLATION",
    "Residue",
]

TRANSLATION = r"translat|übersetz|traduc|tradu[çz]|перев[оеё]|翻译|翻訳|译文|訳文"
"""How words for a translation begin."""

BEFORE_TRANSLATION = (
    rf"(?i)\s*(?:[\w'’，]+[\s,!.，]+){{0,8}}?[\s\w]{{0,3}}(?:{TRANSLATION})[^:：]{{0,60}}[:：]\s*"
)
"""What models say before a translation, "Sure! Here is the German translation:"."""

QUOTED = r"""\s*(?:"[^"]+"|'.+'|“[^”]+”|„[^“”]+[“”]|«[^»]+»|»[^«]+«|「[^」]+」|『[^』]+』)\s*$"""
"""A line in quotation marks that has none inside, which may belong to the first or the last."""

MOST_SHOWN = 30
"""Number of characters of an example."""

FEW_TWICE = 2
"""Number of lines that show residue which a text may also have once on purpose."""


class Residue(NamedTuple):
    """Something that outputs have too often.

    Parameters
    ----------
    code : str
        Code of its warning.
    what : str
        What it is.
    pattern : str
        What the line contains, or begins with.
    marks : tuple of str
        Any match has one of these characters or stems; empty if there are none. Characters are
        found fastest.
    often : float
        Share of the lines of an output from which it is a problem, if the references have it less
        than half as often.
    fewest : int
        Number of these lines from which it is a problem.
    begins : bool
        Whether the pattern stands at the beginning of a line.
    normalizer : str
        The value of ``clean`` that removes it; empty if none does.
    """

    code: str
    what: str
    pattern: str
    marks: tuple[str, ...] = ()
    often: float = 0.0
    fewest: int = 1
    begins: bool = False
    normalizer: str = ""

    def __call__(self, texts: CheckedTexts) -> Iterator[str]:
        """Find systems that have it where references do not, after all that all metrics remove."""
        for name, sample in samples_of_systems(texts):
            n = len(sample.lines)
            found = self.found(sample) if n >= self.fewest else []
            if len(found) < max(self.fewest, self.often * n):
                continue
            samples = [*map(sample_of, texts.references)]
            expected = sum(len(self.found(each)) for each in samples)
            if len(found) / n > 2 * expected / max(sum(len(each.lines) for each in samples), 1):
                example = found[0].strip()[:MOST_SHOWN]
                yield (
                    f"system {name}: {self.what}, {example!r} for example, in {len(found)} of {n} "
                    f"lines{self.advice(texts, name, len(found))}"
                )

    def advice(self, texts: CheckedTexts, system: str, n: int) -> str:
        """Say what removes it from n lines of a system, as the end of a message."""
        if not self.normalizer:
            return ""
        from mteval_doctor.cleaning import removed_by_all

        left = self.found(Sample(texts.systems[system], removed=(self.normalizer,)))
        if 2 * len(left) > n or self.normalizer in removed_by_all(texts.metrics):
            return f"; clean={self.normalizer} leaves it there: change the text"
        return f"; METRIC:clean={self.normalizer} removes it"

    def found(self, sample: Sample) -> list[str]:
        """Return the first match of each line that has one."""
        lines = sample.lines
        if self.marks:
            marks = [mark for mark in self.marks if mark in sample.whole]
            lines = [line for line in lines if any(mark in line for mark in marks)] if marks else []
        if not lines:  # compiling takes longer than looking for marks
            return []
        pattern = re.compile(self.pattern)
        search = pattern.match if self.begins else pattern.search
        return [match[0] for line in lines if (match := search(line))]


THINKING = Residue(
    "thinking",
    "the thoughts of a model",
    r"(?i)</?think(?:ing)?>|\u25c1/?think\u25b7",
    (">", "\u25b7"),
    normalizer="think",
)

FENCES = Residue("fences", "fences of code", "```", ("`",), normalizer="fences")

JSON = Residue(
    "json",
    "JSON around the translation",
    r"""(?:\s|```(?:json)?)*(?:\{\s*"[^"]*"\s*:|\[\s*(?:".*"|\{.*\})\s*\]\W*$)""",
    ("{", "["),
    often=0.01,
    fewest=FEW_TWICE,
    begins=True,
    normalizer="json",
)

PREAMBLE = Residue(
    "preamble",
    "what a model says before a translation",
    BEFORE_TRANSLATION,
    ("ranslat", "bersetz", "raduc", "raduç", "raduz", "еревод", "еревед", "翻", "译文", "訳文"),
    often=0.01,
    fewest=FEW_TWICE,
    begins=True,
    normalizer="preamble",
)

NUMBERING = Residue(
    "numbering",
    "numbers of lines",
    r"\s*[(\[]?\d+[.):\]]\s",
    often=0.5,
    fewest=FEWEST,
    begins=True,
    normalizer="numbering",
)

QUOTES = Residue(
    "quotes",
    "quotation marks around the line",
    r"""\s*(?:".+"|'.+'|“.+”|„.+[“”]|«.+»|».+«|「.+」|『.+』)\s*$""",
    often=0.5,
    fewest=FEWEST,
    begins=True,
    normalizer="quotes",
)

SUBWORDS = Residue(
    "subwords",
    "marks of subwords",
    r"\u2581|@@(?:\s|$)|\u0120\w|\w ##\w",
    ("\u2581", "@", "\u0120", "#"),
    often=0.05,
    fewest=FEW_TWICE,
)

SPECIAL_TOKENS = Residue(
    "special-tokens",
    "special tokens of a model",
    r"(?i)</?s>|<pad>|<[be]os>|<\|[^|<>\s]+\|>",
    (">",),
)

LANGUAGE_TAGS = Residue(
    "language-tags",
    "tags of languages",
    r"(?i)\b__[a-z]{2,3}(?:_[a-z]+)?__(?:\s|$)|<2[a-z]{2,3}>|>>[a-z_]{2,8}<<"
    r"|^[a-z]{3}_[a-z]{4}\s",
    ("_", "<"),
    often=0.05,
    fewest=FEW_TWICE,
)

MARKUP = Residue(
    "markup",
    "tags or entities of markup",
    r"(?i)</?(?!(?:s|pad|[be]os|think(?:ing)?)>)[a-z][\w:-]*(?:\s[^<>]*)?/?>|&(?:amp|lt|gt|quot|apos|nbsp|#\d+|#x[\da-f]+);",
    ("<", "&"),
    often=0.01,
    fewest=FEW_TWICE,
)

ENCODED_TWICE = Residue(
    "encoded-twice",
    "letters as of UTF-8 that was read as Latin-1",
    "[\u00c2\u00c3][\x80-\xbf]|\u00e2\u20ac[\u2018-\u203a\u0153\u2122\u00a6]",
    ("\u00c2", "\u00c3", "\u20ac"),
    often=0.01,
    fewest=FEW_TWICE,
)

ESCAPES = Residue(
    "escapes",
    "escaped characters",
    r"\\[nrt](?![a-z])|\\u[\da-f]{4}",
    ("\\",),
    often=0.01,
    fewest=FEW_TWICE,
)

CONTROL = Residue(
    "control-characters",
    "control characters",
    "[\0-\x08\x0e-\x1b\x7f-\x84\x86-\x9f]",
    (*map(chr, [*range(9), *range(14, 28), *range(0x7F, 0x85), *range(0x86, 0xA0)]),),
)

REPLACEMENT = Residue(
    "replacement-characters", "replacement characters, where text was lost", "\ufffd", ("\ufffd",)
)

RESIDUES = (
    THINKING,
    FENCES,
    JSON,
    PREAMBLE,
    NUMBERING,
    QUOTES,
    SUBWORDS,
    SPECIAL_TOKENS,
    LANGUAGE_TAGS,
    MARKUP,
    ENCODED_TWICE,
    ESCAPES,
    CONTROL,
    REPLACEMENT,
)
"""All residue."""

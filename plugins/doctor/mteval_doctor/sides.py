"""Properties that an output lacks, or has, where its references do not."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING
from unicodedata import is_normalized

from mteval_doctor.cleaning import without_residue
from mteval_doctor.samples import FEWEST, compared, some
from mteval_doctor.scripts import form_counts, form_of_counts, main_script

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from mteval_core import CheckedTexts, TextSummary

__all__ = [
    "copied_source",
    "cut_lines",
    "empty_lines",
    "letter_case",
    "normal_forms",
    "other_language",
    "other_script",
    "same_beginning",
    "same_words",
    "tokenized_text",
]

MANY_EMPTY = 0.1
"""Share of empty lines from which they are a problem."""

TOKENIZED = 0.1
"""Share of lines from which full stops after a space show that a text is tokenized."""

N_TOKENIZED = 100
"""Number of such lines from which sacreBLEU warns. Half of the lines are enough, too."""

COPIED = 0.2
"""Share of lines that are those of the source from which they are a problem."""

N_FREQUENT = 20
"""Number of the most frequent words of the references that their language is known by."""

N_WORDS = 200
"""Number of words that show the language."""

RARE = 0.25
"""How often such words are in an output of another language at most, relative to references."""

ALIKE = 0.2
"""Share of lines that begin alike from which this is a problem."""

N_ALIKE = 10
"""Number of characters of a beginning that is no coincidence."""

N_SCRIPT = 40
"""Number of lines that show the script."""

CUT = 0.1
"""Share of lines that have exactly the length of the longest from which lines are cut."""

MIXED = "small letters and capitals"
"""The usual case."""


def empty_lines(texts: CheckedTexts) -> Iterator[str]:
    """Find systems of which more than a tenth of the lines are empty, and not of the references."""
    expected = min(map(empty_share, texts.references), default=0.0)
    for name, text in texts.systems.items():
        share = empty_share(text)
        if 1 > share > max(MANY_EMPTY, 2 * expected) and text.n_segments >= FEWEST:
            yield (
                f"system {name}: {text.n_empty} of {text.n_segments} lines are empty; look "
                f"whether translations failed, or were lost"
            )


def empty_share(text: TextSummary) -> float:
    """Share of empty lines."""
    return text.n_empty / max(text.n_segments, 1)


def copied_source(texts: CheckedTexts) -> Iterator[str]:
    """Find systems that copy lines of the source where the references do not."""
    if texts.source is None or texts.source.n_segments < FEWEST:
        return
    source = texts.source.sample

    def copied(text: TextSummary) -> float:
        sample = text.sample
        shared = [i for i in sample if " " in source.get(i, "")]
        return sum(sample[i] == source[i] for i in shared) / max(len(shared), 1)

    expected = max(map(copied, texts.references), default=0.0)
    for name, text in texts.systems.items():
        share = copied(text)
        if share > max(COPIED, 2 * expected):
            yield f"system {name}: {share:.0%} of its lines are those of the source"


def other_script(texts: CheckedTexts) -> Iterator[str]:
    """Find systems in another script than the references."""
    expected: str | None = None
    for name, lines, references in compared(texts):
        expected = expected or script_of(references)
        script = script_of(lines)
        if script and expected and script != expected:
            yield f"system {name} is in {script} script, and the references are in {expected}"


def script_of(lines: Sequence[str]) -> str | None:
    """Name the script of most letters; None without letters."""
    return main_script(Counter("".join(some(lines, N_SCRIPT))))


def other_language(texts: CheckedTexts) -> Iterator[str]:
    """Find systems that hardly have the most frequent words of the references."""
    for name, lines, references in compared(texts):
        if same_words(lines, references) is False and script_of(lines) == script_of(references):
            yield (
                f"system {name}: it hardly has the words that are most frequent in the "
                f"references, so it is in another language, or the source"
            )


def same_words(lines: Sequence[str], references: Sequence[str]) -> bool | None:
    """Tell whether lines have the most frequent words of references; None if there are few words.

    Words without spaces are known by their letters.
    """
    expected, words = (Counter(words_of(some(each))) for each in (references, lines))
    if min(expected.total(), words.total()) < N_WORDS:
        return None
    frequent = [word for word, _ in expected.most_common(N_FREQUENT)]
    share, usual = (
        sum(each[word] for word in frequent) / each.total() for each in (words, expected)
    )
    return share > RARE * usual


def words_of(lines: Iterable[str]) -> list[str]:
    """Return the words of lines that have letters only, or the letters of words without spaces."""
    words = " ".join(lines).lower().split()
    long = sum(map(len, words)) > 12 * len(words)
    return [*filter(str.isalpha, "".join(words) if long else words)]


def letter_case(texts: CheckedTexts) -> Iterator[str]:
    """Find systems or references without capitals, or with capitals only, unless metrics fold."""
    cases = [s.setup.fields["case"] for s in texts.metrics if "case" in s.setup.fields]
    if cases and ("mixed",) not in cases:
        return
    for name, lines, references in compared(texts):
        own, expected = map(case_of, (lines, references))
        if own and expected and own != expected:
            yield (
                f"system {name} has {own}, and the references have {expected}; pass text in the "
                f"same case, or type METRIC:case=lc"
            )
            if expected != MIXED:  # then it is the references that differ
                return


def case_of(lines: Sequence[str]) -> str | None:
    """Describe the case of lines; None if they do not show it."""
    cased = [line for line in some(lines) if line.lower() != line.upper()]
    if len(cased) < FEWEST:
        return None
    if sum(line == line.lower() for line in cased) > 0.9 * len(cased):
        return "small letters only"
    if sum(line == line.upper() for line in cased) > 0.9 * len(cased):
        return "capitals only"
    mixed = sum(line != line.lower() for line in cased) > 0.5 * len(cased)
    return MIXED if mixed else None


def cut_lines(texts: CheckedTexts) -> Iterator[str]:
    """Find systems of which many lines have the same largest length, and no end."""
    for name, lines, references in compared(texts):
        for unit, length in (("words", n_words), ("characters", len)):
            lengths = [*map(length, lines)]
            longest = max(lengths)
            cut = [line for line, n in zip(lines, lengths, strict=True) if n == longest]
            if len(cut) < max(FEWEST, CUT * len(lines)):
                continue
            longer = [line for line in references if length(line) > longest]
            if len(longer) >= CUT * len(references) and ended(cut) < ended(references) / 2:
                yield (
                    f"system {name}: {len(cut)} of {len(lines)} lines have exactly {longest} "
                    f"{unit}, and none has more, where {len(longer)} lines of the references have: "
                    f"they look cut"
                )
                break


def n_words(line: str) -> int:
    """Number of words between spaces."""
    return 1 + line.count(" ")


def ended(lines: Sequence[str]) -> float:
    """Share of lines that end in something else than a letter or digit."""
    return sum(not line[-1].isalnum() for line in lines) / len(lines)


def same_beginning(texts: CheckedTexts) -> Iterator[str]:
    """Find systems of which many lines begin alike, whatever a model says before a translation."""
    for name, lines, references in compared(texts):
        beginning, n = common_beginning(lines)
        _, n_expected = common_beginning(references)
        share, expected = n / len(lines), n_expected / len(references)
        if n < FEWEST or share <= max(ALIKE, 2 * expected) or len(beginning) < N_ALIKE:
            continue
        if common_beginning([*map(without_residue, lines)])[1] == n:  # no other check says it
            yield f"system {name}: {n} of {len(lines)} lines begin with {beginning!r}"


def common_beginning(lines: Sequence[str]) -> tuple[str, int]:
    """Return the most common beginning of lines, and how many lines have it."""
    ((beginning, n),) = Counter(line[:N_ALIKE] for line in lines).most_common(1)
    return beginning, n


def normal_forms(texts: CheckedTexts) -> Iterator[str]:
    """Find characters that one side composes and the other does not: they never match."""
    for name, lines, references in compared(texts):
        sides = ["\n".join(references), "\n".join(lines)]
        if all(is_normalized("NFC", side) for side in sides):
            continue
        form, own = (form_of_counts(*form_counts(side)) for side in sides)
        if own and form and own != form:
            yield (
                f"system {name} is in the normal form {own}, and the references are in {form}, so "
                f"that equal letters do not match; convert one side, for instance with uconv -x "
                f"any-nfc"
            )


def tokenized_text(texts: CheckedTexts) -> Iterator[str]:
    """Find systems that look tokenized, or references where systems do not.

    A metric that tokenizes gives nearly the same score if both sides are tokenized, and another one
    than everybody else's. sacreBLEU looks for the same full stops.
    """
    tokenizes = [s for s in texts.metrics if s.setup.fields.get("tok", ("none",)) != ("none",)]
    if texts.metrics and not tokenizes:
        return
    for name, lines, references in compared(texts):
        share, usual = map(tokenized_share, (lines, references))
        own, expected = looks_tokenized(lines), looks_tokenized(references)
        if own and expected and tokenizes:
            yield (
                f"system {name} and the references look tokenized: {share:.0%} and {usual:.0%} of "
                f"the lines end in ' .', and {tokenizes[0].spec} tokenizes them again; pass text "
                f"before tokenization, or type --tok none"
            )
            return
        if (own and share > 2 * usual) or (expected and usual > 2 * share):
            yield (
                f"system {name}: {share:.0%} of its lines end in ' .', as in tokenized text, and "
                f"{usual:.0%} of those of the references; pass text before tokenization"
            )
            return


def looks_tokenized(lines: Sequence[str]) -> bool:
    """Tell whether lines end in a space and a full stop often enough."""
    share = tokenized_share(lines)
    return (share >= TOKENIZED and share * len(lines) >= N_TOKENIZED) or (
        share > 0.5 and len(lines) >= 2 * FEWEST
    )


def tokenized_share(lines: Sequence[str]) -> float:
    """Share of lines that end in a space and a full stop."""
    return sum(line.endswith((" .", " \u3002")) for line in lines) / max(len(lines), 1)

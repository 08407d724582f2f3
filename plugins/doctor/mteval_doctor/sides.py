"""Properties that an output lacks, or has, where its references do not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mteval_doctor.samples import FEWEST, MIXED, N_ALIKE, common_beginning, compared

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from mteval_core import CheckedTexts, TextSummary
    from mteval_doctor.samples import Sample

__all__ = [
    "copied_source",
    "cut_lines",
    "empty_lines",
    "empty_references",
    "letter_case",
    "many_empty_references",
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

N_LETTERS = 20
"""Number of letters that show the script."""

N_WORDS = 200
"""Number of words that show the language."""

RARE = 0.25
"""How often such words, or letters of the script, are in an output of another language or script at
most, relative to references."""

ALIKE = 0.2
"""Share of lines that begin alike from which this is a problem."""

CUT = 0.1
"""Share of lines that have exactly the length of the longest from which lines are cut."""


def empty_references(texts: CheckedTexts) -> Iterator[str]:
    """Find references that are all empty."""
    if texts.references and are_empty(texts):
        yield "all references are empty: the scores mean nothing"


def are_empty(texts: CheckedTexts) -> bool:
    """Tell whether all references are empty."""
    return all(stream.n_empty == stream.n_segments for stream in texts.references)


def many_empty_references(texts: CheckedTexts) -> Iterator[str]:
    """Find reference streams of which a tenth or more is empty."""
    if are_empty(texts):
        return
    several = len(texts.references) > 1
    advice = "take their segments out of all files"
    if several:
        advice = "type --empty-refs missing, or pass None in Python"
    for k, stream in enumerate(texts.references):
        if stream.n_empty >= MANY_EMPTY * stream.n_segments and stream.n_empty:
            yield (
                f"{stream.path or f'reference stream {k}'}: {stream.n_empty} of "
                f"{stream.n_segments} references are empty, and count as empty translations. If "
                f"they are missing, {advice}"
            )


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
    """Find systems that hardly have letters of the script that most of the references are in."""
    for name, own, expected in compared(texts):
        script, n = expected.script, min(each.scripts.total() for each in (own, expected))
        if n < N_LETTERS or script is None or own.script == script:
            continue
        share, usual = (each.scripts[script] / each.scripts.total() for each in (own, expected))
        if share < RARE * usual:
            yield (
                f"system {name}: {share:.0%} of its letters are {script}, and {usual:.0%} of those "
                f"of the references; most of its letters are {own.script}"
            )


def other_language(texts: CheckedTexts) -> Iterator[str]:
    """Find systems that hardly have the most frequent words of the references."""
    for name, own, expected in compared(texts):
        if own.script == expected.script and not same_words(own, expected):
            yield (
                f"system {name}: it hardly has the words that are most frequent in the "
                f"references, so it is in another language, or the source"
            )


def same_words(own: Sample, expected: Sample) -> bool:
    """Tell whether a text has the most frequent words of references, or few words.

    Words without spaces are known by their letters.
    """
    n, n_expected = (sample.words.total() for sample in (own, expected))
    if min(n, n_expected) < N_WORDS:
        return True
    usual = sum(expected.frequent.values()) / n_expected
    return sum(map(own.words.__getitem__, expected.frequent)) / n > RARE * usual


def letter_case(texts: CheckedTexts) -> Iterator[str]:
    """Find systems or references without capitals, or with capitals only, unless metrics fold."""
    cases = [s.setup.fields["case"] for s in texts.metrics if "case" in s.setup.fields]
    if cases and ("mixed",) not in cases:
        return
    for name, own, expected in compared(texts):
        if own.case and expected.case and own.case != expected.case:
            yield (
                f"system {name} has {own.case}, and the references have {expected.case}; pass text "
                f"in the same case, or type METRIC:case=lc"
            )
            if expected.case != MIXED:  # then it is the references that differ
                return


def cut_lines(texts: CheckedTexts) -> Iterator[str]:
    """Find systems of which many lines have the same largest length, and no end."""
    for name, own, expected in compared(texts):
        lines, references = own.lines, expected.lines
        for unit, lengths_of in (("words", words_of_lines), ("characters", characters_of_lines)):
            lengths = lengths_of(lines)
            longest = max(lengths)
            if lengths.count(longest) < max(FEWEST, CUT * len(lines)):
                continue
            cut = [line for line, n in zip(lines, lengths, strict=True) if n == longest]
            longer = [n for n in lengths_of(references) if n > longest]
            if len(longer) >= CUT * len(references) and ended(cut) < ended(references) / 2:
                yield (
                    f"system {name}: {len(cut)} of {len(lines)} lines have exactly {longest} "
                    f"{unit}, and none has more, where {len(longer)} lines of the references have: "
                    f"they look cut"
                )
                break


def words_of_lines(lines: Iterable[str]) -> list[int]:
    """Number of words between spaces of each line."""
    return [1 + line.count(" ") for line in lines]


def characters_of_lines(lines: Iterable[str]) -> list[int]:
    """Number of characters of each line."""
    return [*map(len, lines)]


def ended(lines: Sequence[str]) -> float:
    """Share of lines that end in something else than a letter or digit."""
    return sum(not line[-1].isalnum() for line in lines) / len(lines)


def same_beginning(texts: CheckedTexts) -> Iterator[str]:
    """Find systems of which many lines begin alike, whatever a model says before a translation."""
    for name, own, expected in compared(texts):
        beginning, share = own.beginning
        n = round(share * len(own.lines))
        if len(beginning) < N_ALIKE or n < FEWEST or share <= max(ALIKE, 2 * expected.beginning[1]):
            continue
        from mteval_doctor.cleaning import without_residue

        cleaned = common_beginning([*map(without_residue, own.lines)])
        if cleaned == own.beginning:  # otherwise another check says it
            yield f"system {name}: {n} of {len(own.lines)} lines begin with {beginning!r}"


def normal_forms(texts: CheckedTexts) -> Iterator[str]:
    """Find characters that one side composes and the other does not: they never match."""
    for name, own, expected in compared(texts):
        if own.is_composed and expected.is_composed:
            continue
        if own.form and expected.form and own.form != expected.form:
            yield (
                f"system {name} is in the normal form {own.form}, and the references are in "
                f"{expected.form}, so that equal letters do not match; convert one side, for "
                f"instance with uconv -x any-nfc"
            )


def tokenized_text(texts: CheckedTexts) -> Iterator[str]:
    """Find systems that look tokenized, or references where systems do not.

    A metric that tokenizes gives nearly the same score if both sides are tokenized, and another one
    than everybody else's. sacreBLEU looks for the same full stops.
    """
    tokenizes = [s for s in texts.metrics if s.setup.fields.get("tok", ("none",)) != ("none",)]
    if texts.metrics and not tokenizes:
        return
    for name, own, expected in compared(texts):
        shares = f"{own.tokenized:.0%} of its lines end in ' .', as in tokenized text, and"
        if looks_tokenized(own) and looks_tokenized(expected) and tokenizes:
            yield (
                f"system {name}: {shares} {expected.tokenized:.0%} of those of the references, and "
                f"{tokenizes[0].spec} tokenizes both again; pass text before tokenization, or type "
                f"--tok none"
            )
            return
        if (looks_tokenized(own) and own.tokenized > 2 * expected.tokenized) or (
            looks_tokenized(expected) and expected.tokenized > 2 * own.tokenized
        ):
            yield (
                f"system {name}: {shares} {expected.tokenized:.0%} of those of the references; "
                f"pass text before tokenization"
            )
            return


def looks_tokenized(sample: Sample) -> bool:
    """Tell whether lines end in a space and a full stop often enough."""
    share, n = sample.tokenized, len(sample.lines)
    return (share >= TOKENIZED and share * n >= N_TOKENIZED) or (share > 0.5 and n >= 2 * FEWEST)

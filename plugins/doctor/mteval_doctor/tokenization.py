"""Tokenizers that do not fit the script of the references."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from mteval_doctor.samples import sample_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from mteval_core import CheckedTexts

__all__ = ["dropped_script", "kept_share", "unspaced_script", "unspaced_text", "whole_share"]

UNSPACED_SCRIPTS = {
    "Han": "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff",
    "Kana": "\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\uff66-\uff9f",
    "Thai": "\u0e01-\u0e3a\u0e40-\u0e4e",
    "Lao": "\u0e81-\u0ebd\u0ec0-\u0ece\u0edc-\u0edf",
    "Khmer": "\u1780-\u17d3",
    "Myanmar": "\u1000-\u103f\u1050-\u109f",
}
"""Letters of the scripts that are written without spaces between words."""

LANGUAGES = {"Han": "zh", "Kana": "ja", "Thai": "th", "Lao": "lo", "Khmer": "km", "Myanmar": "my"}
"""Languages of scripts without spaces, for ``--lang``."""

SPACES = b"\t\n\v\f\r\x1c\x1d\x1e\x1f "
"""White space of one byte."""

LONG_RUN = 5
"""Length from which a run of such letters hardly is one word."""

SEGMENTS = 100
"""Number of segments that show the script of a text, and what a tokenizer makes of it."""


def unspaced_text(texts: CheckedTexts) -> Iterator[str]:
    """Find a script without spaces of which tokenizers leave most runs whole."""
    references = [
        line for text in texts.references[:1] for line in sample_of(text).lines[:SEGMENTS]
    ]
    script = unspaced_script(references)
    if script is None:
        return
    found = [
        (spec, name)
        for spec, name, words in texts.tokens(references)
        if whole_share(references, words) > 0.5
    ]
    if found:
        yield (
            f"{', '.join(spec for spec, _ in found)}: the references are in {script} script, "
            f"without spaces, and {both(found)} not cut it into words; type --lang "
            f"{LANGUAGES[script]}, or --tok char"
        )


def dropped_script(texts: CheckedTexts) -> Iterator[str]:
    """Find tokenizers that drop most letters of the references."""
    references = [
        line for text in texts.references[:1] for line in sample_of(text).lines[:SEGMENTS]
    ]
    text = "".join(references)
    # Tokenizers keep letters of one byte, so this is a quick answer for most languages.
    if len(text.encode()) <= 1.3 * len(text):
        return
    found = [
        (spec, name)
        for spec, name, words in texts.tokens(references)
        if kept_share(references, words) < 0.5
    ]
    if found:
        yield (
            f"{', '.join(spec for spec, _ in found)}: {both(found)} not keep most letters of the "
            f"references, which are as good as empty; type --tok with a tokenizer for their "
            f"language, or --tok char"
        )


def both(found: Sequence[tuple[str, str]]) -> str:
    """Name the tokenizers of some metrics, with a verb."""
    names = list(dict.fromkeys(name for _, name in found))
    return f"{' and '.join(names)} {'does' if len(names) == 1 else 'do'}"


def unspaced_script(lines: Iterable[str]) -> str | None:
    """Name the script without spaces that has more than half of the characters; None without one.

    Kana stands for Japanese, which also has Han characters.
    """
    text = "".join(lines)
    encoded = text.encode()
    # These letters take three bytes or more, so this is a quick answer for most languages.
    if len(encoded.translate(None, SPACES)) >= 2 * (len(encoded) - len(text)):
        return None
    text = "".join(text.split())
    if 2 * len(_letters_pattern().findall(text)) <= len(text):
        return None
    counts = {
        name: len(re.findall(f"[{range_}]", text)) for name, range_ in UNSPACED_SCRIPTS.items()
    }
    if counts["Kana"] > counts["Han"] / 10:
        return "Kana"
    return max(counts, key=lambda name: counts[name])


def whole_share(lines: Sequence[str], tokens: Iterable[str]) -> float:
    """Share of the letters in long runs of scripts without spaces that a tokenizer leaves whole.

    Parameters
    ----------
    lines : sequence of str
        The text.
    tokens : iterable of str
        Its tokens.
    """
    before, after = (
        sum(len(run) for run in _long_runs().findall(text))
        for text in ("\n".join(lines), _whole(lines, tokens))
    )
    return after / max(before, 1)


def _whole(lines: Sequence[str], tokens: Iterable[str]) -> str:
    """Join the long runs of the tokens that are also runs of the text."""
    runs = set(_long_runs().findall("\n".join(lines)))
    return "\n".join(run for token in tokens for run in _long_runs().findall(token) if run in runs)


def kept_share(lines: Sequence[str], tokens: Iterable[str]) -> float:
    """Share of the letters that are also in tokens."""
    kept, letters = (sum(map(str.isalpha, "".join(some))) for some in (tokens, lines))
    return kept / max(letters, 1)


@cache
def _letters_pattern() -> re.Pattern[str]:
    return re.compile(f"[{''.join(UNSPACED_SCRIPTS.values())}]")


@cache
def _long_runs() -> re.Pattern[str]:
    return re.compile(f"[{''.join(UNSPACED_SCRIPTS.values())}]{{{LONG_RUN},}}")


def one_sentence(texts: CheckedTexts) -> Iterator[str]:
    """Find a metric that compares sentences if no text separates them."""
    samples = [text.sample.values() for text in (*texts.systems.values(), *texts.references)]
    for scorer in texts.metrics:
        pipelines = [p for p in scorer.setup.pipelines.values() if p.joins is None]
        reads_sentences = any(p.sent == "tab" for p in pipelines)
        if reads_sentences and not any("\t" in segment for text in samples for segment in text):
            yield (
                f"{scorer.spec}: tabs separate sentences, and no segment has one, so "
                f"that each counts as one sentence; put tabs between the sentences"
            )
            return

"""The checks of checks of texts."""

from __future__ import annotations

import copy
from time import process_time
from typing import TYPE_CHECKING

from mteval_core import CheckedTexts, CheckSpec, PluginError, Registry, Text, TextSummary
from mteval_testing.corpora import CORPUS, EDGE_CASES
from mteval_testing.findings import Finding, expect
from mteval_testing.kit import Kit
from mteval_testing.targets import load
from mteval_testing.watch import tried

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mteval_core import Entry, Sample

__all__ = ["CHECK_KIT", "check_text_check"]

LARGE = 100_000
"""Number of segments of a large text."""

LONG = 20_000
"""Number of characters of a long segment."""

SECONDS = 0.5
"""Processor time that a check may take for three texts of either kind."""


def summaries(*texts: Sequence[str | None]) -> list[TextSummary]:
    """Summarize some texts."""
    return [TextSummary.of(Text.of(text)) for text in texts]


def texts_of(sample: Sample) -> CheckedTexts:
    """Return the texts of a sample, with one system."""
    system, source = summaries(sample.hypotheses, sample.source)
    return CheckedTexts({"sample": system}, tuple(summaries(*sample.references)), source)


def found(entry: Entry[CheckSpec], texts: CheckedTexts, what: str) -> list[str]:
    """Run a check on some texts."""
    tried(what)
    messages = []
    for code, message in texts.findings(Registry([entry.plugin], [entry])):
        if code == "failed-check":
            raise PluginError(message)
        messages.append(message)
    return messages


def ordinary_text_is_quiet(entry: Entry[CheckSpec]) -> None:
    """Nothing is found in ordinary text; false warnings teach people to ignore the true ones."""
    messages = found(entry, texts_of(CORPUS), str(CORPUS))
    expect(not messages, f"in ordinary text, it found {messages}")


def sample_is_found(entry: Entry[CheckSpec]) -> str:
    """Something is found in the sample of the declaration; otherwise the check may be blind."""
    if entry.declaration.sample is None:
        return "not run: the declaration has no sample"
    sample = load(entry.declaration.sample)()
    expect(bool(found(entry, texts_of(sample), str(sample))), f"nothing is found in {sample}")
    return ""


def any_texts_are_checked(entry: Entry[CheckSpec]) -> None:
    """Any texts can be checked, also without references or source; failures are noise."""
    for name, sample in EDGE_CASES.items():
        texts = texts_of(sample)
        found(entry, texts, name)
        found(entry, CheckedTexts(texts.systems), f"{name}, without references and source")
        found(entry, CheckedTexts({}, texts.references), f"{name}, without systems")


def texts_are_unchanged(entry: Entry[CheckSpec]) -> None:
    """The texts stay as they are; other checks see the same ones."""
    for sample in (CORPUS, *EDGE_CASES.values()):
        texts = texts_of(sample)
        before = copy.deepcopy(contents(texts))
        found(entry, texts, str(sample))
        expect(contents(texts) == before, f"it changed the texts of {sample}")


def contents(texts: CheckedTexts) -> list[tuple[str, dict[str, object]]]:
    """Return everything that a check could change."""
    named = [*texts.systems.items(), *(("reference", stream) for stream in texts.references)]
    named += [("source", text) for text in (texts.source,) if text is not None]
    return [
        (name, {**vars(text), "_last": None, "_lengths": text.lengths.tolist()})
        for name, text in named
    ]


def repeats_itself(entry: Entry[CheckSpec]) -> None:
    """The same texts give the same messages; otherwise warnings come and go."""
    for sample in (CORPUS, *EDGE_CASES.values()):
        first, second = (found(entry, texts_of(sample), str(sample)) for _ in range(2))
        expect(first == second, f"{sample}: found {first}, and then {second}")


def large_texts_are_affordable(entry: Entry[CheckSpec]) -> None:
    """A check of many segments, or of long ones, takes little time; every score waits for it."""
    lines = [line for line in CORPUS.hypotheses for _ in range(LARGE // len(CORPUS))]
    for what, segments in (
        (f"{LARGE:,} segments", lines),
        ("a long line of words", [" ".join(lines)[:LONG]] * 2),
        ("a long line of white space", [" " * LONG] * 2),
        ("a long word", ["a" * LONG] * 2),
    ):
        system, reference, source = summaries(segments, segments[::-1], segments[1:] + segments[:1])
        start = process_time()
        found(entry, CheckedTexts({"sample": system}, (reference,), source), what)
        seconds = process_time() - start
        expect(seconds < SECONDS, f"{what} take {seconds:.1f} s of processor time")


def declared(entry: Entry[CheckSpec], _: Registry) -> Entry[CheckSpec]:
    """Return the entry: it is what the checks need."""
    return entry


CHECK_KIT = Kit(
    (
        any_texts_are_checked,
        large_texts_are_affordable,
        ordinary_text_is_quiet,
        repeats_itself,
        sample_is_found,
        texts_are_unchanged,
    ),
    declared,
)
"""The checks of checks of texts."""


def check_text_check(name: str, *, registry: Registry | None = None) -> list[Finding]:
    """Run all checks on a check of texts.

    Parameters
    ----------
    name : str
        The check.
    registry : Registry, optional
        Where to look for it (default: everything installed).

    Returns
    -------
    list of Finding
        One for each check.
    """
    return CHECK_KIT.named(CheckSpec, name, registry)

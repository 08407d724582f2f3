"""Checks of effects: what a metric declares that it uses changes its rows or its scores."""

from __future__ import annotations

import pickle
import random
import time
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from mteval_core import InputError, PluginError, Sample, Scorer, State, metric
from mteval_testing.corpora import EDGE_CASES, REPETITIVE
from mteval_testing.declaration_checks import sample_values
from mteval_testing.findings import doubt, expect
from mteval_testing.subjects import (
    close,
    corpus_of,
    counted,
    main_value,
    total_of,
)
from mteval_testing.watch import tried

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mteval_core import Option

__all__ = [
    "a_reference_twice_changes_nothing",
    "case_is_that_of_the_signature",
    "every_view_has_an_effect",
    "every_word_counts",
    "main_value_tells_texts_apart",
    "options_have_an_effect",
    "references_have_an_effect",
]

PAIRS = 150
"""How many pairs of metrics are tried to see an effect of an option."""

PATIENCE = 5.0
"""Seconds of processor time after which an option is left alone."""

PER_CENT = 100.0
"""The factor of values that a formula returns as fractions."""

SCRIPTS = {
    "1,000 words": " ".join(
        "".join(chr(ord("a") + k % 26) for k in (i, i // 26, i * i)) for i in range(1000)
    ),
    "Cyrillic": "мост снова откроют до конца мая",
    "Greek": "η γέφυρα θα ανοίξει ξανά τον Μάιο",
    "Arabic": "سيفتح الجسر مرة أخرى قبل نهاية مايو",
    "Devanagari": "पुल मई के अंत से पहले फिर खुलेगा",
    "Chinese": "大桥 将 在 五月底 之前 重新 开放",
}
"""Texts of one script each, with spaces between words."""

NO_LETTERS = {"numbers": "12 305 7 4100 98 2026", "emoji": "🌉🚧 🌊🚢 🌞🌧 🚲🌉 🚢🌞"}
"""Texts without letters."""


def random_texts(n: int) -> tuple[str, ...]:
    """Draw texts of few words, in which the ties are that rules of algorithms break."""
    draw = random.Random(n)
    return tuple(" ".join(draw.choices("abcdef", k=draw.randint(4, 20))) for _ in range(60))


RANDOM = Sample(random_texts(0), (random_texts(1), random_texts(2)), name="random words")


WORDS = [f"word{i}" for i in range(150)]
EXCHANGED = Sample(
    (" ".join([*WORDS[75:], *WORDS[:75]]),), ((" ".join(WORDS),),), name="exchanged halves"
)


def bound_views(scorer: Scorer, sample: Sample) -> tuple[State, dict[str, Any]]:
    """Return the views of a sample that is one document, so that segments have others around."""
    tried(str(sample))
    test_set = replace(sample.test_set, documents=("document",) * len(sample))
    state = State(scorer, test_set)
    return state, state.views(sample.hypotheses, test_set)


def bound_rows(scorer: Scorer, sample: Sample) -> tuple[Scorer, Any]:
    """Compute the rows of a sample that is one document."""
    state, views = bound_views(scorer, sample)
    return state.scorer, state.rows(views)


def same_rows(scorer: Scorer, one: Sample, other: Sample) -> bool:
    """Tell whether two samples have the same rows and values."""
    declared = scorer.declaration.tolerance
    found = []
    for sample in (one, other):
        bound, rows = bound_rows(scorer, sample)
        found.append((counted(rows), bound.values(total_of(rows))))
    return all(close(a, b, declared) for a, b in zip(*found, strict=True))


def same_views(scorer: Scorer, one: Sample, other: Sample) -> bool:
    """Tell whether what signatures name, such as the tokenizer, makes two samples the same."""
    first, second = (bound_views(scorer, sample)[1] for sample in (one, other))
    return pickle.dumps(first) == pickle.dumps(second)


def rotated(texts: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return texts from the second to the last, and then the first."""
    return (*texts[1:], *texts[:1])


def references_have_an_effect(scorer: Scorer) -> str:
    """Other references give other rows; otherwise a metric remembers those of another test set."""
    if not scorer.setup.uses_references:
        return "not run: the metric uses no references"
    corpus = corpus_of(scorer)
    copies = replace(corpus, references=(corpus.hypotheses,))
    moved = replace(corpus, references=tuple(map(rotated, corpus.references)))
    longer = replace(copies, references=(tuple(9 * f"{h} " for h in corpus.hypotheses),))
    expect(
        any(not same_rows(scorer, corpus, other) for other in (copies, moved, longer)),
        "the same hypotheses have the same rows with other references. Is a result kept by the "
        "hypothesis alone? If references have no effect, declare references='none'",
    )
    return ""


def a_reference_twice_changes_nothing(scorer: Scorer) -> str:
    """A reference that is given twice changes no score; otherwise its words count twice."""
    if not scorer.setup.uses_references:
        return "not run: the metric uses no references"
    pooled = scorer.declaration.pooled
    repeated = () if pooled else (EDGE_CASES["one word repeated"], EDGE_CASES["five references"])
    for sample in (corpus_of(scorer), *repeated):
        doubled = replace(sample, references=sample.references * 2)
        one, other = (main_value(scorer, each) for each in (sample, doubled))
        expect(
            close(one, other, scorer.declaration.tolerance),
            f"{sample}: the score is {one}, and {other} if each reference is given twice",
        )
    return ""


def every_word_counts(scorer: Scorer) -> str:
    """The last word counts, in long segments and in all scripts; otherwise some texts score 0."""
    if scorer.declaration.may_cut:
        return "not run: the metric says which texts it cuts"
    if not last_word_counts(scorer, "English", "the bridge will be opened again"):
        return "not run: one word has no effect on the metric"
    unheard, doubtful = (
        [name for name, text in texts.items() if not last_word_counts(scorer, name, text)]
        for texts in (SCRIPTS, NO_LETTERS)
    )
    short, long = (
        not scorer.setup.uses_references or last_word_of_reference_counts(scorer, text)
        for text in ("the bridge will be opened again", SCRIPTS["1,000 words"])
    )
    unheard += ["a long reference"] * (short and not long)
    message = (
        "{}: the last word has no effect, whether it is changed, dropped or doubled. Are texts "
        "cut, or letters dropped?"
    )
    (doubt if scorer.declaration.pooled else expect)(
        not unheard, message.format(", ".join(unheard))
    )
    doubt(not doubtful, message.format(", ".join(doubtful)))
    return ""


def last_word_counts(scorer: Scorer, name: str, text: str) -> bool:
    """Tell whether a text gets other rows if its last word is changed, dropped or doubled."""
    first, *_, last = words = text.split()
    ends: list[list[str]] = [[first * 2], [last[::-1]], [], [last, last]]
    one, *others = (
        Sample((" ".join([*words[:-1], *end]),), ((text,),), name=name) for end in ([last], *ends)
    )
    try:
        return not all(
            same_rows(scorer, one, other) and not same_views(scorer, one, other) for other in others
        )
    except Exception:  # noqa: BLE001 - another check reports what cannot be scored
        return True


def last_word_of_reference_counts(scorer: Scorer, text: str) -> bool:
    """Tell whether a text gets another row if its reference ends in another word."""
    one, other = (Sample((f"{text} end",), ((f"{text} {end}",),)) for end in ("end", "conclusion"))
    try:
        return not same_rows(scorer, one, other)
    except Exception:  # noqa: BLE001 - another check reports what cannot be scored
        return True


def case_is_that_of_the_signature(scorer: Scorer) -> str:
    """Letter case counts if the signature says so; otherwise two signatures name one metric."""
    mixed = ("mixed",)
    if scorer.setup.fields.get("case") != mixed:
        return ""
    corpus = corpus_of(scorer)
    shifted = str.maketrans("abcdefghijklmnopqrstuvwxy", "bcdefghijklmnopqrstuvwxyz")
    upper, other = (
        replace(corpus, hypotheses=tuple(map(change, corpus.hypotheses)))
        for change in (str.upper, lambda text: text.translate(shifted))
    )
    doubt(
        not same_rows(scorer, corpus, upper)
        or same_views(scorer, corpus, upper)
        or same_rows(scorer, corpus, other),
        "capital letters change no row, although the signature says case:mixed. Does it lower "
        "texts by itself? Declare Option('case', 'lc') instead",
    )
    return ""


def main_value_tells_texts_apart(scorer: Scorer) -> str:
    """The score tells a copy from other texts, in its scale; otherwise a table shows nonsense."""
    corpus = corpus_of(scorer)
    if not scorer.setup.uses_references:
        return "not run: the metric uses no references"
    first = tuple(str(text) for text in corpus.references[0])
    copy = replace(corpus, hypotheses=first, references=(first,))
    other = replace(copy, hypotheses=rotated(first))
    good, bad = (values_of(scorer, sample) for sample in (copy, other))
    main = [*scorer.scales].index(scorer.main)
    same = np.isclose(good, bad, rtol=1e-9, atol=1e-9)
    doubt(
        not same[main] or bool(same.all()),
        f"{scorer.main} is {good[main]:g} for a copy of the reference and for other text, while "
        f"other values change. Has score() the order of the declared values, {[*scorer.scales]}?",
    )
    for name, value, factor in zip(scorer.scales, good, scorer.scales.values(), strict=True):
        in_per_cent = factor == PER_CENT and np.isfinite(value)
        doubt(
            not in_per_cent or abs(value) <= PER_CENT * PER_CENT / 4,
            f"{name} is {value:g} for a copy of the reference. The factor {factor:g} is for "
            f"fractions; if score() returns per cent, declare 1",
        )
    return ""


def values_of(scorer: Scorer, sample: Sample) -> Any:
    """Return all values of the corpus score."""
    bound, rows = bound_rows(scorer, sample)
    return bound.values(total_of(rows))


def every_view_has_an_effect(scorer: Scorer) -> str:
    """Each view and the source change a row; otherwise a declaration claims what is not used."""
    corpus = corpus_of(scorer)
    other = replace(
        corpus,
        hypotheses=rotated(corpus.hypotheses),
        references=tuple(map(rotated, corpus.references)),
        source=rotated(corpus.source),
        columns={name: rotated(tuple(values)) for name, values in corpus.columns.items()},
    )
    if scorer.setup.uses_source:
        changed = replace(corpus, source=rotated(corpus.source))
        doubt(
            not same_rows(scorer, corpus, changed),
            "another source changes no row; declare source='none'",
        )
    state, views = bound_views(scorer, corpus)
    rows = counted(state.rows(views))
    for name in views if len(views) > 1 else ():
        state, fresh = bound_views(scorer, corpus)
        mixed = {**fresh, name: bound_views(scorer, other)[1][name]}
        with suppress(PluginError, InputError):  # texts that do not fit together
            again = counted(state.rows(mixed))
            doubt(
                not close(rows, again, scorer.declaration.tolerance),
                f"other texts in the view {name!r} change no row; leave it out",
            )
    return ""


def options_have_an_effect(scorer: Scorer) -> str:
    """Each signed option changes a row or a score; otherwise signatures differ for nothing."""
    if scorer.declaration.pooled:
        return "not run: each value of an option loads a model"
    idle: list[str] = []
    unseen: list[str] = []
    for option in scorer.declaration.options:
        if option.signed and not option.file and option.key in scorer.setup.options:
            others = other_values(scorer, option)
            if has_effect(scorer, option, others) is False:
                shown = f"{option.key} ({', '.join(map(str, others))})"
                (unseen if has_unknown_values(scorer, option) else idle).append(shown)
    doubt(not idle, f"other values change no row and no score: {'; '.join(idle)}")
    return f"no effect is seen of {'; '.join(unseen)}" if unseen else ""


def has_unknown_values(scorer: Scorer, option: Option) -> bool:
    """Tell whether nobody knows another value of another option, with which one has an effect."""
    others = (other for other in scorer.declaration.options if other.key != option.key)
    return any(
        other.signed and not other.file and not other_values(scorer, other) for other in others
    )


def other_values(scorer: Scorer, option: Option) -> list[Any]:
    """Return values of an option that a metric does not have; none if they name files."""
    if option.file:
        return []
    now = scorer.setup.options.get(option.key)
    if option.spec and now is not None:
        now = tuple(str(part.spec) for part in now)
    return [value for value in sample_values(option) if value != now]


def has_effect(scorer: Scorer, option: Option, values: list[Any]) -> bool | None:
    """Tell whether an option changes something, alone or together with another; None if unknown."""
    pairs = [(scorer, value) for value in values]
    pairs += [
        (second, value)
        for other in scorer.declaration.options
        if other.key != option.key
        for setting in other_values(scorer, other)
        if (second := changed(scorer, other, setting))
        for value in values[:3]
    ]
    effects = (
        difference(one, two, sample)
        for one, value in pairs[:PAIRS]
        if (two := changed(one, option, value))
        for sample in texts(one)
    )
    known: bool | None = None
    start = time.thread_time()
    for effect in effects:
        if effect:
            return True
        if time.thread_time() - start > PATIENCE:
            return None
        known = False if effect is False else known
    return known


def changed(scorer: Scorer, option: Option, value: Any) -> Scorer | None:
    """Return a metric with another value of an option; None if it does not take the value."""
    with suppress(Exception):
        options = {**scorer.spec.options, option.key: option.format(value)}
        return metric(replace(scorer.spec, options=options), registry=scorer.setup.registry)
    return None


def texts(scorer: Scorer) -> Iterator[Sample]:
    """Yield texts in which many options have an effect."""
    corpus = corpus_of(scorer)
    yield corpus
    yield replace(corpus, hypotheses=rotated(corpus.hypotheses))
    tabs = tuple(text.replace(" the ", "\tthe ") for text in corpus.hypotheses)
    yield replace(corpus, hypotheses=tabs, references=(rotated(tabs), tabs))
    yield from EDGE_CASES.values()
    yield from REPETITIVE[25]
    yield RANDOM
    yield EXCHANGED


def difference(scorer: Scorer, other: Scorer, sample: Sample) -> bool | None:
    """Tell whether two metrics give a sample other rows or values; None if both refuse it."""
    one, two = (rows_and_values(each, sample) for each in (scorer, other))
    if one is None and two is None:
        return None
    if one is None or two is None:
        return True
    return not all(close(*both) for both in zip(one, two, strict=True))


def rows_and_values(scorer: Scorer, sample: Sample) -> tuple[Any, Any] | None:
    """Return the rows and the values of a sample; None if it is refused."""
    try:
        bound, rows = bound_rows(scorer, sample)
        return counted(rows), bound.values(total_of(rows))
    except Exception:  # noqa: BLE001 - another check reports it
        return None

"""The texts on which the checks run."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING

from mteval_core import Sample

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


__all__ = ["CORPUS", "EDGE_CASES", "EQUALLY_GOOD", "REPETITIVE", "narrowed", "selected"]


def selected(sample: Sample, segments: Sequence[int]) -> Sample:
    """Return the sample of some segments, in the given order."""
    return replace(
        sample,
        hypotheses=tuple(sample.hypotheses[i] for i in segments),
        references=tuple(tuple(stream[i] for i in segments) for stream in sample.references),
        source=tuple(sample.source[i] for i in segments),
        columns={name: [values[i] for i in segments] for name, values in sample.columns.items()},
        name="",
    )


def narrowed(sample: Sample, passes: Callable[[Sample], bool], size: int = 1) -> Sample:
    """Return the first segments of a sample that do not pass by themselves.

    Parameters
    ----------
    sample : Sample
        A sample that does not pass.
    passes : callable
        Whether a sample passes.
    size : int
        Number of segments that it takes to fail.

    Returns
    -------
    Sample
        The whole sample if it takes more.
    """
    parts = (selected(sample, some) for some in combinations(range(len(sample)), size))
    return next((part for part in parts if not passes(part)), sample)


CORPUS = Sample(
    hypotheses=(
        "The harbour master closed the northern pier on Tuesday because of the rising water.",
        "She sold 1,200 tickets in two days, which nobody had expected at this time of year.",
        "The committee has the decision postponed until the report is complete.",
        "Two dogs were running running along the long beach after the storm had gone.",
        "In the end it was the smaller of the two teams that won the match, 3-2.",
        "According to the mayor, the bridge will be opened again before the end of May.",
        "He put the letter back in the drawer and said nothing more about it all evening.",
        "The price of bread rose by 4.5 % last year; the price of milk did not change.",
    ),
    references=(
        (
            "On Tuesday the harbour master closed the northern pier because the water was rising.",
            "She sold 1,200 tickets within two days, which nobody had expected so early.",
            "The committee has postponed its decision until the report is complete.",
            "After the storm had passed, two dogs were running along the long beach.",
            "In the end the smaller of the two teams won the match 3-2.",
            "The bridge will be open again by the end of May, according to the mayor.",
            "He put the letter back into the drawer and did not mention it again that evening.",
            "Bread prices rose by 4.5 % last year, while the price of milk did not change.",
        ),
        (
            "The northern pier was closed by the harbour master on Tuesday as the water rose.",
            None,
            "The committee has put off the decision until the report has been completed.",
            "Two dogs ran along the long beach once the storm had gone.",
            None,
            "The mayor says that the bridge will reopen before the end of May.",
            "He returned the letter to its drawer and for the rest of the evening said no more.",
            "Last year bread became 4.5 % dearer; milk stayed at the same price.",
        ),
    ),
    name="ordinary text",
)
"""Eight segments with one or two references each."""

EQUALLY_GOOD = Sample(
    hypotheses=("", "", "a b"),
    references=(("", "x", "a"), ("x", "y z", "a c")),
)
"""References that many metrics score equally, although their words and lengths differ."""

_LONG = " ".join(f"word{i % 97}" for i in range(1000))

_EDGE_CASES = {
    "an empty hypothesis": Sample(("",), (("some words here",),)),
    "an empty reference": Sample(("some words here",), (("",),)),
    "both empty": Sample(("",), (("",),)),
    "one token": Sample(("word",), (("word",),)),
    "one token of 1000 letters": Sample(("word" * 250,), (("word" * 249,),)),
    "one token, another": Sample(("word",), (("other",),)),
    "nothing in common": Sample(("a b c d e f",), (("u v w x y z",),)),
    "one word repeated": Sample(("the the the the the the the",), (("the cat the mat",),)),
    "1000 tokens": Sample((_LONG,), ((_LONG.replace("word5 ", "word6 "),),)),
    "unicode": Sample(
        ("Ça coûte 20 € – naïve 🙂 東京タワー e\u0301\u00a0x",),
        (("Ça coûtait 20 € – naïf 🙂 東京の塔 é x",),),
    ),
    "white space only": Sample((" \t\u00a0 ",), (("a b",),)),
    "uneven references": Sample(
        ("a b c", "d e f"), (("a b d", "d e f g"), (None, "d f"), (None, ""))
    ),
    "five references": Sample(("a b c d",), (("a b",), ("c d",), ("a c",), ("b d",), ("",))),
}
EDGE_CASES = {name: replace(sample, name=name) for name, sample in _EDGE_CASES.items()}
"""Unusual segments, by what is unusual about them."""


def _repetitive(n: int) -> dict[str, Sample]:
    halves, thirds = ("a b " * n).split()[:n], ("a a b " * n).split()[:n]
    texts = {
        f"one word {n} times": (["the"] * n, ["the"] * (n - n // 8)),
        f"two words, {n} in all": (halves, thirds),
        f"a sentence repeated, {n} words in all": (
            ("she said that he said so " * n).split()[:n],
            ("he said that she said it " * n).split()[:n],
        ),
    }
    return {
        name: Sample((" ".join(h),), ((" ".join(r),),), name=name) for name, (h, r) in texts.items()
    }


REPETITIVE = {n: tuple(_repetitive(n).values()) for n in (25, 50, 100, 200, 400)}
"""Segments of few words that are repeated, by their length in words."""

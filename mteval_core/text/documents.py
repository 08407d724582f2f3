"""Documents: their segments joined to one text, and the segments around each of them.

A tab joins segments. So lines stay lines, every tokenizer sees white space (13a joins words at a
hyphen and a line feed), and a view with ``sent="tab"`` has the places where segments begin.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mteval_core.text.text import TestSet, Text

if TYPE_CHECKING:
    from collections.abc import Iterable


def join_segments(text: Text, test_set: TestSet, around: tuple[int, ...]) -> Text:
    """Join segments of the same document.

    Parameters
    ----------
    text : Text
        A text of the test set.
    test_set : TestSet
        It knows the documents.
    around : tuple of int
        How many segments there are before each segment, and after it: they replace it, and it is
        missing if it was. An empty tuple stands for whole documents, which are missing if one of
        their segments is.
    """
    documents, segments = test_set.places.values(), [segment or "" for segment in text]
    groups: list[list[int]] = [*documents]
    missing: Iterable[bool] = (bool(text.missing[own].any()) for own in documents)
    if around:
        before, after = around
        groups, missing = [[]] * len(text), text.missing
        for own in documents:
            for i, place in enumerate(own):
                groups[place] = own[max(0, i - before) : i] + own[i + 1 : i + 1 + after]
    pairs = zip(groups, missing, strict=True)
    return Text.of([None if gone else "\t".join(segments[i] for i in own) for own, gone in pairs])

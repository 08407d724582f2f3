"""Compare the texts that raters saw with the source and the outputs of the systems."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mteval_core import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mteval_core import Judgments, Text

__all__ = ["SOURCE", "check_judged_texts"]

SOURCE = ""
"""What judgments call the source, where outputs have the name of their system."""


def check_judged_texts(
    judgments: Judgments, systems: Mapping[str, Text], source: Text | None = None
) -> None:
    """Check that judgments are of these texts, as far as their file holds what raters saw.

    Half of the outputs, and half of the segments of the source, must be equal apart from white
    space, since files of judgments may have texts with other quotation marks.

    Parameters
    ----------
    judgments : Judgments
        Judgments of segments.
    systems : mapping of str to Text
        The outputs.
    source : Text, optional
        The source.

    Raises
    ------
    InputError
        If fewer are. The message says so if they are equal one line earlier or later.
    """
    compare(judgments, systems, "the outputs of the systems")
    if source is not None:
        compare(judgments, {SOURCE: source}, "the source")


def compare(judgments: Judgments, texts: Mapping[str, Text], what: str) -> None:
    """Check that raters saw these texts; see `check_judged_texts`."""
    outputs = {name: [" ".join((line or "").split()) for line in texts[name]] for name in texts}
    seen = [
        (name, item, " ".join(text.split()))
        for (name, item), text in (judgments.texts or {}).items()
        if name in outputs and 0 <= item < len(outputs[name])
    ]
    equal = {
        shift: [one for one in seen if [one[2]] == outputs[one[0]][one[1] + shift :][:1]]
        for shift in (0, 1, -1)
    }
    if 2 * len(equal[0]) >= len(seen):
        return
    path, _ = judgments.sources[0]
    name, item, text = next(one for one in seen if one not in equal[0])
    line = f"line {item + 1} of {name!r}" if name else f"line {item + 1}"
    message = (
        f"{path}: raters saw other texts than {what} in {len(seen) - len(equal[0])} of "
        f"{len(seen)} segments; in {line} they saw {text[:60]!r}"
    )
    for shift, where in ((1, "later"), (-1, "earlier")):
        if 2 * len(equal[shift]) >= len(seen):
            message += f". {len(equal[shift])} are equal one line {where}"
    message += (
        ". If the texts are those that were judged, number the segments of a table from 0, or "
        "rename its columns of texts; of MQM ratings, say where numbers of segments start, "
        "mqm:first=0:FILE or mqm:first=1:FILE"
    )
    raise InputError(message)

"""Compare the texts that raters saw with the outputs of the systems."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mteval_core import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mteval_core import Judgments, Text

__all__ = ["check_judged_texts"]


def check_judged_texts(judgments: Judgments, systems: Mapping[str, Text]) -> None:
    """Check that judgments are of these outputs, as far as their file holds what raters saw.

    Half of the texts must be equal apart from white space, since files of judgments may have
    texts with other quotation marks.

    Parameters
    ----------
    judgments : Judgments
        Judgments of segments.
    systems : mapping of str to Text
        The outputs.

    Raises
    ------
    InputError
        If fewer are. The message says so if they are equal one line earlier or later.
    """
    outputs = {name: [" ".join((line or "").split()) for line in systems[name]] for name in systems}
    seen = [
        (system, item, " ".join(text.split()))
        for (system, item), text in (judgments.texts or {}).items()
        if system in outputs and 0 <= item < len(outputs[system])
    ]
    equal = {
        shift: [one for one in seen if [one[2]] == outputs[one[0]][one[1] + shift :][:1]]
        for shift in (0, 1, -1)
    }
    if 2 * len(equal[0]) >= len(seen):
        return
    source, _ = judgments.sources[0]
    others = [one for one in seen if one not in equal[0]]
    system, item, text = others[0]
    message = (
        f"{source}: raters saw other texts than the outputs of the systems in {len(others)} of "
        f"{len(seen)} segments; in line {item + 1} of {system!r} they saw {text[:60]!r}"
    )
    for shift, where in ((1, "later"), (-1, "earlier")):
        if 2 * len(equal[shift]) >= len(seen):
            message += f". {len(equal[shift])} are equal one line {where}"
    message += (
        ". Say where its numbers of segments start, mqm:first=0:FILE or mqm:first=1:FILE, if the "
        "outputs are those that were judged"
    )
    raise InputError(message)

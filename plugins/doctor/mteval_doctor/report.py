"""Reports of ``mteval doctor``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mteval_core.report import Report, Table
from mteval_doctor.examination import count

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mteval_doctor.examination import Examined, Problem

__all__ = ["of_examination"]

HEADS = ("text", "lines", "empty", "repeated", "script", "Unicode", "' .'", "wrong")


def of_examination(texts: Sequence[Examined], problems: Sequence[Problem]) -> Report:
    """Report what is in the texts, and what is wrong with them.

    Parameters
    ----------
    texts : sequence of Examined
        One row each.
    problems : sequence of Problem
        What is wrong, or odd, in the order of the texts.
    """
    of_text = [[one for one in problems if one.text == text.name] for text in texts]
    pairs = list(zip(texts, of_text, strict=True))
    n_wrong = sum(problem.is_wrong for problem in problems)
    return Report.of(
        experiment="doctor",
        title="Examination of texts",
        summary=f"{count(len(texts), 'text')}, {count(n_wrong, 'problem')}.",
        parts=[Table.of(HEADS, [row(text, its) for text, its in pairs])],
        records=[record(text, its) for text, its in pairs],
        inputs={"texts": [text.name for text in texts]},
        notes=[str(problem) for problem in sorted(problems, key=lambda p: not p.is_wrong)],
    )


def row(text: Examined, problems: Sequence[Problem]) -> tuple[str, ...]:
    """Write the row of a text in the table."""
    return (
        text.name,
        str(text.n_lines),
        str(text.n_empty),
        str(text.n_duplicate),
        text.script or "–",
        text.form or "–",
        f"{text.tokenized:.0%}",
        str(sum(problem.is_wrong for problem in problems)),
    )


def record(text: Examined, problems: Sequence[Problem]) -> dict[str, Any]:
    """Write what machines read of a text."""
    return {
        "text": text.name,
        "lines": text.n_lines,
        "empty": text.n_empty,
        "duplicate": text.n_duplicate,
        "characters": text.n_characters,
        "script": text.script or None,
        "form": text.form or None,
        "tokenized": text.tokenized,
        "problems": [{**problem._asdict(), "wrong": problem.is_wrong} for problem in problems],
    }

"""Reports of ``mteval doctor``."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from mteval_core.report.findings import count, experiment_report
from mteval_core.report.grid import Column, Table, cells
from mteval_core.report.symbols import DASH

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mteval_core.report.report import Report
    from mteval_core.text.examination import Examined, Problem

__all__ = ["of_examination"]


def of_examination(texts: Sequence[Examined], problems: Sequence[Problem]) -> Report:
    """Report what is in the texts, and what is wrong with them.

    Parameters
    ----------
    texts : sequence of Examined
        One row each.
    problems : sequence of Problem
        What is wrong, or odd, in the order of the texts.
    """
    n_wrong = sum(problem.is_wrong for problem in problems)
    records = [
        {
            "text": text.name,
            "lines": len(text.lines),
            "empty": text.n_empty,
            "duplicate": text.n_duplicate,
            "characters": sum(map(len, text.lines)),
            "script": text.script or None,
            "form": text.form or None,
            "tokenized": text.tokenized,
            "problems": [
                {**asdict(problem), "wrong": problem.is_wrong}
                for problem in problems
                if problem.text == text.name
            ],
        }
        for text in texts
    ]
    columns = (
        ("lines", [str(len(text.lines)) for text in texts]),
        ("empty", [str(text.n_empty) for text in texts]),
        ("repeated", [str(text.n_duplicate) for text in texts]),
        ("script", [text.script or DASH for text in texts]),
        ("Unicode", [text.form or DASH for text in texts]),
        ("' .'", [f"{text.tokenized:.0%}" for text in texts]),
        ("wrong", [str(sum(p.is_wrong for p in problems if p.text == t.name)) for t in texts]),
    )
    table = Table(
        "",
        ("text",),
        tuple((text.name,) for text in texts),
        tuple(Column((head,), cells(values)) for head, values in columns),
    )
    return experiment_report(
        experiment="doctor",
        title="Examination of texts",
        summary=f"{count(len(texts), 'text')}, {count(n_wrong, 'problem')}.",
        tables=[table],
        records=records,
        inputs={"texts": [text.name for text in texts]},
        notes=[str(problem) for problem in sorted(problems, key=lambda p: not p.is_wrong)],
    )

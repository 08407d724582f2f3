"""Inputs of ``mteval correlate``: metrics, texts and judgments."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from mteval_core import UnknownNameError, UsageError
from mteval_metaeval.commands.human import read_judgments
from mteval_metaeval.drawn_judgments import draw_judgments
from mteval_metaeval.judged_texts import check_judged_texts
from mteval_metaeval.raters import choose_criteria, mean_scores, number_segments, standardize_raters

if TYPE_CHECKING:
    from mteval_core import Dataset, Scorer, Session, TestSet, Text
    from mteval_metaeval import Judgments

__all__ = ["Inputs", "as_table", "prepared_judgments", "read_inputs"]


@dataclass(frozen=True)
class Inputs:
    """Metrics, texts and judgments of an experiment.

    Parameters
    ----------
    scorers : list of Scorer
        The metrics.
    systems : dict of str to Text
        The output of each system.
    test_set : TestSet
        The references.
    judgments : Judgments
        Human scores of the outputs.
    """

    scorers: list[Scorer]
    systems: dict[str, Text]
    test_set: TestSet
    judgments: Judgments


def read_inputs(session: Session) -> Inputs:
    """Resolve the metrics, and read the texts and the judgments."""
    options = session.options
    dataset = with_references_as_systems(session)
    systems: dict[str, Text] = {}
    scorers = session.metrics()
    for name in dataset.systems:
        output, *more = dataset.runs(name)
        if more:
            raise UsageError(
                f"{name}: {len(more) + 1} runs; expected one, the output that was judged"
            )
        systems[name] = output
    judgments = number_segments(prepared_judgments(session), dataset.texts.ids)
    check_judged_texts(judgments, systems, dataset.texts.source)
    if options.write_ratings:
        table = as_table(judgments, options.min_judgments)
        session.write_file(options.write_ratings, table.encode())
    return Inputs(scorers, systems, dataset.texts, judgments)


def with_references_as_systems(session: Session) -> Dataset:
    """Add the reference streams of ``--refs-as-systems`` to the systems."""
    dataset, names = session.dataset(), list(dict.fromkeys(session.options.refs_as_systems))
    if not names:
        return dataset
    whole = session.texts.whole
    for name in names:
        if name not in whole.reference_names:
            hint = UnknownNameError.near(name, whole.reference_names)
            raise UsageError(f"{whole.path}: no reference stream {name!r}.{hint}")
        if name in dataset.reference_names:
            raise UsageError(
                f"{name} is a reference: choose others with -r, to score {name} as a system"
            )
        if name in dataset.systems:
            raise UsageError(f"{name} is a system already: leave out --refs-as-systems {name}")
    added = {name: whole.text(f"ref.{name}") for name in names}
    return replace(dataset, systems={**dataset.systems, **added})


def prepared_judgments(session: Session) -> Judgments:
    """Read the judgments, standardise them, and choose among them, as the options say."""
    options = session.options
    judgments = read_judgments(options.human, session)
    if options.z:
        judgments = standardize_raters(judgments)
    if options.criteria:
        judgments = choose_criteria(judgments, options.criteria)
    return draw_judgments(judgments, options.seed) if options.draw == "output" else judgments


def as_table(judgments: Judgments, minimum: int = 1) -> str:
    """Write the mean score of every output as a table that `read_judgments` reads.

    Parameters
    ----------
    judgments : Judgments
        Segments must be named by numbers; see `Judgments.located`.
    minimum : int
        Outputs that fewer raters judged are left out.

    Returns
    -------
    str
        Columns separated by tabs: system, segment or doc, and the criteria; unrounded.
    """
    means = mean_scores(judgments, minimum=minimum)
    keys = ["system"] if judgments.level == "system" else ["system", judgments.level]
    lines = [[*keys, *judgments.criteria]]
    for s, system in enumerate(judgments.systems):
        for i, item in enumerate(judgments.items or ("",)):
            scores = means[:, s, i]
            if not np.isnan(scores).all():
                cells = ["" if np.isnan(score) else repr(float(score)) for score in scores]
                lines.append([system, str(item), *cells] if item != "" else [system, *cells])
    return "".join("\t".join(line) + "\n" for line in lines)

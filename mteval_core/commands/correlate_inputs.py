"""Inputs of ``mteval correlate``: metrics, texts and judgments."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from mteval_core.commands.data import file_paths, read_data, read_whole, test_set_of
from mteval_core.commands.files import write_file
from mteval_core.commands.human import read_judgments_of
from mteval_core.commands.inputs import (
    named_tables,
    need_texts,
    options_of_data,
    requested_metrics,
    text_options,
)
from mteval_core.commands.outside import read_scores
from mteval_core.data.addresses import Address
from mteval_core.errors import UsageError, near
from mteval_core.frozen import Frozen

if TYPE_CHECKING:
    import argparse

    from mteval_core.data.dataset import Dataset
    from mteval_core.data.reading import Files
    from mteval_core.metaeval import Judgments
    from mteval_core.metrics.scorer import Scorer
    from mteval_core.plugin.registry import Registry
    from mteval_core.text.text import TestSet, Text

__all__ = ["Inputs", "input_paths", "prepared_judgments", "read_inputs"]


def input_paths(arguments: argparse.Namespace) -> list[str | None]:
    """Paths of all files that the arguments name."""
    human = [Address.parse(path).path for _, path in named_tables(arguments.human)]
    return [*file_paths(arguments), *human]


class Inputs(Frozen):
    """Metrics, texts and judgments of an experiment.

    Parameters
    ----------
    registry : Registry
        Where tokenizers and normalizers of the text sets are looked up.
    scorers : list of Scorer
        The metrics.
    defaults : dict of str to str
        Options of all metrics.
    systems : dict of str to Text
        The output of each system.
    test_set : TestSet
        The references.
    judgments : Judgments
        Human scores of the outputs.
    """

    registry: Registry
    scorers: list[Scorer]
    defaults: dict[str, str]
    systems: dict[str, Text]
    test_set: TestSet
    judgments: Judgments


def read_inputs(arguments: argparse.Namespace, registry: Registry) -> Inputs:
    """Resolve the metrics, and read the texts and the judgments."""
    from mteval_core.data.judgment_files import as_table
    from mteval_core.data.reading import Files

    files = Files(registry)
    dataset = with_references_as_systems(read_data(arguments, files), arguments, files)
    defaults = options_of_data(arguments, registry, dataset.language)
    metrics = requested_metrics(arguments, registry, defaults)
    need_texts(arguments, metrics)
    scorers = [*metrics, *read_scores(arguments, files)]
    takes_tokenizer = any("tok" in scorer.fields for scorer in scorers)
    systems: dict[str, Text] = {}
    for name in dataset.systems:
        output, *more = dataset.runs(name)
        if more:
            message = f"{name}: {len(more) + 1} runs; expected one, the output that was judged"
            raise UsageError(message)
        systems[name] = output
    test_set = test_set_of(dataset)
    judgments = prepared_judgments(arguments, files).located(test_set.ids)
    if arguments.write_ratings:
        table = as_table(judgments, arguments.min_judgments)
        write_file(arguments.write_ratings, table.encode())
    return Inputs(
        registry=registry,
        scorers=scorers,
        defaults=defaults if takes_tokenizer else text_options(arguments),
        systems=systems,
        test_set=test_set,
        judgments=judgments,
    )


def with_references_as_systems(
    dataset: Dataset, arguments: argparse.Namespace, files: Files
) -> Dataset:
    """Add the reference streams of ``--refs-as-systems`` to the systems."""
    if not arguments.refs_as_systems:
        return dataset
    whole = read_whole(arguments, files)
    names = list(dict.fromkeys(arguments.refs_as_systems))
    for name in names:
        if name not in whole.reference_names:
            message = (
                f"{whole.path}: no reference stream {name!r}.{near(name, whole.reference_names)}"
            )
            raise UsageError(message)
        if name in dataset.reference_names:
            message = f"{name} is a reference: choose others with -r, to score {name} as a system"
            raise UsageError(message)
        if name in dataset.systems:
            message = f"{name} is a system already: leave out --refs-as-systems {name}"
            raise UsageError(message)
    added = {name: whole.text(f"ref.{name}") for name in names}
    return replace(dataset, systems={**dataset.systems, **added})


def prepared_judgments(arguments: argparse.Namespace, files: Files) -> Judgments:
    """Read the judgments, standardise them, and choose among them, as the arguments say."""
    judgments = read_judgments_of(arguments, files)
    if arguments.z:
        judgments = judgments.normalized()
    if arguments.criteria:
        judgments = judgments.choose(arguments.criteria)
    return judgments.drawn(arguments.seed) if arguments.draw == "output" else judgments

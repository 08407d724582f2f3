"""Checks in other processes: a metric gives the same there, and touches nothing else."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mteval_core import metric
from mteval_testing.corpora import EDGE_CASES
from mteval_testing.findings import doubt, expect
from mteval_testing.processes import in_two_processes
from mteval_testing.subjects import close, corpus_of, values

if TYPE_CHECKING:
    from mteval_core import Registry, Sample, Scorer
    from mteval_testing.processes import Outcome

__all__ = [
    "nothing_else_is_read",
    "nothing_is_left_behind",
    "processes_agree",
    "unusable",
]


def values_of_samples(registry: Registry, turn: int, spec: str, samples: list[Sample]) -> list[Any]:
    """Return the values of samples; the second process starts at the last one."""
    scorer, step = metric(spec, registry=registry), -1 if turn else 1
    return [values_or_error(scorer, sample) for sample in samples[::step]][::step]


def values_or_error(scorer: Scorer, sample: Sample) -> Any:
    """Return the values of a sample, or the error that it raises, in words."""
    try:
        return values(scorer, sample).tolist()
    except Exception as error:  # noqa: BLE001 - a plugin may fail in any way
        return f"{type(error).__name__}: {error}"


def samples_of(scorer: Scorer) -> list[Sample]:
    """Return ordinary text, the same with other references, and unusual texts unless they cost."""
    corpus = corpus_of(scorer)
    streams = tuple((*stream[1:], stream[0]) for stream in corpus.references)
    other = replace(corpus, references=streams, name="the same with other references")
    return [corpus, other, *([] if scorer.declaration.pooled else EDGE_CASES.values())]


def outcomes(scorer: Scorer) -> tuple[Outcome, ...]:
    """Score the samples in two processes."""
    return in_two_processes(
        scorer.setup.registry,
        values_of_samples,
        str(scorer.spec),
        samples_of(scorer),
        grows=not scorer.declaration.pooled,
    )


def unusable(found: tuple[Outcome, ...]) -> str:
    """Say why nothing was done in other processes; empty if it was."""
    reason = found[0].absent or next((one.error for one in found if one.error), "")
    return f"not run: another process cannot use it: {reason}" if reason else ""


def processes_agree(scorer: Scorer) -> str:
    """Two processes give the same scores; otherwise each run of a program prints another score."""
    found = outcomes(scorer)
    if reason := unusable(found):
        return reason
    one, other = (each.result for each in found)
    for sample, here, there in zip(samples_of(scorer), one, other, strict=True):
        numbers = isinstance(here, list) and isinstance(there, list)
        expect(
            here == there or (numbers and close(here, there, scorer.declaration.tolerance)),
            f"{sample}: the values {here} in one process and {there} in another, which hashes "
            f"strings differently and scores the samples in the opposite order. Do they depend on "
            f"hash(), the order of a set, the process, or on what was scored before?",
        )
    return ""


def nothing_else_is_read(scorer: Scorer) -> str:
    """Only texts and options decide about a score; otherwise its signature does not."""
    found = outcomes(scorer)
    if reason := unusable(found):
        return reason
    declared = {str(Path(path).resolve()) for path in scorer.setup.files.values()}
    read = [path for path in found[0].files if path not in declared]
    doubt(not read, f"it opens {', '.join(read)}; declare an Option with file=True")
    read = found[0].variables
    doubt(not read, f"it reads {', '.join(read)} from the environment; declare an option")
    return ""


def nothing_is_left_behind(scorer: Scorer) -> str:
    """Nothing is left behind; otherwise a later step of the program fails or becomes slow."""
    found = outcomes(scorer)
    if reason := unusable(found):
        return reason
    doubt(not found[0].left, f"after scoring, there is {' and '.join(found[0].left)}")
    return ""

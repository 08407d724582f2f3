"""The command leaderboard: systems by the mean of their ranks over metrics."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from mteval_core import Arguments, CommandSample, Evaluation, Options, Session
    from mteval_core.report import Report

__all__ = ["add_arguments", "leaderboard", "ranks", "run", "sample"]


def add_arguments(arguments: Arguments) -> None:
    """Declare the arguments of the command."""
    arguments.describe(
        "Rank systems by the mean of their ranks over metrics. Systems with equal scores share the "
        "mean of their ranks."
    )
    arguments.share("references", "systems", "metrics")
    arguments.share("data", "text")
    ranking = arguments.group("ranking")
    ranking.add(
        "--weights",
        nargs="+",
        type=float,
        metavar="W",
        help="weight of the rank under each metric of -m, in their order (default: 1 for each)",
    ).refuse(
        "--weights are those of the metrics of -m: name the metrics, and give one weight for each",
        lambda options: options.weights and len(options.weights) != len(options.metrics),
    ).refuse(
        "--weights: expected numbers of at least 0, not all of them 0",
        lambda options: options.weights and not are_weights(options.weights),
    )
    ranking.add("--top", type=int, metavar="N", help="show only the best N systems").refuse(
        "--top {top}: expected at least 1", shows_nothing
    )
    arguments.group("output").share("output")


def are_weights(numbers: Sequence[float]) -> bool:
    """Tell whether numbers can be weights."""
    return min(numbers) >= 0 and 0 < sum(numbers) < float("inf")


def shows_nothing(options: Options) -> bool:
    """Tell whether no system would be left."""
    return options.top is not None and options.top < 1


def run(session: Session) -> None:
    """Score the systems, rank them, and write the report."""
    evaluation = session.evaluation("corpus", texts=False)
    standings = leaderboard(evaluation, session.options.weights)
    session.write(report_of(evaluation, standings[: session.options.top]))


class Standing(NamedTuple):
    """The place of a system.

    Parameters
    ----------
    system : str
        The system.
    mean_rank : float
        The weighted mean of its ranks; 1 is the best.
    ranks : mapping of str to float
        Its rank under each metric.
    """

    system: str
    mean_rank: float
    ranks: Mapping[str, float]


def ranks(scores: Mapping[str, float], better: str) -> dict[str, float]:
    """Rank systems from 1, the best; equal scores share the mean of their ranks.

    Examples
    --------
    >>> ranks({"A": 30.0, "B": 20.0, "C": 30.0}, "higher")
    {'A': 1.5, 'B': 3.0, 'C': 1.5}
    """
    sign = -1 if better == "higher" else 1
    keys = {system: sign * score for system, score in scores.items()}
    return {
        system: sum(other < key for other in keys.values())
        + (sum(other == key for other in keys.values()) + 1) / 2
        for system, key in keys.items()
    }


def leaderboard(evaluation: Evaluation, weights: Sequence[float] | None = None) -> list[Standing]:
    """Order systems by the weighted mean of their ranks, the best first."""
    by_metric = {
        spec: ranks(
            {system: evaluation.score(system, spec).score for system in evaluation.systems},
            scorer.declaration.better,
        )
        for spec, scorer in evaluation.scorers.items()
    }
    weights = weights or [1.0] * len(by_metric)
    standings = []
    for system in evaluation.systems:
        own = {spec: of[system] for spec, of in by_metric.items()}
        total = sum(weight * rank for weight, rank in zip(weights, own.values(), strict=True))
        standings.append(Standing(system, total / sum(weights), own))
    return sorted(standings, key=lambda standing: standing.mean_rank)


def report_of(evaluation: Evaluation, standings: Sequence[Standing]) -> Report:
    """Report the standings: a table with ranks and scores, and a record for each system."""
    from mteval_core.report import Report, Table

    specs = [*evaluation.scorers]
    scores = {
        standing.system: {spec: evaluation.score(standing.system, spec).score for spec in specs}
        for standing in standings
    }
    table = Table.of(
        ["system", "mean rank", *specs],
        [
            [
                standing.system,
                f"{standing.mean_rank:.2f}",
                *(f"{scores[standing.system][s]:.2f} ({standing.ranks[s]:g})" for s in specs),
            ]
            for standing in standings
        ],
    )
    records = [
        {
            "system": standing.system,
            "mean_rank": standing.mean_rank,
            "ranks": dict(standing.ranks),
            "scores": scores[standing.system],
        }
        for standing in standings
    ]
    return Report.of(
        "leaderboard",
        "Leaderboard",
        [table],
        records,
        inputs=evaluation.to_dict()["inputs"],
        summary=f"{len(evaluation.systems)} systems, {len(evaluation.scores.test_set)} segments.",
        legend=["( ) rank under the metric"],
        signatures=[
            str(evaluation.score(standing.system, spec).signature)
            for standing in standings
            for spec in specs
        ],
    )


def sample() -> CommandSample:
    """Return files and words with which the contract kit runs the command."""
    from mteval_core import CommandSample

    return CommandSample(
        "ref.txt -i A=a.txt B=b.txt -m wer per",
        files={"ref.txt": "a b c d\ne f g h\n", "a.txt": "a b c d\ne f\n", "b.txt": "a b\ne f\n"},
        refused={
            "--weights 1": "give one weight for each",
            "--weights 1 -1": "--weights: expected numbers of at least 0",
            "--top 0": "--top 0: expected at least 1",
        },
    )

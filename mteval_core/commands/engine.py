"""``mteval score --engine``: Parquet files, scored on many machines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mteval_core.data.columns import parse_fields
from mteval_core.errors import UsageError, attributed
from mteval_core.plugin.declarations import EngineSpec, load

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping, Sequence

    from mteval_core.evaluation.evaluation import Evaluation
    from mteval_core.evaluation.scores import Level
    from mteval_core.metrics.scorer import Scorer
    from mteval_core.plugin.registry import Registry

__all__ = ["score_on_engine"]


def score_on_engine(
    arguments: argparse.Namespace,
    scorers: Sequence[Scorer],
    registry: Registry,
    *,
    level: Level,
    resamples: int,
    defaults: Mapping[str, str],
) -> Evaluation:
    """Score the Parquet files of ``--data`` on an engine.

    Raises
    ------
    UsageError
        If there is no such engine, or the fields do not say what it needs.
    """
    from mteval_core.distributed.tables import evaluate_parquet, plan_of_columns

    entry = registry.find(EngineSpec, arguments.engine)
    plan, fields = plan_of_columns(
        [scorer.spec for scorer in scorers],
        **requested_fields(arguments, level),
        level=level,
        resamples=resamples,
        seed=arguments.seed,
        registry=registry,
        defaults=defaults,
    )
    with attributed(f"engine {entry}"):
        engine = load(entry.declaration.function)
    return evaluate_parquet(plan, fields, arguments.data, engine, registry=registry)


def requested_fields(arguments: argparse.Namespace, level: Level) -> dict[str, Any]:
    """Return the fields of ``--fields`` by their roles."""
    roles: dict[str, Any] = parse_fields(arguments.fields) if arguments.fields else {}
    needed = ["id", "hyp", *(["doc"] if level == "doc" else [])]
    missing = [f"{role}=FIELD" for role in needed if role not in roles]
    if missing or not arguments.data:
        message = (
            f"--engine {arguments.engine} scores Parquet files: add --data 'PARTS/*.parquet' and "
            f"--fields {','.join(missing or ['id=FIELD', 'hyp=FIELD', 'ref=FIELD'])}"
        )
        raise UsageError(message)
    unused = [role for role in ("domain", "system") if role in roles]
    if unused:
        message = f"--fields {unused[0]}={roles[unused[0]][0]}: --engine has no use for it"
        raise UsageError(message)
    single = {role: named[0] for role, named in roles.items() if role in ("id", "src", "doc")}
    return {"hyp": roles["hyp"], "ref": roles.get("ref", []), **single}

"""Sources of an evaluation: texts in memory, long files in blocks, and Parquet on an engine."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from mteval_core.commands.texts import Kept
from mteval_core.errors import UsageError, attributed
from mteval_core.metrics.outside import OutsideScorer
from mteval_core.plugin.declarations import EngineSpec, load
from mteval_core.plugin.registry import HOST

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from mteval_core.commands.texts import Texts
    from mteval_core.data.addresses import Address
    from mteval_core.data.reading import Files
    from mteval_core.evaluation.evaluation import Evaluation
    from mteval_core.evaluation.scores import Level
    from mteval_core.metrics.scorer import Scorer
    from mteval_core.text.blocks import LineFiles

__all__ = ["evaluated", "line_files"]

LONG = 1 << 24
"""Size of all files together in bytes from which they are read in blocks."""


def evaluated(
    request: Texts, scorers: Sequence[Scorer], kept: Kept, defaults: Mapping[str, str]
) -> Evaluation:
    """Score the systems of a request under some metrics."""
    from mteval_core.evaluation.evaluate import evaluate, run_names

    options = request.options
    if options.get("engine"):
        return on_engine(request, scorers, kept, defaults)
    long = None if kept.texts else long_files(request, scorers)
    if long is None:
        return evaluate(
            request.dataset,
            scorers,
            registry=request.files.registry,
            threads=options.threads,
            humans=options.get("humans", False),
            keep_rows=kept != Kept("corpus", texts=False),
        )
    from mteval_core.distributed.streaming import evaluate_files

    runs = {name: run_names(name, len(each)) for name, each in request.systems.items()}
    return evaluate_files(
        long,
        runs,
        scorers,
        keep_rows=kept.level == "segment" and not kept.resamples,
        resamples=kept.resamples,
        seed=options.get("seed", 12345),
        threads=options.threads,
    )


# Long files


def line_files(request: Texts) -> LineFiles | None:
    """Return the files of a request if they can be read block by block.

    Then all of them are files of plain text without fields, and nothing else is read with them.
    """
    options = request.options
    runs = [address for addresses in request.systems.values() for address in addresses]
    source = [options.source] if options.source else []
    needs_more = (
        options.data
        or options.fields
        or options.docs
        or options.get("empty_refs") == "missing"
        or not options.references
    )
    addresses = [*options.references, *runs, *source]
    if needs_more or not all(is_plain(address, request.files) for address in addresses):
        return None
    from mteval_core.text.blocks import LineFiles

    return LineFiles(
        [address.path for address in options.references],
        [address.path for address in runs],
        options.source.path if options.source else None,
    )


def long_files(request: Texts, scorers: Sequence[Scorer]) -> LineFiles | None:
    """Return the files of `line_files` if they are long, and no metric needs all texts at once."""
    if request.options.get("humans") or any(map(needs_all_segments, scorers)):
        return None
    found = line_files(request)
    is_long = found and sum(Path(path).stat().st_size for path in found.paths) >= LONG
    return found if is_long else None


def needs_all_segments(scorer: Scorer) -> bool:
    """Whether a metric cannot be computed from the sums of blocks."""
    pooled = scorer.declaration.pooled or isinstance(scorer, OutsideScorer)
    in_pieces = scorer.is_piecewise or not scorer.is_prepared
    return pooled or scorer.keeps_rows or not in_pieces


def is_plain(address: Address, files: Files) -> bool:
    """Whether an address is a file of plain text that can be read block by block."""
    if address.field or not Path(address.path).is_file():
        return False
    return files.registry.reader(address.path).plugin.distribution == HOST


# Engines


def on_engine(
    request: Texts, scorers: Sequence[Scorer], kept: Kept, defaults: Mapping[str, str]
) -> Evaluation:
    """Score the Parquet files of ``--data`` on an engine.

    Raises
    ------
    UsageError
        If there is no such engine, or the fields do not say what it needs.
    """
    from mteval_core.distributed.tables import evaluate_parquet, plan_of_columns

    options = request.options
    entry = request.files.registry.find(EngineSpec, options.engine)
    level = "segment" if kept.level == "segment" and not kept.resamples else kept.level
    plan, fields = plan_of_columns(
        [scorer.spec for scorer in scorers],
        **engine_fields(request, level),
        level=level,
        resamples=kept.resamples,
        seed=options.seed,
        registry=request.files.registry,
        defaults=defaults,
    )
    with attributed(f"engine {entry}"):
        engine = load(entry.declaration.function)
    return evaluate_parquet(
        plan, fields, str(options.data), engine, registry=request.files.registry
    )


def engine_fields(request: Texts, level: Level) -> dict[str, Any]:
    """Return the fields of ``--fields`` by their roles."""
    from mteval_core.data.columns import parse_fields

    options = request.options
    roles: dict[str, Any] = parse_fields(options.fields.text) if options.fields else {}
    needed = ["id", "hyp", *(["doc"] if level == "doc" else [])]
    missing = [f"{role}=FIELD" for role in needed if role not in roles]
    if missing or not options.data:
        message = (
            f"--engine {options.engine} scores Parquet files: add --data 'PARTS/*.parquet' and "
            f"--fields {','.join(missing or ['id=FIELD', 'hyp=FIELD', 'ref=FIELD'])}"
        )
        raise UsageError(message)
    unused = [role for role in ("domain", "system") if role in roles]
    if unused:
        message = f"--fields {unused[0]}={roles[unused[0]][0]}: --engine has no use for it"
        raise UsageError(message)
    single = {role: named[0] for role, named in roles.items() if role in ("id", "src", "doc")}
    return {"hyp": roles["hyp"], "ref": roles.get("ref", []), **single}

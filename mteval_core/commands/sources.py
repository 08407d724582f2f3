"""Sources of an evaluation: texts in memory, long files in blocks, and Parquet on an engine."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from mteval_core.errors import PluginError, UsageError, attributed
from mteval_core.plugin.catalogue import known_plugins
from mteval_core.plugin.declarations import EngineSpec, load
from mteval_core.plugin.registry import HOST

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from mteval_core.commands.texts import Texts
    from mteval_core.data.addresses import Address
    from mteval_core.data.reading import Files
    from mteval_core.evaluation.counting import Kept
    from mteval_core.evaluation.evaluation import Evaluation
    from mteval_core.evaluation.scores import Level
    from mteval_core.evaluation.sources import LineFiles, Source
    from mteval_core.metrics.scorer import Scorer
    from mteval_core.plugin.registry import Registry

    Engine = Callable[[Callable[[Any], Any], Sequence[Any]], Iterable[Any]]

LONG_FILE = 1 << 24
"""Size of all files together in bytes from which they are read in blocks."""


def evaluate_request(
    request: Texts, scorers: Sequence[Scorer], kept: Kept, *, texts: bool
) -> Evaluation:
    """Score the systems of a request under some metrics; see `Session.evaluation`."""
    from mteval_core.evaluation.evaluate import evaluate
    from mteval_core.metrics.several import scorers_of

    registry = request.files.registry
    scorers = scorers_of(scorers, registry=registry)
    source = source_of(request, scorers, kept, texts=texts)
    if source.is_whole and (texts or kept.resamples or kept.level != "corpus"):
        kept = kept._replace(level="segment", resamples=0)  # everything follows from the rows
    threads = request.options.get("threads", 1)
    return evaluate(source, scorers, registry=registry, kept=kept, threads=threads)


def source_of(request: Texts, scorers: Sequence[Scorer], kept: Kept, *, texts: bool) -> Source:
    """Return where the texts come from: an engine, long files, or memory."""
    from mteval_core.evaluation.sources import InMemory

    if request.options.get("engine"):
        return on_engine(request, kept.level)
    long = None if texts else long_files(request, scorers)
    if long is not None:
        return long
    dataset, humans = request.dataset, request.options.get("human_performance", False)
    return InMemory.of(dataset.systems, dataset.texts, humans=humans)


# Long files


def line_files(request: Texts) -> LineFiles | None:
    """Return the files of a request if they can be read block by block.

    Then all of them are files of plain text without fields, and nothing else is read with them.
    """
    options = request.options
    outputs = [address for addresses in request.systems.values() for address in addresses]
    source = options.get("source")
    has_more = any(map(options.get, ("data", "fields", "docs")))
    needs_more = has_more or options.get("empty_refs") == "missing" or not options.references
    addresses = [*options.references, *outputs, *([source] if source else [])]
    if needs_more or not all(is_plain(address, request.files) for address in addresses):
        return None
    from mteval_core.evaluation.sources import LineFiles

    return LineFiles(
        [address.path for address in options.references],
        {name: [address.path for address in own] for name, own in request.systems.items()},
        source.path if source else None,
    )


def long_files(request: Texts, scorers: Sequence[Scorer]) -> LineFiles | None:
    """Return the files of `line_files` if they are long, and no metric needs all texts at once."""
    from mteval_core.evaluation.counting import needs_whole

    if request.options.get("human_performance") or any(map(needs_whole, scorers)):
        return None
    found = line_files(request)
    paths = {*found.paths.values()} if found else set()
    return found if sum(Path(path).stat().st_size for path in paths) >= LONG_FILE else None


def is_plain(address: Address, files: Files) -> bool:
    """Whether an address is a file of plain text that can be read block by block."""
    if address.field or not Path(address.path).is_file():
        return False
    return files.registry.reader(address.path).plugin.distribution == HOST


# Engines


def on_engine(request: Texts, level: Level) -> Source:
    """Return the Parquet files of ``--data``, to be counted on an engine.

    Raises
    ------
    UsageError
        If there is no such engine, or the fields do not say what it needs.
    """
    name, registry = request.options.engine, request.files.registry
    engine, source = find_engine(name, registry), find_source(name, registry)
    return source(str(request.options.data), engine, **engine_fields(request, level), level=level)


def engine_fields(request: Texts, level: Level) -> dict[str, Any]:
    """Return the fields of ``--fields`` by their roles."""
    from mteval_core.data.columns import parse_fields

    options = request.options
    roles: dict[str, Any] = parse_fields(options.fields.text) if options.fields else {}
    needed = ["id", "hyp", *(["doc"] if level == "doc" else [])]
    missing = [f"{role}=FIELD" for role in needed if role not in roles]
    if missing:
        raise UsageError(
            f"--engine {options.engine} scores Parquet files: add --data 'PARTS/*.parquet' and "
            f"--fields {','.join(missing)}"
        )
    unused = [role for role in ("domain", "system") if role in roles]
    if unused:
        raise UsageError(f"--fields {unused[0]}={roles[unused[0]][0]}: --engine has no use for it")
    single = {role: named[0] for role, named in roles.items() if role in ("id", "src", "doc")}
    return {"hyp": roles["hyp"], "ref": roles.get("ref", []), **single}


def find_engine(name: str, registry: Registry) -> Engine:
    """Look up an engine and import its function; every part must come back once.

    Parameters
    ----------
    name : str
        The engine.
    registry : Registry
        Where to look it up.

    Raises
    ------
    UsageError
        If there is no such engine.
    PluginError
        If it cannot be imported; or later, if it fails, or loses or repeats a part.
    """
    entry = registry.find(EngineSpec, name)
    what = f"engine {entry}"
    with attributed(what):
        function: Engine = load(entry.declaration.function)
    return lambda call, parts: attributed(what).each(each_once(function, call, parts, what))


def find_source(engine: str, registry: Registry) -> Callable[..., Source]:
    """Look up what reads the files whose parts an engine counts: its own source, or another's.

    Raises
    ------
    PluginError
        If no engine that is installed has one.
    """
    own = registry.find(EngineSpec, engine)
    for entry in (own, *registry.of_kind(EngineSpec)):
        if entry.declaration.source is not None:
            with attributed(f"engine {entry}"):
                source: Callable[..., Source] = load(entry.declaration.source)
            return source
    known = [name for table in known_plugins().values() for name in table.get("engines", ())]
    where = dict.fromkeys(filter(None, (registry.missing("engines", name) for name in known)))
    raise PluginError(
        f"engine {own} has no source, and what reads Parquet files is {' or '.join(where)}"
    )


class Returned(NamedTuple):
    """What a function returned for a part."""

    number: int
    result: Any


def call_numbered(function: Callable[[Any], Any], numbered: tuple[int, Any]) -> Returned:
    """Call a function with a numbered part; the result remembers the number."""
    number, part = numbered
    return Returned(number, function(part))


def each_once(
    engine: Engine, function: Callable[[Any], Any], parts: Sequence[Any], name: str
) -> Iterator[Any]:
    """Yield the results of an engine; raise a `PluginError` unless it returns each of them once.

    A lost part would be segments without a score, and a repeated one segments that count twice.
    """
    missing = set(range(len(parts)))
    for found in engine(partial(call_numbered, function), list(enumerate(parts))):
        if not isinstance(found, Returned) or found.number not in missing:
            what = "a part twice" if isinstance(found, Returned) else type(found).__name__
            raise PluginError(f"{name} returned {what}; expected the result of each part once")
        missing.remove(found.number)
        yield found.result
    if missing:
        raise PluginError(
            f"{name} lost {len(missing)} of {len(parts)} parts; expected the result of each part "
            f"once"
        )

"""A command may share any arguments, and leave out any others: what is left works."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from mteval_testing import run_command

import mteval_core as mt

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from mteval_core import Arguments, Session

NEEDED = ("references", "systems", "metrics")

OTHERS = (
    "data",
    "documents",
    "domains",
    "scores",
    "rename",
    "several references",
    "text",
    "output",
)


def ran(
    plugin: Callable[..., Any], matches: mt.MetricSpec, folder: Path, *shared: str
) -> tuple[int, str, str]:
    """Run a command that shares groups of arguments and does everything that a session can do."""

    def add_arguments(arguments: Arguments) -> None:
        arguments.share(*shared)

    def run(session: Session) -> None:
        for texts in (True, False):
            for level in ("corpus", "doc", "segment"):
                evaluation = session.evaluation(level, texts=texts)
                session.show(f"{evaluation.score('A', 'matches').score:g}")
        session.show(" ".join(session.dataset().systems))
        session.show(" ".join(str(scorer.spec) for scorer in session.metrics()))

    command = mt.CommandSpec("all", arguments=add_arguments, run=run)
    registry = mt.load_registry([plugin(metrics=[matches], commands=[command])])
    paths = {name: folder / name for name in ("ref", "sys")}
    for path in paths.values():
        path.write_text("a b\n", encoding="utf-8")
    words = ["all", str(paths["ref"]), "-i", f"A={paths['sys']}", "-m", "matches"]
    return run_command("--no-config", *words, registry=registry)


@pytest.mark.parametrize(
    "shared",
    [(), OTHERS, *((name,) for name in OTHERS), *(tuple({*OTHERS} - {name}) for name in OTHERS)],
    ids=lambda shared: "+".join(sorted(shared)) or "nothing else",
)
def test_a_session_works_with_any_shared_arguments(
    plugin: Callable[..., Any], matches: mt.MetricSpec, tmp_path: Path, shared: tuple[str, ...]
) -> None:
    code, out, err = ran(plugin, matches, tmp_path, *NEEDED, *shared)
    assert (code, err) == (0, "")
    assert out.split() == ["100"] * 6 + ["A", "matches"]

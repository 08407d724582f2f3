"""The units that commands draw: segments or documents."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mteval_core import Arguments

__all__ = ["add_units"]


def add_units(arguments: Arguments, help: str, *, recorded: bool = False) -> None:
    """Declare ``--by``: what is drawn, segments or documents, which a report may have recorded."""
    arguments.add(
        "--by",
        choices=("segment", "doc"),
        default="segment",
        help=f"{help} (default: %(default)s)",
    ).refuse(
        "documents need --docs FILE, with the document id of each segment, or --data",
        lambda o: o.by == "doc" and not (recorded or o.docs or o.data),
    ).refuse(
        "--docs applies to documents: add --by doc",
        lambda o: o.docs and o.by != "doc",
    )

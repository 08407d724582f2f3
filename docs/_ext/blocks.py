"""Layout of code blocks in pages."""

from __future__ import annotations

from typing import Any

from docutils import nodes

SHORT = 16
"""Characters of code, such as a flag, that stay on one line."""


def setup(app: Any) -> dict[str, bool]:
    """Change pages after they are read."""
    app.connect("doctree-read", lambda _, doctree: tidy(doctree))
    return {"parallel_read_safe": True}


def tidy(doctree: nodes.document) -> None:
    """Strip the empty line that ends an example for doctest, and mark short code."""
    for block in doctree.findall(nodes.literal_block):
        if block.rawsource == block.astext():  # not a block with markup of its own
            block.rawsource = block.rawsource.rstrip()
            block[:] = [nodes.Text(block.rawsource)]
    for literal in doctree.findall(nodes.literal):
        if len(literal.astext()) <= SHORT:
            literal["classes"].append("short")

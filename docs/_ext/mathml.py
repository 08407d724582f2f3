"""Equations as MathML, which browsers render without a script from another site."""

from __future__ import annotations

from typing import Any

from docutils import nodes
from docutils.utils.math.latex2mathml import tex2mathml


def setup(app: Any) -> dict[str, bool]:
    """Register the renderer."""
    app.add_html_math_renderer("mathml", (inline, None), (block, None))
    return {"parallel_read_safe": True}


def inline(translator: Any, node: Any) -> None:
    """Write an inline equation."""
    translator.body.append(str(tex2mathml(node.astext())))
    raise nodes.SkipNode


def block(translator: Any, node: Any) -> None:
    """Write a displayed equation."""
    mathml = str(tex2mathml(node.astext(), as_block=True))
    translator.body.append(f'<div class="equation">{mathml}</div>\n')
    raise nodes.SkipNode

"""Explanations as HTML: texts with what matched, pictures as SVG, and the terms in a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mteval_explain import svg
from mteval_explain.scene import SEVERITIES, marked, remark, shown, spans
from mteval_explain.svg import text
from mteval_explain.terminal import number, values

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from mteval_explain.terminal import PictureKind
    from mteval_explain.written import WrittenExplanation

__all__ = ["STYLE", "fragment", "section"]

# A notebook can be dark where the system is light, and the other way round: text has the colour of
# the page, and the other colours can be read on white and on black.
STYLE = (
    f"{svg.STYLE}\n"
    + """
.mteval.why, .mteval.why .mteval { --ink: currentcolor; --faint: #757575; --hit: 27 143 79;
  --edit: #d93a2f; --moved: #2b72de; color: inherit; color-scheme: inherit; }
.mteval.why { margin: 1.5rem 0; }
.mteval.why p { margin: .3rem 0; }
.mteval.why .label { color: var(--faint); font-size: .85em; }
.mteval.why .scroll { overflow-x: auto; }
.mteval.why b { font-weight: inherit; border-radius: 2px; }
.mteval.why .s1 { background: rgb(var(--hit) / .16); }
.mteval.why .s2 { background: rgb(var(--hit) / .3); }
.mteval.why .s3 { background: rgb(var(--hit) / .45); }
.mteval.why .s4 { background: rgb(var(--hit) / .6); }
.mteval.why .marked { position: relative; }
.mteval.why mark { color: inherit; text-decoration: underline 2px; }
.mteval.why .v1 { background: rgb(var(--v1) / .14); text-decoration: underline dotted 2px; }
.mteval.why .v2 { background: rgb(var(--v2) / .16); text-decoration: underline dashed 2px; }
.mteval.why .v3 { background: rgb(var(--v3) / .2); text-decoration: underline solid 2px; }
.mteval.why .v4 { background: rgb(var(--v4) / .26); text-decoration: underline double 2px; }
.mteval.why .v1, .mteval.why .v2 { text-decoration-color: rgb(var(--v2)); }
.mteval.why .v3, .mteval.why .v4 { text-decoration-color: rgb(var(--v4)); }
.mteval.why .note { position: absolute; left: 0; right: 0; top: 100%; z-index: 1; opacity: 0;
  height: 1px; overflow: hidden; user-select: none; }
.mteval.why mark:is(:hover, :focus) .note { opacity: 1; height: auto; padding: .2rem .5rem;
  color: CanvasText; background: Canvas; border: 1px solid var(--faint); }
@media print { .mteval.why .note { position: static; opacity: 1; height: auto; } }
.mteval.why td, .mteval.why th { text-align: left; padding: .1rem .6rem .1rem 0; }
""".strip()
)


def fragment(
    explanations: Sequence[WrittenExplanation],
    pictures: Sequence[PictureKind] = ("spans", "lines"),
    decimals: int = 2,
) -> str:
    """Write explanations as a part of a page, with their titles and their style.

    Parameters
    ----------
    explanations : sequence of WrittenExplanation
        The explanations.
    pictures : sequence of {"spans", "lines", "grid"}
        Which pictures, in order.
    decimals : int
        Digits after the decimal point.

    Returns
    -------
    str
        Elements of HTML.
    """
    parts = [f"<style>\n{STYLE}\n</style>"]
    for explanation in explanations:
        parts.append(f"<h4>{text(explanation.title)}</h4>")
        parts.append(section(explanation, pictures, decimals))
    return "\n".join(parts)


def section(
    explanation: WrittenExplanation,
    pictures: Sequence[PictureKind],
    decimals: int = 2,
    columns: int = 100,
) -> str:
    """Write an explanation without its title, for a page that has its style.

    Parameters
    ----------
    explanation : WrittenExplanation
        The explanation.
    pictures : sequence of {"spans", "lines", "grid"}
        Which pictures, in order.
    decimals : int
        Digits after the decimal point.
    columns : int
        Width of the drawings in characters.
    """
    lines = [f"<p>{text(values(explanation, decimals))}</p>"]
    for name in shown(explanation, pictures):
        if name == "spans":
            lines += _spans(explanation) if explanation.marks is None else _marks(explanation)
        else:
            drawn = svg.drawing(explanation, name, columns)
            lines.append(_scroll(f"{name} of {explanation.title}", drawn))
    rest = (explanation.formula, explanation.why, *explanation.remarks)
    lines += [f'<p class="label">{text(line)}</p>' for line in rest if line]
    if explanation.terms:
        terms = _scroll(f"terms of {explanation.title}", _terms(explanation, decimals))
        lines.append(f"<details><summary>Terms</summary>{terms}</details>")
    return "\n".join(['<div class="mteval why">', *lines, "</div>"])


def _scroll(label: str, content: str) -> str:
    """Wrap what may be wider than the page."""
    region = f'class="scroll" role="region" aria-label="{text(label)}" tabindex="0"'
    return f"<div {region}>{content}</div>"


def _spans(explanation: WrittenExplanation) -> Iterator[str]:
    for label, _, pieces in spans(explanation):
        marked = [
            f'<b class="s{mark}">{text(piece)}</b>' if mark else text(piece)
            for piece, mark in pieces
        ]
        yield f'<p dir="auto"><span class="label">{text(label)}</span> '
        yield f"<bdi>{''.join(marked)}</bdi></p>"


def _marks(explanation: WrittenExplanation) -> Iterator[str]:
    """Write each text with its marks, which can be focused and say what they are."""
    for label, _, pieces in marked(explanation):
        written = []
        for piece, own in pieces:
            if own:
                kind = SEVERITIES.index(own[0].severity)
                said = "; ".join(map(remark, own))
                note = f'<span class="note"> [{text(said)}] </span>'
                written.append(f'<mark class="v{kind}" tabindex="0">{text(piece)}{note}</mark>')
            else:
                written.append(text(piece))
        yield f'<p dir="auto" class="marked"><span class="label">{text(label)}</span> '
        yield f"<bdi>{''.join(written)}</bdi></p>"
    if not explanation.marks:
        yield '<p class="label">no marks</p>'


def _terms(explanation: WrittenExplanation, decimals: int) -> str:
    rows = [
        f'<tr><th scope="row">{text(term.name)}</th><td>{number(term.value, decimals)}</td>'
        f"<td>{text(term.formula)}</td></tr>"
        for term in explanation.terms
    ]
    return f"<table>{''.join(rows)}</table>"

"""One picture of a profile: in which figures each system is better or worse than the first."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, NamedTuple

from mteval_core.report import Layout, Picture

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from mteval_core import Evaluation

__all__ = ["overview"]

BETTER, WORSE, LARGER, SMALLER, SAME = "▲", "▼", "+", "−", "·"
CLASSES: Mapping[str, str] = {
    BETTER: "better",
    WORSE: "worse",
    LARGER: "other",
    SMALLER: "other",
    SAME: "",
}

SHADES = 3
"""Shades of a colour: the darkest for the largest differences of a row."""

STYLE = """
.overview { --better: 0 114 178; --worse: 213 94 0; --other: 130 130 130; }
.overview table { border-collapse: collapse; } .overview tbody th { text-align: left; }
.overview td, .overview th { padding: .15rem .6rem; font-weight: normal; }
.overview td { text-align: right; }
.overview .better1 { background: rgb(var(--better) / .15); fill: rgb(var(--better) / .15); }
.overview .better2 { background: rgb(var(--better) / .35); fill: rgb(var(--better) / .35); }
.overview .better3 { background: rgb(var(--better) / .6); fill: rgb(var(--better) / .6); }
.overview .worse1 { background: rgb(var(--worse) / .15); fill: rgb(var(--worse) / .15); }
.overview .worse2 { background: rgb(var(--worse) / .35); fill: rgb(var(--worse) / .35); }
.overview .worse3 { background: rgb(var(--worse) / .6); fill: rgb(var(--worse) / .6); }
.overview .other1, .overview .other2, .overview .other3 { background: rgb(var(--other) / .3);
  fill: rgb(var(--other) / .3); }
""".strip()

CELL, LINE = 7.5, 22.0
"""Width of a character and height of a row, in pixels of the drawing."""


class Verdict(NamedTuple):
    """A number of a system, how it differs from that of the first system, and how dark it is."""

    value: str
    sign: str = SAME
    shade: int = 0

    @property
    def colour(self) -> str:
        """Class of the style."""
        return f"{CLASSES[self.sign]}{self.shade}" if self.shade else ""


def overview(evaluation: Evaluation, names: Mapping[str, str], decimals: int) -> Picture:
    """Draw which figures of the systems differ significantly from those of the first one.

    Parameters
    ----------
    evaluation : Evaluation
        The figures, tested against the first system.
    names : mapping of str to str
        What each figure is called, by its spec.
    decimals : int
        Digits after the decimal point.
    """
    first, *systems = evaluation.systems
    rows = [
        (name, _value(evaluation, first, spec, decimals), _verdicts(evaluation, spec, decimals))
        for spec, name in names.items()
    ]
    meanings = [f"{BETTER} better, {WORSE} worse than {first} (p < 0.05)"]
    if any(one.sign in (LARGER, SMALLER) for _, _, verdicts in rows for one in verdicts):
        meanings.append(f"{LARGER} larger, {SMALLER} smaller")
    meanings.append(f"{SAME} no significant difference")
    return Picture(
        "overview",
        ", ".join(meanings),
        text=lambda layout: _text(rows, systems, layout),
        html=lambda _: _html(rows, first, systems),
        svg=lambda _: _svg(rows, first, systems),
        style=STYLE,
    )


Rows = list[tuple[str, str, list[Verdict]]]


def _value(evaluation: Evaluation, system: str, spec: str, decimals: int) -> str:
    # Adding zero turns "-0.0" into "0.0".
    value = round(evaluation.score(system, spec).score, decimals) + 0.0
    return f"{value:.{decimals}f}"


def _verdicts(evaluation: Evaluation, spec: str, decimals: int) -> list[Verdict]:
    """Judge the systems after the first one."""
    first, *systems = evaluation.systems
    declared = evaluation.scorers[spec].declaration
    # If a copy of the reference is not best, neither is the largest or the smallest value.
    is_ordered = "identity_is_best" not in declared.exceptions
    up, down = (BETTER, WORSE) if is_ordered else (LARGER, SMALLER)
    if is_ordered and declared.better == "lower":
        up, down = WORSE, BETTER
    tested = [evaluation.comparisons.get((system, first, spec)) for system in systems]
    differences = [one.difference if one is not None and one.significant else 0.0 for one in tested]
    largest = max(map(abs, differences), default=0.0)
    verdicts = []
    for system, difference in zip(systems, differences, strict=True):
        value = _value(evaluation, system, spec, decimals)
        if not difference:
            verdicts.append(Verdict(value))
            continue
        sign = up if difference > 0 else down
        shade = min(1 + int(SHADES * abs(difference) / largest), SHADES)
        verdicts.append(Verdict(value, sign, shade))
    return verdicts


# Writing


def _text(rows: Rows, systems: Sequence[str], layout: Layout) -> str:
    """Write a sign per figure and system, in as many blocks as the width of the page asks for."""
    left = max(len(name) for name, _, _ in rows)
    blocks = []
    for start, end in _blocks(systems, layout.columns - left):
        heads = [Layout.printable(system) for system in systems[start:end]]
        lines = [" " * left + "".join(f"  {head}" for head in heads)]
        for name, _, verdicts in rows:
            signs = (
                f"  {_painted(verdict, len(head), layout)}"
                for verdict, head in zip(verdicts[start:end], heads, strict=True)
            )
            lines.append(f"{name:{left}}{''.join(signs)}".rstrip())
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks)


def _blocks(systems: Sequence[str], room: int) -> Iterator[tuple[int, int]]:
    """Yield the first and last system of each block."""
    start, used = 0, 0
    for end, system in enumerate(systems):
        wide = len(Layout.printable(system)) + 2
        if used and used + wide > room:
            yield start, end
            start, used = end, 0
        used += wide
    yield start, len(systems)


def _painted(verdict: Verdict, width: int, layout: Layout) -> str:
    sign = f"{verdict.sign:^{width}}"
    code = {BETTER: "34", WORSE: "31"}.get(verdict.sign)
    return f"\x1b[{code}m{sign}\x1b[0m" if layout.colour and code else sign


def _html(rows: Rows, first: str, systems: Sequence[str]) -> str:
    heads = "".join(f'<th scope="col">{_escaped(name)}</th>' for name in (first, *systems))
    lines = [f"<thead><tr><td></td>{heads}</tr></thead><tbody>"]
    for name, value, verdicts in rows:
        cells = "".join(
            f'<td class="{one.colour}">{one.value} {one.sign}</td>'
            if one.colour
            else f"<td>{one.value} {one.sign}</td>"
            for one in verdicts
        )
        head = f'<th scope="row">{_escaped(name)}</th>'
        lines.append(f"<tr>{head}<td>{value}</td>{cells}</tr>")
    table = "\n".join(["<table>", *lines, "</tbody></table>"])
    region = 'class="scroll" role="region" aria-label="Overview" tabindex="0"'
    return f'<div class="overview"><div {region}>{table}</div></div>'


def _svg(rows: Rows, first: str, systems: Sequence[str]) -> str:
    left = CELL * max(len(name) for name, _, _ in rows) + 10
    heads = [first, *systems]
    widths = [CELL * max(len(head), len("100.0 ▲")) + 12 for head in heads]
    starts = [left + sum(widths[:k]) for k in range(len(widths))]
    placed = list(zip(starts, widths, strict=True))
    elements = [
        _word(head, x + wide - 6, 0, "end") for head, (x, wide) in zip(heads, placed, strict=True)
    ]
    for n, (name, value, verdicts) in enumerate(rows, 1):
        elements.append(_word(name, 0, n, "start"))
        for one, (x, wide) in zip([Verdict(value, ""), *verdicts], placed, strict=True):
            if one.colour:
                box = f'x="{x:g}" y="{n * LINE:g}" width="{wide:g}" height="{LINE:g}"'
                elements.append(f'<rect class="{one.colour}" {box}/>')
            elements.append(_word(f"{one.value} {one.sign}".strip(), x + wide - 6, n, "end"))
    size = f'width="{starts[-1] + widths[-1]:g}" height="{(len(rows) + 1) * LINE:g}"'
    style = 'font-family="sans-serif" font-size="13"'
    content = "\n".join(elements)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="overview" {size} {style}>{content}</svg>'
    )


def _word(text: str, x: float, row: int, anchor: str) -> str:
    place = f'x="{x:g}" y="{(row + 0.7) * LINE:g}" text-anchor="{anchor}"'
    return f"<text {place}>{_escaped(text)}</text>"


def _escaped(text: str) -> str:
    return escape(Layout.printable(text)).replace("\ufffe", "�").replace("\uffff", "�")

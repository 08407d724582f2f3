"""Terminal: its size, whether it shows colours, and lines that fit it."""

from __future__ import annotations

import os

from mteval_core.commands.streams import output

__all__ = ["is_terminal", "shows_colours", "terminal_height", "terminal_width", "wrap_line"]


def terminal_width() -> int:
    """Width of the terminal in characters; 100 if there is no terminal."""
    from shutil import get_terminal_size

    return get_terminal_size((100, 24)).columns


def terminal_height() -> int:
    """Height of the terminal in lines; 24 if there is no terminal."""
    from shutil import get_terminal_size

    return get_terminal_size((100, 24)).lines


def is_terminal() -> bool:
    """Whether standard output is a terminal."""
    return output().isatty()


def shows_colours() -> bool:
    """Whether standard output is a terminal, and the user has not asked for no colours."""
    return is_terminal() and not os.environ.get("NO_COLOR")


def wrap_line(line: str, indent: int) -> str:
    """Break a line at the width of the terminal and indent its continuation."""
    from textwrap import fill

    return fill(
        line,
        max(terminal_width(), indent + 20),
        subsequent_indent=" " * indent,
        break_long_words=False,
        break_on_hyphens=False,
    )

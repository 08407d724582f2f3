"""Names that come from outside: of systems, documents, raters, criteria and option values.

Tables, comments and terminals show names, so a name must be one line of characters that can be
shown. `check_name` is the rule, and every way in applies it: files, arguments, Python and reports.
"""

from __future__ import annotations

import re

from mteval_core.errors import MtevalError, UsageError

UNPRINTABLE = (
    "[\x00-\x1f\x7f-\x9f"  # control characters: line ends, tabs, escape sequences
    "\u2028\u2029"  # line and paragraph separators
    "\u202a-\u202e\u2066-\u2069"  # marks that reverse the text after them
    "\ud800-\udfff]"  # lone surrogates, such as the bytes of a file name that is not UTF-8
)


def is_name(text: object) -> bool:
    """Tell whether something is a string that can be a name."""
    return isinstance(text, str) and (text.isprintable() or not re.search(UNPRINTABLE, text))


def check_name(name: object, what: str, error: type[MtevalError] = UsageError) -> str:
    """Return a name.

    Parameters
    ----------
    name : str
        The name.
    what : str
        What it names, and where it was seen; the beginning of the message.
    error : type of MtevalError
        The error to raise.

    Raises
    ------
    MtevalError
        If it is not a string, or contains a character that cannot be shown in one line.

    Examples
    --------
    >>> check_name("our system", "system")
    'our system'
    """
    if not isinstance(name, str):
        raise error(f"{what} {name!r}: expected a string as the name, got {type(name).__name__}")
    if not is_name(name):
        unprintable = next(character for character in name if not is_name(character))
        raise error(
            f"{what} {name!r}: a name cannot contain {unprintable!r}; expected one line of "
            f"printable characters"
        )
    return name


def printable(text: str) -> str:
    """Write every character that a name cannot contain as an escape sequence."""
    return re.sub(UNPRINTABLE, lambda match: repr(match[0])[1:-1], text)

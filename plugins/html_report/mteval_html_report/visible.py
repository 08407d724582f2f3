"""Make invisible characters visible."""

from __future__ import annotations

import re

from markupsafe import Markup

__all__ = ["HIDDEN", "visible"]

HIDDEN = (
    r"[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f"
    r"\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\ud800-\udfff\ufffe\uffff]"
)
"""Control characters, marks of direction, separators of lines, what has no width, what is none.

Joiners stay: Persian and emojis need them. The script of the page has the same pattern.
"""


def visible(value: object) -> object:
    r"""Write hidden characters of a string as code points; return anything else as it is.

    Examples
    --------
    >>> visible("a\u202eb")
    'a⟨U+202E⟩b'
    """
    if not isinstance(value, str) or isinstance(value, Markup):
        return value
    return re.sub(HIDDEN, lambda match: f"⟨U+{ord(match[0]):04X}⟩", value)

"""What GTM 1.4 takes for words."""

from __future__ import annotations

import re

__all__ = ["gtm"]

WORDS = re.compile(r"[^ \t\r\n\f]+")


def gtm(text: str) -> list[str]:
    r"""Split at spaces, tabs, carriage returns, line feeds and form feeds only.

    Unlike with the tokenizer ``none``, other white space, such as a no-break space, is part of a
    word.

    Parameters
    ----------
    text : str
        One segment.

    Returns
    -------
    list of str
        What stands between.

    Examples
    --------
    >>> gtm("two  words\tor\u00a0three.")
    ['two', 'words', 'or\xa0three.']
    """
    return WORDS.findall(text)

"""The tokenizer of GTM 1.4."""

from __future__ import annotations

import re

__all__ = ["gtm"]

WORDS = re.compile(r"[^ \t\r\n\f]+")


def gtm(text: str) -> list[str]:
    r"""Split at spaces, tabs, carriage returns, line feeds and form feeds only.

    Other white space, such as a no-break space, is part of a word. The tokenizer ``none`` splits
    there too.

    Parameters
    ----------
    text : str
        One segment.

    Returns
    -------
    list of str
        The words.

    Examples
    --------
    >>> gtm("two  words\tor\u00a0three.")
    ['two', 'words', 'or\xa0three.']
    """
    return WORDS.findall(text)

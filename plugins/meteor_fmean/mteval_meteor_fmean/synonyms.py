"""Synonyms: English words that share a synset of WordNet 3.0.

The synsets of a word include those of its base forms. Base forms are listed in the exceptions
(``mice``, ``mouse``); for other words the base form is the first word of WordNet that detaching one
suffix leaves (``houses``, ``house``).

WordNet's database numbers synsets within each part of speech. The program METEOR 1.5 has them in
one table without parts of speech, in which about 300 numbers stand for two synsets. There, ``aid``
and ``marketing`` are synonyms.
"""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from mteval_core import PluginError
from mteval_meteor_fmean.program import synonym_tables

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from mteval_kernels import Vocabulary

__all__ = ["Synonyms", "program_synonyms", "synonym_keys", "wordnet", "wordnet_folder"]

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
"""WordNet's detachment rules for nouns, verbs and adjectives, in order: suffix, ending."""

FOLDERS = ("/usr/share/wordnet", "/usr/local/WordNet-3.0/dict", "/usr/local/share/wordnet")


class Synonyms:
    """The synsets of words.

    Parameters
    ----------
    bases : mapping of str to iterable of str
        Base forms of irregular words.
    entries : mapping of str to str
        Entry of each word in the dictionary.
    numbers : callable
        Function that reads the synset numbers from an entry.
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
        """Numbers of the synsets of a word and of its base forms; empty for unknown words."""
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
    """Synonyms of the program METEOR 1.5.

    Raises
    ------
    PluginError
        If the program is not installed.
    """
    bases, entries = synonym_tables()
    return Synonyms(bases, entries, lambda entry: map(int, entry.split()))


def wordnet_folder() -> Path:
    """Folder of WordNet's database files.

    Raises
    ------
    PluginError
        If the files are not installed.
    """
    named = os.environ.get("WNSEARCHDIR")
    for folder in map(Path, [named] if named else FOLDERS):
        if (folder / "index.noun").is_file():
            return folder
    seen = f"WNSEARCHDIR is {named!r}" if named else f"searched {', '.join(FOLDERS)}"
    raise PluginError(
        f"The module synonym needs the database files of WordNet 3.0; not found ({seen}). Install "
        f"Debian's wordnet-base, or set WNSEARCHDIR to the folder that contains index.noun"
    )


@cache
def wordnet(folder: Path) -> Synonyms:
    """Synonyms of WordNet's database files.

    Parameters
    ----------
    folder : Path
        Folder with ``index.noun``, ``noun.exc`` and so on.

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
    """Synset numbers in lines of an index: ``part-of-speech n_synsets ... offset offset``.

    Offsets repeat across parts of speech, so the number includes the part of speech.
    """
    for line in entry.split("\n"):
        part, n_synsets, *rest = line.split()
        for offset in rest[-int(n_synsets) :]:
            yield 4 * int(offset) + "nvar".index(part)


def synonym_keys(
    synonyms: Synonyms, vocabulary: Vocabulary, present: NDArray[np.bool_]
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Synsets of the types of a vocabulary, as a relation of alignment kernels.

    Parameters
    ----------
    synonyms : Synonyms
        The synsets of words.
    vocabulary : Vocabulary
        The types.
    present : ndarray of bool, shape (n_types,)
        Whether a type occurs in the texts. Other types get no keys.

    Returns
    -------
    offsets : ndarray of int64, shape (n_types + 1,)
        The keys of type ``t`` are ``keys[offsets[t]:offsets[t + 1]]``.
    keys : ndarray of int32
        Synset numbers. A synset of a single type links nothing; of these only the first one of a
        type is kept.
    """
    ids = np.flatnonzero(present).astype(np.int32)
    synsets: Sequence[frozenset[int]] = [synonyms.synsets(w) for w in vocabulary.tokens(ids)]
    types = np.repeat(ids, list(map(len, synsets)))
    keys = np.fromiter((n for numbers in synsets for n in numbers), np.int32, len(types))
    _, inverse, counts = np.unique(keys, return_inverse=True, return_counts=True)
    kept = (counts[inverse] > 1) | (np.diff(types, prepend=-1) > 0)
    n_keys = np.bincount(types[kept], minlength=len(present))
    return np.concatenate([[0], np.cumsum(n_keys)]), keys[kept]

"""Data of the program METEOR 1.5, read from an installed copy of it.

Function words, non-breaking prefixes, the synonym dictionary and the parameters of each language
belong to the authors of the program and are not part of this distribution. They are read from the
program's archive, ``meteor-1.5.jar``: the file that the environment variable ``METEOR_JAR`` names,
otherwise the one in the Python package ``pycocoevalcap``. Java is not needed.
"""

from __future__ import annotations

import os
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING
from zipfile import BadZipFile, ZipFile

from mteval_core import PluginError
from mteval_meteor_fmean.classfile import read_constants
from mteval_meteor_fmean.languages import LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = [
    "function_words",
    "parameters",
    "paraphrase_table",
    "prefixes",
    "require",
    "synonym_tables",
    "weights",
]

SETTING = "METEOR_JAR"
VERSION = "1.5"


def require(what: str) -> Path:
    """Path of the program's archive.

    Parameters
    ----------
    what : str
        What the archive is needed for, as the subject of the error message.

    Returns
    -------
    Path
        An existing file.

    Raises
    ------
    PluginError
        If the archive is not installed.
    """
    named = os.environ.get(SETTING)
    if named:
        candidates = [Path(named)]
    else:
        package = find_spec("pycocoevalcap")
        folders = (package.submodule_search_locations if package else None) or []
        candidates = [Path(folder, "meteor", "meteor-1.5.jar") for folder in folders]
    for path in candidates:
        if path.is_file():
            return path
    seen = f"{SETTING} is {named!r}, which is not a file" if named else "it is not installed"
    raise PluginError(
        f"{what} is read from the program METEOR {VERSION}, but {seen}. Install the Python package "
        f"pycocoevalcap, which contains it, or set {SETTING} to the path of meteor-1.5.jar"
    )


def lines(name: str, what: str) -> list[str]:
    """Lines of a text file in the archive."""
    return read(name, what).decode().removesuffix("\n").split("\n")


def read(name: str, what: str) -> bytes:
    """Content of a file in the archive.

    Raises
    ------
    PluginError
        If the archive is not installed, or is not the program's.
    """
    path = require(what)
    try:
        with ZipFile(path) as archive:
            return archive.read(name)
    except (BadZipFile, KeyError, OSError) as error:
        raise PluginError(
            f"{what} is read from the program METEOR {VERSION}, but {path} does not contain it: "
            f"{error}"
        ) from error


def paraphrase_table(language: str) -> Path:
    """Path of a language's table of paraphrases, in a folder next to the archive.

    Raises
    ------
    PluginError
        If the table is not installed.
    """
    what = f"The table of paraphrases of language {language}"
    path = require(what).parent / "data" / f"paraphrase-{language}.gz"
    if not path.is_file():
        raise PluginError(
            f"{what} belongs to the program METEOR {VERSION}, but {path} does not exist"
        )
    return path


@cache
def function_words(language: str) -> frozenset[str]:
    """Function words of the program. Many languages have none."""
    name = LANGUAGES[language]
    return frozenset(lines(f"function/{name}.words", "The list of function words"))


@cache
def prefixes(language: str) -> dict[str, bool]:
    """Abbreviations that keep their full stop, and whether they keep it only before digits."""
    result = {}
    name = f"nonbreaking/{LANGUAGES[language]}.prefixes"
    for line in lines(name, "The list of non-breaking prefixes"):
        words = line.split()
        if words and not words[0].startswith("#"):
            result[words[0]] = words[1:2] == ["#NUMERIC_ONLY#"]
    return result


def synonym_tables() -> tuple[dict[str, list[str]], dict[str, str]]:
    """Base forms of irregular words, and the synset numbers of every word as a line of text."""
    what = "The synonym dictionary"
    bases: dict[str, list[str]] = {}
    for base, forms in pairs(lines("synonym/english.exceptions", what)):
        for form in forms.split():
            bases.setdefault(form, []).append(base)
    return bases, dict(pairs(lines("synonym/english.synsets", what)))


def pairs(texts: Sequence[str]) -> zip[tuple[str, str]]:
    """Lines 1 and 2, 3 and 4, and so on."""
    return zip(texts[::2], texts[1::2], strict=True)


def parameters(language: str) -> list[float]:
    """Alpha, beta, gamma and delta of a language; the general values if it has none of its own."""
    return _of_language("PARAM", language)


def weights(language: str) -> list[float]:
    """Weights of a language's modules, in order."""
    return _of_language("WEIGHT", language)


def _of_language(name: str, language: str) -> list[float]:
    constants, tables = _constants()
    number = int(constants[f"LANG_{language.upper()}"])
    start = 4 * number
    own = tables[f"{name}_RANK"][start : start + 4]
    return own if any(own) else tables[f"{name}_I"]


@cache
def _constants() -> tuple[dict[str, float], dict[str, list[float]]]:
    """Numbers in the program's table of constants."""
    what = "The table of parameters"
    constants, tables = read_constants(read("edu/cmu/meteor/util/Constants.class", what))
    if constants.get("VERSION") != VERSION:
        raise PluginError(
            f"{require(what)} is METEOR {constants.get('VERSION')}; expected {VERSION}"
        )
    return constants, tables

"""The languages that METEOR 1.5 knows."""

from __future__ import annotations

__all__ = ["LANGUAGES", "NORMALIZED", "STEMMED"]

LANGUAGES = {
    "en": "english",
    "cz": "czech",
    "da": "danish",
    "de": "german",
    "es": "spanish",
    "fi": "finnish",
    "fr": "french",
    "hu": "hungarian",
    "it": "italian",
    "nl": "dutch",
    "no": "norwegian",
    "pt": "portuguese",
    "ro": "romanian",
    "ru": "russian",
    "se": "swedish",
    "tr": "turkish",
    "other": "other",
}
"""Names of the languages, by the program's codes."""

STEMMED = tuple(code for code in LANGUAGES if code not in ("cz", "other"))
"""Languages that the program can stem."""

NORMALIZED = ("en", "cz", "de", "es", "fr", "ru")
"""Languages that the program can normalize."""

"""Look up tokenizers and normalizers by name, and default tokenizers by language."""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING, Any

from mteval_core.errors import OptionError, PluginError, UsageError, attributed, warn
from mteval_core.plugin.declarations import NormalizerSpec, TokenizerSpec, load, neutral
from mteval_core.plugin.registry import HOST, ambiguity

if TYPE_CHECKING:
    from mteval_core.plugin.registry import Entry, Registry


def kind_of_step(key: str) -> tuple[type[TokenizerSpec | NormalizerSpec], str | None]:
    """Return the class of what a key of a pipeline chooses, and its signature key."""
    return (TokenizerSpec, None) if key == "tok" else (NormalizerSpec, key)


def find_step(
    key: str, name: str, registry: Registry, *, home: str = HOST
) -> tuple[list[Entry[Any]], str]:
    """Find a tokenizer or normalizer, and give it the value that its name has in brackets.

    Parameters
    ----------
    key : str
        ``tok``, or the signature key of the normalizer.
    name : str
        ``NAME`` or ``NAME[VALUE]``.
    registry : Registry
        Where to look it up.
    home : str
        The distribution that asks for the name.

    Returns
    -------
    (list of Entry, str)
        What has the name, without an option that is still to be set; nothing for the name of the
        normalizer that changes nothing. Its name in signatures.

    Raises
    ------
    UnknownNameError
        If there is no such tokenizer or normalizer.
    OptionError
        If it takes no value in brackets, or not this one.
    InputError
        If the value names a file that cannot be read, or has another hash.
    PluginError
        If the name is ambiguous, or the function cannot be made.
    """
    bare, value = split_value(name)
    if key != "tok" and bare == neutral(key):
        if value is not None:
            raise OptionError(f"{key}={bare} takes no value: leave out [{value}]")
        return [], name
    kind, own_key = kind_of_step(key)
    found: Entry[Any] = registry.find(kind, bare, own_key, home=home)
    entry, written = found.with_value(value)
    return [entry], f"{getattr(entry.declaration, 'label', None) or bare}{written}"


def split_value(name: str) -> tuple[str, str | None]:
    """Split ``NAME[VALUE]``; the value is None without brackets."""
    bare, bracket, value = name.partition("[")
    return (bare, value.removesuffix("]")) if bracket and name.endswith("]") else (name, None)


# Languages

TWO_LETTERS = """
aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy
da de dv dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu
hy hz ia id ie ig ii ik in io is it iu iw ja ji jv jw ka kg ki kj kk kl km kn ko kr ks ku kv
kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mo mr ms mt my na nb nd ne ng nl nn no nr
nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg sh si sk sl sm sn so sq
sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi
yo za zh zu
"""
"""The codes of ISO 639-1, withdrawn ones included."""

MISTAKEN = {"jp": "ja", "cn": "zh", "kr": "ko"}
"""Codes of countries that are taken for codes of languages."""


def language_options(language: str, registry: Registry) -> dict[str, str]:
    """Return the options of all metrics that the language of a data set chooses.

    Data sets may also have the name of a language, such as ``Japanese``, which chooses nothing.
    """
    is_known = is_code(language, registry)
    tokenizer = tokenizer_of_language(language, registry) if is_known else None
    return {"tok": tokenizer} if tokenizer else {}


def tokenizer_of_language(language: str, registry: Registry) -> str | None:
    """Choose the tokenizer that is usual for a language.

    Parameters
    ----------
    language : str
        A code, which may have further parts: ``ja``, ``zh-TW``, ``tha_Thai``.
    registry : Registry
        The tokenizers, which declare their languages.

    Returns
    -------
    str or None
        Name of the tokenizer; None if no tokenizer declares the language, so that every metric
        keeps its default.

    Raises
    ------
    UsageError
        If the language is not a code, or no language has it.
    PluginError
        If several plugins have a tokenizer for the language.

    Warns
    -----
    MtevalWarning
        ``language-tokenizer``: a preferred tokenizer lacks something that is not installed.
    """
    code = first_part(language)
    if not is_code(language, registry):
        hint = f" Did you mean {MISTAKEN[code]!r}?" if code in MISTAKEN else ""
        raise UsageError(
            f"language {language!r}: expected the code of a language, two or three letters such "
            f"as ja.{hint}"
        )
    able = [e for e in registry.of_kind(TokenizerSpec) if code in e.declaration.languages]
    foreign = [entry for entry in able if entry.plugin.distribution != HOST]
    if len(foreign) > 1:
        raise PluginError(ambiguity("tokenizer of", code, foreign))
    problems = []
    for entry in (*foreign, *(e for e in able if e not in foreign)):
        try:
            (ready,), _ = find_step("tok", entry.qualified, registry)
            with attributed(f"tokenizer {entry}"):
                load(ready.declaration.function)("")
        except PluginError as error:
            problems.append(str(error))
            continue
        name = entry.declaration.name
        if problems:
            message = (
                f"for the language {language}, mteval uses the tokenizer {name}: {problems[0]}"
            )
            warn("language-tokenizer", message)
        return name
    if problems:
        raise PluginError(problems[0])
    return None


def is_code(language: str, registry: Registry) -> bool:
    """Whether something is the code of a language: three letters, or two that are known."""
    code = first_part(language)
    if not re.fullmatch("[a-z]{2,3}", code) or code in MISTAKEN:
        return False
    declared = (entry.declaration.languages for entry in registry.of_kind(TokenizerSpec))
    return len(code) == 3 or code in TWO_LETTERS.split() or code in chain(*declared)


def first_part(language: str) -> str:
    """Return what precedes a hyphen or underscore, in lower case."""
    return re.split("[-_]", language)[0].lower()

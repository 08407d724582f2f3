"""Rules for declarations. A plugin with a declaration that breaks one is broken."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from fnmatch import fnmatch
from functools import cache
from numbers import Real
from reprlib import repr as shortened
from typing import Any, NamedTuple, get_args

from mteval_core.errors import OptionError, PluginError, attributed
from mteval_core.names import is_name
from mteval_core.plugin.declarations import (
    CheckSpec,
    ColumnType,
    CommandSpec,
    Declaration,
    FormatSpec,
    MetricSpec,
    NormalizerSpec,
    PartKind,
    TokenizerSpec,
    View,
    neutral,
)
from mteval_core.plugin.options import SHARED, Option
from mteval_core.signature import NOT_OPTIONS

RESERVED_KEYS = (*NOT_OPTIONS, "loo", "missing")
"""Signature keys that the host writes itself."""

PLAIN_FILES = ("-", "x", "hypotheses", "x.txt", "hypotheses.txt")
"""Names of files that only the host's own reader may read."""

SLUG = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]*")
TARGET = re.compile(r"\w+(\.\w+)*:\w+(\.\w+)*")
BIBLIOGRAPHY = re.compile(r"[^:]+\.bib(:[^\s,]+(,[^\s,]+)*)?")


class Rule(NamedTuple):
    """What a field may hold, in words and as a test."""

    expected: str
    holds: Callable[[Any], bool]

    def check(self, value: Any, what: str) -> Any:
        """Return the value of a field; raise a `PluginError` if it breaks the rule."""
        if not self.holds(value):
            raise PluginError(f"{what} is {shortened(value)}; expected {self.expected}")
        return value


def check_declaration(declaration: Declaration) -> None:
    """Raise a `PluginError` if a field of a declaration breaks its rule."""
    name = declaration.name
    if not is_name(name) or not name or "/" in name:
        raise PluginError(
            f"{name!r} is not a valid name: expected a non-empty string without '/' or control "
            f"characters"
        )
    _check_fields(declaration, repr(name))
    for option in _options(declaration):
        _check_option(option, f"{name!r}: its option {shortened(option.key)}")
    _check_keys(declaration)


def _check_fields(declared: Declaration | Option, what: str) -> None:
    """Raise a `PluginError` if a field breaks its rule; the defaults of the class keep theirs."""
    values = vars(declared)
    for field, default, rule in _rules_of(type(declared)):  # type: ignore[arg-type] # mypy looks at the instance
        value = values[field]
        if value is not default and not rule.holds(value):
            rule.check(value, f"{what}: its {field}")


@cache
def _rules_of(kind: type[Any]) -> list[tuple[str, object, Rule]]:
    """Return the fields of a class, their defaults and rules: stated ones, or of their types."""
    by_type = {field.name: _rule_of_type(str(field.type)) for field in fields(kind)}
    stated = [RULES.get(base, {}) for base in reversed(kind.__mro__)]
    rules = {field: rule for each in (by_type, *stated) for field, rule in each.items()}
    return [(name, getattr(kind, name, rule), rule) for name, rule in rules.items() if rule]


def _rule_of_type(annotation: str) -> Rule | None:
    """Return the rule of a field that is annotated so; None if its type alone states none."""
    if words := annotation.startswith("Literal[") and re.findall(r"'(.*?)'", annotation):
        return _one_of(*words)
    if annotation.startswith("Callable["):
        _, _, alternatives = annotation.rpartition("]")
        return CALLABLES.get(alternatives)
    return RULES_OF_TYPES.get(annotation)


def _options(declaration: Declaration) -> Iterable[Option]:
    """Return the options that a declaration declares."""
    if isinstance(declaration, MetricSpec):
        return declaration.options
    return filter(None, [getattr(declaration, "option", None)])


def check_patterns(declaration: Declaration) -> None:
    """Raise a `PluginError` if a format of a plugin claims files of plain text by their names."""
    for pattern in getattr(declaration, "patterns", ()):
        open_end = [f"{pattern[:-1]}x.txt"] if pattern.endswith("*") else []
        for name in (*PLAIN_FILES, *open_end):
            if fnmatch(name, pattern):
                raise PluginError(
                    f"{declaration.name!r} claims all files like {pattern!r}, also plain text such "
                    f"as {name!r}; expected an ending of its own, such as '*.tmx'"
                )


def _check_option(option: Option, what: str) -> None:
    _check_fields(option, what)
    default = option.default
    words = isinstance(default, tuple) and all(isinstance(word, str) for word in default)
    if option.type is None and not (words or isinstance(default, (bool, int, float, str))):
        raise PluginError(
            f"{what}: its default is {shortened(default)}; expected a word, number or list"
        )
    Rule("strings", _are_words).check(option.written_default(), f"{what}: its default, written,")
    if option.spec and not words:
        raise PluginError(f"{what}: its spec is True; expected a tuple of specs as its default")
    if not option.signed and option.key in SHARED:
        raise PluginError(f"{what}: its signed is False; {SHARED[option.key]}s are always signed")
    _check_default(option, what)


def _check_default(option: Option, what: str) -> None:
    """Refuse a default that users could not write.

    A file, what reads a value, and what an empty default stands for are needed only when the
    option is used.
    """
    if option.file or option.default == "" or isinstance(option.type, str):
        return
    what = f"{what}: its default is {shortened(option.default)}"
    try:
        with attributed(what):
            value = option.value_of(option.default)
            is_same = option.parse(option.format(value)) == value
    except OptionError as error:
        raise PluginError(f"{what}: {error}") from error
    if not is_same:
        raise PluginError(f"{what}; expected a value that is read as it is written")


def _check_keys(declaration: Declaration) -> None:
    """Refuse signature keys that are reserved, or given twice."""
    name, keys = declaration.name, declaration.keys
    reserved = (*RESERVED_KEYS, "tok") if isinstance(declaration, NormalizerSpec) else RESERVED_KEYS
    for key in keys:
        if key in reserved:
            raise PluginError(
                f"{name!r} defines the signature key {key!r}, which is reserved: rename it"
            )
        if [other.replace("-", "_") for other in keys].count(key.replace("-", "_")) > 1:
            raise PluginError(f"{name!r} defines the signature key {key!r} twice: rename one")
    if isinstance(declaration, NormalizerSpec) and name == neutral(declaration.key):
        raise PluginError(f"{declaration.shown} stands for no normalizer: choose another name")


# Tests


def _is_number(value: object) -> bool:
    try:
        return isinstance(value, Real) and not isinstance(value, bool) and math.isfinite(value)
    except OverflowError:
        return False


def _is_target(value: object) -> bool:
    try:
        hash(value)  # what is loaded is kept by its target
    except TypeError:
        return False
    return callable(value) or (isinstance(value, str) and bool(TARGET.fullmatch(value)))


def _is_key(value: object) -> bool:
    return isinstance(value, str) and value.replace("-", "_").isidentifier()


def _is(kind: type[Any]) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, kind)


def _each(test: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, (tuple, list)) and all(map(test, value))


def _mapping(key: Callable[[Any], bool], test: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: (
        isinstance(value, Mapping) and all(key(k) and test(v) for k, v in value.items())
    )


def _filled(test: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: bool(value) and test(value)


_is_text = _is(str)
_are_words = _each(_is_text)


def _is_ending(value: str) -> bool:
    return is_name(value) and value == value.lower() and not {*"./\\"} & {*value}


def _is_interval(value: object) -> bool:
    if not isinstance(value, (tuple, list)) or len(value) != 2:
        return False
    low, high = value
    return all(isinstance(end, Real) for end in value) and low <= high


def _is_equation(value: object) -> bool:
    return isinstance(value, str) and all(
        is_name(line) and len(line) <= 66 for line in value.split("\n")
    )


def _is_view(value: object) -> bool:
    if not isinstance(value, View) or value.sent not in ("none", "tab"):
        return False
    if value.of.startswith("column:"):
        is_known = value.type in get_args(ColumnType) and _is_key(value.column)
        return is_known and value == View(of=value.of, type=value.type)
    around = value.before, value.after
    if (
        value.type != "text"
        or value.of not in ("texts", "source", "document")
        or (value.raw and value.of == "source")
        or not all(isinstance(n, int) and n >= 0 for n in around)
        or (value.of == "document") != any(around)
    ):
        return False
    names = all(map(_or_none(_is_text), (value.tok, value.case, value.stem)))
    own = value.normalizers
    return names and isinstance(own, tuple) and all(map(_is_ready, own))


def _is_ready(value: object) -> bool:
    """Whether a normalizer can be applied as it is declared."""
    return isinstance(value, NormalizerSpec) and value.option is None


def _or_callable(rule: Rule) -> Rule:
    return Rule(f"{rule.expected}, or a callable", lambda it: callable(it) or rule.holds(it))


def _or_none(test: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: value is None or test(value)


def _one_of(*words: str) -> Rule:
    *others, last = map(repr, words)
    return Rule(f"{', '.join(others)} or {last}", lambda value: value in words)


# Rules

LINE = Rule("one line of text", is_name)
WORDS = Rule("a tuple of strings", _are_words)
CODE = Rule("a hashable callable or 'module:attribute'", _is_target)
SCALES = Rule("names with a finite number for each", _filled(_mapping(is_name, _is_number)))
LITERATURE = Rule(
    "'FILE.bib' or 'FILE.bib:KEY,KEY'",
    lambda value: isinstance(value, str) and BIBLIOGRAPHY.fullmatch(value) is not None,
)
VIEWS = Rule("names with a View for each", _filled(_mapping(_is_key, _is_view)))

SLUG_NAME = Rule(
    "letters, digits and hyphens, no hyphen first", lambda name: bool(SLUG.fullmatch(name))
)

PARTS = get_args(PartKind)

UNBRACKETED = Rule("a name without brackets", lambda value: "[" not in value)

CALLABLES = {
    " | str": CODE,
    " | str | None": Rule(f"{CODE.expected}, or None", _or_none(_is_target)),
    " | None": Rule("a callable or None", _or_none(callable)),
}
"""The rules of callables, by what else their fields may hold."""

RULES_OF_TYPES = {
    "bool": Rule("True or False", _is(bool)),
    "float | None": Rule("a finite number or None", _or_none(_is_number)),
    "tuple[str, ...]": WORDS,
    "Option | None": Rule("an Option or None", _or_none(_is(Option))),
    "tuple[Option, ...]": Rule("a tuple of Option objects", _each(_is(Option))),
}
"""The rules of fields by their annotations; some fields have one of their own."""

RULES: Mapping[type[object], Mapping[str, Rule]] = {
    Option: {"key": Rule("letters, digits and hyphens", _is_key), "help": LINE},
    Declaration: {
        "help": LINE,
        "exceptions": Rule("checks with a reason for each", _mapping(_is_text, _is_text)),
    },
    MetricSpec: {
        "name": Rule("another name: 'all' stands for every metric", lambda name: name != "all"),
        "values": _or_callable(SCALES),
        "main": Rule("a string or None", _or_none(_is_text)),
        "views": _or_callable(VIEWS),
        "label": Rule(
            "a string without '/' or control characters, or None",
            _or_none(lambda value: is_name(value) and "/" not in value),
        ),
        "literature": Rule(
            f"{LITERATURE.expected}, a callable, or None",
            _or_none(lambda value: callable(value) or LITERATURE.holds(value)),
        ),
        "equation": Rule("lines of at most 66 printable characters", _is_equation),
        "bounds": Rule("two numbers, the lower one first", _is_interval),
        "variants": Rule(
            "values of the option 'variant' with defaults for each",
            _mapping(_is_text, _is(Mapping)),
        ),
        "tolerance": Rule("a number of at least 0", lambda value: _is_number(value) and value >= 0),
        "aliases": Rule(
            "names, each with a spec or a tuple of specs",
            _mapping(is_name, _filled(lambda it: _is_text(it) or _are_words(it))),
        ),
    },
    TokenizerSpec: {
        "name": UNBRACKETED,
        "label": Rule("one line of text, or None", _or_none(is_name)),
    },
    NormalizerSpec: {"name": UNBRACKETED, "key": Rule("letters, digits and hyphens", _is_key)},
    FormatSpec: {
        "parts": Rule(
            f"some of {', '.join(map(repr, PARTS))}",
            _filled(_each(lambda part: _is_text(part) and part in PARTS)),
        ),
        "endings": Rule(
            "endings in lower case without the dot, such as ('csv',)",
            _each(_is_ending),
        ),
    },
    CommandSpec: {"name": SLUG_NAME, "group": LINE},
    CheckSpec: {"name": SLUG_NAME},
}
"""The rules that the fields of a class have beside those of their types."""

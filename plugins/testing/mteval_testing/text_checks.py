"""The checks of tokenizers and normalizers."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from mteval_core import (
    NormalizerSpec,
    OptionError,
    PluginError,
    Text,
    TokenizerSpec,
    default_registry,
)
from mteval_kernels import Vocabulary
from mteval_testing.corpora import CORPUS, EDGE_CASES
from mteval_testing.findings import Finding, doubt, expect
from mteval_testing.kit import Kit
from mteval_testing.process_checks import unusable
from mteval_testing.processes import in_two_processes
from mteval_testing.targets import load
from mteval_testing.watch import tried

if TYPE_CHECKING:
    from collections.abc import Callable

    from mteval_core import Entry, Registry

__all__ = ["NORMALIZER_KIT", "TOKENIZER_KIT", "check_normalizer", "check_tokenizer"]

SEGMENTS = [
    *CORPUS.hypotheses,
    *(text for sample in EDGE_CASES.values() for text in sample.hypotheses),
]
"""Texts that the checks run on."""


LONG = " ".join(f"word{i % 97}" for i in range(1000))
"""A text of 1,000 words."""

ENDS = (LONG, f"{LONG} word", f"{LONG} other")
"""The same, and a word more."""

SHORT = 30
"""Characters up to which a string may become longer, such as a word that becomes its phonemes."""

S = TypeVar("S", TokenizerSpec, NormalizerSpec)


@dataclass(frozen=True)
class Usable(Generic[S]):
    """A tokenizer or normalizer that can be used, and the registry that it is in."""

    declaration: S
    entry: Entry[S]
    registry: Registry


def outcome(function: Callable[[], Any]) -> Any:
    """Return the result of a function, or the error it raised."""
    try:
        return function()
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001 - a plugin may fail in any way
        return error


def texts_of(declaration: TokenizerSpec | NormalizerSpec) -> list[str]:
    """Return the texts of the checks, those of the author included."""
    sample = declaration.sample
    return [*(load(sample)().hypotheses if sample else ()), *SEGMENTS]


def cut(tokenizer: TokenizerSpec, text: str) -> Any:
    """Tokenize one text."""
    tried(repr(text))
    return outcome(lambda: load(tokenizer.function)(text))


def are_tokens(result: Any) -> bool:
    """Tell whether a result is a list of strings, none of them empty."""
    return isinstance(result, list) and all(isinstance(t, str) and t for t in result)


def gives_tokens(usable: Usable[TokenizerSpec]) -> None:
    """Any text becomes a list of non-empty strings; otherwise one odd line stops the whole run."""
    tokenizer = usable.declaration
    for text in texts_of(tokenizer):
        tokens = cut(tokenizer, text)
        expect(
            are_tokens(tokens),
            f"{text!r}: expected a list of non-empty strings, got {tokens!r}",
        )


def repeats_itself(usable: Usable[TokenizerSpec]) -> None:
    """A text gets the same tokens every time; otherwise published scores cannot be verified."""
    tokenizer = usable.declaration
    for text in texts_of(tokenizer):
        tokens = cut(tokenizer, text)
        if are_tokens(tokens):
            expect(
                tokens == cut(tokenizer, text), f"{text!r} gets different tokens the second time"
            )


def batch_agrees(usable: Usable[TokenizerSpec]) -> None:
    """A batch is tokenized like its segments; otherwise a file scores unlike its sentences."""
    tokenizer = usable.declaration
    if tokenizer.batch is None:
        return
    texts = [text for text in texts_of(tokenizer) if are_tokens(cut(tokenizer, text))]
    segments, vocabulary = Text.of(texts, "segments"), Vocabulary()
    scan = load(tokenizer.batch)
    ids, offsets = scan(segments.buffer, segments.starts, segments.ends, vocabulary)
    expect(len(offsets) == len(texts) + 1, f"{len(texts)} texts have {len(offsets)} offsets")
    for text, start, end in zip(texts, offsets, offsets[1:], strict=False):
        same = vocabulary.tokens(ids[start:end]) == cut(tokenizer, text)
        expect(same, f"{text!r} gets different tokens in a batch")


def find_entry(key: str, name: str, registry: Registry) -> Entry[Any]:
    """Find a tokenizer, with the key ``tok``, or a normalizer; brackets set its option."""
    bare, bracket, value = name.partition("[")
    kind: Any = TokenizerSpec if key == "tok" else NormalizerSpec
    entry: Entry[Any] = registry.find(kind, bare, None if key == "tok" else key)
    return entry.with_value(value.removesuffix("]") if bracket else None)[0]


def with_option(entry: Entry[Any]) -> Entry[Any]:
    """Set the option of a tokenizer or normalizer: to the value of the sample, or the default."""
    option, sample = entry.declaration.option, entry.declaration.sample
    value = load(sample)().options.get(option.key) if option and sample else None
    try:
        return entry.with_value(value)[0]
    except OptionError as error:
        raise PluginError(f"{error}; declare a sample with the option") from error


def every_word_counts(usable: Usable[TokenizerSpec]) -> None:
    """The last of 1,000 words has a token; otherwise the end of long segments is not scored."""
    one, two, other = (cut(usable.declaration, text) for text in ENDS)
    if are_tokens(one) and are_tokens(two):
        expect(one != two, f"1,000 words have {len(one)} tokens, and 1,001 words the same ones")
        expect(two != other, "1,001 words have the same tokens if the last word changes")


def strings_of_plugin(registry: Registry, turn: int, distribution: str) -> dict[str, list[str]]:
    """Return what becomes of the texts with everything in a plugin, by its name for users."""
    found: dict[str, list[str]] = {}
    for entry in chain(registry.of_kind(TokenizerSpec), registry.of_kind(NormalizerSpec)):
        if entry.plugin.distribution == distribution:
            texts = SEGMENTS[:: -1 if turn else 1]
            given = [outcome(partial(with_string, entry, text)) for text in texts]
            found[entry.declaration.shown] = [*map(repr, given)][:: -1 if turn else 1]
    return found


def with_string(entry: Entry[Any], text: str) -> Any:
    """Return what a tokenizer or normalizer makes of a text."""
    declaration = with_option(entry).declaration
    if isinstance(declaration, TokenizerSpec):
        return cut(declaration, text)
    return [alone(declaration, one) for one in ([text], text.split())[declaration.stage == "token"]]


def processes_agree(usable: Usable[Any]) -> str:
    """Two processes give the same; otherwise each run of a program prints another score."""
    entry = usable.entry
    if entry not in usable.registry.of_name(
        type(entry.declaration), entry.qualified, entry.declaration.signature_key
    ):
        return "not run: the value of the option is not that of the sample"
    found = in_two_processes(
        usable.registry, strings_of_plugin, entry.plugin.distribution, grows=False
    )
    if reason := unusable(found):
        return reason
    one, other = (each.result.get(entry.declaration.shown) for each in found)
    if one is None or other is None:
        return "not run: another process does not find it"
    for text, here, there in zip(SEGMENTS, one, other, strict=True):
        expect(
            here == there,
            f"{text!r} becomes {here} in one process and {there} in another, which hashes strings "
            f"differently. Does it depend on hash(), or on the order of a set?",
        )
    return ""


def usable_tokenizer(entry: Entry[TokenizerSpec], registry: Registry) -> Usable[TokenizerSpec]:
    """Return a tokenizer, if all that it needs is installed."""
    declaration: TokenizerSpec = with_option(entry).declaration
    raise_plugin_error(cut(declaration, SEGMENTS[0]))
    return Usable(declaration, entry, registry)


TOKENIZER_KIT = Kit(
    (batch_agrees, every_word_counts, gives_tokens, processes_agree, repeats_itself),
    usable_tokenizer,
)
"""The checks of tokenizers."""


def strings_of(normalizer: NormalizerSpec) -> list[str]:
    """Return the texts or the tokens that a normalizer is checked on."""
    texts = texts_of(normalizer)
    return texts if normalizer.stage == "text" else " ".join(texts).split()


def alone(normalizer: NormalizerSpec, string: str) -> Any:
    """Normalize one string."""
    one, several = normalizer.function, normalizer.batch
    if one is not None:
        return outcome(lambda: load(one)(string))
    return outcome(lambda: load(several or "")([string])[0])


def normalized(normalizer: NormalizerSpec) -> dict[str, str]:
    """Return what each string becomes, except for those that raise an error."""
    results = {string: alone(normalizer, string) for string in strings_of(normalizer)}
    return {string: result for string, result in results.items() if isinstance(result, str)}


def gives_strings(usable: Usable[NormalizerSpec]) -> None:
    """Any string becomes one string; otherwise one odd line stops the whole run."""
    normalizer = usable.declaration
    for string in strings_of(normalizer):
        result = alone(normalizer, string)
        expect(isinstance(result, str), f"{string!r}: expected a string, got {result!r}")
        expect(
            "\n" not in result or "\n" in string, f"{string!r} becomes {result!r}, several lines"
        )


def batch_is_irrelevant(usable: Usable[NormalizerSpec]) -> None:
    """A string becomes the same in any batch; otherwise scores depend on other segments."""
    normalizer = usable.declaration
    single = normalized(normalizer)
    strings, batch = [*single], normalizer.batch
    together = load(batch)(strings) if single and batch else [alone(normalizer, s) for s in strings]
    same = together == [*single.values()]
    expect(same, "some strings become something else in a batch")


def lines_are_independent(usable: Usable[NormalizerSpec]) -> None:
    """Joined lines are normalized one by one if so declared; otherwise lines get mixed up."""
    normalizer = usable.declaration
    if normalizer.lines is not None:
        single = normalized(normalizer)
        together = Text.from_lines(load(normalizer.lines)(Text.of([*single]).buffer))
        expect(
            [*together] == [*single.values()],
            "some lines become something else when they are joined",
        )


def something_is_left(usable: Usable[NormalizerSpec]) -> None:
    """Ordinary text does not disappear, nor its end; otherwise systems get the same score."""
    left = [alone(usable.declaration, text) for text in CORPUS.hypotheses]
    if usable.declaration.stage == "text" and all(isinstance(text, str) for text in left):
        expect(any(text.strip() for text in left), f"nothing is left of {CORPUS.hypotheses[0]!r}")
        one, two, other = (alone(usable.declaration, text) for text in ENDS)
        expect(one != two, "1,000 words and 1,001 words become the same")
        expect(two != other, "1,001 words become the same if the last word changes")


def text_does_not_grow(usable: Usable[NormalizerSpec]) -> None:
    """Ordinary text does not become longer; otherwise words count twice, and runs take long."""
    for text, result in normalized(usable.declaration).items():
        before, after = ("".join(each.split()) for each in (text, result))
        doubt(
            not text.isascii() or len(after) < 2 * len(before) or len(after) < SHORT,
            f"{text!r} has {len(before)} characters, and {len(after)} afterwards",
        )


def usable_normalizer(entry: Entry[NormalizerSpec], registry: Registry) -> Usable[NormalizerSpec]:
    """Return a normalizer, if all that it needs is installed."""
    declaration: NormalizerSpec = with_option(entry).declaration
    raise_plugin_error(alone(declaration, strings_of(declaration)[0]))
    return Usable(declaration, entry, registry)


NORMALIZER_KIT = Kit(
    (
        batch_is_irrelevant,
        gives_strings,
        lines_are_independent,
        processes_agree,
        something_is_left,
        text_does_not_grow,
    ),
    usable_normalizer,
)
"""The checks of normalizers."""


def check_tokenizer(name: str, *, registry: Registry | None = None) -> list[Finding]:
    """Run all checks on a tokenizer.

    Parameters
    ----------
    name : str
        The tokenizer, with the value of its option in brackets: ``spm[my.model]``.
    registry : Registry, optional
        Where to look for it (default: everything installed).

    Returns
    -------
    list of Finding
        One for each check.

    Raises
    ------
    PluginError
        If something that the tokenizer needs is not installed.
    """
    registry = default_registry() if registry is None else registry
    entry = find_entry("tok", name, registry)
    return TOKENIZER_KIT.run(entry, registry)


def check_normalizer(key: str, name: str, *, registry: Registry | None = None) -> list[Finding]:
    """Run all checks on a normalizer.

    Parameters
    ----------
    key, name : str
        Signature key and name of the normalizer, with the value of its option in brackets.
    registry : Registry, optional
        Where to look for it (default: everything installed).

    Returns
    -------
    list of Finding
        One for each check.

    Raises
    ------
    PluginError
        If something that the normalizer needs is not installed.
    """
    registry = default_registry() if registry is None else registry
    return NORMALIZER_KIT.run(find_entry(key, name, registry), registry)


def raise_plugin_error(result: Any) -> None:
    """Raise the `PluginError` with which a plugin reports that something is not installed."""
    if isinstance(result, PluginError):
        raise result

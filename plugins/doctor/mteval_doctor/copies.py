"""Files that are given twice: as two systems, as two references, or as one of each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mteval_doctor.samples import FEWEST

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mteval_core import CheckedTexts, TextSummary

__all__ = ["identical_references", "identical_systems", "repeated_references"]


def identical_references(texts: CheckedTexts) -> Iterator[str]:
    """Find files that are both a system and a reference."""
    for name, text in files(texts).items():
        for reference in texts.references:
            if reference.path and are_same(text, reference):
                yield (
                    f"system {name}: {text.path} and the reference {reference.path} are identical; "
                    f"pass the output of the system after -i"
                )


def identical_systems(texts: CheckedTexts) -> Iterator[str]:
    """Find files of systems that are identical to that of an earlier system."""
    of_size: dict[int, list[str]] = {}
    given = files(texts)
    for name, text in given.items():
        of_size.setdefault(text.n_bytes, []).append(name)
    for names in of_size.values():
        firsts: dict[object, str] = {}
        for name in names if len(names) > 1 else ():
            first = firsts.setdefault((given[name].digest, given[name].columns), name)
            if first != name:
                yield (
                    f"systems {first} and {name}: {given[first].path} and {given[name].path} are "
                    f"identical; leave one out, or pass the right file"
                )


def repeated_references(texts: CheckedTexts) -> Iterator[str]:
    """Find references that are identical to an earlier one."""
    given = [one for one in texts.references if one.path and one.n_segments >= FEWEST]
    for i, other in enumerate(given):
        first = next((one for one in given[:i] if are_same(one, other)), None)
        if first is not None:
            yield (
                f"references {first.path} and {other.path} are identical; leave one out, or pass "
                f"the right file"
            )


def files(texts: CheckedTexts) -> dict[str, TextSummary]:
    """Return the outputs that are files of some length."""
    return {n: text for n, text in texts.systems.items() if text.path and text.n_segments >= FEWEST}


def are_same(text: TextSummary, other: TextSummary) -> bool:
    """Tell whether two texts are identical."""
    return text.n_bytes == other.n_bytes and text.digest == other.digest

"""Outputs as the tools that translate write them: fairseq, and n-best lists of Moses and Marian."""

from __future__ import annotations

import re
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING

import mteval_core

if TYPE_CHECKING:
    from collections.abc import Mapping

FAIRSEQ = re.compile(r"([STHD])-([0-9]{1,9})\t(.*)", re.DOTALL)

N_BEST = re.compile(r"([0-9]{1,9}) \|\|\|(.*?)\|\|\|.*", re.DOTALL)


def looks_like_fairseq(path: str) -> bool:
    """Whether one of the first lines is a hypothesis of fairseq."""
    with mteval_core.open_binary(path) as stream:
        return bool(re.search(rb"^H-\d+\t", stream.read(1 << 20), re.MULTILINE))


def read_fairseq(path: str) -> mteval_core.Dataset:
    """Read the output of ``fairseq-generate`` or ``fairseq-interactive``.

    Lines begin with a letter and the number of the segment, in any order: ``S-0`` source, ``T-0``
    target, ``H-0`` score and hypothesis, ``D-0`` score and detokenized hypothesis. Other lines are
    messages. Of several hypotheses the first one counts, which is the best.

    Returns
    -------
    Dataset
        The systems are ``H`` and, if there are such lines, ``D``. The targets are the reference;
        fairseq does not detokenize them.

    Raises
    ------
    mteval_core.InputError
        If a segment lacks a line that others have.
    """
    lines: dict[str, dict[int, str]] = {}
    for line, text in enumerate(mteval_core.read_text(path, plain=False), 1):
        match = FAIRSEQ.fullmatch(str(text))
        if not match:
            continue
        letter, number, rest = match.groups()
        if letter in "HD":
            score, tab, rest = rest.partition("\t")
            if not tab:
                raise mteval_core.InputError(
                    f"{path}:{line}: {score[:40]!r}; expected a score, a tab and a hypothesis"
                )
        lines.setdefault(letter, {}).setdefault(int(number), rest)
    if "H" not in lines:
        raise mteval_core.InputError(f"{path}: no line with a hypothesis, 'H-0' and so on")
    texts = {letter: in_order(segments, f"{path}: {letter}-") for letter, segments in lines.items()}
    test_set = None
    if "T" in texts:
        test_set = mteval_core.TestSet((texts["T"],), source=texts.get("S"))
    systems = {letter: texts[letter] for letter in "HD" if letter in texts}
    return mteval_core.Dataset(test_set=test_set, systems=systems)


def read_n_best(path: str) -> mteval_core.Text:
    """Read the best hypothesis of each segment, ``NUMBER ||| TEXT ||| SCORES ||| SCORE``.

    Raises
    ------
    mteval_core.InputError
        If a line is not of this form, or a segment is missing.
    """
    best = {number: first for number, (first, *_) in n_best_lists(path).items()}
    return in_order(best, f"{path}: ")


def read_n_best_lists(path: str) -> mteval_core.Dataset:
    """Read all hypotheses, place by place: the outputs of one system, the best ones first.

    Raises
    ------
    mteval_core.InputError
        If a line is not of this form, or a segment is missing.
    """
    lists = n_best_lists(path)
    in_order({number: first for number, (first, *_) in lists.items()}, f"{path}: ")
    ordered = [lists[number] for number in sorted(lists)]
    places = zip_longest(*ordered)  # a shorter list has no hypothesis at later places
    texts = [mteval_core.Text.of(list(place)) for place in places]
    return mteval_core.Dataset(systems={Path(path).name.partition(".")[0]: texts})


def n_best_lists(path: str) -> dict[int, list[str]]:
    """Read the hypotheses of each segment, in their order."""
    lists: dict[int, list[str]] = {}
    for line, text in enumerate(mteval_core.read_text(path, plain=False), 1):
        match = N_BEST.fullmatch(str(text))
        if not match:
            raise mteval_core.InputError(
                f"{path}:{line}: {str(text)[:60]!r}; expected 'NUMBER ||| TEXT ||| SCORES'"
            )
        lists.setdefault(int(match[1]), []).append(match[2].strip(" "))
    return lists


def in_order(segments: Mapping[int, str], where: str) -> mteval_core.Text:
    """Make a text of numbered segments; refuse a gap."""
    missing = next((number for number in range(len(segments)) if number not in segments), None)
    if missing is not None:
        raise mteval_core.InputError(
            f"{where}{missing} is missing; the last number is {max(segments)}"
        )
    return mteval_core.Text.of([segments[number] for number in range(len(segments))])

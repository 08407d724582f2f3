"""Files that are read in step: blocks of the same lines, or an error that names the file."""

from __future__ import annotations

import io
import re
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from mteval_core import MtevalWarning, TestSet, read_text
from mteval_core.errors import InputError
from mteval_core.evaluation.sources import LineFiles
from mteval_core.text import files

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from mteval_core import Text


def in_step(
    references: Sequence[str], systems: Sequence[str], source: str | None = None, **more: Any
) -> Iterator[tuple[TestSet, list[Text]]]:
    """Read files block by block: the test set, and the hypotheses of each system."""
    named = {f"s{k}": [path] for k, path in enumerate(systems)}
    for part in LineFiles(references, named, source, **more).parts():
        yield part.test_set, [*part.systems.values()]


@pytest.fixture
def written(tmp_path: Path) -> Callable[..., list[str]]:
    def write(*numbers: int) -> list[str]:
        paths = [tmp_path / f"{k}.txt" for k in range(len(numbers))]
        for k, (each, n) in enumerate(zip(paths, numbers, strict=True)):
            each.write_text("".join(f"text {k} line {i}\n" for i in range(n)), encoding="utf-8")
        return list(map(str, paths))

    return write


@pytest.mark.parametrize("n_lines", [1, 2, 5, 9])
def test_files_are_read_in_step(written: Callable[..., list[str]], n_lines: int) -> None:
    *references, source, one, other = written(5, 5, 5, 5, 5)
    blocks = list(in_step(references, [one, other, one], source, n_lines=n_lines))
    assert [len(test_set) for test_set, _ in blocks] == [
        min(n_lines, 5 - i) for i in range(0, 5, n_lines)
    ]
    for k, reference in enumerate(references):
        lines = [line for test_set, _ in blocks for line in test_set.references[k]]
        assert lines == list(read_text(reference))
    assert [line for test_set, _ in blocks for line in test_set.source or ()] == list(
        read_text(source)
    )
    for k, system in enumerate([one, other, one]):
        assert [line for _, texts in blocks for line in texts[k]] == list(read_text(system))
    assert all(texts[0] is texts[2] for _, texts in blocks)


@pytest.mark.parametrize("n_lines", [1, 2, 4, 9])
@pytest.mark.parametrize(
    "numbers", [(4, 4, 4, 5), (5, 4, 5, 5), (5, 5, 4, 5), (1, 2, 3, 4), (4, 4, 4, 8)]
)
def test_files_of_different_lengths_are_refused_as_whole_ones(
    written: Callable[..., list[str]], numbers: tuple[int, ...], n_lines: int
) -> None:
    first, second, source, system = paths = written(*numbers)

    one, other, origin, output = map(read_text, paths)
    with pytest.raises(InputError) as expected:
        TestSet((one, other), source=origin).check(output, "")
    with pytest.raises(InputError) as refused:
        list(in_step([first, second], [system], source, n_lines=n_lines))
    assert str(refused.value) == str(expected.value)


def test_a_system_can_be_read_without_references(written: Callable[..., list[str]]) -> None:
    (system,) = written(3)
    (test_set, texts), (last, _) = in_step([], [system], n_lines=2)
    assert (len(test_set), len(texts[0]), len(last)) == (2, 2, 1)


def test_a_warning_of_a_file_is_given_once(written: Callable[..., list[str]]) -> None:
    first, second = written(4, 4)
    Path(second).write_text("\n" * 4, encoding="utf-8")
    with pytest.warns(MtevalWarning, match="every line is empty") as caught:
        list(in_step([first], [second, second], n_lines=1))
    assert len(caught) == 1
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        list(in_step([first], [second], n_lines=1, quiet=True))
    assert caught == []


SEGMENTS = st.lists(st.text("aé名 \t", max_size=3), min_size=1, max_size=6)


@settings(max_examples=8)
@given(st.lists(SEGMENTS, min_size=1, max_size=4), st.integers(1, 4), st.integers(1, 9))
@example([["a"]], 1, 1)
@example([["a"], ["b", "c"]], 1, 1)
def test_any_files_in_step_are_the_files_or_an_error(
    contents: list[list[str]], n_lines: int, size: int
) -> None:
    names = [f"f{k}" for k in range(len(contents))]
    data = {
        name: "".join(f"{line}\n" for line in lines).encode()
        for name, lines in zip(names, contents, strict=True)
    }
    *references, system = names
    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        patch.setattr(files, "PIECE", size)
        patch.setattr(files, "open_stream", lambda name: io.BytesIO(data[name]))
        step = in_step(references, [system], n_lines=n_lines)
        if len({*map(len, contents)}) > 1:
            with pytest.raises(InputError) as refused:
                list(step)
            lengths = {str(len(lines)) for lines in contents}
            assert len(lengths & {*re.findall(r"\b\d+\b", str(refused.value))}) > 1
            return
        blocks = list(step)
    assert all(len(texts[0]) == n_lines for _, texts in blocks[:-1])
    assert [line for _, texts in blocks for line in texts[0]] == contents[-1]
    for k, lines in enumerate(contents[:-1]):
        assert [line for test_set, _ in blocks for line in test_set.references[k]] == lines


@pytest.fixture
def texts(tmp_path: Path) -> Callable[..., list[str]]:
    def write(*contents: bytes) -> list[str]:
        paths = [tmp_path / f"{k} é.txt" for k in range(len(contents))]
        for path, content in zip(paths, contents, strict=True):
            path.write_bytes(content)
        return [*map(str, paths)]

    return write


def test_a_path_that_comes_twice_is_read_once(texts: Callable[..., list[str]]) -> None:
    one, other = texts(b"a\nb\nc\n", b"d\ne\nf\n")
    lines = LineFiles([one, other, one], {"A": [other, one]}, one, n_lines=2)
    assert list(dict.fromkeys(lines.paths.values())) == [one, other]
    for part in lines.parts():
        test_set, (first, second) = part.test_set, part.systems.values()
        assert test_set.references[0] is test_set.references[2] is test_set.source is second
        assert test_set.references[1] is first
    assert [len(part.test_set) for part in lines.parts()] == [2, 1]  # again from the beginning


def test_a_fault_in_any_file_names_the_file_and_the_line(texts: Callable[..., list[str]]) -> None:
    good, bad, nothing, spare = texts(b"a\nb\nc\n", b"a\nb\n\xe9\n", b"", b"d\ne\nf\n")
    for references, systems, source in (([bad], [good], None), ([good], [spare, bad], None),
                                        ([good], [spare], bad)):  # fmt: skip
        step = in_step(references, systems, source, n_lines=1)
        with pytest.raises(InputError, match=f"^{bad}:3: byte 1 of the line, 0xE9"):
            list(step)
    with pytest.raises(InputError, match=f"^{nothing}: the file is empty"):
        list(in_step([good], [nothing]))

"""Data sets and files with fields: formats of plugins, addresses, and what may go wrong."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import mteval_core as mt
from mteval_core.data.addresses import Address
from mteval_core.data.reading import Files

if TYPE_CHECKING:
    from collections.abc import Callable

    Make = Callable[..., Any]


def records(path: str) -> list[dict[str, Any]]:
    with mt.open_binary(path) as stream:
        return [json.loads(line) for line in stream]


def column(path: str, field: str) -> list[Any]:
    """Read a key of all records; ``[1]`` is the first element of a list, ``[*]`` are all."""
    key, _, place = field.removesuffix("]").partition("[")
    rows = records(path)
    if key not in rows[0]:
        raise mt.InputError(f"{path}:1: no field {key!r}. Known: {', '.join(sorted(rows[0]))}.")
    found = [row[key] for row in rows]
    if place.isdigit():
        found = [dict(enumerate(each, 1)).get(int(place)) for each in found]
    return [each if isinstance(each, list | None) else str(each) for each in found]


JSON_LINES = mt.ReaderSpec(
    "lines",
    patterns=("*.jsonl",),
    function=column,
    fields=lambda path: list(records(path)[0]),
    help="JSON lines",
)


def text_at(address: str, registry: mt.Registry) -> mt.Text:
    return Files(registry).text(Address.parse(address))


def texts_at(address: str, registry: mt.Registry) -> list[mt.Text]:
    return [column.text for column in Files(registry).columns(Address.parse(address))]


def campaign(path: str) -> mt.Dataset:
    (data,) = records(path)
    test_set = mt.TestSet(
        tuple(map(mt.Text.of, data["refs"].values())),
        documents=tuple(data["docs"]),
        source=mt.Text.of(data["src"]),
        ids=("s1", "s2"),
    )
    return mt.Dataset(
        test_set=test_set,
        systems={
            name: [mt.Text.of(run) for run in runs]
            if isinstance(runs[0], list)
            else mt.Text.of(runs)
            for name, runs in data["systems"].items()
        },
        reference_names=tuple(data["refs"]),
        language="de",
    )


def looks_right(path: str) -> bool:
    with mt.open_binary(path) as stream:
        return stream.read(8) == b'{"refs":'


CAMPAIGN = mt.DatasetSpec(
    "campaign", patterns=("*.camp", "*.jsonl"), function=campaign, sniff=looks_right
)

DATA = {
    "refs": {"refA": ["a b", "c"], "refB": ["a", None]},
    "src": ["x", "y"],
    "docs": ["d1", "d2"],
    "systems": {"A.1": ["a b", "c"], "B": [["a", "c"], ["b", "d"]]},
}


@pytest.fixture
def registry(plugin: Make) -> mt.Registry:
    return mt.load_registry([plugin(readers=[JSON_LINES], datasets=[CAMPAIGN])])


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., str]:
    """Write records as JSON lines, and return the path."""

    def run(*rows: Any, name: str = "x.jsonl") -> str:
        content = "".join(json.dumps(row) + "\n" for row in rows).encode()
        path = tmp_path / name
        path.write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
        return str(path)

    return run


# Addresses


def test_an_address_is_a_path_and_a_field(tmp_path: Path) -> None:
    odd = tmp_path / "a::b"
    odd.write_text("x")
    for address, *parts in [
        ("a.txt", "a.txt", "", "", ""),
        ("::x", "::x", "", "", ""),
        ("a.jsonl::refs[*]", "a.jsonl", "refs[*]", "", ""),
        ("a.jsonl::hyp@id", "a.jsonl", "hyp", "id", ""),
        ("a.jsonl::@id", "a.jsonl", "@id", "", ""),
        ("sacrebleu:wmt20/en-de::ref.x", "sacrebleu:wmt20/en-de", "ref.x", "", ""),
        ("f.jsonl::hyp=h,id=@i::system.A", "f.jsonl", "system.A", "", "hyp=h,id=@i"),
        ("f.jsonl::hyp=h,id=@i", "f.jsonl", "hyp=h,id=@i", "", ""),
        (str(odd), str(odd), "", "", ""),
        (f"{odd}::3", str(odd), "3", "", ""),
        ("\0::x", "\0", "x", "", ""),
    ]:
        assert [*Address.parse(address)] == parts
        assert str(Address.parse(address)) == address


# Files with fields


@pytest.mark.parametrize("name", ["x.jsonl", "x.jsonl.gz"])
def test_a_column_is_a_text(registry: mt.Registry, write: Make, name: str) -> None:
    path = write({"id": 1, "hyp": "a"}, {"id": 2, "hyp": "b\nc"}, name=name)
    text = text_at(f"{path}::hyp", registry)
    assert (list(text), text.path) == (["a", "b\nc"], f"{path}::hyp")
    assert list(text_at(f"{path}::id", registry)) == ["1", "2"]


def test_all_elements_of_a_list_are_several_texts_that_can_be_read_again(
    registry: mt.Registry, write: Make
) -> None:
    path = write({"refs": ["a", "b"]}, {"refs": ["c"]})
    texts = texts_at(f"{path}::refs[*]", registry)
    assert [list(text) for text in texts] == [["a", "c"], ["b", None]]
    assert [text.path for text in texts] == [f"{path}::refs[1]", f"{path}::refs[2]"]
    assert [list(text_at(str(text.path), registry)) for text in texts] == [list(t) for t in texts]
    with pytest.raises(mt.InputError, match=r"2 texts per segment; .*refs\[1\]$"):
        text_at(f"{path}::refs[*]", registry)


def test_a_reader_may_return_texts(plugin: Make, write: Make) -> None:
    path = write({}, name="x.col")
    answers: dict[str, Any] = {
        "one": mt.Text.of(["a"]),
        "several[*]": [mt.Text.of(["a"]), mt.Text.of(["b"])],
        "none[*]": [[], []],
        "wrong": "abc",
        "worse": [b"x"],
    }
    reader = mt.ReaderSpec(
        "col", patterns=("*.col",), function=lambda _, field: answers[field], fields=lambda _: []
    )
    registry = mt.load_registry([plugin(readers=[reader])])
    assert text_at(f"{path}::one", registry).path == f"{path}::one"
    several = texts_at(f"{path}::several[*]", registry)
    assert [text.path for text in several] == [f"{path}::several[1]", f"{path}::several[2]"]
    for field, error, message in [
        ("none[*]", mt.InputError, "every list is empty"),
        ("wrong", mt.PluginError, "returned a string; expected a list"),
        ("worse", mt.InputError, "segment 0, got bytes"),
        ("absent", mt.PluginError, "reader 'col' of mteval-toy 1.0: KeyError: 'absent'"),
    ]:
        with pytest.raises(error, match=message):
            texts_at(f"{path}::{field}", registry)


def test_a_file_with_fields_needs_one(registry: mt.Registry, write: Make) -> None:
    path = write({"id": 1, "hyp": "a"})
    with pytest.raises(mt.InputError) as caught:
        text_at(path, registry)
    assert str(caught.value) == (
        f"{path}: a file with fields; choose one of id, hyp: type {path}::FIELD"
    )


def test_a_file_without_fields_takes_none(registry: mt.Registry, tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    path.write_text("a\n")
    with pytest.raises(mt.InputError, match="which has no field 'h'"):
        text_at(f"{path}::h", registry)
    with pytest.raises(mt.InputError, match=r"absent\.txt: no such file$"):
        text_at(f"{tmp_path}/absent.txt::h", registry)


def test_a_damaged_file_is_an_input_error(registry: mt.Registry, write: Make) -> None:
    path = Path(write({"hyp": "a" * 1000}, name="x.jsonl.gz"))
    data = path.read_bytes()
    for damaged in (data[:20], data[:-9], b"no gzip", data[:12] + b"\xff" * 20):
        path.write_bytes(damaged)
        with pytest.raises(mt.InputError, match=r"x\.jsonl\.gz: "):
            text_at(f"{path}::hyp", registry)
    with pytest.raises(mt.InputError, match=r"gone\.jsonl: no such file"):
        text_at(f"{path.parent}/gone.jsonl::hyp", registry)


# Data sets


def test_every_text_of_a_data_set_can_be_read_again(registry: mt.Registry, write: Make) -> None:
    path = write(DATA, name="x.camp")
    data = mt.read_dataset(path, registry=registry)
    assert (len(data), data.language, data.path) == (2, "de", path)
    assert data.fields == (
        *("source", "docs", "ids", "ref.refA", "ref.refB", "system.A.1", "system.B"),
    )
    assert data.test_set is not None
    assert data.test_set.documents_path == f"{path}::docs"
    for field in (*data.fields, "system.B.2"):
        text = data.text(field)
        assert text.path == f"{path}::{field}"
        assert list(text_at(text.path, registry)) == list(text)
    assert list(data.text("system.B.2")) == ["b", "d"]
    assert list(data.text("ref.refB")) == ["a", None]


def test_the_hash_of_the_source_is_that_of_one_stream(registry: mt.Registry, write: Make) -> None:
    test_set = mt.read_dataset(write(DATA, name="x.camp"), registry=registry).test_set
    assert test_set is not None
    assert test_set.source_hash == mt.TestSet((mt.Text.of(["x", "y"]),)).hash
    assert mt.TestSet((mt.Text.of(["x", "y"]),)).source_hash is None


@pytest.mark.parametrize("field", ["ref.refC", "system.B.3", "system.A.1.2", "ref.refA.1"])
def test_a_text_that_is_not_there_is_an_error_with_near_names(
    registry: mt.Registry, write: Make, field: str
) -> None:
    path = write(DATA, name="x.camp")
    with pytest.raises(mt.InputError, match=r"x\.camp: no text .* Did you mean"):
        text_at(f"{path}::{field}", registry)


def test_the_first_bytes_tell_a_data_set_from_columns(registry: mt.Registry, write: Make) -> None:
    data, plain = write(DATA, name="data.jsonl"), write({"source": "s", "refs": 1}, name="p.jsonl")
    assert list(text_at(f"{data}::source", registry)) == ["x", "y"]
    assert list(text_at(f"{plain}::source", registry)) == ["s"]
    assert registry.dataset(plain) is None
    with pytest.raises(mt.InputError, match=r"a file with fields; .*; or say with --fields hyp="):
        mt.read_dataset(plain, registry=registry)


def test_a_data_set_goes_by_the_name_of_its_format(plugin: Make) -> None:
    seen = []

    def read(rest: str) -> mt.Dataset:
        seen.append(rest)
        return mt.Dataset(test_set=mt.TestSet((mt.Text.of(["a"]),)))

    registry = mt.load_registry([plugin(datasets=[mt.DatasetSpec("cache", function=read)])])
    data = mt.read_dataset("cache:wmt20/en-de", registry=registry)
    assert (seen, data.fields) == (["wmt20/en-de"], ("ref.ref0",))
    assert data.text("ref.ref0").path == "cache:wmt20/en-de::ref.ref0"
    assert list(text_at("cache:x::ref.ref0", registry)) == ["a"]
    with pytest.raises(mt.InputError, match=r"^cash:x: no such file or folder and .*known: cache"):
        mt.read_dataset("cash:x", registry=registry)


def test_texts_keep_the_files_that_they_have(plugin: Make, tmp_path: Path) -> None:
    path = tmp_path / "ref.txt"
    path.write_text("a\n")
    spec = mt.DatasetSpec(
        "folder",
        patterns=("*",),
        function=lambda folder: mt.Dataset(
            test_set=mt.TestSet((mt.read_text(f"{folder}/ref.txt"),))
        ),
        sniff=lambda folder: Path(folder).is_dir(),
    )
    *_, bad = mt.load_registry([plugin(datasets=[replace(spec, sniff=None)])]).plugins
    assert "'folder' claims all files like '*'" in bad.error
    registry = mt.load_registry([plugin(datasets=[spec])])
    data = mt.read_dataset(str(tmp_path), registry=registry)
    assert data.text("ref.ref0").path == str(path)
    assert registry.dataset(str(path)) is None


@pytest.mark.parametrize(
    ("function", "error", "message"),
    [
        (lambda _: ["a"], mt.PluginError, "returned list; expected a Dataset"),
        (lambda _: 1 / 0, mt.PluginError, "data set 'odd' of mteval-toy 1.0: ZeroDivisionError"),
        (lambda _: mt.Dataset(reference_names=("a",)), mt.InputError, "names a for 0 reference"),
        (lambda _: mt.Dataset(systems={"a\nb": mt.Text.of(["x"])}), mt.InputError, "system 'a"),
        (lambda path: gzip.GzipFile(path).read(), mt.InputError, r"x\.odd: Not a gzipped file"),
    ],
)
def test_a_format_that_fails_is_named(
    plugin: Make, write: Make, function: Any, error: Any, message: str
) -> None:
    spec = mt.DatasetSpec("odd", patterns=("*.odd",), function=function)
    registry = mt.load_registry([plugin(datasets=[spec])])
    with pytest.raises(error, match=message):
        mt.read_dataset(write(1, name="x.odd"), registry=registry)


def test_two_formats_of_one_file_are_an_error(plugin: Make, write: Make) -> None:
    points = [plugin(name, datasets=[CAMPAIGN]) for name in "ab"]
    with pytest.raises(mt.PluginError, match="mteval-a/campaign and mteval-b/campaign both read"):
        mt.read_dataset(write(DATA, name="x.camp"), registry=mt.load_registry(points))


def test_a_sniff_that_fails_is_an_error_of_its_plugin(plugin: Make, write: Make) -> None:
    spec = mt.DatasetSpec("odd", patterns=("*.odd",), function=campaign, sniff=lambda _: 1 / 0)
    registry = mt.load_registry([plugin(datasets=[spec])])
    with pytest.raises(mt.PluginError, match=r"dataset 'odd' of .*: ZeroDivisionError"):
        mt.read_dataset(write(1, name="x.odd"), registry=registry)


# Test sets


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"source": mt.Text.of(["x"])}, "1 source segments for 2 segments"),
        ({"ids": ("a",)}, "1 segment ids for 2 segments; expected one each"),
        ({"ids": ("a", "a")}, "segments 0 and 1 share the id 'a'"),
        ({"ids": ("a", "")}, "segment 1 has an empty id"),
        ({"ids": ("a", "b\n")}, "segment id 'b.n': a name cannot contain"),
    ],
)
def test_a_test_set_checks_source_and_ids(more: Any, message: str) -> None:
    with pytest.raises(mt.InputError, match=message):
        mt.TestSet((mt.Text.of(["a", "b"]),), **more)


# Judgments and scores from outside


def test_judgments_of_rows() -> None:
    rows: Any = [("A", "s2", "r", {"x": 1, "y": 2}), ("B", "s1", "", {"y": 3})]
    judgments = mt.Judgments.of(rows, sources=[("f", "0")])
    assert judgments.items == ("s2", "s1")
    assert judgments.raters == ("r", "")
    np.testing.assert_array_equal(judgments.scores, [[1, 2], [np.nan, 3]])
    assert mt.Judgments.of([("A", 0, "", {"x": 1})], level="system").items == ()
    for wrong in ([], [("A", 1, "", {"x": 1}), ("A", "s", "", {"x": 1})]):
        with pytest.raises(mt.InputError, match="expected the numbers or the ids"):
            mt.Judgments.of(wrong)


@pytest.mark.parametrize(
    ("values", "ids", "message"),
    [
        (np.array([1.0, np.nan]), None, "f: A: the score of segment 1 is not a finite number"),
        (np.array([1.0, np.inf]), ("x", "y"), "f: A: the score of 'y' is not a finite number"),
        (float("nan"), None, "f: A: the score is not a finite number"),
        (np.array([1.0]), ("x", "y"), "f: A: 1 scores for 2 ids; expected one each"),
    ],
)
def test_scores_from_outside_are_numbers(values: Any, ids: Any, message: str) -> None:
    with pytest.raises(mt.InputError) as caught:
        mt.OutsideScores(name="COMET", values={"A": values}, ids=ids, path="f")
    assert str(caught.value) == message


@pytest.mark.parametrize("fields", ["hyp=a,ref=b", "hyp=a,ref=b,id=c", "hyp=a,ref=b,system=c"])
def test_columns_without_rows_are_refused(tmp_path: Path, fields: str) -> None:
    path = tmp_path / "x.csv"
    path.write_text("a,b,c\n", "utf-8")
    with pytest.raises(mt.InputError, match=r"x\.csv: no rows; expected at least one segment"):
        mt.read_dataset(str(path), fields=fields)

"""A format that is broken in one way is caught by the check that is there for it."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from mteval_testing import (
    DATASET_KIT,
    FORMAT_KIT,
    READER_KIT,
    Finding,
    check_dataset,
    check_format,
    check_reader,
)

import mteval_core as mt
from mteval_core import FileSample

if TYPE_CHECKING:
    from collections.abc import Callable

COUNTER = itertools.count()


def failed(findings: list[Finding]) -> dict[str, str]:
    return {finding.check: finding.message for finding in findings if not finding.ok}


# Readers: a line is a number, a tab and a segment


def numbered(path: str) -> list[str]:
    segments = []
    for number, line in enumerate(mt.read_text(path, plain=False), 1):
        _, tab, segment = str(line).partition("\t")
        if not tab:
            raise mt.InputError(f"{path}:{number}: expected a number, a tab and a segment")
        segments.append(segment)
    return segments


def sample(content: bytes = b"1\tone\n2\ttwo\n", *segments: str) -> Callable[[], FileSample]:
    return lambda: FileSample({"a.num": content}, {"": segments or ("one", "two")})


SOUND: dict[str, Any] = {"patterns": ("*.num",), "function": numbered, "sample": sample()}


def message_without_path(path: str) -> list[str]:
    try:
        return numbered(path)
    except mt.InputError as error:
        raise mt.InputError(str(error).partition(": ")[2]) from None


def reads_anything(path: str) -> list[str]:
    with open(path, "rb") as stream:  # noqa: PTH123 - not open_binary
        return [line.split(b"\t")[-1].decode("latin-1") for line in stream.read().splitlines()]


def breaks(path: str) -> list[str]:
    return [str(line).split("\t")[1] for line in mt.read_text(path, plain=False)]


def replaces(path: str) -> list[str]:
    with mt.open_binary(path) as stream:
        text = stream.read().decode(errors="replace")
    if not text:
        raise mt.InputError(f"{path}: empty")
    return [line.split("\t")[-1] for line in text.splitlines()]


def counts(path: str) -> list[str]:
    return [*numbered(path), str(next(COUNTER))]


def column(path: str, _: str) -> list[str]:
    return numbered(path)


UNSTEADY = {"reading_again_gives_the_same", "reads_its_sample", "reads_compressed_files"}

READERS = [
    ({}, set()),
    ({"sample": None}, set()),
    ({"sniff": lambda path: "\t" in Path(path).read_text("latin-1")}, set()),
    ({"sniff": lambda _: False}, {"claims_its_files"}),
    ({"sample": sample(b"1\tone\n", "1\tone")}, {"reads_its_sample"}),
    ({"function": reads_anything}, {"reads_compressed_files"}),
    ({"function": message_without_path}, {"refuses_damaged_files"}),
    ({"function": breaks}, {"refuses_damaged_files"}),
    ({"function": replaces}, {"keeps_every_byte"}),
    ({"function": counts}, UNSTEADY),
    ({"function": column, "fields": lambda _: ["x"]}, {"reads_its_sample"}),
]


@pytest.mark.parametrize(("change", "checks"), READERS)
def test_a_reader(plugin: Callable[..., Any], change: dict[str, Any], checks: set[str]) -> None:
    spec = mt.ReaderSpec("num", **{**SOUND, **change})
    registry = mt.load_registry([plugin(readers=[spec])])
    findings = check_reader("num", registry=registry)
    assert failed(findings).keys() == checks
    assert all(finding.claim for finding in findings)


def test_what_a_failing_reader_is_told(plugin: Callable[..., Any]) -> None:
    wrong = {**SOUND, "sample": sample(b"1\tone\n2\ttow\n")}
    registry = mt.load_registry([plugin(readers=[mt.ReaderSpec("num", **wrong)])])
    messages = failed(check_reader("num", registry=registry))
    assert messages["reads_its_sample"] == "segment 1 is 'tow', expected 'two'"
    wrong = {**SOUND, "function": message_without_path, "sample": None}
    registry = mt.load_registry([plugin(readers=[mt.ReaderSpec("num", **wrong)])])
    found = check_reader("num", registry=registry)
    assert failed(found)["refuses_damaged_files"] == (
        "an empty file: the error does not begin with PATH: the file is empty; expected one "
        "segment per line"
    )
    (note,) = [finding.message for finding in found if finding.check == "reads_its_sample"]
    assert note == "nothing was read: declare a sample, a function that returns a FileSample"


def test_two_plugins_that_read_the_same_files(plugin: Callable[..., Any]) -> None:
    spec = mt.ReaderSpec("num", **SOUND)
    registry = mt.load_registry([plugin(readers=[spec]), plugin("other", readers=[spec])])
    messages = failed(check_reader("mteval-toy/num", registry=registry))
    assert messages.keys() == {"claims_its_files"}
    assert "mteval-other/num and mteval-toy/num both read" in messages["claims_its_files"]


# Data sets: JSON with a reference and systems


def campaign(path: str) -> mt.Dataset:
    with mt.open_binary(path) as stream:
        try:
            data = json.loads(stream.read())
            reference, systems = data["ref"], data["systems"]
        except (ValueError, LookupError, TypeError) as error:
            raise mt.InputError(f"{path}:1: expected a campaign, got {error}") from None
    texts = {name: mt.Text.of(text) for name, text in systems.items()}
    return mt.Dataset(test_set=mt.TestSet((mt.Text.of(reference),)), systems=texts)


CONTENT = b'{"ref": ["one"], "systems": {"A": ["eins"]}}'
HOLDS = {"ref.ref0": ["one"], "system.A": ["eins"]}

DATASETS = [
    ({}, set()),
    ({"sample": lambda: FileSample({"a.camp": CONTENT}, {**HOLDS, "system.B": ["x"]})},
     {"reads_its_sample"}),
    ({"sample": lambda: FileSample({"x/a.camp": CONTENT, "x/b": b""}, HOLDS)}, set()),
    ({"sniff": lambda _: False}, {"claims_its_files"}),
    ({"function": lambda _: {}},
     {"keeps_every_byte", "reading_again_gives_the_same", "reads_compressed_files",
      "reads_its_sample", "refuses_damaged_files"}),
]  # fmt: skip


@pytest.mark.parametrize(("change", "checks"), DATASETS)
def test_a_data_set(plugin: Callable[..., Any], change: dict[str, Any], checks: set[str]) -> None:
    sound = {
        "patterns": ("*.camp",),
        "function": campaign,
        "sample": lambda: FileSample({"a.camp": CONTENT}, HOLDS),
    }
    spec = mt.DatasetSpec("campaign", **{**sound, **change})
    registry = mt.load_registry([plugin(datasets=[spec])])
    assert failed(check_dataset("campaign", registry=registry)).keys() == checks


# Output formats


def lines(report: mt.Report, _: mt.Layout) -> str:
    return "".join(f"{record}\n" for record in report.records)


def refuse(*_: Any) -> str:
    raise mt.UsageError("no")


FORMATS = [
    (lines, set()),
    (lambda report, layout: lines(report, layout).encode(), set()),
    (lambda report, layout: lines(report, layout) if report.evaluation else refuse(), set()),
    (lambda _report, _layout: {"a": 1}, {check.__name__ for check in FORMAT_KIT.checks}),
    (lambda _report, _layout: b"",
     {"writes_every_record", "writes_every_report", "writes_what_it_claims"}),
    (lambda report, _: str([*report.records][:1]), {"writes_every_record"}),
    (lambda report, layout: lines(report, layout) + "\ud800", {"writes_every_report"}),
    (lambda report, layout: lines(report, layout) + str(next(COUNTER)), {"writes_the_same_again"}),
    (lambda report, _: report.title,
     {"names_every_system", "writes_every_record", "writes_what_it_claims"}),
    (lambda report, _: str(next(iter(report.records))["value"]),
     {"names_every_system", "writes_every_record", "writes_every_report",
      "writes_the_same_again", "writes_what_it_claims"}),
]  # fmt: skip


@pytest.mark.parametrize(("function", "checks"), FORMATS)
def test_an_output_format(plugin: Callable[..., Any], function: Any, checks: set[str]) -> None:
    spec = mt.FormatSpec("shout", function=function, parts=("record",))
    registry = mt.load_registry([plugin(formats=[spec])])
    assert failed(check_format("shout", registry=registry)).keys() == checks


def test_a_format_that_refuses_every_report_says_why(plugin: Callable[..., Any]) -> None:
    registry = mt.load_registry([plugin(formats=[mt.FormatSpec("never", function=refuse)])])
    with pytest.raises(mt.PluginError, match=r"format 'never' of mteval-toy 1\.0: no$"):
        check_format("never", registry=registry)


def test_a_format_need_not_write_what_it_does_not_claim(plugin: Callable[..., Any]) -> None:
    def captions(report: mt.Report, layout: mt.Layout) -> str:
        tables = report.tables(layout)
        return "".join(str((each.names, each.columns)) for each in tables) or refuse()

    registry = mt.load_registry([plugin(formats=[mt.FormatSpec("tables", function=captions)])])
    assert failed(check_format("tables", registry=registry)) == {}


@pytest.mark.parametrize(
    ("kind", "missing"),
    [
        ("table", "table"),
        ("chart", "chart of Dots"),
        ("picture", "picture"),
        ("passage", "passage"),
        ("record", "record"),
        ("literature", "literature"),
    ],
)
def test_a_claimed_part_is_written(plugin: Callable[..., Any], kind: Any, missing: str) -> None:
    spec = mt.FormatSpec("nothing", function=lambda _, __: "system1", parts=(kind,))
    registry = mt.load_registry([plugin(formats=[spec])])
    messages = failed(check_format("nothing", registry=registry))
    assert messages.pop("writes_what_it_claims") == f"the {missing} is not in the output"
    assert messages.keys() == ({"writes_every_record"} if kind == "record" else set())


def test_every_check_has_a_defect() -> None:
    caught = {check for _, checks in [*READERS, *DATASETS, *FORMATS] for check in checks}
    checks = [*READER_KIT.checks, *DATASET_KIT.checks, *FORMAT_KIT.checks]
    assert caught == {check.__name__ for check in checks}

"""Small formats for the tests of data sets: records, one JSON object per line; and a campaign."""

from __future__ import annotations

import json
from typing import Any

import mteval_core as mt


def records(path: str) -> list[dict[str, Any]]:
    with mt.open_binary(path) as stream:
        return [json.loads(line) for line in stream]


def column(path: str, field: str) -> list[Any]:
    return [row[field] for row in records(path)]


def fields(path: str) -> list[str]:
    return list(records(path)[0])


def campaign(path: str) -> mt.Dataset:
    """Read references, systems and human scores from one object."""
    (data,) = records(path)
    test_set = None
    if data["refs"]:
        references = tuple(map(mt.Text.of, data["refs"].values()))
        test_set = mt.TestSet(references, ids=tuple(data["ids"]) if "ids" in data else None)
    return mt.Dataset(
        test_set=test_set,
        systems={name: mt.Text.of(lines) for name, lines in data["systems"].items()},
        judgments={
            name: mt.Judgments.of([(s, i, "", {name: v}) for s, i, v in rows])
            for name, rows in data["human"].items()
        },
        reference_names=tuple(data["refs"]),
        language=data.get("language", ""),
    )


@mt.hookimpl
def mteval_register_readers() -> mt.ReaderSpec:
    return mt.ReaderSpec("records", patterns=("*.rec",), function=column, fields=fields)


@mt.hookimpl
def mteval_register_datasets() -> mt.DatasetSpec:
    return mt.DatasetSpec("campaign", patterns=("*.camp",), function=campaign)

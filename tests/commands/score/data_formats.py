"""Small formats for the tests of data sets: records, one JSON object per line; and a campaign.

Also a metric that uses the source.
"""

from __future__ import annotations

import json
from typing import Any

import mteval_core as mt


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


def fields(path: str) -> list[str]:
    return list(records(path)[0])


def campaign(path: str) -> mt.Dataset:
    """Read references, systems, human scores and scores of other programs from one object."""
    (data,) = records(path)
    ids = tuple(data["ids"]) if "ids" in data else None
    source = mt.Text.of(data["src"]) if "src" in data else None
    test_set = None
    if data["refs"]:
        test_set = mt.TestSet(
            tuple(map(mt.Text.of, data["refs"].values())),
            documents=tuple(data["docs"]) if "docs" in data else None,
            source=source,
            ids=ids,
        )
    return mt.Dataset(
        test_set=test_set,
        systems={name: mt.Text.of(lines) for name, lines in data["systems"].items()},
        judgments={
            name: mt.Judgments.of([(s, i, "", {name: v}) for s, i, v in rows])
            for name, rows in data.get("human", {}).items()
        },
        scores=tuple(
            mt.OutsideScores(name=name, values=values, path=path, sha256="0" * 64)
            for name, values in data.get("scores", {}).items()
        ),
        reference_names=tuple(data["refs"]),
        language=data.get("language", ""),
    )


class Copied:
    """Percentage of the hypotheses that repeat the source."""

    def segment_statistics(
        self,
        hypothesis: list[str],
        references: list[list[str]],  # noqa: ARG002 - the metric uses none
        source: list[str],
    ) -> list[float]:
        return [hypothesis == source]


@mt.hookimpl
def mteval_register_metrics() -> mt.MetricSpec:
    views = {"words": mt.View(), "source": mt.View(of="source")}
    texts: dict[str, Any] = {"references": "none", "source": "required"}
    return mt.MetricSpec("copied", factory=Copied, values={"share": 100}, views=views, **texts)


@mt.hookimpl
def mteval_register_readers() -> mt.ReaderSpec:
    return mt.ReaderSpec("records", patterns=("*.rec",), function=column, fields=fields)


@mt.hookimpl
def mteval_register_datasets() -> mt.DatasetSpec:
    return mt.DatasetSpec("campaign", patterns=("*.camp",), function=campaign)

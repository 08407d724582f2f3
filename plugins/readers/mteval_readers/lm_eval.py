"""Samples that lm-evaluation-harness logs, ``samples_TASK_DATE.jsonl``.

A record is a document of the task under one filter: ``doc_id``, ``filter``, ``target``, and
``filtered_resps``, whose first item is the output. A target may be a list of references.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import mteval_core
from mteval_readers import json_records

if TYPE_CHECKING:
    from collections.abc import Mapping


def looks_like(path: str) -> bool:
    """Whether the first record has what the harness logs."""
    with mteval_core.open_binary(path) as stream:
        start = stream.read(1 << 20).partition(b"\n")[0]
    return b'"filtered_resps"' in start and b'"target"' in start


def read(path: str) -> mteval_core.Dataset:
    """Read a file.

    Returns
    -------
    Dataset
        The outputs under each filter are a system that is named after it.

    Raises
    ------
    mteval_core.InputError
        If a record is not as described, or the filters do not have the same documents.
    """
    outputs: dict[str, dict[str, str]] = {}
    targets: dict[str, list[str]] = {}
    for line, record in json_records.rows(path):
        where = f"{path}:{line}"
        name, number = str(record.get("filter") or "none"), str(record.get("doc_id"))
        if number in outputs.setdefault(name, {}):
            raise mteval_core.InputError(
                f"{where}: the document {number} occurs twice under the filter {name!r}"
            )
        outputs[name][number] = output(record, where)
        targets[number] = target(record, where)
    for name, texts in outputs.items():
        if texts.keys() != targets.keys():
            number = next(number for number in targets if number not in texts)
            raise mteval_core.InputError(
                f"{path}: the filter {name!r} has no document {number}, which others have"
            )
    width = max(map(len, targets.values()))
    padded = [[*texts, *[None] * (width - len(texts))] for texts in targets.values()]
    return mteval_core.Dataset(
        test_set=mteval_core.TestSet(
            tuple(mteval_core.Text.of(stream) for stream in zip(*padded, strict=True)),
            ids=tuple(targets),
        ),
        systems={
            name: mteval_core.Text.of([texts[number] for number in targets])
            for name, texts in outputs.items()
        },
    )


def output(record: Mapping[str, Any], where: str) -> str:
    """Return the first filtered response."""
    responses = record.get("filtered_resps")
    first = responses[0] if isinstance(responses, list) and responses else responses
    first = first[0] if isinstance(first, list) and first else first
    if not isinstance(first, str):
        raise mteval_core.InputError(
            f"{where}: 'filtered_resps' is {str(responses)[:40]}; expected a generated text"
        )
    return first


def target(record: Mapping[str, Any], where: str) -> list[str]:
    """Return the references."""
    value = record.get("target")
    items = value if isinstance(value, list) else [value]
    texts = [text for text in items if isinstance(text, str)]
    if not texts or len(texts) < len(items):
        raise mteval_core.InputError(
            f"{where}: 'target' is {str(value)[:40]}; expected a text or a list of texts"
        )
    return texts

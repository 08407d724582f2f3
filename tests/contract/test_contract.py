"""The contract kit on everything that is installed."""

from __future__ import annotations

import pytest

from mteval_core import PluginError, default_registry
from mteval_core.testing import check_normalizer, check_tokenizer, parametrize_with_checks

METRICS = [entry.declaration.name for entry in default_registry().of_kind("metrics")]
TOKENIZERS = [entry.declaration.name for entry in default_registry().of_kind("tokenizers")]
NORMALIZERS = [
    (entry.declaration.key, entry.declaration.name)
    for entry in default_registry().of_kind("normalizers")
]


@parametrize_with_checks(METRICS)
def test_metric(spec: str, check) -> None:  # type: ignore[no-untyped-def]
    try:
        check(spec)
    except PluginError as error:  # what it reads is not installed
        pytest.skip(str(error))


@pytest.mark.parametrize("name", TOKENIZERS)
def test_tokenizer(name: str) -> None:
    try:
        findings = check_tokenizer(name)
    except PluginError as error:  # what it reads is not installed
        pytest.skip(str(error))
    assert [finding for finding in findings if not finding.ok] == []


@pytest.mark.parametrize(("key", "name"), NORMALIZERS)
def test_normalizer(key: str, name: str) -> None:
    try:
        findings = check_normalizer(key, name)
    except PluginError as error:  # what it reads is not installed
        pytest.skip(str(error))
    assert [finding for finding in findings if not finding.ok] == []

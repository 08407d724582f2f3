"""The contract kit: checks with which every plugin can test itself.

.. code-block:: python

    from mteval_testing import parametrize_with_checks

    @parametrize_with_checks(["p1", "p1:case=lc"])
    def test_contract(spec, check):
        check(spec)

`check_metric` runs the same checks without pytest and returns their findings. The other kinds have
functions, too, such as `check_tokenizer` and `check_reader`. Names are imported when they are first
used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mteval_testing.check_checks import CHECK_KIT, check_text_check
    from mteval_testing.checks import METRIC_KIT, check_metric, parametrize_with_checks
    from mteval_testing.command_checks import COMMAND_KIT, Finished, check_command, run_command
    from mteval_testing.corpora import CORPUS, EDGE_CASES
    from mteval_testing.engine_checks import ENGINE_KIT, check_engine
    from mteval_testing.file_checks import DATASET_KIT, READER_KIT, check_dataset, check_reader
    from mteval_testing.findings import Finding
    from mteval_testing.format_checks import FORMAT_KIT, check_format
    from mteval_testing.kit import Kit
    from mteval_testing.kits import kit_of
    from mteval_testing.resampler_checks import RESAMPLER_KIT, check_resampler
    from mteval_testing.text_checks import (
        NORMALIZER_KIT,
        TOKENIZER_KIT,
        check_normalizer,
        check_tokenizer,
    )

_HOME = {
    "CHECK_KIT": "check_checks",
    "COMMAND_KIT": "command_checks",
    "CORPUS": "corpora",
    "DATASET_KIT": "file_checks",
    "EDGE_CASES": "corpora",
    "ENGINE_KIT": "engine_checks",
    "FORMAT_KIT": "format_checks",
    "METRIC_KIT": "checks",
    "NORMALIZER_KIT": "text_checks",
    "READER_KIT": "file_checks",
    "RESAMPLER_KIT": "resampler_checks",
    "TOKENIZER_KIT": "text_checks",
    "Finding": "findings",
    "Finished": "command_checks",
    "Kit": "kit",
    "check_command": "command_checks",
    "check_dataset": "file_checks",
    "check_engine": "engine_checks",
    "check_format": "format_checks",
    "check_metric": "checks",
    "check_normalizer": "text_checks",
    "check_reader": "file_checks",
    "check_resampler": "resampler_checks",
    "check_text_check": "check_checks",
    "check_tokenizer": "text_checks",
    "kit_of": "kits",
    "parametrize_with_checks": "checks",
    "run_command": "command_checks",
}

__all__ = [
    "CHECK_KIT",
    "COMMAND_KIT",
    "CORPUS",
    "DATASET_KIT",
    "EDGE_CASES",
    "ENGINE_KIT",
    "FORMAT_KIT",
    "METRIC_KIT",
    "NORMALIZER_KIT",
    "READER_KIT",
    "RESAMPLER_KIT",
    "TOKENIZER_KIT",
    "Finding",
    "Finished",
    "Kit",
    "check_command",
    "check_dataset",
    "check_engine",
    "check_format",
    "check_metric",
    "check_normalizer",
    "check_reader",
    "check_resampler",
    "check_text_check",
    "check_tokenizer",
    "kit_of",
    "parametrize_with_checks",
    "run_command",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)

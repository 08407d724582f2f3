"""mteval: a plugin framework for evaluating machine translation.

.. code-block:: python

    import mteval_core as mt

    bleu = mt.metric("bleu:smooth=exp")
    bleu.corpus_score(hypotheses, [references])         # one list per reference stream
    mt.evaluate({"A": hypotheses}, [references], ["bleu", "nist"])

Names are imported when they are first used, so that this import costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from mteval_core._version import API as API
from mteval_core._version import __version__ as __version__

if TYPE_CHECKING:
    from mteval_core.commands.main import main
    from mteval_core.data.dataset import Dataset
    from mteval_core.data.judgments import Judgments
    from mteval_core.data.outside import OutsideScores
    from mteval_core.data.reading import read_dataset
    from mteval_core.data.samples import CommandSample, FileSample, Sample
    from mteval_core.errors import (
        InputError,
        MtevalError,
        MtevalWarning,
        OptionError,
        PluginError,
        SegmentError,
        UnknownNameError,
        UsageError,
        warn,
    )
    from mteval_core.evaluation.checks import CheckedTexts
    from mteval_core.evaluation.evaluate import evaluate
    from mteval_core.evaluation.evaluation import Evaluation
    from mteval_core.explain.explaining import explanations
    from mteval_core.explain.explanation import Edit, Explanation, Link, Term
    from mteval_core.explain.matching import clipped_links, ngram_places
    from mteval_core.metrics.bars import progress
    from mteval_core.metrics.contract import Metric, Score
    from mteval_core.metrics.resolve import metric
    from mteval_core.metrics.scorer import Scorer
    from mteval_core.metrics.state import State
    from mteval_core.names import check_name
    from mteval_core.plugin.declarations import (
        CheckSpec,
        CommandSpec,
        DatasetSpec,
        Declaration,
        EngineSpec,
        FormatSpec,
        MetricSpec,
        NormalizerSpec,
        ReaderSpec,
        ResamplerSpec,
        TokenizerSpec,
        View,
    )
    from mteval_core.plugin.hookspecs import hookimpl
    from mteval_core.plugin.loading import default_registry, load_registry
    from mteval_core.plugin.options import Option
    from mteval_core.plugin.registry import Entry, Registry
    from mteval_core.report.comparisons import clusters
    from mteval_core.report.layout import Layout
    from mteval_core.report.report import Report
    from mteval_core.signature import Signature
    from mteval_core.spec import Spec
    from mteval_core.text.digest import TextDigest
    from mteval_core.text.file_types import RefusedFile
    from mteval_core.text.files import Cleaner, open_binary, read_text
    from mteval_core.text.summary import TextSummary
    from mteval_core.text.text import TestSet, Text
    from mteval_core.text.tokens import References, TextCorpus, TokenizedCorpus, Tokens

_NAMES = {
    "commands.main": "main",
    "data.dataset": "Dataset",
    "data.judgments": "Judgments",
    "data.outside": "OutsideScores",
    "data.reading": "read_dataset",
    "data.samples": "CommandSample FileSample Sample",
    "errors": "InputError MtevalError MtevalWarning OptionError "
    "PluginError SegmentError UnknownNameError UsageError warn",
    "evaluation.checks": "CheckedTexts",
    "evaluation.evaluate": "evaluate",
    "evaluation.evaluation": "Evaluation",
    "explain.explaining": "explanations",
    "explain.explanation": "Edit Explanation Link Term",
    "explain.matching": "clipped_links ngram_places",
    "metrics.bars": "progress",
    "metrics.contract": "Metric Score",
    "metrics.resolve": "metric",
    "metrics.scorer": "Scorer",
    "metrics.state": "State",
    "names": "check_name",
    "plugin.declarations": "CheckSpec CommandSpec DatasetSpec Declaration EngineSpec FormatSpec "
    "MetricSpec NormalizerSpec ReaderSpec ResamplerSpec TokenizerSpec View",
    "plugin.hookspecs": "hookimpl",
    "plugin.loading": "default_registry load_registry",
    "plugin.options": "Option",
    "plugin.registry": "Entry Registry",
    "report.comparisons": "clusters",
    "report.layout": "Layout",
    "report.report": "Report",
    "signature": "Signature",
    "spec": "Spec",
    "text.digest": "TextDigest",
    "text.file_types": "RefusedFile",
    "text.files": "Cleaner open_binary read_text",
    "text.summary": "TextSummary",
    "text.text": "TestSet Text",
    "text.tokens": "References TextCorpus TokenizedCorpus Tokens",
}
"""The public names by their modules."""

_HOME = {name: module for module, names in _NAMES.items() for name in names.split()}

__all__ = [
    "CheckSpec",
    "CheckedTexts",
    "Cleaner",
    "CommandSample",
    "CommandSpec",
    "Dataset",
    "DatasetSpec",
    "Declaration",
    "Edit",
    "EngineSpec",
    "Entry",
    "Evaluation",
    "Explanation",
    "FileSample",
    "FormatSpec",
    "InputError",
    "Judgments",
    "Layout",
    "Link",
    "Metric",
    "MetricSpec",
    "MtevalError",
    "MtevalWarning",
    "NormalizerSpec",
    "Option",
    "OptionError",
    "OutsideScores",
    "PluginError",
    "ReaderSpec",
    "References",
    "RefusedFile",
    "Registry",
    "Report",
    "ResamplerSpec",
    "Sample",
    "Score",
    "Scorer",
    "SegmentError",
    "Signature",
    "Spec",
    "State",
    "Term",
    "TestSet",
    "Text",
    "TextCorpus",
    "TextDigest",
    "TextSummary",
    "TokenizedCorpus",
    "TokenizerSpec",
    "Tokens",
    "UnknownNameError",
    "UsageError",
    "View",
    "check_name",
    "clipped_links",
    "clusters",
    "default_registry",
    "evaluate",
    "explanations",
    "hookimpl",
    "load_registry",
    "main",
    "metric",
    "ngram_places",
    "open_binary",
    "progress",
    "read_dataset",
    "read_text",
    "warn",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        message = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(message)
    value = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*__all__, "API", "__version__"]

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
    from mteval_core.data.dataset import Dataset
    from mteval_core.data.fields import Field
    from mteval_core.data.judgment_files import read_judgments
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
    from mteval_core.plugin.registry import Registry
    from mteval_core.report.layout import Layout
    from mteval_core.report.report import Report
    from mteval_core.signature import Signature
    from mteval_core.spec import Spec
    from mteval_core.text.digest import TextDigest
    from mteval_core.text.files import open_binary, read_text
    from mteval_core.text.summary import TextSummary
    from mteval_core.text.text import TestSet, Text
    from mteval_core.text.tokens import References, TextCorpus, TokenizedCorpus, Tokens

_HOME = {
    "CheckSpec": "plugin.declarations",
    "CheckedTexts": "evaluation.checks",
    "CommandSample": "data.samples",
    "CommandSpec": "plugin.declarations",
    "Dataset": "data.dataset",
    "DatasetSpec": "plugin.declarations",
    "Declaration": "plugin.declarations",
    "Edit": "explain.explanation",
    "EngineSpec": "plugin.declarations",
    "Evaluation": "evaluation.evaluation",
    "Explanation": "explain.explanation",
    "Field": "data.fields",
    "FileSample": "data.samples",
    "FormatSpec": "plugin.declarations",
    "InputError": "errors",
    "Judgments": "data.judgments",
    "Layout": "report.layout",
    "Link": "explain.explanation",
    "Metric": "metrics.contract",
    "MetricSpec": "plugin.declarations",
    "MtevalError": "errors",
    "MtevalWarning": "errors",
    "NormalizerSpec": "plugin.declarations",
    "Option": "plugin.options",
    "OptionError": "errors",
    "OutsideScores": "data.outside",
    "PluginError": "errors",
    "ReaderSpec": "plugin.declarations",
    "References": "text.tokens",
    "Registry": "plugin.registry",
    "Report": "report.report",
    "ResamplerSpec": "plugin.declarations",
    "Sample": "data.samples",
    "Score": "metrics.contract",
    "Scorer": "metrics.scorer",
    "SegmentError": "errors",
    "Signature": "signature",
    "Spec": "spec",
    "State": "metrics.state",
    "Term": "explain.explanation",
    "TestSet": "text.text",
    "Text": "text.text",
    "TextCorpus": "text.tokens",
    "TextDigest": "text.digest",
    "TextSummary": "text.summary",
    "TokenizedCorpus": "text.tokens",
    "TokenizerSpec": "plugin.declarations",
    "Tokens": "text.tokens",
    "UnknownNameError": "errors",
    "UsageError": "errors",
    "View": "plugin.declarations",
    "check_name": "names",
    "clipped_links": "explain.matching",
    "default_registry": "plugin.loading",
    "evaluate": "evaluation.evaluate",
    "explanations": "explain.explaining",
    "hookimpl": "plugin.hookspecs",
    "load_registry": "plugin.loading",
    "metric": "metrics.resolve",
    "ngram_places": "explain.matching",
    "open_binary": "text.files",
    "progress": "metrics.bars",
    "read_dataset": "data.reading",
    "read_judgments": "data.judgment_files",
    "read_text": "text.files",
    "warn": "errors",
}

__all__ = [
    "CheckSpec",
    "CheckedTexts",
    "CommandSample",
    "CommandSpec",
    "Dataset",
    "DatasetSpec",
    "Declaration",
    "Edit",
    "EngineSpec",
    "Evaluation",
    "Explanation",
    "Field",
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
    "default_registry",
    "evaluate",
    "explanations",
    "hookimpl",
    "load_registry",
    "metric",
    "ngram_places",
    "open_binary",
    "progress",
    "read_dataset",
    "read_judgments",
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

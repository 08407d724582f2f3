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
from typing import Any

from mteval_core._version import API as API
from mteval_core._version import __version__ as __version__

_NAMES = {
    "commands.arguments": "Arguments Options",
    "commands.main": "main",
    "commands.session": "Session",
    "data.addresses": "Address",
    "data.dataset": "Dataset",
    "data.judgments": "Judgments",
    "data.outside": "OutsideScores",
    "data.reading": "Files read_dataset",
    "data.samples": "CommandSample FileSample Sample",
    "errors": "InputError MtevalError MtevalWarning OptionError PluginError SegmentError "
    "UnknownNameError UsageError",
    "evaluation.checks": "CheckedTexts",
    "evaluation.counting": "Kept",
    "evaluation.evaluate": "evaluate to_evaluation",
    "evaluation.evaluation": "Evaluation",
    "evaluation.intervals": "Estimate Interval",
    "evaluation.p_values": "correct_p_values",
    "evaluation.partial": "Counted Document Partial",
    "evaluation.resampling": "bootstrap",
    "evaluation.sources": "InMemory LineFiles Part Source",
    "evaluation.subsets": "Subset",
    "explain.explanation": "Edit Explanation Link Mark Term explanations",
    "metrics.bars": "progress",
    "metrics.contract": "Score",
    "metrics.exact": "ExactSum WeightedSum",
    "metrics.resolve": "metric",
    "metrics.scorer": "Scorer",
    "metrics.several": "scorers_of",
    "metrics.state": "State",
    "metrics.sums": "totals_under",
    "metrics.threads": "in_threads",
    "metrics.titles": "names_by_spec",
    "names": "check_name",
    "plugin.declarations": "CheckSpec CommandSpec DatasetSpec Declaration EngineSpec FormatSpec "
    "MetricSpec NormalizerSpec ReaderSpec ResamplerSpec TokenizerSpec View",
    "plugin.hookspecs": "hookimpl",
    "plugin.loading": "default_registry load_registry",
    "plugin.options": "Option",
    "plugin.registry": "Entry Registry",
    "report.comparisons": "letter_groups",
    "report.layout": "Layout",
    "report.scores": "write_report",
    "report.report": "Report",
    "signature": "Signature",
    "spec": "Spec",
    "text.digest": "TextDigest",
    "text.files": "Cleaner open_binary read_text",
    "text.summary": "TextSummary",
    "text.text": "TestSet Text",
    "text.tokens": "References TextCorpus TokenizedCorpus Tokens",
}
"""The public names by their modules."""

_HOME = {name: module for module, names in _NAMES.items() for name in names.split()}

__all__ = sorted(_HOME)  # pyright: ignore[reportUnsupportedDunderAll]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    return value


def __dir__() -> list[str]:
    return [*__all__, "API", "__version__"]

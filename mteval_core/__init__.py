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

__version__ = "0.1.0"

if TYPE_CHECKING:
    from mteval_core.contract import Metric, Score, ratio
    from mteval_core.declarations import (
        FormatSpec,
        MetricSpec,
        NormalizerSpec,
        Option,
        ReaderSpec,
        ResamplerSpec,
        TokenizerSpec,
        View,
    )
    from mteval_core.errors import (
        InputError,
        MtevalError,
        OptionError,
        PluginError,
        UnknownNameError,
        UsageError,
    )
    from mteval_core.evaluation import Evaluation
    from mteval_core.plugin.markers import hookimpl
    from mteval_core.plugin.registry import Registry, default_registry, load_registry
    from mteval_core.scorer import Scorer, metric
    from mteval_core.scoring import evaluate
    from mteval_core.signature import Signature
    from mteval_core.spec import Spec
    from mteval_core.text.corpus import Corpus, Text
    from mteval_core.text.files import read_text
    from mteval_core.text.tokens import References, TokenizedCorpus, Tokens

_HOME = {
    "Corpus": "text.corpus",
    "Evaluation": "evaluation",
    "FormatSpec": "declarations",
    "InputError": "errors",
    "Metric": "contract",
    "MetricSpec": "declarations",
    "MtevalError": "errors",
    "NormalizerSpec": "declarations",
    "Option": "declarations",
    "OptionError": "errors",
    "PluginError": "errors",
    "ReaderSpec": "declarations",
    "References": "text.tokens",
    "Registry": "plugin.registry",
    "ResamplerSpec": "declarations",
    "Score": "contract",
    "Scorer": "scorer",
    "Signature": "signature",
    "Spec": "spec",
    "Text": "text.corpus",
    "TokenizedCorpus": "text.tokens",
    "TokenizerSpec": "declarations",
    "Tokens": "text.tokens",
    "UnknownNameError": "errors",
    "UsageError": "errors",
    "View": "declarations",
    "default_registry": "plugin.registry",
    "evaluate": "scoring",
    "hookimpl": "plugin.markers",
    "load_registry": "plugin.registry",
    "metric": "scorer",
    "ratio": "contract",
    "read_text": "text.files",
}

__all__ = [
    "Corpus",
    "Evaluation",
    "FormatSpec",
    "InputError",
    "Metric",
    "MetricSpec",
    "MtevalError",
    "NormalizerSpec",
    "Option",
    "OptionError",
    "PluginError",
    "ReaderSpec",
    "References",
    "Registry",
    "ResamplerSpec",
    "Score",
    "Scorer",
    "Signature",
    "Spec",
    "Text",
    "TokenizedCorpus",
    "TokenizerSpec",
    "Tokens",
    "UnknownNameError",
    "UsageError",
    "View",
    "default_registry",
    "evaluate",
    "hookimpl",
    "load_registry",
    "metric",
    "ratio",
    "read_text",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        message = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(message)
    value = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*__all__, "__version__"]

'''The hooks. Each is called once, when the registry is built, and returns declarations.

A plugin is an importable module named by an entry point in the group ``mteval``. It implements
any of these functions, marked with `mteval_core.hookimpl`. Importing it should import neither
numpy nor the code behind the declarations: a declaration points there by ``"module:attribute"``.

A complete plugin::

    """Hypothesis length in percent of the first reference's."""

    import mteval_core

    @mteval_core.hookimpl
    def mteval_register_metrics():
        return [
            mteval_core.MetricSpec(
                "length-ratio",
                factory="mteval_length.metric:LengthRatio",
                help="Hypothesis length over reference length.",
                values={"ratio": 100},
            )
        ]
'''

from __future__ import annotations

from typing import TYPE_CHECKING

from mteval_core.plugin.markers import hookspec

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mteval_core.plugin.declarations import (
        FormatSpec,
        MetricSpec,
        NormalizerSpec,
        ReaderSpec,
        ResamplerSpec,
        TokenizerSpec,
    )


@hookspec
def mteval_register_tokenizers() -> Sequence[TokenizerSpec]:
    """Declare tokenizers, functions from the text of a segment to a list of tokens.

    Called once, when the registry is built; all results are kept. Returns a list of
    `TokenizerSpec`. Any metric can then be asked for with ``tok=NAME``.

    Example::

        @mteval_core.hookimpl
        def mteval_register_tokenizers():
            return [mteval_core.TokenizerSpec("commas", function=lambda text: text.split(","))]
    """
    return ()


@hookspec
def mteval_register_normalizers() -> Sequence[NormalizerSpec]:
    """Declare normalizers of text (before tokenization) or of tokens (after it).

    Called once, when the registry is built; all results are kept. Returns a list of
    `NormalizerSpec`, each with the signature key under which it is chosen (``case``, ``stem``, or
    one of its own) and its name, the value of that key. A key of its own becomes an option of
    every metric, with the default ``none``; it stands in a signature where it is used.

    Example::

        @mteval_core.hookimpl
        def mteval_register_normalizers():
            return [mteval_core.NormalizerSpec("nfc", key="unicode", stage="text",
                                               function="mteval_unicode.forms:nfc")]
    """
    return ()


@hookspec
def mteval_register_metrics() -> Sequence[MetricSpec]:
    """Declare metrics: rows of additive statistics and a formula.

    Called once, when the registry is built; all results are kept. Returns a list of
    `MetricSpec`. The class that a declaration names is imported when the metric is used; what it
    offers is described by `mteval_core.Metric`.

    Example::

        @mteval_core.hookimpl
        def mteval_register_metrics():
            return [mteval_core.MetricSpec("p1", factory="mteval_p1.metric:UnigramPrecision",
                                           help="Clipped unigram precision.", values={"P": 100})]
    """
    return ()


@hookspec
def mteval_register_resamplers() -> Sequence[ResamplerSpec]:
    """Declare resamplers, functions from a number of segments to weights.

    Called once, when the registry is built; all results are kept. Returns a list of
    `ResamplerSpec`.

    Example::

        @mteval_core.hookimpl
        def mteval_register_resamplers():
            return [mteval_core.ResamplerSpec("halves", function="mteval_halves.draw:halves")]
    """
    return ()


@hookspec
def mteval_register_readers() -> Sequence[ReaderSpec]:
    """Declare input formats, functions from a path to a list of segments.

    Called once, when the registry is built; all results are kept. Returns a list of
    `ReaderSpec`. A file goes to the reader with a pattern that its name matches (without ``.gz``
    or ``.xz``); the host's reader of plain text takes all others.
    `mteval_core.open_binary` opens compressed files and standard input alike.

    Example::

        @mteval_core.hookimpl
        def mteval_register_readers():
            return [mteval_core.ReaderSpec("tmx", patterns=("*.tmx",),
                                           function="mteval_tmx.read:segments")]
    """
    return ()


@hookspec
def mteval_register_formats() -> Sequence[FormatSpec]:
    """Declare output formats, functions from a report to a string or bytes.

    Called once, when the registry is built; all results are kept. Returns a list of
    `FormatSpec`. The name is what ``-f`` of ``mteval score`` and ``mteval correlate`` takes.

    Example::

        @mteval_core.hookimpl
        def mteval_register_formats():
            return [mteval_core.FormatSpec("yaml", function="mteval_yaml.write:records")]
    """
    return ()

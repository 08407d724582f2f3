'''The hooks. Each is called once, when the registry is built, and returns declarations.

A plugin is a module that an entry point in the group ``mteval`` names. It implements any of these
functions, marked with `mteval_core.hookimpl`. The module should import neither numpy nor the code
behind its declarations, which name that code as ``"module:attribute"``.

A complete plugin::

    """Length of the hypothesis as a percentage of the length of the reference."""

    import mteval_core

    @mteval_core.hookimpl
    def mteval_register_metrics():
        return [
            mteval_core.MetricSpec(
                "length-ratio",
                factory="mteval_length.metric:LengthRatio",
                help="length of the hypothesis over length of the reference",
                values={"ratio": 100},
            )
        ]
'''

from __future__ import annotations

from typing import TYPE_CHECKING

import pluggy

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mteval_core.plugin import declarations

PROJECT = "mteval"
"""Name of the pluggy project and of the group of entry points."""

hookspec = pluggy.HookspecMarker(PROJECT)
"""Decorator that marks a function as the specification of a hook."""

hookimpl = pluggy.HookimplMarker(PROJECT)
"""Decorator that marks a function of a plugin as the implementation of a hook."""


@hookspec
def mteval_register_tokenizers() -> Sequence[declarations.TokenizerSpec]:
    """Declare tokenizers: functions that split the text of a segment into tokens.

    Called once, when the registry is built. Returns a list of `TokenizerSpec`. Users choose the
    tokenizer of any metric with ``tok=NAME``.

    Example::

        @mteval_core.hookimpl
        def mteval_register_tokenizers():
            return [mteval_core.TokenizerSpec("commas", function=lambda text: text.split(","))]
    """
    return ()


@hookspec
def mteval_register_normalizers() -> Sequence[declarations.NormalizerSpec]:
    """Declare normalizers of texts (before tokenization) or of tokens (after it).

    Called once, when the registry is built. Returns a list of `NormalizerSpec`. Users choose a
    normalizer of any metric with ``KEY=NAME``, or ``KEY=NAME[VALUE]`` if it has an option, and
    several, one after the other, with ``KEY=NAME+NAME``; the key is ``case``, ``stem``, or a new
    one. A new key becomes an option of every metric, with the
    default ``none``. The signature has it where it is used.

    Example::

        @mteval_core.hookimpl
        def mteval_register_normalizers():
            return [
                mteval_core.NormalizerSpec(
                    "nfc",
                    key="unicode",
                    stage="text",
                    function="mteval_unicode.forms:nfc",
                )
            ]
    """
    return ()


@hookspec
def mteval_register_metrics() -> Sequence[declarations.MetricSpec]:
    """Declare metrics: rows of statistics, and a formula over their sum or over all of them.

    Called once, when the registry is built. Returns a list of `MetricSpec`. The class that a
    declaration names computes the rows and the formula, see below. It is imported when the metric
    is first used.

    Example::

        @mteval_core.hookimpl
        def mteval_register_metrics():
            return [
                mteval_core.MetricSpec(
                    "p1",
                    factory="mteval_p1.metric:UnigramPrecision",
                    help="clipped unigram precision",
                    values={"P": 100},
                )
            ]
    """
    return ()


@hookspec
def mteval_register_resamplers() -> Sequence[declarations.ResamplerSpec]:
    """Declare resamplers: functions that draw weights for the segments.

    Called once, when the registry is built. Returns a list of `ResamplerSpec`. Users choose one
    with ``mteval score --resampler NAME``.

    Example::

        @mteval_core.hookimpl
        def mteval_register_resamplers():
            return [mteval_core.ResamplerSpec("halves", function="mteval_halves.draw:halves")]
    """
    return ()


@hookspec
def mteval_register_engines() -> Sequence[declarations.EngineSpec]:
    """Declare engines: functions that call others with parts of a test set, on many machines.

    Called once, when the registry is built. Returns a list of `EngineSpec`. Users choose one with
    ``mteval score --engine NAME``.

    Example::

        @mteval_core.hookimpl
        def mteval_register_engines():
            return [mteval_core.EngineSpec("dask", function="mteval_dask.engine:run")]
    """
    return ()


@hookspec
def mteval_register_readers() -> Sequence[declarations.ReaderSpec]:
    """Declare input formats: functions that read the segments of a file.

    Called once, when the registry is built. Returns a list of `ReaderSpec`. The host chooses the
    reader by the name of the file, without ``.gz``, ``.xz`` or ``.zst``, and by what ``sniff`` says
    of its first bytes; its own reader of plain text reads all files that no other reader claims.
    Readers open files with `mteval_core.open_binary`, which also decompresses them and accepts
    ``-`` for standard input. Users choose a column of a file with fields as ``PATH::FIELD``; what
    FIELD may be, the reader decides.

    Example::

        @mteval_core.hookimpl
        def mteval_register_readers():
            return [
                mteval_core.ReaderSpec(
                    "tmx",
                    patterns=("*.tmx",),
                    function="mteval_tmx.read:segments",
                    help="Translation Memory eXchange",
                )
            ]
    """
    return ()


@hookspec
def mteval_register_datasets() -> Sequence[declarations.DatasetSpec]:
    """Declare input formats for data sets: functions that read references, systems and more.

    Called once, when the registry is built. Returns a list of `DatasetSpec`. Users choose one with
    ``--data PATH``, by the name of the file or folder and by what ``sniff`` says of it, or with
    ``--data NAME:REST``. The function returns a `mteval_core.Dataset`. The host names its texts, so
    that ``PATH::ref.NAME`` and ``PATH::system.NAME`` read them again.

    Example::

        @mteval_core.hookimpl
        def mteval_register_datasets():
            return [
                mteval_core.DatasetSpec(
                    "campaign",
                    patterns=("*.campaign",),
                    function="mteval_campaign.read:data_set",
                    sniff="mteval_campaign.read:looks_right",
                    help="references, systems and ratings of a campaign",
                )
            ]
    """
    return ()


@hookspec
def mteval_register_formats() -> Sequence[declarations.FormatSpec]:
    """Declare output formats: functions that write a report as text or bytes.

    Called once, when the registry is built. Returns a list of `FormatSpec`. Users choose one with
    ``-f NAME``, or by the ending of the file of ``-o``, in every command that writes a report. A
    format declares the kinds of parts that it writes, and gets no others.

    Example::

        @mteval_core.hookimpl
        def mteval_register_formats():
            return [
                mteval_core.FormatSpec(
                    "yaml",
                    function="mteval_yaml.write:records",
                    parts=("record",),
                    endings=("yaml", "yml"),
                )
            ]
    """
    return ()


@hookspec
def mteval_register_commands() -> Sequence[declarations.CommandSpec]:
    """Declare commands of the command line.

    Called once, when the registry is built. Returns a list of `CommandSpec`. Users type
    ``mteval NAME``. The two functions that a declaration names are imported when the command runs,
    or when its own help is printed; the list of all commands needs neither.

    Example::

        @mteval_core.hookimpl
        def mteval_register_commands():
            return [
                mteval_core.CommandSpec(
                    "leaderboard",
                    arguments="mteval_leaderboard.command:add_arguments",
                    run="mteval_leaderboard.command:run",
                    group="compare systems",
                    help="rank systems by their mean rank over metrics",
                )
            ]
    """
    return ()


@hookspec
def mteval_register_checks() -> Sequence[declarations.CheckSpec]:
    """Declare checks of texts: functions that find what is probably wrong with them.

    Called once, when the registry is built. Returns a list of `CheckSpec`. All checks run on the
    texts of every evaluation. What a check finds is a warning that ends in its name,
    ``[cut-off]``; it changes no score.

    Example::

        @mteval_core.hookimpl
        def mteval_register_checks():
            return [
                mteval_core.CheckSpec(
                    "cut-off",
                    function="mteval_lengths.checks:cut_off",
                    help="the longest outputs of a system all have the same length",
                )
            ]
    """
    return ()

"""What a plugin declares: small records that its hooks return.

Importing this module imports neither numpy nor any metric, so a hook module stays thin. Whatever
needs code is named as ``"module:attribute"`` and imported when it is first used.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Literal

from mteval_core.plugin.options import Option

__all__ = [
    "Declaration",
    "FormatSpec",
    "MetricSpec",
    "NormalizerSpec",
    "ReaderSpec",
    "ResamplerSpec",
    "TokenizerSpec",
    "View",
    "load",
]

Options = Mapping[str, Any]
"""Values of a metric's options by key."""


def load(target: Callable[..., Any] | str) -> Callable[..., Any]:
    """Return what a declaration points to, importing ``"module:attribute"`` if need be."""
    if callable(target):
        return target
    module, _, attribute = target.partition(":")
    loaded: Callable[..., Any] = getattr(import_module(module), attribute)
    return loaded


@dataclass(frozen=True)
class View:
    """One way of looking at the texts, as a pipeline from text to tokens.

    Parameters
    ----------
    tok, case, stem : str or None
        The tokenizer and the normalizers. None means: what the metric's option of that name says.
    sent : {"none", "tab"}
        ``tab``: the sentences of a segment are separated by tabs and tokenized one by one; the
        tokens know where they begin (`Tokens.breaks`). ``none``: a tab is white space like other.
    normalizers : tuple of NormalizerSpec
        Text normalizers of the view's own, applied after the chosen ones: for what an option
        with a number asks for. Their functions must be comparable and hashable.
    """

    tok: str | None = None
    case: str | None = None
    stem: str | None = None
    sent: Literal["none", "tab"] = "none"
    normalizers: tuple[NormalizerSpec, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Declaration:
    """What every declaration has.

    Each kind of declaration is a subclass; `mteval_core.plugin.kinds` lists them.

    Parameters
    ----------
    name : str
        Name on the command line, in specs and in signatures. The only positional argument.
    help : str
        One line for ``mteval list``.
    exceptions : mapping of str to str
        Checks of the contract kit (`mteval_core.testing`) that it does not pass, each with the
        reason.
    """

    name: str = field(kw_only=False)
    help: str = ""
    exceptions: Mapping[str, str] = field(default_factory=dict, repr=False, hash=False)

    @property
    def names(self) -> tuple[str, ...]:
        """All names that find the declaration, the preferred one first."""
        return (self.name,)

    @property
    def signature_key(self) -> str | None:
        """The signature key whose value the name is; None if the name stands alone."""
        return None

    @property
    def keys(self) -> tuple[str, ...]:
        """The signature keys that the declaration defines."""
        return ()

    @property
    def shown(self) -> str:
        """The declaration as users write it: ``13a``, or ``case=lc`` with a signature key."""
        return f"{self.signature_key}={self.name}" if self.signature_key else self.name

    def details(self) -> dict[str, object]:
        """What ``mteval list --json`` prints besides name, help and origin."""
        return {}


@dataclass(frozen=True, kw_only=True)
class MetricSpec(Declaration):
    """A metric, as its plugin declares it.

    Parameters
    ----------
    name : str
        Name in specs, in lower case.
    factory : callable or str
        Class of the metric, ``"module:Class"``, called with the options as keywords. See
        `mteval_core.Metric` for what it must offer.
    help : str
        One line for ``mteval list``.
    values : mapping of str to float, or callable
        What the formula gives, in order, each with the factor that turns the formula's fraction
        into what people read: 100 for ratios, 1 for lengths and penalties. A callable gets the
        options.
    main : str or None
        The value that is *the* score; the first unless given.
    options : tuple of Option
        In the order of the signature.
    views : mapping of str to View, or callable
        The pipelines whose tokens the metric sees; ``statistics`` gets one keyword for each. A
        callable gets the options.
    better : {"higher", "lower"}
        Which direction is better.
    label : str or None
        Name in tables and signatures; the name unless given.
    in_default_set : bool
        Whether the metric is computed when none is asked for.
    bounds : tuple of float
        Lowest and highest score there can be, in the scale in which people read it.
    variants : mapping
        For a metric with an option ``variant``: other defaults by its value,
        ``{"1.5.5": {"tok": "rouge"}}``.
    parse_foreign : callable or None
        ``parse_foreign(name, fields)`` reads another program's signature: it returns the spec as
        a string, or None if the signature is not of this metric.
    """

    factory: Callable[..., Any] | str
    values: Mapping[str, float] | Callable[[Options], Mapping[str, float]]
    main: str | None = None
    options: tuple[Option, ...] = ()
    views: Mapping[str, View] | Callable[[Options], Mapping[str, View]] = field(
        default_factory=lambda: {"words": View()}
    )
    better: Literal["higher", "lower"] = "higher"
    label: str | None = None
    in_default_set: bool = False
    bounds: tuple[float, float] = (0.0, float("inf"))
    variants: Mapping[str, Options] = field(default_factory=dict)
    parse_foreign: Callable[[str, Mapping[str, tuple[str, ...]]], str | None] | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """Name and label: a signature, which has the label, finds the metric again."""
        return tuple(filter(None, (self.name, self.label)))

    @property
    def keys(self) -> tuple[str, ...]:
        """Keys of the options."""
        return tuple(option.key for option in self.options)

    def details(self) -> dict[str, object]:
        """Direction, membership in the default set, and options."""
        return {
            "better": self.better,
            "default_set": self.in_default_set,
            "options": [option.details() for option in self.options],
        }


@dataclass(frozen=True, kw_only=True)
class TokenizerSpec(Declaration):
    """A tokenizer.

    Parameters
    ----------
    name : str
        Name in specs and signatures.
    function : callable or str
        ``function(text) -> list of str``, or ``"module:function"``.
    help : str
        One line for ``mteval list``.
    batch : callable or str or None
        The same for a whole text: ``batch(buffer, starts, ends, vocabulary) -> (ids, offsets)``,
        as `mteval_core.kernels.scan_13a`.
    """

    function: Callable[[str], list[str]] | str
    batch: Callable[..., Any] | str | None = None


@dataclass(frozen=True, kw_only=True)
class NormalizerSpec(Declaration):
    """A normalizer of texts before, or of tokens after, tokenization.

    Parameters
    ----------
    name : str
        The value of the signature key (``lc``).
    key : str
        The signature key (``case``).
    stage : {"text", "token"}
        Whether it gets the text of a segment, or one token.
    function : callable or str or None
        ``function(str) -> str``, or ``"module:function"``. A token normalizer is applied once to
        every type of the vocabulary.
    help : str
        One line for ``mteval list``.
    batch : callable or str or None
        Instead of a function, ``list of str -> list of str``, one for one.
    across_lines : bool
        Of a text normalizer: whether it gives the same when it is applied to several lines that
        are joined by line feeds.
    """

    key: str
    stage: Literal["text", "token"]
    function: Callable[[str], str] | str | None = None
    batch: Callable[[list[str]], list[str]] | str | None = None
    across_lines: bool = False

    @property
    def signature_key(self) -> str:
        """The signature key, such as ``case``."""
        return self.key

    @property
    def keys(self) -> tuple[str, ...]:
        """The signature key alone."""
        return (self.key,)

    def details(self) -> dict[str, object]:
        """Signature key and stage."""
        return {"key": self.key, "stage": self.stage}


@dataclass(frozen=True, kw_only=True)
class ReaderSpec(Declaration):
    """An input format.

    Parameters
    ----------
    name : str
        Name of the format.
    patterns : tuple of str
        File names that it reads, as shell patterns, without the ending ``.gz`` or ``.xz``.
    function : callable or str
        ``function(path) -> list of str``, one per segment.
    help : str
        One line for ``mteval list``.
    """

    patterns: tuple[str, ...]
    function: Callable[[str], list[str]] | str


@dataclass(frozen=True, kw_only=True)
class FormatSpec(Declaration):
    """An output format.

    Parameters
    ----------
    name : str
        Name of the format.
    function : callable or str
        ``function(report, layout)`` returns a str, or bytes for a binary format. It gets an
        `mteval_core.Report`, the same for all commands, and an `mteval_core.Layout`.
    help : str
        One line for ``mteval list``.
    commands : tuple of {"score", "correlate"}
        The commands whose reports the format can write.
    """

    function: Callable[..., str | bytes] | str
    commands: tuple[Literal["score", "correlate"], ...] = ("score", "correlate")


@dataclass(frozen=True, kw_only=True)
class ResamplerSpec(Declaration):
    """A way of drawing segments.

    Parameters
    ----------
    name : str
        Name of the resampler.
    function : callable or str
        ``function(n, count, seed)`` yields chunks of weights, float64 arrays of shape (chunk, n)
        that have ``count`` rows in all.
    help : str
        One line for ``mteval list``.
    """

    function: Callable[..., Any] | str

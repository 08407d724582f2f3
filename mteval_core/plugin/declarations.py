"""Declarations: the small records that the hooks of a plugin return.

A declaration names code as ``"module:attribute"``, which is imported when it is first used. So
neither this module nor the hooks of a plugin import numpy or a metric.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, field
from types import MappingProxyType
from typing import Any, Literal

from mteval_core.frozen import Frozen
from mteval_core.plugin.options import Option
from mteval_core.plugin.options import load as load

OptionValues = Mapping[str, Any]
"""Values of a metric's options by key."""


PartKind = Literal["table", "chart", "picture", "passage", "record", "row", "score", "literature"]
"""What there is in a report: its parts, the numbers, those of scores, and the papers to cite."""

ColumnType = Literal["text", "number", "numbers", "json"]
"""What the values of a column are."""


def neutral(key: str) -> str:
    """Return the value of a signature key that stands for no normalizer: for case, mixed."""
    return "mixed" if key == "case" else "none"


class View(Frozen):
    """A view: the texts as one pipeline turns them into tokens, or into strings.

    Parameters
    ----------
    of : {"texts", "source"} or str
        What the metric gets for the view: hypotheses and references (a `TokenizedCorpus`), the
        source (`Tokens`); for ``"document"``, as for texts, the segments around each segment in its
        document, without itself, joined by tabs; or for ``"column:NAME"`` the values of this
        column, a list with one for each segment: that of the system, or else of the test set.
    raw : bool
        Whether the pipeline ends before the tokenizer. The metric then gets a `TextCorpus`, strings
        whose white space is that of the files, with the source if the metric declares it.
    tok, case, stem : str or None
        Names of the tokenizer and the normalizers; None stands for the value of the metric's
        option of the same name.
    sent : {"none", "tab"}
        With ``tab``, tabs separate the sentences of a segment. Each sentence is tokenized on its
        own, and `Tokens.breaks` holds their starts. With ``none``, a tab is ordinary white space.
    normalizers : tuple of NormalizerSpec
        Additional text normalizers, applied after the chosen ones, for normalization that depends
        on the metric's options. Their functions must be comparable and hashable.
    before, after : int
        With ``of="document"``, how many segments there are before the segment and after it; at the
        ends of the document, there are fewer.
    type : {"text", "number", "numbers", "json"}
        The values of a column: str, float, list of float, or any value of JSON. Only with
        ``json``, a value may be missing; it is None.
    """

    tok: str | None = None
    case: str | None = None
    stem: str | None = None
    sent: Literal["none", "tab"] = "none"
    normalizers: tuple[NormalizerSpec, ...] = ()
    _: KW_ONLY
    of: str = "texts"
    before: int = 0
    after: int = 0
    raw: bool = False
    type: ColumnType = "text"

    @property
    def column(self) -> str:
        """Name of the column; empty for texts."""
        return self.of.partition(":")[2]

    def chosen(self, key: str) -> str | None:
        """Return the tokenizer or normalizer of a signature key, if the view itself chooses it."""
        return {"tok": self.tok, "case": self.case, "stem": self.stem}.get(key)


class Declaration(Frozen, kw_only=True, eq=False):
    """Base of all declarations.

    Parameters
    ----------
    name : str
        Name on the command line, in specs and in signatures; the only positional argument.
    help : str
        One line for ``mteval list``.
    exceptions : mapping of str to str
        Checks of the contract kit that are expected to fail, each with the reason.
    """

    name: str = field(kw_only=False)
    help: str = ""
    exceptions: Mapping[str, str] = field(default_factory=dict, repr=False, hash=False)
    origin = ""
    """From which plugin it is, as messages say it: set when it is registered."""

    @property
    def names(self) -> tuple[str, ...]:
        """All names under which the declaration can be found, the preferred one first."""
        return tuple(filter(None, (self.name, getattr(self, "label", None))))

    @property
    def signature_key(self) -> str | None:
        """The signature key under which the name is chosen, such as ``case``; None without one."""
        return None

    @property
    def keys(self) -> tuple[str, ...]:
        """The signature keys that the declaration defines."""
        return ()

    @property
    def shown(self) -> str:
        """The name as users write it, such as ``13a``, ``spm[MODEL]`` or ``case=lc``."""
        name = f"{self.signature_key}={self.name}" if self.signature_key else self.name
        option: Option | None = getattr(self, "option", None)
        return f"{name}[{option.key.upper()}]" if option else name

    def details(self) -> dict[str, object]:
        """Return what ``mteval list --json`` prints in addition to name, help and origin."""
        option: Option | None = getattr(self, "option", None)
        return {"option": option.details()} if option else {}


class MetricSpec(Declaration, kw_only=True, eq=False):
    """A metric.

    Parameters
    ----------
    factory : callable or str
        Class of the metric, or ``"module:Class"``. It is called with the options as keywords and
        returns an object that computes rows and a formula.
    values : mapping of str to float, or callable
        Names of the values that the formula returns, in order, each with the factor that scales
        the formula's fraction for display: 100 for ratios, 1 for lengths and penalties. A callable
        gets the options and returns the mapping.
    main : str or None
        Name of the value that is the score (default: the first).
    options : tuple of Option
        The options, in the order of the signature.
    references, source : {"required", "optional", "none"}
        Whether the metric uses the references and the source. Texts that it does not use are left
        out of what it gets, and of the signature.
    views : mapping of str to View, or callable
        The views; ``statistics`` gets one keyword for each (default: one view, ``words``). A
        callable gets the options and returns the mapping.
    better : {"higher", "lower"}
        Which direction is better.
    label : str or None
        Name in tables and signatures (default: the name).
    title : callable or None
        ``title(options)`` returns the name in tables, as papers print it, such as chrF++ (default:
        the label).
    literature : str or callable or None
        The papers that describe the metric: a BibTeX file beside the module with the hooks, such
        as ``"chrf.bib"``, or some of its entries, ``"chrf.bib:KEY,KEY"``. It is read when papers
        are asked for. A callable gets the options and returns such a string.
    in_default_set : bool
        Whether the metric is computed if the user names none.
    bounds : tuple of float
        Lowest and highest possible score, scaled for display.
    counts : bool
        Whether no number of a row is below 0, as of counts. Partial results with smaller sums are
        then refused.
    equation : str
        The formula in plain text and in the symbols of the paper, for ``mteval list NAME``. Its
        lines have at most 66 characters.
    variants : mapping
        For a metric with an option ``variant``: the defaults of other options by its value, such
        as ``{"1.5.5": {"tok": "rouge"}}``.
    parse_foreign : callable or None
        ``parse_foreign(name, fields)`` reads the signature of another program. It returns a spec
        as a string, or None if the signature belongs to another metric.
    sample : callable or str or None
        ``sample()`` returns a `mteval_core.Sample` that the contract kit uses in place of its
        ordinary text, with the source and the files that the metric needs; or
        ``"module:function"``.
    pooled : bool
        Whether the metric is called once, on one thread, with the distinct segments of all systems:
        for metrics whose cost is a model's. All views must be raw.
    may_miss : bool
        Whether the metric may return a row of NaN for a segment that it cannot score, such as one
        that a judge did not answer. The score is then over the other segments, and the metric has
        one more value, ``coverage``, and the option ``missing``.
    unit : {"segment", "document"}
        What the metric sees as one text. Of a document, it sees the segments joined by tabs, and
        returns one row. A view with ``sent="tab"`` has the places where they begin.
    compares : bool
        Whether the metric compares the outputs of two systems. It has ``pair_statistics(a, b)`` in
        place of ``statistics``, and a command for it computes the scores of all pairs.
    resample : {"with-replacement", "without-replacement", "none"}
        How intervals are drawn. A score of the whole set that changes if a segment comes twice,
        such as a type-token ratio, has them from subsamples without replacement, or none at all.
        Such a metric has ``score_rows``.
    may_cut : bool
        Whether its model may cut long texts. Each row then ends with one more number, how many
        texts of the segment it has cut. They are counted in a warning and in the signature.
    tolerance : float
        Difference up to which two scores of the same texts are taken as equal, relative to the
        larger one, or absolute if both are below 1. 0 stands for equal up to rounding.
    libraries : tuple of str
        Distributions whose installed versions are in the signature because they decide about the
        scores, such as ``("torch",)``.
    aliases : mapping of str to str or tuple of str
        Other names that people type, each with the spec of this metric that it stands for, such as
        ``{"chrf++": "chrf:nw=2"}``. A name that may mean several specs has a tuple of them: it is
        refused with the specs to choose from.
    figures : tuple of str
        Figures that describe what systems do: specs of this metric, such as
        ``("repetition:order=2",)``. A value that is called ``references`` is the figure of the
        references themselves.
    """

    factory: Callable[..., Any] | str
    values: Mapping[str, float] | Callable[[OptionValues], Mapping[str, float]]
    main: str | None = None
    options: tuple[Option, ...] = ()
    references: Literal["required", "optional", "none"] = "required"
    source: Literal["required", "optional", "none"] = "none"
    views: Mapping[str, View] | Callable[[OptionValues], Mapping[str, View]] = field(
        default_factory=lambda: {"words": View()}
    )
    better: Literal["higher", "lower"] = "higher"
    label: str | None = None
    title: Callable[[OptionValues], str] | None = None
    literature: str | Callable[[OptionValues], str] | None = None
    in_default_set: bool = False
    bounds: tuple[float, float] = (0.0, float("inf"))
    counts: bool = False
    equation: str = ""
    variants: Mapping[str, OptionValues] = field(default_factory=dict)
    parse_foreign: Callable[[str, Mapping[str, tuple[str, ...]]], str | None] | None = None
    sample: Callable[[], Any] | str | None = None
    pooled: bool = False
    may_miss: bool = False
    unit: Literal["segment", "document"] = "segment"
    compares: bool = False
    resample: Literal["with-replacement", "without-replacement", "none"] = "with-replacement"
    may_cut: bool = False
    tolerance: float = 0.0
    libraries: tuple[str, ...] = ()
    aliases: Mapping[str, str | tuple[str, ...]] = field(default_factory=dict)
    figures: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """Name, label and aliases. The label finds the metric of a signature."""
        return (*super().names, *self.aliases)

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of the options."""
        return tuple(option.key for option in self.options)

    def details(self) -> dict[str, object]:
        """Return the direction, the texts, the default set, the tolerance and the options."""
        return {
            "better": self.better,
            "references": self.references,
            "source": self.source,
            "default_set": self.in_default_set,
            "tolerance": self.tolerance,
            "libraries": [*self.libraries],
            "aliases": {
                name: meant if isinstance(meant, str) else " or ".join(meant)
                for name, meant in self.aliases.items()
            },
            "options": [option.details() for option in self.options],
        }


class TokenizerSpec(Declaration, kw_only=True):
    """A tokenizer.

    Parameters
    ----------
    function : callable or str
        ``function(text)`` returns the tokens of a segment, a list of str; or
        ``"module:function"``.
    batch : callable or str or None
        The same for a whole text: ``batch(buffer, starts, ends, vocabulary)`` returns ids and
        offsets, as `mteval_kernels.scan_13a` does.
    label : str or None
        Name in signatures (default: the name), such as ``ja-mecab-0.996-IPA``.
    option : Option or None
        The option whose value users write in brackets, ``spm[FILE]``. ``function(value)`` then
        returns the function of a text, and ``batch(value)`` that of a batch; each is called once
        for each value.
    languages : tuple of str
        Codes of the languages for which ``--lang`` chooses the tokenizer. A plugin's tokenizer
        takes precedence over the host's.
    sample : callable or str or None
        ``sample()`` returns a `mteval_core.Sample` whose hypotheses the contract kit tokenizes,
        too, with the value of the option; or ``"module:function"``.
    """

    function: Callable[..., Any] | str
    batch: Callable[..., Any] | str | None = None
    label: str | None = None
    option: Option | None = None
    languages: tuple[str, ...] = ()
    sample: Callable[[], Any] | str | None = None

    def __str__(self) -> str:
        return f"tokenizer {self.name!r}{self.origin}"

    def details(self) -> dict[str, object]:
        """Return the languages, and the option in brackets if there is one."""
        return {"languages": [*self.languages], **super().details()}


class NormalizerSpec(Declaration, kw_only=True):
    """A normalizer of texts (before tokenization) or of tokens (after it).

    Parameters
    ----------
    name : str
        The value of the signature key, such as ``lc``.
    key : str
        The signature key, such as ``case``.
    stage : {"text", "token"}
        Whether it normalizes the texts of segments, or tokens.
    function : callable or str or None
        ``function(string)`` returns a str; or ``"module:function"``. A token normalizer is called
        once for each type of the vocabulary.
    batch : callable or str or None
        Replaces ``function``: ``batch(strings)`` returns a list with one str for each.
    option : Option or None
        The option whose value users write in brackets, ``num=mask[#]``; as for tokenizers.
    sample : callable or str or None
        A `mteval_core.Sample`, as for tokenizers.
    lines : callable or str or None
        The same function for many lines at once, where speed matters: ``lines(data)`` takes and
        returns bytes in UTF-8. It leaves the byte ``0xFF`` unchanged, which is a missing segment.
    """

    key: str
    stage: Literal["text", "token"]
    function: Callable[..., Any] | str | None = None
    batch: Callable[..., Any] | str | None = None
    option: Option | None = None
    sample: Callable[[], Any] | str | None = None
    lines: Callable[..., Any] | str | None = None

    def __str__(self) -> str:
        return f"normalizer {self.shown}{self.origin}"

    @property
    def signature_key(self) -> str:
        """The signature key, such as ``case``."""
        return self.key

    @property
    def keys(self) -> tuple[str, ...]:
        """The one signature key."""
        return (self.key,)

    def details(self) -> dict[str, object]:
        """Return the signature key, the stage, and the option in brackets if there is one."""
        return {"key": self.key, "stage": self.stage, **super().details()}


class ReaderSpec(Declaration, kw_only=True, eq=False):
    """An input format for texts.

    Parameters
    ----------
    patterns : tuple of str
        Shell patterns of the file names that it reads, without the ending ``.gz``, ``.xz`` or
        ``.zst``.
    function : callable or str
        ``function(path)`` returns the segments: a list of str and None for missing ones, or a
        `mteval_core.Text`. If the declaration has ``fields``, ``function(path, field)`` returns one
        column. An item of it may be a list, for a field with several texts per segment. The
        function raises a `mteval_core.InputError` that begins with ``PATH:LINE:`` for a file that
        it cannot read. Or ``"module:function"``.
    fields : callable or str or None
        For files with columns: ``fields(path)`` returns their names, for messages.
    values : callable or str or None
        For columns that hold more than texts: ``values(path, field)`` yields a pair for each
        segment, the place for messages, such as ``PATH:LINE``, and the value: None, or a string,
        number, list or mapping, as in JSON. Without it, all values are strings.
    sniff : callable or str or None
        ``sniff(path)`` tells from the first bytes whether a file that matches a pattern has the
        format (default: it has).
    sample : callable or str or None
        ``sample()`` returns a `mteval_core.FileSample` on which the contract kit checks the format;
        or ``"module:function"``.
    """

    patterns: tuple[str, ...]
    function: Callable[..., Any] | str
    fields: Callable[[str], list[str]] | str | None = None
    values: Callable[[str, str], Iterable[tuple[str, Any]]] | str | None = None
    sniff: Callable[[str], bool] | str | None = None
    sample: Callable[[], Any] | str | None = None


class DatasetSpec(Declaration, kw_only=True, eq=False):
    """An input format for data sets, which hold more than one text.

    Parameters
    ----------
    name : str
        Also the beginning of what is not the path of a file: ``--data NAME:REST``.
    patterns : tuple of str
        Shell patterns of the names of its files or folders, without the ending ``.gz``, ``.xz`` or
        ``.zst``. Without one, the format reads only ``NAME:REST``.
    function : callable or str
        ``function(path)`` returns a `mteval_core.Dataset`; for ``NAME:REST``, the path is ``REST``.
        It raises a `mteval_core.InputError` that begins with ``PATH:LINE:`` for what it cannot
        read. Or ``"module:function"``.
    sniff : callable or str or None
        ``sniff(path)`` tells from the first bytes of a file, or from what is in a folder, whether
        it has the format (default: it has, if a pattern matches).
    parts : callable or str or None
        For a folder or file of several data sets, such as language pairs: ``parts(path)`` lists the
        paths that ``function`` reads.
    scores : callable or str or None
        For files of ``--scores`` with any name: ``scores(path, registry, better)`` returns a list
        of `mteval_core.OutsideScores`. The user may say which direction is better, ``"higher"`` or
        ``"lower"``, otherwise it is ``""``. Without ``sniff``, the format reads what no other does.
    sample : callable or str or None
        ``sample()`` returns a `mteval_core.FileSample` on which the contract kit checks the format;
        or ``"module:function"``.
    """

    patterns: tuple[str, ...] = ()
    function: Callable[..., Any] | str
    sniff: Callable[[str], bool] | str | None = None
    parts: Callable[[str], Sequence[str]] | str | None = None
    scores: Callable[[str, Any, str], Sequence[Any]] | str | None = None
    sample: Callable[[], Any] | str | None = None


class FormatSpec(Declaration, kw_only=True, eq=False):
    """An output format.

    Parameters
    ----------
    function : callable or str
        ``function(report, layout)`` returns a str, or bytes for a binary format, or an iterator of
        these, which are written one by one. It gets an
        `mteval_core.Report`, the same for all commands, and an `mteval_core.Layout`. Or
        ``"module:function"``.
    parts : tuple of PartKind
        What it writes of a report: ``"table"``, ``"chart"``, ``"picture"``, ``"passage"``,
        ``"literature"``, ``"record"``, also as ``"row"`` of one flat table (`Report.rows`), or
        ``"score"``, records of reports on scores only. The function gets only parts of these
        kinds; flags that change nothing of these kinds are refused.
    endings : tuple of str
        Endings of the files that it writes, in lower case, without the dot. ``-o FILE`` with one
        of them chooses the format.
    segments : bool
        Whether the format shows the scores of segments. The evaluation then has the rows.
    terminal : bool
        Whether people read the format on a terminal. The layout then has the width of the terminal
        and its colours, and long tables are summarized.
    """

    function: Callable[..., str | bytes | Iterator[str | bytes]] | str
    parts: tuple[PartKind, ...] = ("table",)
    endings: tuple[str, ...] = ()
    segments: bool = False
    terminal: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """The name, and the endings that ``-f`` takes for it, such as ``md``."""
        return (self.name, *(ending for ending in self.endings if ending not in ("", self.name)))

    def details(self) -> dict[str, object]:
        """Return the parts and the endings."""
        return {"parts": [*self.parts], "endings": [*self.endings]}


class ResamplerSpec(Declaration, kw_only=True, eq=False):
    """A resampler: a way to draw resamples of the segments.

    Parameters
    ----------
    function : callable or str
        ``function(n, count, seed)`` yields chunks of weights for n segments, arrays of float64 or
        uint8 of shape (chunk, n) with ``count`` rows in all; or ``"module:function"``. It may
        refuse fewer than 64 segments with a `UsageError`.
    """

    function: Callable[..., Any] | str


class EngineSpec(Declaration, kw_only=True, eq=False):
    """An engine: a way to call a function with many parts of a test set, on many machines.

    Parameters
    ----------
    function : callable or str
        ``function(call, parts)`` returns the results of ``call(part)`` for every part, one each, in
        any order; or ``"module:function"``. The call, the parts and the results can be pickled. A
        call may be repeated, for example if a machine is lost.
    source : callable or str or None
        ``source(data, function, level=..., id=..., hyp=..., ref=..., ...)`` returns a
        `mteval_core.Source` of the files of ``--data``, whose parts the function counts;
        or ``"module:function"``. An engine without one reads with that of another engine.
    """

    function: Callable[[Callable[[Any], Any], Sequence[Any]], Iterable[Any]] | str
    source: Callable[..., Any] | str | None = None


class CommandSpec(Declaration, kw_only=True, eq=False):
    """A command of the command line.

    Parameters
    ----------
    name : str
        What users type after ``mteval``: letters, digits and hyphens.
    arguments : callable or str
        ``function(arguments)`` declares the arguments of the command. It gets a
        `mteval_core.Arguments`. Or ``"module:function"``.
    run : callable or str
        ``function(session)`` runs the command. It gets a `mteval_core.Session` and returns
        the exit code, an int; None stands for 0. Or ``"module:function"``.
    group : str
        The purpose in a few words: the heading under which ``mteval --help`` lists the command.
    show : callable or str or None
        ``show(result, form)`` writes what the command computes in a format that it names, or
        returns None if the format is not installed; or ``"module:function"``. Results use it to
        show themselves in Python and in notebooks.
    compares : bool
        Whether it computes the scores of metrics that compare systems. Other commands name it.
    sample : callable or str or None
        ``sample()`` returns a `mteval_core.CommandSample`, files and words with which the
        contract kit runs the command; or ``"module:function"``.
    """

    arguments: Callable[..., None] | str
    run: Callable[..., int | None] | str
    group: str = ""
    show: Callable[[Any, str], str | None] | str | None = None
    compares: bool = False
    sample: Callable[[], Any] | str | None = None

    def details(self) -> dict[str, object]:
        """Return the group."""
        return {"group": self.group}


class CheckSpec(Declaration, kw_only=True, eq=False):
    """A check of texts: something that is probably wrong with them.

    Parameters
    ----------
    name : str
        The code of its warnings: letters, digits and hyphens.
    function : callable or str
        ``function(texts)`` gets a `mteval_core.CheckedTexts` and returns what it found: a list of
        messages, one line each, that name the system and say what to do. Every message becomes a
        warning. Or ``"module:function"``.
    source : bool
        Whether it looks at the source. ``--source`` then has an effect, whatever the metrics.
    sample : callable or str or None
        ``sample()`` returns a `mteval_core.Sample` in whose texts the check finds something; or
        ``"module:function"``.
    """

    function: Callable[[Any], Iterable[str]] | str
    source: bool = False
    sample: Callable[[], Any] | str | None = None


# Kinds


class Kind(Frozen):
    """One kind of declaration. No other list names the kinds than the table of these.

    Parameters
    ----------
    plural, singular : str
        Its names, such as that of ``mteval list PLURAL``.
    declaration : type of Declaration
        The class that its hook returns.
    summary : str
        What a declaration of this kind adds, with its article.
    """

    plural: str
    singular: str
    declaration: type[Declaration]
    summary: str

    @property
    def hook(self) -> str:
        """Name of the hook that registers declarations of this kind."""
        return f"mteval_register_{self.plural}"


_TABLE = (
    Kind("metrics", "metric", MetricSpec, "a metric"),
    Kind("tokenizers", "tokenizer", TokenizerSpec, "a tokenizer"),
    Kind("normalizers", "normalizer", NormalizerSpec, "a normalizer"),
    Kind("formats", "format", FormatSpec, "an output format"),
    Kind("readers", "reader", ReaderSpec, "an input format for texts"),
    Kind("datasets", "dataset", DatasetSpec, "an input format for data sets"),
    Kind("resamplers", "resampler", ResamplerSpec, "a way to draw resamples"),
    Kind("engines", "engine", EngineSpec, "a way to use many machines"),
    Kind("commands", "command", CommandSpec, "a command"),
    Kind("checks", "check", CheckSpec, "a check of texts"),
)

KINDS: Mapping[str, Kind] = MappingProxyType({kind.plural: kind for kind in _TABLE})
"""All kinds by their plural, in the order in which they are listed."""


def kind_of(declaration: type[Declaration]) -> Kind:
    """Return the kind of a class of declarations.

    Raises
    ------
    TypeError
        If no kind has this class or a base of it.
    """
    for kind in KINDS.values():
        if isinstance(declaration, type) and issubclass(declaration, kind.declaration):
            return kind
    known = ", ".join(kind.declaration.__name__ for kind in KINDS.values())
    raise TypeError(
        f"{declaration!r} is not a kind of declaration; expected one of these classes: {known}"
    )

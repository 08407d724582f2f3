"""Session: one run of a command, its inputs and its output."""

from __future__ import annotations

import sys
from dataclasses import replace
from functools import cached_property
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from mteval_core.commands.files import check_output, write_file, write_output
from mteval_core.commands.requests import ScoreRequest
from mteval_core.commands.terminal import is_terminal, show, shows_colours, terminal_size
from mteval_core.data.addresses import exists
from mteval_core.errors import UnknownNameError, UsageError, near
from mteval_core.frozen import Frozen
from mteval_core.plugin.declarations import CommandSpec, MetricSpec

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from mteval_core.commands.arguments import Declared, Options
    from mteval_core.commands.configuration import ConfiguredCommands
    from mteval_core.data.dataset import Dataset
    from mteval_core.data.reading import Files
    from mteval_core.evaluation.evaluation import Evaluation
    from mteval_core.evaluation.scores import Level
    from mteval_core.evaluation.sources import LineFiles
    from mteval_core.metrics.scorer import Scorer
    from mteval_core.plugin.declarations import FormatSpec
    from mteval_core.plugin.registry import Entry, Registry
    from mteval_core.report import Layout, Report


class Output(Frozen):
    """Where a report goes, and how.

    Parameters
    ----------
    path : str or None
        The file; None for standard output.
    form : Entry or None
        The format; None for text as it is.
    parts : tuple of str
        Names of the parts of the report, if not all are written.
    """

    path: str | None
    form: Entry[FormatSpec] | None
    parts: tuple[str, ...] = ()

    @property
    def is_plain(self) -> bool:
        """Whether it is text that can be read on a terminal."""
        return self.form is None or self.form.declaration.terminal

    @property
    def is_terminal(self) -> bool:
        """Whether somebody reads the report on a terminal."""
        return self.is_plain and self.path in (None, "-") and is_terminal()


def absolute(path: str | None) -> str | None:
    """Keep the place of an output, whatever folder plugins change to."""
    return path if path in (None, "-") else str(Path(path).absolute())


class Session:
    """One run of a command. The function ``run`` of a `CommandSpec` gets it.

    Before the command runs, the session has checked the files that the options name, and found the
    formats of the outputs.

    Parameters
    ----------
    command : str
        Name of the command.
    options : Options
        The values of its arguments.
    registry : Registry
        The plugins of this run.
    declared : mapping of str to Declared
        What the host knows of each argument.

    Raises
    ------
    UsageError
        If standard input would be read twice, an output is an input or another output, or no output
        has what an argument changes.
    InputError
        If an output cannot be written.

    Examples
    --------
    A whole command::

        def run(session):
            evaluation = session.evaluation()
            session.write(report_of(evaluation, effect=session.options.effect))
    """

    def __init__(
        self, command: str, options: Options, registry: Registry, declared: Mapping[str, Declared]
    ) -> None:
        self._command = command
        self.options = options
        self.registry = registry
        self._declared = declared
        self._check_files()
        self._outputs = self._find_outputs()
        self._check_changes()

    def within(
        self, command: str, words: Sequence[str], refused: Mapping[str, str] | None = None
    ) -> Session:
        """Parse the arguments of another command, for work that this one does in its name.

        Parameters
        ----------
        command : str
            The command.
        words : sequence of str
            Its arguments.
        refused : mapping of str to str, optional
            Messages by the names of arguments that may not be among them.

        Returns
        -------
        Session
            It shares the plugins, the warnings and the threads of this session.

        Raises
        ------
        UsageError
            If the arguments are not valid.
        """
        from mteval_core.commands.parser import CommandParser

        parser = CommandParser(self.registry.find(CommandSpec, command))
        for _, action in parser.given_flags(words):
            if refused and action.dest in refused:
                raise UsageError(refused[action.dest])
        quiet, threads = self.options.get("quiet"), self.options.get("threads", 1)
        options = parser.options(words).replace(quiet=quiet, threads=threads)
        session = Session(command, options, self.registry, parser.declared)
        inputs = [path for _, path in session._paths("input")]
        for one in self._outputs:
            check_output(one.path, inputs)
        return session

    # Inputs

    @cached_property
    def files(self) -> Files:
        """Reads texts, data sets, scores and judgments by their addresses, each of them once."""
        from mteval_core.data.reading import Files

        return Files(self.registry)

    @cached_property
    def texts(self) -> ScoreRequest:
        """The texts that the options name, one by one."""
        return ScoreRequest(self._command, self.options, self.files)

    def dataset(self) -> Dataset:
        """Read everything that the options name: references, what belongs to them, and systems.

        Raises
        ------
        UsageError
            If two systems have the same name, or a reference stream is unknown.
        InputError
            If a file cannot be read, or texts do not belong together.
        """
        return self.texts.dataset

    def line_files(self) -> LineFiles | None:
        """Return the texts as files that are read block by block; None if they cannot be."""
        from mteval_core.commands.sources import line_files

        return line_files(self.texts)

    def metrics(self, *, default: bool = True, also: Sequence[Scorer] = ()) -> list[Scorer]:
        """Resolve the metrics of ``-m``, or those of the default set, and read ``--scores``.

        Parameters
        ----------
        default : bool
            Whether the default set is meant if there is no ``-m``.
        also : sequence of Scorer
            Further metrics that the command computes; options and texts may be for them.

        Raises
        ------
        UsageError
            If a metric is unknown or does not fit the texts, or if ``-m none`` stands alone.
        """
        request, shown = self.texts, self._shows_segments
        return [*request.metrics(default=default, also=also, shown=shown), *request.outside()]

    def metric(self, spec: str) -> Scorer:
        """Resolve one metric, with the options for all metrics."""
        from mteval_core.metrics.resolve import metric

        return metric(spec, registry=self.registry, defaults=self.defaults)

    @cached_property
    def defaults(self) -> dict[str, str]:
        """Options for all metrics, such as ``tok``, that the user sets or the language implies."""
        return self.texts.defaults

    def names(self, scorers: Sequence[Scorer]) -> dict[str, str]:
        """Return the names of ``--rename`` by the specs of their metrics."""
        return self.texts.names(scorers)

    @cached_property
    def configuration(self) -> ConfiguredCommands | None:
        """The configuration file that commands take their defaults from; None if there is none."""
        from mteval_core.commands.configuration import ConfiguredCommands, read_configuration
        from mteval_core.commands.parser import command_parsers

        line = self.options.preceding
        parsers = {parser.command: parser for parser in command_parsers(self.registry)}
        file = read_configuration(line.config_file, line.preset, lambda: parsers)
        return ConfiguredCommands(file, parsers) if file and not line.no_config else None

    def evaluation(
        self, keep: Level = "segment", *, resamples: int = 0, texts: bool = True
    ) -> Evaluation:
        """Read the texts and score the systems; a metric of a set that fails is left out.

        Parameters
        ----------
        keep : {"corpus", "doc", "segment"}
            What is needed: sums of the corpus, of each document too, or the rows of all segments.
        resamples : int
            Number of resamples of a Poisson bootstrap to count.
        texts : bool
            Whether the texts are needed after the scores. Otherwise long files are read in blocks.

        Raises
        ------
        MtevalError
            If the texts or the metrics are refused, or a metric that the user has named fails.

        Warns
        -----
        MtevalWarning
            ``failed-metric``: a metric of the default set or of ``-m all`` is left out.
        """
        from mteval_core.evaluation.counting import Kept

        shown, seed = self._shows_segments, self.options.get("seed", 12345)
        kept = Kept("segment" if shown else keep, resamples, seed)
        return self.texts.evaluation(kept, texts=texts or shown, shown=shown)

    # Outputs

    @property
    def _shows_segments(self) -> bool:
        """Whether an output shows the scores of segments, or their source."""
        return any(one.form.declaration.segments for one in self._outputs if one.form)

    @property
    def on_terminal(self) -> bool:
        """Whether somebody reads an output on a terminal."""
        return any(one.is_terminal for one in self._outputs)

    def refuse_formats(self, why: str) -> None:
        """Raise a `UsageError` if an output has another format than plain text."""
        other = next((one.form for one in self._outputs if one.form and not one.is_plain), None)
        if other:
            name = other.declaration.name
            raise UsageError(f"{why}, and {name} is another format: leave out one of the two")

    def write(self, report: Report | str | bytes, layout: Layout | None = None) -> None:
        """Write a report to every output, in its format.

        Parameters
        ----------
        report : Report, str or bytes
            The report. Text and bytes are written as they are.
        layout : Layout, optional
            How the reader wants to see it. The session adds what it knows of the page: its width,
            colours and rows of a terminal. Default: the decimals of ``-w``.

        Raises
        ------
        UsageError
            If a binary report would go to a terminal, if a format cannot write the report, or if
            plain text would go to a file of another format.
        InputError
            If a file cannot be written.
        """
        if not isinstance(report, (str, bytes)):
            report = self._completed(report)
        for one in self._outputs:
            name = one.form.declaration.name if one.form else "bytes"
            write_output(one.path, self._render(report, one, layout), name)

    def write_scores(self, evaluation: Evaluation, options: Options) -> None:
        """Add the intervals and tests that the options ask for, and write the scores.

        Parameters
        ----------
        evaluation : Evaluation
            The scores.
        options : Options
            Those of a command that shares ``statistics`` and ``tables``.

        Raises
        ------
        UsageError
            If the metric to sort by is not one of the table.
        """
        from mteval_core.commands.statistics import with_statistics
        from mteval_core.report.layout import Layout
        from mteval_core.report.scores import of_evaluation

        chosen = {key: options.get(key) for key in ("values", "marks", "transpose")}
        layout = Layout(options.level, options.width, sort=sorting(evaluation, options), **chosen)
        evaluation = with_statistics(evaluation, options, self.registry)
        self.write(of_evaluation(evaluation, layout), layout)

    def _render(
        self, report: Report | str | bytes, one: Output, layout: Layout | None
    ) -> Iterable[str | bytes]:
        from mteval_core.report.output import render

        if isinstance(report, (str, bytes)):
            return [report]
        assert one.form is not None, "a command that writes reports shares 'formats'"
        return render(report, self._page(one, layout), one.form, self.registry, names=one.parts)

    def _completed(self, report: Report) -> Report:
        """Add title, caption and notes of the user, and which defaults a configuration file set."""
        options, taken = self.options, self.options.get("config")
        of_file = [f"{taken.sentence}."] if taken else []
        notes = [*report.notes, *options.get("note", ()), *of_file]
        return replace(
            report,
            title=options.get("title") or report.title,
            is_titled=bool(options.get("title")),
            caption=options.get("caption") or "",
            notes=notes,
            config=taken.record() if taken else None,
        )

    @staticmethod
    def write_file(path: str, data: bytes) -> None:
        """Write a file, whole or not at all. Devices and pipes are written as they are.

        Raises
        ------
        InputError
            If it cannot be written.
        """
        write_file(path, [data])

    def show(self, line: str, end: str = "\n") -> None:
        """Print a line on standard output."""
        show(line, end)

    def _page(self, one: Output, layout: Layout | None) -> Layout:
        """Adapt a layout to an output; what is piped is never shortened."""
        from mteval_core.report import Layout

        page = layout or Layout(decimals=self.options.get("width", 2))
        tables = (name for names in self.options.get("tables", ()) for name in names.split(","))
        terminal = terminal_size()
        return replace(
            page,
            signatures=self.options.get("signatures", "full"),
            tables=tuple(tables),
            wide=self.options.get("wide", False),
            columns=terminal.columns if one.is_plain else page.columns,
            colour=shows_colours() if one.is_terminal else page.colour,
            rows=terminal.lines if one.is_terminal else page.rows,
        )

    # Checks

    def _paths(self, kind: str) -> Iterator[tuple[str, str]]:
        """Yield the name of the argument and the path of every input or output."""
        for name, declared in self._declared.items():
            value = self.options.get(name)
            if declared.file != kind or value is None:
                continue
            for one in value if isinstance(value, list) else [value]:
                for path in [one] if isinstance(one, str) else one.paths:
                    yield name, path

    def _check_files(self) -> None:
        """Check the files that are read and written, before the work."""
        inputs = [path for _, path in self._paths("input")]
        for path in inputs:
            if not exists(path) and self.registry.of_name(MetricSpec, path):
                raise UsageError(f"{path}: no such file; metrics follow -m: type -m {path}")
        self.check_stdin(inputs)
        taken = [*inputs, *self.options.get("plugin_files", ())]
        written: dict[Path, str] = {}
        for name, path in self._paths("output"):
            flag = self.options.typed(name)
            check_output(path, taken, flag)
            place = Path(path).absolute()
            if place in written:
                raise UsageError(f"{flag} {path} is the file of {written[place]} too")
            written[place] = flag

    def check_stdin(self, paths: Sequence[str]) -> None:
        """Refuse to read standard input twice; on a terminal, say that it is read.

        Parameters
        ----------
        paths : sequence of str
            The files that are read. The session checks those that the options name; a command
            checks its files again if it reads standard input where the options name no file.

        Raises
        ------
        UsageError
            If standard input would be read twice.
        """
        n = paths.count("-")
        if n > 1:
            raise UsageError("standard input (-) can be only one of the files")
        stdin = sys.stdin  # None if the process was started without it
        if n and not self.options.get("quiet") and stdin and not stdin.closed and stdin.isatty():
            how = f"one segment per line; end it with Ctrl-D, or {self.instead_of_stdin}"
            print(f"mteval: reading standard input, {how}", file=sys.stderr)

    @property
    def instead_of_stdin(self) -> str:
        """What else users can type where a command reads standard input."""
        return "name the systems after -i" if "input" in self.options else "name a file"

    def _find_outputs(self) -> list[Output]:
        """Find the format of each file of ``-o``, or of standard output, and of other outputs."""
        paths = self.options.get("output")
        paths = paths if isinstance(paths, list) else [paths]
        if "format" not in self._declared:
            return [Output(absolute(path), None) for path in paths]
        if self.options.given("format") and len(paths) > 1:
            flag = self.options.typed("format")
            raise UsageError(f"{flag} is for one output: leave it out, or give one -o")
        found = map(Output, map(absolute, paths), map(self._find_format, paths))
        return [*found, *self._outputs_of_parts()]

    def _find_format(self, path: str | None) -> Entry[FormatSpec]:
        """Find the format of a file; an ending precedes the name in a configuration file."""
        from mteval_core.report.output import find_format, formats_of

        is_free = not PurePath(path or "").suffix or not formats_of(path, self.registry)
        chosen = self.options.format if is_free or self.options.given("format") else None
        kinds, what = self._declared["output"].kinds, f"the reports of mteval {self._command}"
        asked = self.options.typed("format")
        return find_format(self.registry, path, chosen, kinds=kinds, what=what, asked=asked)

    def _outputs_of_parts(self) -> Iterator[Output]:
        """Find the formats of arguments that write some parts of the report."""
        from mteval_core.report.output import find_format

        for name, declared in self._declared.items():
            path = self.options.get(name)
            if declared.parts and path:
                kinds, what = declared.kinds, f"a {' or '.join(declared.kinds)}"
                flag = self.options.typed(name)
                form = find_format(self.registry, path, kinds=kinds, what=what, flag=flag)
                yield Output(absolute(path), form, declared.parts)

    def _check_changes(self) -> None:
        """Refuse an argument if no output has what it changes."""
        forms = [one.form.declaration for one in self._outputs if one.form]
        kinds = {kind for form in forms for kind in form.parts}
        for name, declared in self._declared.items():
            changed = declared.changes
            if forms and changed and self.options.given(name) and kinds.isdisjoint(changed):
                flag = self.options.typed(name)
                names = " and ".join(form.name for form in forms)
                raise UsageError(
                    f"{flag} changes {changed[0]}s, and the format {names} has none: leave out "
                    f"{flag}"
                )


def sorting(evaluation: Evaluation, options: Options) -> str | None:
    """Return the spec of the metric of ``--sort``, which may also be its name in the table.

    Raises
    ------
    UnknownNameError
        If there is no such metric, or more than one.
    UsageError
        If there is only one row.
    """
    wanted: str | None = options.sort
    if wanted is None:
        return None
    if options.level == "corpus" and len(evaluation.systems) < 2:
        raise UsageError("--sort sorts systems, and there is only one: leave it out")
    from mteval_core.metrics.titles import title_of

    titles = {spec: title_of(scorer) for spec, scorer in evaluation.scorers.items()}
    found = [wanted] if wanted in titles else [one for one in titles if titles[one] == wanted]
    if len(found) == 1:
        return found[0]
    problem = "several metrics are called" if found else "no metric"
    raise UnknownNameError(
        f"--sort: {problem} {wanted!r}.{near(wanted, found or {*titles, *titles.values()})}"
    )

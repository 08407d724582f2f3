"""Requests for scores: the metrics and the texts that the options of a command name."""

from __future__ import annotations

import warnings
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from mteval_core.commands.texts import Texts, is_input
from mteval_core.errors import (
    InputError,
    MtevalWarning,
    PluginError,
    UnknownNameError,
    UsageError,
    warn,
)
from mteval_core.names import check_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mteval_core.commands.arguments import Options
    from mteval_core.data.reading import Files
    from mteval_core.evaluation.counting import Kept
    from mteval_core.evaluation.evaluation import Evaluation
    from mteval_core.metrics.scorer import Scorer
    from mteval_core.plugin.declarations import MetricSpec
    from mteval_core.plugin.registry import Registry

ALL, NONE = "all", "none"
"""What ``-m`` takes for every metric, and for no metric but those of ``--scores``."""


class ScoreRequest(Texts):
    """The texts and metrics that the options of a command name.

    Parameters
    ----------
    command : str
        Name of the command, for messages.
    options : Options
        The options of the shared groups of arguments.
    files : Files
        Reads files.
    """

    def __init__(self, command: str, options: Options, files: Files) -> None:
        super().__init__(options, files)
        self._command = command
        self.registry: Registry = files.registry

    # Options for all metrics

    @cached_property
    def given_defaults(self) -> dict[str, str]:
        """Options for all metrics that the user sets."""
        options = self.options
        chosen = {key: options.get(key) for key in ("case", "stem", "missing", "tok")}
        if options.get("lang") is not None:
            from mteval_core.text.lookup import tokenizer_of_language

            chosen["tok"] = tokenizer_of_language(options.lang, self.registry)
        if options.get("jackknife"):
            chosen["loo"] = "yes"
        return {key: value for key, value in chosen.items() if value is not None}

    @cached_property
    def defaults(self) -> dict[str, str]:
        """The same; the language of a data set chooses the tokenizer if nothing else does."""
        # Data sets are read first: their language may choose the tokenizer.
        is_read = self.options.get("data") and not self.options.get("engine")
        language = self.references.language if is_read else ""
        if not language or self.options.get("lang") is not None:
            return self.given_defaults
        from mteval_core.text.lookup import language_options

        return {**language_options(language, self.registry), **self.given_defaults}

    # Metrics

    @property
    def is_set(self) -> bool:
        """Whether the user has named no single metric, but a set: the default one, or all."""
        return self.options.metrics in ([], [ALL])

    @cached_property
    def specs(self) -> list[str]:
        """The specs of ``-m``, ``all`` replaced by what it stands for; or the default set."""
        named = self.options.metrics
        if named == [NONE]:
            if not self.options.get("scores"):
                raise UsageError("-m none leaves the metrics of --scores: add --scores NAME=FILE")
            return []
        if not named:
            return self.registry.default_metrics()
        every = self.every_metric() if ALL in named else []
        return [spec for word in named for spec in (every if word == ALL else [word])]

    def every_metric(self) -> list[str]:
        """Return the specs of all metrics, but for those that need what the command does not have.

        These are metrics of a source without ``--source``, and those that declare ``libraries``:
        they need a model, which may have to be downloaded. Metrics that declare figures describe
        systems and do not rank them, so they are left out, too.
        """

        def is_wanted(metric: MetricSpec) -> bool:
            has_texts = metric.source != "required" or bool(self.options.get("source"))
            return has_texts and not (metric.libraries or metric.figures)

        return self.registry.metrics(is_wanted)

    def metrics(
        self, *, default: bool = True, also: Sequence[Scorer] = (), shown: bool = False
    ) -> list[Scorer]:
        """Resolve the metrics of ``-m``; see `mteval_core.Session.metrics`.

        With ``shown``, an output shows the source, so it is not an error if no metric uses it.
        """
        found: list[Scorer] = []
        failures: dict[str, PluginError] = {}
        for spec in self.specs if default or self.options.metrics else ():
            scorer = self._resolved(spec)
            if isinstance(scorer, PluginError):
                failures[spec] = scorer
            elif not (self.is_set and scorer.setup.needs_more):
                found.append(scorer)
        self._leave_out(failures, working=bool(found))
        self._check([*found, *also], shown=shown)
        return found

    def _resolved(self, spec: str) -> Scorer | PluginError:
        """Resolve a metric; return the error of one in a set that cannot be used."""
        from mteval_core.metrics.resolve import metric

        try:
            return metric(spec, registry=self.registry, defaults=self.defaults)
        except PluginError as error:
            if not self.is_set:
                raise
            return error
        except UnknownNameError:
            files = [word for word in self.options.metrics if is_input(word)]
            if not files:
                raise
            raise UsageError(f"{files[0]!r} follows -m, but is a file: {self.usage()}") from None

    def outside(self) -> list[Scorer]:
        """Read the metrics of ``--scores``.

        Raises
        ------
        UsageError
            If scores are of a data set, and there is none.
        InputError
            If a file cannot be read.
        """
        scorers: list[Scorer] = []
        for name, better, address in self.options.get("scores") or ():
            if not (address or self.options.data):
                raise UsageError(f"--scores {name}: expected NAME=FILE; NAME alone needs --data")
            from mteval_core.metrics.several import scorer_of

            scores = address or self.options.data._replace(field=name)
            scorers.append(scorer_of(self.files.scores(scores, name, better), self.registry))
        return scorers

    def names(self, scorers: Sequence[Scorer]) -> dict[str, str]:
        """Return the names of ``--rename`` by the specs of their metrics.

        The configuration file may also name metrics that are not computed.

        Raises
        ------
        UsageError
            If a value is not valid, no metric has the spec, or two metrics have the same name.
        """
        from mteval_core.metrics.resolve import expand_value, parse
        from mteval_core.metrics.titles import names_by_spec

        names: dict[str, str] = {}
        for request in self.options.get("rename") or ():
            spec, equals, name = request.rpartition("=")
            if not (equals and spec and name):
                raise UsageError(f"--rename: expected SPEC=NAME, got {request!r}")
            check_name(name, "--rename: name", UsageError)
            metric = str(expand_value(parse(spec, self.registry), self.registry))
            if names.setdefault(metric, name) != name:
                raise UsageError(
                    f"--rename: {spec} has the names {names[metric]} and {name}: leave one out"
                )
        computed = {str(scorer.spec) for scorer in scorers}
        typed = self.options.given("rename")
        chosen = {spec: name for spec, name in names.items() if typed or spec in computed}
        if chosen:
            names_by_spec(scorers, chosen)  # refuses names that are taken
        return chosen

    def _check(self, scorers: Sequence[Scorer], *, shown: bool) -> None:
        """Refuse options that no metric takes, and texts that are missing or without use."""
        from mteval_core.metrics.several import refuse_unused_defaults

        options = self.options
        if scorers:
            flags = {"tok": ("tok", "lang"), "case": ("case",), "stem": ("stem",)}
            configured = {key for key, names in flags.items() if options.configured(*names)}
            given = {key: own for key, own in self.given_defaults.items() if key not in configured}
            refuse_unused_defaults(given, {str(scorer.spec): scorer for scorer in scorers})
        self.refuse_unused_source(scorers, shown=shown)
        if options.get("data"):
            return
        for scorer in scorers:
            if scorer.declaration.references == "required" and not options.references:
                raise UsageError(self._without_references())
            if scorer.declaration.source == "required" and not options.get("source"):
                raise UsageError(f"no source for the metric {scorer.spec}: add --source FILE")

    def _without_references(self) -> str:
        """Say that there are no references, perhaps because ``-i`` took them."""
        files = [str(one) for one in self.options.input if is_input(str(one)) and str(one) != "-"]
        if len(files) < 2:
            return f"no references: {self.usage()}"
        return (
            f"no references: -i takes every word that follows it, also {files[-1]!r}. References "
            f"come first, or after -r: {self.usage()}"
        )

    def usage(self) -> str:
        """Say in which order to write references, systems and metrics."""
        options = self.options
        files = [word for word in options.metrics if is_input(word)]
        metrics = [word for word in options.metrics if word not in files] or ["METRIC..."]
        references = list(map(str, options.references)) or files or ["REF..."]
        systems = list(map(str, options.input)) if options.given("input") else ["SYS..."]
        words = ["mteval", self._command, *references, "-i", *systems, "-m", *metrics]
        return f"write {' '.join(words)}"

    # Scores

    def evaluation(self, kept: Kept, *, texts: bool, shown: bool) -> Evaluation:
        """Score the systems; see `mteval_core.Session.evaluation`."""
        scorers = self.metrics(shown=shown)
        outside = self.outside()
        by_segment = {self.options.get("level"), self.options.get("by")} <= {"corpus", "segment"}
        needs_documents = any(scorer.setup.needs_documents for scorer in scorers)
        if self.options.get("docs") and by_segment and not needs_documents:
            raise UsageError("--docs applies to documents: add --level doc or --by doc")
        if self.options.get("sets"):
            from mteval_core.metrics.several import text_sets

            sets = self.options.sets.split(",")
            scorers = text_sets(scorers, sets, registry=self.registry, defaults=self.defaults)
        try:
            return self._evaluation([*scorers, *outside], kept, texts=texts)
        except PluginError:
            if not self.is_set:
                raise
            failures = self._failures(scorers, kept)
            working = [one for one in scorers if str(one.spec) not in failures]
            if not failures or not (working or outside):
                raise
        self._leave_out(failures, working=True)
        return self._evaluation([*working, *outside], kept, texts=texts)

    def _evaluation(self, scorers: Sequence[Scorer], kept: Kept, *, texts: bool) -> Evaluation:
        """Score the systems under some metrics."""
        from mteval_core.commands.sources import evaluate_request

        evaluation = evaluate_request(self, scorers, kept, texts=texts)
        names = self.names(list(evaluation.scorers.values()))
        evaluation = replace(evaluation, scores=evaluation.scores.titled(names))
        if self.is_set:  # a formula that fails is found now, and not while the report is written
            for system in evaluation.systems:
                for spec in evaluation.scorers:
                    evaluation.scores.values(system, spec)
        return evaluation

    def _failures(self, scorers: Sequence[Scorer], kept: Kept) -> dict[str, PluginError]:
        """Compute each metric alone; return the errors of those that fail."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", MtevalWarning)
            errors = {str(scorer.spec): self._failure(scorer, kept) for scorer in scorers}
        return {spec: error for spec, error in errors.items() if error is not None}

    def _failure(self, scorer: Scorer, kept: Kept) -> PluginError | None:
        """Compute a metric; return the error if its plugin fails."""
        try:
            self._evaluation([scorer], kept, texts=True)
        except PluginError as error:
            return error
        except (UsageError, InputError):
            pass  # this concerns all metrics together
        return None

    def _leave_out(self, failures: dict[str, PluginError], *, working: bool) -> None:
        """Warn of metrics of a set that fail; raise the first error if all fail."""
        if failures and not working:
            raise next(iter(failures.values()))
        whole = "-m all" if self.options.metrics else "the default set"
        for name, error in failures.items():
            warn("failed-metric", f"{name} is left out of {whole}: {error}")

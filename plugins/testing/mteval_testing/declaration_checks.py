"""Checks of a metric's declaration: complete, signed in full, and cheap to import."""

from __future__ import annotations

import subprocess
import sys
from contextlib import suppress
from dataclasses import replace
from functools import cache
from importlib.metadata import entry_points
from inspect import Parameter, signature
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mteval_core import (
    InputError,
    Option,
    OptionError,
    PluginError,
    Scorer,
    Spec,
    UnknownNameError,
    evaluate,
    load_registry,
    metric,
    write_report,
)
from mteval_testing.findings import expect
from mteval_testing.subjects import bound_rows, close, corpus_of, equal
from mteval_testing.targets import load

if TYPE_CHECKING:
    from collections.abc import Collection

LITERATURE = Path(__file__).with_name("literature_format.py")
"""The plugin with the format ``kit-literature``."""

STANDARD = ("case", "tok", "stem")
"""Options of many metrics, whose help the host has."""

__all__ = [
    "aliases_name_the_metric",
    "declaration_is_complete",
    "expect_light",
    "hook_module_is_light",
    "literature_is_found",
    "options_are_in_the_signature",
    "signature_replays",
    "unsigned_options_do_not_matter",
]


def declaration_is_complete(scorer: Scorer) -> None:
    """The declaration has a name and help; otherwise 'mteval list' cannot describe the metric."""
    declaration = scorer.declaration
    expect(bool(declaration.help.strip()), "the declaration has no help")
    expect(
        declaration.name == declaration.name.lower() and not set(declaration.name) & set(" :,=|/+"),
        f"the name {declaration.name!r} is not in lower case, or contains one of ' :,=|/+'",
    )
    expect(scorer.main in scorer.scales, f"the main value {scorer.main!r} is not among the values")
    undocumented = [o.key for o in declaration.options if not o.help and o.key not in STANDARD]
    expect(not undocumented, f"the options {undocumented} have no help")


def aliases_name_the_metric(scorer: Scorer) -> None:
    """Every alias stands for a spec of this metric; otherwise it is refused, or misleads."""
    name = scorer.declaration.name
    for alias, meant in scorer.declaration.aliases.items():
        for spec in (meant,) if isinstance(meant, str) else meant:
            what = f"the alias {alias!r} stands for {spec!r}"
            found = Spec.parse(spec).name
            expect(found == name, f"{what}, which names {found!r}; expected a spec of {name!r}")
            with suppress(PluginError, UnknownNameError, InputError):  # what it asks for is missing
                try:
                    metric(spec, registry=scorer.setup.registry)
                except OptionError as error:
                    raise AssertionError(f"{what}: {error}") from error


def literature_is_found(scorer: Scorer) -> None:
    """The BibTeX file has the papers; otherwise reports cannot cite the metric."""
    sample = corpus_of(scorer)
    evaluation = evaluate({"A": sample.hypotheses}, sample.test_set, [scorer])
    write_report(evaluation, "kit-literature", registry=load_registry([], files=[str(LITERATURE)]))


def signature_replays(scorer: Scorer) -> None:
    """The signature reproduces the score; otherwise readers cannot verify it."""
    sample = corpus_of(scorer)
    score = scorer.corpus_score(sample.hypotheses, sample.test_set)
    with Option.moved_files(files_of(scorer)):
        replayed = metric(str(score.signature), registry=scorer.setup.registry)
        again = replayed.corpus_score(sample.hypotheses, sample.test_set)
    expect(
        equal(again.score, score.score, scorer.declaration.tolerance),
        f"{score.signature} replays to {again.score}, not to {score.score}",
    )
    expect(
        str(again.signature) == str(score.signature), f"the replayed signature is {again.signature}"
    )


def files_of(scorer: Scorer) -> dict[str, str]:
    """Return the files that options name, by their names in the signature."""
    options = (option for option in scorer.declaration.options if option.file)
    paths = (str(scorer.setup.options[option.key]) for option in options)
    return {Path(path).name: path for path in paths if path}


def options_are_in_the_signature(scorer: Scorer) -> None:
    """Every signed option is in the signature; otherwise equal ones hide different settings."""
    options = scorer.declaration.options
    fields = scorer.signature().fields
    missing = [option.key for option in options if option.signed and option.key not in fields]
    expect(not missing, f"the options {missing} are not in the signature")
    hidden = undeclared_settings(scorer)
    expect(
        not hidden,
        f"the class takes {', '.join(hidden)}, which the declaration does not have as options. "
        f"Declare each one, Option('key', default, 'help'). A field that is not a setting but "
        f"computed, as by prepare(), has the default None or (), or field(init=False)",
    )
    with Option.moved_files(files_of(scorer)):
        for option in options:
            given = [scorer.setup.options[option.key]] if option.file else sample_values(option)
            values_are_written_in_full(option, given)


def unsigned_options_do_not_matter(scorer: Scorer) -> None:
    """An option that is not signed changes no row or score; otherwise signatures hide its value."""
    sample, tolerance = corpus_of(scorer), scorer.declaration.tolerance
    bound, rows = bound_rows(scorer, sample)
    for option in scorer.declaration.options:
        for value in [] if option.signed else sample_values(option):
            items = option.format(value)
            spec = replace(scorer.spec, options={**scorer.spec.options, option.key: items})
            with suppress(PluginError):  # what a value asks for, such as a device, may be missing
                other, changed = bound_rows(metric(spec, registry=scorer.setup.registry), sample)
                values = other.values(changed), bound.values(rows)
                expect(
                    close(changed, rows, tolerance) and close(*values, tolerance),
                    f"{option.key}={'+'.join(items)} changes rows or scores",
                )


def undeclared_settings(scorer: Scorer) -> list[str]:
    """Name the parameters of the metric's class that have a default and are no options."""
    factory = load(scorer.declaration.factory)
    declared = {option.keyword for option in scorer.declaration.options}
    return [
        name
        for name, parameter in signature(factory).parameters.items()
        if parameter.default not in (None, (), Parameter.empty) and name not in declared
    ]


def values_are_written_in_full(option: Option, values: list[Any]) -> None:
    """Fail if a value of an option is not read back as it was written."""
    for value in filter(None, values) if option.file else values:
        items = option.format(value)
        expect(
            option.parse(items) == value,
            f"the value {value!r} of option {option.key!r} is written as {'+'.join(items)!r}, "
            f"which is read as {option.parse(items)!r}",
        )


def sample_values(option: Option) -> list[Any]:
    """Return the default and some other values of an option."""
    default = option.default
    if option.type is not None:
        return values_of_own_type(option)
    if isinstance(default, bool):
        return [False, True]
    if option.spec:
        return [default, default[:1]]
    if isinstance(default, tuple):
        return [default, *((choice,) for choice in option.choices)]
    values = [default, *option.choices]
    if isinstance(default, (int, float)):
        bounds = [bound for bound in (option.minimum, option.maximum) if bound is not None]
        values += map(type(default), bounds)
    return values


def values_of_own_type(option: Option) -> list[Any]:
    """Return the values that an option with a type of its own reads from some strings."""
    values = []
    for text in (str(option.default), "0.123456789", "1", "2", *option.choices):
        with suppress(OptionError):
            values.append(option.parse((text,)))
    return values


def hook_module_is_light(scorer: Scorer) -> None:
    """Importing the hooks does not import numpy; otherwise every command starts slowly."""
    expect_light({plugin.distribution for plugin in scorer.setup.plugins})


def expect_light(distributions: Collection[str]) -> None:
    """Fail if importing the plugins of some distributions imports numpy."""
    points = [
        point
        for point in entry_points(group="mteval")
        if point.dist and point.dist.name in distributions
    ]
    modules = [point.module for point in points if point.module]
    done = imported(", ".join(modules))
    expect(done.returncode == 0, f"importing {modules} imports numpy or fails. {done.stderr}")


@cache  # metrics of one plugin share its modules
def imported(modules: str) -> subprocess.CompletedProcess[str]:
    """Import modules in a process, which fails if that also imports numpy."""
    code = f"import sys, {modules}; sys.exit('numpy' in sys.modules)" if modules else ""
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)

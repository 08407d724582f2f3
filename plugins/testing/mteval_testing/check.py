"""``mteval check``: the contract kit on an installed plugin."""

from __future__ import annotations

import re
from itertools import chain
from pathlib import Path
from shutil import get_terminal_size
from signal import SIGINT
from textwrap import fill
from typing import TYPE_CHECKING

from mteval_core import Arguments, MetricSpec, MtevalError, PluginError, UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from mteval_core import Declaration, Entry, Registry, Session
    from mteval_testing import Finding

DAY = 24 * 60 * 60


def add_arguments(arguments: Arguments) -> None:
    """Declare the arguments of the command."""
    arguments.add(
        "what",
        metavar="DISTRIBUTION|SPEC|NAME",
        help="a distribution or its plugin, a metric, or the name of anything that a plugin "
        "registers, such as tok=13a, case=lc or json",
    )
    arguments.add(
        "--timeout",
        type=Arguments.whole_number(1, DAY, "whole number of seconds"),
        default=60,
        metavar="SECONDS",
        help="a check that takes longer fails (default: %(default)d)",
    )
    arguments.add("--json", action="store_true", help="print JSON")
    arguments.add("--all", action="store_true", help="also print the checks that pass")


def run(session: Session) -> int:
    """Run the checks and print what fails; return 1 if something does."""
    from mteval_testing.watch import leave

    options = session.options
    try:
        findings = check(options.what, session.registry, options.timeout)
    except KeyboardInterrupt:
        leave(128 + SIGINT)
        raise
    said = lines(findings, all_findings=options.all)
    session.show(as_json(findings) if options.json else "\n".join(said))
    code = 0 if all(finding.ok for group in findings.values() for finding in group) else 1
    leave(code)
    return code


def check(what: str, registry: Registry, limit: float = 60.0) -> dict[str, list[Finding]]:
    """Check a metric, everything of a name, or everything that a plugin registers.

    Parameters
    ----------
    what : str
        The name of a plugin or its distribution, a metric's spec, the name of a declaration of any
        kind, or ``tok=NAME`` and ``KEY=NAME`` for tokenizers and normalizers.
    registry : Registry
        Where to look for it.
    limit : float
        Seconds after which a check fails.

    Returns
    -------
    dict of str to list of Finding
        The findings by what was checked.

    Raises
    ------
    UnknownNameError
        If there is neither a plugin nor anything else of the name.
    PluginError
        If the plugin is broken or blocked, or the metric needs something that is not installed.
    """
    plugins = [
        plugin
        for plugin in registry.plugins
        if canonical(what) in (canonical(plugin.name), canonical(plugin.distribution))
    ]
    if not plugins:
        named = entries_named(what, registry)
        return named_findings(named, registry, limit) or {what: check_spec(what, registry, limit)}
    findings: dict[str, list[Finding]] = {}
    for plugin in plugins:
        if plugin.status != "ok":
            raise PluginError(str(plugin)) from plugin.cause
        for entries in registry.of_plugin(plugin).values():
            findings |= named_findings(entries, registry, limit)
    return findings


def named_findings(
    entries: Iterable[Entry[Declaration]], registry: Registry, limit: float
) -> dict[str, list[Finding]]:
    """Check registered declarations; return the findings by kind and name."""
    singular = {kind.declaration: kind.singular for kind in registry.kinds().values()}
    return {
        f"{singular[type(entry.declaration)]} {entry.declaration.shown}": check_entry(
            entry, registry, limit
        )
        for entry in entries
    }


def entries_named(what: str, registry: Registry) -> list[Entry[Declaration]]:
    """Return what has a name, other than metrics: ``tok=NAME``, ``KEY=NAME``, or a bare name."""
    from mteval_testing.text_checks import find_entry

    key, equals, name = what.partition("=")
    if equals and ":" not in key and "|" not in key:
        return [find_entry(key, name, registry)]
    kinds = [kind.declaration for kind in registry.kinds().values()]
    return [
        entry
        for kind in kinds
        if kind is not MetricSpec and not registry.of_name(MetricSpec, what)
        for entry in registry.of_kind(kind)
        if what in (*entry.declaration.names, entry.qualified)
    ]


def canonical(name: str) -> str:
    """Return the normalized form of a distribution's name, as on the package index."""
    return re.sub(r"[-_.]+", "-", name).lower()


def check_spec(spec: str, registry: Registry, limit: float) -> list[Finding]:
    """Check one metric."""
    from mteval_testing import check_metric

    name = spec.partition(":")[0]
    metrics = {entry.declaration.name for entry in registry.of_kind(MetricSpec)}
    if name.rpartition("/")[2] not in metrics and "|" not in spec:
        names = (registry.registered_by(plugin).values() for plugin in registry.plugins)
        known = {*chain.from_iterable(chain.from_iterable(names))}
        known |= {plugin.distribution for plugin in registry.plugins}
        near = UnknownNameError.near(name, known)
        if "\0" not in spec and Path(spec, "pyproject.toml").is_file():
            near = f" Install the folder first: pip install -e {Path(spec).absolute()}"
        raise UnknownNameError(
            f"there is no plugin, and nothing in a plugin, with the name {spec!r}.{near}"
        )
    return check_metric(spec, registry=registry, limit=limit)


def check_entry(entry: Entry[Declaration], registry: Registry, limit: float) -> list[Finding]:
    """Check one registered declaration; return nothing if its kind has no checks."""
    from mteval_testing import Finding, kit_of

    kit = kit_of(type(entry.declaration))
    try:
        return kit.run(entry, registry, limit) if kit else []
    except MtevalError as error:
        claim = "It can be used; otherwise there is nothing to check."
        return [Finding("can_be_used", passed=False, message=str(error), claim=claim)]


def as_json(findings: Mapping[str, Sequence[Finding]]) -> str:
    """Write all findings as JSON."""
    import json
    from dataclasses import asdict

    listed = {
        thing: [{**asdict(finding), "ok": finding.ok} for finding in group]
        for thing, group in findings.items()
    }
    return json.dumps(listed, indent=2, ensure_ascii=False)


def lines(findings: Mapping[str, Sequence[Finding]], *, all_findings: bool) -> Iterator[str]:
    """Write a summary for each thing, and the findings that have something to say."""
    for thing, group in findings.items():
        yield f"{thing}: {summary(group)}"
        for finding in group:
            if all_findings or not finding.ok or finding.reason or finding.message:
                yield explain(finding)


def summary(findings: Sequence[Finding]) -> str:
    """Count the checks that pass, those that fail as declared, and those that were not run."""
    if not findings:
        return "no checks"
    idle = sum(finding.passed and finding.message.startswith("not run:") for finding in findings)
    passed = sum(finding.ok and finding.passed for finding in findings) - idle
    declared = sum(finding.ok and not finding.passed for finding in findings)
    warned = sum(finding.warning and not finding.reason for finding in findings)
    counted = f"{passed} of {len(findings) - idle} checks pass"
    counted += f", {declared - warned} failing as declared" if declared > warned else ""
    counted += f", {warned} warn" if warned else ""
    return counted + (f", {idle} not run" if idle else "")


def explain(finding: Finding) -> str:
    """Write what a check found, and if it failed also what should hold."""
    warns = finding.warning and not finding.reason
    word = "warn" if warns else "ok" if finding.ok else "FAIL"
    written = [f"  {word:4} {finding.check}"]
    if warns or not finding.ok:
        written.append(finding.claim)
    if finding.reason:
        outcome = (
            "passes, although declared as an exception" if finding.passed else "fails, as declared"
        )
        written.append(f"{outcome}: {finding.reason}")
    if finding.message and not (finding.ok and finding.reason):
        written.append(finding.message)
    return "\n".join([written[0], *(wrap_line(f"       {one}", 7) for one in written[1:] if one)])


def wrap_line(line: str, indent: int) -> str:
    """Break a line at the width of the terminal and indent its continuation."""
    return fill(
        line,
        max(get_terminal_size((100, 24)).columns, indent + 20),
        subsequent_indent=" " * indent,
        break_long_words=False,
        break_on_hyphens=False,
    )

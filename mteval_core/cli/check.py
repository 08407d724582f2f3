"""``mteval check``: the contract kit on an installed plugin."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mteval_core.cli.output import wrapped
from mteval_core.cli.registry import requested_registry
from mteval_core.errors import PluginError, UnknownNameError, near

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from mteval_core.plugin.registry import Registry
    from mteval_core.testing import Finding


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command's arguments."""
    parser.add_argument(
        "what", metavar="DISTRIBUTION|SPEC", help="a plugin's distribution or name, or a metric"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--all", action="store_true", help="show what passes, too")


def run(arguments: argparse.Namespace) -> int:
    """Check everything that the plugin registers; 1 if something fails."""
    found = check(arguments.what, requested_registry(arguments))
    failed = [finding for findings in found.values() for finding in findings if not finding.ok]
    if arguments.json:
        import json
        from dataclasses import asdict

        listed = {
            name: [{**asdict(finding), "ok": finding.ok} for finding in findings]
            for name, findings in found.items()
        }
        print(json.dumps(listed, indent=2, ensure_ascii=False))
        return 1 if failed else 0
    for name, findings in found.items():
        print(f"{name}: {summary(findings)}")
        for finding in findings:
            if arguments.all or not finding.ok or finding.reason or finding.message:
                print(explain(finding))
    return 1 if failed else 0


def check(what: str, found: Registry) -> dict[str, list[Finding]]:
    """Findings on a metric, or on all that a plugin registers, by what was checked.

    Raises
    ------
    UnknownNameError
        If there is neither a plugin nor a metric of the name.
    PluginError
        If the plugin is broken or blocked, or the metric needs what is not installed.
    """
    from mteval_core.plugin.registry import canonical
    from mteval_core.testing import check_metric

    plugins = [
        plugin
        for plugin in found.plugins
        if canonical(what) in (canonical(plugin.name), canonical(plugin.distribution))
    ]
    if not plugins:
        name = what.partition(":")[0]
        metrics = {entry.declaration.name for entry in found.of_kind("metrics")}
        if name.rpartition("/")[2] not in metrics and "|" not in what:
            known = metrics | {plugin.distribution for plugin in found.plugins}
            message = f"there is no plugin and no metric {what!r}.{near(name, known)}"
            raise UnknownNameError(message)
        return {what: check_metric(what, registry=found)}
    findings: dict[str, list[Finding]] = {}
    for plugin in plugins:
        if plugin.status != "ok":
            raise PluginError(str(plugin))
        for kind, names in found.registered_by(plugin).items():
            for name in names:
                thing = f"{kind.removesuffix('s')} {name}"
                findings[thing] = of_registered(kind, name, plugin.distribution, found)
    return findings


def of_registered(kind: str, name: str, distribution: str, found: Registry) -> list[Finding]:
    """Findings on one thing that a plugin registers, none if the kit has no checks for its kind."""
    from mteval_core.metrics.resolve import metric
    from mteval_core.spec import Spec
    from mteval_core.testing import Finding, check_metric, check_normalizer, check_tokenizer

    key, _, bare = name.rpartition("=")
    try:
        if kind == "metrics":
            spec = Spec(name, distribution=distribution)
            return check_metric(metric(spec, registry=found))
        if kind == "tokenizers":
            return check_tokenizer(f"{distribution}/{name}", registry=found)
        if kind == "normalizers":
            return check_normalizer(key, f"{distribution}/{bare}", registry=found)
    except PluginError as error:
        claim = "It can be used: else there is nothing to check."
        return [Finding("can_be_used", passed=False, message=str(error), claim=claim)]
    return []


def summary(findings: Sequence[Finding]) -> str:
    """Count what passes, and what fails as declared."""
    if not findings:
        return "no checks"
    passed = sum(finding.ok and finding.passed for finding in findings)
    declared = sum(finding.ok and not finding.passed for finding in findings)
    counted = f"{passed} of {len(findings)} checks pass"
    return f"{counted}, {declared} not, as declared" if declared else counted


def explain(finding: Finding) -> str:
    """Write what a check found; of one that failed also what should hold."""
    lines = [f"  {'ok' if finding.ok else 'FAIL':4} {finding.check}"]
    if not finding.ok:
        lines.append(finding.claim)
    if finding.reason:
        passes = "passes, though it is" if finding.passed else "fails, which is"
        lines.append(f"{passes} declared as an exception: {finding.reason}")
    if finding.message and not (finding.ok and finding.reason):
        lines.append(finding.message)
    return "\n".join([lines[0], *(wrapped(f"       {line}", 7) for line in lines[1:] if line)])

"""``mteval check``: the contract kit on an installed plugin."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mteval_core.errors import PluginError, UnknownNameError, near

if TYPE_CHECKING:
    import argparse

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
    from mteval_core.cli.main import registry

    found = check(arguments.what, registry(arguments))
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
        n_ok = sum(finding.ok for finding in findings)
        print(f"{name}: {n_ok} of {len(findings)} checks pass")
        for finding in findings:
            if arguments.all or not finding.ok or finding.reason or finding.message:
                print(f"  {explain(finding)}")
    return 1 if failed else 0


def check(what: str, found: Registry) -> dict[str, list[Finding]]:
    """Findings on a metric, or on all that a plugin registers, by what was checked.

    Raises
    ------
    UnknownNameError
        If there is neither a plugin nor a metric of the name.
    PluginError
        If the plugin is broken or blocked.
    """
    from mteval_core.plugin.registry import canonical
    from mteval_core.spec import Spec
    from mteval_core.testing import check_metric, check_normalizer, check_tokenizer

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
        registered = found.registered_by(plugin)
        for name in registered.get("metrics", []):
            spec = Spec(name, distribution=plugin.distribution)
            findings[f"metric {name}"] = check_metric(str(spec), registry=found)
        for name in registered.get("tokenizers", []):
            findings[f"tokenizer {name}"] = check_tokenizer(name, registry=found)
        for entry in found.of_kind("normalizers"):
            if entry.plugin == plugin:
                key, name = entry.declaration.key, entry.declaration.name
                findings[f"normalizer {key}={name}"] = check_normalizer(key, name, registry=found)
    return findings


def explain(finding: Finding) -> str:
    """Write a finding as one line."""
    verdict: Any = "ok" if finding.ok else "FAIL"
    if finding.passed and finding.reason:
        return f"{verdict:4} {finding.check}: passes, though it is an exception: {finding.reason}"
    if finding.passed:
        return f"{verdict:4} {finding.check}" + (f": {finding.message}" if finding.message else "")
    reason = f" (an exception: {finding.reason})" if finding.reason else ""
    return f"{verdict:4} {finding.check}: {finding.message}{reason}"

"""Pages written before each build: those of plugins, commands, checks and the reference.

The README of a plugin and the pages in its ``docs`` are in the folder ``plugins/NAME`` of the site.
"""

from __future__ import annotations

import inspect
import re
from importlib import import_module
from itertools import chain, zip_longest
from math import inf
from os.path import relpath
from pathlib import Path
from typing import TYPE_CHECKING, Any

import manual
import mteval_testing
from citations import literature
from modules import kernel_list, module_list
from mteval_adapters import sacrebleu
from mteval_adapters.sacrebleu import metrics as sacrebleu_metrics
from mteval_testing import kit_of
from reference import code, field_table, public_object, table

import mteval_core
import mteval_kernels as kernels
from mteval_core.commands.main import DESCRIPTION, preceding_parser
from mteval_core.commands.parser import command_parsers
from mteval_core.plugin.declarations import KINDS, load
from mteval_core.plugin.options import SHARED

if TYPE_CHECKING:
    from argparse import Action
    from collections.abc import Iterable, Iterator, Mapping
    from types import ModuleType

    from mteval_core import Registry
    from mteval_core.plugin.declarations import MetricSpec
    from mteval_core.plugin.registry import Plugin

DOCS = Path(__file__).parents[1]
REPOSITORY = DOCS.parent


PICTURES = {
    "bleu_nist": "pictures/why.svg",
    "chrf": "gallery/endings.svg",
    "error_rates": "gallery/shift.svg",
    "gtm": "gallery/runs.svg",
    "meteor_fmean": "gallery/chunks.svg",
    "rouge": "gallery/skip.svg",
}
"""The picture of each plugin; its text is that of the page that draws it."""

MET_WITH = {
    "MetricSpec": ("Option", "View"),
    "FormatSpec": ("Report", "Layout"),
    "DatasetSpec": ("Dataset",),
    "CheckSpec": ("CheckedTexts",),
}
"""Classes that a declaration holds, or that its function takes or returns."""


def setup(app: Any) -> dict[str, bool]:
    """Write the pages when Sphinx starts."""
    app.connect("builder-inited", lambda _: write())
    app.connect("source-read", read_links)
    app.connect("env-updated", lambda _, env: keep_flags_out_of_the_index(env))
    return {"parallel_read_safe": True}


def keep_flags_out_of_the_index(env: Any) -> None:
    """Drop the hundreds of entries that the page of commands would have."""
    env.get_domain("index").entries.pop("generated/commands", None)


def write() -> None:
    """Write all generated pages."""
    pages = {
        "commands.md": commands(),
        "reference.md": reference(),
        "declarations.md": declarations(),
        "checks.md": checks(),
        "lists.md": lists(),
        "literature.md": "".join(f"- {line}\n" for line in literature()),
        "modules.md": module_list(),
        "kernels.md": kernel_list(),
        **menus(),
    }
    refresh(DOCS / "generated", {name: text.encode() for name, text in pages.items()})
    refresh(DOCS / "plugins", dict(pages_of_plugins()))


def refresh(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write the files of a folder that have changed, and drop those that are gone."""
    for old in folder.rglob("*"):
        if old.is_file() and old.relative_to(folder).as_posix() not in files:
            old.unlink()
    for name, content in files.items():
        path = folder / name
        if not path.exists() or path.read_bytes() != content:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)


def pages_of_plugins() -> Iterator[tuple[str, bytes]]:
    """Write the files of all plugins that are installed, and what they are called in the site."""
    registry = mteval_core.default_registry()
    for folder, plugin in of_repository(registry).items():
        yield f"{folder.name}/index.md", page(folder, plugin, registry).encode()
        for path in (each for each in folder.glob("docs/**/*") if each.is_file()):
            content = path.read_bytes()
            if path.suffix == ".md":
                content = linked(content.decode(), path).encode()
            yield place(path).relative_to(DOCS / "plugins").as_posix(), content


def read_links(_: Any, page: str, source: list[str]) -> None:
    """Let the links of a page lead to pages of the site."""
    path = DOCS / f"{page}.md"
    if path.parent == DOCS:
        source[0] = linked(source[0], path)


def linked(text: str, path: Path) -> str:
    """Change the links of a file of the repository to those of its page; others become text."""

    def link(match: re.Match[str]) -> str:
        target, hash_, anchor = match[2].partition("#")
        to = place((path.parent / target).resolve())
        if DOCS not in to.parents:
            return match[1]
        return f"[{match[1]}]({relpath(to, place(path).parent)}{hash_}{anchor})"

    return re.sub(r"\[([^\]]*)\]\((?!\w+:|#)([^)\s]+)\)", link, text)


def place(path: Path) -> Path:
    """Return where a file of the repository is in the source of the site, if it is there."""
    match path.relative_to(REPOSITORY).parts:
        case "plugins", name, "README.md":
            return DOCS / "plugins" / name / "index.md"
        case "plugins", name, "docs", *parts:
            return DOCS.joinpath("plugins", name, *parts)
    return path


def menus() -> dict[str, str]:
    """List the pages of plugins with metrics, and those of all others."""
    registry = mteval_core.default_registry()
    entries: dict[bool, list[str]] = {True: [], False: ["lists"]}
    for folder, plugin in of_repository(registry).items():
        entries[bool(labels(plugin, registry))].append(f"/plugins/{folder.name}/index")
    return {
        "metrics.md": menu("Metrics", entries[True]),
        "plugins.md": menu("Plugins", entries[False]),
    }


def menu(title: str, pages: Iterable[str]) -> str:
    """Write a page that lists others."""
    return "\n".join([f"# {title}\n\n```{{toctree}}\n:maxdepth: 1\n", *pages, "```\n"])


def labels(plugin: Plugin, registry: Registry) -> list[str]:
    """Return the names that the metrics of a plugin have in tables; all ROUGEs are one."""
    entries = [e for e in registry.of_kind(mteval_core.MetricSpec) if e.plugin == plugin]
    names = [e.declaration.label.partition("-")[0] for e in entries if e.declaration.label]
    return list(dict.fromkeys(names))


def of_repository(registry: Registry) -> dict[Path, Plugin]:
    """Return the plugins of the repository that are installed, by folder."""
    usable = {plugin.distribution: plugin for plugin in registry.plugins if plugin.status == "ok"}
    installed = {}
    for project in sorted((REPOSITORY / "plugins").glob("*/pyproject.toml")):
        name, *_ = re.findall(r'^name = "(.*)"$', project.read_text("utf-8"), re.MULTILINE)
        if name in usable:
            installed[project.parent] = usable[name]
    return installed


def page(folder: Path, plugin: Plugin, registry: Registry) -> str:
    """Write the README of a plugin with a picture, then its metrics as they are declared."""
    readme = (folder / "README.md").read_text("utf-8")
    text = linked(readme, folder / "README.md")
    declarations = [
        e.declaration for e in registry.of_kind(mteval_core.MetricSpec) if e.plugin == plugin
    ]
    if title := ", ".join(labels(plugin, registry)):
        text = re.sub(r"^# .*", f"# {title}", text)
    if shown := PICTURES.get(folder.name):
        text = text.replace("\n\n## ", f"\n\n{picture(shown)}\n\n## ", 1)
    if not declarations:
        return text
    parts = [text.rstrip(), "\n\n## Metrics and options as declared\n"]
    modules: dict[str, None] = {}
    for declaration in declarations:
        parts.append(metric(declaration, registry))
        modules[load(declaration.factory).__module__] = None
    parts.append("\n## Definitions, deviations and literature\n")
    for module in modules:
        documentation = inspect.getdoc(import_module(module)) or ""
        parts.append(f"\n### `{module}`\n\n```{{eval-rst}}\n{documentation}\n```\n")
    return "".join(parts)


def picture(path: str) -> str:
    """Write a picture of the start page or the gallery, for a page of another plugin."""
    for drawn_by in (DOCS / "index.md", REPOSITORY / "plugins" / "explain" / "docs" / "gallery.md"):
        for text in re.findall(rf"!\[([^\]]*)\]\({re.escape(path)}\)", drawn_by.read_text("utf-8")):
            return f"![{text}]({relpath(place(drawn_by.parent / path), DOCS / 'plugins' / 'any')})"
    raise LookupError(path)


def metric(declaration: MetricSpec, registry: Registry) -> str:
    """Write the help, values and options of a metric."""
    values, defaults = values_and_defaults(declaration, registry)
    direction = f"{declaration.better.capitalize()} is better"
    parts = [
        f"\n### `{declaration.name}`\n\n{declaration.help[0].upper()}{declaration.help[1:]}. "
        f"{direction}; {range_of(declaration)}. Values: {code(*values)}.\n\n",
        option_table(declaration, defaults),
    ]
    for check, reason in declaration.exceptions.items():
        parts.append(f"\n[The check](../../checks.md) `{check}` is expected to fail: {reason}.\n")
    for name, preset in declaration.variants.items():
        if preset:
            defaults = code(*written(preset, declaration))
            parts.append(f"\nWith `variant={name}` the defaults are {defaults}.\n")
    return "".join(parts)


def written(preset: Mapping[str, Any], declaration: MetricSpec) -> Iterator[str]:
    """Write the values of options as a spec has them."""
    options = {option.key: option for option in declaration.options}
    for key, value in preset.items():
        items = options[key].format(value) if key in options else [value]
        yield f"{key}={'+'.join(items)}"


def values_and_defaults(
    declaration: MetricSpec, registry: Registry
) -> tuple[list[str], dict[str, tuple[str, ...]]]:
    """Return the names of the values of a metric, and the defaults of its options."""
    try:
        scorer = mteval_core.metric(declaration.name, registry=registry)
    except mteval_core.PluginError:  # a library or a model is not installed
        assert not callable(declaration.values)
        defaults = {option.key: option.written_default() for option in declaration.options}
        return [*declaration.values], defaults
    return [*scorer.scales], dict(scorer.setup.fields)


def range_of(declaration: MetricSpec) -> str:
    """Say between which bounds the scores of a metric lie."""
    low, high = declaration.bounds
    if low == -inf:
        return "without bounds" if high == inf else f"{high:g} or less"
    return f"{low:g} or more" if high == inf else f"from {low:g} to {high:g}"


def option_table(declaration: MetricSpec, fields: Mapping[str, tuple[str, ...]]) -> str:
    """Write the options of a metric, in the order of its signature."""
    options = {option.key: option for option in declaration.options}
    rows = []
    for key, default in fields.items():
        option = options.get(key)
        named = key in SHARED or option is None
        taken = "[a name](../../generated/lists.md)" if named else options[key].expected()
        help_ = (option.help if option else "") or SHARED.get(key, "")
        rows.append([code(key), code(*filter(None, ["+".join(default)])), taken, help_])
    return table(["key", "default", "takes", "meaning"], rows)


def reference() -> str:
    """Write the reference: all public names with their full documentation."""
    parts = ["# Reference\n\nAll public names with their full documentation.\n"]
    for module in (mteval_core, kernels, mteval_testing, sacrebleu, sacrebleu_metrics):
        parts.append(f"\n## `{module.__name__}`\n\n```{{eval-rst}}\n")
        parts += [directive(module, name) for name in module.__all__]
        parts.append("```\n")
    return "".join(parts)


def declarations() -> str:
    """Write the fields of all declarations, and of the classes that belong to them."""
    head = (
        "# Declarations\n\nThe fields of what [hooks](../hooks.md) return. The name is the only "
        "positional argument. All declarations have the fields of `Declaration`.\n"
    )
    kinds = [kind.declaration.__name__ for kind in KINDS.values()]
    names = chain(["Declaration"], *([kind, *MET_WITH.get(kind, ())] for kind in kinds))
    return head + "".join(f"\n## `{name}`\n\n{field_table(name)}" for name in names)


def directive(module: ModuleType, name: str) -> str:
    """Write the directive that documents a class or function; nothing for a constant."""
    thing, path = getattr(module, name), f"{module.__name__}.{name}"
    if inspect.ismodule(thing):
        thing, path = public_object(module, name), f"{path}.several.{name}"
    if inspect.isclass(thing):
        named = getattr(thing, "_fields", ()) if issubclass(thing, tuple) else ()
        fields = ", ".join(named)  # the parameters describe them
        return (
            f".. autoclass:: {path}\n   :members:\n   :exclude-members: {fields}\n"
            "   :inherited-members: BaseException, Exception, tuple\n"
        )
    return f".. autofunction:: {path}\n" if inspect.isroutine(thing) else ""


def checks() -> str:
    """Write what each check of the contract kit claims."""
    parts = []
    for plural, kind in KINDS.items():
        kit = kit_of(kind.declaration)
        if kit is not None:
            parts.append(f"\n## Checks of {plural}\n")
            parts += [f"\n`{check.__name__}`\n: {inspect.getdoc(check)}\n" for check in kit.checks]
    return "".join(parts)


def commands() -> str:
    """Write the arguments of all commands; every flag has an address of its own."""
    same = "`mteval COMMAND --help` and `man mteval` print the same"
    parts = [f"# Commands\n\n{same}, and `mteval COMMAND -h` what most people need.\n\n"]
    registry = mteval_core.default_registry()
    for entry in registry.of_kind(mteval_core.CommandSpec):
        name, summary = entry.declaration.name, entry.declaration.help
        parts.append(f"- [`{name}`](#mteval-{name}): {summary}\n")
    preceding = preceding_parser()
    preceding.description = DESCRIPTION
    for parser in (preceding, *command_parsers(registry)):
        values = [manual.value(action) for action in parser._get_positional_actions()]
        usage = " ".join([parser.prog, "[OPTION ...]", *values])
        parts.append(f"\n## `{parser.prog}`\n\n{prose(parser.description or '')}\n")
        parts.append(f"\n```text\n{usage}\n```\n\n```{{program}} {parser.prog}\n```\n")
        for title, description, actions in manual.groups(parser):
            parts += [f"\n**{title}**\n"] if title else []
            parts += [f"\n{prose(description)}\n"] if description else []
            parts += map(argument, actions)
    return "".join(parts)


def argument(action: Action) -> str:
    """Write the entry of an argument."""
    value, text = manual.value(action), prose(manual.explanation(action))
    if not action.option_strings:
        return f"\n`{value}`\n: {text}\n"
    typed = ", ".join(f"{name} {value}".strip() for name in action.option_strings)
    return f"\n```{{option}} {typed}\n{text}\n```\n"


def prose(text: str) -> str:
    """Write plain text in Markdown: what is quoted and flags as code."""
    found = re.split(r"(?<!\w)'([^']+)'(?!\w)|(?<![\w-])(--?[a-zA-Z][\w-]*)", text)
    parts = [re.sub(r"([\\*_<>\[\]$`{}#|])", r"\\\1", part) for part in found[::3]]
    names = [code(quoted or flag) for quoted, flag in zip(found[1::3], found[2::3], strict=True)]
    return "".join(chain.from_iterable(zip_longest(parts, names, fillvalue="")))


def lists() -> str:
    """Write tables of what the host and the plugins of the repository register."""
    registry = mteval_core.default_registry()
    house = {"mteval-core", *(p.distribution for p in of_repository(registry).values())}
    parts = []
    for plural, kind in KINDS.items():
        rows = [
            [code(each.declaration.shown), prose(each.declaration.help), each.plugin.distribution]
            for each in registry.of_kind(kind.declaration)
            if each.plugin.distribution in house
        ]
        parts.append(f"\n## {plural.capitalize()}\n\n")
        parts.append(table(["name", "what it is", "from"], rows))
    return "# Everything that can be named\n" + "".join(parts)

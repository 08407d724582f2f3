"""Tables and texts of pages, taken from docstrings, between the comments that ask for them.

::

    <!-- begin hook: metrics -->                        the documentation of a hook
    <!-- begin names: mteval_core metric Scorer -->     public names and their members
    <!-- begin groups: parser -->                       the arguments that commands share

``python docs/_ext/reference.py`` writes everything up to ``<!-- end -->``. A test compares the
pages with the code.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterable, Iterator
from dataclasses import MISSING, fields, is_dataclass
from functools import cached_property
from importlib import import_module
from itertools import chain, pairwise
from pathlib import Path
from types import ModuleType
from typing import Any

import mteval_kernels as kernels
from mteval_core.plugin import hookspecs
from mteval_core.plugin.declarations import KINDS
from mteval_kernels.table import KERNELS, twin

PAGES = ("hooks.md", "commands.md", "api.md")
BLOCK = re.compile(r"<!-- begin (\w+): (.*?) -->\n.*?<!-- end -->", re.DOTALL)
PARAMETER = re.compile(r"^(?P<names>\w+(?:, \w+)*) : (?P<type>.*)\n(?P<text>(?:    .*\n?)+)", re.M)


STATED = re.compile(r"Called once, when the registry is built\. Returns a list of `\w+`\. ")
"""What the page says once for all hooks."""


def table(head: list[str], rows: Iterable[list[str]]) -> str:
    """Write a Markdown table, numbers to the right; a bar within a cell does not end it."""
    rows = list(rows)
    columns = zip(head, *rows, strict=True)
    numeric = (all(re.fullmatch(r"[\d,.]+", cell) for cell in cells) for _, *cells in columns)
    lines = [head, ["---:" if right else "---" for right in numeric], *rows]
    return "".join(
        "| " + " | ".join(cell.replace("|", r"\|") for cell in line) + " |\n" for line in lines
    )


def markdown(text: str) -> str:
    """Turn the inline markup of a docstring into Markdown, on one line per paragraph."""
    text = re.sub(r"``([^`]+)``", r"`\1`", text.strip())
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in text.split("\n\n"))


def field_table(name: str) -> str:
    """Write the parameters of a public dataclass or named tuple, with types and defaults."""
    module, _, name = name.rpartition(".")
    cls = getattr(import_module(module or "mteval_core"), name)
    if is_dataclass(cls):
        defaults = {field.name: default(field) for field in fields(cls)}
    else:
        given = cls._field_defaults
        defaults = {
            key: code(repr(given[key])) if key in given else "required" for key in cls._fields
        }
    section = (inspect.getdoc(cls) or "").partition("Parameters\n----------\n")[2]
    section = re.split(r"\n\n\w+\n-+\n", section)[0]
    rows = [
        [code(*names), match["type"], defaults[names[0]], markdown(match["text"])]
        for match in PARAMETER.finditer(section + "\n")
        if (names := match["names"].split(", "))
    ]
    return table(["field", "type", "default", "meaning"], rows)


def code(*names: str) -> str:
    """Write names as code, separated by commas."""
    return ", ".join(f"`{name}`" for name in names)


def default(field: Any) -> str:
    """Write the default of a field."""
    if field.default is not MISSING:
        return code(repr(field.default))
    if field.default_factory is MISSING:
        return "required"
    return code(re.sub(r"\(.*\)", "()", repr(field.default_factory())))


def hook_text(plural: str) -> str:
    """Write the documentation of the hook of a kind, with its example."""
    documentation = inspect.getdoc(getattr(hookspecs, KINDS[plural].hook)) or ""
    text, _, example = documentation.partition("Example::\n")
    example = inspect.cleandoc(example)
    text = STATED.sub("", markdown(text))
    return f"{text}\n\n```python\nimport mteval_core\n\n\n{example}\n```\n"


def name_table(module_and_names: str) -> str:
    """Write public names of a module with their members; all names if none is given."""
    module_name, *names = module_and_names.split()
    module = import_module(module_name)
    rows = [
        [code(shown), summary(thing) or constant(module, name)]
        for name in names or module.__all__
        for shown, thing in with_members(name, public_object(module, name))
    ]
    return table(["name", "what it is"], rows)


def public_object(module: ModuleType, name: str) -> Any:
    """Return a public object.

    For a kernel this is its twin in Python, which has a signature, and for a package that can be
    called the function of its name.
    """
    thing = twin(name) if module is kernels and name in KERNELS else getattr(module, name)
    if inspect.ismodule(thing):
        thing = getattr(import_module(f"{thing.__name__}.several"), name)
    return thing


def with_members(name: str, thing: Any) -> Iterator[tuple[str, Any]]:
    """Yield a name with its parameters; of a class also its methods and properties.

    Those of its mixins, which are no dataclasses or protocols, are among them.
    """
    yield name + parameters(thing), thing
    if not inspect.isclass(thing):
        return
    plain = [base for base in thing.__bases__ if base.__init__ is object.__init__]
    mixins = [base for base in plain if base.__module__ != "builtins"]
    for attribute, member in chain.from_iterable(vars(each).items() for each in (thing, *mixins)):
        if attribute.startswith("_"):
            continue
        if isinstance(member, (property, cached_property)):
            yield f"{name}.{attribute}", member
        elif inspect.isroutine(member):
            method = getattr(thing, attribute)
            yield f"{name}.{attribute}{parameters(method)}", method


def parameters(thing: Any) -> str:
    """Write the names of the parameters of a function or method; nothing for anything else."""
    if not inspect.isroutine(thing):
        return ""
    listed = inspect.signature(thing).parameters.values()
    stars = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
    names = [f"{stars.get(each.kind, '')}{each.name}" for each in listed if each.name != "self"]
    return f"({', '.join(names)})"


def summary(thing: Any) -> str:
    """Return the first paragraph of a docstring; nothing for a constant."""
    if not (
        inspect.isclass(thing)
        or inspect.isroutine(thing)
        or isinstance(thing, (property, cached_property))
    ):
        return ""
    return markdown((inspect.getdoc(thing) or "").partition("\n\n")[0])


def constant(module: ModuleType, name: str) -> str:
    """Return the string below the assignment of a constant, anywhere in a package."""
    for path in sorted(Path(str(module.__file__)).parent.rglob("*.py")):
        body = ast.parse(path.read_text(encoding="utf-8")).body
        for statement, following in pairwise(body):
            targets = getattr(statement, "targets", [getattr(statement, "target", None)])
            assigned = name in [getattr(target, "id", None) for target in targets]
            if assigned and isinstance(following, ast.Expr):
                return markdown(str(ast.literal_eval(following.value)).partition("\n\n")[0])
    return ""


def group_table(module_name: str) -> str:
    """Write the groups of arguments that commands share, from a module of `commands`."""
    groups = import_module(f"mteval_core.commands.{module_name}").SHARED
    rows = [[f'`"{name}"`', summary(declare)] for name, declare in groups.items()]
    return table(["group", "what it does"], rows)


WRITERS = {"groups": group_table, "hook": hook_text, "names": name_table}


def filled(page: str) -> str:
    """Return a page with all its blocks rewritten from the code."""

    def block(match: re.Match[str]) -> str:
        text = WRITERS[match[1]](match[2])
        return f"<!-- begin {match[1]}: {match[2]} -->\n\n{text}\n<!-- end -->"

    return BLOCK.sub(block, page)


def asked_for(page: str, what: str) -> list[str]:
    """Return what the blocks of one sort ask for."""
    return [match[2] for match in BLOCK.finditer(page) if match[1] == what]


if __name__ == "__main__":
    for name in PAGES:
        path = Path(__file__).parents[1] / name
        path.write_text(filled(path.read_text(encoding="utf-8")), encoding="utf-8")

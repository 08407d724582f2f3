"""What is public is documented, and the examples in the documentation are true."""

from __future__ import annotations

import ast
import doctest
import inspect
import pkgutil
import re
import sys
from importlib import import_module, metadata
from pathlib import Path
from textwrap import dedent
from types import ModuleType
from typing import TYPE_CHECKING, Any

import mteval_testing as testing
import pytest

import mteval_core as mt
import mteval_kernels as kernels
from mteval_core.plugin import hookspecs
from mteval_core.plugin.declarations import KINDS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

REPOSITORY = Path(__file__).parents[2]


def packages() -> list[str]:
    """Name the host and the packages of the plugins that are installed and of this repository."""
    points = metadata.entry_points(group="mteval")
    plugins = {point.module.partition(".")[0] for point in points}
    ours = {path.name for path in (REPOSITORY / "plugins").glob("*/mteval_*")}
    return ["mteval_kernels", "mteval_core", *sorted(plugins & ours)]


def modules() -> list[str]:
    names = []
    for package in packages():
        path = import_module(package).__path__
        found = pkgutil.walk_packages(path, f"{package}.")
        names += [package, *(module.name for module in found)]
    return [name for name in names if not name.endswith(("__main__", "._native"))]


# Docstrings


def public_objects() -> Iterator[tuple[str, Any]]:
    """Yield what is public, and the public methods and properties of its classes."""
    for module in (mt, kernels, testing):
        for name in module.__all__:
            thing = getattr(module, name)
            yield f"{module.__name__}.{name}", thing
            for attribute, member in vars(thing).items() if inspect.isclass(thing) else ():
                if not attribute.startswith("_") and (
                    inspect.isroutine(member) or isinstance(member, property)
                ):
                    yield f"{module.__name__}.{name}.{attribute}", getattr(thing, attribute)


DOCUMENTED = [
    (name, thing)
    for name, thing in public_objects()
    if inspect.isclass(thing) or inspect.isroutine(thing) or isinstance(thing, property)
]


@pytest.mark.parametrize(("name", "thing"), DOCUMENTED, ids=[name for name, _ in DOCUMENTED])
def test_every_public_name_has_a_docstring(name: str, thing: Any) -> None:  # noqa: ARG001
    documentation = inspect.getdoc(thing) or ""
    # What a dataclass writes for itself, or object has, says nothing.
    assert documentation
    assert not documentation.startswith(f"{getattr(thing, '__name__', '')}(")
    assert documentation != inspect.getdoc(object)


@pytest.mark.parametrize("package", packages())
def test_modules_are_introduced_by_their_subject(package: str) -> None:
    riddle = re.compile(r"(What|Whether|Where|Which|How|When|Why|From)\b")
    paths = map(Path, import_module(package).__path__)
    sources = [source for path in paths for source in path.rglob("*.py")]
    documentation = {
        source: ast.get_docstring(ast.parse(source.read_bytes())) for source in sources
    }
    assert [
        source.name for source, text in documentation.items() if riddle.match(text or "How")
    ] == []


WITH_PARAMETERS = [
    name
    for name, thing in ((name, getattr(mt, name)) for name in mt.__all__)
    if inspect.isfunction(thing)
    or (inspect.isclass(thing) and not issubclass(thing, (Exception, dict)))
]


@pytest.mark.parametrize("name", WITH_PARAMETERS)
def test_every_parameter_of_a_public_function_or_class_is_documented(name: str) -> None:
    thing = getattr(mt, name)
    described = [thing, *getattr(thing, "__mro__", [])[1:-1]]  # a base describes its own
    documentation = "\n".join(inspect.getdoc(each) or "" for each in described)
    documented = re.findall(r"^(\**\w+(?:, \w+)*)(?: :|$)", documentation, flags=re.MULTILINE)
    names = {part.strip("*") for names in documented for part in names.split(", ")}
    assert [p for p in inspect.signature(thing).parameters if p not in names] == []


# Hooks

HOOKS = {
    name: function
    for name, function in vars(hookspecs).items()
    if name.startswith("mteval_register_")
}


def test_there_is_a_hook_for_every_kind() -> None:
    assert set(HOOKS) == {kind.hook for kind in KINDS.values()}


@pytest.mark.parametrize("name", list(HOOKS))
def test_every_hook_says_when_it_is_called_and_what_it_returns(name: str) -> None:
    documentation = inspect.getdoc(HOOKS[name]) or ""
    assert "Called once, when the registry is built" in documentation
    assert re.search(r"Returns a\s+list of\s+`(\w+)`", documentation)
    kind = KINDS[name.removeprefix("mteval_register_")]
    assert f"`{kind.declaration.__name__}`" in documentation
    assert not inspect.signature(HOOKS[name]).parameters


@pytest.mark.parametrize("name", list(HOOKS))
def test_the_example_of_every_hook_works(plugin: Callable[..., Any], name: str) -> None:
    documentation = inspect.getdoc(HOOKS[name]) or ""
    code = dedent(documentation.partition("Example::\n")[2])
    module = ModuleType("mteval_example")
    exec("import mteval_core\n" + code, vars(module))  # the example is code to run
    point = plugin("example")
    registry = mt.load_registry([type(point)(point.name, point.dist, lambda: module)])
    host, example = registry.plugins
    assert (host.status, example.status, example.error) == ("ok", "ok", "")
    assert list(registry.registered_by(example)) == [name.removeprefix("mteval_register_")]


def test_the_complete_plugin_of_the_hooks_works(plugin: Callable[..., Any]) -> None:
    code = dedent((inspect.getdoc(hookspecs) or "").partition("A complete plugin::\n")[2])
    module = ModuleType("mteval_length")
    exec(code, vars(module))
    point = plugin("length")
    registry = mt.load_registry([type(point)(point.name, point.dist, lambda: module)])
    assert registry.registered_by(registry.plugins[1]) == {"metrics": ["length-ratio"]}


# Examples


@pytest.mark.parametrize("name", modules())
def test_examples_in_docstrings(name: str) -> None:
    try:
        module = import_module(name)
    except ModuleNotFoundError as error:
        pytest.skip(f"needs {error.name}")
    if ">>> bleu = metric(" in (module.__doc__ or "") + inspect.getsource(module):
        pytest.importorskip("mteval_bleu_nist")
    failed, _ = doctest.testmod(module)
    assert failed == 0


def test_the_python_of_the_readme(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every block runs, one after the other, the plugin of the reader's own included."""
    pytest.importorskip("mteval_bleu_nist")
    readme = (REPOSITORY / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", readme, flags=re.MULTILINE | re.DOTALL)
    assert len(blocks) == 2
    lines = ["the cat sat on the mat", "and so it was"]
    own: dict[str, ModuleType] = {}
    for block in blocks:
        title = re.match(r"# (mteval_\w+)(?:/(\w+))?\.py", block)
        if title is None:
            exec(block, {"hypotheses": lines, "references": lines, "a": lines, "b": lines})
            continue
        package, file = title.groups()
        name = package if file in (None, "__init__") else f"{package}.{file}"
        own[name] = ModuleType(name)
        monkeypatch.setitem(sys.modules, name, own[name])
        exec(block, vars(own[name]))
    packages = [module for name, module in own.items() if "." not in name]
    for module in packages:
        point = SimplePoint("own", SimpleDistribution("mteval-own", "1"), module)
        registry = mt.load_registry([point])
        assert registry.plugins[1].error == ""
        for spec in registry.registered_by(registry.plugins[1])["metrics"]:
            score = mt.metric(spec, registry=registry).corpus_score(lines, [lines])
            assert score.score == 100.0


class SimpleDistribution:
    def __init__(self, name: str, version: str) -> None:
        self.name, self.version = name, version


class SimplePoint:
    def __init__(self, name: str, dist: SimpleDistribution, module: ModuleType) -> None:
        self.name, self.dist, self.load = name, dist, lambda: module

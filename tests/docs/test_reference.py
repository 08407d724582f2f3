"""The pages on hooks and on Python list everything, and agree with the code."""

from __future__ import annotations

import inspect
import pydoc
import re
import sys
from functools import cached_property
from importlib import import_module
from pathlib import Path
from types import ModuleType

import mteval_testing as testing
import pytest

import mteval_core as mt
import mteval_kernels as kernels
from mteval_core import formulas, report
from mteval_core.plugin.declarations import KINDS, Declaration
from mteval_core.report import charts

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture
def reference(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(DOCS / "_ext")
    monkeypatch.delitem(sys.modules, "reference", raising=False)
    return import_module("reference")


def page(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["hooks.md", "commands.md", "api.md"])
def test_a_page_agrees_with_the_docstrings(reference: ModuleType, name: str) -> None:
    assert page(name) == reference.filled(page(name)), "run: python docs/_ext/reference.py"


def test_every_hook_has_a_section_that_links_to_its_fields(reference: ModuleType) -> None:
    hooks = page("hooks.md")
    assert reference.asked_for(hooks, "hook") == list(KINDS)
    for kind in KINDS.values():
        section = hooks.partition(f"\n## `{kind.hook}()`\n")[2].partition("\n## ")[0]
        assert f"(generated/declarations.md#{kind.declaration.__name__.lower()})" in section


def test_the_fields_of_every_declaration_are_generated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(DOCS / "_ext")
    text = import_module("generated").declarations()
    linked = re.findall(r"generated/declarations\.md#(\w+)", page("hooks.md"))
    sections = re.findall(r"^## `(\w+)`\n\n\| field ", text, re.MULTILINE)
    assert [name.lower() for name in sections] == ["declaration", *linked]


def test_every_public_name_is_listed_once(reference: ModuleType) -> None:
    names: list[str] = []
    modules: list[str] = []
    for block in reference.asked_for(page("api.md"), "names"):
        module, *listed = block.split()
        names += listed or [name for name in import_module(module).__all__ if name in mt.__all__]
        modules += [] if listed else [module]
    assert sorted(names) == sorted(mt.__all__)
    listed_modules = [formulas, report, charts, kernels, testing]
    assert modules == [each.__name__ for each in listed_modules]


def test_the_contract_names_every_method() -> None:
    from mteval_core.metrics import contract

    methods = {
        name
        for protocol in (contract.Metric, contract.SegmentMetric)
        for name in vars(protocol)
        if not name.startswith("_")
    }
    assert methods == {"score", "segment_statistics"}
    for method in {*methods, "statistics", "prepare"}:
        assert f"| `{method}(" in page("hooks.md")


def test_every_declaration_is_public_and_in_the_table_of_kinds() -> None:
    declarations = {
        thing
        for thing in (getattr(mt, name) for name in mt.__all__)
        if isinstance(thing, type) and issubclass(thing, Declaration) and thing is not Declaration
    }
    assert declarations == {kind.declaration for kind in KINDS.values()}
    assert declarations == set(Declaration.__subclasses__())


def test_no_summary_of_a_property_reads_as_a_type() -> None:
    """Sphinx takes what precedes a colon for the type."""
    public = [
        getattr(module, name)
        for module in (mt, kernels, testing, report)
        for name in module.__all__
    ]
    summaries = [
        (member.__doc__ or "").partition("\n")[0]
        for cls in filter(inspect.isclass, public)
        for member in vars(cls).values()
        if isinstance(member, (property, cached_property))
    ]
    assert len(summaries) > 50
    assert [summary for summary in summaries if ": " in summary] == []


def test_the_page_on_architecture_lists_every_module_after_what_it_imports(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.syspath_prepend(DOCS / "_ext")
    modules = import_module("modules")
    host = DOCS.parent / "mteval_core"
    text = modules.module_list()
    listed = re.findall(r"^- `(\S+)`: [\w`]", text, re.MULTILINE)
    floors = re.findall(r"^### `(\w+)`$", text, re.MULTILINE)
    everything = {path.relative_to(host).as_posix() for path in host.rglob("*.py")}
    assert sorted(listed) == sorted(everything - {f"{floor}/__init__.py" for floor in floors})
    places = {modules.shown(module): module for module in modules.files()}
    order = [places[path] for path in listed]
    for module, targets in modules.graph().items():
        same = [target for target in targets if target in order and module in order]
        assert all(order.index(target) < order.index(module) for target in same), module


def test_every_kernel_is_called_by_someone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(DOCS / "_ext")
    lines = import_module("modules").kernel_list().splitlines()[2:]
    assert len(lines) == len(kernels.table.KERNELS)
    assert all(re.search(r"`mteval_\w+` \|$", line) for line in lines)


def test_docstrings_of_public_names_do_not_send_users_to_modules_of_the_host() -> None:
    for name in {*mt.__all__} - {"metrics"}:  # a package, whose page lists its modules
        text = pydoc.plain(pydoc.render_doc(getattr(mt, name)))
        assert not re.search(r"[Ss]ee\s+(\|\s+)?`mteval_core\.\w+\.", text), name

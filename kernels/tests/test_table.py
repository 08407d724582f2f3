"""The table of kernels: what it names is there, in both implementations and for type checkers."""

from __future__ import annotations

import ast
import inspect
import re
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import mteval_kernels as kernels
from mteval_kernels.table import KERNELS, twin

if TYPE_CHECKING:
    from types import ModuleType

ROOM = Path(kernels.__file__).parent
TWINS = "mteval_kernels.twins"


def test_the_table_has_the_kernels_of_every_twin() -> None:
    named = {
        name: path.stem
        for path in (ROOM / "twins").glob("*.py")
        for name in getattr(import_module(f"{TWINS}.{path.stem}"), "__all__", ())
    }
    assert named == KERNELS
    assert list(KERNELS) == sorted(KERNELS)


def test_the_package_exports_the_table() -> None:
    exported = vars(kernels)["__all__"]
    assert exported == ["TooLongError", "implementation", *KERNELS]
    assert all(hasattr(kernels, name) for name in exported)


def test_the_extension_has_the_kernels_of_the_table(native: ModuleType) -> None:
    assert {name for name in vars(native) if not name.startswith("_")} == set(KERNELS)


def test_type_checkers_see_the_twins_for_the_extension() -> None:
    """So that the stub has their signatures, too."""
    stub = ast.parse((ROOM / "_native.pyi").read_text(encoding="utf-8"))
    seen = {}
    for statement in stub.body:
        assert isinstance(statement, ast.ImportFrom)
        for alias in statement.names:
            assert alias.asname == alias.name  # otherwise it is not exported
            seen[alias.name] = statement.module
    assert seen == {name: f"{TWINS}.{module}" for name, module in KERNELS.items()}


def calls(implementation: Any) -> dict[str, Any]:
    """Functions of an implementation, and methods of its classes."""
    found: dict[str, Any] = {}
    for name in KERNELS:
        kernel = getattr(implementation, name)
        if inspect.isclass(twin(name)):
            methods = [method for method in vars(twin(name)) if not method.startswith("_")]
            found |= {f"{name}.{method}": getattr(kernel, method) for method in methods}
        else:
            found[name] = kernel
    return found


def native_parameters(function: Any) -> str:
    """Read the parameters and defaults from the message of a call with a wrong argument."""
    with pytest.raises(TypeError) as refused:
        function(no_parameter_has_this_name=0)
    signature = re.search(r"^    1\. (\(.*\)) -> ", str(refused.value), flags=re.MULTILINE)
    assert signature
    (definition,) = ast.parse(f"def f{signature[1]}: ...").body
    for node in ast.walk(definition):
        if isinstance(node, ast.arg):
            node.annotation = None
    assert isinstance(definition, ast.FunctionDef)
    return ast.unparse(definition.args)


def twin_parameters(function: Any) -> str:
    """Parameters and defaults of a twin."""
    signature = inspect.signature(function)
    plain = [p.replace(annotation=p.empty) for p in signature.parameters.values()]
    parameters = str(signature.replace(parameters=plain, return_annotation=signature.empty))
    return parameters.removeprefix("(").removesuffix(")")


def test_the_extension_has_the_signatures_of_the_twins(native: ModuleType, twins: Any) -> None:
    assert {name: native_parameters(f) for name, f in calls(native).items()} == {
        name: twin_parameters(f) for name, f in calls(twins).items()
    }


def test_the_extension_names_the_twins_that_document_it(native: ModuleType, twins: Any) -> None:
    documented = {**calls(native), **{name: getattr(native, name) for name in KERNELS}}
    expected = {**calls(twins), **{name: getattr(twins, name) for name in KERNELS}}
    assert documented.keys() == expected.keys()
    assert all(function.__doc__ for function in expected.values())
    for name, function in documented.items():
        kernel, *method = name.split(".")
        assert ".".join([f"twin('{kernel}')", *method]) + " " in function.__doc__

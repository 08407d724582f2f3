"""Calls the hooks of a plugin and checks what they return.

This is the only module that meets pluggy's untyped relay: what leaves it is a list of declarations.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pluggy

from mteval_core.errors import PluginError, near
from mteval_core.plugin import hookspecs
from mteval_core.plugin.declarations import DatasetSpec, ReaderSpec
from mteval_core.plugin.kinds import KINDS, Kind, kind_of
from mteval_core.plugin.markers import PROJECT
from mteval_core.plugin.registry import HOST
from mteval_core.plugin.validity import check_declaration, check_patterns

if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import ModuleType

    from mteval_core.plugin.declarations import Declaration

__all__ = ["HookCalls"]

Claim = tuple[str, "str | None", str]
"""Kind, signature key and name: no two declarations of a distribution share one."""


class HookCalls:
    """Calls the hooks of modules, and remembers the names that each distribution declares."""

    def __init__(self) -> None:
        self._manager = _Manager()
        self._claimed: dict[str, set[Claim]] = {}

    def declarations(
        self, module: ModuleType, *, plugin: str, distribution: str
    ) -> list[Declaration]:
        """Return what the hooks of a module declare.

        Raises
        ------
        PluginError
            If a hook or a declaration is not valid.
        """
        self._manager.check(module, f"{distribution}/{plugin}")
        declarations = [
            declaration
            for kind in KINDS.values()
            if hasattr(module, kind.hook)
            for declaration in _checked(kind, getattr(module, kind.hook)())
        ]
        for declaration in declarations:
            is_unseen = isinstance(declaration, DatasetSpec) and declaration.sniff is None
            if (isinstance(declaration, ReaderSpec) or is_unseen) and distribution != HOST:
                check_patterns(declaration)
        claimed = self._claimed.get(distribution, set())
        self._claimed[distribution] = claimed | _claims(declarations, claimed)
        return declarations


class _Manager(pluggy.PluginManager):
    """Checks the hooks of modules against their specifications, one module after the other."""

    def __init__(self) -> None:
        super().__init__(PROJECT)
        self.add_hookspecs(hookspecs)
        self._marked: set[str] = set()

    def check(self, module: ModuleType, name: str) -> None:
        """Refuse functions that are not marked as hooks, and hooks that do not exist."""
        self._marked.clear()
        try:
            self.register(module, name)
            _check_names(module, self._marked)
            self.check_pending()
        finally:
            if self.is_registered(module):  # so that its faults do not show in the next module
                self.unregister(module)

    def parse_hookimpl_opts(self, plugin: object, name: str) -> pluggy.HookimplOpts | None:
        """Remember which names are marked, while pluggy registers a module."""
        options = super().parse_hookimpl_opts(plugin, name)
        if options is not None:
            self._marked.add(name)
        return options


def _check_names(module: ModuleType, marked: set[str]) -> None:
    """Refuse a marked function that is no hook, and a hook that is not marked."""
    known = {kind.hook for kind in KINDS.values()}
    hooks = {name for name in dir(module) if name.startswith("mteval_register_")}
    for name in sorted(marked | hooks):
        if name not in known:
            message = f"there is no hook {name!r}.{near(name, known)}"
            raise PluginError(message)
        if name not in marked:
            message = f"{name} is not marked as a hook: decorate it with @mteval_core.hookimpl"
            raise PluginError(message)


def _checked(kind: Kind, result: Any) -> list[Declaration]:
    """Return the declarations that a hook returned, as a list; a single one needs no list."""
    declarations: list[Any] = list(result) if isinstance(result, (list, tuple)) else [result]
    for declaration in declarations:
        if not isinstance(declaration, kind.declaration):
            expected = kind.declaration.__name__
            message = f"{kind.hook} returned {declaration!r}; expected {expected} objects"
            raise PluginError(message)
        check_declaration(declaration)
    return declarations


def _claims(declarations: Iterable[Declaration], claimed: set[Claim]) -> set[Claim]:
    """Return the names that declarations claim, and refuse one that is claimed already."""
    new: set[Claim] = set()
    for declaration in declarations:
        kind, key = kind_of(type(declaration)), declaration.signature_key
        names = {(kind.plural, key, name) for name in declaration.names}
        if names & (claimed | new):
            message = f"{kind.hook} returned {declaration.name!r} twice"
            raise PluginError(message)
        new |= names
    return new

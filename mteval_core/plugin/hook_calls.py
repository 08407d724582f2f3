"""Hooks: pluggy's manager, which refuses what it would ignore, and checks of what hooks return."""

from __future__ import annotations

from types import FunctionType, ModuleType
from typing import TYPE_CHECKING, Any

import pluggy

from mteval_core.errors import PluginError, near
from mteval_core.plugin import hookspecs
from mteval_core.plugin.declarations import KINDS, DatasetSpec, ReaderSpec, kind_of
from mteval_core.plugin.hookspecs import PROJECT
from mteval_core.plugin.registry import HOST
from mteval_core.plugin.validity import check_declaration, check_patterns

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mteval_core.plugin.declarations import Declaration, Kind

HOOKS = [kind.hook for kind in KINDS.values()]

MOST = 1000
"""Number of declarations from which a hook slows down every command."""

Claim = tuple[str, "str | None", str]
"""Kind, signature key and name: no two declarations of a distribution share one."""


class HookManager(pluggy.PluginManager):
    """All plugins, their hooks, and the names that each distribution declares."""

    def __init__(self) -> None:
        super().__init__(PROJECT)
        self.add_hookspecs(hookspecs)
        self._claimed: dict[str, set[Claim]] = {}

    def declarations(self, module: object, plugin: str, distribution: str) -> list[Declaration]:
        """Register the module of a plugin, and return what its hooks declare.

        Raises
        ------
        PluginError
            If a hook or a declaration is not valid, or if the plugin is already registered.
        """
        name = f"{distribution}/{plugin}"
        present = self.get_name(module) or (name if self.has_plugin(name) else None)
        if present:
            raise PluginError(f"its module or name is already registered as {present}")
        self.register(module, name)
        declarations = [
            declaration
            for kind in KINDS.values()
            for hook in getattr(self.hook, kind.hook).get_hookimpls()
            if hook.plugin is module
            for declaration in _checked(kind, hook.function())
        ]
        for declaration in declarations:
            is_unseen = isinstance(declaration, DatasetSpec) and declaration.sniff is None
            if (isinstance(declaration, ReaderSpec) or is_unseen) and distribution != HOST:
                check_patterns(declaration)
        claimed = self._claimed.setdefault(distribution, set())
        claimed |= _claims(declarations, claimed)
        return declarations

    def parse_hookimpl_opts(self, plugin: object, name: str) -> pluggy.HookimplOpts | None:
        """Read the mark of a function; refuse hooks that would be ignored, and flags."""
        is_named = name.startswith("mteval_register_")
        found = vars(plugin).get(name) if isinstance(plugin, ModuleType) else plugin
        is_marked = isinstance(found, FunctionType) and hasattr(found, f"{PROJECT}_impl")
        if isinstance(plugin, ModuleType) and not (is_named or is_marked):
            return None  # no hook; pluggy takes longer to see it
        options = super().parse_hookimpl_opts(plugin, name)
        if options is None and not is_named:
            return None
        flags = [flag for flag, value in (options or {}).items() if value]
        if flags:
            raise PluginError(
                f"{name} is marked with {', '.join(sorted(flags))}, which no hook of mteval "
                f"supports: decorate it with @mteval_core.hookimpl alone"
            )
        if name not in HOOKS:
            raise PluginError(f"there is no hook {name!r}.{near(name, HOOKS)}")
        if options is None:
            raise PluginError(f"{name} is not marked as a hook: add @mteval_core.hookimpl")
        return options


def _checked(kind: Kind, returned: Any) -> list[Declaration]:
    """Return the declarations that a hook returned, as a list; a single one needs no list."""
    declarations: list[Any] = list(returned) if isinstance(returned, (list, tuple)) else [returned]
    if len(declarations) > MOST:
        raise PluginError(
            f"{kind.hook}: expected at most {MOST:,} declarations, got {len(declarations):,}"
        )
    for declaration in declarations:
        if not isinstance(declaration, kind.declaration):
            expected = kind.declaration.__name__
            raise PluginError(f"{kind.hook} returned {declaration!r}; expected {expected} objects")
        check_declaration(declaration)
    return declarations


def _claims(declarations: Iterable[Declaration], claimed: set[Claim]) -> set[Claim]:
    """Return the names that declarations claim, and refuse one that is claimed already."""
    new: set[Claim] = set()
    for declaration in declarations:
        kind, key = kind_of(type(declaration)), declaration.signature_key
        names = {(kind.plural, key, name) for name in declaration.names}
        if names & (claimed | new):
            raise PluginError(f"{kind.hook} returned {declaration.name!r} twice")
        new |= names
    return new

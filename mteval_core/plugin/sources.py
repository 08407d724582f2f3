"""The origin of a plugin: an installed distribution, the host, or a single file."""

from __future__ import annotations

import sys
from hashlib import sha256
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from mteval_core.errors import InputError, PluginError
from mteval_core.plugin.installed import Installed

if TYPE_CHECKING:
    from typing import Protocol

    class Distribution(Protocol):
        """The part of `importlib.metadata.Distribution` that the registry uses."""

        @property
        def name(self) -> str:
            """The name that the package index has."""
            ...

        @property
        def version(self) -> str:
            """The version that is installed."""
            ...

    class EntryPoint(Protocol):
        """The part of `importlib.metadata.EntryPoint` that the registry uses."""

        @property
        def name(self) -> str:
            """The name of the plugin."""
            ...

        @property
        def dist(self) -> Distribution:
            """The distribution that declares it."""
            ...

        def load(self) -> ModuleType:
            """Import its module."""
            ...


class PluginFile:
    """A plugin in a file, with the interface of an entry point.

    Parameters
    ----------
    path : str
        The file.

    Raises
    ------
    InputError
        If it cannot be read.
    """

    def __init__(self, path: str) -> None:
        try:
            self.code = Path(path).read_bytes()
        except (OSError, ValueError) as error:
            message = f"the plugin {path}: {getattr(error, 'strerror', None) or error}"
            raise InputError(message) from None
        self.path = path
        self.name = Path(path).stem
        self.dist = Installed(f"file-{sha256(self.code).hexdigest()[:12]}", "")

    def load(self) -> ModuleType:
        """Run the file as a module named after it.

        Raises
        ------
        PluginError
            If another module has the name.
        """
        present = sys.modules.get(self.name)
        if present is not None and getattr(present, "__file__", None) != self.path:
            message = f"a module {self.name!r} is already loaded; rename the file"
            raise PluginError(message)
        module = ModuleType(self.name)
        module.__file__ = self.path
        sys.modules[self.name] = module
        try:
            exec(compile(self.code, self.path, "exec"), vars(module))
        except BaseException:
            del sys.modules[self.name]
            raise
        return module

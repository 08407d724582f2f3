"""The pluggy markers of the project, in a module of their own so that plugins import little."""

from __future__ import annotations

import pluggy

PROJECT = "mteval"
"""Name of the pluggy project and of the entry-point group."""

hookspec = pluggy.HookspecMarker(PROJECT)
hookimpl = pluggy.HookimplMarker(PROJECT)

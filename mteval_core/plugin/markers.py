"""The project's pluggy markers, in a module of their own so that plugins import little."""

from __future__ import annotations

import pluggy

PROJECT = "mteval"
"""Name of the pluggy project and of the group of entry points."""

hookspec = pluggy.HookspecMarker(PROJECT)
"""Decorator that marks a function as the specification of a hook."""

hookimpl = pluggy.HookimplMarker(PROJECT)
"""Decorator that marks a function of a plugin as the implementation of a hook."""

"""Commands of the command line, as plugins declare them.

A command is a `mteval_core.CommandSpec` with two functions: one declares the arguments of the
command with an `Arguments`, the other runs it with a `Session`. The commands of the host are
declared in the same way.
"""

from __future__ import annotations

from mteval_core.commands.arguments import Arguments, Conflict, Flag
from mteval_core.commands.options import Options
from mteval_core.commands.session import Session

__all__ = ["Arguments", "Conflict", "Flag", "Options", "Session"]

"""Commands of the command line, as plugins declare them.

A command is a `mteval_core.CommandSpec` with two functions: one declares the arguments of the
command with an `mteval_core.Arguments`, the other runs it with a `mteval_core.Session`. The
commands of the host are declared in the same way.
"""

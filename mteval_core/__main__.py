"""``python -m mteval_core``: the command line.

Python puts the working folder first on its path, where anybody may have left modules and plugins.
The command ``mteval`` does not look there, and neither does this.
"""

import os
import sys

if sys.path[:1] in ([""], [os.getcwd()]):  # noqa: PTH109 - as Python writes it
    del sys.path[0]

from mteval_core.commands.main import script

script()

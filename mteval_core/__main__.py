"""``python -m mteval_core``: the command line."""

import sys

from mteval_core.commands.main import main

sys.exit(main())

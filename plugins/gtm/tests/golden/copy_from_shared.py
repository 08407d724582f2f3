"""Write the golden numbers beside this script anew, from ``../shared/golden``.

    python copy_from_shared.py PATH/TO/shared/golden

Only the runs of GTM on hand-made texts are copied.
"""

import re
import sys
from pathlib import Path

from mteval_core.testing.originals import copy_runs

ABOUT = {
    "tool": "GTM 1.4 (2008-01-27), built from its sources; where no command is given the key is it",
    "tolerance": "half of the last decimal: the segments of a run with a command and the paper's "
    "examples have 10, all else has 12",
}

if __name__ == "__main__":
    copy_runs(Path(sys.argv[1]), Path(__file__).parent, re.compile("gtm").match, ABOUT)

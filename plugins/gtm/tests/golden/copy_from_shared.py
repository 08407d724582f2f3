"""Copy golden runs from ``../shared/golden`` to the folder of this script.

    python copy_from_shared.py PATH/TO/shared/golden

It copies the runs of GTM on hand-made texts.
"""

import re
import sys
from pathlib import Path

from mteval_testing.originals import copy_runs

ABOUT = {
    "tool": "GTM 1.4 (2008-01-27), built from its sources; without a command, the key is the "
    "command",
    "tolerance": "half of the last decimal: the segments of a run with a command and the paper's "
    "examples have 10, all others have 12",
}

if __name__ == "__main__":
    copy_runs(Path(sys.argv[1]), Path(__file__).parent, re.compile("gtm").match, ABOUT)

"""Copy golden runs from ``../shared/golden`` to the folder of this script.

    python copy_from_shared.py PATH/TO/shared/golden

It copies the runs of METEOR 1.5 on hand-made texts and on the paper's example.
"""

import re
import sys
from pathlib import Path

from mteval_testing.originals import copy_runs

ABOUT = {
    "tool": "METEOR 1.5 (2014/2015 jar)",
    "tolerance": "half of the last decimal: 10 for segments and items, 12 for corpora",
}

if __name__ == "__main__":
    copy_runs(Path(sys.argv[1]), Path(__file__).parent, re.compile("meteor").match, ABOUT)

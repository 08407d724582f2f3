"""Copy golden runs from ``../shared/golden`` to the folder of this script.

    python copy_from_shared.py PATH/TO/shared/golden

It copies the runs of chrF on hand-made texts.
"""

import re
import sys
from pathlib import Path

from mteval_testing.originals import copy_runs

ABOUT = {
    "tools": "sacrebleu 2.6.0",
    "tolerance": "half of the last decimal: corpora have 12, their segments 8, single ones 10",
}

if __name__ == "__main__":
    is_chrf = re.compile("(?i)sacrebleu.*chrf").match
    copy_runs(Path(sys.argv[1]), Path(__file__).parent, is_chrf, ABOUT)

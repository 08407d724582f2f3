"""Copy golden runs from ``../shared/golden`` to the folder of this script.

    python copy_from_shared.py PATH/TO/shared/golden

It copies the runs of programs that compute error rates, except sclite, on hand-made texts and on
the paper's example.
"""

import re
import sys
from pathlib import Path

from mteval_testing.originals import copy_runs

ABOUT = {
    "tools": "tercom 0.8.0, WER.pl 1.0, PER.pl 1.0 (U. Alacant), jiwer 4.0.0, sacrebleu 2.6.0",
    "tolerance": "half of the last decimal: 10 for segments and items, 12 for corpora",
}

if __name__ == "__main__":
    is_ours = re.compile(r"tercom|WER|PER|jiwer|sacrebleu.*TER").match
    copy_runs(Path(sys.argv[1]), Path(__file__).parent, is_ours, ABOUT)

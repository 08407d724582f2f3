"""Copy golden runs from ``../shared/golden`` to the folder of this script.

    python copy_from_shared.py PATH/TO/shared/golden

It copies the runs of programs that compute BLEU or NIST, on hand-made texts and on the papers'
examples.
"""

import re
import sys
from pathlib import Path

from mteval_testing.originals import copy_runs

ABOUT = {
    "tools": "mteval-v13a.pl, mteval-v14.pl (which score identically), multi-bleu.perl, "
    "sacrebleu 2.6.0; without a command, the key is the command",
    "tolerance": "half of the last decimal: *_1to9 have 4, multi-bleu has 2 (BLEU), 1 "
    "(precisions), 3 (BP, ratio), segments have 8 or 10, all others have 12",
}

if __name__ == "__main__":
    is_ours = re.compile("mteval|multi-bleu|sacrebleu.*(BLEU|counts)").match
    copy_runs(Path(sys.argv[1]), Path(__file__).parent, is_ours, ABOUT)

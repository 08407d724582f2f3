"""Copy golden runs from ``../shared/golden`` to the folder of this script.

    python copy_from_shared.py PATH/TO/shared/golden

It copies the runs of ROUGE-1.5.5 on hand-made texts and on the papers' examples, and one stem in
eight.
"""

import re
import sys
from pathlib import Path

from mteval_testing.originals import copy_runs

ABOUT = {
    "tool": "ROUGE-1.5.5.pl (2005-05-26) with the WordNet 2.0 exception list; without a "
    "command: ROUGE-1.5.5.pl -e data -z SPL -n 4 -w 1.2 -2 -1 -U -c 95 -d, and -x -2 4 -U",
    "tolerance": "none for R, P, F of segments, which are printed with 5 decimals; half of the "
    "last decimal for averages (5) and weighted counts (12, in runs with a command 6)",
}

if __name__ == "__main__":
    shared, here = Path(sys.argv[1]), Path(__file__).parent
    copy_runs(shared, here, re.compile("rouge").match, ABOUT)
    head, *rows = (shared / "stems" / "stems.tsv").read_text(encoding="utf-8").splitlines()
    lines = ["\t".join(line.split("\t")[:3]) for line in [head, *rows[::8]]]
    (here / "stems.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")

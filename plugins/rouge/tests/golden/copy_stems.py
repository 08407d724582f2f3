"""Copy one stem in eight of those that ROUGE-1.5.5 makes from ``../shared/golden``.

python copy_stems.py PATH/TO/shared/golden
"""

import sys
from pathlib import Path

if __name__ == "__main__":
    shared, here = Path(sys.argv[1]), Path(__file__).parent
    head, *rows = (shared / "stems" / "stems.tsv").read_text(encoding="utf-8").splitlines()
    lines = ["\t".join(line.split("\t")[:3]) for line in [head, *rows[::8]]]
    (here / "stems.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")

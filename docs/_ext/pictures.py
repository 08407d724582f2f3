"""Draw the pictures of the pages again, by the commands of the pages. Look at them afterwards.

::

    python docs/_ext/pictures.py
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

DOCS = Path(__file__).parents[1]


def draw(page: Path) -> None:
    """Run the blocks of a page that write one of its pictures, and keep what they write."""
    text = page.read_text(encoding="utf-8")
    for picture in re.findall(r"\]\(([\w/-]+\.svg)\)", text):
        name = Path(picture).name
        blocks = re.findall(r"^```sh\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
        (block,) = (block for block in blocks if f" {name}" in block)
        command = re.sub(
            r"^mteval ", f"{sys.executable} -m mteval_core ", block, flags=re.MULTILINE
        )
        with tempfile.TemporaryDirectory() as folder:
            shutil.copytree(DOCS.parent / "examples", Path(folder, "examples"))
            subprocess.run(["/bin/sh", "-ec", command], cwd=folder, check=True)
            shutil.copy(Path(folder, name), DOCS / picture)


if __name__ == "__main__":
    for each in sorted(DOCS.glob("*.md")):
        draw(each)

"""The pictures of the pages.

``python docs/_ext/pictures.py`` draws them again, by the commands of the pages. Look at them
afterwards.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from docutils import nodes

DOCS = Path(__file__).parents[1]


def setup(app: Any) -> dict[str, bool]:
    """Mark plots on white paper, which the style sheet inverts on dark pages."""
    app.connect("doctree-read", lambda _, doctree: mark_plots(doctree))
    return {"parallel_read_safe": True}


def mark_plots(doctree: nodes.document) -> None:
    """Add the class ``plot`` to the pictures of matplotlib; others follow the page's colours."""
    for image in doctree.findall(nodes.image):
        if 'class="mteval"' not in (DOCS / image["uri"]).read_text(encoding="utf-8"):
            image["classes"].append("plot")


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
            shutil.copy(Path(folder, name), page.parent / picture)


if __name__ == "__main__":
    for each in sorted([*DOCS.glob("*.md"), *DOCS.parent.glob("plugins/*/docs/*.md")]):
        draw(each)

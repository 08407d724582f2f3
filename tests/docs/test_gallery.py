"""The pictures of the gallery are what its commands draw.

``python tests/docs/test_gallery.py`` draws them again. Look at them afterwards.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "gallery.md").read_text(encoding="utf-8")
NAMES = sorted(re.findall(r"\]\(gallery/(\w+)\.svg\)", PAGE))


def commands(name: str) -> str:
    """The block of commands that writes a picture."""
    (block,) = (
        block
        for block in re.findall(r"^```sh\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
        if f"-o {name}.svg" in block
    )
    return block.replace("mteval explain", f"{sys.executable} -m mteval_core explain")


def draw(name: str, folder: Path) -> bytes:
    subprocess.run(["/bin/sh", "-ec", commands(name)], cwd=folder, check=True)
    return (folder / f"{name}.svg").read_bytes()


def test_every_picture_is_on_the_page() -> None:
    assert [path.stem for path in sorted((DOCS / "gallery").iterdir())] == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_a_picture_is_what_its_command_draws(name: str, tmp_path: Path) -> None:
    for package in ("mteval_gtm", "mteval_rouge", "mteval_meteor_fmean", "mteval_error_rates"):
        pytest.importorskip(package)
    assert draw(name, tmp_path) == (DOCS / "gallery" / f"{name}.svg").read_bytes()


if __name__ == "__main__":
    for picture in NAMES:
        (DOCS / "gallery" / f"{picture}.svg").write_bytes(draw(picture, Path(tempfile.mkdtemp())))

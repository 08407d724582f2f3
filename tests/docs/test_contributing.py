"""The pages for contributors name files that exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]
ROOTS = (REPOSITORY, REPOSITORY / "mteval_core")
PAGES = ("CONTRIBUTING.md", "docs/architecture.md")


def paths(page: str) -> set[str]:
    """Code words of a page with a slash or the suffix of a file; NAME stands for any name."""
    words = re.findall(r"`([\w./*-]+)`", page)
    named = {word.replace("NAME", "*") for word in words if "/" in word or "." in word[1:]}
    return {word for word in named if "/" in word or Path(word).suffix in (".py", ".md", ".ini")}


@pytest.mark.parametrize("page", PAGES)
def test_every_path_exists(page: str) -> None:
    named = paths((REPOSITORY / page).read_text(encoding="utf-8"))
    assert len(named) > 10
    assert [path for path in sorted(named) if not any([*root.glob(path)] for root in ROOTS)] == []


def test_the_architecture_fits_on_150_lines() -> None:
    page = REPOSITORY / "docs" / "architecture.md"
    assert len(page.read_text(encoding="utf-8").splitlines()) < 150

"""The page of the papers: each picture is drawn by a command of the page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]
FOLDER = REPOSITORY / "plugins" / "metaeval" / "docs" / "papers"
PAGE = FOLDER.with_suffix(".md").read_text(encoding="utf-8")
NAMES = sorted(re.findall(r"\]\(papers/([\w-]+)\.svg\)", PAGE))


def command_of(name: str) -> str:
    """The command that writes a picture."""
    (command,) = (
        block
        for block in re.findall(r"^```sh\n(.*?)^```$", PAGE, re.M | re.S)
        if f" {name}.svg" in block
    )
    return command


def words(picture: str) -> set[str]:
    """What a picture says, apart from the numbers at its axes."""
    return {
        text for text in re.findall(r">([^<>]+)</text>", picture) if not re.match(r"[−0-9]", text)
    }


def test_every_picture_is_on_the_page() -> None:
    assert sorted(path.stem for path in FOLDER.iterdir()) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_a_picture_shows_what_its_command_names(name: str) -> None:
    command, shown = command_of(name), words((FOLDER / f"{name}.svg").read_text("utf-8"))
    (metrics,) = re.findall(r"-m (.*?)(?= -| \\|\n)", command) or [""]
    renamed = dict(new.rsplit("=", 1) for new in re.findall(r"(\S+=\w+)(?=\s)", command))
    for metric in metrics.split():
        label = renamed.get(metric, metric)
        assert any(label.lower() in text.lower() for text in shown), label
    for criterion in re.findall(r"--criteria (\w+)", command):
        assert any(criterion in text for text in shown)
    assert len(shown) > 3


def test_every_table_and_figure_of_the_papers_has_a_place() -> None:
    sections = dict(re.findall(r"^## (\w+).*?\n(.*?)(?=^## |\Z)", PAGE, re.M | re.S))
    for paper, things in {
        "Melamed": ("Figures 1 and 2", "Figure 3"),
        "Turian": ("Figures 1 and 2", "Figure 3", "Figure 4", "Figure 5"),
        "Lavie": ("Tables 1 and 2", "Tables 3 and 4"),
        "Lin": ("Table 1", "Human performance"),
        "Federico": (
            "WER's example",
            "BLEU's example",
            "The tables of two hypotheses",
            "The penalties of BLEU and NIST",
            "case study",
            "Consistency of graders",
            "Subjective against automatic scores",
        ),
    }.items():
        for thing in things:
            assert f"**{thing}**" in sections[paper]

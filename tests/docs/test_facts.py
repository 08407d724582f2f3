"""What the pages state about the code, about each other and about the literature is so."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import pytest

import mteval_core as mt
from mteval_core.plugin.declarations import TokenizerSpec
from mteval_core.text.lookup import tokenizer_of_language

REPOSITORY = Path(__file__).parents[2]
DOCS = REPOSITORY / "docs"
PAGES = [*DOCS.glob("*.md"), *REPOSITORY.glob("plugins/*/docs/*.md")]
READMES = [REPOSITORY / "README.md", *REPOSITORY.glob("plugins/*/README.md")]


def page(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


def test_the_start_page_links_to_every_recipe() -> None:
    titles = re.findall(r"^## (.*)$", page("cookbook.md"), re.MULTILINE)
    anchors = [re.sub(r"[^\w -]", "", title).replace(" ", "-").lower() for title in titles]
    assert len(anchors) == 13
    assert re.findall(r"\(cookbook\.md#(.*?)\)", page("index.md")) == anchors


def headings(path: Path) -> set[str]:
    """The anchors of the headings of a page."""
    text = re.sub(r"^```.*?^```$", "", path.read_text(encoding="utf-8"), flags=re.M | re.S)
    titles = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title).replace(" ", "-").lower() for title in titles}


@pytest.mark.parametrize(
    "path", [*READMES, *PAGES], ids=lambda path: str(path.relative_to(REPOSITORY))
)
def test_every_link_leads_to_a_heading_of_a_page(path: Path) -> None:
    text = re.sub(r"^```.*?^```$", "", path.read_text(encoding="utf-8"), flags=re.M | re.S)
    for target in re.findall(r"\]\((?!\w+:)([^)\s]+)\)", text):
        name, _, anchor = target.partition("#")
        to = path.parent / name if name else path
        if "generated" not in to.parts:
            assert to.exists(), target
            assert not anchor or anchor in headings(to), target


def test_the_picture_of_the_readme_is_that_of_the_start_page() -> None:
    """The tests of pages draw it again, by the command that the README names."""
    readme = (REPOSITORY / "README.md").read_text(encoding="utf-8")
    (picture,) = re.findall(r"!\[[^]]+\]\(\S*docs/(\S+)\)", readme)
    (flags,) = re.findall(r"`(-m [^`]*\.svg)`", readme)
    shown, command, _ = page("index.md").split("```", maxsplit=2)
    assert f"]({picture})" in shown
    assert f"{flags}\n" in command.replace("\\\n   ", "")


def test_every_environment_variable_that_is_read_is_listed() -> None:
    packages = [REPOSITORY / "mteval_core", *(REPOSITORY / "plugins").glob("*/mteval_*")]
    sources = [path.read_text(encoding="utf-8") for root in packages for path in root.rglob("*.py")]
    code = "\n".join(sources)
    read = set(re.findall(r'environ(?:ment)?(?:\.\w+\(|\[)"(\w+)"', code))
    read |= set(re.findall(r'"(\w+)" (?:not )?in (?:os\.)?environ', code))
    table = page("messages.md").partition("## Environment variables")[2].partition("\n## ")[0]
    listed = set(re.findall(r"`([A-Z][A-Z_]+)`(?=[^|]*\|[^|]*\|$)", table, re.MULTILINE))
    assert len(read) > 15
    assert read - {"COMP_LINE", "_ARGCOMPLETE"} <= listed  # what completion tells itself
    assert all(f'"{name}"' in code for name in listed - {"COLUMNS", "MTEVAL_KERNELS"})


def test_the_exit_codes_are_those_of_the_command_line() -> None:
    table = page("messages.md").partition("## Exit codes")[2].partition("\n## ")[0]
    documented = re.findall(r"^\| (\d+) \|", table, re.MULTILINE)
    main = (REPOSITORY / "mteval_core" / "commands" / "main.py").read_text(encoding="utf-8")
    (stated,) = re.findall(r"Exit code: (.*?)\.\n", main, re.DOTALL)
    assert re.findall(r"\d+", stated) == documented


@pytest.mark.filterwarnings("ignore::mteval_core.MtevalWarning")
def test_the_tokenizers_of_languages() -> None:
    registry = mt.default_registry()
    if len(registry.of_kind(TokenizerSpec)) < 15:
        pytest.skip("mteval-tokenizers is not installed")
    table = page("choosing.md").partition("## A tokenizer for the language")[2]
    for language, code in {"Chinese": "zh", "Japanese": "ja", "Korean": "ko", "Thai": "th"}.items():
        (stated,) = re.findall(rf"^\| {language} \| `([\w-]+)`", table, re.MULTILINE)
        declared = {
            entry.declaration.name
            for entry in registry.of_kind(TokenizerSpec)
            if code in entry.declaration.languages
        }
        assert stated in declared
    assert tokenizer_of_language("km", registry) == "char"


def test_the_literature_has_every_paper_that_is_cited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(DOCS / "_ext")
    citations = import_module("citations")
    cited: set[str] = set()
    for path in {*PAGES} - {DOCS / "bibliography.md"}:
        text = re.sub(r"^```.*?^```$|`[^`]*`", "", path.read_text("utf-8"), flags=re.M | re.S)
        cited |= {citations.plain(each) for each in citations.CITED.findall(text)}
    assert len(cited) > 30
    assert cited - citations.anchors().keys() == set()


def test_no_link_of_the_literature_comes_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(DOCS / "_ext")
    lines = import_module("citations").literature()
    links = re.findall(r"\]\((https://.*?)\)", "".join(lines))
    assert len(links) == len(set(links)) > 40
    assert [line for line in lines if not import_module("citations").ENTRY.match(line)] == []

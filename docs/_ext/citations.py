"""The list of literature, and citations such as "Koehn 2004" as links to it."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from pathlib import Path
from typing import Any

from docutils import nodes

from mteval_core.report.literature import bibtex_entries

LITERATURE = "literature"
PAGE = "bibliography"
NAME = r"(?:O')?[A-Z][a-zéćß]+"
YEAR = r"(?:19|20)\d\db?"
CITED = re.compile(
    rf"\b{NAME}(?:,\s+{NAME})*(?:\s+and\s+{NAME}|\s+et\s+al\.)?\s+(?:\({YEAR}\)|{YEAR}\b)"
)
ENTRY = re.compile(rf"^(?P<who>.*?) \((?P<year>{YEAR})\)\. ")
LINK = re.compile(r"^  (doi|url) = \{(.*?)\}", re.MULTILINE)

BIBTEX_FIELD = re.compile(r'(\w+)\s*=\s*(?:\{((?:[^{}]|\{[^{}]*\})*)\}|"([^"]*)"|(\d+))')

ACCENTS = {"'": "\u0301", "`": "\u0300", '"': "\u0308", "^": "\u0302", "~": "\u0303", "c": "\u0327"}
ACCENT = re.compile(r"""\\(['`"^~]|c(?=\{))\{?(\w)\}?""")
"""Accents of TeX, as characters that follow a letter."""

MOST_AUTHORS = 4
"""A citation names this many authors, and of more only the first."""

NO_LINKS = (nodes.literal, nodes.literal_block, nodes.reference, nodes.title)


def setup(app: Any) -> dict[str, bool]:
    """Name the entries when the list is read, and link to them when pages are written."""
    app.connect("doctree-read", name_entries)
    app.connect("doctree-resolved", link_citations)
    return {"parallel_read_safe": True}


def authors(entry: re.Match[str]) -> list[str]:
    """Return the last names of the authors of an entry."""
    return re.findall(rf"{NAME}(?=,| and|$| et al)", entry["who"])


def anchor_of(entry: re.Match[str]) -> str:
    """Return the anchor of an entry, such as 'efron-stein-1981'."""
    return "-".join([*authors(entry), entry["year"]]).lower().replace("'", "")


@cache
def literature() -> list[str]:
    """List the papers of all BibTeX files, the second one of a year with a letter."""
    root = Path(__file__).parents[2]
    files = [root / "docs" / f"{LITERATURE}.bib", *root.glob("mteval_core/**/*.bib")]
    papers: dict[str, str] = {}
    for path in (*files, *root.glob("plugins/*/mteval_*/**/*.bib")):
        papers |= bibtex_entries(path)
    lines: dict[str, str] = {}
    for line, entry in sorted((citation(entry), entry) for entry in papers.values()):
        who, year = line.partition(")")[0].split(" (")
        key = f"{who} ({year})" if f"{who} ({year})" not in lines else f"{who} ({year}b)"
        lines[key] = f"{key}{line.partition(')')[2]}{linked_to(entry)}"
    return [*lines.values()]


def citation(entry: str) -> str:
    """Write an entry of BibTeX for readers: who, when, what and where.

    Parameters
    ----------
    entry : str
        The entry.

    Returns
    -------
    str
        One line.

    Examples
    --------
    >>> citation("@book{key, author = {Li, A. and Wu, B.}, title = {On {MT}}, year = 2001}")
    'Li and Wu (2001). On MT.'
    >>> citation("@misc{key, author = {Li, A.}, title = {Is {MT} solved?}, year = 2002}")
    'Li (2002). Is MT solved?'
    """
    plain = {name.lower(): _plain("".join(value)) for name, *value in BIBTEX_FIELD.findall(entry)}
    names = [author.partition(",")[0] for author in plain.get("author", "").split(" and ")]
    who = ", ".join(names[:-1]) + " and " * (len(names) > 1) + names[-1]
    if len(names) > MOST_AUTHORS:
        who = f"{names[0]} et al."
    places = ("booktitle", "journal", "publisher", "howpublished", "institution", "url")
    where = next((plain[place] for place in places if place in plain), "")
    parts = [f"{who} ({plain.get('year', 'no year')})".strip(), plain.get("title", ""), where]
    ended = (part if part.endswith((".", "?", "!")) else f"{part}." for part in parts if part)
    return " ".join(ended)


def _plain(value: str) -> str:
    """Write a field without the commands of TeX."""
    value = value.replace("\\ss", "ß")
    value = ACCENT.sub(lambda match: match[2] + ACCENTS[match[1]], value)
    return unicodedata.normalize("NFC", " ".join(re.sub(r"[{}\\]", "", value).split()))


def linked_to(entry: str) -> str:
    """Write the link of an entry, if it has one."""
    address = dict(LINK.findall(entry))
    if "doi" in address:
        return f" [doi:{address['doi']}](https://doi.org/{address['doi']})"
    return f" [{address['url'].split('//')[1].strip('/')}]({address['url']})" if address else ""


@cache
def anchors() -> dict[str, str]:
    """Return the anchor of each way to cite an entry: with all names, and with 'et al.'."""
    found = {}
    for entry in filter(None, map(ENTRY.match, literature())):
        names = authors(entry)
        everybody = " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))
        found[f"{everybody} {entry['year']}"] = anchor_of(entry)
        if len(names) > 2 or "et al" in entry["who"]:
            found[f"{names[0]} et al. {entry['year']}"] = anchor_of(entry)
    return found


def plain(citation: str) -> str:
    """Write a citation on one line, without parentheses."""
    return " ".join(re.sub(r"[()]", "", citation).split())


def name_entries(app: Any, doctree: nodes.document) -> None:
    """Give each entry of the literature its anchor."""
    if app.env.docname != PAGE:
        return
    for item in doctree.findall(nodes.list_item):
        entry = ENTRY.match(" ".join(item.astext().split()))
        assert entry is not None, item.astext()
        item["ids"].append(anchor_of(entry))


def link_citations(app: Any, doctree: nodes.document, page: str) -> None:
    """Turn the citations of a page into links."""
    if page == PAGE:
        return
    target = app.builder.get_relative_uri(page, PAGE)
    for text in list(doctree.findall(nodes.Text)):
        if not isinstance(text.parent, NO_LINKS) and CITED.search(text):
            text.parent.replace(text, linked(str(text), target))


def linked(text: str, target: str) -> list[nodes.Node]:
    """Split a text into plain texts and links."""
    parts: list[nodes.Node] = []
    end = 0
    for match in CITED.finditer(text):
        if anchor := anchors().get(plain(match[0])):
            link = nodes.reference("", match[0], internal=True, refuri=f"{target}#{anchor}")
            parts += [nodes.Text(text[end : match.start()]), link]
            end = match.end()
    return [*parts, nodes.Text(text[end:])]

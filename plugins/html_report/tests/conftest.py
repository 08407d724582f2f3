"""Pages that tests read, and a registry with a metric."""

from __future__ import annotations

import json
from base64 import b64decode
from gzip import decompress
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import mteval_core as mt

if TYPE_CHECKING:
    from collections.abc import Callable

METRICS = str(Path(__file__).with_name("lengths.py"))

VOID = {"meta", "br", "input", "link", "img", "colgroup"}


class Page(HTMLParser):
    """The elements of a page, which must be balanced, with their attributes and texts."""

    def __init__(self, written: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[tuple[str, str]] = []
        self.feed(written)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.texts.append((self.open[-1] if self.open else "", data))

    def all(self, tag: str) -> list[dict[str, str | None]]:
        """Attributes of all elements with a name."""
        return [attributes for name, attributes in self.elements if name == tag]

    def inside(self, tag: str) -> list[str]:
        """Texts directly in elements with a name."""
        return [text for name, text in self.texts if name == tag]

    @property
    def text(self) -> str:
        """All that readers see."""
        return " ".join(text for name, text in self.texts if name not in ("script", "style"))

    @property
    def data(self) -> Any:
        """The data of the browser of segments."""
        types = [attributes.get("type") for attributes in self.all("script")]
        content = self.inside("script")[0]
        if types[0] == "application/gzip":
            content = decompress(b64decode(content)).decode()
        return json.loads(content)


@pytest.fixture(scope="session")
def page() -> Callable[[str], Page]:
    return Page


@pytest.fixture(scope="session")
def registry() -> mt.Registry:
    return mt.load_registry([], files=[METRICS])

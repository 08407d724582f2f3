"""The page as a whole: what it holds, what it forbids, and that texts are texts."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mteval_html_report.browser import chosen
from mteval_html_report.data import LARGE, packed
from mteval_html_report.report import asset, html
from mteval_html_report.visible import HIDDEN, visible

import mteval_core as mt
from mteval_core import main
from mteval_core.report import Picture, Table

if TYPE_CHECKING:
    from collections.abc import Callable

METRICS = str(Path(__file__).with_name("lengths.py"))

HOSTILE = [
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "a\u202eb\u2066c",
    "nul\x00 escape\x1b[31m",
    "<!-- <script>",
    "👩‍🚀 مرحبا שלום {{ 7 * 7 }} {% raw %}",
    "]]> &amp; \u2028 $`${x}`",
    "x " * 500_000,
]
NAMES = ("<b>A</b>", '"><img src=x onerror=alert(1)>', "{{ report }}")


@pytest.fixture(scope="module")
def evaluation(registry: mt.Registry) -> mt.Evaluation:
    """Score hostile texts of systems with hostile names."""
    systems = dict(zip(NAMES, (HOSTILE, HOSTILE[::-1], ["a b"] * len(HOSTILE)), strict=True))
    documents = [f"<i>{i // 2}" for i in range(len(HOSTILE))]
    scored = mt.evaluate(
        systems, [HOSTILE], ["shared", "lacking"], documents=documents, registry=registry
    )
    return scored.confidence(50, registry=registry).compare(
        all_pairs=True, registry=registry, correct="none"
    )


def written(evaluation: mt.Evaluation, layout: mt.Layout | None = None) -> str:
    return str(mt.write_report(evaluation, "html", layout))


@pytest.fixture(scope="module")
def hostile(evaluation: mt.Evaluation, page: Callable[[str], Any]) -> Any:
    return page(written(evaluation))


def test_the_policy_names_the_one_script_and_the_one_style(hostile: Any) -> None:
    policy = next(m["content"] for m in hostile.all("meta") if "http-equiv" in m)
    for tag in ("script", "style"):
        content = hostile.inside(tag)[-1]
        hashed = b64encode(sha256(content.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{hashed}'" in policy
    assert policy.startswith("default-src 'none';")
    assert "unsafe" not in policy
    assert [attributes.get("type") for attributes in hostile.all("script")] == [
        "application/gzip",
        None,
    ]
    assert len(hostile.all("style")) == 1


def test_nothing_is_inline_and_nothing_is_fetched(hostile: Any) -> None:
    tags = {tag for tag, _ in hostile.elements}
    assert not tags & {"img", "link", "iframe", "b", "i", "object", "base", "form"}
    for tag, attributes in hostile.elements:
        assert not [name for name in attributes if name.startswith("on") or name == "style"], tag
        assert (attributes.get("href") or "#").startswith("#")
        assert "src" not in attributes
    script = asset("page.js")
    for sink in (
        "innerHTML",
        "outerHTML",
        "insertAdjacent",
        "document.write",
        "eval(",
        "Function(",
    ):
        assert sink not in script
    assert not re.search(r"https?:", script + asset("page.css"))


def test_script_and_style_are_small() -> None:
    assert len(asset("page.js").encode()) + len(asset("page.css").encode()) < 18_500


def test_names_are_texts(hostile: Any) -> None:
    assert set(NAMES) <= {text.strip() for text in hostile.inside("bdi")}
    assert set(NAMES) <= set(hostile.inside("option"))
    assert "<i>0" in hostile.inside("bdi")  # a document, among the parts


def test_segments_are_data(hostile: Any) -> None:
    data = hostile.data
    assert data["systems"] == list(NAMES)
    assert data["metrics"] == ["shared", "lacking"]
    assert data["signs"] == [1, -1]
    assert [row[0] for row in data["segments"]] == list(range(len(HOSTILE)))
    assert [row[3] for row in data["segments"]] == [[text] for text in HOSTILE]
    assert [row[4][1] for row in data["segments"]] == HOSTILE[::-1]
    assert [data["documents"][row[1]] for row in data["segments"]][:3] == ["<i>0", "<i>0", "<i>1"]


def test_scores_are_those_of_the_evaluation(evaluation: mt.Evaluation, hostile: Any) -> None:
    found = np.array([row[5] for row in hostile.data["segments"]])
    for m, spec in enumerate(evaluation.scorers):
        for k, system in enumerate(evaluation.systems):
            expected = evaluation.scores.values(system, spec, "segment")[:, 0]
            np.testing.assert_allclose(found[:, m, k], expected, rtol=5e-4)


def test_hidden_characters_are_visible_and_joiners_stay() -> None:
    assert visible("a\u202eb\x00\x1b\u2028") == "a⟨U+202E⟩b⟨U+0000⟩⟨U+001B⟩⟨U+2028⟩"
    assert visible("👩‍🚀 می‌خواهم\t\n") == "👩‍🚀 می‌خواهم\t\n"
    assert visible("\ud800 \ufffe") == "⟨U+D800⟩ ⟨U+FFFE⟩"
    assert visible(7) == 7
    assert f"const HIDDEN=/{HIDDEN}/gu;" in asset("page.js")


@pytest.mark.parametrize("n", [1, LARGE])
def test_data_survives_the_page(page: Callable[[str], Any], n: int) -> None:
    value = ["</script><!--", "\x00\u2028\ufeff\r\n", "x" * n, {"a": None}]
    form, content = packed(value)
    assert form == f"application/{'gzip' if n == LARGE else 'json'}"
    read = page(f'<script type="{form}">{content}</script>')
    assert read.data == value
    assert len(read.elements) == 1
    assert packed(value) == (form, content)


@given(st.text(st.characters(exclude_categories=())))
def test_any_text_survives_and_can_be_seen(page: Callable[[str], Any], text: str) -> None:
    form, content = packed([text])
    read = page(f'<script type="{form}">{content}</script>')
    # A surrogate is an escape in the file, and two that make a pair are one character.
    assert read.data == json.loads(json.dumps([text]))
    assert len(read.elements) == 1
    assert not re.search(HIDDEN, str(visible(text)))


def test_a_page_without_comparisons_has_no_pairs(
    registry: mt.Registry, page: Callable[[str], Any]
) -> None:
    scored = mt.evaluate({"A": ["a b"]}, [["a c"]], "shared", registry=registry, kept=mt.Kept())
    read = page(written(scored))
    assert "All pairs" not in read.text
    assert read.data["metrics"] == []
    assert "Without scores of segments: shared." in read.text
    assert read.data["segments"] == [[0, None, None, ["a c"], ["a b"], [], []]]
    assert [attributes["id"] for attributes in read.all("select")] == ["a"]


def test_several_runs_and_the_level_of_segments(
    registry: mt.Registry, page: Callable[[str], Any]
) -> None:
    systems = {"A": [["a b", "c"], ["a a", "d"]], "B": ["a x", "c"]}
    scored = mt.evaluate(systems, [["a c", "c"]], "shared", registry=registry)
    read = page(written(scored, mt.Layout("segment")))
    assert "first run" in read.text
    assert "tables" not in [one.get("id") for one in read.all("section")]
    assert [row[5] for row in read.data["segments"]] == [[[75, 50]], [[50, 100]]]


@pytest.mark.parametrize("n_systems", [1, 2, 4])
def test_of_many_segments_the_most_different_are_chosen(n_systems: int) -> None:
    scores = np.random.default_rng(3).normal(size=(500, n_systems))
    numbers = chosen(scores, 500, 60)
    assert numbers == sorted(set(numbers))
    assert 10 <= len(numbers) <= 60
    if n_systems == 2:
        difference = np.abs(scores[:, 0] - scores[:, 1])
        assert set(numbers) == {*np.argsort(-difference)[:60].tolist()}
    if n_systems == 4:
        for a, b in [(0, 1), (0, 3), (2, 3)]:
            order = np.argsort(-np.abs(scores[:, a] - scores[:, b]))
            assert {*order[:10].tolist()} <= set(numbers)
    assert chosen(None, 500, 60) == list(range(60))
    assert chosen(scores, 500, 500) == list(range(500))


def test_a_page_says_that_segments_are_left_out(
    registry: mt.Registry, page: Callable[[str], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chosen, "__defaults__", (2,))
    systems = {"A": ["a", "a b", "c"], "B": ["a", "x y", "d"]}
    scored = mt.evaluate(systems, [["a", "a b", "c c"]], "shared", registry=registry)
    read = page(written(scored))
    assert "2 of 3 segments are in this file: those in which two systems differ most" in read.text
    assert [row[0] for row in read.data["segments"]] == [1, 2]


# Commands


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in {"ref": "a b\nc d\n", "x": "a b\nc <i>\n", "y": "a e\nf d\n"}.items():
        Path(name).write_text(text)
    return tmp_path


def run(*arguments: str) -> str:
    assert main(["-p", METRICS, *arguments, "-o", "page.html"]) == 0
    return Path("page.html").read_text(encoding="utf-8")


@pytest.mark.usefixtures("small")
def test_score_keeps_the_scores_of_segments(page: Callable[[str], Any]) -> None:
    read = page(run("score", "ref", "-i", "x", "y", "-m", "shared"))
    assert read.inside("h1") == ["Scores"]
    assert "2 systems, 1 metric, 2 segments, 1 reference" in read.text
    assert [row[5] for row in read.data["segments"]] == [
        [[100, 50]],
        [[25, 50]],
    ]  # <i>: 3 words
    assert len(re.findall(r"\b[0-9a-f]{32}\b", read.text)) == 3
    assert any("|nrefs:1|" in signature for signature in read.inside("code"))


@pytest.mark.usefixtures("small")
def test_the_source_is_shown_although_no_metric_uses_it(page: Callable[[str], Any]) -> None:
    arguments = ["score", "ref", "-i", "x", "-m", "shared", "--source", "y"]
    read = page(run(*arguments))
    assert [row[2] for row in read.data["segments"]] == ["a e", "f d"]


@pytest.mark.usefixtures("small")
def test_explain_shows_spans_pictures_and_terms(page: Callable[[str], Any]) -> None:
    pytest.importorskip("mteval_explain")
    read = page(run("explain", "ref", "-i", "x", "y", "-m", "shared", "--segment", "1"))
    assert "x, segment 1, shared" in read.text
    assert read.inside("b") == ["c", "c", "d", "d"]
    assert "words <h>" in read.text
    assert "⟨" not in read.text
    assert len(read.all("svg")) == 2
    assert not read.all("img")


def test_a_picture_that_a_report_begins_with_stands_first(page: Callable[[str], Any]) -> None:
    picture = Picture("p", "Overview", text=str, html=lambda _: "<b>drawn</b>", svg=str)
    table = Table.of(["system", "wins"], [["A", "3"]])
    for parts, expected in (
        ([picture, table], ["pictures", "tables", "about"]),
        ([table, picture], ["tables", "pictures", "about"]),
    ):
        report = mt.Report.of("x", "X", parts, [], inputs={})
        read = page(html(report, mt.Layout()))
        assert [one["id"] for one in read.all("section")] == expected
        assert [one["href"] for one in read.all("a")] == [f"#{name}" for name in expected]


@pytest.mark.usefixtures("small")
def test_correlate_has_its_tables(page: Callable[[str], Any]) -> None:
    pytest.importorskip("mteval_metaeval")
    Path("ratings.tsv").write_text(
        "system\tsegment\tscore\n"
        + "".join(f"{s}\t{i}\t{i + (s == 'x')}\n" for s in "xy" for i in (0, 1))
    )
    read = page(run("correlate", "ref", "-i", "x", "y", "-m", "shared", "--human", "ratings.tsv"))
    assert len(read.all("table")) >= 2
    assert "shared" in " ".join(read.inside("bdi"))
    assert not read.all("select")


def test_the_page_has_the_title_the_note_and_the_date(
    page: Callable[[str], Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    monkeypatch.chdir(tmp_path)
    for name in ("ref.txt", "a.txt"):
        Path(name).write_text("a b\nc\n", encoding="utf-8")
    words = ["--title", "Our <systems>", "--note", "For & you.", "-o", "x.html", "-q"]
    assert main(["-p", METRICS, "score", "ref.txt", "-i", "a.txt", "-m", "shared", *words]) == 0
    read = page(Path("x.html").read_text("utf-8"))
    assert read.inside("title") == read.inside("h1") == ["Our <systems>"]
    assert read.inside("time") == ["2 January 1970"]
    assert "For & you." in read.inside("bdi")


def test_the_heading_of_the_parts_says_what_they_are(
    hostile: Any, registry: mt.Registry, page: Callable[[str], Any]
) -> None:
    assert "By length and document" in hostile.text
    scored = mt.evaluate({"A": ["a"]}, [["a"]], "shared", registry=registry)
    assert page(written(scored)).text.count("By length") == 2

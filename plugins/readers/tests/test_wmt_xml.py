"""The XML of WMT: the texts that sacreBLEU reads, and what is refused.

The layout is that of the schema of wmt-conference/wmt-format-tools, with ``collection`` and
``domain`` as in the files of WMT 2022 to 2024. sacreBLEU's own reader reads the same file.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from mteval_readers import wmt_xml

import mteval_core as mt

if TYPE_CHECKING:
    from collections.abc import Callable

FILE = """<?xml version='1.0' encoding='utf-8'?>
<dataset id="generaltest2024">
  <collection id="general">
    <doc origlang="en" id="news.1" domain="news">
      <src lang="en"><p><seg id="1">One  house.</seg><seg id="2">Two &amp; more.</seg></p>
        <p><seg id="3">Three.</seg></p></src>
      <ref lang="de" translator="refA"><p><seg id="1">Ein Haus.</seg><seg id="2">Zwei &lt; drei.
        </seg></p><p><seg id="3">Drei sind es.</seg></p></ref>
      <ref lang="de" translator="refB"><p><seg id="1">Das eine Haus.</seg><seg id="2">Zwei.</seg>
        </p><p><seg id="3">Drei Stück sind es.</seg></p></ref>
      <hyp lang="de" system="S1"><p><seg id="1">Ein Haus.</seg><seg id="2">Zwei und mehr.</seg>
        <seg id="3">Drei sind da.</seg></p></hyp>
      <hyp lang="de" system="S2"><p><seg id="1">Haus.</seg><seg id="2">Zwei sind mehr</seg>
        <seg id="3">Es sind drei Stück.</seg></p></hyp>
    </doc>
    <doc origlang="en" id="news.2" domain="news">
      <src lang="en"><p><seg id="1">Four goats.</seg><seg id="2">No reference.</seg></p></src>
      <ref lang="de" translator="refA"><p><seg id="1">Vier Ziegen sind es.</seg><seg id="2" /></p>
      </ref>
      <hyp lang="de" system="S2"><p><seg id="1">Vier Ziegen</seg><seg id="2">x</seg></p></hyp>
      <hyp lang="de" system="S1"><p><seg id="1">Vier Ziegen sind.</seg><seg id="2">y</seg></p></hyp>
    </doc>
  </collection>
  <collection id="testsuites">
    <doc origlang="en" id="suite.1" testsuite="idioms"><src lang="en"><p><seg id="1">Piece of cake.
      </seg></p></src><hyp lang="de" system="S1"><p><seg id="1">Kuchen</seg></p></hyp></doc>
  </collection>
</dataset>
"""


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str], str]:
    def write(text: str) -> str:
        path = tmp_path / "x.xml"
        path.write_text(text, "utf-8")
        return str(path)

    return write


@pytest.fixture
def data(write: Callable[[str], str]) -> mt.Dataset:
    with pytest.warns(mt.MtevalWarning, match=r"\[dropped-segments\]") as caught:
        data = wmt_xml.read(write(FILE))
    messages = [str(warning.message) for warning in caught]
    assert [message.partition("x.xml: ")[2] for message in messages] == [
        "left out: 1 segments of test suites [dropped-segments]",
        "left out: 1 segments without a reference [dropped-segments]",
    ]
    return data


def test_the_texts_are_read(data: mt.Dataset) -> None:
    assert data.test_set is not None
    assert data.test_set.source is not None
    assert list(data.test_set.source) == ["One house.", "Two & more.", "Three.", "Four goats."]
    assert data.reference_names == ("refA", "refB")
    assert list(data.test_set.references[1]) == [
        "Das eine Haus.",
        "Zwei.",
        "Drei Stück sind es.",
        None,
    ]
    assert list(data.text("system.S1"))[3] == "Vier Ziegen sind."
    assert data.test_set.documents == ("news.1", "news.1", "news.1", "news.2")
    assert data.test_set.ids == ("news.1/1", "news.1/2", "news.1/3", "news.2/1")
    assert data.language == "de"


def test_sacrebleu_reads_the_same_texts(data: mt.Dataset, tmp_path: Path) -> None:
    pytest.importorskip("lxml")
    reader = pytest.importorskip("sacrebleu.dataset.wmt_xml").WMTXMLDataset
    theirs = {
        field: [reader._clean(line) for line in lines]
        for field, lines in reader._unwrap_wmt21_or_later(tmp_path / "x.xml").items()
        if field != "domain"
    }
    assert data.test_set is not None
    assert data.test_set.source is not None
    ours = {
        "src": list(data.test_set.source),
        **{
            f"ref:{name}": [segment or "" for segment in stream]
            for name, stream in zip(data.reference_names, data.test_set.references, strict=True)
        },
        "docid": list(data.test_set.documents or ()),
        "origlang": ["en"] * 4,
        **{name: list(data.text(f"system.{name}")) for name in data.systems},
    }
    assert ours == theirs


@pytest.mark.parametrize("name", ["refA", "both"])
def test_sacrebleu_gives_the_same_scores(data: mt.Dataset, name: str) -> None:
    pytest.importorskip("mteval_bleu_nist")
    sacrebleu = pytest.importorskip("sacrebleu")
    assert data.test_set is not None
    chosen = data.test_set.references if name == "both" else data.test_set.references[:1]
    scores = mt.evaluate(data.systems, mt.TestSet(chosen), ["bleu"])
    for system in data.systems:
        theirs = sacrebleu.corpus_bleu(
            list(data.text(f"system.{system}")), [list(stream) for stream in chosen]
        )
        assert scores.score(system, "bleu").score == pytest.approx(theirs.score, abs=1e-12)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("</dataset>", "", r"x.xml:\d+: not well-formed XML: no element found"),
        ("&amp;", "&", r"x.xml:5: not well-formed XML"),
        ('id="news.2"', 'id="news.1"', r"x.xml: the document id 'news.1' is empty or occurs twice"),
        ('translator="refB"', 'translator="refA"', r"document 'news.1': <ref> 'refA' occurs twice"),
        ('<seg id="3">Es', '<seg id="2">Es', r"<hyp> 'S2' occurs twice, or has two segments"),
        ('<seg id="3">Es', "<seg>Es", r"or a segment without an id"),
    ],
)
@pytest.mark.filterwarnings("ignore:.*dropped-segments")
def test_what_is_wrong_is_said(
    write: Callable[[str], str], old: str, new: str, message: str
) -> None:
    assert old in FILE
    with pytest.raises(mt.InputError, match=message):
        wmt_xml.read(write(FILE.replace(old, new)))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('<seg id="3">Es sind drei Stück.</seg>', ""),
        ('system="S2"><p><seg id="1">Vier', 'system="S3"><p><seg id="1">Vier'),
    ],
)
@pytest.mark.filterwarnings("ignore:.*dropped-segments")
def test_a_system_that_lacks_segments_is_left_out(
    write: Callable[[str], str], old: str, new: str
) -> None:
    assert old in FILE
    with pytest.warns(mt.MtevalWarning, match=r"S2 \(lacks segments\).* \[dropped-systems\]"):
        data = wmt_xml.read(write(FILE.replace(old, new)))
    assert list(data.systems) == ["S1"]


def test_a_file_without_references_is_refused(write: Callable[[str], str]) -> None:
    text = '<dataset><doc id="d"><src lang="en"><p><seg id="1">a</seg></p></src></doc></dataset>'
    with pytest.raises(mt.InputError, match=r"x.xml: no segment"):
        wmt_xml.read(write(text))


@pytest.mark.parametrize(
    "doctype",
    [
        "<!DOCTYPE d [<!ENTITY a 'x'><!ENTITY b '&a;&a;&a;'>]>",
        "<!DOCTYPE d [<!ENTITY a SYSTEM 'file:///etc/passwd'>]>",
        "<!DOCTYPE d SYSTEM 'http://localhost:9/d.dtd' [<!ENTITY % p SYSTEM 'file:///x'> %p;]>",
    ],
)
def test_entities_are_refused(write: Callable[[str], str], doctype: str) -> None:
    text = f"{doctype}<dataset><doc id='d'><src lang='en'><seg id='1'>t</seg></src></doc></dataset>"
    with pytest.raises(mt.InputError, match="defines or includes entities"):
        wmt_xml.read(write(text))


def test_only_a_data_set_looks_like_one(write: Callable[[str], str]) -> None:
    assert wmt_xml.looks_like(write(FILE))
    assert not wmt_xml.looks_like(write("<html></html>"))


def test_domains_are_known_if_all_documents_have_one(write: Callable[[str], str]) -> None:
    with pytest.warns(mt.MtevalWarning, match="left out"):
        data = wmt_xml.read(write(FILE))
    assert data.test_set is not None
    assert data.test_set.domains == ("news",) * len(data.test_set)
    assert list(data.text("domains")) == ["news"] * len(data.test_set)
    with pytest.warns(mt.MtevalWarning, match="left out"):
        other = wmt_xml.read(write(FILE.replace('id="news.2" domain="news"', 'id="news.2"')))
    assert other.test_set is not None
    assert other.test_set.domains is None
    assert "domains" not in other.fields


@pytest.mark.parametrize(
    ("tag", "name", "old", "new"),
    [
        ("ref", "refA", '<seg id="3">Drei sind es', '<seg id="4">x</seg><seg id="3">Drei sind es'),
        ("hyp", "S1", '<seg id="3">Drei sind da', '<seg id="4">x</seg><seg id="3">Drei sind da'),
        ("hyp", "S1", '<seg id="3">Drei sind da', '<seg id="03">Drei sind da'),
    ],
)
def test_a_segment_that_the_source_lacks_is_refused(
    tmp_path: Path, tag: str, name: str, old: str, new: str
) -> None:
    assert FILE.count(old) == 1
    path = tmp_path / "x.xml"
    path.write_text(FILE.replace(old, new), "utf-8")
    message = rf"document 'news.1': <{tag}> '{name}' has a segment '(4|03)', which <src> lacks"
    with pytest.raises(mt.InputError, match=message):
        wmt_xml.read(str(path))


@pytest.mark.parametrize("text", ["<dataset id='{}'>", "<dataset><!-- {} --></dataset>"])
def test_one_long_token_takes_time_that_grows_with_it(tmp_path: Path, text: str) -> None:
    """Expat parses a token again with each piece of it; 16 MB took 9 to 15 s in small pieces."""
    path = tmp_path / "x.xml"
    path.write_text(text.format("a" * 12_000_000))
    start = time.process_time()
    with pytest.raises(mt.InputError):
        wmt_xml.read(str(path))
    assert time.process_time() - start < 2


def test_a_piece_without_a_tag_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wmt_xml, "CHUNK", 1000)
    path = tmp_path / "x.xml"
    path.write_text(f"{FILE.strip()}<!-- {'x' * 5000} -->")
    with pytest.raises(mt.InputError, match=r"x.xml: 1,000 bytes without a tag; expected segments"):
        wmt_xml.read(str(path))
    path.write_text(FILE)
    with pytest.warns(mt.MtevalWarning):
        assert len(wmt_xml.read(str(path))) == 4

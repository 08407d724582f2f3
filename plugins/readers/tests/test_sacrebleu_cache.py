"""The cache of sacreBLEU, as sacreBLEU's own code writes it from files that are not downloaded."""

from __future__ import annotations

from pathlib import Path

import pytest
from mteval_readers import sacrebleu_cache

import mteval_core as mt

base = pytest.importorskip("sacrebleu.dataset.base")
datasets = pytest.importorskip("sacrebleu.dataset")

# sacreBLEU leaves files open.
pytestmark = [
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

XML = """<dataset id="x"><collection id="general"><doc id="d1" origlang="en" domain="news">
<src lang="en"><p><seg id="1">One.</seg><seg id="2">Two.</seg></p></src>
<ref lang="de" translator="A"><p><seg id="1">Eins.</seg><seg id="2">Zwei.</seg></p></ref>
<ref lang="de" translator="B"><p><seg id="1">Ein.</seg><seg id="2">Zwo.</seg></p></ref>
<hyp lang="de" system="Online-W"><p><seg id="1">Eines.</seg><seg id="2">Zwei!</seg></p></hyp>
</doc></collection></dataset>"""

SGML = """<{0}set setid="x" srclang="any">
<doc docid="d" genre="news" origlang="en" sysid="{0}">
<seg id="1">{1} &amp; one</seg>
<seg id="2">{1}  two</seg>
</doc></{0}set>"""


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(base, "SACREBLEU_DIR", str(tmp_path))
    monkeypatch.setattr(base.Dataset, "maybe_download", lambda _: None)
    monkeypatch.setenv("SACREBLEU", str(tmp_path))
    raw = {
        "wmt98": {"x.xml": XML},
        "wmt97/dev": {"src.sgm": SGML.format("src", "a"), "ref.sgm": SGML.format("ref", "b")},
        "plain": {"src": "one\ntwo\n", "ref": "eins\nzwei\n"},
    }
    for name, files in raw.items():
        for file, text in files.items():
            path = tmp_path / name / "raw" / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
    pair = {"en-de": ["x.xml"]}
    datasets.WMTXMLDataset("wmt98", langpairs=pair, refs=["A"]).process_to_text("en-de")
    pair = {"en-de": ["src.sgm", "ref.sgm"]}
    datasets.FakeSGMLDataset("wmt97/dev", langpairs=pair).process_to_text("en-de")
    datasets.PlainTextDataset("plain", langpairs={"en-de": ["src", "ref"]}).process_to_text("en-de")
    return tmp_path


def test_the_fields_of_wmt_xml_are_texts_and_systems(cache: Path) -> None:
    data = mt.read_dataset("sacrebleu:wmt98/en-de")
    assert data.test_set is not None
    assert data.test_set.source is not None
    assert list(data.test_set.source) == ["One.", "Two."]
    assert data.reference_names == ("A", "B")
    assert list(data.test_set.references[1]) == ["Ein.", "Zwo."]
    assert data.test_set.documents == ("d1", "d1")
    assert {name: list(data.text(f"system.{name}")) for name in data.systems} == {
        "Online-W": ["Eines.", "Zwei!"]
    }
    assert data.test_set.references[0].path == str(cache / "wmt98" / "wmt98.en-de.ref-A")
    assert data.language == "de"


def test_a_test_set_of_sgml_and_a_name_with_a_slash(cache: Path) -> None:
    data = sacrebleu_cache.read("wmt97/dev/en-de")
    assert data.test_set is not None
    assert list(data.test_set.references[0]) == ["b &amp; one", "b two"]
    assert (data.reference_names, dict(data.systems)) == (("ref",), {})
    assert data.test_set.documents == ("d", "d")
    (cache / "wmt97/dev/wmt97_dev.en-de.docid").write_text("\n\n")
    without = sacrebleu_cache.read("wmt97/dev/en-de")
    assert without.test_set is not None
    assert without.test_set.documents is None
    assert cache.exists()


def test_a_test_set_without_documents(cache: Path) -> None:
    data = sacrebleu_cache.read("plain/en-de")
    assert data.test_set is not None
    assert data.test_set.documents is None
    assert [list(stream) for stream in data.test_set.references] == [["eins", "zwei"]]
    assert cache.exists()


@pytest.mark.parametrize(
    "path", ["wmt96/en-de", "wmt98/de-en", "wmt**/en-de", "wmt9?/en-de", "en-de", ""]
)
def test_what_is_not_there_is_said_with_what_to_type(
    cache: Path, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    name, _, pair = path.rpartition("/")
    with pytest.raises(mt.InputError) as caught:
        sacrebleu_cache.read(path)
    command = f"type 'sacrebleu -t {name or 'NAME'} -l {pair} --echo src'"
    assert command in str(caught.value)
    assert str(cache) in str(caught.value)
    monkeypatch.delenv("SACREBLEU")
    monkeypatch.setenv("HOME", str(cache / "home"))
    with pytest.raises(mt.InputError, match=r"home/\.sacrebleu: type"):
        sacrebleu_cache.read(path)


def test_sacrebleu_gives_the_same_score(cache: Path) -> None:
    pytest.importorskip("mteval_bleu_nist")
    sacrebleu = pytest.importorskip("sacrebleu")
    data = sacrebleu_cache.read("wmt98/en-de")
    assert data.test_set is not None
    texts = {name: data.text(f"system.{name}") for name in data.systems}
    ours = mt.evaluate(texts, mt.TestSet(data.test_set.references[:1]), ["bleu"])
    reader = datasets.WMTXMLDataset("wmt98", langpairs={"en-de": ["x.xml"]}, refs=["A"])
    references = [[line for (line,) in reader.references("en-de")]]
    theirs = sacrebleu.corpus_bleu(list(texts["Online-W"]), references)
    assert ours.score("Online-W", "bleu").score == pytest.approx(theirs.score, abs=1e-12)
    assert cache.exists()

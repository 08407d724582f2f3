"""Signatures of sacreBLEU as people have them are read.

The forms are those that sacreBLEU 1.2 to 2.6 print (its README, ``Signature.format``, ``-f json``),
and those in which papers, READMEs and other tools (MT-Telescope, Joey NMT) quote them. What each
must score is computed by sacreBLEU itself.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

import mteval_core as mt
from mteval_core.metrics.resolve import parse

if TYPE_CHECKING:
    from pathlib import Path

for plugin in ("mteval_bleu_nist", "mteval_chrf", "mteval_error_rates"):
    pytest.importorskip(plugin, reason=f"{plugin} is not installed")

PLAIN = "case:mixed|eff:no|tok:13a|smooth:exp|version:2.3.1"
TAIL = "58.1/31.7/19.8/12.9 (BP = 0.981 ratio = 0.981 hyp_len = 61234 ref_len = 62412)"
OLD_TER = "TER+tok.tercom-{}norm-{}punct-{}asian-{}cased+version.1.5.1"
INTL, LOWER = {"tokenize": "intl"}, {"lowercase": True}
EVERY_TER_OPTION = {
    "normalized": True,
    "no_punct": True,
    "asian_support": True,
    "case_sensitive": True,
}

FORMS: list[tuple[str, str, dict[str, Any]]] = [
    # sacreBLEU 1.x prints one line: signature, score, details.
    (f"BLEU+case.mixed+numrefs.1+smooth.exp+tok.13a+version.1.4.14 = 26.3 {TAIL}", "BLEU", {}),
    ("BLEU+case.mixed+numrefs.1+smooth.exp+tok.13a+version.1.5.0", "BLEU", {}),
    (
        "BLEU+case.mixed+lang.en-fi+numrefs.1+smooth.exp+test.wmt19+tok.13a+version.1.4.3",
        "BLEU",
        {},
    ),
    ("BLEU+case.mixed+lang.tr-en+numrefs.1+smooth.exp+tok.13a+version.1.3.7", "BLEU", {}),
    ("BLEU+case.mixed+numrefs.1+smooth.exp+tok.intl+version.1.2.12", "BLEU", INTL),
    ("BLEU+case.mixed+numrefs.1+smooth.exp+tok.intl+version.1.4.10 = **28.4**", "BLEU", INTL),
    ("BLEU+case.mixed+lang.fr-en+test.wmt14", "BLEU", {}),
    (f"BLEU+case.mixed+lang.fr-en+test.wmt14 = 35.6 {TAIL}", "BLEU", {}),
    (
        "BLEU+case.mixed+lang.en-fr+numrefs.1+smooth.exp+test.wmt14/full+tok.13a+version.1.4.12"
        f" = 40.9 {TAIL}",
        "BLEU",
        {},
    ),
    ("BLEU+case.mixed+numrefs.2+smooth.exp+tok.13a+version.1.4.6 = 51.2", "BLEU", {}),
    ("BLEU+case.lc+numrefs.1+smooth.exp+tok.intl+version.1.4.9", "BLEU", {**INTL, **LOWER}),
    (
        "BLEU+case.mixed+numrefs.1+smooth.none+tok.none+version.1.4.13",
        "BLEU",
        {"tokenize": "none", "smooth_method": "none"},
    ),
    (
        "BLEU+case.mixed+numrefs.1+smooth.floor+tok.13a+version.1.4.1",
        "BLEU",
        {"smooth_method": "floor"},
    ),
    (
        "BLEU+case.mixed+numrefs.1+smooth.add-k+tok.13a+version.1.4.12",
        "BLEU",
        {"smooth_method": "add-k"},
    ),
    (
        "BLEU+case.mixed+lang.en-zh+numrefs.1+smooth.exp+test.wmt19+tok.zh+version.1.4.14",
        "BLEU",
        {"tokenize": "zh"},
    ),
    ("BLEU+c.mixed+#.1+s.exp+tok.13a+v.1.4.10", "BLEU", {}),
    ("BLEU+c.mixed+l.de-en+#.1+s.exp+t.wmt18+tok.13a+v.1.3.0", "BLEU", {}),
    (
        "BLEU+case.mixed+lang.en-de+numrefs.1+smooth.exp+test.wmt19+origlang.en+tok.13a"
        "+version.1.4.2",
        "BLEU",
        {},
    ),
    (
        "BLEU+case.mixed+lang.en-de+numrefs.1+smooth.exp+subset.sport+test.wmt18+tok.13a"
        "+version.1.5.1",
        "BLEU",
        {},
    ),
    ("chrF2+numchars.6+space.false+version.1.4.10 = 0.58", "CHRF", {}),
    ("chrF2+numchars.6+space.False+version.1.3.1", "CHRF", {}),
    ("chrF2+case.mixed+numchars.6+numrefs.1+space.False+version.1.4.3 = 0.61", "CHRF", {}),
    (
        "chrF2+case.mixed+lang.en-cs+numchars.6+numrefs.1+space.False+test.wmt18+version.1.4.3",
        "CHRF",
        {},
    ),
    ("chrF2+lang.en-cs+numchars.6+space.false+test.wmt18+version.1.5.0", "CHRF", {}),
    ("chrF2++numchars.6+numwords.2+space.false+version.2.3.1", "CHRF", {"word_order": 2}),
    (f"{OLD_TER.format('no', '', 'no', 'un')} = 0.61", "TER", {}),
    (OLD_TER.format("", "no", "", ""), "TER", EVERY_TER_OPTION),
    # sacreBLEU 2.x: str(BLEU().get_signature()), without the name
    (f"nrefs:1|{PLAIN}", "BLEU", {}),
    ("nrefs:1|bs:1000|case:mixed|eff:no|tok:intl|smooth:exp|version:2.x", "BLEU", INTL),
    (f"BLEU = 31.4 nrefs:1|{PLAIN}", "BLEU", {}),
    (f"BLEU|nrefs:1|bs:1000|seed:12345|{PLAIN}", "BLEU", {}),
    (
        "chrF2 nrefs:1|bs:1000|seed:12345|case:mixed|eff:yes|nc:6|nw:0|space:no|version:2.1.0",
        "CHRF",
        {},
    ),
    (
        "TER nrefs:1|bs:1000|seed:12345|case:lc|tok:tercom|norm:no|punct:yes|asian:no"
        "|version:2.1.0",
        "TER",
        {},
    ),
    (f"BLEU|nrefs:1|ar:10000|seed:12345|{PLAIN} = 31.4", "BLEU", {}),
    (
        "BLEU  |nrefs:1|case:mixed|eff:yes|tok:13a|smooth:exp|version:2.5.1",
        "BLEU",
        {"effective_order": True},
    ),
    (
        "chrF++|nrefs:1|case:mixed|eff:yes|nc:6|nw:2|space:no|version:2.5.1",
        "CHRF",
        {"word_order": 2},
    ),
    (
        "chrF2++|nrefs:1|case:mixed|eff:yes|nc:6|nw:2|space:no|version:2.3.1 = 60.2",
        "CHRF",
        {"word_order": 2},
    ),
    ("nrefs:1|case:mixed|eff:yes|nc:6|nw:0", "CHRF", {}),
    ("nrefs:1|case:lc|tok:tercom|norm:no|punct:yes", "TER", {}),
    ("#:1|c:mixed|e:no|tok:13a|s:exp|v:2.4.0", "BLEU", {}),
    ("chrF2|#:1|c:mixed|e:yes|nc:6|nw:0|s:no|v:2.4.0", "CHRF", {}),
    ("TER|#:1|c:lc|t:tercom|nr:no|pn:yes|as:no|v:2.4.0", "TER", {}),
    (
        "chrF3|nrefs:1|case:mixed|eff:no|nc:6|nw:0|space:yes|version:2.1.0",
        "CHRF",
        {"beta": 3, "eps_smoothing": True, "whitespace": True},
    ),
    (
        "nrefs:2|case:lc|eff:no|tok:13a|smooth:floor[0.10]|version:2.4.3",
        "BLEU",
        {**LOWER, "smooth_method": "floor", "smooth_value": 0.1},
    ),
    (
        "BLEU|nrefs:1|case:mixed|eff:no|tok:13a|smooth:add-k[1.00]|version:2.1.0",
        "BLEU",
        {"smooth_method": "add-k", "smooth_value": 1},
    ),
    (
        "nrefs:1|case:mixed|eff:no|tok:ja-mecab-0.996-IPA|smooth:exp|version:2.1.0",
        "BLEU",
        {"tokenize": "ja-mecab"},
    ),
    (
        "nrefs:1|case:mixed|eff:no|tok:ko-mecab-0.996/ko-0.9.2-KO|smooth:exp|version:2.2.0",
        "BLEU",
        {"tokenize": "ko-mecab"},
    ),
    (
        "nrefs:1|case:mixed|eff:no|tok:char|smooth:exp|version:2.2.0",
        "BLEU",
        {"tokenize": "char"},
    ),
    (
        "BLEU nrefs:1|case:mixed|eff:no|tok:zh|smooth:exp|version:2.5.1",
        "BLEU",
        {"tokenize": "zh"},
    ),
    (f"`nrefs:1|{PLAIN}`", "BLEU", {}),
    (f"sacreBLEU|nrefs:1|{PLAIN}", "BLEU", {}),
    (json.dumps({"name": "BLEU", "score": 31.4, "signature": f"nrefs:1|{PLAIN}"}), "BLEU", {}),
    (f"nrefs:var|{PLAIN}", "BLEU", {}),
    (f"BLEU(sig:nrefs:1|{PLAIN})", "BLEU", {}),
]
"""A form, and the metric of sacreBLEU that computes it, with its options."""

WITH_A_MODEL = [f"nrefs:1|{PLAIN.replace('13a', name)}" for name in ("flores200", "spm")]
"""These name a SentencePiece model that has to be fetched."""

UNKNOWN = f"nrefs:1|{PLAIN.replace('13a', 'spm-flores')}"
"""No version of sacreBLEU has a tokenizer of this name."""


def lines(path: Path) -> list[str]:
    return [line or "" for line in mt.read_text(path)]


def test_the_table_has_all_forms() -> None:
    assert len({form for form, *_ in FORMS} | {*WITH_A_MODEL, UNKNOWN}) == 57


@pytest.mark.parametrize(("form", "name", "options"), FORMS)
def test_a_form_is_read_and_scores_as_sacrebleu(
    mini: Path, form: str, name: str, options: dict[str, Any]
) -> None:
    sacrebleu = pytest.importorskip("sacrebleu.metrics")
    signature, _ = mt.Signature.quoted(form)
    n = 2 if signature.get("nrefs") in ("2", "var") else 1
    output = lines(mini / "systems" / "neural.txt")
    references = [lines(mini / f"ref{i}.txt") for i in range(n)]
    try:
        theirs = getattr(sacrebleu, name)(**options).corpus_score(output, references).score
        scorer = mt.metric(form)
    except (ImportError, RuntimeError, mt.PluginError) as error:
        pytest.skip(f"not installed: {error}")
    assert scorer.corpus_score(output, references).score == pytest.approx(theirs, abs=1e-9)


def test_a_form_with_a_model_is_read() -> None:
    pytest.importorskip("mteval_tokenizers")
    registry = mt.default_registry()
    for form, name in zip(WITH_A_MODEL, ("flores200", "spm"), strict=True):
        assert parse(form, registry).options["tok"] == (name,)
    with pytest.raises(mt.UnknownNameError, match="'spm-flores'"):
        mt.metric(UNKNOWN)


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("**chrF2 nrefs:1 | case:mixed | nc:6**", ("chrF2|nrefs:1|case:mixed|nc:6", None)),
        ("`BLEU|nrefs:1|tok:13a` = **27.1**", ("BLEU|nrefs:1|tok:13a", "27.1")),
        ("BLEU = **27.1** nrefs:1|tok:13a", ("BLEU|nrefs:1|tok:13a", "27.1")),
        ("nrefs:1|tok:13a = 27.1 60/30", ("nrefs:1|tok:13a", "27.1 60/30")),
        ("A b|nrefs:1|key:a \\| b|plugin:x@1", ("A b|nrefs:1|key:a \\| b|plugin:x@1", None)),
    ],
)
def test_what_stands_around_a_signature(text: str, read: tuple[str, str | None]) -> None:
    signature, score = mt.Signature.quoted(text)
    assert (str(signature), score) == read
    again, _ = mt.Signature.quoted(str(signature))
    assert again == signature


@pytest.mark.parametrize(
    "text", ["{}", '{"name": "BLEU|"', "nrefs:1|tok", "BLEU nrefs:1|nrefs:1", "[|]", "|", "a b"]
)
def test_what_is_no_signature_is_refused(text: str) -> None:
    with pytest.raises(mt.UsageError):
        mt.Signature.quoted(text)

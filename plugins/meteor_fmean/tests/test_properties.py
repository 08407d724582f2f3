"""Properties of any text: ranges, sums, best texts; and messages for missing programs."""

from __future__ import annotations

import gzip
import re
import sys
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mteval_meteor_fmean import program, synonyms
from mteval_meteor_fmean.align import Align
from mteval_meteor_fmean.stemming import stem
from mteval_meteor_fmean.tokenizers import normalize, plain
from mteval_testing import parametrize_with_checks
from mteval_testing.strategies import samples, segments
from mteval_testing.values import assert_range, evaluate_sample, values_of_sums
from mteval_testing.values import sentence_values as values

import mteval_core as mt

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from mteval_core import Sample

# Texts drawn at random look damaged.
pytestmark = pytest.mark.filterwarnings("ignore::mteval_core.MtevalWarning")

PARAMETERS = "alpha=0.9,beta=3,gamma=0.5,delta=0.5,weights=1"
PROGRAM_2005 = f"meteor:variant=1.5,tok=13a,modules=exact+stem,{PARAMETERS}"
SPECS = [
    "precision",
    "recall:stem=porter",
    "f1:tok=none",
    "fmean",
    "fmean:weight=0.5,case=mixed",
    "meteor",
    "meteor:modules=exact,align=chunks",
    "meteor:modules=stem,weights=0.3",
    "meteor:align=beam[3]",
    PROGRAM_2005,
]

WITH_PROGRAM = [
    "meteor:variant=1.5",
    "meteor:delta=0.8,functions=de",
    "meteor:variant=1.5,modules=exact+stem+synonym+paraphrase",
]
WITH_WORDNET = ["meteor:modules=exact+stem+synonym", "meteor:modules=synonym"]

no_deadline = settings(deadline=None)


def is_installed(find: Any, *arguments: Any) -> bool:
    try:
        find(*arguments)
    except mt.PluginError:
        return False
    return True


needs_program = pytest.mark.skipif(
    not is_installed(program.require, "A test"), reason="the program METEOR 1.5 is not installed"
)
needs_wordnet = pytest.mark.skipif(
    not is_installed(synonyms.wordnet_folder), reason="WordNet's database is not installed"
)


@parametrize_with_checks(SPECS)
def test_contract(spec: str, check: Callable[[str], None]) -> None:
    check(spec)


@needs_program
@pytest.mark.filterwarnings("ignore:nothing_else_is_read")  # METEOR_JAR says where the program is
@parametrize_with_checks(WITH_PROGRAM)
def test_contract_with_the_program(spec: str, check: Callable[[str], None]) -> None:
    check(spec)


@needs_wordnet
@parametrize_with_checks(WITH_WORDNET)
def test_contract_with_wordnet(spec: str, check: Callable[[str], None]) -> None:
    check(spec)


@no_deadline
@given(samples())
def test_range(sample: Sample) -> None:
    """Scores are in 0 to 100, and F between P and R."""
    evaluation = evaluate_sample(sample, SPECS)
    highest = dict.fromkeys(("P", "R", "F1", "Fmean", "METEOR"), 100)
    assert_range(evaluation, highest, {"F1": ("P", "R"), "Fmean": ("P", "R")})
    for _, found in values_of_sums(evaluation):
        if "chunks" in found:
            assert (found["chunks"] <= found["matches"]).all()
            assert (found["METEOR"] <= found["Fmean"] + 1e-9).all()


@no_deadline
@given(segments(), segments())
def test_matches_are_words_in_common(hypothesis: str, reference: str) -> None:
    both = (Counter(hypothesis.split()) & Counter(reference.split())).total()
    for spec in ("f1", "meteor:modules=exact", "meteor:modules=exact,align=chunks"):
        assert values(
            f"{spec}{',' if ':' in spec else ':'}tok=none,case=mixed", hypothesis, reference
        )["matches"] == pytest.approx(both)


@no_deadline
@given(segments(), segments(), st.sampled_from(["meteor:modules=exact", PROGRAM_2005]))
def test_nothing_is_better_than_the_reference_itself(
    hypothesis: str, reference: str, spec: str
) -> None:
    other = values(spec, hypothesis, reference)["METEOR"]
    assert other <= values(spec, reference, reference)["METEOR"] + 1e-9


@no_deadline
@given(segments(), st.lists(segments(), min_size=1, max_size=4), st.sampled_from(SPECS))
def test_the_best_of_several_references_counts(
    hypothesis: str, references: list[str], spec: str
) -> None:
    scorer = mt.metric(spec)
    each = [scorer.sentence_score(hypothesis, [reference]).score for reference in references]
    assert scorer.sentence_score(hypothesis, references).score == max(each)


@no_deadline
@given(segments(), segments())
def test_fewest_chunks_are_fewest(hypothesis: str, reference: str) -> None:
    few = values("meteor:modules=exact,align=chunks", hypothesis, reference)
    for align in ("crossings", "beam[40]"):
        other = values(f"meteor:modules=exact,align={align}", hypothesis, reference)
        assert few["matches"] == other["matches"]
        assert few["chunks"] <= other["chunks"]


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize(
    ("hypothesis", "reference"), [("", "a b"), ("a b", ""), ("", ""), ("a", "b")]
)
def test_nothing_in_common_scores_0(spec: str, hypothesis: str, reference: str) -> None:
    assert values(spec, hypothesis, reference)[mt.metric(spec).main] == 0


def test_signatures() -> None:
    signatures = [str(mt.metric(spec).signature()).partition("|plugin")[0] for spec in SPECS]
    assert signatures[3] == "Fmean|case:lc|tok:13a|weight:9|stem:none"
    assert signatures[5] == (
        "METEOR|case:lc|tok:13a|variant:2005|lang:en|modules:exact+stem|align:crossings|alpha:0.9|"
        "beta:3|gamma:0.5|delta:0.5|weights:1|functions:en"
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("modules=exact+exact", "expected each module at most once"),
        ("modules=exact+stem,lang=other", "it has no stemmer"),
        ("modules=synonym,lang=de", "synonyms exist for English only"),
        ("modules=paraphrase+exact,align=beam[40]", "expected paraphrase last"),
        ("modules=paraphrase,align=beam[40]", "expected paraphrase last"),
        ("modules=exact+paraphrase", "module 'paraphrase' needs align=beam[n]"),
        ("weights=1+2+3", "a number from 0 to 1000 for each of exact+stem"),
        ("weights=1+x", "a number from 0 to 1000"),
        ("weights=-1", "a number from 0 to 1000"),
        ("align=beam", "crossings, chunks, or beam[n]"),
        ("align=beam[0]", "crossings, chunks, or beam[n]"),
    ],
)
def test_wrong_options_are_refused(options: str, message: str) -> None:
    with pytest.raises(mt.OptionError, match=re.escape(message)):
        mt.metric(f"meteor:{options}")


def test_ways_to_align_read_back() -> None:
    for text in ("crossings", "chunks", "beam[40]"):
        assert str(Align.parse(text)) == text


@pytest.fixture
def nothing_installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    monkeypatch.setenv("METEOR_JAR", str(tmp_path / "meteor-1.5.jar"))
    monkeypatch.setenv("WNSEARCHDIR", str(tmp_path))
    caches = (program.function_words, program.prefixes, program._constants)
    for cache in caches:
        cache.cache_clear()
    yield
    for cache in caches:
        cache.cache_clear()


@pytest.mark.usefixtures("nothing_installed")
@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("meteor:variant=1.5", "Install the Python package pycocoevalcap"),
        ("meteor:alpha=program", "table of parameters is read from the program METEOR 1.5"),
        ("meteor:delta=0.7", "list of function words that delta weighs is read from"),
        ("meteor:modules=exact+synonym", "Install Debian's wordnet-base"),
        (f"meteor:variant=1.5,modules=synonym,{PARAMETERS}", "synonym dictionary of variant 1.5"),
        (f"meteor:align=beam[40],modules=exact+paraphrase,{PARAMETERS}", "table of paraphrases of"),
    ],
)
def test_what_is_missing_is_named(spec: str, message: str) -> None:
    with pytest.raises(mt.PluginError, match=message):
        mt.metric(spec)


@pytest.mark.usefixtures("nothing_installed")
def test_a_tokenizer_without_its_prefixes_says_so() -> None:
    with pytest.raises(mt.PluginError, match="non-breaking prefixes is read from the program"):
        normalize("en", "Mr. Smith")


@pytest.mark.usefixtures("nothing_installed")
def test_a_file_that_is_not_an_archive_is_named(tmp_path: Path) -> None:
    (tmp_path / "meteor-1.5.jar").write_text("no archive")
    with pytest.raises(
        mt.PluginError, match=r"but .*meteor-1\.5\.jar does not contain it: File is not a zip"
    ):
        mt.metric("meteor:variant=1.5")


@pytest.mark.usefixtures("nothing_installed")
def test_a_missing_table_of_paraphrases_is_named(tmp_path: Path) -> None:
    (tmp_path / "meteor-1.5.jar").touch()
    with pytest.raises(mt.PluginError, match=r"/data/paraphrase-de\.gz does not exist"):
        mt.metric("meteor:lang=de,align=beam[40],modules=exact+paraphrase")


@pytest.mark.usefixtures("nothing_installed")
def test_paraphrases_link_phrases(tmp_path: Path) -> None:
    """All of 4 and 3 words match in one chunk, two exactly; the paraphrase weighs half."""
    (tmp_path / "meteor-1.5.jar").touch()
    (tmp_path / "data").mkdir()
    entries = [
        ("take part", "participate"),
        ("part", "share"),
        ("in time", "before it is too late"),
    ]
    lines = [f"0.5\n{phrase}\n{paraphrase}\n" for phrase, paraphrase in entries]
    table = tmp_path / "data" / "paraphrase-en.gz"
    table.write_bytes(gzip.compress("".join(lines).encode()))
    spec = "meteor:align=beam[40],modules=exact+paraphrase,weights=1+0.5,tok=none"
    phrase, word = "they take part today", "they participate today"
    for hypothesis, reference, P, R in (
        (phrase, word, 3 / 4, 2.5 / 3),
        (word, phrase, 2.5 / 3, 3 / 4),
    ):
        found = values(spec, hypothesis, reference)
        assert (found["matches"], found["chunks"]) == (found["hyp_len"], 1)
        assert (found["P"], found["R"]) == pytest.approx((100 * P, 100 * R))
        assert found["penalty"] == pytest.approx(0.5 * (1 / 3.5) ** 3)
    found = values(spec, "too late now", "in time now")
    assert (found["matches"], found["chunks"]) == (1, 1)
    found = values(spec, "now before it is too late", "in time now")
    assert (found["matches"], found["chunks"]) == (6, 2)


def test_other_versions_of_the_stemmers_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    class Newer:
        @staticmethod
        def version() -> str:
            return "3.1.0"

    monkeypatch.setitem(sys.modules, "Stemmer", Newer)
    with pytest.raises(mt.PluginError, match=r"found 3\.1\.0"):
        stem("en", ["added"])


def test_german_plurals_are_stemmed_as_by_the_program() -> None:
    words = ["Ergebnis", "ergebnis", "ergebnisse", "ergebnissen", "ergebnisses", "gefängniße"]
    assert stem("de", words)[1:] == ["ergebnis", *["ergebniss"] * 3, "gefangniss"]


def test_plain_texts_are_split_at_ascii_white_space() -> None:
    assert plain(" a\tb\u00a0c\u2003d\re\x0bf ") == ["a", "b\u00a0c\u2003d", "e\x0bf"]


@needs_program
@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("The U.S. team's well-known Mr. Smith.", "the us team 's well known mr. smith ."),
        ("Wait... no, 1,200 -- not 12,5%!", "wait ... no , 1,200 - not 12,5 % !"),
        ("No. 5 is No. five; no. No", "no. 5 is no. five ; no . no"),
        ("“Ça va” – ‘oui’ 北京", "\" ça va \" - ' oui ' 北 京"),
        ("a ,' , b", "a , ' , b"),
        ("", ""),
    ],
)
def test_normalized_texts(text: str, tokens: str) -> None:
    assert normalize("en", text) == tokens.split()


def small_wordnet(folder: Path) -> Path:
    """Write a WordNet of five words, in the format of wndb(5WN)."""
    header = "  1 This is a header line\n"
    lines = {
        "index.noun": "car n 1 1 @ 1 0 00000001  \nauto n 1 0 1 0 00000001  \n"
        "mouse n 1 0 1 0 00000002  \n",
        "index.verb": "run v 2 0 2 0 00000001 00000003  \noperate v 1 0 1 0 00000003  \n",
        "index.adj": "",
        "index.adv": "",
        "noun.exc": "mice mouse\n",
        "verb.exc": "ran run\n",
        "adj.exc": "",
        "adv.exc": "",
    }
    for name, content in lines.items():
        (folder / name).write_text((header if "index" in name else "") + content)
    return folder


def test_synonyms_share_a_synset(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WNSEARCHDIR", str(small_wordnet(tmp_path)))
    synsets = synonyms.wordnet(synonyms.wordnet_folder()).synsets
    assert synsets("cars") == synsets("auto") != frozenset()
    assert synsets("mice") == synsets("mouse")
    assert synsets("ran") & synsets("operating")
    assert not synsets("run") & synsets("car")  # 00000001 is another synset for each part of speech
    assert synsets("unknown") == frozenset()
    spec = "meteor:modules=exact+synonym,tok=none"
    assert values(spec, "the cars ran", "the auto operates")["matches"] == 3
    assert values(spec, "the cars ran", "the mouse walks")["matches"] == 1

"""Case folding and stemming against their rules, Porter's paper and nltk."""

from __future__ import annotations

import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mteval_core.text.normalization import ascii_lower, porter_stems, unicode_lower

STEMS = Path(__file__).parents[2].parent / "shared" / "golden" / "stems" / "stems.tsv"

any_text = st.text(st.characters(exclude_categories=()))  # lone surrogates too


@pytest.mark.parametrize(
    ("text", "ascii_only", "unicode"),
    [
        ("", "", ""),
        ("[A-Z]@`{", "[a-z]@`{", "[a-z]@`{"),
        ("ÄRGER", "Ärger", "ärger"),
        ("ΜΆΪΟΣ Σ", "ΜΆΪΟΣ Σ", "μάϊος σ"),  # a sigma is final only after a letter
        ("İ ẞ Ⅷ Ａ", "İ ẞ Ⅷ Ａ", "i\u0307 ß ⅷ ａ"),
        ("\u212a", "\u212a", "k"),  # the Kelvin sign is not a K
        ("東京 A", "東京 a", "東京 a"),
    ],
)
def test_case_folding(text: str, ascii_only: str, unicode: str) -> None:
    assert ascii_lower(text) == ascii_only
    assert unicode_lower(text) == unicode


@given(any_text | st.text("AΣ\n'\u0301."))
def test_unicode_lower_is_that_of_strings(text: str) -> None:
    assert unicode_lower(text) == text.lower()


@given(any_text)
def test_ascii_lower_changes_a_to_z_and_nothing_else(text: str) -> None:
    assert ascii_lower(text) == text.translate({ord("A") + i: ord("a") + i for i in range(26)})


# Porter (1980), section 2: the examples of whole words, and those examples of single steps that
# later steps do not change.
PAPER = {
    "generalizations": "gener",
    "oscillators": "oscil",
    "caresses": "caress",
    "ponies": "poni",
    "ties": "ti",
    "caress": "caress",
    "cats": "cat",
    "feed": "feed",
    "plastered": "plaster",
    "bled": "bled",
    "motoring": "motor",
    "sing": "sing",
    "hopping": "hop",
    "falling": "fall",
    "hissing": "hiss",
    "filing": "file",
    "happy": "happi",
    "sky": "sky",
    "hopefulness": "hope",
    "probate": "probat",
    "rate": "rate",
    "controll": "control",
    "roll": "roll",
}


def test_examples_of_porters_paper() -> None:
    assert porter_stems(list(PAPER)) == list(PAPER.values())


@pytest.mark.parametrize(
    ("token", "stem"),
    [
        # Upper-case letters count as consonants and belong to no suffix: -ing is one, -ING is not.
        ("Running", "Run"),
        ("RUNNING", "RUNNING"),
        ("CATs", "CAT"),
        ("SundaY", "SundaY"),
        ("YaYYing", "YaY"),
        # So are accented letters: the vowel of "naïv" is its a, and "caf" ends before an é.
        ("naïves", "naïv"),
        ("cafés", "café"),
        ("Straßen", "Straßen"),
        ("走る", "走る"),
        ("走るs", "走る"),
        # Short words are stemmed too, even to nothing; later programs leave them unchanged.
        ("is", "i"),
        ("s", ""),
        ("", ""),
        # Punctuation marks are treated like letters.
        ("don't", "don't"),
        ("it's", "it'"),
        ("...", "..."),
    ],
)
def test_tokens_that_are_no_lower_case_english_words(token: str, stem: str) -> None:
    assert porter_stems([token]) == [stem]


# Stems of nltk 3.10.4: PorterStemmer("ORIGINAL_ALGORITHM").stem(token, to_lowercase=False).
# Snowball's porter has another stem for all but the last nine.
ONE_LETTER = {
    "trekked": "trek",
    "trekking": "trek",
    "trekkings": "trek",
    "revved": "rev",
    "magicced": "magic",
    "yakked": "yak",
    "maxxing": "max",
    "hajjing": "haj",
    "heyyyed": "heyi",
    "byyed": "by",
    "picnicking": "picnick",
    "skivvied": "skivvi",
    "divvying": "divvi",
    "buzzing": "buzz",
    "hissed": "hiss",
    "ayyed": "ayi",
    "yyed": "yy",
    "vving": "vving",
    "whhed": "whhed",
}


def test_one_letter_of_a_double_consonant_remains() -> None:
    assert porter_stems(list(ONE_LETTER)) == list(ONE_LETTER.values())


def test_stems_equal_nltk_in_its_original_mode() -> None:
    # nltk's PorterStemmer in mode ORIGINAL_ALGORITHM, as recorded with the other stemmers.
    if not STEMS.exists():
        pytest.skip(f"no table of stems at {STEMS}")
    header, *rows = (line.split("\t") for line in STEMS.read_text("utf-8").splitlines())
    column = header.index("nltk_ORIGINAL_ALGORITHM")
    assert len(rows) > 2000
    assert porter_stems([row[0] for row in rows]) == [row[column] for row in rows]


letters = st.text(
    st.sampled_from("aeioubcdfghjklmnpqrstvwxyzykkvvccY'é-0\n") | st.characters(codec="utf-8")
)
endings = st.sampled_from(
    ["", "e", "s", "ed", "ing", "eds", "ings", "y", "ies", "sses", "eed", "ational", "ement"]
)
words = st.builds(lambda start, *ends: start + "".join(ends), letters, endings, endings)
doubled = st.builds(lambda start, *ends: start + start[-1:] + "".join(ends), words, endings)


@pytest.mark.slow
@given(st.lists(words | doubled, min_size=1, max_size=50))
@settings(max_examples=200)
def test_any_stem_equals_that_of_nltk(tokens: list[str]) -> None:
    pytest.importorskip("nltk", reason="nltk is the oracle")
    from nltk.stem.porter import PorterStemmer

    nltk = PorterStemmer("ORIGINAL_ALGORITHM")
    tokens = [token for token in tokens if token.isprintable() or token.isascii()]
    assert porter_stems(tokens) == [nltk.stem(token, to_lowercase=False) for token in tokens]


SNOWBALL_KEEPS_DOUBLE = re.compile(r"([^aeioulszbdfgmnprt])\1(ed|ing)s?\Z", re.DOTALL)


@given(words | doubled)
def test_stems_differ_from_snowball_only_after_a_double_letter(token: str) -> None:
    Stemmer = pytest.importorskip("Stemmer")
    snowball = Stemmer.Stemmer("porter").stemWord(token)
    if not SNOWBALL_KEEPS_DOUBLE.search(token) and "Y" not in token:
        assert porter_stems([token]) == [snowball]


@given(st.lists(st.text(st.sampled_from("aeiystnglzmoubdv'é")) | st.text()))
def test_a_batch_is_stemmed_word_by_word(tokens: list[str]) -> None:
    before = list(tokens)
    assert porter_stems(tokens) == [stem for token in tokens for stem in porter_stems([token])]
    assert tokens == before


def test_threads_do_not_share_a_stemmer() -> None:
    tokens = [f"{'re' * (i % 7)}{word}" for i in range(200) for word in PAPER]
    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(porter_stems, [tokens] * 40))
    assert results == [porter_stems(tokens)] * 40


def test_a_lone_surrogate_is_refused() -> None:
    with pytest.raises(UnicodeEncodeError):
        porter_stems(["a", "\ud800s"])


def test_the_stemmer_is_not_imported_before_it_is_needed() -> None:
    program = (
        "import sys; from mteval_core.text.normalization import ascii_lower; "
        "ascii_lower('A'); sys.exit('Stemmer' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0

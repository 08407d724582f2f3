"""Tokenizers against hand-worked cases, sacreBLEU 2.6, and the scores of mteval-v13a."""

from __future__ import annotations

import json
import math
import random
import re
import subprocess
import sys
from collections import Counter
from itertools import chain, pairwise, product
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mteval_core.text import tokenizers
from mteval_core.text.normalization import ascii_lower, unicode_lower
from mteval_kernels import Vocabulary, scan_13a

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    Tokenizer = Callable[[str], list[str]]
    Texts = list[list[str]]  # tokenized texts

TOKENIZERS: dict[str, Tokenizer] = {
    "none": tokenizers.whitespace,
    "13a": tokenizers.tokenize_13a,
    "mteval-v13a": tokenizers.mteval_v13a,
    "mteval-intl": tokenizers.mteval_international,
    "mteval-intl-e": tokenizers.mteval_international_e,
    "intl": tokenizers.intl,
    "char": tokenizers.char,
    "zh": tokenizers.zh,
}

SHARED = Path(__file__).parents[2].parent / "shared"
DATA = SHARED / "data"
GOLDEN = SHARED / "golden"

# Pieces of text that are hard to tokenize, combined at random.
NASTY = [
    *"aAbzZ019.,-'\"!?&;:/()[]{}_$%#@<>|`^~\\*+= \t\n\x0b\x0c\r\x1c\x1d\x1e\x1f\x85\xa0",
    *"\u1680\u2000\u2001\u2003\u2028\u2029\u202f\u205f\u3000\u200b\u180e\ufeff\u00ad\u0301",
    *"é²½٣Ⅷ㈠①東のアー。、「」１．，Ａ한ßİΣσς€£™°±×–—…“”’«»·‐・－🏽👍𠀀𝟘⺀⿕\u2fe0\u2a6d\u2a6e龻龼",
    *["<skipped>", "-\n", "-\u2028", "&amp;", "&quot;", "&lt;", "&gt;", "&apos;", "&amp;lt;"],
    *["2003.", "1,200", "3-2", "don't", "U.S.", " ", " ", " "],
]


def lines_of(path: Path) -> list[str]:
    return path.read_bytes().decode().removesuffix("\n").split("\n")


def nasty_lines(seed: int, count: int) -> Iterator[str]:
    rng = random.Random(seed)
    for _ in range(count):
        yield "".join(rng.choices(NASTY, k=rng.randrange(25)))


texts = st.text() | st.lists(st.sampled_from(NASTY)).map("".join)


# --- hand-worked: a text, and its tokens by tokenizer, joined by single spaces ---

HAND_WORKED: list[tuple[str, dict[str, str]]] = [
    ("", dict.fromkeys(TOKENIZERS, "")),
    (" \t\xa0\u3000 ", dict.fromkeys(TOKENIZERS, "")),
    # Digits on both sides keep a comma, full stop or (international only) a hyphen inside.
    ("1,200", {"13a": "1,200", "mteval-intl": "1,200", "intl": "1,200", "zh": "1,200"}),
    ("3-2", {"13a": "3 - 2", "mteval-intl": "3-2", "intl": "3-2", "zh": "3 - 2"}),
    ("x-2", {"13a": "x-2", "mteval-intl": "x - 2", "intl": "x - 2", "zh": "x-2"}),
    ("$5.00", {"13a": "$ 5.00", "mteval-intl": "$ 5.00", "intl": "$ 5.00", "zh": "$ 5.00"}),
    # "a," and "b," are two matches of the first pass.
    ("a,b,c", {"13a": "a , b , c", "mteval-intl": "a , b , c", "zh": "a , b , c"}),
    # In the first pass ".," is one match, so no character is left before the second comma. In the
    # second pass a digit follows it.
    ("1.,,2", {"13a": "1 . , ,2", "mteval-intl": "1 . , ,2", "intl": "1 . , ,2"}),
    ("1.,2", {"13a": "1 . , 2", "mteval-intl": "1 . , 2", "intl": "1 . , 2"}),
    ("wait...", {"13a": "wait . . .", "mteval-intl": "wait . . .", "zh": "wait . . ."}),
    ("don't", {"13a": "don't", "mteval-intl": "don ' t", "intl": "don ' t", "zh": "don't"}),
    ("U.S.", {"13a": "U . S .", "mteval-intl": "U . S .", "intl": "U . S .", "zh": "U . S ."}),
    ("a_b`c", {"13a": "a _ b ` c", "mteval-intl": "a _ b ` c", "zh": "a _ b ` c"}),
    # Only 13a adds a space at both ends of the text.
    ("2003.", {"13a": "2003 .", "mteval-intl": "2003.", "intl": "2003.", "zh": "2003."}),
    ("2003. ", {"13a": "2003 .", "mteval-intl": "2003 .", "intl": "2003.", "zh": "2003."}),
    ("2003. So", {"mteval-intl": "2003 . So", "intl": "2003 . So", "zh": "2003 . So"}),
    ("2003.\tSo", {"mteval-intl": "2003 . So", "intl": "2003 . So", "zh": "2003 . So"}),
    (".5", {"13a": ". 5", "mteval-intl": ".5", "intl": ".5", "zh": ".5"}),
    (" .5", {"13a": ". 5", "mteval-intl": ". 5", "intl": ". 5", "zh": ".5"}),
    ('"5', {"13a": '" 5', "mteval-intl": '"5', "intl": '"5', "zh": '" 5'}),
    # A percent sign is punctuation, here at the end of the text; a euro sign is a symbol.
    ("50%", {"13a": "50 %", "mteval-intl": "50%", "intl": "50%", "zh": "50 %"}),
    ("50€", {"13a": "50€", "mteval-intl": "50 €", "intl": "50 €", "zh": "50 €"}),
    # Entities are decoded one after another: quot, amp, lt, gt (apos).
    ("&amp;lt;", {"13a": "<", "mteval-intl": "<", "intl": "& amp ; lt ;", "zh": "& amp ; lt ;"}),
    ("&amp;quot;", {"13a": "& quot ;", "mteval-intl": "& quot ;"}),
    ("&amp;apos;", {"13a": "& apos ;", "mteval-intl": "'"}),
    ("&AMP;", {"13a": "& AMP ;", "mteval-intl": "& AMP ;"}),
    ("AT&amp;T", {"13a": "AT & T", "mteval-intl": "AT & T", "none": "AT&amp;T"}),
    ("<skipped>", {"13a": "", "mteval-intl": "", "intl": "< skipped >", "zh": "< skipped >"}),
    ("un<skipped>known", {"13a": "unknown", "mteval-intl": "unknown"}),
    ("co-\nop", {"13a": "coop", "mteval-intl": "co - op", "intl": "co - op", "zh": "co- op"}),
    ("co-<skipped>\nop", {"13a": "coop", "mteval-v13a": "coop"}),
    ("co-\u2028op", {"13a": "co- op", "mteval-intl": "coop", "intl": "co - op"}),
    # A no-break space and NEL are white space, a zero-width space is not.
    *[(f"a{space}b", dict.fromkeys(set(TOKENIZERS) - {"char"}, "a b")) for space in "\t\x85\xa0"],
    ("1\u3000,\u30002", dict.fromkeys(TOKENIZERS, "1 , 2")),
    ("a\u200bb", {"13a": "a\u200bb", "intl": "a\u200bb", "zh": "a \u200b b"}),
    # The separators 1C to 1F are white space in Python, not in Perl.
    *[
        (f"a{c}b", {"13a": "a b", "mteval-v13a": f"a{c}b", "mteval-intl": f"a{c}b", "intl": "a b"})
        for c in "\x1c\x1d\x1e\x1f"
    ],
    (
        "no.\x1c2,\x1d3",
        {
            "13a": "no . 2 , 3",
            "mteval-v13a": "no . \x1c2 , \x1d3",
            "mteval-intl-e": "no . \x1c2 , \x1d3",
        },
    ),
    # Full-width digits are digits (Nd), letters (Lu, Ll) and marks (Po) to the international rules.
    ("１，２００", {"13a": "１，２００", "intl": "１，２００", "zh": "１ ， ２ ０ ０"}),
    ("ＯＫ！", {"13a": "ＯＫ！", "intl": "ＯＫ ！", "mteval-intl-e": "Ｏ Ｋ ！", "zh": "Ｏ Ｋ ！"}),
    ("“Ja”", {"13a": "“Ja”", "intl": "“ Ja ”", "mteval-intl": "“ Ja ”", "zh": "“ Ja ”"}),
    ("don’t", {"13a": "don’t", "intl": "don ’ t", "zh": "don ’ t"}),
    # A thumb is a symbol (So), and so is its skin tone (Sk). A joiner is neither (Cf).
    ("ok👍🏽", {"13a": "ok👍🏽", "mteval-intl": "ok 👍 🏽", "intl": "ok 👍 🏽", "zh": "ok👍🏽"}),
    ("👩\u200d🔬", {"13a": "👩\u200d🔬", "intl": "👩 \u200d 🔬", "char": "👩 \u200d 🔬"}),
    ("cafe\u0301.", {"13a": "cafe\u0301 .", "mteval-intl-e": "cafe \u0301 ."}),
    ("Café 5", {"mteval-intl": "Café 5", "mteval-intl-e": "Caf é 5", "char": "C a f é 5"}),
    # Kana are not Chinese characters; ideographs beyond U+FFFF are missed by accident.
    (
        "東京は。",
        {
            "13a": "東京は。",
            "intl": "東京は 。",
            "mteval-intl-e": "東 京 は 。",
            "zh": "東 京 は 。",
        },
    ),
    ("カナ漢字", {"13a": "カナ漢字", "mteval-intl-e": "カ ナ 漢 字", "zh": "カナ 漢 字"}),
    ("𠀀𠀁한국", {"zh": "𠀀𠀁한국", "intl": "𠀀𠀁한국", "mteval-intl-e": "𠀀 𠀁 한 국"}),
    # With -e, the space added around 年 puts the full stop before a non-number.
    ("2003.年", {"mteval-intl": "2003 . 年", "mteval-intl-e": "2003 . 年"}),
]


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [(text, name, cases[name]) for text, cases in HAND_WORKED for name in sorted(cases)],
)
def test_hand_worked_cases(text: str, name: str, expected: str) -> None:
    assert TOKENIZERS[name](text) == (expected.split(" ") if expected else [])


# --- sacreBLEU 2.6 ---


@pytest.fixture(scope="module", params=["none", "13a", "intl", "char", "zh"])
def both(request: pytest.FixtureRequest) -> tuple[Tokenizer, Tokenizer]:
    """Our tokenizer and sacreBLEU's, with the steps of its BLEU before and after."""
    metrics = pytest.importorskip("sacrebleu.metrics", reason="sacreBLEU is not installed")
    original = metrics.BLEU(tokenize=request.param).tokenizer
    if request.param == "13a":  # ours is the bare tokenizer, which joins even a final "-\n"
        return TOKENIZERS["13a"], lambda text: original(text).split()
    return TOKENIZERS[request.param], lambda text: original(text.rstrip()).split()


def different(both: tuple[Tokenizer, Tokenizer], texts: Sequence[str]) -> list[str]:
    ours, original = both
    return [text for text in texts if ours(text) != original(text)]


def test_real_texts_equal_sacrebleu(both: tuple[Tokenizer, Tokenizer]) -> None:
    references, systems = (DATA.glob(files) for files in ("*/ref*.txt", "*/systems/*.txt"))
    lines = [line for path in references for line in lines_of(path)]
    lines += [line for path in systems for line in lines_of(path)[::5]]
    if not lines:
        pytest.skip(f"no evaluation data at {DATA}")
    assert different(both, lines) == []


def test_nasty_texts_equal_sacrebleu(both: tuple[Tokenizer, Tokenizer]) -> None:
    assert different(both, list(nasty_lines(1, 10_000))) == []


def test_every_character_of_the_first_two_planes_equals_sacrebleu(
    both: tuple[Tokenizer, Tokenizer],
) -> None:
    characters = [chr(i) for i in range(0x20000) if not 0xD800 <= i < 0xE000]
    blocks = [characters[i : i + 256] for i in range(0, len(characters), 256)]
    assert different(both, [" ".join(f"{c}1{c}a{c}" for c in b) for b in blocks]) == []


@given(text=texts)
def test_any_text_equals_sacrebleu(both: tuple[Tokenizer, Tokenizer], text: str) -> None:
    assert different(both, [text]) == []


@pytest.mark.slow
def test_whole_texts_equal_sacrebleu() -> None:
    """Lines of a text are scanned at once, by a kernel."""
    module = pytest.importorskip("sacrebleu.tokenizers.tokenizer_13a")
    original = module.Tokenizer13a()
    characters = [chr(i) for i in range(0x110000) if not 0xD800 <= i < 0xE000]
    lines = ["5".join(characters[i : i + 256]) for i in range(0, len(characters), 256)]
    lines += ["".join(line) for n in range(1, 7) for line in product("5a.,-", repeat=n)]
    lines += nasty_lines(13, 100_000)
    vocabulary, texts = Vocabulary(), [line.encode() for line in lines]
    ends = np.cumsum([*map(len, texts)])
    starts = ends - [*map(len, texts)]
    ids, offsets = scan_13a(b"".join(texts), starts, ends, vocabulary)
    bounds, tokens = offsets.tolist(), vocabulary.tokens(ids)
    ours = [tokens[a:b] for a, b in pairwise(bounds)]
    assert ours == [original(line).split() for line in lines]


# --- properties ---


@pytest.mark.parametrize("name", TOKENIZERS)
@given(text=texts)
def test_tokens_are_not_empty_and_hold_no_space(name: str, text: str) -> None:
    assert all(token and " " not in token for token in TOKENIZERS[name](text))


@given(text=texts)
def test_mteval_v13a_is_13a_unless_white_space_differs(text: str) -> None:
    if not re.search("[\x1c-\x1f]", text):
        assert tokenizers.mteval_v13a(text) == tokenizers.tokenize_13a(text)


@pytest.mark.parametrize("name", ["13a", "mteval-v13a", "mteval-intl", "mteval-intl-e", "intl"])
@given(left=texts, right=texts)
def test_rules_do_not_look_across_white_space(name: str, left: str, right: str) -> None:
    tokenize = TOKENIZERS[name]
    # A space at each inner end represents the white space there. `intl` drops trailing space, so
    # the left text ends in a mark instead.
    left = f"{left} ⁂"
    assert tokenize(f"{left} {right}") == tokenize(left) + tokenize(f" {right}")


def test_regex_is_not_imported_before_it_is_needed() -> None:
    program = (
        "import sys; from mteval_core.text.tokenizers import tokenize_13a, zh; "
        "tokenize_13a('a.'); zh('a.'); sys.exit('regex' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


# --- mteval-v13a: it prints only scores, so the test computes scores from the tokens ---


class Statistics(NamedTuple):
    """Counts of mteval-v13a for one segment; lists are indexed by order, 1 to 5."""

    ngrams: list[int]
    matches: list[int]
    information: list[float]  # of the matches
    length: int
    closest_length: int
    references_length: int  # of all references


def ngrams(tokens: list[str], n: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1))


def statistics(hypotheses: Texts, references: list[Texts]) -> Iterator[Statistics]:
    """Count by brute force; `references` has one list of texts per reference."""
    words = sum(len(text) for texts in references for text in texts)
    seen: Counter[tuple[str, ...]] = Counter()
    for text in chain.from_iterable(references):
        for n in range(1, 6):
            seen.update(ngrams(text, n))

    def information(ngram: tuple[str, ...]) -> float:
        # The program tests whether the prefix is true in Perl; an empty one and "0" are not.
        whole = words if ngram[:-1] in ((), ("0",)) else seen[ngram[:-1]]
        return math.log2(whole / seen[ngram])

    for hypothesis, *its_references in zip(hypotheses, *references, strict=True):
        row = Statistics(
            ngrams=[max(0, len(hypothesis) - n + 1) for n in range(1, 6)],
            matches=[],
            information=[],
            length=len(hypothesis),
            closest_length=min(
                map(len, its_references),
                key=lambda r: (abs(r - len(hypothesis)), r),
            ),
            references_length=sum(map(len, its_references)),
        )
        for n in range(1, 6):
            most: Counter[tuple[str, ...]] = Counter()
            for reference in its_references:
                most |= ngrams(reference, n)
            matched = ngrams(hypothesis, n) & most
            row.matches.append(matched.total())
            row.information.append(sum(c * information(ngram) for ngram, c in matched.items()))
        yield row


def bleu(rows: Sequence[Statistics]) -> float:
    log_precisions, smoothing = 0.0, 1
    for n in range(4):
        total, matched = sum(r.ngrams[n] for r in rows), sum(r.matches[n] for r in rows)
        if total and not matched:
            smoothing *= 2
        if total:  # an order without n-grams counts as precision 1
            log_precisions += math.log((matched or 1 / smoothing) / total)
    length, closest = sum(r.length for r in rows), sum(r.closest_length for r in rows)
    return math.exp(log_precisions / 4 + min(0, 1 - closest / length)) if length else 0.0


def nist(rows: Sequence[Statistics], n_references: int) -> float:
    score = sum(
        sum(r.information[n] for r in rows) / max(1, sum(r.ngrams[n] for r in rows))
        for n in range(5)
    )
    ratio = sum(r.length for r in rows) / (sum(r.references_length for r in rows) / n_references)
    if not 0 < ratio < 1:
        return score if ratio else 0.0
    return score * math.exp(math.log(0.5) * (math.log(ratio) / math.log(1.5)) ** 2)


def mteval_runs() -> Iterator[Any]:
    """One run of the original program per data set and tokenization."""
    for path in sorted(GOLDEN.glob("*.raw.json")):
        report = json.loads(path.read_text(encoding="utf-8"))
        for run in report["runs"]:
            if run["oracle"] != "mteval" or "note" in run or "references_used" in run:
                continue
            options = (
                run["command"].split("tst.sgm")[1].removesuffix("--metricsMATR-output").split()
            )
            if set(options) <= {"-c", "-e", "--international-tokenization"}:
                name = f"{report['dataset']}-{report['system']} {' '.join(options)}"
                yield pytest.param(report, run, set(options), id=name)


RUNS = list(mteval_runs())


def test_golden_runs_are_there() -> None:
    if not GOLDEN.exists():
        pytest.skip(f"no golden numbers at {GOLDEN}")
    assert len(RUNS) == 30


@pytest.mark.parametrize(("report", "run", "options"), RUNS)
def test_scores_of_mteval_are_reproduced(
    report: dict[str, Any], run: dict[str, Any], options: set[str]
) -> None:
    international = "--international-tokenization" in options
    name = "mteval-intl-e" if "-e" in options else "mteval-intl" if international else "mteval-v13a"
    fold = str if "-c" in options else unicode_lower if international else ascii_lower

    def tokenized(path: Path) -> Texts:
        return [TOKENIZERS[name](fold(line)) for line in lines_of(path)]

    folder = DATA / report["dataset"]
    hypotheses = tokenized(folder / "systems" / f"{report['system']}.txt")
    references = [tokenized(folder / f"ref{k}.txt") for k in range(report["references"])]
    rows = list(statistics(hypotheses, references))
    corpus = run["corpus"]
    assert sum(r.length for r in rows) == corpus["tst_len"]
    assert sum(r.closest_length for r in rows) == corpus["ref_len_for_bp"]
    assert bleu(rows) == pytest.approx(corpus["BLEU"], abs=1e-12)
    assert nist(rows, len(references)) == pytest.approx(corpus["NIST"], abs=1e-12)
    if "segments" in run:
        kept = run["segments"]
        assert [bleu([r]) for r in rows[: len(kept["BLEU"])]] == pytest.approx(
            kept["BLEU"], abs=1e-10
        )
        assert [nist([r], len(references)) for r in rows[: len(kept["NIST"])]] == pytest.approx(
            kept["NIST"], abs=1e-10
        )

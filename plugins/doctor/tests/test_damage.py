"""Damaged texts raise the right warning, and undamaged texts raise none."""

from __future__ import annotations

import random
import re
import unicodedata
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from mteval_doctor.alignment import first_shuffled
from mteval_doctor.hooks import CHECKS
from mteval_doctor.residue import RESIDUES
from mteval_doctor.samples import Sample, samples_of_systems, words_by_line
from mteval_doctor.sides import same_words

import mteval_core as mt

if TYPE_CHECKING:
    from collections.abc import Sequence

ROOT = Path(__file__).parents[3]
MINI = ROOT / "examples" / "mini"
DATA = ROOT.parent / "shared" / "data"
README = Path(__file__).parents[1] / "README.md"


def lines_of(path: Path) -> list[str]:
    return [line or "" for line in mt.read_text(path)]


REFERENCES = lines_of(MINI / "ref0.txt")
OUTPUT = lines_of(MINI / "systems" / "neural.txt")
THIRD = len(OUTPUT) // 3


def in_blocks(segments: Sequence[str | None], size: int = 1000) -> mt.TextSummary:
    text, summary = mt.Text.of(segments), mt.TextSummary()
    for start in range(0, len(text), size):
        summary.add(text[start : start + size])
    return summary


def findings(
    output: Sequence[str], references: Sequence[str] = REFERENCES, **more: Any
) -> list[tuple[str, str]]:
    texts = mt.CheckedTexts({"A": in_blocks(output)}, (in_blocks(references),), **more)
    whole = [*texts.findings(mt.default_registry())]
    read = mt.CheckedTexts({"A": in_blocks(output, 7)}, (in_blocks(references, 7),), **more)
    assert [*read.findings(mt.default_registry())] == whole
    return whole


def codes(output: Sequence[str], references: Sequence[str] = REFERENCES, **more: Any) -> list[str]:
    return [code for code, _ in findings(output, references, **more)]


def each(change: str) -> list[str]:
    return [change.format(line) for line in OUTPUT]


def tokenized(lines: Sequence[str]) -> list[str]:
    return [re.sub(r"([.,!?;:()])", r" \1 ", line).strip() for line in lines]


def tenth(change: str) -> list[str]:
    return [change.format(line) if i % 10 == 1 else line for i, line in enumerate(OUTPUT)]


DAMAGED: dict[str, tuple[str, list[str]]] = {
    "a line lost": ("shifted", [*OUTPUT[:THIRD], *OUTPUT[THIRD + 1 :], "So it is."]),
    "a line twice": ("shifted", [*OUTPUT[:THIRD], *OUTPUT[THIRD - 1 : -1]]),
    "two lines lost": ("shifted", [*OUTPUT[:THIRD], *OUTPUT[THIRD + 2 :], "So", "it is."]),
    "shuffled": ("shuffled", random.Random(1).sample(OUTPUT, len(OUTPUT))),
    "reversed": ("shuffled", OUTPUT[::-1]),
    "source": ("other-language", lines_of(MINI / "src.de.txt")),
    "script": (
        "other-script",
        [line.translate({97: 1072, **dict.fromkeys(range(98, 123), 1080)}) for line in OUTPUT],
    ),
    "thoughts": ("thinking", each("<think>Hm, a pun.</think> {}")),
    "some thoughts": ("thinking", tenth("<think>Hm.</think>{}")),
    "fences": ("fences", each("```text {} ```")),
    "JSON": ("json", ["Sorry, I cannot translate this.", *each('{{"translation": "{}"}}')[1:]]),
    "some JSON": ("json", tenth('{{"translation": "{}"}}')),
    "JSON cut by a limit": ("json", each('{{"translation": "{}')),
    "lists": ("json", each('["{}"]')),
    "fenced JSON": ("json", each('```json\n{{\n "translation": "{}"\n}}\n```')),
    "preamble": ("preamble", each("Here is the translation: {}")),
    "some preambles": ("preamble", tenth("Sure! Here's the German translation: {}")),
    "German preamble": ("same-beginning", each("Gerne, hier der Text. {}")),
    "numbers": ("numbering", [f"{i}. {line}" for i, line in enumerate(OUTPUT, 1)]),
    "quotes": ("quotes", each('"{}"')),
    "curly quotes": ("quotes", each("\u201c{}\u201d")),
    "SentencePiece": ("subwords", ["\u2581" + line.replace(" ", " \u2581") for line in OUTPUT]),
    "subword-nmt": ("subwords", [re.sub(r"(\w{4})(\w{2,})", r"\1@@ \2", line) for line in OUTPUT]),
    "WordPiece": ("subwords", [re.sub(r"(\w{4})(\w{2,})", r"\1 ##\2", line) for line in OUTPUT]),
    "end": ("special-tokens", each("{} </s>")),
    "some ends": ("special-tokens", tenth("{}<|im_end|>")),
    "language": ("language-tags", each("__eng__ {}")),
    "NLLB": ("language-tags", each("eng_Latn {}")),
    "entities": ("markup", [line.replace(",", "&#44;").replace("'", "&apos;") for line in OUTPUT]),
    "tags": ("markup", tenth("<b>{}</b>")),
    "mojibake": ("encoded-twice", [line.replace("a", "\xc3\xa4") for line in OUTPUT]),
    "zeros": ("control-characters", tenth("{}\0")),
    "decoded in pieces": ("replacement-characters", tenth("{}\ufffd")),
    "line feeds": ("escapes", each(r"{}\n")),
    "empty": ("empty-lines", ["" if i % 3 == 1 else line for i, line in enumerate(OUTPUT)]),
    "cut words": ("cut-lines", [" ".join(line.split()[:6]) for line in OUTPUT]),
    "cut characters": ("cut-lines", [line[:40] for line in OUTPUT]),
    "small": ("letter-case", [line.lower() for line in OUTPUT]),
    "capitals": ("letter-case", [line.upper() for line in OUTPUT]),
    "NFD": (
        "normal-forms",
        [unicodedata.normalize("NFD", line.replace("a", "\u00e4")) for line in OUTPUT],
    ),
    "tokenized": ("tokenized-text", tokenized(OUTPUT)),
}
"""The code of the warning for each kind of damage, and the damaged output."""


@pytest.mark.parametrize("damage", DAMAGED)
def test_damage_raises_its_warning(damage: str) -> None:
    code, output = DAMAGED[damage]
    references = REFERENCES
    if damage == "NFD":
        references = [line.replace("a", "\u00e4") for line in REFERENCES]
    found = findings(output, references)
    assert code in [seen for seen, _ in found]
    assert all(message.startswith("system A") for _, message in found)


def test_every_check_is_documented() -> None:
    rows = re.findall(r"^\| `([a-z-]+)` \| (.+) \|$", README.read_text("utf-8"), re.MULTILINE)
    assert [code for code, _ in rows if code in CHECKS] == sorted(CHECKS)
    assert {residue.code for residue in RESIDUES} <= CHECKS.keys()


def test_an_undamaged_output_raises_no_warning() -> None:
    assert findings(OUTPUT) == []
    assert findings(REFERENCES[::-1], REFERENCES[::-1]) == []


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        # The system "lower" writes small letters and separates punctuation.
        ("mini", {"letter-case": {"lower"}, "tokenized-text": {"lower"}}),
        # Three systems answer with fences of code in one to five segments.
        ("news24-en-ja", {"fences": {"Claude-3.5", "Gemini-1.5-Pro", "Llama3-70B"}}),
        ("news23-en-de", {}),
        ("ted21-en-de", {}),
        ("ted21-zh-en", {}),
        ("summeval", {}),
    ],
)
def test_real_outputs_raise_no_false_warning(name: str, expected: dict[str, set[str]]) -> None:
    if not (DATA / name).is_dir():
        pytest.skip(f"the test set ../shared/data/{name} is absent")
    references = lines_of(DATA / name / "ref0.txt")
    found: dict[str, set[str]] = {}
    for path in sorted((DATA / name).glob("systems/*.txt")):
        for code in codes(lines_of(path), references):
            found.setdefault(code, set()).add(path.stem)
    for path in sorted((DATA / name).glob("ref[1-9]*.txt")):
        assert codes(lines_of(path), references) == []
    assert found == expected


@pytest.mark.parametrize(
    "line", ["{} [sic]", "[{}] [sic]", '["{}", he said.', "{{name}} {}", "{{}} {}", "'{{a: 1}}' {}"]
)
def test_brackets_are_no_json(line: str) -> None:
    assert codes(each(line)) in ([], ["same-beginning"])


@pytest.mark.parametrize(
    ("line", "code"), [("<THINK>Hm.</THINK> {}", "thinking"), ("{} <PAD>", "special-tokens")]
)
def test_tags_in_capitals_are_found(line: str, code: str) -> None:
    assert code in codes(each(line))


# Where it begins


@pytest.mark.parametrize("start", [0, 30, 70])
def test_a_shift_is_named_with_its_line(start: int) -> None:
    output = [*OUTPUT[:start], *OUTPUT[start + 1 :], "So it is."]
    ((code, message),) = findings(output)
    line = int(re.findall(r"from line (\d+)", message)[0])
    assert (code, abs(line - 1 - start) <= 2, "1 line early" in message) == ("shifted", True, True)


def test_lines_that_are_shuffled_late_are_named_with_their_place() -> None:
    half = len(OUTPUT) // 2
    output = [*OUTPUT[:half], *random.Random(2).sample(OUTPUT[half:], half)]
    ((code, message),) = findings(output)
    line = int(re.findall(r"from about line (\d+)", message)[0])
    assert (code, abs(line - half) < 12) == ("shuffled", True)


def test_lines_that_are_all_alike_do_not_show_their_order() -> None:
    lines = [f"This is line {i}." for i in range(100)]
    assert codes(lines[::-1], lines) == []
    words = words_by_line(Sample(in_blocks(lines)))
    assert first_shuffled(words, words) is None


def test_a_long_text_is_looked_at_in_parts() -> None:
    copies = [f"{line} {i}" for i in range(30) for line in REFERENCES]
    output = [f"{line} {i}" for i in range(30) for line in OUTPUT]
    assert codes(output, copies) == []
    lost = [*output[:2000], *output[2001:], "So it is."]
    ((code, message),) = findings(lost, copies)
    assert (code, int(re.findall(r"from line (\d+)", message)[0]) - 2000 in range(-3, 5)) == (
        "shifted",
        True,
    )


# What references have, too, is no damage


@pytest.mark.parametrize(
    "change",
    [
        "{} </s>",
        '"{}"',
        "1. {}",
        "&amp; {}",
        "<think>{}",
        "Here is the translation: {}",
        '{{"text": "{}"}}',
    ],
)
def test_what_the_references_have_too_is_no_damage(change: str) -> None:
    both = [[change.format(line) for line in lines] for lines in (OUTPUT, REFERENCES)]
    assert codes(*both) == []


def test_empty_lines_of_references_excuse_those_of_a_system() -> None:
    empty = [i % 3 == 1 for i in range(len(OUTPUT))]
    output, references = (
        ["" if gone else line for gone, line in zip(empty, lines, strict=True)]
        for lines in (OUTPUT, REFERENCES)
    )
    assert "empty-lines" in codes(output)
    assert "empty-lines" not in codes(output, references)


@pytest.mark.parametrize(
    ("lines", "case"),
    [
        (["so it is"] * 10, "small letters only"),
        (["SO IT IS"] * 10, "capitals only"),
        (["So it is"] * 10, "small letters and capitals"),
        (["so it is"] * 9, None),
        (["\u305d\u3046\u3067\u3059"] * 20, None),
        (["So it is", "so it is", "so it is"] * 5, None),
    ],
)
def test_the_case_of_lines(lines: list[str], case: str | None) -> None:
    assert Sample(in_blocks(lines)).case == case


def test_the_language_of_lines() -> None:
    german, english, loud, few = (
        Sample(in_blocks(lines))
        for lines in (
            lines_of(MINI / "src.de.txt"),
            OUTPUT,
            [line.upper() for line in OUTPUT],
            OUTPUT[:5],
        )
    )
    expected = Sample(in_blocks(REFERENCES))
    assert same_words(english, expected)
    assert same_words(loud, expected)
    assert not same_words(german, expected)
    assert same_words(few, expected), "few words do not show it"


def test_copies_of_the_source_need_the_source() -> None:
    source = lines_of(MINI / "src.de.txt")
    output = [
        s if i % 3 == 0 else line for i, (line, s) in enumerate(zip(OUTPUT, source, strict=True))
    ]
    assert "copied-source" not in codes(output)
    assert "copied-source" in codes(output, source=in_blocks(source))
    assert "copied-source" not in codes(OUTPUT, source=in_blocks(source))
    assert "copied-source" not in codes(output, source, source=in_blocks(source))


def test_sides_that_are_tokenized() -> None:
    plain, cut = ["It is so."] * 100, ["It is so ."] * 100
    assert "tokenized-text" in codes(cut, plain)
    assert "tokenized-text" in codes(plain, cut)
    assert "tokenized-text" not in codes(cut, cut)  # without a metric that tokenizes again
    assert "tokenized-text" not in codes([cut[0], *plain[:10]] * 100, plain * 11)
    assert "tokenized-text" not in codes(cut[:19], plain[:19])


def test_the_checks_of_short_texts_are_quiet() -> None:
    assert codes(["a b c"], ["a b d"]) == []
    assert codes(["\u3053\u308c"], ["a"]) == []
    assert codes([""], [""]) == ["empty-references"]
    assert codes([], []) == ["empty-references"]
    assert codes(["x"] * 30, ["a b c"] * 30) == []


def test_a_script_is_known_by_its_share_of_enough_letters() -> None:
    kana, latin = "\u3053\u308c\u306f\u72ac", "This is a dog."
    assert codes([latin] * 2, [kana * 5]) == ["other-script"]
    assert codes([latin], [kana * 5]) == [], "eleven letters show nothing"
    assert codes([latin] * 2, [kana * 4]) == []
    assert codes([f"{kana} {latin}"] * 5, [kana] * 5) == [], "a quarter of its letters is Kana"
    ((_, message),) = findings([latin, latin, "\u3053"], [f"{kana} a"] * 5)
    assert message == (
        "system A: 5% of its letters are Kana, and 80% of those of the references; most of its "
        "letters are Latin"
    )


@pytest.mark.parametrize(("n_systems", "n_lines"), [(1, 100), (500, 100), (1000, 50), (9000, 34)])
def test_of_very_many_systems_fewer_lines_are_looked_at(n_systems: int, n_lines: int) -> None:
    text = mt.TextSummary.of(mt.Text.of([f"This is line {i}." for i in range(100)]))
    texts: Any = SimpleNamespace(
        systems=dict.fromkeys(map(str, range(n_systems)), text), metrics=()
    )
    assert {len(sample.lines) for _, sample in samples_of_systems(texts)} == {n_lines}

"""Pictures of explanations: what they show, and that it is aligned."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import pytest
import wcwidth
from hypothesis import given, settings
from hypothesis import strategies as st
from mteval_explain.drawing import Drawing
from mteval_explain.html import fragment
from mteval_explain.scene import columns, grid, strengths
from mteval_explain.svg import drawing, drawings
from mteval_explain.terminal import drawn, facts
from mteval_explain.width import NARROW, clipped, padded, runs_right_to_left, shown, width
from mteval_explain.words import by_word
from mteval_explain.written import WrittenExplanation as Explanation
from mteval_explain.written import explanations

from mteval_core import Edit, Link

if TYPE_CHECKING:
    from mteval_explain.terminal import Picture

PICTURES: list[Picture] = ["spans", "lines", "grid"]


def texts(
    hypothesis: str, *references: str, links: list[Link], edits: tuple[Edit, ...] = ()
) -> Explanation:
    split = tuple(tuple(reference.split()) for reference in references)
    return Explanation(tuple(hypothesis.split()), split, tuple(links), (), (), edits=edits)


RUNS = texts(
    "a drawer the clerk in kept the old maps",
    "she kept the old maps and in a drawer",
    links=[
        Link((5, 6, 7, 8), (1, 2, 3, 4), kind="run", weight=16),
        Link((0, 1), (7, 8), kind="run", weight=4),
        Link((4,), (6,), kind="run"),
    ],
)
"""Runs of 4, 2 and 1 words, as in the first figure of Melamed, Green and Turian (2003)."""


def test_spans_show_how_long_each_match_is() -> None:
    assert strengths(RUNS) == [2, 2, 0, 0, 1, 4, 4, 4, 4]
    assert strengths(RUNS, 0) == [0, 4, 4, 4, 4, 0, 1, 2, 2]
    assert drawn(RUNS, ["spans"], 80) == (
        "hypothesis   a drawer the clerk in kept the old maps\n"
        "             ▂ ▂▂▂▂▂▂           ▁▁ ████ ███ ███ ████\n"
        "reference 0  she kept the old maps and in a drawer\n"
        "                 ████ ███ ███ ████     ▁▁ ▂ ▂▂▂▂▂▂"
    )


def test_columns_say_whether_words_match_were_moved_or_edited() -> None:
    pytest.importorskip("mteval_error_rates")
    explanation = texts(
        "b c x a",
        "a b c d",
        links=[Link((0, 1), (1, 2), kind="run"), Link((3,), (0,), kind="run")],
    )
    assert [tuple(column) for column in columns(explanation, 0)] == [
        ("", "a", "1", "moved"),
        ("b", "b", "|", "hit"),
        ("c", "c", "|", "hit"),
        ("", "d", "-", "edit"),
        ("x", "", "+", "edit"),
        ("a", "", "1", "moved"),
    ]
    (shifted,) = explanations("ter", ["b c x a"], [["a b c d"]])
    assert [tuple(column) for column in columns(shifted, 0)] == [
        ("a", "a", "1", "moved"),
        ("b", "b", "|", "hit"),
        ("c", "c", "|", "hit"),
        ("x", "d", "S", "edit"),
    ]


def test_lines_put_matches_below_each_other_and_number_those_that_cross() -> None:
    assert drawn(RUNS, ["lines"], 80) == (
        "hypothesis       a drawer the clerk in kept the old maps\n"
        "             -   1 1      +   +     2  |    |   |   |    -   2  1 1\n"
        "reference 0  she                       kept the old maps and in a drawer"
    )


def test_the_grid_has_the_reference_across_runs_as_squares_and_other_hits_as_dots() -> None:
    scene = grid(RUNS)
    assert [tuple(square) for square in scene.squares] == [
        (7, 0, 2, True),
        (6, 4, 1, True),
        (1, 5, 4, True),
    ]
    assert scene.hits - {(s[0] + n, s[1] + n) for s in scene.squares for n in range(s[2])} == {
        (2, 2)
    }
    *letters, last = drawn(RUNS, ["grid"], 80).splitlines()
    assert last == "maps   · ▒▒▒▒▒▒██· · · ·"
    assert letters[-8:-5] == [
        "a      · · · · · · · ██▒▒",
        "drawer · · · · · · · ▒▒██",
        "the    · · • · · · · · ·",
    ]
    assert letters[-9] == "       e t e d s d n a r"


def test_what_does_not_count_is_faint_and_references_have_barriers() -> None:
    explanation = texts(
        "a b", "a", "x b", links=[Link((0,), (0,)), Link((1,), (1,), 1, "cut", 0.0)]
    )
    assert drawn(explanation, ["grid"], 80).splitlines() == [
        "  a  x b",
        "a ██│· ·",
        "b · │· ▓▓",
    ]
    assert [square.counts for square in grid(explanation).squares] == [True, False]
    assert grid(explanation).barriers == [1]
    assert strengths(explanation) == [1, 0]


def test_a_grid_that_is_too_wide_is_cut_into_parts() -> None:
    words = " ".join("abcdefgh")
    wide = texts(words, words, links=[Link((i,), (i,)) for i in range(8)])
    parts = drawn(wide, ["grid"], 12).split("\n\n")
    assert [part.splitlines()[0].split() for part in parts] == [list("abcde"), list("fgh")]


def test_edits_have_letters_and_shifts_numbers() -> None:
    edits = (
        Edit("shift", (0,), (), after=1),
        Edit("substitution", (1,), (0,)),
        Edit("insertion", (2,), ()),
        Edit("deletion", (), (2,)),
    )
    explanation = Explanation(
        ("z", "a", "b"),
        (("x", "z", "c"),),
        (Link((0,), (1,), kind="hit"),),
        (),
        (),
        edits=edits,
        order=(1, 0, 2),
        best=0,
    )
    assert [(c.hypothesis, c.mark, c.reference) for c in columns(explanation, 0)] == [
        ("a", "S", "x"),
        ("z", "1", "z"),
        ("", "D", "c"),
        ("b", "I", ""),
    ]


def test_the_longest_links_are_shown() -> None:
    links = [Link((i,), (i,), kind="1-gram") for i in range(3)] + [
        Link((0, 1), (3, 4), kind="2-gram")
    ]
    explanation = texts("a b c", "a b c a b", links=links)
    made = [(c.hypothesis, c.mark, c.reference) for c in columns(explanation, 0)]
    assert made == [
        *(("", "-", "a"), ("", "-", "b"), ("", "1", "c")),
        *(("a", "|", "a"), ("b", "|", "b"), ("c", "1", "")),
    ]
    assert strengths(explanation) == [2, 2, 1]


def test_links_of_characters_are_summarized_by_word() -> None:
    pytest.importorskip("mteval_chrf")
    (explanation,) = explanations("chrf", ["The houses of mice"], [["The house of the mouse"]])
    summary = by_word(explanation)
    assert summary.hypothesis == ("The", "houses", "of", "mice")
    linked = [(link.hypothesis, link.reference) for link in summary.links]
    assert linked == [((0,), (0,)), ((1,), (1,)), ((2,), (2,))]
    assert 0.9 < summary.links[0].weight <= 1
    (japanese,) = explanations("chrf", ["東京の駅 now"], [["東京 now"]])
    assert by_word(japanese).words() == ["東", "京", "の", "駅", "now"]


def test_long_matches_are_folded() -> None:
    words = " ".join(f"word{n}" for n in range(200))
    explanation = texts(f"{words} x", f"{words} y", links=[Link((i,), (i,)) for i in range(200)])
    picture = drawn(explanation, ["lines"], 80)
    assert picture.splitlines()[0].split() == [
        *("hypothesis", "word0", "word1", "word2"),
        *("…", "194", "…", "word197", "word198", "word199", "x"),
    ]
    whole = drawn(texts("a b", "a b", links=[Link((0,), (0,)), Link((1,), (1,))]), ["lines"], 80)
    assert "…" not in whole


# Width


@pytest.mark.parametrize(
    ("text", "cells"),
    [("abc", 3), ("東京", 4), ("e\u0301", 1), ("नमस्ते", 4), ("سلام", 4), ("\u2068a\u2069", 1)],
)
def test_width_in_cells(text: str, cells: int) -> None:
    assert width(text) == cells
    assert width(padded(text, 9)) >= 9


def test_the_short_way_to_a_width_is_that_of_wcwidth() -> None:
    short = [chr(code) for code in range(0x3000) if NARROW.fullmatch(chr(code))]
    assert len(short) > 800
    assert {c for c in short if wcwidth.wcwidth(c) != 1} == set()


def test_control_characters_are_visible_and_right_to_left_text_is_isolated() -> None:
    assert shown("a\x1b[31m") == "a\\x1b[31m"
    assert shown("سلام") == "\u2068سلام\u2069"
    assert clipped("東京都庁", 5) == "東京…"


ARABIC = ("ذهب الولد إلى المدرسة", "ذهب الولد إلى البيت")


def visible(picture: str) -> list[str]:
    """Lines of a picture without the marks of isolates."""
    return [re.sub("[\u2068\u2069]", "", line) for line in picture.splitlines()]


def test_right_to_left_text_runs_from_right_to_left_where_terminals_order_its_letters() -> None:
    pytest.importorskip("mteval_error_rates")
    (explanation,) = explanations("wer:tok=none", [ARABIC[0]], [[ARABIC[1]]])
    words, others = (text.split() for text in ARABIC)
    above, marks, below = visible(drawn(explanation, ["lines"], 80))
    assert (above.split()[1:], below.split()[2:]) == (words, others)
    above, marks, below = visible(drawn(explanation, ["lines"], 80, mirrored=True))
    assert (above.split()[1:], below.split()[2:]) == (words[::-1], others[::-1])
    assert marks.split() == ["S", "|", "|", "|"]
    ends = [{len(line[: m.end()]) for m in re.finditer(r"\S+", line)} for line in (above, below)]
    assert {m.end() for m in re.finditer(r"\S", marks)} <= ends[0] & ends[1]
    text, bars, *_ = visible(drawn(explanation, ["spans"], 80, mirrored=True))
    assert text.split()[1:] == words[::-1]
    assert len(bars) == len(text)  # the match is at the right
    assert text[bars.index("▁") :].split() == words[2::-1]


def test_mirrored_lines_end_at_the_right() -> None:
    pytest.importorskip("mteval_error_rates")
    (explanation,) = explanations("wer:tok=none", [ARABIC[0] * 3], [[ARABIC[0] * 3]])
    plain = [width(line) for line in drawn(explanation, ["spans"], 40).splitlines()[::2]]
    mirrored = [
        width(line) for line in drawn(explanation, ["spans"], 40, mirrored=True).splitlines()[::2]
    ]
    assert len(set(plain)) > 1 == len(set(mirrored))


def test_other_text_is_not_mirrored() -> None:
    assert drawn(RUNS, PICTURES, 80, mirrored=True) == drawn(RUNS, PICTURES, 80)
    assert [runs_right_to_left(text) for text in ("a سلام", "1. سلام a", "12", "")] == [
        False,
        True,
        False,
        False,
    ]


LANGUAGES = [
    ("我们今天早上在东京的博物馆看画", "今天早上我们在东京博物馆里看了画"),
    ("ذهب الولد إلى المدرسة في الصباح الباكر مع أخيه", "في الصباح الباكر ذهب الولد إلى مدرسته"),
    ("लड़का सुबह विद्यालय गया था और शाम को लौटा", "लड़का सुबह स्कूल गया और शाम को लौट आया"),
]


@pytest.mark.parametrize(("hypothesis", "reference"), LANGUAGES)
@pytest.mark.parametrize("page", [40, 80])
def test_columns_are_aligned_in_every_script(hypothesis: str, reference: str, page: int) -> None:
    """Each mark is in the cell where the words of its column begin."""
    pytest.importorskip("mteval_error_rates")
    tok = "char" if "我" in hypothesis else "none"
    (explanation,) = explanations(f"wer:tok={tok}", [hypothesis], [[reference]])
    pictures = drawn(explanation, ["spans", "lines"], page)
    assert max(width(line) for line in pictures.splitlines()) <= page
    for block in drawn(explanation, ["lines"], page).split("\n\n"):
        above, marks, below = block.splitlines()
        starts = {width(marks[: found.start()]) for found in re.finditer(r"\S+", marks)}
        for line in (above, below):
            own = {width(line[: found.start()]) for found in re.finditer(r"\S+", line)} - {0, 10}
            assert own <= starts


# Files


def test_svg_is_well_formed_and_the_same_every_time() -> None:
    picture = drawings(RUNS, PICTURES, 60)
    assert picture == drawings(RUNS, PICTURES, 60)
    root = ElementTree.fromstring(picture)
    squares = [
        (float(e.get("width", 0)), float(e.get("height", 0)))
        for e in root.iter("{http://www.w3.org/2000/svg}rect")
        if e.get("class") == "run"
    ]
    assert [side / min(squares)[0] for side, _ in squares] == [2, 1, 4]
    assert all(wide == high for wide, high in squares)


@settings(max_examples=25, deadline=None, derandomize=True, database=None)
@given(st.lists(st.text(min_size=1, max_size=8), min_size=1, max_size=9), st.integers(20, 90))
def test_any_text_can_be_drawn(words: list[str], page: int) -> None:
    links = [Link((i,), (i,), kind="word") for i in range(0, len(words), 2)]
    explanation = Explanation(tuple(words), (tuple(words[::-1]),), tuple(links), (), ())
    for picture in PICTURES:
        ElementTree.fromstring(drawing(explanation, picture, page))
    ElementTree.fromstring(f"<p>{fragment([explanation], PICTURES).replace('&nbsp;', ' ')}</p>")
    text = drawn(explanation, PICTURES, page)
    assert "\x1b" not in text
    assert max(map(width, text.splitlines()), default=0) <= max(page, 60)


def test_hostile_text_is_text() -> None:
    hostile = texts("</script> <img/onerror=x> &amp;", "<b> x y", links=[Link((0,), (0,))])
    page = fragment([hostile], PICTURES)
    assert "<img" not in page
    assert "&lt;img/onerror=x&gt;" in page
    assert "&amp;amp;" in page


def test_colours_only_on_request() -> None:
    assert "\x1b" not in drawn(RUNS, PICTURES, 80)
    coloured = drawn(RUNS, PICTURES, 80, colour=True)
    assert "\x1b[32m" in coloured
    assert re.sub(r"\x1b\[\d*m", "", coloured) == drawn(RUNS, PICTURES, 80)


def test_a_notebook_shows_the_pictures() -> None:
    pytest.importorskip("mteval_error_rates")
    (explanation,) = explanations("wer", ["a b"], [["a c"]])
    page = Drawing(explanation)._repr_html_()
    assert '<b class="s1">a</b>' in page
    assert page.count("<svg") == 1


def test_a_notebook_keeps_its_own_colours() -> None:
    """A dark notebook on a light system, and a light one on a dark system, stay legible."""
    pytest.importorskip("mteval_error_rates")
    (explanation,) = explanations("wer", ["a b"], [["a c"]])
    style, _, _ = Drawing(explanation)._repr_html_().partition("</style>")
    _, dark, own = style.partition("@media (prefers-color-scheme: dark)")
    assert dark
    rule = re.search(r"\.mteval\.why, \.mteval\.why \.mteval \{(.*?)\}", own, re.DOTALL)
    assert rule
    assert "--ink: currentcolor" in rule[1]
    for colour in re.findall(r"#[0-9a-f]{6}", rule[1]):
        assert contrast(colour, "#ffffff") > 4.5
        assert contrast(colour, "#111111") > 4


def contrast(one: str, other: str) -> float:
    """Contrast of two colours by WCAG 2.2."""

    def luminance(colour: str) -> float:
        parts = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    low, high = sorted(map(luminance, (one, other)))
    return (high + 0.05) / (low + 0.05)


def test_a_drawing_is_printed_with_its_title() -> None:
    pytest.importorskip("mteval_error_rates")
    (explanation,) = explanations("wer", ["a b"], [["a c"]])
    printed = str(Drawing(explanation))
    title, *lines = printed.splitlines()
    assert title == "segment 0, wer"
    assert lines[: len(facts(explanation))] == facts(explanation)
    assert printed.endswith(drawn(explanation, ("spans", "lines"), 100))


def test_weights_are_listed_if_they_differ() -> None:
    assert "weights of links: “kept the old maps” 16, “a drawer” 4, “in” 1" in facts(RUNS)
    equal = texts("a b", "b a", links=[Link((0,), (1,)), Link((1,), (0,))])
    assert facts(equal) == []


def test_facts_are_the_values_the_formula_and_the_terms() -> None:
    pytest.importorskip("mteval_error_rates")
    (explanation,) = explanations("wer", ["a b"], [["a c"], ["x"]])
    assert facts(explanation, 1) == [
        "WER 50.0, edits 1.0, ref_len 2.0",
        "WER = edits / length",
        "hits = 1, substitutions = 1, deletions = 0, insertions = 0, edits = 1, length = 2",
        "reference 0 has the lowest rate of 50.00, 200.00",
    ]

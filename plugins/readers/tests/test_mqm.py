"""MQM ratings: weights, sums and numbers of segments.

The layout is that of the files of google/wmt-mqm-human-evaluation: ``ted/zhen/mqm_ted_zhen.tsv``
with ``seg_id``, and the files of 2023 with ``globalSegId``, ``metadata`` and a comment at the end
of the header line. The sums are worked by hand.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from mteval_readers import mqm

import mteval_core as mt

if TYPE_CHECKING:
    from collections.abc import Callable

HEADER = "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\n"

ERRORS = [
    ("A", 3, "r1", "Accuracy/Mistranslation", "Major"),
    ("A", 3, "r1", "Fluency/Punctuation", "Minor"),
    ("A", 3, "r2", "Fluency/Punctuation", "Major"),
    ("A", 4, "r1", "Non-translation!", "Major"),
    ("A", 4, "r2", "Style/Awkward", "Neutral"),
    ("B", 3, "r1", "No-error", "No-error"),
    ("B", 4, "r1", "Source issue", "Major"),
    ("B", 4, "r1", "Source error", "Minor"),
    ("B", 4, "r2", "Accuracy/Creative Reinterpretation", "Major"),
    ("B", 4, "r2", "Found", "HOTW-test"),
]


def table(errors: list[tuple[str, int, str, str, str]], header: str = HEADER) -> str:
    """Write errors with a quotation mark in the source, which is not a quote."""
    return header + "".join(
        f'{system}\tdoc{n}\t1\t{n}\t{rater}\t"Quelle\tZiel <v>x</v>\t{category}\t{severity}\n'
        for system, n, rater, category, severity in errors
    )


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str], str]:
    def write(text: str) -> str:
        path = tmp_path / "mqm.tsv"
        path.write_text(text, "utf-8")
        return str(path)

    return write


def scores(judgments: mt.Judgments) -> dict[tuple[str, object, str], float]:
    """Return the scores of the only criterion by system, item and rater."""
    assert judgments.criteria == ("score",)
    return {
        (judgments.systems[s], judgments.items[i], judgments.raters[r]): score
        for s, i, r, (score,) in zip(
            judgments.system, judgments.item, judgments.rater, judgments.scores, strict=True
        )
    }


def test_the_errors_of_a_rater_are_weighted_and_summed(write: Callable[[str], str]) -> None:
    data = mt.read_dataset(write(table(ERRORS)))
    assert data.test_set is None
    assert scores(data.judgments["mqm"]) == {
        ("A", 2, "r1"): -5.1,
        ("A", 2, "r2"): -5.0,
        ("A", 3, "r1"): -25.0,
        ("A", 3, "r2"): 0.0,
        ("B", 2, "r1"): 0.0,
        ("B", 3, "r1"): -1.0,
        ("B", 3, "r2"): 0.0,
    }


def test_the_columns_of_2023_are_the_same_ratings(write: Callable[[str], str]) -> None:
    judgments = mqm.read(write(table(ERRORS))).judgments["mqm"]
    header = HEADER.replace("doc_id\tseg_id", "docSegId\tglobalSegId")
    other = mqm.read(write(table(ERRORS, header.strip() + "\t# Documentation: x\n")))
    assert scores(other.judgments["mqm"]) == scores(judgments)


def test_weights_can_be_changed(write: Callable[[str], str]) -> None:
    errors = [*ERRORS, ("B", 4, "r3", "Accuracy/Omission", "Critical")]
    path = write(table(errors))
    with pytest.raises(mt.InputError, match=r"mqm.tsv:12: the severity 'critical' has no weight"):
        mt.read_dataset(path)
    data = mt.read_dataset(f"mqm:Critical:7,major:10,punctuation:1:{path}")
    changed = scores(data.judgments["mqm"])
    assert (changed["A", 2, "r1"], changed["B", 3, "r3"]) == (-11.0, -7.0)


def test_segments_may_be_numbered_from_0(write: Callable[[str], str]) -> None:
    errors = [("A", 0, "r", "No-error", "No-error"), ("A", 7, "r", "No-error", "No-error")]
    assert mqm.read(write(table(errors))).judgments["mqm"].items == (0, 7)


def test_other_tables_do_not_look_like_it(write: Callable[[str], str]) -> None:
    assert mqm.looks_like(write(table(ERRORS)))
    assert not mqm.looks_like(write("system\tsegment\trater\tscore\n"))
    assert not mqm.looks_like(write(table([], HEADER.replace("seg_id", "segment"))))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("severity\n", "weight\n", r"mqm.tsv:1: the columns .*; expected those of MQM ratings"),
        ("\tMajor\n", "\n", r"mqm.tsv:2: 8 cells; the header line has 9"),
        ("\t3\tr1", "\tx\tr1", r"mqm.tsv:2: seg_id 'x'; expected the number of a segment"),
        ("doc3", "doc9", r"mqm.tsv:3: seg_id 3 occurs in the documents 'doc9' and 'doc3'"),
        (table(ERRORS), HEADER, r"mqm.tsv: no judgments"),
    ],
)
def test_what_is_wrong_is_said_with_file_and_line(
    write: Callable[[str], str], old: str, new: str, message: str
) -> None:
    text = table(ERRORS)
    assert old in text
    with pytest.raises(mt.InputError, match=message):
        mqm.read(write(text.replace(old, new, 1)))


def test_a_weight_is_a_number(write: Callable[[str], str]) -> None:
    path = write(table(ERRORS))
    with pytest.raises(mt.InputError, match=r"the weight of major: the score '1.5.5'; expected a"):
        mqm.read(f"major:1.5.5:{path}")


def numbers(path: str) -> tuple[int | str, ...]:
    return mt.read_dataset(path).judgments["mqm"].items


def test_the_user_says_where_numbers_start(write: Callable[[str], str]) -> None:
    path = write(table(ERRORS))
    assert numbers(path) == numbers(f"mqm:first=1:{path}") == (2, 3)
    assert numbers(f"mqm:first=0:{path}") == numbers(f"mqm:first=0,major:10:{path}") == (3, 4)
    data = mt.read_dataset(f"mqm:major:10,first=0:{path}")
    assert scores(data.judgments["mqm"])["A", 3, "r1"] == -10.1
    path = write(table([*ERRORS, ("A", 0, "r1", "No-error", "No-error")]))
    assert numbers(path) == (0, 3, 4)
    with pytest.raises(mt.InputError, match="there is a segment 0; expected numbers from 1"):
        numbers(f"mqm:first=1:{path}")


def test_texts_are_kept_for_comparison_unless_the_user_says_where_numbers_start(
    write: Callable[[str], str],
) -> None:
    path = write(table(ERRORS))
    texts = mt.read_dataset(path).judgments["mqm"].texts
    seen = [("A", "Ziel x"), ("B", "Ziel x"), ("", '"Quelle')]
    assert texts == {(name, k): text for name, text in seen for k in (2, 3)}
    assert not mt.read_dataset(f"mqm:first=1:{path}").judgments["mqm"].texts


def test_without_texts_and_without_segment_0_nothing_tells_where_numbers_start(
    write: Callable[[str], str],
) -> None:
    header = HEADER.replace("target", "output")
    with pytest.raises(mt.InputError, match=r"type mqm:first=0:.*mqm.tsv or mqm:first=1:"):
        numbers(write(table(ERRORS, header)))
    assert numbers(write(table([*ERRORS, ("A", 0, "r1", "No-error", "x")], header))) == (0, 3, 4)

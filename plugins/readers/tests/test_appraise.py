"""ESA and DA ratings of Appraise.

The layout is that of ``humeval/esa_generalMT2024_wave2.csv`` in wmt-conference/wmt24-news-systems;
ratings before 2024 lack the column of spans.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from mteval_readers import appraise

import mteval_core as mt

if TYPE_CHECKING:
    from collections.abc import Callable

SPANS = '"[{""start_i"":8,""end_i"":11,""severity"":""minor""}]"'

ROWS = f"""u1,ende-tutorial1,1000000,TGT,eng,jpn,0,ende-tutorial1,False,[],1.5,2.5
u1,S1,4,TGT,eng,jpn,98,doc1,False,{SPANS},1.5,2.5
u1,S1,4,TGT,eng,jpn,88,doc1,False,[],1.5,2.5
u1,S1,4,BAD,eng,jpn,18,doc1#bad,False,[],1.5,2.5
u2,S1,4,TGT,eng,jpn,70,doc1,False,[],1.5,2.5
u2,"S,2",0,TGT,eng,jpn,50,doc0,False,[],1.5,2.5
u2,"S,2",0,TGT,eng,jpn,40,doc0,True,[],1.5,2.5
"""


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str], str]:
    def write(text: str) -> str:
        path = tmp_path / "esa.csv"
        path.write_text(text, "utf-8")
        return str(path)

    return write


def scores(path: str) -> dict[tuple[str, object, str], float]:
    found = mt.read_dataset(path).judgments["appraise"]
    return {
        (found.systems[s], found.items[i], found.raters[r]): score
        for s, i, r, (score,) in zip(
            found.system, found.item, found.rater, found.scores, strict=True
        )
    }


EXPECTED = {("S1", 4, "u1"): 93.0, ("S1", 4, "u2"): 70.0, ("S,2", 0, "u2"): 50.0}


def test_ratings_of_outputs_are_read_and_averaged(write: Callable[[str], str]) -> None:
    assert scores(write(ROWS)) == EXPECTED


def test_direct_assessment_has_no_spans(write: Callable[[str], str]) -> None:
    assert scores(write(ROWS.replace(SPANS + ",", "").replace("[],", ""))) == EXPECTED


def test_a_header_is_passed_over(write: Callable[[str], str]) -> None:
    names = "UserID,SystemID,SegmentID,Type,Source,Target,Score,Doc,IsDoc,Spans,Start,End\n"
    assert scores(write(names + ROWS)) == EXPECTED


def test_the_language_pair_is_named_if_there_are_several(write: Callable[[str], str]) -> None:
    path = write(ROWS + "u3,S1,4,TGT,eng,zho,10,doc1,False,[],1.5,2.5\n")
    for given in (path, f"{path}/eng-deu"):
        with pytest.raises(mt.InputError, match="one of the language pairs eng-jpn, eng-zho: type"):
            appraise.read(given)
    assert scores(f"appraise:{path}/eng-jpn") == EXPECTED
    assert scores(f"appraise:{path}/eng-zho") == {("S1", 4, "u3"): 10.0}


def test_other_tables_do_not_look_like_it(write: Callable[[str], str]) -> None:
    assert appraise.looks_like(write(ROWS))
    assert not appraise.looks_like(write("system,segment,score\nA,0,1\n"))
    assert not appraise.looks_like(write("a,b,c,d,e,f,g,h,i,j,k\n"))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (",BAD,", ",ODD,", r"esa.csv:4: not a rating; expected one of TGT, REF"),
        ("S1,4,TGT,eng,jpn,98", "S1,x,TGT,eng,jpn,98", r"esa.csv:2: .* segment 'x'; expected a n"),
        ("98", "high", r"esa.csv:2: the score 'high'; expected a number"),
        ("98", '"9,8"', r"esa.csv:2: the score '9,8'; .*a decimal comma"),
        (",False,[],1.5,2.5\nu1,S1,4,BAD", ",1.5\nu1,S1,4,BAD", r"esa.csv:3: 9 cells"),
        (ROWS, ROWS.replace("TGT", "CHK"), r"esa.csv: no judgments"),
    ],
)
def test_what_is_wrong_is_said_with_file_and_line(
    write: Callable[[str], str], old: str, new: str, message: str
) -> None:
    assert old in ROWS
    with pytest.raises(mt.InputError, match=message):
        appraise.read(write(ROWS.replace(old, new)))

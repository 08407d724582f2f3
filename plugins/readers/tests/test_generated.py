"""fairseq and n-best lists.

The lines are written by hand, in the layout that ``fairseq_cli/generate.py`` writes (``S-0``,
``T-0``, ``H-0``, ``D-0``, ``P-0``) and in that of the Moses manual ("Generating n-Best Lists":
number, text, features and score, separated by ``|||``).
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from mteval_readers import generated

import mteval_core as mt
from mteval_core import main

if TYPE_CHECKING:
    from collections.abc import Callable

LISTS = [(0, "a b"), (0, "a"), (0, "b a"), (1, "c")]

FAIRSEQ = """2026-01-01 00:00:00 | INFO | fairseq_cli.generate | loading model(s)
S-1\tzwei H@@ äuser
T-1\ttwo houses
H-1\t-0.25\ttwo hou@@ ses
D-1\t-0.25\ttwo houses
P-1\t-0.1 -0.2
H-1\t-1.5\ttwo homes
D-1\t-1.5\ttwo homes
S-0\tein\tHaus
T-0\ta house
H-0\t-0.5\t
D-0\t-0.5\t
P-0\t-0.5
Generate test with beam=5: BLEU4 = 10.0
"""

N_BEST = """0 ||| das ist ein Haus  ||| LM0= -10.5 TM0= 0 -1 ||| -3.5
0 ||| das Haus ||| LM0= -11 ||| -4
1 |||  ||| LM0= -1 ||| -1
2 ||| a | b ||| LM0= -1 ||| -1 ||| 0-0 1-1
"""


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, str], str]:
    def write(name: str, text: str) -> str:
        path = tmp_path / name
        path.write_text(text, "utf-8")
        return str(path)

    return write


def test_fairseq_is_a_data_set_in_the_order_of_the_segments(
    write: Callable[[str, str], str],
) -> None:
    data = mt.read_dataset(write("generate-test.txt", FAIRSEQ))
    assert data.test_set is not None
    assert data.test_set.source is not None
    assert list(data.test_set.source) == ["ein\tHaus", "zwei H@@ äuser"]
    assert list(data.test_set.references[0]) == ["a house", "two houses"]
    assert {name: list(data.text(f"system.{name}")) for name in data.systems} == {
        "H": ["", "two hou@@ ses"],
        "D": ["", "two houses"],
    }


def test_fairseq_interactive_has_no_targets(write: Callable[[str, str], str]) -> None:
    text = "".join(line for line in FAIRSEQ.splitlines(keepends=True) if line[0] not in "TD")
    data = generated.read_fairseq(write("x", text))
    assert data.test_set is None
    assert list(data.systems) == ["H"]


def test_plain_text_does_not_look_like_fairseq(write: Callable[[str, str], str]) -> None:
    assert generated.looks_like_fairseq(write("generate-a.txt", FAIRSEQ))
    assert not generated.looks_like_fairseq(write("generate-b.txt", "H-1 bomber\n"))


def test_the_first_hypothesis_of_a_segment_is_the_best(write: Callable[[str, str], str]) -> None:
    text = generated.read_n_best(write("x.nbest", N_BEST))
    assert list(text) == ["das ist ein Haus", "", "a | b"]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("H-0\t-0.5\t\n", "H-0\ttext\n", r"x:11: 'text'; expected a score, a tab"),
        ("H-0\t-0.5\t\n", "", r"x: H-0 is missing; the last number is 1"),
        (FAIRSEQ, "H-x\t1\tt\n", r"x: no line with a hypothesis"),
        ("T-0\ta house\n", "", r"x: T-0 is missing"),
        ("S-0\t", "S-7\t", r"x: S-0 is missing; the last number is 7"),
    ],
)
def test_what_is_wrong_with_fairseq_is_said(
    write: Callable[[str, str], str], old: str, new: str, message: str
) -> None:
    assert old in FAIRSEQ
    with pytest.raises(mt.InputError, match=message):
        generated.read_fairseq(write("x", FAIRSEQ.replace(old, new)))


def test_the_hypotheses_of_an_n_best_list_are_candidates(
    write: Callable[[str, str], str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lists = "".join(f"{k} ||| {text} ||| F= 1 ||| -1\n" for k, text in [(1, "b c"), *LISTS])
    (texts,) = generated.read_n_best_lists(write("x.nbest", lists)).systems.values()
    assert [list(text) for text in texts] == [["a b", "b c"], ["a", "c"], ["b a", None]]
    references = [tmp_path / "r0", tmp_path / "r1"]
    for path, text in zip(references, ("a b\nb c\n", "a b\nb d\n"), strict=True):
        path.write_text(text)
    (tmp_path / "lists.jsonl").write_text('{"best": ["a b", "a", "b a"]}\n{"best": ["b c", "c"]}\n')
    pytest.importorskip("mteval_error_rates")
    pytest.importorskip("mteval_metaeval")
    reports = []
    for lists in (tmp_path / "x.nbest", f"{tmp_path}/lists.jsonl::best[*]"):
        words = ["orange", *references, "-i", lists, "-m", "per", "wer", "-n", "0", "-f", "json"]
        assert main([str(word) for word in words]) == 0
        reports.append(json.loads(capsys.readouterr().out)["records"])
    assert reports[0] == reports[1]
    # By hand: both references of segment 0 equal a candidate; those of segment 1 differ in one
    # word, and "b c" is a candidate, before "b d" and level with "b c".
    assert reports[0][1]["mean_rank"] == pytest.approx((1.5 + 1.5 + 1.5 + 2.5) / 4)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("1 |||  |||", "1 ||", r"x:3: '1 \|\| LM0= -1 \|\|\| -1'; expected 'NUMBER"),
        ("1 |||  ||| LM0= -1 ||| -1\n", "", "x: 1 is missing"),
        ("2 |||", "two |||", r"x:4: 'two"),
    ],
)
def test_what_is_wrong_with_an_n_best_list_is_said(
    write: Callable[[str, str], str], old: str, new: str, message: str
) -> None:
    assert old in N_BEST
    with pytest.raises(mt.InputError, match=message):
        generated.read_n_best(write("x", N_BEST.replace(old, new)))

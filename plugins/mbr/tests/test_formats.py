"""``mteval mbr``: any text survives the formats, and any bytes are lists or a named error."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mteval_mbr import RankedHypothesis
from mteval_mbr.command import form_of, in_one_line, json_lines, n_best_lines, text_lines

import mteval_core as mt
from mteval_core import Address, Files, Options, main

if TYPE_CHECKING:
    from collections.abc import Callable

    Run = Callable[..., tuple[int, str, str]]

characters = st.characters(exclude_categories=("Cs", "Cc", "Zl", "Zp"), exclude_characters="|")
texts = st.text(characters, max_size=12)
rankings = st.lists(
    st.lists(
        st.builds(RankedHypothesis, texts, st.floats(-1e9, 1e9), st.integers(1, 99)),
        min_size=1,
        max_size=4,
    ),
    min_size=1,
    max_size=4,
)


@pytest.fixture(scope="module")
def scorer(registry: mt.Registry) -> mt.Scorer:
    return mt.metric("matches", registry=registry)


@pytest.fixture
def run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> Run:
    """Run ``mteval mbr`` with WER in an empty folder: exit code, output, errors."""
    pytest.importorskip("mteval_error_rates", reason="the error rates are not installed")
    monkeypatch.chdir(tmp_path)

    def command(*arguments: str) -> tuple[int, str, str]:
        code = main(["mbr", *arguments, "-m", "wer"])
        out, err = capsysbinary.readouterr()
        return code, out.decode(), err.decode()

    return command


@given(chosen=rankings)
def test_numbers_and_texts_survive_every_format(scorer: mt.Scorer, chosen: Any) -> None:
    lines = iter(n_best_lines(chosen, scorer))
    for i, own in enumerate(chosen):
        for each in own:
            number, rest = next(lines).split(" ||| ", 1)
            text, feature, score = rest.rsplit(" ||| ", 2)
            assert (int(number), text, float(score)) == (i, each.hypothesis, each.utility)
            assert feature == f"Matches= {score}"
    assert next(lines, None) is None
    for own, line in zip(chosen, json_lines(chosen, scorer), strict=True):
        found = json.loads(line)
        columns = zip(found["hypotheses"], found["utilities"], found["copies"], strict=True)
        assert [RankedHypothesis(*each) for each in columns] == own
    assert list(text_lines(chosen, scorer)) == [own[0].hypothesis for own in chosen]


@settings(max_examples=10)
@given(chosen=rankings)
def test_written_lists_are_read_as_they_were(
    scorer: mt.Scorer, tmp_path_factory: pytest.TempPathFactory, chosen: Any
) -> None:
    pytest.importorskip("mteval_readers", reason="the readers are not installed")
    path = tmp_path_factory.mktemp("lists") / "out.nbest"
    path.write_text("".join(f"{line}\n" for line in n_best_lines(chosen, scorer)), "utf-8")
    dataset = Files(mt.default_registry()).dataset(Address(str(path)))
    columns = [list(text) for name in dataset.systems for text in dataset.runs(name)]
    longest = max(map(len, chosen))
    expected = [
        [e.hypothesis.strip() for e in own] + [None] * (longest - len(own)) for own in chosen
    ]
    found = [
        [None if each is None else each.strip() for each in row]
        for row in zip(*columns, strict=True)
    ]
    assert found == expected


@pytest.mark.parametrize(
    ("form", "top", "output", "expected"),
    [
        (None, 1, None, "text"),
        (None, 2, None, "nbest"),
        (None, 1, "x.nbest", "nbest"),
        (None, 2, "x.jsonl", "jsonl"),
        (None, 2, "x.txt", "nbest"),
        (None, 1, "jsonl", "jsonl"),
        ("text", 1, "x.jsonl", "text"),
        ("jsonl", 5, "x.nbest", "jsonl"),
    ],
)
def test_the_format_that_is_asked_for(form: Any, top: int, output: Any, expected: str) -> None:
    assert form_of(Options({"form": form, "top": top, "output": output})) == expected


@given(text=texts, mark=st.sampled_from(["\n", "|||"]), segment=st.integers(0, 99))
def test_what_a_format_cannot_hold_is_refused(text: str, mark: str, segment: int) -> None:
    assert in_one_line(text, segment, mark) is text
    message = f"^segment {segment}: .* hold: write -f jsonl$"
    with pytest.raises(mt.InputError, match=message):
        in_one_line(f"{text}{mark}{text}", segment, mark)


def test_any_bytes_are_lists_or_a_named_error(run: Run) -> None:
    pytest.importorskip("mteval_readers", reason="the readers are not installed")
    path = Path("x.nbest")
    whole = "0 ||| é b ||| F= 1 ||| 1\n0 ||| c ||| F= 1 ||| 0\n1 ||| d ||| F= 1 ||| 2\n".encode()
    outcomes = set()
    for k in range(0, len(whole), 9):
        for changed in (whole[:k], whole[:k] + b"\xff" + whole[k:], whole[:k] + whole[k + 1 :]):
            path.write_bytes(changed)
            code, out, err = run("x.nbest", "-q")
            outcomes.add(code)
            assert (code == 0) == (err == "")
            assert (code == 3) == (out == "")
            if err:
                assert err.startswith("mteval: error: x.nbest"), (changed, err)
                assert err.count("\n") == 1
    assert outcomes == {0, 3}


@pytest.mark.parametrize("group", [1, 2, 3, 6])
def test_groups_of_lines_are_lists(run: Run, group: int) -> None:
    lines = ["a b", "a b", "a c", "é", "ü", "é"]
    Path("x.txt").write_text("".join(f"{line}\n" for line in lines), "utf-8")
    own = [lines[k : k + group] for k in range(0, 6, group)]
    code, out, err = run("x.txt", "--per-segment", str(group), "--top", "9", "-f", "jsonl")
    assert code == 0
    assert ("[single-hypotheses]" in err) is bool(err) is (group == 1)
    found = [json.loads(line) for line in out.splitlines()]
    assert [sorted(one["hypotheses"]) for one in found] == [sorted(set(some)) for some in own]
    assert [sum(one["copies"]) for one in found] == [group] * (6 // group)

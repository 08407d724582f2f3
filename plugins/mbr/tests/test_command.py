"""``mteval mbr``: lists in every format, what is chosen, and how it is written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from mteval_mbr import RankedHypothesis, mbr, oracle

import mteval_core as mt
from mteval_core import main

if TYPE_CHECKING:
    from collections.abc import Callable

    Run = Callable[..., tuple[int, str, str]]

pytest.importorskip("mteval_error_rates", reason="the error rates are not installed")
pytest.importorskip("mteval_readers", reason="the readers are not installed")

LISTS = [["a b c", "a b d", "a b c"], ["e e e", "f g h", "f g i"]]
BY_RISK = ["a b c", "f g h"]
BY_REFERENCES = ["a b d", "e e e"]

MOSES = "".join(
    f"{i} ||| {text} ||| LM= -1 ||| {-k}\n"
    for i, own in enumerate(LISTS)
    for k, text in enumerate(own)
)
FILES = {
    "lists.nbest": MOSES,
    "lists.jsonl": "".join(json.dumps({"own": own}) + "\n" for own in LISTS),
    "groups.txt": "".join(f"{text}\n" for own in LISTS for text in own),
    **{f"s{k}.txt": "".join(f"{own[k]}\n" for own in LISTS) for k in range(3)},
    "ref.txt": "a b d\ne e e\n",
    "uneven.nbest": MOSES + "1 ||| f g i ||| LM= -1 ||| -9\n",
    "marks.jsonl": '{"own": ["a ||| b", "a b"]}\n{"own": ["c\\nd"]}\n',
    "gap.jsonl": '{"own": ["a"]}\n{"own": []}\n',
    "list.nb": MOSES,
    "bad.nbest": "0 ||| a ||| F= 1 ||| 1\n1 || b\n",
}


@pytest.fixture
def run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> Run:
    """Run ``mteval mbr`` in a folder with all files: exit code, output, errors."""
    monkeypatch.chdir(tmp_path)
    for name, content in FILES.items():
        Path(name).write_text(content, encoding="utf-8")

    def command(*arguments: str) -> tuple[int, str, str]:
        code = main(["mbr", *arguments])
        out, err = capsysbinary.readouterr()
        return code, out.decode(), err.decode()

    return command


@pytest.mark.parametrize(
    "lists",
    [
        ("lists.nbest",),
        ("n-best-lists:lists.nbest",),
        ("lists.jsonl::own[*]",),
        ("groups.txt", "--per-segment", "3"),
        ("s0.txt", "s1.txt", "s2.txt"),
        ("lists.jsonl::own[1]", "lists.jsonl::own[2]", "s2.txt"),
    ],
    ids=" ".join,
)
def test_lists_of_every_format_give_the_same_choice(run: Run, lists: tuple[str, ...]) -> None:
    assert run(*lists, "-m", "wer") == (0, "a b c\nf g h\n", "")
    assert run(*lists, "-m", "wer", "--oracle", "ref.txt") == (0, "a b d\ne e e\n", "")


def test_the_choice_is_that_of_the_library(run: Run) -> None:
    by_risk = [best.hypothesis for (best,) in mbr(LISTS, "wer")]
    assert by_risk == BY_RISK
    references = [["a b d", "e e e"]]
    assert [best.hypothesis for (best,) in oracle(LISTS, references, "wer")] == BY_REFERENCES
    for given in ([], ["--aggregate"]):
        code, out, _ = run("lists.nbest", "-m", "ter", "--top", "9", *given, "-f", "jsonl")
        assert code == 0
        expected = mbr(LISTS, "ter", 9, aggregate=bool(given))
        for i, (line, best) in enumerate(zip(out.splitlines(), expected, strict=True)):
            found = json.loads(line)
            columns = zip(found["hypotheses"], found["utilities"], found["copies"], strict=True)
            assert [RankedHypothesis(*each) for each in columns] == best
            assert found["segment"] == i
            assert found["signature"] == str(mt.metric("ter").signature())


def test_options_of_the_text_reach_the_metric(run: Run) -> None:
    Path("case.txt").write_text("c d\nA B\na b\n", encoding="utf-8")
    given = ("case.txt", "--per-segment", "3", "-m", "wer")
    assert run(*given)[1] == "c d\n"  # all differ, and the first one comes first
    assert run(*given, "-lc")[1] == "A B\n"
    _, out, _ = run(*given, "--case", "lc", "-f", "jsonl", "--top", "3")
    assert json.loads(out)["utilities"] == pytest.approx([100 / 3, 100 / 3, 200 / 3])


@pytest.mark.parametrize("name", ["out.nbest", "out.jsonl", "out.txt"])
def test_what_is_written_can_be_read_again(run: Run, name: str) -> None:
    assert run("lists.nbest", "-m", "wer", "--top", "3", "-o", name) == (0, "", "")
    if name == "out.txt":  # n-best lists, too: an ending does not forbid them
        Path(name).rename("out.nbest")
    again = "out.jsonl::hypotheses[*]" if name == "out.jsonl" else "out.nbest"
    assert run(again, "-m", "wer", "--oracle", "ref.txt")[1].splitlines() == BY_REFERENCES


def test_n_best_lists_have_the_utility_as_their_score(run: Run) -> None:
    _, out, _ = run("lists.nbest", "-m", "wer", "--top", "2")
    number, text, feature, score = out.splitlines()[0].split(" ||| ")
    assert (number, text, feature) == ("0", "a b c", f"WER= {score}")
    assert float(score) == pytest.approx(100 / 9)  # one edit of three words, one time in three
    assert len(out.splitlines()) == 4


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["lists.nbest"], 2, "the following arguments are required: -m/--metric"),
        (["-m", "wer"], 2, "the following arguments are required: NBEST"),
        (["lists.nbest", "-m", "werr"], 2, "unknown metric 'werr'. Did you mean 'wer'?"),
        (["lists.nbest", "-m", "wer", "--top", "0"], 2, "expected a number of hypotheses, 1 or"),
        (["lists.nbest", "-m", "wer", "--top", "2", "-f", "text"], 2, "-f text has one hypothesis"),
        (
            ["lists.nbest", "-m", "wer", "--aggregate", "--oracle", "ref.txt"],
            2,
            "--aggregate is a way to compute expected utilities: leave it out, or --oracle",
        ),
        (
            ["lists.nbest", "-m", "wer", "--per-segment", "2"],
            2,
            "--per-segment 2 is for plain files: leave it out for lists.",
        ),
        (
            ["lists.jsonl::own[*]", "-m", "wer", "--per-segment", "2"],
            2,
            "--per-segment 2 is for plain files",
        ),
        (
            ["ref.txt", "-m", "wer", "--per-segment", "3"],
            3,
            "2 lines are not a multiple of --per-segment 3",
        ),
        (["lists.nbest", "-m", "wer", "-o", "lists.nbest"], 2, "would overwrite"),
        (["-", "-", "-m", "wer"], 2, "standard input (-)"),
        (["missing.nbest", "-m", "wer"], 3, "missing.nbest: no such file"),
        (["bad.nbest", "-m", "wer"], 3, "bad.nbest:2: '1 || b'; expected 'NUMBER ||| TEXT"),
        (
            ["list.nb", "-m", "wer"],
            3,
            "list.nb: every line has ' ||| ', as the n-best lists of Moses",
        ),
        (["lists.jsonl", "-m", "wer"], 3, "choose one of own[*]"),
        (["gap.jsonl::own[*]", "-m", "wer"], 3, "segment 1 has no hypothesis; expected at least"),
        (["s0.txt", "groups.txt", "-m", "wer"], 3, "s0.txt has 2, groups.txt has 6"),
        (
            ["marks.jsonl::own[*]", "-m", "wer"],
            3,
            r"segment 1: the chosen hypothesis contains '\n'",
        ),
        (["marks.jsonl::own[*]", "-m", "wer", "--top", "2"], 3, "segment 0: the chosen hypothesis"),
        (
            ["lists.nbest", "-m", "wer", "--oracle", "groups.txt"],
            3,
            "place 0 of the n-best lists: 2 segments, but groups.txt has 6",
        ),
    ],
)
def test_what_cannot_be_right_is_refused(
    run: Run, arguments: list[str], code: int, message: str
) -> None:
    found, out, err = run(*arguments)
    assert (found, out) == (code, "")
    assert message in err
    assert err.count("\n") == 1


def test_lists_may_differ_in_length_and_hypotheses_may_hold_anything(run: Run) -> None:
    assert run("uneven.nbest", "-m", "wer")[1] == "a b c\nf g i\n"
    code, out, _ = run("marks.jsonl::own[*]", "-m", "wer", "-f", "jsonl")
    assert code == 0
    assert json.loads(out.splitlines()[1])["hypotheses"] == ["c\nd"]


def test_the_source_goes_to_metrics_that_use_it(run: Run) -> None:
    pytest.importorskip("mteval_profile", reason="the figures are not installed")
    message = "segment 0: no source"
    assert message in run("lists.nbest", "-m", "untranslated")[2]
    for more in ([], ["--oracle", "ref.txt"]):
        assert run("lists.nbest", "-m", "untranslated", "--source", "ref.txt", *more)[0] == 0


# Damaged texts


LINES = [
    f"{'the cat sat on the mat ' * (1 + 7 * i * i % 5)}{i * i * 37 % 101} times" for i in range(60)
]


@pytest.fixture
def systems(run: Run) -> Run:
    """Write outputs of systems: one is late by a line, and one has the thoughts of a model."""
    pytest.importorskip("mteval_doctor", reason="the checks of texts are not installed")
    outputs = {
        "good": LINES,
        "late": [*LINES[:20], "So.", *LINES[20:-1]],
        "thinking": [f"<think>Hm.</think>{line}" for line in LINES],
    }
    for name, lines in outputs.items():
        Path(name).write_text("".join(f"{line}\n" for line in lines), "utf-8")
    return run


def codes(err: str) -> list[str]:
    return [line.rpartition("[")[2].rstrip("]") for line in err.splitlines()]


def test_outputs_of_systems_are_compared_with_the_first(systems: Run) -> None:
    code, out, err = systems("good", "late", "-m", "wer")
    assert (code, len(out.splitlines()), codes(err)) == (0, len(LINES), ["shifted"])
    assert "system late" in err
    assert err.endswith(" (good is taken for the references) [shifted]\n")
    assert systems("good", "late", "-m", "wer", "-q")[2] == ""
    assert systems("good", "late", "-m", "wer", "--strict")[0] == 3


def test_outputs_of_systems_are_compared_with_references(systems: Run) -> None:
    _, _, err = systems("late", "good", "thinking", "-m", "wer", "--oracle", "good")
    assert {"shifted", "thinking"} <= {*codes(err)}
    assert "identical-reference" not in codes(err)


def test_residue_of_a_model_is_found_in_all_lists(systems: Run) -> None:
    lists = "".join(
        f"{i} ||| <think>Hm.</think>{line} ||| F= 1 ||| 1\n" * 2 for i, line in enumerate(LINES)
    )
    Path("all.nbest").write_text(lists, "utf-8")
    assert "thinking" in codes(systems("all.nbest", "-m", "wer")[2])
    assert "thinking" not in codes(systems("all.nbest", "-m", "wer:clean=think")[2])


def test_choices_on_a_terminal_cannot_change_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "l.txt").write_text("a \x1b[31mb\na \x1b[31mb\n")
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    assert mt.main(["mbr", "l.txt", "--per-segment", "2", "-m", "wer", "-q"]) == 0
    assert capsys.readouterr().out == "a \\x1b[31mb\n"

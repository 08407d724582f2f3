"""Columns, data sets, sources and ids on the command line: ``FILE::FIELD``, ``--data`` and more."""

from __future__ import annotations

import hashlib
import json
import random
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import mteval_core as mt
from mteval_core.commands.main import main

if TYPE_CHECKING:
    from collections.abc import Callable

    Run = Callable[..., tuple[int, str, str]]

FORMATS = Path(__file__).with_name("data_formats.py")

REF = ["the cat sat", "a dog ran off", "birds sing", "fish swim deep"]
SECOND = ["a cat sat", "", "birds sang", "fish swim"]
GOOD = ["the cat sat", "a dog ran", "birds sing", "fish swim deep"]
BAD = ["cat", "dog off", "sing birds", "deep"]
DOCS = ["d1", "d1", "d2", "d2"]
IDS = ["s1", "s2", "s3", "s4"]


def lines(*segments: Any) -> str:
    return "".join(f"{segment}\n" for segment in segments)


def rows(**columns: list[Any]) -> str:
    """Write records, one per line."""
    table = zip(*columns.values(), strict=True)
    return lines(*(json.dumps(dict(zip(columns, row, strict=True))) for row in table))


@pytest.fixture
def run(
    files: Callable[..., list[str]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Run:
    """Run a command with the formats and files of this module."""
    monkeypatch.chdir(tmp_path)
    both = {"systems": {"A": GOOD, "B": BAD}, "docs": DOCS, "src": REF, "ids": IDS}
    files(
        ref=lines(*REF),
        second=lines(*SECOND),
        good=lines(*GOOD),
        bad=lines(*BAD),
        docs=lines(*DOCS),
        **{
            "t.rec": rows(r=REF, several=list(map(list, zip(REF, SECOND, strict=True))), d=DOCS),
            "good.rec": rows(hyp=GOOD),
            "bad.rec": rows(hyp=BAD),
            "all.rec": rows(i=IDS, hyp=GOOD, worse=BAD, ref=REF, two=SECOND, doc=DOCS),
            "shuffled.rec": rows(i=IDS[::-1], hyp=GOOD[::-1]),
            "d.camp": json.dumps({"refs": {"refA": REF, "refB": SECOND}, **both}) + "\n",
            "long.rec": rows(
                sys=[*"ABBAABBA"],
                i=["s1", "s2", "s1", "s2", "s4", "s3", "s4", "s3"],
                hyp=[GOOD[0], BAD[1], BAD[0], GOOD[1], GOOD[3], BAD[2], BAD[3], GOOD[2]],
                ref=[REF[0], REF[1], REF[0], REF[1], REF[3], REF[2], REF[3], REF[2]],
            ),
        },
    )

    def command(*arguments: str) -> tuple[int, str, str]:
        code = main(["-p", str(FORMATS), *arguments])
        return code, *capsys.readouterr()

    return command


def report(run: Run, *arguments: str, metric: str = "wer") -> dict[str, Any]:
    """Score as JSON; everything that is drawn or compared stays out."""
    code, out, err = run("score", *arguments, "-m", metric, "-f", "json")
    assert (code, err) == (0, "")
    written: dict[str, Any] = json.loads(out)
    return written


def scores(written: dict[str, Any]) -> list[tuple[str, float, str]]:
    """Return system, score and signature of each record."""
    return [(each["system"], each["score"], each["signature"]) for each in written["records"]]


PASSED = "2 of 2 records pass: scores, values, signatures, inputs"

PLAIN = ("ref", "second", "-i", "A=good", "B=bad", "--empty-refs", "missing")


@pytest.mark.parametrize(
    "arguments",
    [
        ("t.rec::r", "second", "-i", "A=good.rec::hyp", "B=bad.rec::hyp"),
        ("t.rec::several[*]", "-i", "A=good.rec::hyp", "B=bad"),
        ("t.rec::several[1]", "t.rec::several[2]", "-i", "A=good.rec::hyp", "B=bad.rec::hyp"),
        ("all.rec::ref@i", "all.rec::two@i", "-i", "A=shuffled.rec::hyp@i", "B=all.rec::worse@i"),
        (
            "all.rec::ref",
            "all.rec::two",
            "-i",
            "A=shuffled.rec::hyp",
            "B=all.rec::worse",
            "--fields=id=i",
        ),
        ("--data", "d.camp"),
        ("d.camp::ref.refA", "d.camp::ref.refB", "-i", "A=d.camp::system.A", "B=bad"),
        ("--data", "all.rec", "--fields", "hyp=hyp,ref=ref,ref=two", "-i", "B=bad"),
    ],
)
def test_the_same_texts_have_the_same_scores_and_are_replayed(
    run: Run, arguments: tuple[str, ...], tmp_path: Path
) -> None:
    """From wherever texts come, the numbers are the same to the bit, and so are the signatures."""
    written = report(run, *arguments, "--empty-refs", "missing")
    expected = scores(report(run, *PLAIN))
    named = {"all": "A"}  # a column is named after its file
    assert [(named.get(name, name), *rest) for name, *rest in scores(written)] == expected
    (tmp_path / "saved.json").write_text(json.dumps(written))
    code, out, _ = run("replay", "saved.json")
    assert (code, out.splitlines()[-1]) == (0, PASSED), out
    assert run("diff", "saved.json", "saved.json")[0] == 0


@pytest.mark.parametrize(
    ("arguments", "is_named"),
    [
        (("ref", "-i", "A=good"), False),
        (("t.rec::r", "-i", "A=good"), True),
        (("ref", "-i", "A=good.rec::hyp"), True),
        (("ref", "-i", "A=good", "--docs", "t.rec::d", "--level", "doc"), True),
        (("--data", "d.camp", "-r", "refA"), True),
        (("--data", "all.rec", "--fields", "hyp=hyp,ref=ref"), True),
        (("ref", "-i", "A=good", "--scores", "X=d.camp::X"), True),
        (("ref", "-i", "A=good", "--scores", "X=table"), False),
        (("ref", "-i", "A=good", "--scores", "X=table.rec"), False),
    ],
)
def test_the_inputs_name_the_plugins_that_read_them(
    run: Run, files: Callable[..., list[str]], arguments: tuple[str, ...], *, is_named: bool
) -> None:
    data = {"refs": {"refA": REF}, "systems": {"A": GOOD}, "scores": {"X": {"A": [1] * 4}}}
    table = "system\tscore\nA\t1\n"
    files(table=table, **{"table.rec": table, "d.camp": json.dumps(data) + "\n"})
    written = report(run, *arguments)
    digest = hashlib.sha256(FORMATS.read_bytes()).hexdigest()[:12]
    assert written["inputs"]["plugins"] == ([f"file-{digest}"] if is_named else [])
    assert not any(f"file-{digest}" in signature for *_, signature in scores(written))


def test_a_changed_column_fails_the_replay(run: Run, tmp_path: Path) -> None:
    texts = ("t.rec::r", "--source", "t.rec::d", "-i", "good.rec::hyp")
    written = report(run, *texts, metric="copied")
    assert written["inputs"]["source"]["path"] == "t.rec::d"
    (tmp_path / "saved.json").write_text(json.dumps(written))
    (tmp_path / "t.rec").write_text(rows(r=REF, d=DOCS[::-1]))
    code, out, _ = run("replay", "saved.json")
    assert code == 1
    assert "the source differs" in out


def test_a_signature_is_replayed_from_columns(run: Run) -> None:
    written = report(run, "ref", "-i", "good")
    ((_, score, signature),) = scores(written)
    for arguments in (
        ["t.rec::r", "-i", "good.rec::hyp"],
        ["--data", "d.camp", "-r", "refA", "-i", "d.camp::system.A"],
        ["all.rec::ref", "-i", "shuffled.rec::hyp", "--fields", "id=i"],
    ):
        code, out, err = run("replay", f"{signature} = {score:.4f}", *arguments)
        assert (code, err) == (0, ""), err
        assert out.startswith(signature)


def test_rows_of_all_systems_in_one_file(run: Run) -> None:
    fields = "hyp=hyp,ref=ref,id=i,system=sys"
    order = [0, 1, 3, 2]  # the order of the ids of the first system
    written = report(run, "--data", "long.rec", "--fields", fields)
    assert [name for name, *_ in scores(written)] == ["A", "B"]
    expected = mt.evaluate(
        {"A": [GOOD[i] for i in order], "B": [BAD[i] for i in order]},
        [[REF[i] for i in order]],
        ["wer"],
    )
    assert [score for _, score, _ in scores(written)] == [
        expected.score(name, "wer").score for name in "AB"
    ]
    assert written["inputs"]["systems"]["B"][0]["path"] == f"long.rec::{fields}::system.B"


def test_documents_come_with_the_data(run: Run) -> None:
    by_document = ("--level", "doc", "-m", "wer", "-b")
    expected = run("score", "ref", "-i", "A=good", "--docs", "docs", *by_document)
    assert expected[0] == 0
    for arguments in (
        ["--data", "d.camp", "-r", "refA"],
        ["t.rec::r", "-i", "A=good", "--docs", "t.rec::d"],
        ["--data", "all.rec", "--fields", "hyp=hyp,ref=ref,doc=doc"],
    ):
        code, out, err = run("score", *arguments, *by_document)
        assert (code, err) == (0, "")
        assert out.replace("A\t", "").startswith(expected[1])  # two systems have labels


def test_names_choose_reference_streams(run: Run) -> None:
    missing = ("--empty-refs", "missing")
    both = report(run, "--data", "d.camp", *missing)
    chosen = report(run, "--data", "d.camp", "-r", "refB", "refA", *missing)
    assert [each["path"] for each in chosen["inputs"]["references"]] == [
        "d.camp::ref.refB",
        "d.camp::ref.refA",
    ]
    assert [score for _, score, _ in scores(chosen)] == [score for _, score, _ in scores(both)]
    code, _, err = run("score", "refC", "--data", "d.camp", "-m", "wer")
    assert code == 2
    assert "d.camp has no reference stream 'refC'; with --data, -r chooses" in err


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (
            ("t.rec", "-i", "good"),
            3,
            "choose one of r, several, d:",
        ),
        (("t.rec::x", "-i", "good"), 3, "t.rec:1: no field 'x'. Known: d, r, several."),
        (("ref::x", "-i", "good"), 3, "ref: read as one segment per line, UTF-8, which has no"),
        (("ref", "-i", "X=-::x"), 3, "standard input has no fields"),
        (("ref", "-i", "t.rec::several[*]"), 3, "2 texts per segment; choose, as in"),
        (("ref", "-i", "shuffled.rec::hyp@i"), 3, "those of the test set have none; name the"),
        (("all.rec::ref@i", "-i", "good.rec::hyp@i"), 3, "good.rec:1: no field 'i'."),
        (("all.rec::ref@i", "-i", "good"), 3, "good: its segments have no ids, and those of all"),
        (("all.rec::ref@i", "-i", "shuffled.rec::hyp"), 3, "FILE::FIELD@ID, or leave out @i to"),
        (("all.rec::ref@i", "second", "-i", "good"), 3, "second: its segments have no ids"),
        (("second", "all.rec::ref@i", "-i", "good"), 3, "second: its segments have no ids"),
        (("ref", "-i", "good", "--fields", "id=i,hyp=x"), 2, "need --data FILE"),
        (("ref", "-i", "good", "--fields", "idd=i"), 2, "no metric uses a column 'idd' ("),
        (("ref", "-i", "good", "--fields", "x"), 2, "'x': expected ROLE=FIELD"),
        (("--data", "all.rec", "--fields", "hyp=h,ref=r,hyp=h"), 2, "hyp=h is given 2 times"),
        (("--data", "all.rec"), 3, "or say with --fields hyp=FIELD,ref=FIELD"),
        (("--data", "all.rec", "--fields", "hyp=hyp"), 2, "no reference; expected ref=FIELD"),
        (("--data", "all.rec", "--fields", "ref=ref,id=i,id=i"), 2, "id= is given 2 times"),
        (
            ("--data", "all.rec", "--fields", "ref=ref@i,hyp=hyp"),
            2,
            "expected no @ID in a data",
        ),
        (("--data", "all.rec", "--fields", "ref=ref,system=i"), 2, "expected hyp=FIELD once"),
        (("--data", "all.rec", "--fields", "ref=ref"), 2, "no system to score"),
        (("--data", "ref"), 3, "ref: not in a format of data sets that is installed"),
        (("--data", "none"), 3, "none: no such file or folder"),
        (
            ("--data", "no:ne"),
            3,
            "no such file or folder and no NAME:REST of a format (known",
        ),
        (("--data", "d.camp", "-i", "A=good"), 2, "d.camp has a system 'A' too: name yours"),
        (("d.camp::ref.x", "-i", "good"), 3, "d.camp: no text 'ref.x'."),
        (("--data", "d.camp", "-o", "d.camp"), 2, "-o d.camp would overwrite the input d.camp"),
        (("t.rec::r", "-i", "good", "-o", "t.rec"), 2, "-o t.rec would overwrite the input t.rec"),
        (("ref", "-i", "good", "--source", "bad", "--source", "bad"), 2, "set the same value"),
    ],
)
def test_what_cannot_be_read_says_why(
    run: Run, arguments: tuple[str, ...], code: int, message: str
) -> None:
    seen, out, err = run("score", *arguments, "-m", "wer")
    assert (seen, out, err.count("\n")) == (code, "", 1), err
    assert message in err


def test_a_report_names_its_files(run: Run) -> None:
    (written := Path("saved.json")).write_text(json.dumps(report(run, "ref", "-i", "good")))
    code, _, err = run("replay", str(written), "--data", "d.camp")
    assert (code, "a report names its files: leave out --data" in err) == (2, True)


# Joining


@pytest.mark.parametrize(
    ("ids", "message"),
    [
        (["s1", "s2", "s3", "s1"], "o.rec::hyp@i: rows 1 and 4 share the id 's1'"),
        (["s1", "s2", "s3", ""], "o.rec::hyp@i: row 4 has no id; expected one in every row"),
        (["s1", "s2", "s3", None], "o.rec::i: row 4 has no id"),
        (["s1", "s2", "s3", "s5"], "o.rec::hyp@i: no row with the id 's4' of the test set"),
        (["s1"], "no row with the id 's2', 's3', 's4' of the test set"),
        ([*IDS, "s5"], "row 5 has an id that the test set does not have: 's5'"),
    ],
)
def test_ids_are_joined_strictly(run: Run, tmp_path: Path, ids: list[str], message: str) -> None:
    (tmp_path / "o.rec").write_text(rows(i=ids, hyp=["x"] * len(ids)))
    code, _, err = run("score", "all.rec::ref@i", "-i", "o.rec::hyp@i", "-m", "wer")
    assert code == 3
    assert message in err


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({4: ("i", "s2")}, "row 5 of system 'A' has no id"),
        ({2: ("i", "s2")}, "row 3 of system 'B' has the id 's2' of row 2 again"),
        ({2: ("i", "s9")}, "no row with the id 's1'"),
        ({2: ("ref", "other")}, "rows 1 and 3 belong to the same segment, but differ in 'ref'"),
        ({2: ("sys", "A")}, "row 3 of system 'A' has the id 's1' of row 1 again"),
        ({0: ("sys", None)}, "row 1 has no system"),
    ],
)
def test_rows_of_systems_agree(run: Run, tmp_path: Path, change: Any, message: str) -> None:
    table = [json.loads(line) for line in (tmp_path / "long.rec").read_text().splitlines()]
    for row, (key, value) in change.items():
        table[row][key] = "" if "no id" in message else value
    (tmp_path / "long.rec").write_text(lines(*map(json.dumps, table)))
    fields = "hyp=hyp,ref=ref,id=i,system=sys"
    code, _, err = run("score", "--data", "long.rec", "--fields", fields, "-m", "wer")
    assert code == 3
    assert message in err


def test_any_damage_to_ids_is_an_error_or_changes_nothing(run: Run, tmp_path: Path) -> None:
    """A join never pairs the wrong segments: the score stays, or there is an error."""
    draw = random.Random(1)
    whole = scores(report(run, "all.rec::ref@i", "-i", "A=all.rec::hyp@i"))
    codes = set()
    for _ in range(60):
        table = list(zip(IDS, GOOD, strict=True))
        draw.shuffle(table)
        for _ in range(draw.choice([0, 0, 1, 2])):
            place = draw.randrange(len(table))
            if draw.random() < 0.5:
                table.insert(place, draw.choice(table))
            elif len(table) > 1:
                table.pop(place)
        ids, outputs = zip(*table, strict=True)
        (tmp_path / "o.rec").write_text(rows(i=list(ids), hyp=list(outputs)))
        arguments = ("score", "all.rec::ref@i", "-i", "A=o.rec::hyp@i", "-m", "wer", "-f", "json")
        code, out, err = run(*arguments)
        codes.add(code)
        assert (code == 3 and "o.rec" in err) or scores(json.loads(out)) == whole
    assert codes == {0, 3}


# Python


def test_a_data_set_is_evaluated_as_it_is(run: Run) -> None:
    assert run("list")[0] == 0
    data = mt.Dataset(
        test_set=mt.TestSet((mt.Text.of(REF),)),
        systems={"A": mt.Text.of(GOOD), "B": [mt.Text.of(BAD)]},
    )
    evaluation = mt.evaluate(data, ["wer"])
    plain = mt.evaluate({"A": GOOD, "B": BAD}, [REF], ["wer"])
    assert evaluation.to_records() == plain.to_records()
    with pytest.raises(mt.UsageError, match="a data set has references"):
        mt.evaluate(data, [REF], ["wer"])
    for wrong in (mt.Dataset(), {"A": GOOD}):
        with pytest.raises(mt.UsageError, match="no references: expected one list"):
            mt.evaluate(wrong)


@pytest.mark.parametrize("key", ["id", "segment_id"])
def test_keys_in_another_order_are_refused(
    run: Run, files: Callable[..., list[str]], key: str
) -> None:
    numbers = [7, 3, 5, 4]
    files(
        **{
            "one.rec": rows(**{key: numbers}, ref=REF),
            "two.rec": rows(**{key: numbers[::-1]}, hyp=GOOD[::-1]),
            "same.rec": rows(**{key: numbers}, hyp=GOOD),
            "some.rec": rows(**{key: [7, 3, 5, 9]}, hyp=GOOD),
            "doubled.rec": rows(**{key: [7, 7, 3, 3]}, hyp=GOOD),
        }
    )
    code, _, err = run("score", "one.rec::ref", "-i", "two.rec::hyp", "-m", "wer")
    assert code == 3
    assert f"join the texts by them, one.rec::ref@{key} and two.rec::hyp@{key}" in err
    joined = run("score", f"one.rec::ref@{key}", "-i", f"two.rec::hyp@{key}", "-m", "wer", "-b")
    assert joined == run("score", "ref", "-i", "two=good", "-m", "wer", "-b")
    for other in ("same", "some", "doubled"):  # nothing says that these are in another order
        assert run("score", "one.rec::ref", "-i", f"{other}.rec::hyp", "-m", "wer")[0] == 0

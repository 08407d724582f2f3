"""``mteval plan``, ``partial`` and ``merge`` of very small test sets, and their arguments."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mteval_scale.commands.merge import planned_options
from mteval_scale.commands.partial import number, segments_in_memory
from mteval_scale.plan import plan_of
from mteval_scale.shards import Shard, read_plan

import mteval_core as mt
from mteval_core import InputError, Options, UsageError, main

if TYPE_CHECKING:
    from collections.abc import Callable

    from mteval_scale.plan import Level

    Run = Callable[..., tuple[int, str, str]]

pytest.importorskip("pyarrow")
pytest.importorskip("mteval_error_rates")


@pytest.fixture
def run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> Run:
    """Run a command in an empty folder: exit code, output, errors."""
    monkeypatch.chdir(tmp_path)

    def command(*arguments: str) -> tuple[int, str, str]:
        code = main(arguments)
        out, err = capsysbinary.readouterr()
        return code, out.decode(), err.decode()

    return command


def write(**lines: str) -> None:
    for name, content in lines.items():
        Path(name).write_text(content, encoding="utf-8")


def counted(run: Run, n_shards: int, *texts: str) -> list[str]:
    files = [f"{k}.part" for k in range(1, n_shards + 1)]
    for k, file in enumerate(files, 1):
        shard = ["--shard", f"{k}/{n_shards}", "-o", file]
        assert run("partial", "plan.json", *texts, *shard) == (0, "", "")
    return files


@pytest.mark.parametrize(("n", "n_shards"), [(1, 3), (2, 3)])
def test_there_may_be_more_shards_than_segments(run: Run, n: int, n_shards: int) -> None:
    write(hyp="das Häuschen\n" * n, ref="das Haus\n" * n)
    texts = ["ref", "-i", "Ä=hyp"]
    assert run("plan", *texts, "-m", "wer", "-o", "plan.json") == (0, "", "")
    merged = run("merge", "plan.json", *counted(run, n_shards, *texts), "-b")
    assert merged == run("score", *texts, "-m", "wer", "-b")
    assert (merged[0], float(merged[1])) == (0, 50.0)  # one of two words is wrong


def test_references_may_be_missing(run: Run) -> None:
    write(one="a b\n\nc\n", other="\nx y\nc d\n", hyp="a x\n\nc d\n")
    texts = ["one", "other", "-i", "hyp", "--empty-refs", "missing"]
    assert run("plan", *texts[:-2], "-m", "wer", "-o", "plan.json")[0] == 0
    files = counted(run, 2, *texts)
    scored = run("score", *texts, "-m", "wer", "-b")
    assert scored[1] == "50.00\n"  # 1 + 2 + 0 errors, and two words in each closest reference
    assert run("merge", "plan.json", *files, "-b") == scored
    assert run("score", *texts[:-2], "-m", "wer", "-b")[1] != scored[1]


def test_a_plan_of_one_part_is_that_of_the_whole(run: Run) -> None:
    """Only the names of systems and references are in it."""
    write(ref="a\nb\nc\n", hyp="a\nb\nd\n")
    made = ["-i", "Ä=hyp", "-m", "wer", "ter", "--resamples", "7", "--seed", "3"]
    code, whole, _ = run("plan", "ref", *made)
    write(ref="z\n", hyp="y\n")
    assert run("plan", "ref", *made) == (0, whole, "")
    fields = json.loads(whole)
    assert (fields["systems"], fields["resamples"], fields["seed"]) == ({"Ä": ["Ä"]}, 7, 3)
    assert (code, [metric.partition("|")[0] for metric in fields["metrics"]]) == (0, ["wer", "ter"])
    assert run("plan", "ref", *made, "-o", "plan.json") == (0, "", "")
    assert Path("plan.json").read_text("utf-8") == whole
    assert read_plan("plan.json").to_json() + "\n" == whole


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["plan", "ref", "-i", "hyp", "-m", "wer", "--resamples", "-1"], 2, "--resamples: "),
        (["plan", "ref", "-i", "hyp", "-m", "nothing"], 2, "nothing"),
        (["plan", "ref", "-i", "none", "-m", "wer"], 3, "none: no such file"),
        (["plan", "ref", "-i", "hyp", "-m", "wer", "-o", "ref"], 2, "overwrite"),
        (["partial", "none", "ref", "--shard", "1/1", "-o", "x", "-i", "hyp"], 3, "none: no such"),
        (["partial", "ref", "ref", "--shard", "1/1", "-o", "x", "-i", "hyp"], 3,
         "ref: not a plan of mteval"),
        (["partial", "plan.json", "ref", "--shard", "1/1", "-o", "x", "-i", "B=hyp"], 3,
         "the outputs B; the plan has hyp"),
        (["partial", "plan.json", "ref", "--shard", "1/1", "-o", "x", "-i", "hyp=long"], 3,
         "2 segments"),
        (["partial", "plan.json", "ref", "-i", "hyp", "--shard", "1/1", "-o", "x",
          "--first-id", "-1"], 2, "--first-id: "),
        (["partial", "plan.json", "ref", "-i", "hyp", "--shard", "1/1", "-o", "x",
          "--first-id", str(2**62 + 1)], 2, "--first-id: "),
        (["partial", "plan.json", "ref", "-i", "hyp", "--shard", "1/1", "-o", "x",
          "--first-id", "1", "--fields", "id=n"], 2, "--first-id 1 numbers the segments, and id="),
        (["merge", "plan.json"], 2, "PART"),
        (["merge", "plan.json", "."], 3, "not a partial result"),
        (["merge", "plan.json", "empty"], 2, "the folder has no files"),
        (["merge", "plan.json", "hyp", "-o", "hyp"], 2, "overwrite"),
        (["merge", "plan.json", "hyp", "-b", "--level", "segment"], 2, "make it with --level seg"),
    ],
)  # fmt: skip
def test_wrong_requests_are_refused(
    run: Run, arguments: list[str], code: int, message: str
) -> None:
    write(ref="a\n", hyp="b\n", long="b\nb\n")
    Path("empty").mkdir()
    assert run("plan", "ref", "-i", "hyp", "-m", "wer", "-o", "plan.json")[0] == 0
    found = run(*arguments)
    assert (found[0], message in found[2]) == (code, True), found[2]
    assert not Path("x").exists()


@given(st.text("0123456789 -+_.e²١", max_size=20) | st.integers(0, 10**20).map(str))
def test_ids_are_whole_numbers_or_refused(text: str) -> None:
    is_id = bool(text) and {*text} <= {*"0123456789"} and len(text) <= 18
    if is_id:
        assert str(number(text)) == (text.lstrip("0") or "0")
    else:
        with pytest.raises(InputError) as refused:
            number(text)
        expected = "expected a whole number from 0 to 10^18 - 1"
        assert str(refused.value) == f"segment id {text!r}: {expected}"


@pytest.mark.parametrize("n", [1, 5])
def test_segments_are_those_of_the_shard_or_all_that_have_ids(n: int) -> None:
    plan = plan_of(["wer"], ["A"], ["ref0"])

    def found(first_id: int | None, **more: Any) -> list[int]:
        arguments: Any = SimpleNamespace(first_id=first_id, shard=Shard(2, 2))
        text = mt.Text.of([f"r{i}" for i in range(n)])
        dataset = mt.Dataset(test_set=mt.TestSet((text,), **more), systems={"A": text})
        parts = segments_in_memory(dataset, plan, arguments).parts()
        return [i for part in parts if part.ids is not None for i in part.ids.tolist()]

    assert found(None) == [*range(n // 2, n)]
    assert found(7) == [*range(7, 7 + n)]
    backwards = [*reversed(range(n))]
    assert found(None, ids=tuple(map(str, backwards))) == backwards


def chosen(kept: Level, planned: int, given: tuple[str, ...] = (), **more: Any) -> Any:
    """The options after the resamples of a plan were chosen."""
    values = {
        "level": "corpus", "by": "segment", "seed": 1, "resampler": "bootstrap", "trials": None,
        "confidence": False, "resamples": None, "test": None, "all_pairs": False,
    }  # fmt: skip
    options = Options({**values, **more}, flags=dict.fromkeys(given, ""))
    plan = plan_of(["wer"], ["A"], ["x"], level=kept, resamples=planned, seed=9)
    return planned_options(options, plan)


def test_the_resamples_of_the_plan_are_drawn() -> None:
    found = chosen("corpus", 50, confidence=True)
    assert (found.resampler, found.seed, found.resamples) == ("poisson", 9, 50)
    found = chosen("corpus", 50, ("seed",), test="bs", resamples=20)
    assert (found.resampler, found.seed, found.resamples) == ("poisson", 1, 20)
    untouched = {"resampler": "bootstrap", "seed": 1, "resamples": None}
    for found in (
        chosen("corpus", 50),
        chosen("doc", 50, confidence=True, by="doc"),
        chosen("corpus", 50, ("resampler",), confidence=True),
        chosen("segment", 0, test="ar"),
    ):
        assert {name: getattr(found, name) for name in untouched} == untouched


@pytest.mark.parametrize("kept", ["corpus", "doc"])
def test_what_the_plan_does_not_keep_is_refused(kept: Level) -> None:
    asked: list[dict[str, Any]] = [{"confidence": True}, {"test": "bs"}, {"all_pairs": True}]
    for more in asked:
        with pytest.raises(UsageError, match="the plan counts no resamples: make it with --resam"):
            chosen(kept, 0, **more)
    with pytest.raises(UsageError) as refused:
        chosen(kept, 9, level="segment")
    assert str(refused.value) == (
        f"--level segment: the plan keeps {kept} results only; make it with --level segment"
    )

"""``mteval plan``, ``partial`` and ``merge``: shards in files give what ``mteval score`` gives."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from mteval_core import LineFiles, main

if TYPE_CHECKING:
    from collections.abc import Callable

    Run = Callable[..., tuple[int, str, str]]

for needed in ("pyarrow", "mteval_error_rates", "mteval_bleu_nist", "mteval_rouge"):
    pytest.importorskip(needed)

MINI = Path(__file__).parents[3] / "examples" / "mini"
NAMES = ("ref0", "ref1", "docs", "systems/deep", "systems/rule")
TEXTS = ["ref0.txt", "ref1.txt", "-i", "A=deep.txt", "B=rule.txt", "--docs", "docs.txt"]
SPECS = ["-m", "bleu", "nist", "rouge-w", "wer:case=lc"]
N = 120


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a folder with the texts, and the lines of three shards of them."""
    monkeypatch.chdir(tmp_path)
    for name in NAMES:
        lines = (MINI / f"{name}.txt").read_text(encoding="utf-8").splitlines(keepends=True)
        short = name.rpartition("/")[2]
        write(tmp_path / f"{short}.txt", lines)
        for k in range(3):
            write(tmp_path / f"{k + 1}" / f"{short}.txt", lines[40 * k : 40 * (k + 1)])
    (tmp_path / "parts").mkdir()
    return tmp_path


def write(path: Path, lines: list[str]) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text("".join(lines), encoding="utf-8")


@pytest.fixture
def run(folder: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> Run:
    """Run a command in this process: exit code, output, errors."""
    assert (folder / "docs.txt").exists()

    def command(*arguments: str) -> tuple[int, str, str]:
        code = main(arguments)
        out, err = capsysbinary.readouterr()
        return code, out.decode(), err.decode()

    return command


def plan(*arguments: str, metrics: list[str] = SPECS, texts: list[str] = TEXTS[:-2]) -> None:
    assert main(["plan", *texts, *metrics, *arguments, "-o", "plan.json"]) == 0


def count(shard: str, *arguments: str, texts: list[str] = TEXTS[:-2]) -> int:
    output = ["-o", f"parts/{shard.partition('/')[0]}.arrow"]
    return main(["partial", "plan.json", *texts, "--shard", shard, *arguments, *output])


POISSON = ["--resampler", "poisson", "--seed", "3"]


@pytest.mark.parametrize("n_lines", [7, 10**6])
def test_shards_give_what_the_whole_gives(
    run: Run, monkeypatch: pytest.MonkeyPatch, n_lines: int
) -> None:
    monkeypatch.setitem(LineFiles.__init__.__kwdefaults__, "n_lines", n_lines)
    plan("--resamples", "50", "--seed", "3")
    assert [count(f"{k}/4") for k in (4, 1, 3, 2)] == [0] * 4
    drawn = ["-ci", "-pbs", "-f", "jsonl"]
    whole = run("score", *TEXTS[:-2], *SPECS, *drawn, "-n", "50", *POISSON)
    assert run("merge", "plan.json", "parts", *drawn) == whole
    assert (whole[0], whole[1].count('"p_value": 0.')) == (0, 8)
    table = run("score", *TEXTS[:-2], *SPECS, "-ci", "-n", "50", "--values", *POISSON)
    assert run("merge", "plan.json", "parts", "-ci", "--values") == table


def test_files_of_one_shard_have_ids(run: Run) -> None:
    specs = ["-m", "chrf", "rouge-w"]
    plan("--level", "doc", texts=TEXTS, metrics=specs)
    for k in range(3):
        own = [word.replace("=", f"={k + 1}/") for word in TEXTS]
        own = [word if "=" in word or word[0] == "-" else f"{k + 1}/{word}" for word in own]
        assert count(f"{k + 1}/3", "--first-id", str(40 * k), texts=own) == 0
    whole = run("score", *TEXTS, *specs, "--level", "doc")
    assert run("merge", "plan.json", "parts", "--level", "doc") == whole
    drawn = ["-ci", "--by", "doc"]
    assert run("merge", "plan.json", "parts", *drawn) == run("score", *TEXTS, *specs, *drawn)


def test_files_of_different_lengths_are_refused(run: Run) -> None:
    plan(metrics=["-m", "wer"])
    with Path("deep.txt").open("a") as file:
        file.write("one more\n")
    code, _, err = run("partial", "plan.json", *TEXTS[:-2], "--shard", "1/2", "-o", "x.arrow")
    assert code == 3
    assert "deep.txt: 121 segments, but ref0.txt has 120" in err


def test_damaged_texts_are_named_once(run: Run) -> None:
    pytest.importorskip("mteval_doctor", reason="the checks of texts are not installed")
    lines = Path("deep.txt").read_text("utf-8").splitlines(keepends=True)
    write(Path("deep.txt"), [f"<think>Hm.</think>{line}" for line in lines])
    write(Path("2/deep.txt"), lines[39:79])
    plan(metrics=["-m", "wer"])
    words = ["partial", "plan.json", *TEXTS[:-2], "-o", "x.arrow", "--again", "--shard"]
    assert "[thinking]" in run(*words, "1/3")[2]
    assert "[thinking]" not in run(*words, "2/3")[2]
    own = ["2/ref0.txt", "2/ref1.txt", "-i", "A=2/deep.txt", "B=2/rule.txt", "--first-id", "40"]
    words = ["partial", "plan.json", *own, "-o", "x.arrow", "--again", "--shard", "2/3"]
    assert "[shifted]" in run(*words)[2]
    assert run(*words, "--strict")[0] == 3


def test_ids_may_be_a_field(run: Run) -> None:
    pytest.importorskip("mteval_readers")
    hyp, ref = (Path(f"{name}.txt").read_text("utf-8").splitlines() for name in ("deep", "ref0"))
    rows = [{"n": i, "h": hyp[i], "r": ref[i]} for i in reversed(range(N))]
    data = ["--fields", "hyp=h,ref=r,id=n", "--data"]
    for k in range(2):
        write(Path(f"{k + 1}.jsonl"), [json.dumps(row) + "\n" for row in rows[k::2]])
    plan(texts=[*data, "1.jsonl"], metrics=["-m", "wer"])
    Path("plan.json").write_text(Path("plan.json").read_text().replace('"1"', '"x"'))
    for k in (1, 2):
        Path(f"{k}.jsonl").rename("x.jsonl")
        assert count(f"{k}/2", texts=[*data, "x.jsonl"]) == 0
    assert run("merge", "plan.json", "parts", "-b") == run(
        "score", "ref0.txt", "-i", "deep.txt", "-m", "wer", "-b"
    )
    write(Path("x.jsonl"), ['{"n": "7a", "h": "a", "r": "b"}\n'])
    assert count("1/2", "--again", texts=[*data, "x.jsonl"]) == 3
    assert count("1/2", "--again", "--first-id", "0", texts=[*data, "x.jsonl"]) == 2


def test_segments_and_tests_of_kept_rows(run: Run) -> None:
    specs = ["-m", "wer"]
    plan("--level", "segment", metrics=specs)
    assert [count(f"{k}/2") for k in (2, 1)] == [0, 0]
    for asked in (["--level", "segment", "-b"], ["-par", "--trials", "100"], ["-ci", "-pbs"]):
        assert run("merge", "plan.json", "parts", *asked) == run(
            "score", *TEXTS[:-2], *specs, *asked
        )


def test_segments_of_parts_can_be_correlated(run: Run) -> None:
    plan("--level", "segment", metrics=["-m", "wer"])
    assert [count(f"{k}/2") for k in (1, 2)] == [0, 0]
    assert run("merge", "plan.json", "parts", "--level", "segment", "-o", "parts.jsonl")[0] == 0
    write(Path("human.tsv"), ["system\tsegment\tscore\n", *judged("A", 3), *judged("B", 7)])
    study = ["correlate", *TEXTS[:-2], "--human", "human.tsv", "--level", "segment", "-n", "20"]
    found = run(*study, "-m", "none", "--scores", "WER[lower]=parts.jsonl::wer", "-f", "jsonl")
    expected = run(*study, "-m", "wer", "-f", "jsonl")
    assert (found[0], values(found[1])) == (0, values(expected[1]))


def judged(system: str, step: int) -> list[str]:
    return [f"{system}\t{i}\t{i * step % 5}\n" for i in range(N)]


def values(lines: str) -> list[float]:
    return [json.loads(line)["value"] for line in lines.splitlines()]


def test_a_shard_is_counted_once(run: Run) -> None:
    plan(metrics=["-m", "wer"])
    part = Path("parts/1.arrow")
    assert count("1/2") == 0
    before = part.stat().st_mtime_ns
    one = ["partial", "plan.json", *TEXTS[:-2], "-o", str(part), "--shard"]
    assert run(*one, "1/2") == (0, "", "mteval: parts/1.arrow is there already\n")
    assert run(*one, "1/2", "-q") == (0, "", "")
    assert part.stat().st_mtime_ns == before
    code, _, error = run(*one, "2/2")
    assert (code, "is the shard 1/2, not 2/2: name another file, or replace it" in error) == (
        3,
        True,
    )
    assert run(*one, "2/2", "--again")[0] == 0
    part.write_bytes(part.read_bytes()[:200])
    code, _, error = run(*one, "2/2")
    assert (code, "parts/1.arrow: " in error, "--again" in error) == (3, True, True)
    assert [path.name for path in Path("parts").iterdir()] == ["1.arrow"]


@pytest.mark.parametrize("texts", [TEXTS[:-2], [*TEXTS[:-2], "--empty-refs", "missing"]])
@pytest.mark.parametrize("name", ["rule.txt", "ref1.txt"])
def test_a_shard_of_other_texts_is_not_resumed(run: Run, name: str, texts: list[str]) -> None:
    """In files read in blocks, and in memory."""
    plan(metrics=["-m", "wer"])
    assert [count(shard, texts=texts) for shard in ("1/2", "2/2")] == [0, 0]
    lines = Path(name).read_text().split("\n")
    Path(name).write_text("\n".join([*lines[:70], "something else", *lines[71:]]))
    one = ["partial", "plan.json", *texts]
    assert run(*one, "--shard", "1/2", "-o", "parts/1.arrow", "-q") == (0, "", "")
    code, _, error = run(*one, "--shard", "2/2", "-o", "parts/2.arrow", "-q")
    assert (code, "2.arrow was counted from other texts: name another" in error) == (3, True)
    assert count("2/2", "--again", texts=texts) == 0
    assert run("merge", "plan.json", "parts", "-b") == run("score", *texts, "-m", "wer", "-b")


@pytest.mark.parametrize("texts", [TEXTS[:-2], [*TEXTS[:-2], "--empty-refs", "missing"]])
@pytest.mark.parametrize(("name", "kind"), [("rule.txt", "output"), ("ref1.txt", "reference")])
def test_shards_of_different_texts_are_not_merged(
    run: Run, name: str, kind: str, texts: list[str]
) -> None:
    plan(metrics=["-m", "wer"])
    assert [count(shard, texts=texts) for shard in ("1/3", "2/3")] == [0, 0]
    lines = Path(name).read_text().split("\n")
    Path(name).write_text("\n".join([f"other {line}" for line in lines[:-1]]) + "\n")
    assert count("3/3", texts=texts) == 0
    code, _, error = run("merge", "plan.json", "parts", "-b")
    assert (code, f"the parts were counted from different texts: the {kind} " in error) == (3, True)


def test_bytes_behind_the_end_are_refused(run: Run) -> None:
    plan(metrics=["-m", "wer"])
    assert count("1/1") == 0
    part = Path("parts/1.arrow")
    part.write_bytes(2 * part.read_bytes())
    code, _, error = run("merge", "plan.json", "parts", "-b")
    assert code == 3
    assert f"1.arrow: {part.stat().st_size // 2} bytes behind the end of a partial" in error


def test_shards_that_are_missing_doubled_or_foreign_are_named(run: Run) -> None:
    plan(metrics=["-m", "wer"])
    assert [count("1/3"), count("3/3")] == [0, 0]

    def error(*files: str) -> str:
        code, _, message = run("merge", "plan.json", *files)
        assert code == 3
        return message

    assert "missing shards: 2/3; expected all of 1-3/3" in error("parts")
    assert "1.arrow is the shard 1/3, as parts/1.arrow is" in error(
        "parts/1.arrow", "parts/1.arrow"
    )
    assert count("2/4") == 0
    assert "2.arrow is the shard 2/4, but parts/1.arrow is 1/3" in error("parts")
    assert "ref0.txt: " in error("ref0.txt")
    assert "no.arrow: no such file" in error("no.arrow")
    assert "embedded null byte" in error("a\0b")
    assert "\\ud800: no such file" in error("\ud800")
    plan(metrics=["-m", "per"])
    assert "parts/1.arrow: a part of the plan" in error("parts")
    Path("plan.json").write_bytes(b"\xff")
    assert "plan.json: " in error("parts")
    assert "x.json: no such file" in run("merge", "x.json", "parts")[2]


def test_segments_of_two_shards_may_not_have_the_same_id(run: Run) -> None:
    plan(metrics=["-m", "wer"])
    assert [count(f"{k}/2", "--first-id", "7") for k in (1, 2)] == [0, 0]
    code, _, error = run("merge", "plan.json", "parts")
    assert (code, "240 segments with ids" in error) == (3, True)


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["merge", "plan.json", "parts", "-ci"], 2, "the plan counts no resamples"),
        (["merge", "plan.json", "parts", "--level", "doc"], 2, "make it with --level doc"),
        (["merge", "plan.json", "parts", "-n", "9"], 2, "-n applies to"),
        (["partial", "plan.json", *TEXTS, "--shard", "3", "-o", "x"], 2, "expected K/N"),
        (["partial", "plan.json", *TEXTS, "--shard", "3/2", "-o", "x"], 2, "expected K/N"),
        (["partial", "plan.json", *TEXTS, "--shard", "1/1", "-o", "-"], 2, "the name of a file"),
        (["partial", "plan.json", *TEXTS, "--shard", "1/1", "-o", "ref0.txt"], 2, "overwrite"),
        (["partial", "plan.json", "ref0.txt", "-i", "deep.txt", "--shard", "1/1", "-o", "x"], 3,
         "the reference streams ref0; the plan has ref0, ref1"),
        (["partial", "plan.json", *TEXTS[:4], "--shard", "1/1", "-o", "x"], 3,
         "the outputs A; the plan has A, B"),
        (["partial", "plan.json", *TEXTS[:-2], "--first-id", "0", "--shard", "1/2", "-o", "x"], 2,
         "nist must see"),
        (["plan", *TEXTS, "-m", "wer"], 2, "--docs applies to documents: add --level doc"),
        (["plan", *TEXTS[:-2], "-m", "wer", "--level", "doc"], 2, "documents need --docs"),
        (["plan", *TEXTS[:-2], "-m", "wer", "--seed", "1"], 2, "--seed applies to"),
    ],
)  # fmt: skip
def test_wrong_requests_are_refused(
    run: Run, arguments: list[str], code: int, message: str
) -> None:
    plan(metrics=["-m", "wer", "nist"])
    assert count("1/1") == 0
    found = run(*arguments)
    assert (found[0], message in found[2]) == (code, True), found[2]


def test_options_for_all_metrics_are_in_the_plan(run: Run) -> None:
    specs = ["-m", "wer", "bleu", "-lc", "--jackknife"]
    plan(metrics=specs)
    assert [count("1/2"), count("2/2")] == [0, 0]
    assert run("merge", "plan.json", "parts") == run("score", *TEXTS[:-2], *specs)

"""Files that are scored block by block give what the whole texts give."""

from __future__ import annotations

import math
import pickle
import sys
import tempfile
import tracemalloc
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import mteval_core as mt
from mteval_core.commands import sources as command_sources
from mteval_core.commands.main import main
from mteval_core.evaluation import sources
from mteval_core.evaluation.counting import Kept
from mteval_core.evaluation.sources import LineFiles
from mteval_core.report import Layout
from mteval_core.report.scores import of_evaluation

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

MINI = Path(__file__).parents[2] / "examples" / "mini"
REFERENCES = [str(MINI / f"ref{k}.txt") for k in range(2)]
SYSTEMS = {name: str(MINI / "systems" / f"{name}.txt") for name in ("deep", "rule")}
SPECS = ["nist", "nist:order=1,weights=no", "bleu", "chrf", "meteor", "ter:case=lc", "rouge-l"]


def streamed(
    specs: Sequence[str], n_lines: int, threads: int = 1, **settings: Any
) -> mt.Evaluation:
    outputs = {name: [path] for name, path in SYSTEMS.items()}
    source = LineFiles(REFERENCES, outputs, n_lines=n_lines)
    scorers = list(map(mt.metric, specs))
    return mt.evaluate(source, scorers, kept=Kept(**settings), threads=threads)


@pytest.mark.parametrize(("n_lines", "threads"), [(7, 3), (1000, 1)])
def test_blocks_equal_the_whole(n_lines: int, threads: int) -> None:
    texts = {name: mt.read_text(path) for name, path in SYSTEMS.items()}
    references = mt.TestSet(tuple(map(mt.read_text, REFERENCES)))
    drawn: dict[str, Any] = {"resampler": "poisson", "seed": 3}
    whole, found = (
        evaluation.confidence(50, **drawn).compare("bs", **drawn)
        for evaluation in (
            mt.evaluate(texts, references, SPECS),
            streamed(SPECS, n_lines, threads, resamples=50, seed=3),
        )
    )
    assert found.to_dict() == whole.to_dict()
    assert str(found) == str(whole)


def test_memory_is_returned_after_every_few_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    returned: list[int] = []
    monkeypatch.setattr(sources, "TRIM_EVERY", 3)
    monkeypatch.setattr(sources, "trim_memory", lambda: returned.append(1))
    streamed(["wer"], 2)
    n_blocks = -(-len(mt.read_text(REFERENCES[0])) // 2)
    assert len(returned) == n_blocks // 3 > 1


@pytest.fixture
def score(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., list[tuple[int, str, str]]]:
    """Score with files read as a whole, and block by block; return both outcomes."""

    def run(*arguments: str) -> list[tuple[int, str, str]]:
        outcomes = []
        for size in (math.inf, 0):
            monkeypatch.setattr(command_sources, "LONG_FILE", size)
            code = main(["score", *arguments])
            outcomes.append((code, *capsys.readouterr()))
        return outcomes

    return run


@pytest.mark.parametrize(
    "arguments",
    [
        ["-m", "bleu", "wer"],
        ["-m", "bleu", "-ci", "-pbs", "--resampler", "poisson", "-n", "50"],
        ["-m", "wer", "--case", "lc", "-f", "json"],
        ["-m", "bleu", "wer", "-ci", "-n", "50", "-par", "--trials", "99"],
        ["-m", "nist"],
        ["-m", "wer", "--level", "segment"],
        ["-m", "bleu", "wer", "--level", "segment", "-f", "jsonl"],
        ["-m", "bleu", "wer", "--level", "segment", "-f", "csv", "--threads", "2"],
        ["-m", "wer", "--tok", "unknown"],
        ["-m", "wer", "--loo", "yes"],
    ],
    ids=" ".join,
)
def test_the_command_prints_the_same(score: Any, arguments: list[str]) -> None:
    named = [f"{name}={path}" for name, path in SYSTEMS.items()]
    whole, found = score(*REFERENCES, "-i", *named, *arguments)
    assert found == whole


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("a b\nc\n", 3),
        ("\n" * 120, 0),
        ("a b .\n" * 119 + "x " * 70_000 + "\n", 3),
        ("a\n" * 119 + "\ud800\n", 3),
    ],
)
def test_the_command_complains_of_the_same(
    score: Any, tmp_path: Path, text: str, code: int
) -> None:
    path = tmp_path / "x.txt"
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    whole, found = score(REFERENCES[0], "-i", str(path), "-m", "ter", "wer")
    assert found[:2] == whole[:2]
    assert found[0] == code
    # The warnings come after the scores, so an error comes before them.
    assert set(found[2].splitlines()) <= set(whole[2].splitlines())
    assert found[2].splitlines()[-1:] == whole[2].splitlines()[-1:]


def test_references_that_are_read_twice_are_warned_of_once(tmp_path: Path) -> None:
    reference = tmp_path / "ref.txt"
    reference.write_text("one sentence .\tand two .\na third .\tand more .\n" * 60)
    lines = LineFiles([str(reference)], {"deep": [SYSTEMS["deep"]]}, n_lines=50)
    with pytest.warns(mt.MtevalWarning) as caught:
        mt.evaluate(lines, ["nist"], kept=Kept())
    assert sum("[tabs]" in str(each.message) for each in caught) == 1


def test_runs_and_the_source_are_read_in_blocks(score: Any) -> None:
    runs = f"deep={SYSTEMS['deep']},{SYSTEMS['rule']}"
    source = str(MINI / "src.de.txt")
    arguments = ["-i", runs, "-m", "untranslated", "chrf", "--source", source]
    whole, found = score(*REFERENCES, *arguments)
    assert found == whole
    assert "untranslated" in found[1]


@pytest.fixture
def scored(tmp_path: Path) -> Callable[..., mt.Evaluation]:
    """Write texts, and score the first one by the others, in blocks of two lines."""

    def score(*texts: str, threads: int = 1) -> mt.Evaluation:
        paths = [str(tmp_path / f"{k}.txt") for k in range(len(texts))]
        for path, text in zip(paths, texts, strict=True):
            Path(path).write_text(text, encoding="utf-8")
        source = LineFiles(paths[1:], {"A": paths[:1]}, n_lines=2)
        return mt.evaluate(source, ["wer"], kept=Kept(), threads=threads)

    return score


@pytest.mark.filterwarnings("ignore::mteval_core.MtevalWarning")
@pytest.mark.parametrize("threads", [1, 2])
def test_files_are_sums_of_their_lines(scored: Any, tmp_path: Path, threads: int) -> None:
    hypotheses = ["a", "a b c", "", "ü ü", "x"]
    written = "".join(f"{line}\n" for line in hypotheses)
    found = scored(written, "a\na b d\ne f\nü\ny z\n", threads=threads)
    assert found.score("A", "wer").values == {
        "WER": pytest.approx(600 / 9),
        "edits": 6,
        "ref_len": 9,
    }
    assert len(found.scores.test_set) == 5
    inputs = found.to_dict()["inputs"]
    assert inputs["references"][0]["path"] == str(tmp_path / "1.txt")
    assert inputs["systems"]["A"][0]["hash"] == mt.Text.of(hypotheses).digest.hex
    one = scored("a x\n", "a b\n", threads=threads)
    assert (one.score("A", "wer").score, len(one.scores.test_set)) == (50, 1)


def test_files_without_lines_or_of_other_lengths_are_refused(scored: Any) -> None:
    with pytest.raises(mt.InputError, match=r"1\.txt.*the file is empty"):
        scored("", "")
    with pytest.raises(mt.InputError, match=r"0\.txt: 3 segments, but .*1\.txt has 5"):
        scored("a\n" * 3, "a\n" * 5)


# Rows in a file


def repeated(folder: Path, n: int) -> LineFiles:
    """Repeat the texts of a system until they have n segments or more."""
    paths = []
    for source in (REFERENCES[0], SYSTEMS["deep"]):
        lines = Path(source).read_text(encoding="utf-8")
        paths.append(folder / f"{Path(source).stem}{n}.txt")
        paths[-1].write_text(lines * -(-n // lines.count("\n")), encoding="utf-8")
    return LineFiles([str(paths[0])], {"deep": [str(paths[1])]}, n_lines=256)


def test_memory_does_not_grow_with_the_segments_that_have_records(tmp_path: Path) -> None:
    peaks = []
    for n in (1_000, 1_000, 10_000):  # the first call imports modules
        tracemalloc.start()
        evaluation = mt.evaluate(repeated(tmp_path, n), ["chrf"], kept=Kept("segment"))
        tracemalloc.reset_peak()  # of the texts that were checked
        report = of_evaluation(evaluation, Layout("segment"))
        assert sum(1 for _ in report.records) == len(evaluation.scores.test_set)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[2] < peaks[1] + 9_000 * 8 * 4  # numbers of segments, not 18 counts of each


def test_rows_in_a_file_are_pickled_with_the_evaluation(tmp_path: Path) -> None:
    evaluation = mt.evaluate(repeated(tmp_path, 600), ["wer"], kept=Kept("segment"))
    again = pickle.loads(pickle.dumps(evaluation))
    assert again.to_records("segment") == evaluation.to_records("segment")
    assert again.confidence(20).intervals == evaluation.confidence(20).intervals


@pytest.mark.skipif(sys.platform == "win32", reason="the file has a name on Windows")
def test_the_file_of_rows_has_no_name_that_could_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, folder = repeated(tmp_path, 600), tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    evaluation = mt.evaluate(source, ["wer"], kept=Kept("segment"))
    assert not [*folder.iterdir()]
    assert len(evaluation.to_records("segment")) >= 600


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_a_full_disk_is_an_error_that_names_the_way_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    full = Path("/dev/full").open
    monkeypatch.setattr(tempfile, "TemporaryFile", lambda **how: full("r+b", **how))
    with pytest.raises(mt.InputError, match=r"no room for the rows of segments: .* TMPDIR"):
        mt.evaluate(repeated(tmp_path, 600), ["wer"], kept=Kept("segment"))

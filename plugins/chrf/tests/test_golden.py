"""chrF equals the golden runs, to the last digit.

The runs are those of sacreBLEU in ``../shared/golden``; of the original program there are the two
corpus scores told in ``../shared/reference-behaviour.md``. Every number of a run is compared;
`test_every_run_is_accounted_for` sees to it that none is forgotten. The runs on hand-made texts
are copied to ``golden/`` beside this file and tested everywhere.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import mteval_core as mt

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    Numbers = Mapping[str, Any]

COPIED = Path(__file__).parent / "golden"
SHARED = COPIED.parents[3].parent / "shared"
GOLDEN = SHARED / "golden"

needs_shared = pytest.mark.skipif(
    not GOLDEN.is_dir(), reason="../shared/golden, the numbers of the original programs, is absent"
)


@dataclass(frozen=True)
class Run:
    """Texts, a program with its options, and what it printed.

    Parameters
    ----------
    where : str
        File, and place in it.
    program : str
        The command, or the key under which the number stands.
    hypotheses : sequence of str
    references : sequence of sequence of str
        One sequence per reference stream.
    corpus : float
        Score of the corpus.
    segments : sequence of float
        Scores of the first segments.
    """

    where: str
    program: str
    hypotheses: Sequence[str]
    references: Sequence[Sequence[str]]
    corpus: float
    segments: Sequence[float] = ()

    def __str__(self) -> str:
        return f"{self.where}: {self.program}"

    @property
    def spec(self) -> str:
        """Our metric for the program with its options."""
        order = re.search(r"word_order=(\d)", self.program)
        beta = re.search(r"beta=(\d)", self.program)
        nw = order[1] if order else "2" if "chrF++" in self.program else "0"
        return f"chrf:nw={nw},beta={beta[1] if beta else 2}"


def is_chrf(program: str) -> bool:
    return bool(re.search("(?i)chrf", program))


def lines_of(path: Path) -> list[str]:
    return path.read_bytes().decode().removesuffix("\n").split("\n")


def all_runs(folder: Path) -> Iterator[Run]:
    """Every run of a program that computes chrF."""
    for path in sorted(folder.rglob("*.json")):
        contents = json.loads(path.read_bytes())
        if path.name == "literature.json":
            assert not any(is_chrf(key) for item in contents for key in item)
        elif "items" in contents:
            for item in contents["items"]:
                references = [[reference] for reference in item["refs"]]
                for program, score in item["scores"].items():
                    if is_chrf(program):
                        where = f"{path.stem} {item['id']}"
                        yield Run(where, program, [item["hyp"]], references, score)
        else:
            yield from runs_on_corpus(path.stem, contents)


def runs_on_corpus(name: str, contents: Numbers) -> Iterator[Run]:
    """Give the runs on a data set, or on the lines that the file itself holds."""
    ours = [run for run in contents["runs"] if is_chrf(run["oracle"] + run["command"])]
    if not ours:
        return
    if "dataset" in contents:
        raw = SHARED / "data" / contents["dataset"]
        pretokenized = GOLDEN / "inputs" / contents["dataset"]
        folder, systems = (
            (pretokenized, pretokenized) if name.endswith(".pretok") else (raw, raw / "systems")
        )
        hypotheses = lines_of(systems / f"{contents['system']}.txt")
        references = [lines_of(folder / f"ref{k}.txt") for k in range(contents["references"])]
    else:
        hypotheses, references = contents["hyp"], contents["refs"]
    for run in ours:
        assert run["corpus"].keys() == {"score"}
        segments = run.get("segments", {"score": ()})["score"]
        program = f"{run['oracle']} {run['command']}"
        yield Run(name, program, hypotheses, references, run["corpus"]["score"], segments)


HAND_MADE = list(all_runs(COPIED))
RUNS = list(all_runs(GOLDEN))


@pytest.mark.parametrize("run", HAND_MADE, ids=str)
def test_equals_sacrebleu_on_hand_made_texts(run: Run) -> None:
    compare(run)


@needs_shared
@pytest.mark.parametrize("run", [run for run in RUNS if run not in HAND_MADE], ids=str)
def test_equals_sacrebleu(run: Run) -> None:
    compare(run)


@needs_shared
def test_every_run_is_accounted_for() -> None:
    programs = Counter(re.sub(r"^sacrebleu (sacrebleu )?(2.6.0 )?", "", r.program) for r in RUNS)
    assert programs == {
        "CHRF()": 14,
        "CHRF(word_order=2)": 8,
        "CHRF(beta=1)": 6,
        "CHRF(char_order=6, beta=3)": 6,
        "chrF2": 64,
        "chrF++": 64,
    }


@needs_shared
def test_hand_made_texts_are_true_copies() -> None:
    assert [run for run in HAND_MADE if run not in RUNS] == []


@needs_shared
@pytest.mark.parametrize(
    ("spec", "printed"), [("chrf:eff=no", 65.5132), ("chrf:nw=2,eff=no", 64.0431)]
)
def test_equals_the_original_program(spec: str, printed: float) -> None:
    """The original takes the mean F; sacreBLEU's default gives 64.0440 for chrF++."""
    data = SHARED / "data" / "ted21-zh-en"
    hypotheses = lines_of(data / "systems" / "NiuTrans.txt")
    references = [lines_of(data / f"ref{k}.txt") for k in range(2)]
    score = mt.metric(spec).corpus_score(hypotheses, references).score
    assert score == pytest.approx(printed, abs=0.5e-4)


def compare(run: Run) -> None:
    """Compare all numbers of a run with ours."""
    evaluation = mt.evaluate({"": run.hypotheses}, run.references, [run.spec])
    scorer = evaluation.scorers[run.spec]
    (corpus,) = scorer.values(evaluation.sums("", run.spec, "corpus"))
    decimals = 10 if " " in run.where else 12
    np.testing.assert_allclose(corpus[0], run.corpus, rtol=1e-15, atol=0.5 * 10.0**-decimals)
    segments = scorer.values(evaluation.sums("", run.spec, "segment"))
    ours, decimals = segments[: len(run.segments), 0], 8 if "fuzz" in run.where else 10
    np.testing.assert_allclose(ours, run.segments, rtol=1e-15, atol=0.5 * 10.0**-decimals)

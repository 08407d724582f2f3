"""GTM equals the original program, to the last digit that it prints.

The runs are those of ``../shared/golden``: GTM 1.4 with the exponents 1, 1.2, 1.5, 2 and 3 and with
1 to 5 references. Every number of every run is compared. The runs on hand-made texts are copied to
``golden/`` beside this file and tested everywhere.
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

    from numpy.typing import NDArray

    Numbers = Mapping[str, Any]

COPIED = Path(__file__).parent / "golden"
SHARED = COPIED.parents[3].parent / "shared"
GOLDEN = SHARED / "golden"

needs_shared = pytest.mark.skipif(
    not GOLDEN.is_dir(), reason="../shared/golden, the numbers of the original programs, is absent"
)


@dataclass(frozen=True)
class Run:
    """Texts, the program with its options, and what it printed.

    Parameters
    ----------
    where : str
        File, and place in it.
    program : str
        The command, or the key under which the numbers stand.
    decimals : tuple of int
        Decimals of the numbers of the corpus and of the segments.
    hypotheses : sequence of str
    references : sequence of sequence of str
        One sequence per reference stream.
    printed : mapping
        The numbers by level (``corpus``, ``segment``) and name.
    """

    where: str
    program: str
    decimals: tuple[int, int]
    hypotheses: Sequence[str]
    references: Sequence[Sequence[str]]
    printed: Mapping[str, Numbers]

    def __str__(self) -> str:
        return f"{self.where}: {self.program}"

    @property
    def exponent(self) -> float:
        """The program's only option that matters."""
        (exponent,) = re.findall(r"-e ([\d.]+)", self.program)
        return float(exponent)


def lines_of(path: Path) -> list[str]:
    return path.read_bytes().decode().removesuffix("\n").split("\n")


def all_runs(folder: Path) -> Iterator[Run]:
    for path in sorted(folder.rglob("*.json")):
        contents = json.loads(path.read_bytes())
        if path.name == "literature.json":
            for item in contents:
                yield from runs_on_item(path.stem, 10, item, item)
        elif "items" in contents:
            yield from runs_on_items(path.stem, contents)
        else:
            yield from runs_on_corpus(path.stem, contents)


def runs_on_item(name: str, decimals: int, item: Numbers, programs: Numbers) -> Iterator[Run]:
    references = [[reference] for reference in item["refs"]]
    for program, printed in programs.items():
        if program.startswith("gtm"):
            where, corpus = f"{name} {item['id']}", {"corpus": printed}
            yield Run(where, program, (decimals, 0), [item["hyp"]], references, corpus)


def runs_on_items(name: str, contents: Numbers) -> Iterator[Run]:
    """Give the runs on each item alone, and on all of them as one document."""
    items = contents["items"]
    for item in items:
        yield from runs_on_item(name, 12, item, item["scores"])
    hypotheses = [item["hyp"] for item in items]
    streams = list(zip(*[item["refs"] for item in items], strict=True))
    for program, printed in contents["as_one_corpus"].items():
        if program.startswith("gtm"):
            levels = {"corpus": printed["corpus"], "segment": printed["segments"]}
            yield Run(f"{name} as one", program, (12, 12), hypotheses, streams, levels)


def runs_on_corpus(name: str, contents: Numbers) -> Iterator[Run]:
    """Give the runs on a data set, or on the lines that the file itself holds."""
    ours = [run for run in contents["runs"] if run["oracle"] == "gtm"]
    if not ours:
        return
    if "dataset" in contents:
        folder = GOLDEN / "inputs" / contents["dataset"]
        hypotheses = lines_of(folder / f"{contents['system']}.txt")
        streams = [lines_of(folder / f"ref{k}.txt") for k in range(contents["references"])]
    else:
        hypotheses, streams = contents["hyp"], contents["refs"]
    for run in ours:
        used = {"all": streams, "ref0 only": streams[:1]}[run.get("references_used", "all")]
        levels = {"corpus": run["corpus"], "segment": run["segments"]}
        yield Run(name, run["command"], (12, 10), hypotheses, used, levels)


HAND_MADE = list(all_runs(COPIED))
RUNS = list(all_runs(GOLDEN))


@pytest.mark.parametrize("run", HAND_MADE, ids=str)
def test_equals_the_program_on_hand_made_texts(run: Run) -> None:
    compare(run)


@needs_shared
@pytest.mark.parametrize("run", [run for run in RUNS if run not in HAND_MADE], ids=str)
def test_equals_the_program(run: Run) -> None:
    compare(run)


@needs_shared
def test_every_run_is_accounted_for() -> None:
    """Nothing that GTM printed is left out."""
    texts = [path.read_text(encoding="utf-8") for path in GOLDEN.rglob("*.json")]
    mentions = re.findall(r'"gtm(?:"| -e|-1)', " ".join(texts))
    assert len(RUNS) == len(mentions) == 191
    assert Counter(run.exponent for run in RUNS) == {1: 80, 1.2: 6, 1.5: 8, 2: 83, 3: 14}


@needs_shared
def test_hand_made_texts_are_true_copies() -> None:
    assert [run for run in HAND_MADE if run not in RUNS] == []


def compare(run: Run) -> None:
    """Compare all numbers of a run with ours."""
    spec = f"gtm:tok=gtm,e={run.exponent!r}"
    evaluation = mt.evaluate({"": run.hypotheses}, run.references, [spec])
    scorer = evaluation.scorers[spec]
    for level, decimals in zip(("corpus", "segment"), run.decimals, strict=True):
        numbers = run.printed.get(level, {})
        values = scorer.values(evaluation.sums("", spec, level))  # type: ignore[arg-type]
        computed = named(values, scorer.scales, run.exponent)
        for name, printed in numbers.items():
            expected = np.atleast_1d(printed)
            np.testing.assert_allclose(
                computed[name][: len(expected)],
                expected,
                rtol=4e-15,  # the program's own tests differ by 2e-16 from one machine to the next
                atol=0.5 * 10.0**-decimals,
                err_msg=f"{level} {name}",
            )


def named(
    values: NDArray[np.float64], scales: Mapping[str, float], exponent: float
) -> dict[str, NDArray[np.float64]]:
    """What the program prints, by its names."""
    columns = dict(zip(scales, (values / list(scales.values())).T, strict=True))
    return {**columns, "mms": columns["MMS"], "match": columns["MMS"] ** exponent}

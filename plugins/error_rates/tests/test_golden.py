"""Error rates equal the original programs, to the last digit that these print.

The runs are those of ``../shared/golden``: tercom 0.8.0, WER.pl, PER.pl, jiwer and sacreBLEU's TER.
Every number of a run is compared, but for what `NOT_COVERED` and `NOT_COMPARED` name;
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

NOT_COVERED = {
    "sclite": "aligns with weights of 4 and 3 and counts more errors than there need be",
    "division by zero": "WER.pl and PER.pl fail where the reference has no words; "
    "test_properties.py says what we score there",
}

OTHER_LIMITS = "sacreBLEU limits its search otherwise than tercom: see test_sacrebleu.py"

NOT_COMPARED = {
    ("news23-en-de.ONLINE-A.pretok", "sacrebleu"): OTHER_LIMITS,
    ("edge-1ref long-300", "sacrebleu"): OTHER_LIMITS,
}


@dataclass(frozen=True)
class Run:
    """Texts, a program with its options, and what it printed.

    Parameters
    ----------
    where : str
        File, and place in it.
    program : str
        The command, or the key under which the numbers stand; its first word is the program.
    hypotheses : sequence of str
    references : sequence of sequence of str
        One sequence per reference stream.
    printed : mapping
        The numbers by level (``corpus``, ``segments``) and name.
    """

    where: str
    program: str
    hypotheses: Sequence[str]
    references: Sequence[Sequence[str]]
    printed: Mapping[str, Numbers]

    def __str__(self) -> str:
        return f"{self.where}: {self.program}"


def is_error_rate(program: str) -> bool:
    return bool(re.match(r"tercom|WER|PER|sclite|jiwer|sacrebleu.*TER", program))


def lines_of(path: Path) -> list[str]:
    return path.read_bytes().decode().removesuffix("\n").split("\n")


def all_runs(folder: Path) -> Iterator[Run]:
    """Every run of a program that computes an error rate."""
    for path in sorted(folder.rglob("*.json")):
        contents = json.loads(path.read_bytes())
        if path.name == "literature.json":
            yield from runs_on_items(path.stem, contents)
        elif "items" in contents:
            items = [{**item, **item["scores"]} for item in contents["items"]]
            yield from runs_on_items(path.stem, items)
        else:
            yield from runs_on_corpus(path.stem, contents)


def runs_on_items(name: str, items: Sequence[Numbers]) -> Iterator[Run]:
    """Give the runs on each item alone."""
    for item in items:
        for program, printed in filter(lambda run: is_error_rate(run[0]), item.items()):
            references = [[reference] for reference in item["refs"]]
            value = "score" if program.startswith("sacrebleu") else "rate"
            corpus = printed if isinstance(printed, dict) else {value: printed}
            yield Run(
                f"{name} {item['id']}", program, [item["hyp"]], references, {"corpus": corpus}
            )


def runs_on_corpus(name: str, contents: Numbers) -> Iterator[Run]:
    """Give the runs on a data set, or on the lines that the file itself holds."""
    ours = [
        (program, run)
        for run in contents["runs"]
        if is_error_rate(program := f"{run['oracle']} {run['command']}")
    ]
    if not ours:
        return
    if "dataset" in contents:
        raw = SHARED / "data" / contents["dataset"]
        pretokenized = GOLDEN / "inputs" / contents["dataset"]
        folder, systems = (
            (pretokenized, pretokenized) if name.endswith(".pretok") else (raw, raw / "systems")
        )
        hypotheses = lines_of(systems / f"{contents['system']}.txt")
        streams = [lines_of(folder / f"ref{k}.txt") for k in range(contents["references"])]
    else:
        hypotheses = contents["hyp"]
        streams = contents["refs"]
    for program, run in ours:
        used = re.fullmatch(r"ref(\d) only", run.get("references_used", ""))
        references = [streams[int(used[1])]] if used else streams
        levels = {level: run[level] for level in ("corpus", "segments") if level in run}
        yield Run(name, program, hypotheses, references, levels)


def why_not(run: Run) -> str | None:
    """Why a run is not compared; None if it is."""
    failure = run.printed.get("corpus", {}).get("failed")
    seen = f"{run.program} {failure}"
    reason = next((reason for what, reason in NOT_COVERED.items() if what in seen), None)
    return reason or NOT_COMPARED.get((run.where, run.program.split()[0]))


HAND_MADE = list(all_runs(COPIED))
RUNS = list(all_runs(GOLDEN))


@pytest.mark.parametrize("run", [run for run in HAND_MADE if not why_not(run)], ids=str)
def test_equals_the_original_on_hand_made_texts(run: Run) -> None:
    compare(run)


@needs_shared
@pytest.mark.parametrize(
    "run", [run for run in RUNS if not why_not(run) and run not in HAND_MADE], ids=str
)
def test_equals_the_original(run: Run) -> None:
    compare(run)


@needs_shared
def test_every_run_is_accounted_for() -> None:
    covered = Counter(run.program.split()[0] for run in RUNS if not why_not(run))
    assert covered == {
        "tercom": 156,
        "sacrebleu": 69,
        "WER": 12,
        "WER.pl": 47,
        "PER": 12,
        "PER.pl": 47,
        "jiwer": 6,
    }
    assert Counter(why_not(run) for run in RUNS if why_not(run)) == {
        NOT_COVERED["sclite"]: 56,
        NOT_COVERED["division by zero"]: 4,
        OTHER_LIMITS: 2,
    }


@needs_shared
def test_hand_made_texts_are_true_copies() -> None:
    assert [run for run in HAND_MADE if run not in RUNS] == []


def compare(run: Run) -> None:
    """Compare all numbers of a run with ours."""
    spec = spec_of(run.program)
    evaluation = mt.evaluate({"": run.hypotheses}, run.references, [spec])
    scorer = evaluation.scorers[spec]
    for level, numbers in run.printed.items():
        values = scorer.values(
            evaluation.sums("", spec, "segment" if level == "segments" else "corpus")
        )
        ours = named(dict(zip(scorer.scales, values.T, strict=True)))
        for name, printed in together(numbers).items():
            expected = np.atleast_1d(printed)
            decimals = 10 if level == "segments" or " " in run.where else 12
            np.testing.assert_allclose(
                ours[name][: len(expected)],
                expected,
                rtol=1e-15,
                atol=0.5 * 10.0**-decimals,
                err_msg=f"{level} {name}",
            )


def spec_of(program: str) -> str:
    """Our metric for a program with its options."""
    name = program.split()[0]
    if name in ("WER", "WER.pl", "PER", "PER.pl"):
        return f"{name[:3].lower()}:tok=tercom"
    if name == "jiwer":
        return "wer:tok=none"
    if name == "sacrebleu":
        return "ter:tok=none"
    options = program.split()
    return (
        f"ter:norm={'yes' if '-N' in options else 'no'},case={'mixed' if '-s' in options else 'lc'}"
    )


def together(numbers: Numbers) -> dict[str, Any]:
    """Put together what jiwer counts apart, as it is free in which shortest alignment it takes."""
    if "hits" not in numbers:
        return dict(numbers)
    hits, sub, dele, ins = (numbers[name] for name in ("hits", "sub", "del", "ins"))
    return {"WER": numbers["WER"], "edits": sub + dele + ins, "words": hits + sub + dele}


def named(values: dict[str, Any]) -> dict[str, Any]:
    """Our values by the names of the programs."""
    rate = next(name for name in values if name.endswith("ER"))
    return {
        **values,
        rate: values[rate] / 100,
        "rate": values[rate] / 100,
        "ter": values[rate] / 100,
        "score": values[rate],
        "num_edits": values.get("edits"),
        "words": values["ref_len"],
        "ref_length": values["ref_len"],
        "avg_ref_len": values["ref_len"],
        "shifted_words": values.get("shifted"),
    }

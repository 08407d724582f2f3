"""BLEU and NIST equal the original programs, to the last digit that these print.

The runs are those of ``../shared/golden``: mteval-v13a (v14 scores identically), multi-bleu and
sacreBLEU. Every number of a run is compared. `NOT_COVERED` names the runs that are left out;
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

    from numpy.typing import NDArray

    from mteval_core.evaluation import Level

    Numbers = Mapping[str, Any]

COPIED = Path(__file__).parent / "golden"
SHARED = COPIED.parents[3].parent / "shared"
GOLDEN = SHARED / "golden"

needs_shared = pytest.mark.skipif(
    not GOLDEN.is_dir(), reason="../shared/golden, the numbers of the original programs, is absent"
)

DECIMALS = {
    "NIST_individual_1to9": 4,
    "NIST_cumulative_1to9": 4,
    "BLEU_individual_1to9": 4,
    "BLEU_cumulative_1to9": 4,
    "multi-bleu BLEU": 2,
    "multi-bleu precisions": 1,
    "multi-bleu BP": 3,
    "multi-bleu ratio": 3,
    "sacrebleu BLEU": 10,
    "sentence score": 10,
    "segments score": 8,
    "segments BLEU": 10,
    "segments NIST": 10,
}
"""Decimals of what is not given with twelve."""

NOT_COVERED = {
    "division by zero": "mteval fails where the reference has no words; test_properties.py says "
    "what we score there",
    "corpus_nist": "nltk clips by one reference at a time, mteval by the largest count in any",
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
    documents : sequence of str or None
        Document id of each segment.
    """

    where: str
    program: str
    hypotheses: Sequence[str]
    references: Sequence[Sequence[str]]
    printed: Mapping[str, Numbers]
    documents: Sequence[str] | None = None

    def __str__(self) -> str:
        return f"{self.where}: {self.program}"


def computes_bleu_or_nist(program: str) -> bool:
    others_of_sacrebleu = re.search("sacrebleu.*(TER|CHRF|chrF)", program)
    return bool(re.search("(?i)mteval|bleu|nist", program)) and not others_of_sacrebleu


def lines_of(path: Path) -> list[str]:
    return path.read_bytes().decode().removesuffix("\n").split("\n")


def all_runs(folder: Path) -> Iterator[Run]:
    """Every run of a program that computes BLEU or NIST."""
    for path in sorted(folder.rglob("*.json")):
        contents = json.loads(path.read_bytes())
        if path.name == "literature.json":
            yield from runs_on_literature(path.stem, contents)
        elif "items" in contents:
            yield from runs_on_items(path.stem, contents)
        else:
            yield from runs_on_corpus(path.stem, contents)


def runs_on_literature(name: str, contents: Sequence[Numbers]) -> Iterator[Run]:
    for item in contents:
        references = [[reference] for reference in item["refs"]]
        for program, printed in filter(lambda run: computes_bleu_or_nist(run[0]), item.items()):
            corpus = printed if isinstance(printed, dict) else {program.split()[-1]: printed}
            where = f"{name} {item['id']}"
            yield Run(where, program, [item["hyp"]], references, {"corpus": corpus})


def runs_on_items(name: str, contents: Numbers) -> Iterator[Run]:
    """Give the runs on each item alone, and on all of them as one corpus."""
    items = {item["id"]: item for item in contents["items"]}
    for item in items.values():
        references = [[reference] for reference in item["refs"]]
        for program, printed in item["scores"].items():
            if computes_bleu_or_nist(program):
                corpus = printed if isinstance(printed, dict) else {"sentence score": printed}
                where = f"{name} {item['id']}"
                yield Run(where, program, [item["hyp"]], references, {"corpus": corpus})
    for program, printed in contents["as_one_corpus"].items():
        if computes_bleu_or_nist(program):
            chosen = [items[name] for name in printed["ids"]]
            hypotheses = [item["hyp"] for item in chosen]
            streams = list(zip(*[item["refs"] for item in chosen], strict=True))
            levels = {level: printed[level] for level in ("corpus", "segments")}
            yield Run(f"{name} as one corpus", program, hypotheses, streams, levels)


def runs_on_corpus(name: str, contents: Numbers) -> Iterator[Run]:
    """Give the runs on a data set, or on the lines that the file itself holds."""
    ours = [
        (program, run)
        for run in contents["runs"]
        if computes_bleu_or_nist(program := f"{run['oracle']} {run['command']}")
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
        used = {"all": streams, "ref0 only": streams[:1]}[run.get("references_used", "all")]
        documents = lines_of(raw / "docs.txt") if "BLEU_docs" in run["corpus"] else None
        levels = {level: run[level] for level in ("corpus", "segments") if level in run}
        yield Run(name, program, hypotheses, used, levels, documents)


def why_not(run: Run) -> str | None:
    """Why a run is not compared; None if it is."""
    seen = f"{run.program} {run.printed['corpus'].get('failed')}"
    return next((reason for what, reason in NOT_COVERED.items() if what in seen), None)


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
    assert covered == {"mteval": 62, "mteval-v14": 199, "multi-bleu": 11, "sacrebleu": 110}
    assert Counter(why_not(run) for run in RUNS if why_not(run)) == {
        NOT_COVERED["division by zero"]: 4,
        NOT_COVERED["corpus_nist"]: 8,
    }


@needs_shared
def test_hand_made_texts_are_true_copies() -> None:
    assert [run for run in HAND_MADE if run not in RUNS] == []


def compare(run: Run) -> None:
    """Compare all numbers of a run with ours."""
    program = run.program.split()[0]
    computed = {"multi-bleu": multi_bleu, "sacrebleu": sacrebleu}.get(program, mteval)(run)
    for level, numbers in run.printed.items():
        for name, printed in numbers.items():
            ours = computed[level][name]
            if isinstance(printed, dict):
                assert ours.keys() == printed.keys()
                ours, printed = [ours[key] for key in printed], list(printed.values())
            if level == "segments":
                ours = ours[: len(printed)]
            keys = (name, f"{program} {name}", f"{level} {name}")
            decimals = next((DECIMALS[key] for key in keys if key in DECIMALS), 12)
            np.testing.assert_allclose(
                ours, printed, rtol=1e-15, atol=0.5 * 10.0**-decimals, err_msg=f"{level} {name}"
            )


def mteval(run: Run) -> dict[str, dict[str, Any]]:
    """Compute what mteval prints, by its names; it counts nine orders, and scores with 4 and 5."""
    international = "--international-tokenization" in run.program
    tok = "mteval-intl" if international else "mteval-v13a"
    case = "lc" if international else "ascii"
    defaults = {
        "tok": f"{tok}-e" if " -e " in run.program else tok,
        "case": "mixed" if " -c " in run.program else case,
    }
    smooth = "none" if "--no-smoothing" in run.program else "mteval"
    bp = "shortest" if "--brevity-penalty shortest" in run.program else "closest"
    bleu, nist = f"bleu:smooth={smooth},bp={bp}", "nist"
    bleu_9, nist_9 = f"{bleu},order=9", "nist:order=9"
    evaluation = mt.evaluate(
        {"": run.hypotheses},
        run.references,
        [bleu, nist, bleu_9, nist_9],
        documents=run.documents,
        defaults=defaults,
    )
    values = {spec: evaluation.score("", spec).values for spec in evaluation.scorers}

    def cumulative(spec: str, totals: NDArray[np.float64]) -> list[float]:
        """Scores of the orders 1 to 9, each from the counts of its n-grams."""
        lengths, matched, ngrams = np.split(totals, [2, 11])
        sums = [np.concatenate([lengths, matched[:n], ngrams[:n]]) for n in range(1, 10)]
        return [mt.metric(spec, order=n).values(row)[0] for n, row in enumerate(sums, start=1)]

    def scores(spec: str, level: Level) -> NDArray[np.float64]:
        return evaluation.scorers[spec].values(evaluation.sums("", spec, level))[:, 0]

    corpus: dict[str, Any] = {
        "BLEU": values[bleu]["BLEU"] / 100,
        "BLEU_individual_1to9": [values[bleu_9][f"P{n}"] / 100 for n in range(1, 10)],
        "BLEU_cumulative_1to9": np.divide(cumulative(bleu, evaluation.totals["", bleu_9]), 100),
        "tst_len": values[bleu]["hyp_len"],
        "ref_len_for_bp": values[bleu]["ref_len"],
        "NIST": values[nist]["NIST"],
        "NIST_individual_1to9": [values[nist_9][f"N{n}"] for n in range(1, 10)],
        "NIST_cumulative_1to9": cumulative(nist, evaluation.totals["", nist_9]),
    }
    if run.documents:
        documents, _ = evaluation.groups("doc")
        corpus["BLEU_docs"] = dict(zip(documents, scores(bleu, "doc") / 100, strict=True))
        corpus["NIST_docs"] = dict(zip(documents, scores(nist, "doc"), strict=True))
    segments = {"BLEU": scores(bleu, "segment") / 100, "NIST": scores(nist, "segment")}
    return {"corpus": corpus, "segments": segments}


def multi_bleu(run: Run) -> dict[str, dict[str, Any]]:
    """Compute what multi-bleu prints: mteval's counts on white space, without smoothing."""
    score = mt.metric("bleu:tok=none,smooth=none").corpus_score(run.hypotheses, run.references)
    values = score.values
    corpus = {
        "BLEU": values["BLEU"],
        "precisions": [values[f"P{n}"] for n in range(1, 5)],
        "BP": values["BP"],
        "ratio": values["hyp_len"] / values["ref_len"],
        "hyp_len": values["hyp_len"],
        "ref_len": values["ref_len"],
    }
    return {"corpus": corpus}


def sacrebleu(run: Run) -> dict[str, dict[str, Any]]:
    """Compute what sacreBLEU returns, by its names; it scores segments with effective order."""
    tok = re.search("tokenize='(.*?)'", run.program)
    smooth = re.search("smooth_method='(.*?)'", run.program)
    lower = "lowercase=True" in run.program or not tok
    spec = f"bleu:tok={tok[1] if tok else '13a'},smooth={smooth[1] if smooth else 'exp'}"
    spec += f",case={'lc' if lower else 'mixed'},eff="
    evaluation = mt.evaluate({"": run.hypotheses}, run.references, [f"{spec}no", f"{spec}yes"])
    values = evaluation.score("", f"{spec}no").values
    counts, totals = np.split(evaluation.totals["", f"{spec}no"][2:], 2)
    if smooth and smooth[1] == "add-k":  # it adds to the counts that it returns
        counts[1:] += 1
        totals[1:] += 1
    corpus = {
        "score": values["BLEU"],
        "BLEU": values["BLEU"],
        "sentence score": evaluation.score("", f"{spec}yes").score,
        "precisions": [values[f"P{n}"] for n in range(1, 5)],
        "bp": values["BP"],
        "sys_len": values["hyp_len"],
        "ref_len": values["ref_len"],
        "counts": counts,
        "totals": totals,
        "counts/totals": [counts, totals],
    }
    rows = evaluation.sums("", f"{spec}yes", "segment")
    return {"corpus": corpus, "segments": {"score": mt.metric(f"{spec}yes").values(rows)[:, 0]}}

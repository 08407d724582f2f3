"""BLEU and NIST equal the original programs, to the last digit that they print.

The runs are those of ``../shared/golden``: mteval-v13a (v14 scores identically), multi-bleu and
sacreBLEU. Every number of a run is compared. `NOT_COVERED` names the runs that are not compared;
`test_every_run_is_accounted_for` checks that no run is forgotten. The runs on hand-made texts are
copied to ``golden/`` next to this file and tested everywhere.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from mteval_testing.originals import Golden, GoldenTests, Run

import mteval_core as mt

if TYPE_CHECKING:
    from numpy.typing import NDArray


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
"""Decimals of the numbers that do not have twelve."""

NOT_COVERED = {
    "division by zero": "mteval fails if the reference has no words; test_properties.py has "
    "the scores of this plugin",
    "corpus_gleu": "GLEU is another metric",
    "corpus_nist": "nltk clips by one reference at a time, mteval by the largest count in any",
}


def computes_bleu_or_nist(program: str) -> bool:
    others_of_sacrebleu = re.search("sacrebleu.*(TER|CHRF|chrF)", program)
    return bool(re.search("(?i)mteval|leu|nist", program)) and not others_of_sacrebleu


GOLDEN = Golden(
    copied=Path(__file__).parent / "golden",
    complete=Path(__file__).parents[3].parent / "shared" / "golden",
    is_wanted=computes_bleu_or_nist,
    counts={
        "mteval": 62,
        "mteval-v14": 199,
        "multi-bleu": 11,
        "sacrebleu": 110,
        NOT_COVERED["division by zero"]: 4,
        NOT_COVERED["corpus_gleu"]: 8,
        NOT_COVERED["corpus_nist"]: 8,
    },
    not_covered=NOT_COVERED,
)


class TestGolden(GoldenTests):
    golden = GOLDEN

    def computed(self, run: Run) -> dict[str, dict[str, Any]]:
        return {"multi-bleu": multi_bleu, "sacrebleu": sacrebleu}.get(self.kind(run), mteval)(run)

    def only(self, run: Run) -> str:
        is_example = run.where.startswith("literature")
        return run.program.split()[-1] if is_example else "sentence score"

    def decimals(self, run: Run, level: str, name: str) -> int:
        keys = (name, f"{self.kind(run)} {name}", f"{level} {name}")
        return next((DECIMALS[key] for key in keys if key in DECIMALS), 12)


def mteval(run: Run) -> dict[str, dict[str, Any]]:
    """Values by the names of mteval, which counts nine orders, and scores with 4 and 5."""
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

    def scores(spec: str, level: Any) -> NDArray[np.float64]:
        return evaluation.scorers[spec].values(evaluation.scores.sums("", spec, level))[:, 0]

    corpus: dict[str, Any] = {
        "BLEU": values[bleu]["BLEU"] / 100,
        "BLEU_individual_1to9": [values[bleu_9][f"P{n}"] / 100 for n in range(1, 10)],
        "BLEU_cumulative_1to9": np.divide(
            cumulative(bleu, evaluation.scores.totals["", bleu_9]), 100
        ),
        "tst_len": values[bleu]["hyp_len"],
        "ref_len_for_bp": values[bleu]["ref_len"],
        "NIST": values[nist]["NIST"],
        "NIST_individual_1to9": [values[nist_9][f"N{n}"] for n in range(1, 10)],
        "NIST_cumulative_1to9": cumulative(nist, evaluation.scores.totals["", nist_9]),
    }
    if run.documents:
        documents, _ = evaluation.scores.groups("doc")
        corpus["BLEU_docs"] = dict(zip(documents, scores(bleu, "doc") / 100, strict=True))
        corpus["NIST_docs"] = dict(zip(documents, scores(nist, "doc"), strict=True))
    segments = {"BLEU": scores(bleu, "segment") / 100, "NIST": scores(nist, "segment")}
    return {"corpus": corpus, "segments": segments}


def multi_bleu(run: Run) -> dict[str, dict[str, Any]]:
    """Values by the names of multi-bleu: mteval's counts on white space, without smoothing."""
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
    """Values by the names of sacreBLEU, which scores segments with effective order."""
    tok = re.search("tokenize='(.*?)'", run.program)
    smooth = re.search("smooth_method='(.*?)'", run.program)
    lower = "lowercase=True" in run.program or not tok
    spec = f"bleu:tok={tok[1] if tok else '13a'},smooth={smooth[1] if smooth else 'exp'}"
    spec += f",case={'lc' if lower else 'mixed'},eff="
    evaluation = mt.evaluate({"": run.hypotheses}, run.references, [f"{spec}no", f"{spec}yes"])
    values = evaluation.score("", f"{spec}no").values
    counts, totals = np.split(evaluation.scores.totals["", f"{spec}no"][2:], 2)
    if smooth and smooth[1] == "add-k":  # sacreBLEU adds k to the counts that it returns
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
    rows = evaluation.scores.sums("", f"{spec}yes", "segment")
    return {"corpus": corpus, "segments": {"score": mt.metric(f"{spec}yes").values(rows)[:, 0]}}

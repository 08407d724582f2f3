"""Variant 1.5 equals the program METEOR 1.5, to the last digit that it prints.

The runs are those of ``../shared/golden``. Every number of a run is compared, except for the runs
that `NOT_COVERED` names; the counts of `GOLDEN` make sure that none is forgotten. The runs on
hand-made texts are copied to ``golden/`` next to this file and tested wherever the program, whose
word lists they need, is installed.
"""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from mteval_meteor_fmean import program
from mteval_meteor_fmean.stemming import stem
from mteval_testing.originals import Golden, GoldenTests, Run, by_name

import mteval_core as mt

if TYPE_CHECKING:
    from numpy.typing import NDArray

NOT_COVERED = {
    "nltk": "links greedily and does not minimize chunks; where it differs, METEOR 1.5 is right",
}

ON_ITEMS = {
    "meteor-1.5 exact, 2005": "-m exact -w 1.0 -p '0.9 3.0 0.5 0.5'",
    "meteor-1.5 exact+stem, 2005": "-m 'exact stem' -w '1.0 1.0' -p '0.9 3.0 0.5 0.5'",
    "meteor-1.5 exact+stem+synonym, 2005": "-m 'exact stem synonym' -w '1 1 1' "
    "-p '0.9 3.0 0.5 0.5'",
    "meteor-1.5 -norm exact+stem+synonym, default": "-norm -m 'exact stem synonym'",
}
"""Options of the runs on single items, by the beginning of their names."""


is_meteor = re.compile(r"meteor|nltk.*meteor").match
GOLDEN = Golden(
    copied=Path(__file__).parent / "golden",
    complete=Path(__file__).parents[3].parent / "shared" / "golden",
    is_wanted=is_meteor,
    counts={"METEOR 1.5": 316, NOT_COVERED["nltk"]: 11},
    not_covered=NOT_COVERED,
)


def spec_of(command: str) -> str:
    """Spec that corresponds to METEOR with its options."""
    if ".jar" not in command:
        command = next(o for name, o in ON_ITEMS.items() if command.startswith(name))
    words = shlex.split(command)
    given = {word: words[i + 1] for i, word in enumerate(words[:-1]) if word.startswith("-")}
    lang = given.get("-l", "en")
    options = {
        "variant": "1.5",
        "tok": ("meteor-norm" + f"-{lang}" * (lang != "en")) if "-norm" in words else "meteor",
        "lang": lang,
        "modules": given.get("-m", "exact stem synonym paraphrase").replace(" ", "+"),
        "align": f"beam[{given.get('-x', 40)}]",
    }
    if "-w" in given:
        options["weights"] = given["-w"].replace(" ", "+")
    if "-p" in given:
        names = ("alpha", "beta", "gamma", "delta")
        options.update(zip(names, given["-p"].split(), strict=True))
    return "meteor:" + ",".join(f"{key}={value}" for key, value in options.items())


def needs_the_program(run: Run) -> bool:
    """Whether a run needs word lists, parameters or synonyms of the program."""
    return bool(re.search(r"norm |synonym|default", run.program)) or "-p" not in (
        ON_ITEMS.get(run.program.split(" parameters")[0], run.program)
    )


def is_installed() -> bool:
    try:
        program.require("A test")
    except mt.PluginError:
        return False
    return True


class TestGolden(GoldenTests):
    golden = GOLDEN

    def kind(self, run: Run) -> str:
        return "METEOR 1.5"

    def computed(self, run: Run) -> dict[str, dict[str, Any]]:
        if needs_the_program(run) and not is_installed():
            pytest.skip("the program METEOR 1.5, whose word lists this run needs, is not installed")
        spec = spec_of(run.program)
        evaluation = mt.evaluate({"": run.hypotheses}, run.references, [spec])
        corpus, segments = (named(by_name(evaluation, spec, of)) for of in ("corpus", "segment"))
        matches = evaluation.scores.totals["", spec][3:].tolist()
        modules = evaluation.scorers[spec].setup.options["modules"]
        corpus["stage_matches"] = {str(k): matches[k - 1] for k in range(1, len(modules) + 1)}
        # A segment that matches entirely, in one chunk, adds 0 chunks; the program prints 1.
        chunks = segments["chunks"]
        segments["chunks"] = chunks + ((segments["test_matches"] > 0) & (chunks == 0))
        return {"corpus": corpus, "segments": segments}

    def printed(self, run: Run) -> dict[str, dict[str, Any]]:
        corpus, segments = run.printed["corpus"], run.printed.get("segments", {})
        if " " in run.where:  # the numbers of an item are those of its only segment
            corpus, segments = {}, corpus
        others = ("eval_id", "stage_matches")
        numbers = {name: defined(n) for name, n in corpus.items() if name not in others}
        if "stage_matches" in corpus:
            stages = corpus["stage_matches"].items()
            numbers["stage_matches"] = {k: n[2] for k, n in stages if k.isdigit()}
        return {
            "corpus": numbers,
            "segments": {name: defined(n) for name, n in segments.items()},
        }

    def decimals(self, run: Run, level: str, name: str) -> int:
        return 12 if level == "corpus" else 10


def defined(printed: object) -> NDArray[np.float64]:
    """Printed numbers, with 0 for divisions by zero words or matches."""
    return np.nan_to_num(np.asarray(printed, np.float64))


@GOLDEN.needs_all_runs
def test_stems_are_those_of_the_program() -> None:
    table = (GOLDEN.complete / "stems" / "stems.tsv").read_text("utf-8").splitlines()
    head, *rows = (line.split("\t") for line in table)
    column = head.index("meteor_1.5_english")
    assert stem("en", [row[0] for row in rows]) == [row[column] for row in rows]


def named(values: dict[str, NDArray[np.float64]]) -> dict[str, Any]:
    """Values by the names of METEOR."""
    P, R = values["P"], values["R"]
    with np.errstate(invalid="ignore"):
        f1 = 2 * P * R / (P + R)
    return {
        "score": values["METEOR"],
        "P": P,
        "R": R,
        "f1": f1,
        "fmean": values["Fmean"],
        "frag_penalty": values["penalty"],
        "chunks": values["chunks"],
        "test_matches": values["matches"],
        "test_words": values["hyp_len"],
        "test_len": values["hyp_len"],
        "ref_words": values["ref_len"],
        "ref_len": values["ref_len"],
    }

"""Variant 1.5 equals the program METEOR 1.5, to the last digit that it prints.

The runs are those of ``../shared/golden``. Every number of a run is compared, but for the runs that
`NOT_COVERED` names; `test_every_run_is_accounted_for` sees to it that none is forgotten. The runs
on hand-made texts are copied to ``golden/`` beside this file and tested everywhere, as far as the
program, whose word lists they need, is installed.
"""

from __future__ import annotations

import json
import re
import shlex
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from mteval_meteor_fmean import program
from mteval_meteor_fmean.stemming import stem

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
    "nltk": "links greedily and does not minimise chunks; where it differs, METEOR 1.5 is right",
}

ON_ITEMS = {
    "meteor-1.5 exact, 2005": "-m exact -w 1.0 -p '0.9 3.0 0.5 0.5'",
    "meteor-1.5 exact+stem, 2005": "-m 'exact stem' -w '1.0 1.0' -p '0.9 3.0 0.5 0.5'",
    "meteor-1.5 exact+stem+synonym, 2005": "-m 'exact stem synonym' -w '1 1 1' "
    "-p '0.9 3.0 0.5 0.5'",
    "meteor-1.5 -norm exact+stem+synonym, default": "-norm -m 'exact stem synonym'",
}
"""Options of the runs on single items, by the beginning of their names."""


@dataclass(frozen=True)
class Run:
    """Texts, METEOR's options, and what it printed.

    Parameters
    ----------
    where : str
        File, and place in it.
    command : str
        The command, or the name under which the numbers stand.
    hypotheses : sequence of str
    references : sequence of sequence of str
        One sequence per reference stream.
    printed : mapping
        The numbers by level (``corpus``, ``segments``) and name.
    """

    where: str
    command: str
    hypotheses: Sequence[str]
    references: Sequence[Sequence[str]]
    printed: Mapping[str, Numbers]

    def __str__(self) -> str:
        return f"{self.where}: {self.command}"


def is_meteor(name: str) -> bool:
    return bool(re.match(r"meteor-1\.5|nltk.*meteor", name))


def lines_of(path: Path) -> list[str]:
    return path.read_bytes().decode().removesuffix("\n").split("\n")


def all_runs(folder: Path) -> Iterator[Run]:
    """Every run of a program that computes METEOR."""
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
        for command, printed in filter(lambda run: is_meteor(run[0]), item.items()):
            segments = {key: [value] for key, value in printed.items()}
            references = [[reference] for reference in item["refs"]]
            yield Run(
                f"{name} {item['id']}", command, [item["hyp"]], references, {"segments": segments}
            )


def runs_on_corpus(name: str, contents: Numbers) -> Iterator[Run]:
    """Give the runs on a data set, or on the lines that the file itself holds."""
    runs = [run for run in contents["runs"] if is_meteor(run["command"])]
    if not runs:
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
        hypotheses = contents["hyp"]
        references = contents["refs"]
    for run in runs:
        levels = {level: run[level] for level in ("corpus", "segments") if level in run}
        yield Run(name, run["command"], hypotheses, references, levels)


def why_not(run: Run) -> str | None:
    """Why a run is not compared; None if it is."""
    if run.command.startswith("nltk"):
        return NOT_COVERED["nltk"]
    return None


def spec_of(command: str) -> str:
    """Our metric for METEOR with its options."""
    if not command.startswith("meteor-1.5.jar"):
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
    """Tell whether a run needs word lists, parameters or synonyms of the program."""
    return bool(re.search(r"norm |synonym|default", run.command)) or "-p" not in (
        ON_ITEMS.get(run.command.split(" parameters")[0], run.command)
    )


def is_installed() -> bool:
    try:
        program.require("A test")
    except mt.PluginError:
        return False
    return True


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
    assert Counter(map(why_not, RUNS)) == {
        None: 316,
        NOT_COVERED["nltk"]: 11,
    }


@needs_shared
def test_hand_made_texts_are_true_copies() -> None:
    assert [run for run in HAND_MADE if run not in RUNS] == []


@needs_shared
def test_stems_are_those_of_the_program() -> None:
    lines = [line.split("\t") for line in lines_of(GOLDEN / "stems" / "stems.tsv")]
    column = lines[0].index("meteor_1.5_english")
    words = [line[0] for line in lines[1:]]
    assert stem("en", words) == [line[column] for line in lines[1:]]


def compare(run: Run) -> None:
    """Compare all numbers of a run with ours."""
    if needs_the_program(run) and not is_installed():
        pytest.skip("the program METEOR 1.5, whose word lists this run needs, is not installed")
    spec = spec_of(run.command)
    evaluation = mt.evaluate({"": run.hypotheses}, run.references, [spec])
    scorer = evaluation.scorers[spec]
    for level, numbers in run.printed.items():
        sums = evaluation.sums("", spec, "segment" if level == "segments" else "corpus")
        ours = named(dict(zip(scorer.scales, scorer.values(sums).T, strict=True)), level)
        for name, printed in numbers.items():
            if name in ("eval_id", "stage_matches"):
                continue
            expected = np.array(printed, float).reshape(-1)
            undefined = np.isnan(expected)  # divided by no words, or by no matches: 0 here
            np.testing.assert_allclose(
                ours[name][: len(expected)],
                np.where(undefined, 0.0, expected),
                rtol=1e-15,
                atol=0.5001 * 10.0 ** -(10 if level == "segments" else 12),
                err_msg=f"{level} {name}",
            )
        if "stage_matches" in numbers:
            stages = numbers["stage_matches"]
            matches = [stages[str(k + 1)][2] for k in range(len(scorer.options["modules"]))]
            assert sums[0, 3 : 3 + len(matches)].tolist() == matches


def named(values: dict[str, Any], level: str) -> dict[str, Any]:
    """Our values by the names that METEOR gives them."""
    values = {name: np.atleast_1d(value) for name, value in values.items()}
    P, R = values["P"] / 100, values["R"] / 100
    m, hypothesis_length, reference_length = (values[k] for k in ("matches", "hyp_len", "ref_len"))
    # A segment that matches entirely, in one chunk, has no chunk in sums; alone it has one.
    whole = (level == "segments") & (m > 0) & (values["chunks"] == 0)
    return {
        "score": values["METEOR"] / 100,
        "P": P,
        "R": R,
        "f1": 2 * P * R / (P + R) if level == "corpus" else None,
        "fmean": values["Fmean"] / 100,
        "frag_penalty": values["penalty"],
        "chunks": values["chunks"] + whole,
        "test_matches": m,
        "test_words": hypothesis_length,
        "test_len": hypothesis_length,
        "ref_words": reference_length,
        "ref_len": reference_length,
    }

"""ROUGE equals ROUGE-1.5.5, to the last digit that it prints.

The runs are those of ``../shared/golden``. Compared are all segments, the printed averages with
their intervals, the raw counts, and the leave-one-out scores derived from runs of the program. Of
the package rouge-score the runs without stemming are compared too: it computes ``variant=paper`` on
the program's tokens. `NOT_COVERED` names what is left out. The runs on hand-made texts are copied
to ``golden/`` beside this file and tested everywhere.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from mteval_rouge import averages, stemmer, word_lists

import mteval_core as mt

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    Numbers = Mapping[str, Any]
    Floats = NDArray[np.float64]

COPIED = Path(__file__).parent / "golden"
SHARED = COPIED.parents[3].parent / "shared"
GOLDEN = SHARED / "golden"

needs_shared = pytest.mark.skipif(
    not GOLDEN.is_dir(), reason="../shared/golden, the numbers of the original programs, is absent"
)

NOT_COVERED = {
    "py-rouge": "averages over references, and weighs ROUGE-L like ROUGE-W: no form of the metric",
    "use_stemmer=True": "rouge-score stems by nltk's version of Porter, without exceptions",
}
"""Runs that are left out, by a part of their command."""


def installed(what: Any) -> bool:
    try:
        what()
    except mt.PluginError:
        return False
    return True


NEEDS = {
    "-m": ("WordNet's lists of irregular forms are not installed", word_lists.exceptions),
    "-s": ("the stop words of ROUGE-1.5.5 are not installed", word_lists.stop_words),
}
"""What options of the program need to be installed."""


@dataclass(frozen=True)
class Run:
    """Texts, the program with its options, and what it printed.

    Parameters
    ----------
    where : str
        File, and place in it.
    program : str
        The program and its command, or the key under which the numbers stand.
    hypotheses : sequence of str
        Sentences of a segment are separated by tabs.
    references : sequence of sequence of str
        One sequence per reference stream.
    corpus : mapping
        The averages by metric.
    segments : mapping
        The first segments' numbers by metric: lists of R, P and F; None where there is none.
    """

    where: str
    program: str
    hypotheses: Sequence[str]
    references: Sequence[Sequence[str]]
    corpus: Numbers
    segments: Numbers

    def __str__(self) -> str:
        return f"{self.where}: {self.program}"

    @property
    def counts(self) -> bool:
        """Whether raw counts were printed: R is the reference total, P the candidate's, F hits."""
        return "-t 2" in self.program or "raw counts" in self.program

    @property
    def tolerance(self) -> float:
        """Half of the last decimal of the segments, with room for binary numbers."""
        derived = self.counts or "derived" in self.program
        return 6e-7 if derived else 6e-9 if self.program.startswith("rouge-score") else 1e-12

    @property
    def options(self) -> dict[str, str]:
        """Options of the program, with their values."""
        found = re.findall(r" (-[a-zA-Z0-9])(?: (-?[0-9.]+|[AB]))?(?= |;|$)", self.program)
        return dict(found)

    def metrics(self) -> list[str]:
        """Metrics of which there are numbers, as the program calls them."""
        return list(dict.fromkeys([*self.corpus, *self.segments]))

    def spec(self, metric: str) -> str:
        """What computes a metric of the run."""
        if self.program.startswith("rouge-score"):
            name = metric.replace("rouge", "rouge-").lower()
            name = f"rouge-n:n={name[-1]}" if name[-1].isdigit() else f"{name}:"
            return f"{name},tok=rouge,case=lc,multi=best".replace(":,", ":")
        kind, _, rest = metric.removeprefix("ROUGE-").partition("-")
        name, _, number = re.fullmatch(r"(SU|[LWSN])?(-)?(.*)", kind).groups()  # type: ignore[union-attr]
        spec = {
            "L": "rouge-l:variant=1.5.5",
            "W": f"rouge-w:variant=1.5.5,weight={rest}",
            "S": f"rouge-s:variant=1.5.5,skip={number}",
            "SU": f"rouge-su:variant=1.5.5,skip={number}",
            None: f"rouge-n:variant=1.5.5,n={number}",
        }[name]
        options = self.options
        if any("\t" in text for text in self.hypotheses):
            spec += ",sent=tab"
        if "-m" in options:
            spec += ",stem=rouge"
        if "-s" in options:
            spec += ",stop=yes"
        if options.get("-l"):
            spec += f",limit=words[{options['-l']}]"
        if options.get("-b"):
            spec += f",limit=bytes[{options['-b']}]"
        if options.get("-f") == "B":
            spec += ",multi=best"
        if options.get("-p"):
            spec += f",alpha={options['-p']}"
        if "leave-one-out" in self.program:
            spec += ",loo=yes"
        return spec + (",mean=totals" if self.counts else "")


def is_rouge(program: str) -> bool:
    return "rouge" in program.lower()


def lines_of(path: Path) -> list[str]:
    return path.read_bytes().decode().removesuffix("\n").split("\n")


def all_runs(folder: Path) -> Iterator[Run]:
    """Every run of a program that computes ROUGE."""
    for path in sorted(folder.rglob("*.json")):
        contents = json.loads(path.read_bytes())
        if path.name == "literature.json":
            yield from runs_on_literature(contents)
        elif "items" in contents:
            yield from runs_on_items(path.stem, contents["items"])
        else:
            yield from runs_on_corpus(path.stem, contents)


def runs_on_literature(contents: Sequence[Numbers]) -> Iterator[Run]:
    for item in contents:
        for program in filter(is_rouge, item):
            printed = item[program]
            texts = item["hyp"], *item["refs"]
            texts = tuple(text if isinstance(text, str) else "\t".join(text) for text in texts)
            hypothesis, *references = texts[::-1] if "swapped" in program else texts
            where, command = f"literature {item['id']}", f"rouge {printed['command']}"
            streams = [[reference] for reference in references]
            scores = {
                metric: dict(zip("RPF", [[value] for value in values], strict=True))
                for metric, values in printed["R_P_F"].items()
            }
            yield Run(where, command, [hypothesis], streams, {}, scores)
            totals = printed.get("reference_total_candidate_total_hits", {})
            counts = {
                metric: dict(zip("RPF", [[value] for value in values], strict=True))
                for metric, values in totals.items()
            }
            yield Run(where, f"{command} raw counts", [hypothesis], streams, {}, counts)


def runs_on_items(name: str, items: Sequence[Numbers]) -> Iterator[Run]:
    """Put together the runs on each item alone: what a segment scores depends on no other."""
    programs = dict.fromkeys(p for item in items for p in item["scores"] if is_rouge(p))
    for program in programs:
        printed = [
            {
                metric: triple
                for metric, triple in item["scores"][program].items()
                if is_triple(triple)
            }
            for item in items
        ]
        segments = {
            metric: {
                letter: [scores[metric][i] if metric in scores else None for scores in printed]
                for i, letter in enumerate("RPF")
            }
            for metric in dict.fromkeys(m for scores in printed for m in scores)
        }
        streams = list(zip(*[item["refs"] for item in items], strict=True))
        yield Run(name, program, [item["hyp"] for item in items], streams, {}, segments)


def is_triple(printed: Any) -> bool:
    """Whether there are scores: ROUGE-W stops with a division by zero if a reference is empty."""
    assert isinstance(printed, list) or "division by zero" in str(printed)
    return isinstance(printed, list)


def runs_on_corpus(name: str, contents: Numbers) -> Iterator[Run]:
    """Give the runs on a data set, or on the lines that the file itself holds."""
    for run in contents["runs"]:
        if not is_rouge(run["oracle"]):
            continue
        hypotheses, references = texts_of(name, contents)
        n = re.search(r"first (\d+) lines", run.get("lines", ""))
        stop = int(n[1]) if n else len(hypotheses)
        hypotheses, references = hypotheses[:stop], [stream[:stop] for stream in references]
        references = references[: run.get("references_used", len(references))]
        if "5 consecutive lines" in run.get("note", ""):
            hypotheses, references = by_fives(hypotheses), [by_fives(r) for r in references]
        program = f"{run['oracle']} {run['command'].replace('rouge-score 0', '0')}"
        yield Run(name, program, hypotheses, references, run["corpus"], run.get("segments", {}))


def by_fives(lines: Sequence[str]) -> list[str]:
    return ["\t".join(lines[i : i + 5]) for i in range(0, len(lines) - 4, 5)]


def texts_of(name: str, contents: Numbers) -> tuple[list[str], list[list[str]]]:
    if "hyp" in contents:
        return contents["hyp"], contents["refs"]
    numbers = range(contents["references"])
    data, system = contents["dataset"], contents["system"]
    if name.endswith(".raw"):
        folder = SHARED / "data" / data
        return (
            lines_of(folder / "systems" / f"{system}.txt"),
            [lines_of(folder / f"ref{k}.txt") for k in numbers],
        )
    ending = ".tsv" if name.endswith(".sentences") else ".txt"
    folder = GOLDEN / "inputs" / (f"{data}-sentences" if ending == ".tsv" else data)
    return (
        lines_of(folder / f"{system}{ending}"),
        [lines_of(folder / f"ref{k}{ending}") for k in numbers],
    )


def reason_left_out(run: Run) -> str | None:
    return next((why for part, why in NOT_COVERED.items() if part in run.program), None)


@cache
def weights(n: int, count: int) -> Floats:
    return np.concatenate(list(averages.resamples(n, count, 0)))


def rows_of(run: Run) -> dict[str, tuple[mt.Scorer, Floats]]:
    """Scorer and rows of every metric of a run."""
    specs = {metric: run.spec(metric) for metric in run.metrics()}
    evaluation = mt.evaluate({"X": run.hypotheses}, run.references, dict.fromkeys(specs.values()))
    return {
        metric: (evaluation.scorers[spec], evaluation.rows["X", spec])
        for metric, spec in specs.items()
    }


def columns(scorer: mt.Scorer, sums: Floats, *, counts: bool) -> dict[str, Floats]:
    """Numbers as the program prints them."""
    scales = np.array(list(scorer.scales.values()))
    values = dict(zip(scorer.scales, (scorer.values(sums) / scales).T, strict=True))
    names = ("ref_total", "hyp_total", "hits") if counts else ("R", "P", "F")
    return {letter: values[name] for letter, name in zip("RPF", names, strict=True)}


def check(run: Run) -> None:
    """Compare every number of a run."""
    for metric, (scorer, rows) in rows_of(run).items():
        found = columns(scorer, rows, counts=run.counts)
        for letter, printed in run.segments.get(metric, {}).items():
            known = [(i, value) for i, value in enumerate(printed) if value is not None]
            ours = found[letter][[i for i, _ in known]]
            theirs = [value for _, value in known]
            np.testing.assert_allclose(
                ours, theirs, rtol=0, atol=run.tolerance, err_msg=f"{metric} {letter}"
            )
        if metric in run.corpus:
            check_corpus(run, run.corpus[metric], scorer, rows, metric)


def check_corpus(run: Run, printed: Numbers, scorer: mt.Scorer, rows: Floats, metric: str) -> None:
    if run.counts:
        ours = columns(scorer, rows.sum(axis=0), counts=True)
        totals = {"M_count": ours["R"], "P_count": ours["P"], "H_count": ours["F"]}
        assert {key: int(value) for key, value in totals.items()} == printed, metric
        return
    if isinstance(printed["F"], float):  # the mean of the segments
        ours = columns(scorer, rows.sum(axis=0), counts=False)
        for letter, value in printed.items():
            assert ours[letter] == pytest.approx(value, abs=1e-11), (metric, letter)
        return
    samples = weights(len(rows), int(run.options["-r"])) @ rows
    for letter, means in columns(scorer, samples, counts=False).items():
        ours = averages.interval(means, float(run.options["-c"]))
        np.testing.assert_allclose(
            ours, printed[letter], rtol=0, atol=0.5e-5 + 1e-9, err_msg=f"{metric} {letter}"
        )


def check_what_is_installed(run: Run) -> None:
    for option, (why, what) in NEEDS.items():
        if f" {option} " in f"{run.program} " and not installed(what):
            pytest.skip(why)
    check(run)


@pytest.mark.parametrize("run", list(all_runs(COPIED)), ids=str)
def test_copied_runs(run: Run) -> None:
    check_what_is_installed(run)


def test_printed_averages_as_intervals_of_the_host() -> None:
    """The mean of the resamples is the printed average, the percentiles its interval."""
    run = next(run for run in all_runs(COPIED) if "-r 1000" in run.program)
    for metric, printed in run.corpus.items():
        spec = run.spec(metric)
        evaluation = mt.evaluate({"X": run.hypotheses}, run.references, [spec])
        (record,) = evaluation.confidence(1000, 95, seed=1, resampler="rouge").to_records()
        interval = [record["ci"][name] / 100 for name in ("mean", "low", "high")]
        np.testing.assert_allclose(interval, printed["F"], rtol=0, atol=0.5e-5 + 1e-9)


SHARED_RUNS = [run for run in all_runs(GOLDEN) if not reason_left_out(run)]


@needs_shared
@pytest.mark.parametrize("run", SHARED_RUNS, ids=str)
def test_shared_runs(run: Run) -> None:
    check_what_is_installed(run)


@needs_shared
def test_every_run_is_accounted_for() -> None:
    """Every place in the files that speaks of ROUGE is a run above, or left out for a reason."""
    spoken_of: Counter[str] = Counter()
    for path in sorted(GOLDEN.rglob("*.json")):
        contents = json.loads(path.read_bytes())
        if isinstance(contents, list):
            for item in contents:
                # Scores and raw counts of an item are one run each.
                spoken_of[f"literature {item['id']}"] = 2 * sum(map(is_rouge, item))
        elif "items" in contents:
            programs = {p for item in contents["items"] for p in item["scores"] if is_rouge(p)}
            spoken_of[path.stem] = len(programs)
            assert not any(map(is_rouge, contents["as_one_corpus"]))
        else:
            spoken_of[path.stem] = sum(is_rouge(json.dumps(run)) for run in contents["runs"])
    runs = list(all_runs(GOLDEN))
    assert Counter(run.where for run in runs) == +spoken_of
    left_out = [run for run in runs if reason_left_out(run)]
    assert len(left_out) + len(SHARED_RUNS) == len(runs)
    assert all(any(part in run.program for run in left_out) for part in NOT_COVERED)
    options = {option for run in SHARED_RUNS for option in run.options}
    known = {"-e", "-z", "-n", "-w", "-2", "-U", "-c", "-r", "-d", "-x", "-t"}
    assert options - known == {"-m", "-s", "-f", "-p", "-l", "-b"}


def stem_rows(path: Path) -> list[list[str]]:
    """Word, stem, and stem by the rules alone."""
    _, *lines = lines_of(path)
    return [line.split("\t")[:3] for line in lines]


STEMS = [
    pytest.param(COPIED / "stems.tsv", id="copied"),
    pytest.param(GOLDEN / "stems" / "stems.tsv", id="shared", marks=needs_shared),
]


@pytest.mark.parametrize("path", STEMS)
def test_stems_by_rules_alone(path: Path) -> None:
    wrong = {
        word: found
        for word, _, rules in stem_rows(path)
        if (found := stemmer.porter(word) if len(word) > 2 else word) != rules
    }
    assert wrong == {}


@pytest.mark.parametrize("path", STEMS)
def test_stems(path: Path) -> None:
    if not installed(word_lists.exceptions):
        pytest.skip(NEEDS["-m"][0])
    words, expected, _ = zip(*stem_rows(path), strict=True)
    found = stemmer.stems(list(words))
    assert {w: f for w, f, e in zip(words, found, expected, strict=True) if f != e} == {}

"""ROUGE equals ROUGE-1.5.5, to the last digit that it prints.

The runs are those of ``../shared/golden``. The tests compare all segments, the printed averages
with their intervals, the raw counts, and the leave-one-out scores derived from runs of the program.
They also compare the runs of the package rouge-score without stemming, which computes
``variant=paper`` on the program's tokens. `NOT_COVERED` names the runs that are not compared. The
runs on hand-made texts are copied to ``golden/`` next to this file and tested everywhere.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from mteval_rouge import averages, stemmer, word_lists
from mteval_testing.originals import Golden, GoldenTests, Run, assert_printed

import mteval_core as mt

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

# Its texts in other scripts show what the program drops.
pytestmark = pytest.mark.filterwarnings("ignore::mteval_core.MtevalWarning")

NOT_COVERED = {
    "py-rouge": "weights ROUGE-L like ROUGE-W: not a form of ROUGE",
    "use_stemmer=True": "rouge-score stems by nltk's version of Porter, without exceptions",
    "division by zero": "ROUGE-W fails if a reference is empty, and all other metrics with it",
}
"""Reasons not to compare runs, by a part of their command or of their output."""


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
"""What must be installed for options of the program."""

is_rouge = re.compile("(?i).*rouge").match
GOLDEN = Golden(
    copied=Path(__file__).parent / "golden",
    complete=Path(__file__).parents[3].parent / "shared" / "golden",
    is_wanted=is_rouge,
    counts={
        "ROUGE": 360,
        NOT_COVERED["py-rouge"]: 6,
        NOT_COVERED["use_stemmer=True"]: 3,
        NOT_COVERED["division by zero"]: 8,
    },
)


@dataclass(frozen=True)
class Case:
    """A run in the same form for all files.

    Parameters
    ----------
    command : str
        The program and its options.
    hypotheses : sequence of str
        Sentences of a segment are separated by tabs.
    references : sequence of sequence of str
        One sequence per reference stream.
    segments, corpus : mapping
        R, P and F of the first segments, and the averages, by metric.
    """

    command: str
    hypotheses: Sequence[str]
    references: Sequence[Sequence[str]]
    segments: Mapping[str, Mapping[str, Sequence[float]]]
    corpus: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    @property
    def counts(self) -> bool:
        """Whether raw counts were printed: R is the reference total, P the candidate's, F hits."""
        return "-t 2" in self.command or "raw counts" in self.command

    @property
    def decimals(self) -> int:
        """Decimals of the segments: 5 were printed, but the last bit of ours may differ."""
        derived = self.counts or "derived" in self.command
        return 6 if derived else 8 if self.command.startswith("rouge-score") else 12

    @property
    def options(self) -> dict[str, str]:
        """Options of the program, with their values."""
        found = re.findall(r" (-[a-zA-Z0-9])(?: (-?[0-9.]+|[AB]))?(?= |;|$)", self.command)
        return dict(found)

    def spec(self, metric: str) -> str:
        """Spec that corresponds to a metric of the run."""
        if self.command.startswith("rouge-score"):
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
        if "leave-one-out" in self.command:
            spec += ",loo=yes"
        return spec + (",mean=totals" if self.counts else "")


def cases(run: Run) -> Iterator[Case]:
    """Cases of a run: its scores and, if they were printed, its counts."""
    printed = run.printed["corpus"]
    if "R_P_F" in printed:
        texts = [text_of(side) for side in (run.hypotheses, *run.references)]
        hypothesis, *references = texts[::-1] if "swapped" in run.program else texts
        command = f"rouge {printed['command']}"
        yield Case(command, hypothesis, references, by_letter(printed["R_P_F"]))
        counts = printed.get("reference_total_candidate_total_hits", {})
        yield Case(f"{command} raw counts", hypothesis, references, by_letter(counts))
    elif " " in run.where:
        yield Case(run.program, run.hypotheses, run.references, by_letter(printed))
    else:
        sides = [run.hypotheses, *run.references]
        if "5 consecutive lines" in run.printed.get("note", ""):
            sides = [by_fives(side) for side in sides]
        command = run.program.replace("rouge-score 0", "0")
        segments = run.printed.get("segments", {})
        yield Case(command, sides[0], sides[1:], segments=segments, corpus=printed)


def text_of(items: Sequence[Any]) -> list[str]:
    """Join sentences by tabs."""
    return [item if isinstance(item, str) else "\t".join(item) for item in items]


def by_fives(lines: Sequence[str]) -> list[str]:
    return ["\t".join(lines[i : i + 5]) for i in range(0, len(lines) - 4, 5)]


def by_letter(printed: Mapping[str, Any]) -> dict[str, dict[str, list[float]]]:
    """Numbers of one segment, except where ROUGE-W failed on an empty reference."""
    assert all(isinstance(v, list) or "division by zero" in str(v) for v in printed.values())
    return {
        metric: {letter: [value] for letter, value in zip("RPF", values, strict=True)}
        for metric, values in printed.items()
        if isinstance(values, list)
    }


@cache
def weights(n: int, count: int) -> Floats:
    return np.concatenate(list(averages.resamples(n, count, 0)))


def columns(scorer: mt.Scorer, sums: Floats, *, counts: bool) -> dict[str, Floats]:
    """Numbers as the program prints them."""
    scales = np.array(list(scorer.scales.values()))
    values = dict(zip(scorer.scales, (scorer.values(sums) / scales).T, strict=True))
    names = ("ref_total", "hyp_total", "hits") if counts else ("R", "P", "F")
    return {letter: values[name] for letter, name in zip("RPF", names, strict=True)}


class TestGolden(GoldenTests):
    golden = GOLDEN

    def kind(self, run: Run) -> str:
        return "ROUGE"

    def why_not(self, run: Run) -> str:
        seen = f"{run.program} {run.printed['corpus'].get('failed')}"
        return next((why for part, why in NOT_COVERED.items() if part in seen), "")

    def test_equals_the_program(self, run: Run) -> None:
        skipped = ""
        for case in cases(run):
            if why := lacks(case):
                skipped = why
            else:
                check_case(case)
        if skipped:
            pytest.skip(skipped)


def lacks(case: Case) -> str:
    """Return what a command needs that is not installed; empty if nothing."""
    needed = (need for option, need in NEEDS.items() if f" {option} " in f"{case.command} ")
    return next((why for why, what in needed if not installed(what)), "")


def check_case(case: Case) -> None:
    specs = {metric: case.spec(metric) for metric in (*case.corpus, *case.segments)}
    evaluation = mt.evaluate(
        {"": case.hypotheses}, case.references, [*dict.fromkeys(specs.values())]
    )
    for metric, spec in specs.items():
        scorer, rows = evaluation.scorers[spec], evaluation.scores.rows["", spec]
        found = columns(scorer, rows, counts=case.counts)
        for letter, printed in case.segments.get(metric, {}).items():
            assert_printed(found[letter], printed, case.decimals, f"{metric} {letter}")
        if metric in case.corpus:
            check_corpus(case, metric, scorer, rows)


def check_corpus(case: Case, metric: str, scorer: mt.Scorer, rows: Floats) -> None:
    printed = case.corpus[metric]
    if case.counts:
        ours = columns(scorer, rows.sum(axis=0), counts=True)
        totals = {"M_count": ours["R"], "P_count": ours["P"], "H_count": ours["F"]}
        assert {key: int(value) for key, value in totals.items()} == printed, metric
        return
    if isinstance(printed["F"], float):  # the mean of the segments
        ours = columns(scorer, rows.sum(axis=0), counts=False)
        for letter, value in printed.items():
            assert ours[letter] == pytest.approx(value, abs=1e-11), (metric, letter)
        return
    samples = weights(len(rows), int(case.options["-r"])) @ rows
    for letter, means in columns(scorer, samples, counts=False).items():
        ours = averages.interval(means, float(case.options["-c"]))
        np.testing.assert_allclose(
            ours, printed[letter], rtol=0, atol=0.5e-5 + 1e-9, err_msg=f"{metric} {letter}"
        )


def test_printed_averages_as_intervals_of_the_host() -> None:
    """The mean of the resamples is the printed average, the percentiles its interval."""
    run = next(run for run in GOLDEN.copies if "-r 1000" in run.program)
    (case,) = cases(run)
    for metric, printed in case.corpus.items():
        evaluation = mt.evaluate({"X": case.hypotheses}, case.references, [case.spec(metric)])
        (record,) = evaluation.confidence(1000, 95, seed=1, resampler="rouge").to_records()
        interval = [record["ci"][name] / 100 for name in ("mean", "low", "high")]
        np.testing.assert_allclose(interval, printed["F"], rtol=0, atol=0.5e-5 + 1e-9)


@GOLDEN.needs_all_runs
def test_pyrouge_adds_the_counts_of_references() -> None:
    runs = [r for r in GOLDEN.all_runs if "py-rouge" in r.program and "stemming=False" in r.program]
    assert len(runs) == 3
    for run in runs:
        for n in (1, 2):
            scorer = mt.metric(f"rouge-n:n={n},multi=pooled,tok=rouge,case=ascii")
            ours = scorer.corpus_score(run.hypotheses, run.references).values
            printed = run.printed["corpus"][f"rouge-{n}"]
            for letter, value in printed.items():
                assert ours[letter.upper()] / 100 == pytest.approx(value, abs=1e-11)


@GOLDEN.needs_all_runs
def test_every_option_of_the_program_is_known() -> None:
    used = {
        option
        for run in GOLDEN.all_runs
        if not TestGolden().why_not(run)
        for c in cases(run)
        for option in c.options
    }
    harmless = {"-e", "-z", "-n", "-w", "-2", "-U", "-c", "-r", "-d", "-x", "-t"}
    assert used - harmless == {"-m", "-s", "-f", "-p", "-l", "-b"}


def stem_rows(path: Path) -> list[list[str]]:
    """Word, stem, and stem by the rules alone."""
    return [line.split("\t")[:3] for line in path.read_text("utf-8").splitlines()[1:]]


STEMS = [
    pytest.param(GOLDEN.copied / "stems.tsv", id="copied"),
    pytest.param(GOLDEN.complete / "stems" / "stems.tsv", id="shared", marks=GOLDEN.needs_all_runs),
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

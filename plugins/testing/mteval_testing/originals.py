"""Recorded runs of original programs, to compare metrics with.

A file of runs is JSON. It contains the texts of a corpus and what programs printed for them:

.. code-block:: python

    {
        "hyp": ["a b", "c"],
        "refs": [["a b c", "d"]],
        "runs": [{"oracle": "p1.pl", "command": "-e 2", "corpus": {"F": 0.5}, "segments": {...}}],
    }

or items, each of which is a corpus of its own:

.. code-block:: python

    {"items": [{"id": "empty", "hyp": "", "refs": ["a b"], "scores": {"p1.pl -e 2": {"F": 0}}}]}

A class that is derived from `GoldenTests` compares a metric with all runs of a folder:

.. code-block:: python

    class TestGolden(GoldenTests):
        golden = Golden(Path(__file__).with_name("golden"), counts={"p1.pl": 2})

        def spec(self, run):
            return f"p1:e={run.program.split()[-1]}"

The file ``runs.toml`` of a folder says which programs it is about, and
``python -m mteval_testing.originals COLLECTION FOLDER`` copies their runs from a larger collection.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from mteval_core import evaluate

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Sequence

    import pytest
    from numpy.typing import ArrayLike, NDArray

    from mteval_core import Evaluation

__all__ = [
    "Golden",
    "GoldenTests",
    "Run",
    "assert_printed",
    "by_name",
    "copy_runs",
    "read_lines",
    "read_runs",
]

KEPT = ("id", "source", "hyp", "refs")
"""Fields of an item that describe its texts."""

NO_PROGRAMS = (*KEPT, "published", "agrees", "note")
"""Fields of an item without ``scores`` that are not names of programs."""


@dataclass(frozen=True)
class Run:
    """Texts, a program with its options, and what it printed.

    Parameters
    ----------
    where : str
        Name of the file and, if there is one, of the item in it.
    program : str
        The program and its command.
    hypotheses : sequence of str
        One per segment.
    references : sequence of sequence of str
        One sequence per reference stream.
    printed : mapping
        The numbers: ``corpus``, ``segments`` (of the first segments), and all other fields.
    documents : sequence of str or None
        Document id of each segment, if the documents are known.
    """

    where: str
    program: str
    hypotheses: Sequence[str]
    references: Sequence[Sequence[str]]
    printed: Mapping[str, Any]
    documents: Sequence[str] | None = None

    def __str__(self) -> str:
        return f"{self.where}: {self.program}"


def read_runs(folder: Path, is_wanted: Callable[[str], object]) -> list[Run]:
    """Read the runs of some programs from all files below a folder.

    A file may also name its texts, ``{"dataset": ..., "system": ..., "references": 2}``. They are
    the lines of ``inputs/DATASET/SYSTEM.txt`` and ``ref0.txt``, ``ref1.txt`` below the folder; if
    the file's name ends in ``.raw.json``, of ``../data/DATASET/systems/SYSTEM.txt`` and so on.

    Parameters
    ----------
    folder : Path
        Folder of the files. If it is absent, there are no runs.
    is_wanted : callable
        Takes a program with its command, and says whether to read its runs.

    Returns
    -------
    list of Run
        The runs, in the order of the files.
    """
    runs: list[Run] = []
    for path in sorted(folder.rglob("*.json")):
        contents = json.loads(path.read_bytes())
        if "runs" in contents:
            runs += _runs_on_corpus(folder, path.stem, contents, is_wanted)
        else:
            runs += _runs_on_each_item(path.stem, contents, is_wanted)
            runs += _runs_on_all_items(path.stem, contents, is_wanted)
    return runs


def _runs_on_each_item(
    name: str, contents: Any, is_wanted: Callable[[str], object]
) -> Iterator[Run]:
    """Runs on one item alone."""
    for item in _items(contents):
        where, references = f"{name} {item['id']}", [[reference] for reference in item["refs"]]
        for program, printed in _wanted(_scores(item), is_wanted).items():
            yield Run(where, program, [item["hyp"]], references, printed={"corpus": printed})


def _runs_on_all_items(
    name: str, contents: Any, is_wanted: Callable[[str], object]
) -> Iterator[Run]:
    """Runs on all items, or some of them, as one corpus."""
    for program, printed in _wanted(_together(contents), is_wanted).items():
        chosen = [i for i in _items(contents) if i["id"] in printed.get("ids", [i["id"]])]
        streams = list(zip(*[item["refs"] for item in chosen], strict=True))
        hypotheses = [item["hyp"] for item in chosen]
        yield Run(f"{name} as one", program, hypotheses, streams, printed=printed)


def _items(contents: Any) -> Sequence[Mapping[str, Any]]:
    items: Sequence[Mapping[str, Any]]
    items = contents if isinstance(contents, list) else contents["items"]
    return items


def _together(contents: Any) -> Mapping[str, Any]:
    """What programs printed for the items as one corpus."""
    return {} if isinstance(contents, list) else contents.get("as_one_corpus", {})


def _scores(item: Mapping[str, Any]) -> Mapping[str, Any]:
    """What programs printed for an item alone."""
    if "scores" in item:
        scores: Mapping[str, Any] = item["scores"]
        return scores
    return {key: value for key, value in item.items() if key not in NO_PROGRAMS}


def _wanted(scores: Mapping[str, Any], is_wanted: Callable[[str], object]) -> dict[str, Any]:
    return {program: printed for program, printed in scores.items() if is_wanted(program)}


def _runs_on_corpus(
    folder: Path, name: str, contents: Mapping[str, Any], is_wanted: Callable[[str], object]
) -> Iterator[Run]:
    """Runs on the lines that a file contains or names."""
    runs = [run for run in contents["runs"] if is_wanted(_program(run))]
    if not runs:
        return
    if "hyp" in contents:
        hypotheses, streams, documents = contents["hyp"], contents["refs"], None
    else:
        hypotheses, streams, documents = _named_texts(folder, name, contents)
    for run in runs:
        one = re.fullmatch(r"ref(\d+) only", run.get("references_used", "all"))
        first = re.match(r"first (\d+) lines", run.get("lines", ""))
        stop = int(first[1]) if first else len(hypotheses)
        used = [stream[:stop] for stream in ([streams[int(one[1])]] if one else streams)]
        known = None if documents is None else documents[:stop]
        yield Run(name, _program(run), hypotheses[:stop], used, printed=run, documents=known)


def _program(run: Mapping[str, Any]) -> str:
    return f"{run['oracle']} {run['command']}"


def _named_texts(
    folder: Path, name: str, contents: Mapping[str, Any]
) -> tuple[list[str], list[list[str]], list[str] | None]:
    """Output, references and, if they are known, documents."""
    _, _, form = name.rpartition(".")
    texts = folder / "inputs" / (contents["dataset"] + "-sentences" * (form == "sentences"))
    systems, ending = texts, ".tsv" if form == "sentences" else ".txt"
    if form == "raw":
        texts = folder.parent / "data" / contents["dataset"]
        systems = texts / "systems"
    documents = texts / "docs.txt"
    return (
        read_lines(systems / f"{contents['system']}{ending}"),
        [read_lines(texts / f"ref{k}{ending}") for k in range(contents["references"])],
        read_lines(documents) if documents.is_file() else None,
    )


def read_lines(path: Path) -> list[str]:
    """Read the lines of a text file, split at line feeds only.

    Parameters
    ----------
    path : Path
        A file in UTF-8.

    Returns
    -------
    list of str
        The lines without their ends.
    """
    return path.read_bytes().decode().removesuffix("\n").split("\n")


def copy_runs(source: Path, target: Path) -> None:
    """Copy the runs of some programs from the files of a folder that contain their texts.

    Parameters
    ----------
    source, target : Path
        Folders. All files below the source are read; copies are written into the target, whose
        file ``runs.toml`` has ``programs``, a regular expression for the beginning of a program
        with its command, and the table ``about``, fields to add to each file: programs, versions,
        tolerance.
    """
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib

    chosen = tomllib.loads((target / "runs.toml").read_text("utf-8"))
    is_wanted, about = re.compile(chosen["programs"]).match, chosen["about"]
    for path in sorted(source.rglob("*.json")):
        contents = json.loads(path.read_bytes())
        if "dataset" in contents:
            continue
        copy = _copy_of_corpus if "runs" in contents else _copy_of_items
        key, members, rest = copy(contents, is_wanted)
        if members:
            text = _one_member_per_line({**about, **rest}, key, members)
            (target / path.name).write_text(text, encoding="utf-8")


Copy: TypeAlias = "tuple[str, list[Any], dict[str, Any]]"
"""Name and members of the list in a file, and the other fields of the file."""


def _copy_of_corpus(contents: Mapping[str, Any], is_wanted: Callable[[str], object]) -> Copy:
    runs = [run for run in contents["runs"] if is_wanted(_program(run))]
    return "runs", runs, {name: contents[name] for name in ("hyp", "refs")}


def _copy_of_items(contents: Any, is_wanted: Callable[[str], object]) -> Copy:
    items = [
        {**{name: item[name] for name in KEPT if name in item}, "scores": scores}
        for item in _items(contents)
        if (scores := _wanted(_scores(item), is_wanted))
    ]
    together = _wanted(_together(contents), is_wanted)
    return "items", items, {"as_one_corpus": together} if together else {}


def _one_member_per_line(fields: Mapping[str, Any], key: str, members: Sequence[Any]) -> str:
    """Write JSON in which every field, and every member of the last one, has its own line."""

    def written(value: Any) -> str:
        return json.dumps(value, ensure_ascii=False)

    lines = ",\n".join(map(written, members))
    head = [f"{written(name)}: {written(value)}" for name, value in fields.items()]
    text = ",\n".join([*head, f"{written(key)}: [\n{lines}\n]"])
    return f"{{\n{text}\n}}\n"


@dataclass(frozen=True)
class Golden:
    """Runs that the tests of a plugin compare with.

    Parameters
    ----------
    copied : Path
        Folder with the runs that the plugin ships.
    complete : Path or None
        Folder with all runs, if the plugin ships copies of some of them; see `copy_runs`. It may be
        absent; then the copies are used.
    is_wanted : callable
        Takes a program with its command, and says whether its runs belong to the plugin.
    counts : mapping
        How many runs there are of each kind, see `GoldenTests.kind`, and of those that are not
        compared by the reason: so no run is forgotten.
    not_covered : mapping of str to str
        Reasons not to compare runs, by a part of their program or of what it printed.
    rtol : float
        Relative tolerance for the rounding errors of the program itself.
    """

    copied: Path
    complete: Path | None = None
    is_wanted: Callable[[str], object] = bool
    counts: Mapping[Hashable, int] = field(default_factory=dict)
    not_covered: Mapping[str, str] = field(default_factory=dict)
    rtol: float = 1e-15

    @cached_property
    def copies(self) -> list[Run]:
        """Runs that the plugin ships."""
        return read_runs(self.copied, self.is_wanted)

    @cached_property
    def all_runs(self) -> list[Run]:
        """All runs; empty if their folder is absent."""
        return read_runs(self.complete or self.copied, self.is_wanted)

    @property
    def runs(self) -> list[Run]:
        """All runs or, if their folder is absent, the copies."""
        return self.all_runs or self.copies

    @property
    def needs_all_runs(self) -> pytest.MarkDecorator:
        """Mark of pytest that skips a test if the folder with all runs is absent."""
        import pytest  # only tests use this property

        folder = self.complete or self.copied
        reason = f"{folder}, the numbers of the original programs, is absent"
        return pytest.mark.skipif(not folder.is_dir(), reason=reason)

    def altered_copies(self) -> list[Run]:
        """Copies that differ from every complete run."""
        return [run for run in self.copies if run not in self.all_runs]


class GoldenTests:
    """Tests of a metric: it gives the numbers that original programs printed.

    A test module derives a class from it, whose name begins with ``Test``. pytest compares every
    number of every run, one run in each test.

    Attributes
    ----------
    golden : Golden
        The runs.
    """

    golden: Golden

    def spec(self, run: Run) -> str:
        """Return the spec that corresponds to the program with its options."""
        raise NotImplementedError

    def named(
        self,
        run: Run,  # noqa: ARG002
        values: dict[str, NDArray[np.float64]],
    ) -> Mapping[str, NDArray[np.float64]]:
        """Return values by the names of the program.

        Parameters
        ----------
        run : Run
        values : dict of str to ndarray of float64
            The metric's values by name, as fractions; see `by_name`.
        """
        return values

    def computed(self, run: Run) -> dict[str, dict[str, Any]]:
        """Return the metric's numbers by the names of the program, of corpus and segments."""
        spec = self.spec(run)
        evaluation = evaluate({"": run.hypotheses}, run.references, [spec])
        return {
            "corpus": {**self.named(run, by_name(evaluation, spec))},
            "segments": {**self.named(run, by_name(evaluation, spec, "segment"))},
        }

    def printed(self, run: Run) -> dict[str, Mapping[str, Any]]:
        """Return what the program printed of corpus and segments, by name."""
        corpus = run.printed.get("corpus", {})
        if not isinstance(corpus, Mapping):
            corpus = {self.only(run): corpus}
        return {"corpus": corpus, "segments": run.printed.get("segments", {})}

    def only(self, run: Run) -> str:  # noqa: ARG002
        """Return the name of a number that the program printed alone."""
        return "score"

    def decimals(self, run: Run, level: str, name: str) -> int:  # noqa: ARG002
        """Return how many decimals the program printed of a number of corpus or segments."""
        return 12

    def kind(self, run: Run) -> Hashable:
        """Return what `Golden.counts` calls a run: the first word of its program."""
        return run.program.split()[0]

    def why_not(self, run: Run) -> str:
        """Return why a run is not compared; empty if it is."""
        seen = f"{run.program} {run.printed.get('corpus')}"
        return next((why for what, why in self.golden.not_covered.items() if what in seen), "")

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """Give each run a test."""
        if "run" in metafunc.fixturenames:
            runs = [run for run in self.golden.runs if not self.why_not(run)]
            metafunc.parametrize("run", runs, ids=str)

    def test_equals_the_program(self, run: Run) -> None:
        """Compare a run; it is expected to fail while numbers are still to be filled in."""
        import pytest

        printed = self.printed(run)
        assert any(printed.values()), "no number was printed"
        if any(number is None for numbers in printed.values() for number in numbers.values()):
            pytest.xfail("no golden numbers yet")
        computed = self.computed(run)
        for level, numbers in printed.items():
            for name, number in numbers.items():
                ours, theirs = computed[level][name], number
                if isinstance(number, Mapping):
                    assert ours.keys() == number.keys()
                    ours, theirs = [ours[key] for key in number], [*number.values()]
                decimals = self.decimals(run, level, name)
                assert_printed(ours, theirs, decimals, f"{level} {name}", rtol=self.golden.rtol)

    def test_every_run_is_accounted_for(self) -> None:
        """Compare the number of runs of each kind."""
        self._need_all_runs()
        runs = self.golden.all_runs
        assert Counter(self.why_not(run) or self.kind(run) for run in runs) == self.golden.counts

    def test_copies_are_true(self) -> None:
        """Compare the runs that the plugin ships with all runs."""
        self._need_all_runs()
        assert self.golden.altered_copies() == []

    def _need_all_runs(self) -> None:
        import pytest

        mark = self.golden.needs_all_runs
        if mark.args[0]:
            pytest.skip(mark.kwargs["reason"])


def by_name(
    evaluation: Evaluation, spec: str, level: Literal["corpus", "doc", "segment"] = "corpus"
) -> dict[str, NDArray[np.float64]]:
    """Values of the only system of an evaluation, as fractions.

    Parameters
    ----------
    evaluation : Evaluation
        An evaluation of one system.
    spec : str
        The metric.
    level : {"corpus", "doc", "segment"}
        What to score.

    Returns
    -------
    dict of str to ndarray of float64, shape (n,)
        Values by name; n is 1, or the number of documents or segments.
    """
    scales = evaluation.scorers[spec].scales
    values = evaluation.scores.values(evaluation.systems[0], spec, level) / list(scales.values())
    return dict(zip(scales, values.T, strict=True))


def assert_printed(
    computed: ArrayLike,
    printed: ArrayLike,
    decimals: int,
    what: object = "",
    *,
    rtol: float = 1e-15,
) -> None:
    """Assert that numbers equal what a program printed, to the last decimal.

    Parameters
    ----------
    computed : array_like of float
        The computed numbers, at least as many as were printed.
    printed : array_like of float
        A number, or the numbers of the first segments.
    decimals : int
        Number of decimals that were printed.
    what : object
        Name of the numbers, for the error message.
    rtol : float
        Relative tolerance for the rounding errors of the program itself.

    Raises
    ------
    AssertionError
        If a number differs by more than half of the last decimal.
    """
    expected = np.atleast_1d(np.asarray(printed, np.float64))
    np.testing.assert_allclose(
        np.atleast_1d(computed)[: len(expected)],
        expected,
        rtol=rtol,
        atol=0.5 * 10.0**-decimals,
        err_msg=str(what),
    )


if __name__ == "__main__":
    copy_runs(Path(sys.argv[1]), Path(sys.argv[2]))

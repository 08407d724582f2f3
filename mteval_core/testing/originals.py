"""Runs of original programs: what they printed for which texts, to compare metrics with.

A file of runs is JSON. It has the texts of a corpus, and what programs printed for them:

.. code-block:: python

    {
        "hyp": ["a b", "c"],
        "refs": [["a b c", "d"]],
        "runs": [{"oracle": "p1.pl", "command": "-e 2", "corpus": {"F": 0.5}, "segments": {...}}],
    }

or items, each of which was a corpus of its own:

.. code-block:: python

    {"items": [{"id": "empty", "hyp": "", "refs": ["a b"], "scores": {"p1.pl -e 2": {"F": 0}}}]}

`read_runs` reads all files of a folder, `by_name` gives our values, and `assert_printed` compares
them to the digits that were printed. `copy_runs` makes a folder with the runs of one program.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from numpy.typing import ArrayLike, NDArray

    from mteval_core.evaluation.evaluation import Evaluation
    from mteval_core.evaluation.scores import Level

__all__ = ["Run", "assert_printed", "by_name", "copy_runs", "read_runs"]

KEPT = ("id", "source", "hyp", "refs")
NO_PROGRAMS = (*KEPT, "published", "agrees", "note")
"""Fields of an item, where it has no field ``scores``, that no program printed."""


@dataclass(frozen=True)
class Run:
    """Texts, a program with its options, and what it printed.

    Parameters
    ----------
    where : str
        The file, and the item in it.
    program : str
        The program and its command.
    hypotheses : sequence of str
        One per segment.
    references : sequence of sequence of str
        One sequence per reference stream.
    printed : mapping
        The numbers: ``corpus``, ``segments`` (of the first segments), and what else the file says.
    documents : sequence of str or None
        Document id of each segment, where it is known.
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

    A corpus may also name its texts, ``{"dataset": ..., "system": ..., "references": 2}``: they
    are lines of ``inputs/DATASET/SYSTEM.txt`` and ``ref0.txt``, ``ref1.txt`` below the folder, or,
    if the file's name ends in ``.raw.json``, of ``../data/DATASET/systems/SYSTEM.txt`` and so on.

    Parameters
    ----------
    folder : Path
        May be absent: then there are no runs.
    is_wanted : callable
        Says of a program with its command whether its runs are read.

    Returns
    -------
    list of Run
    """
    found: list[Run] = []
    for path in sorted(folder.rglob("*.json")):
        contents = json.loads(path.read_bytes())
        if "runs" in contents:
            found += _runs_on_corpus(folder, path.stem, contents, is_wanted)
        else:
            found += _runs_on_items(path.stem, contents, is_wanted)
    return found


def _runs_on_items(name: str, contents: Any, is_wanted: Callable[[str], object]) -> Iterator[Run]:
    """Give the runs on each item alone, then those on all of them as one corpus."""
    items = contents if isinstance(contents, list) else contents["items"]
    for item in items:
        for program, printed in _scores(item).items():
            if is_wanted(program):
                references = [[reference] for reference in item["refs"]]
                numbers = {"corpus": printed}
                yield Run(f"{name} {item['id']}", program, [item["hyp"]], references, numbers)
    together = {} if isinstance(contents, list) else contents.get("as_one_corpus", {})
    for program, printed in together.items():
        if is_wanted(program):
            chosen = [item for item in items if item["id"] in printed.get("ids", [item["id"]])]
            streams = list(zip(*[item["refs"] for item in chosen], strict=True))
            hypotheses = [item["hyp"] for item in chosen]
            yield Run(f"{name} as one", program, hypotheses, streams, printed)


def _scores(item: Mapping[str, Any]) -> Mapping[str, Any]:
    if "scores" in item:
        scores: Mapping[str, Any] = item["scores"]
        return scores
    return {key: value for key, value in item.items() if key not in NO_PROGRAMS}


def _runs_on_corpus(
    folder: Path, name: str, contents: Mapping[str, Any], is_wanted: Callable[[str], object]
) -> Iterator[Run]:
    """Give the runs on the lines that a file holds, or names."""
    runs = [(f"{run['oracle']} {run['command']}", run) for run in contents["runs"]]
    runs = [(program, run) for program, run in runs if is_wanted(program)]
    if not runs:
        return
    hypotheses, streams, documents = (
        (contents["hyp"], contents["refs"], None)
        if "hyp" in contents
        else _named_texts(folder, name, contents)
    )
    for program, run in runs:
        one = re.fullmatch(r"ref(\d+) only", run.get("references_used", "all"))
        first = re.match(r"first (\d+) lines", run.get("lines", ""))
        stop = int(first[1]) if first else len(hypotheses)
        used = [stream[:stop] for stream in ([streams[int(one[1])]] if one else streams)]
        known = None if documents is None else documents[:stop]
        yield Run(name, program, hypotheses[:stop], used, run, known)


def _named_texts(
    folder: Path, name: str, contents: Mapping[str, Any]
) -> tuple[list[str], list[list[str]], list[str] | None]:
    """Output, references, and documents if they are known."""
    _, _, form = name.rpartition(".")
    texts = folder / "inputs" / (contents["dataset"] + "-sentences" * (form == "sentences"))
    systems, ending = texts, ".tsv" if form == "sentences" else ".txt"
    if form == "raw":
        texts = folder.parent / "data" / contents["dataset"]
        systems = texts / "systems"
    documents = texts / "docs.txt"
    return (
        _lines(systems / f"{contents['system']}{ending}"),
        [_lines(texts / f"ref{k}{ending}") for k in range(contents["references"])],
        _lines(documents) if documents.is_file() else None,
    )


def _lines(path: Path) -> list[str]:
    return path.read_bytes().decode().removesuffix("\n").split("\n")


def copy_runs(
    source: Path, target: Path, is_wanted: Callable[[str], object], about: Mapping[str, str]
) -> None:
    """Copy the runs of some programs from the files of a folder that hold their texts.

    Parameters
    ----------
    source, target : Path
        Folders. Of the source the files below are read, into the target they are written.
    is_wanted : callable
        Says of a program with its command whether its runs are copied.
    about : mapping of str to str
        What to say in each file: programs, versions, digits.
    """

    def written(member: Any) -> str:
        return json.dumps(member, ensure_ascii=False)

    def wanted(scores: Mapping[str, Any]) -> dict[str, Any]:
        return {program: printed for program, printed in scores.items() if is_wanted(program)}

    for path in sorted(source.rglob("*.json")):
        contents = json.loads(path.read_bytes())
        if "dataset" in contents:
            continue
        if "runs" in contents:
            key, items = (
                "runs",
                [run for run in contents["runs"] if is_wanted(f"{run['oracle']} {run['command']}")],
            )
            rest = {name: contents[name] for name in ("hyp", "refs")}
        else:
            alone = contents if isinstance(contents, list) else contents["items"]
            key, items = (
                "items",
                [
                    {**{name: item[name] for name in KEPT if name in item}, "scores": scores}
                    for item in alone
                    if (scores := wanted(_scores(item)))
                ],
            )
            together = {} if isinstance(contents, list) else wanted(contents["as_one_corpus"])
            rest = {"as_one_corpus": together} if together else {}
        if items:
            head = [
                f"{written(name)}: {written(value)}" for name, value in {**about, **rest}.items()
            ]
            lines = ",\n".join(map(written, items))
            text = ",\n".join([*head, f"{written(key)}: [\n{lines}\n]"])
            (target / path.name).write_text(f"{{\n{text}\n}}\n", encoding="utf-8")


def by_name(
    evaluation: Evaluation, spec: str, level: Level = "corpus"
) -> dict[str, NDArray[np.float64]]:
    """Values of the only system of an evaluation, in the scale of its metric's formula.

    Parameters
    ----------
    evaluation : Evaluation
    spec : str
        The metric.
    level : {"corpus", "doc", "segment"}

    Returns
    -------
    dict of str to ndarray of float64, shape (n_parts,)
    """
    scales = evaluation.scorers[spec].scales
    values = evaluation.values(evaluation.systems[0], spec, level) / list(scales.values())
    return dict(zip(scales, values.T, strict=True))


def assert_printed(
    computed: ArrayLike, printed: ArrayLike, decimals: int, what: object = "", rtol: float = 1e-15
) -> None:
    """Assert that numbers are what a program printed, to the last decimal.

    Parameters
    ----------
    computed : array_like of float
        Ours, at least as many.
    printed : array_like of float
        A number, or those of the first segments.
    decimals : int
        How many were printed.
    what : object
        For the message.
    rtol : float
        What the program's own rounding errors may amount to.
    """
    expected = np.atleast_1d(np.asarray(printed, np.float64))
    np.testing.assert_allclose(
        np.atleast_1d(computed)[: len(expected)],
        expected,
        rtol=rtol,
        atol=0.5 * 10.0**-decimals,
        err_msg=str(what),
    )

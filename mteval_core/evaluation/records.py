"""Tidy records: the results of one system under one metric, as plain data.

A record has the keys ``system``, ``metric`` (the spec), ``level``, ``id`` (document id, or segment
number counted from 0), ``better`` (``higher`` or ``lower``), ``score`` (None if the metric has none
of a segment), ``values``, ``n_segments``, ``signature``, ``ci``, ``p_value`` and ``baseline``.
Numbers are unrounded, in the scales of the values. A record with a p-value also has ``difference``;
a system with several runs has ``runs``; a jackknifed score has ``jackknife``; a system that only a
file of scores names has ``from_file_only``, which is true.

The record of a comparison has the keys ``system``, ``baseline``, ``metric``, ``difference``
(system minus baseline), ``low``, ``high``, ``level`` and ``kind`` of its interval, ``p_raw``,
``p_value`` (corrected), ``test``, ``trials``, ``exact`` and ``correction``; with a margin also
``margin``, ``p_equivalent`` and ``p_not_worse`` (both corrected).
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mteval_core.data.addresses import Address
from mteval_core.data.reading import Files
from mteval_core.errors import MtevalError
from mteval_core.plugin.registry import HOST
from mteval_core.text.files import read_blocks
from mteval_core.text.text import Text

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    from numpy.typing import NDArray

    from mteval_core.evaluation.comparison import Comparison
    from mteval_core.evaluation.intervals import Interval
    from mteval_core.evaluation.scores import Scores
    from mteval_core.plugin.registry import Plugin
    from mteval_core.text.digest import SeenTestSet, SeenText
    from mteval_core.text.text import TestSet


def findings(
    interval: Interval | None = None,
    comparison: Comparison | None = None,
    *,
    baseline: str = "",
    runs: NDArray[np.float64] | None = None,
    jackknife: NDArray[np.float64] | None = None,
) -> dict[str, Any]:
    """Write intervals, comparisons and spreads of a score as fields of its record.

    Parameters
    ----------
    interval : Interval, optional
        Interval of the score.
    comparison : Comparison, optional
        Test of the system against the baseline.
    baseline : str
        Name of the baseline.
    runs : ndarray of float64, shape (n_runs,), optional
        Scores of several runs.
    jackknife : ndarray of float64, shape (N,), optional
        Scores against the leave-one-out sets of references.

    Returns
    -------
    dict
    """
    fields: dict[str, Any] = {"ci": None, "p_value": None, "baseline": None}
    if interval is not None:
        fields["ci"] = asdict(interval)
    if comparison is not None:
        fields["p_value"], fields["baseline"] = comparison.p_value, baseline
        fields["difference"] = {
            "value": comparison.difference,
            **asdict(comparison.interval),
            **trials_of(comparison),
            "all_pairs": comparison.all_pairs,
        }
    if runs is not None:
        fields["runs"] = {"scores": runs.tolist(), "sd": float(runs.std(ddof=1))}
    if jackknife is not None:
        fields["jackknife"] = {
            "low": float(jackknife.min()),
            "high": float(jackknife.max()),
            "sd": float(jackknife.std(ddof=1)),
            "n": len(jackknife),
        }
    return fields


def comparison_records(
    comparisons: Mapping[tuple[str, str, str], Comparison],
) -> list[dict[str, Any]]:
    """Write each comparison of two systems under one metric as a record."""
    return [
        {
            "system": system,
            "baseline": baseline,
            "metric": spec,
            "difference": comparison.difference,
            **{key: getattr(comparison.interval, key) for key in ("low", "high", "level", "kind")},
            "p_raw": comparison.raw_p_value,
            "p_value": comparison.p_value,
            **trials_of(comparison),
            **(comparison.equivalence._asdict() if comparison.equivalence else {}),
        }
        for (system, baseline, spec), comparison in comparisons.items()
    ]


def trials_of(one: Comparison) -> dict[str, Any]:
    """Write how a comparison was tested."""
    return {"test": one.test, "trials": one.n, "exact": one.exact, "correction": one.correction}


def inputs(scores: Scores) -> dict[str, Any]:
    """List the texts, with path and digest of cleaned lines, and which plugins read them."""
    test_set = scores.test_set
    documents = test_set.documents_text
    sources: dict[str, Any] = {
        "references": [_text_source(stream) for stream in test_set.references],
        "systems": {
            system: [_text_source(scores.texts[run]) for run in runs]
            for system, runs in scores.runs.items()
            if system not in scores.humans
        },
        "docs": None if documents is None else _text_source(documents),
        "scores": [
            {
                "name": outside.name,
                "path": outside.path or None,
                "sha256": outside.sha256,
                "better": outside.better,
            }
            for outside in (scorer.setup.outside for scorer in scores.scorers.values())
            if outside
        ],
        "source": None if test_set.source is None else _text_source(test_set.source),
        **_column_sources(test_set),
    }
    named = [scorer.setup.files for scorer in scores.scorers.values()]
    files = {name: path for paths in named for name, path in paths.items()}
    return {**sources, "plugins": _plugins(sources, scores), "files": files}


def _plugins(sources: Mapping[str, Any], scores: Scores) -> list[str]:
    """Name the plugins that read the sources, as signatures do."""
    files = Files(next(iter(scores.scorers.values())).setup.registry)
    runs = (run for runs in sources["systems"].values() for run in runs)
    single = (each for each in (sources["docs"], sources["source"]) if each)
    found: list[Plugin | None] = []
    for read, kind in (
        (files.plugin_of, (*sources["references"], *runs, *single)),
        (files.plugin_of_scores, sources["scores"]),
    ):
        for path in {each["path"] for each in kind} - {None}:
            with suppress(MtevalError):  # a text in Python can have any path
                found.append(read(Address.parse(path)))
    return sorted({plugin.signed for plugin in found if plugin and plugin.distribution != HOST})


def _column_sources(of: Text | TestSet | SeenText | SeenTestSet) -> dict[str, Any]:
    """Say where the columns of a system or a test set are from, if there are any."""
    columns: Mapping[str, Text] = getattr(of, "columns", {})
    found = {name: _text_source(replace(column, columns={})) for name, column in columns.items()}
    return {"columns": found} if found else {}


def _text_source(text: Text | SeenText) -> dict[str, Any]:
    """Say where a text is from, with its digest, and the SHA-256 of its lines if they are there."""
    from hashlib import sha256

    source = {"path": text.path, "hash": text.digest.hex, **_column_sources(text)}
    lines = sha256()
    if isinstance(text, Text):
        lines.update(text.buffer)
    elif text.path is None or not Path(text.path).is_file():
        return source
    else:
        for block in read_blocks(text.path, quiet=True):
            lines.update(block.buffer)
    return {**source, "sha256": lines.hexdigest()}

"""The literature of metrics and tests: entries are complete, and what is used is cited."""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any

import pytest

import mteval_core as mt
from mteval_core.commands.main import main
from mteval_core.evaluation import draw
from mteval_core.metrics.titles import title_of, untitled
from mteval_core.plugin.declarations import load
from mteval_core.report import Layout
from mteval_core.report import literature as host
from mteval_core.report.literature import ENTRY, literature_of_scores

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

METRICS = [entry.declaration for entry in mt.default_registry().of_kind(mt.MetricSpec)]
FIELDS = {
    "inproceedings": {"author", "title", "booktitle", "year"},
    "article": {"author", "title", "journal", "year", "volume", "pages"},
    "book": {"author", "title", "publisher", "year"},
}
OF_THE_HOST = [*host.TESTS.values(), *chain.from_iterable(host.CORRECTIONS.values())]
OF_THE_HOST += [host.BOOTSTRAP, host.BCA, host.LETTERS]


def declared(metric: mt.MetricSpec, **options: Any) -> list[str]:
    """Entries of a metric with its defaults, and with other options."""
    assert metric.literature is not None
    values = {option.key: option.default for option in metric.options}
    return list(load(metric.literature)({**values, **options}))


def keys(entries: str) -> list[str]:
    return re.findall(r"^@\w+\{([^,]+),$", entries, re.MULTILINE)


def check(entry: str) -> None:
    """Check that an entry has the fields of its kind, each once, in balanced braces."""
    assert ENTRY.fullmatch(entry)
    (kind,) = re.findall(r"@(\w+)", entry)
    fields = re.findall(r"^  (\w+) = \{", entry, re.MULTILINE)
    assert len(fields) == len({*fields})
    assert {*fields} >= FIELDS[kind]
    assert entry.count("{") == entry.count("}")
    (year,) = re.findall(r"year = \{(\d{4})\}", entry)
    assert f"-{year}-" in entry  # the key has the year
    assert all(int(a) < int(b) for a, b in re.findall(r"pages = \{(\d+)--(\d+)\}", entry))


@pytest.mark.parametrize("metric", [m for m in METRICS if m.literature], ids=lambda m: m.name)
def test_entries_of_plugins_are_complete(metric: mt.MetricSpec) -> None:
    entries = declared(metric)
    assert entries
    for entry in entries:
        check(entry)


@pytest.mark.parametrize("entry", OF_THE_HOST, ids=lambda entry: keys(entry)[0])
def test_entries_of_the_host_are_complete(entry: str) -> None:
    check(entry)


def test_every_metric_of_the_default_set_has_literature() -> None:
    names = [metric.name for metric in METRICS if metric.in_default_set and not metric.literature]
    assert names == []


def test_a_key_stands_for_one_paper() -> None:
    entries = {entry for metric in METRICS if metric.literature for entry in declared(metric)}
    found = [keys(entry)[0] for entry in (*entries, *OF_THE_HOST)]
    assert len(found) == len({*found})


def evaluated(registry: mt.Registry, spec: str = "matches") -> mt.Evaluation:
    systems = {"A": ["a b"] * 20, "B": ["a x"] * 20, "C": ["x x"] * 20}
    return mt.evaluate(systems, [["a b"] * 20], [spec], registry=registry)


@pytest.mark.parametrize(
    ("asked", "layout", "expected"),
    [
        ({"test": "bs"}, {}, ["koehn-2004-statistical", "holm-1979-simple"]),
        ({"correct": "none"}, {}, ["riezler-maxwell-2005-pitfalls"]),
        (
            {"correct": "bh", "all_pairs": True},
            {"marks": "letters"},
            [
                "riezler-maxwell-2005-pitfalls",
                "benjamini-hochberg-1995-controlling",
                "piepho-2004-algorithm",
            ],
        ),
        (
            {"test": "bs", "correct": "maxt", "all_pairs": True},
            {},
            [
                "koehn-2004-statistical",
                "westfall-young-1993-resampling",
                "romano-wolf-2005-exact",
            ],
        ),
        (
            {"interval": "bca", "correct": "none"},
            {},
            ["riezler-maxwell-2005-pitfalls", "efron-1987-better"],
        ),
    ],
)
def test_what_is_used_is_cited(
    registry: mt.Registry, asked: dict[str, Any], layout: dict[str, Any], expected: list[str]
) -> None:
    compared = evaluated(registry).compare(n=2000, **asked)
    found = [keys(entry)[0] for entry in literature_of_scores(compared, Layout(**layout))]
    assert sorted(found) == sorted([*expected, "efron-tibshirani-1993-introduction"])


def test_every_correction_is_listed() -> None:
    assert set(host.CORRECTIONS) == set(draw.CORRECTIONS)


def test_options_choose_papers() -> None:
    pytest.importorskip("mteval_chrf")
    by_name = {metric.name: metric for metric in METRICS}
    assert [keys(e)[0] for e in declared(by_name["chrf"])] == ["popovic-2015-chrf"]
    assert "popovic-2017-chrf" in "".join(declared(by_name["chrf"], nw=2))
    if "meteor" in by_name:
        assert "denkowski" not in "".join(declared(by_name["meteor"]))
        assert "denkowski" in "".join(declared(by_name["meteor"], variant="1.5"))


def test_each_paper_is_written_once(plugin: Callable[..., Any], matches: mt.MetricSpec) -> None:
    entry = "@misc{one-2020-paper,\n  title = {One},\n}\n"
    both = [
        replace(matches, literature=lambda _: [entry]),
        replace(matches, name="again", label="Again", literature=lambda _: (entry,)),
    ]
    registry = mt.load_registry([plugin(metrics=both)])
    evaluation = mt.evaluate({"A": ["a"]}, [["a"]], ["matches", "again"], registry=registry)
    assert literature_of_scores(evaluation, Layout()) == [entry.strip()]


@pytest.mark.parametrize("wrong", [["no entry"], [1], ["@misc{}"], None])
def test_what_is_no_entry_is_an_error_that_names_the_plugin(
    plugin: Callable[..., Any], matches: mt.MetricSpec, wrong: Any
) -> None:
    metric = replace(matches, literature=lambda _: wrong)
    registry = mt.load_registry([plugin(metrics=[metric])])
    with pytest.raises(mt.PluginError, match=r"literature of metric 'matches' of mteval-toy 1\.0"):
        literature_of_scores(evaluated(registry), Layout())


@pytest.mark.parametrize(
    ("field", "message"),
    [
        ({"literature": 1}, "its literature is 1; expected"),
        ({"title": "chrF"}, "its title is 'chrF'; expected a callable or None"),
    ],
)
def test_wrong_fields_are_refused(
    plugin: Callable[..., Any], matches: mt.MetricSpec, field: dict[str, Any], message: str
) -> None:
    registry = mt.load_registry([plugin(metrics=[replace(matches, **field)])])
    (broken,) = [each for each in registry.plugins if each.status == "broken"]
    assert message in broken.error


# Titles


@pytest.mark.parametrize(
    ("spec", "title", "rest"),
    [
        ("chrf", "chrF", []),
        ("chrf:nw=2", "chrF++", []),
        ("chrf:nw=2,beta=1", "chrF++", ["beta"]),
        ("chrf:nw=3", "chrF", ["nw"]),
        ("rouge-n", "ROUGE-1", []),
        ("rouge-n:n=2,tok=char", "ROUGE-2", ["tok"]),
        ("rouge-lsum", "ROUGE-Lsum", []),
        ("rouge-s:skip=4", "ROUGE-S4", []),
        ("rouge-su", "ROUGE-SU", []),
        ("bleu:order=2", "BLEU", ["order"]),
        ("meteor", "METEOR", []),
        ("gtm.R", "GTM", ["value"]),
    ],
)
def test_titles_are_those_of_papers(spec: str, title: str, rest: list[str]) -> None:
    """A title says some options; the table says the others below it."""
    package = {"b": "bleu_nist", "c": "chrf", "r": "rouge", "m": "meteor_fmean", "g": "gtm"}
    pytest.importorskip(f"mteval_{package[spec[0]]}")
    scorer = mt.metric(spec)
    assert (title_of(scorer), list(untitled(scorer))) == (title, rest)
    assert scorer.signature().name == scorer.label


def test_a_title_that_is_no_name_is_an_error(
    plugin: Callable[..., Any], matches: mt.MetricSpec
) -> None:
    registry = mt.load_registry([plugin(metrics=[replace(matches, title=lambda _: "a\nb")])])
    with pytest.raises(mt.PluginError, match="title"):
        title_of(mt.metric("matches", registry=registry))


# The command


def test_the_command_writes_the_file(
    mini: Path, tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    for package in ("bleu_nist", "error_rates"):
        pytest.importorskip(f"mteval_{package}")
    path = tmp_path / "used.bib"
    texts = [mini / "ref0.txt", "-i", mini / "systems" / "best.txt", mini / "systems" / "rule.txt"]
    command = ["score", *map(str, texts), "-m", "bleu", "ter", "-pbs", "--trials", "50", "-q"]
    assert main([*command, "-o", "-", "-o", str(path)]) == 0
    with_it = capsysbinary.readouterr().out
    assert main(command) == 0
    assert capsysbinary.readouterr().out == with_it
    assert keys(path.read_text(encoding="utf-8")) == [
        "papineni-etal-2002-bleu",
        "post-2018-call",
        "snover-etal-2006-study",
        "koehn-2004-statistical",
        "holm-1979-simple",
        "efron-tibshirani-1993-introduction",
    ]
    assert main([*command, "-o", str(path)]) == 0
    assert capsysbinary.readouterr().out == b""
    assert main([*command, "-o", str(path), "-o", str(path)]) == 2


def test_bibtex_reads_all_entries(tmp_path: Path) -> None:
    if not shutil.which("bibtex"):
        pytest.skip("bibtex is not installed")
    entries = {entry for metric in METRICS if metric.literature for entry in declared(metric)}
    (tmp_path / "all.bib").write_text("\n".join([*entries, *OF_THE_HOST]), encoding="utf-8")
    lines = [r"\citation{*}", r"\bibstyle{plain}", r"\bibdata{all}"]
    (tmp_path / "paper.aux").write_text("\n".join(lines), encoding="utf-8")
    done = subprocess.run(
        ["bibtex", "paper"], cwd=tmp_path, capture_output=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stdout.decode()
    assert b"Warning" not in done.stdout, done.stdout.decode()
    assert (tmp_path / "paper.bbl").read_text().count(r"\bibitem") == len(entries) + len(
        OF_THE_HOST
    )

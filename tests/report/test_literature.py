"""The literature of metrics and tests: entries are complete, and what is used is cited."""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

import mteval_core as mt
from mteval_core.commands.main import main
from mteval_core.evaluation import p_values
from mteval_core.metrics.titles import title_of, untitled_options
from mteval_core.report import literature as host
from mteval_core.report.literature import ENTRY, literature, literature_of_scores

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from mteval_core.plugin.registry import Entry

METRICS = mt.default_registry().of_kind(mt.MetricSpec)
FIELDS = {
    "inproceedings": {"author", "title", "booktitle", "year"},
    "article": {"author", "title", "journal", "year", "volume", "pages"},
    "book": {"author", "title", "publisher", "year"},
}
OF_THE_HOST = host.bibtex_entries(host.STATISTICS_BIB)


def declared(metric: Entry[mt.MetricSpec], **options: Any) -> dict[str, str]:
    """Entries of a metric with its defaults, and with other options."""
    values = {option.key: option.default for option in metric.declaration.options}
    return literature(metric, {**values, **options})


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


@pytest.mark.parametrize("metric", METRICS, ids=str)
def test_entries_of_plugins_are_complete(metric: Entry[mt.MetricSpec]) -> None:
    papers = declared(metric)
    assert bool(papers) == bool(metric.declaration.literature)
    for entry in papers.values():
        check(entry)


@pytest.mark.parametrize("key", OF_THE_HOST)
def test_entries_of_the_host_are_complete(key: str) -> None:
    check(OF_THE_HOST[key])


def test_every_metric_of_the_default_set_has_literature() -> None:
    declarations = [metric.declaration for metric in METRICS]
    assert [d.name for d in declarations if d.in_default_set and not d.literature] == []


def test_a_key_stands_for_one_paper() -> None:
    found = {paper for metric in METRICS for paper in declared(metric).items()}
    keys = [key for key, _ in (*found, *OF_THE_HOST.items())]
    assert len(keys) == len({*keys})


def evaluated(registry: mt.Registry, spec: str = "matches") -> mt.Evaluation:
    systems = {"A": ["a b"] * 20, "B": ["a x"] * 20, "C": ["x x"] * 20}
    return mt.evaluate(systems, [["a b"] * 20], [spec], registry=registry)


@pytest.mark.parametrize(
    ("asked", "marked", "expected"),
    [
        ({"test": "bs"}, {}, ["koehn-2004-statistical", "holm-1979-simple"]),
        ({"correct": "none"}, {}, ["riezler-maxwell-2005-pitfalls"]),
        (
            {"correct": "bh", "all_pairs": True},
            {"letters": True},
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
    registry: mt.Registry, asked: dict[str, Any], marked: dict[str, bool], expected: list[str]
) -> None:
    compared = evaluated(registry).compare(n=2000, **asked)
    found = [keys(entry)[0] for entry in literature_of_scores(compared, **marked)]
    assert sorted(found) == sorted([*expected, "efron-tibshirani-1993-introduction"])


def test_every_correction_is_listed() -> None:
    assert set(host.CORRECTION_PAPERS) == set(p_values.CORRECTIONS)


def test_options_choose_papers() -> None:
    pytest.importorskip("mteval_chrf")
    by_name = {metric.declaration.name: metric for metric in METRICS}
    assert [*declared(by_name["chrf"])] == ["popovic-2015-chrf"]
    assert [*declared(by_name["chrf"], nw=2)] == ["popovic-2015-chrf", "popovic-2017-chrf"]
    if "meteor" in by_name:
        assert "denkowski-lavie-2014-meteor" not in declared(by_name["meteor"])
        assert "denkowski-lavie-2014-meteor" in declared(by_name["meteor"], variant="1.5")


ONE = "@misc{one-2020-paper,\n  title = {One},\n}"
TWO = "@misc{two,\n  title = {Two: {@} signs},\n}"


@pytest.fixture
def cites(
    tmp_path: Path, plugin: Callable[..., Any], matches: mt.MetricSpec
) -> Callable[..., list[str]]:
    """Return the papers of two metrics whose plugin has a BibTeX file, ``toy.bib``."""

    def papers(text: str, *declared: Any) -> list[str]:
        (tmp_path / "toy.bib").write_text(text, encoding="utf-8")
        metrics = [
            replace(matches, name=f"metric{i}", label=f"M{i}", literature=each)
            for i, each in enumerate(declared)
        ]
        toy = plugin(metrics=metrics)
        toy.load().__file__ = str(tmp_path / "mteval_toy.py")
        registry = mt.load_registry([toy])
        names = [metric.name for metric in metrics]
        evaluation = mt.evaluate({"A": ["a"]}, [["a"]], names, registry=registry)
        return literature_of_scores(evaluation)

    return papers


@pytest.mark.parametrize(
    ("declared", "expected"),
    [
        (["toy.bib"], [ONE, TWO]),
        (["toy.bib:two"], [TWO]),
        (["toy.bib:two,one-2020-paper"], [TWO, ONE]),
        ([lambda options: "toy.bib:two" if options["bonus"] == 0 else "toy.bib"], [TWO]),
        (["toy.bib:two", "toy.bib"], [TWO, ONE]),  # each paper once
        ([None], []),
    ],
)
def test_papers_come_from_the_file_beside_the_hooks(
    cites: Callable[..., list[str]], declared: list[Any], expected: list[str]
) -> None:
    assert cites(f"Notes of the author.\n\n{ONE}\n{TWO}\n\n", *declared) == expected


@pytest.mark.parametrize(
    ("text", "declared", "message"),
    [
        (ONE, "other.bib", "other.bib: no such file; is it among the package data of the plugin?"),
        (ONE, "toy.bib:two", "toy.bib has no entry 'two'. Known: one-2020-paper."),
        (ONE, "toy.bib:one-2020-papers", "Did you mean 'one-2020-paper'?"),
        (ONE, lambda _: ["toy.bib"], r"expected 'FILE.bib' or 'FILE.bib:KEY,KEY', got ['toy.bib']"),
        ("", "toy.bib", "toy.bib: expected an entry in BibTeX, @KIND{KEY, ...}, with balanced"),
        ("no entry", "toy.bib", "a key of its own, got ''"),
        ("@misc{}", "toy.bib", "got '@misc{}'"),
        ("@misc{a, title = {A}", "toy.bib", "got '@misc{a, title = {A}'"),
        (f"{ONE}\n{ONE}", "toy.bib", "a key of its own, got '@misc{one-2020-paper,"),
        (f"{ONE}\nand notes", "toy.bib", "and notes'"),
    ],
)
def test_what_is_not_in_the_file_is_an_error_that_names_the_plugin(
    cites: Callable[..., list[str]], text: str, declared: Any, message: str
) -> None:
    named = r"^the literature of metric 'metric0' of mteval-toy 1\.0: .*"
    with pytest.raises(mt.PluginError, match=named + re.escape(message)):
        cites(text, declared)


def test_the_file_is_read_only_when_papers_are_asked_for(
    plugin: Callable[..., Any], matches: mt.MetricSpec
) -> None:
    toy = plugin(metrics=[replace(matches, literature="missing.bib")])
    evaluation = evaluated(mt.load_registry([toy]))
    assert evaluation.score("A", "matches").score == 100
    with pytest.raises(mt.PluginError, match="no such file"):
        literature_of_scores(evaluation)


@pytest.mark.parametrize(
    ("field", "message"),
    [
        (
            {"literature": 1},
            "its literature is 1; expected 'FILE.bib' or 'FILE.bib:KEY,KEY', a cal",
        ),
        ({"literature": "a.b:c"}, "its literature is 'a.b:c'; expected 'FILE.bib'"),
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
    assert (title_of(scorer), list(untitled_options(scorer))) == (title, rest)
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
    texts = [mini / "ref0.txt", "-i", mini / "systems" / "deep.txt", mini / "systems" / "rule.txt"]
    command = ["score", *map(str, texts), "-m", "bleu", "ter", "-pbs", "-n", "50", "-q"]
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
    entries = {entry for metric in METRICS for entry in declared(metric).values()}
    entries |= {*OF_THE_HOST.values()}
    (tmp_path / "all.bib").write_text("\n".join(entries), encoding="utf-8")
    lines = [r"\citation{*}", r"\bibstyle{plain}", r"\bibdata{all}"]
    (tmp_path / "paper.aux").write_text("\n".join(lines), encoding="utf-8")
    done = subprocess.run(
        ["bibtex", "paper"], cwd=tmp_path, capture_output=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stdout.decode()
    assert b"Warning" not in done.stdout, done.stdout.decode()
    assert (tmp_path / "paper.bbl").read_text().count(r"\bibitem") == len(entries)

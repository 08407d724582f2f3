"""Tasks of a data set: which human scores and metrics they use, and where domains come from."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from mteval_metaeval.commands.task_lines import lines_of_data

import mteval_core as mt
from mteval_core import Address, Files, Options, main

if TYPE_CHECKING:
    from collections.abc import Callable

FORMATS = Path(__file__).parent / "judged_data.py"

SYSTEMS = "A", "B", "C"
N = 4


def pair(**more: Any) -> mt.Dataset:
    """Make a data set with human scores of segments and of systems, and scores of metrics."""
    rows: list[Any] = [(s, k, "", {"mqm": float(k)}) for s in SYSTEMS for k in range(N)]
    systems: list[Any] = [(s, 0, "", {"mqm": 1.0}) for s in SYSTEMS]
    names = more.pop("names", ("Good-refA.seg", "Fair-src.seg", "Old.seg", "Good-refA.sys"))
    return mt.Dataset(
        test_set=mt.TestSet(
            (mt.Text.of([*"wxyz"]), mt.Text.of([*"WXYZ"])), domains=more.pop("domains", None)
        ),
        systems={s: mt.Text.of([*"wxyz"]) for s in SYSTEMS},
        reference_names=("refA", "refB"),
        judgments={
            "mqm.seg": mt.Judgments.of(rows),
            "mqm.sys": mt.Judgments.of(systems, level="system"),
            **more.pop("human", {}),
        },
        scores=[
            mt.OutsideScores(
                name=name,
                values={s: 1.0 if name.endswith(".sys") else np.ones(N) for s in SYSTEMS},
                level="system" if name.endswith(".sys") else "segment",
                path="here",
                sha256="0" * 64,
            )
            for name in names
        ],
    )


@pytest.fixture
def lines(plugin: Callable[..., Any]) -> Callable[..., list[tuple[str, str]]]:
    """Name and arguments of the tasks of ``pairs:x``, with two language pairs."""

    def of(*, wanted: Any = None, **more: Any) -> list[tuple[str, str]]:
        spec = mt.DatasetSpec(
            "pairs",
            function=lambda _path: pair(**dict(more)),
            parts=lambda path: [f"{path}/de-en", f"{path}/de-fr"],
        )
        registry = mt.load_registry([plugin(datasets=[spec])])
        options = {
            "references": None,
            "scores": [],
            "human": None,
            "metrics": [],
            "by_domain": False,
        }
        options |= {"no_outliers": False, **(wanted or {})}
        found = lines_of_data(Options({"tasks": Address("pairs:x"), **options}), Files(registry))
        return [(line.name, " ".join(line.words)) for line in found]

    return of


SCORES = "Good=pairs:x/de-en::Good-refA.seg Fair=pairs:x/de-en::Fair-src.seg Old=pairs:x/de-en::"


def test_each_part_has_two_tasks_with_all_metrics_of_segments(lines: Any) -> None:
    found = lines()
    assert [name for name, _ in found] == ["de-en sys", "de-en seg", "de-fr sys", "de-fr seg"]
    of_systems, of_segments = found[0][1], found[1][1]
    common = f"--data pairs:x/de-en --human mqm.seg --scores {SCORES}Old.seg -m none"
    assert of_systems == f"{common} --coefficient soft"
    assert of_segments == f"{common} --level segment --group item --coefficient calibrated"
    assert found[2][1].startswith("--data pairs:x/de-fr --human mqm.seg")


@pytest.mark.parametrize(
    ("names", "wanted", "expected"),
    [
        (None, ["Good"], "Good=pairs:x/de-en::Good-refA.seg -m"),
        (None, ["Good-refA.seg"], "Good=pairs:x/de-en::Good-refA.seg -m"),
        (None, ["Good[lower]", "Old"], "Good[lower]=pairs:x/de-en::Good-refA.seg Old="),
        # A metric with two references keeps its whole names.
        (("M-refA.seg", "M-refB.seg"), [], "M-refA.seg=pairs:x/de-en::M-refA.seg M-refB.seg="),
        (("M-refC.seg",), [], "M-refC=pairs:x/de-en::M-refC.seg -m"),
        (("plain",), ["plain"], "plain=pairs:x/de-en::plain -m"),
    ],
)
def test_metrics_are_named_without_level_and_reference(
    lines: Any, names: Any, wanted: list[str], expected: str
) -> None:
    more = {} if names is None else {"names": names}
    assert f"--scores {expected}" in lines(wanted={"scores": wanted}, **more)[0][1]


def test_scores_against_other_references_are_left_out(lines: Any) -> None:
    names = ("M-refA.seg", "M-refB.seg", "QE-src.seg", "Old.seg")
    found = lines(wanted={"references": "refA"}, names=names)[0][1]
    scores = "M=pairs:x/de-en::M-refA.seg QE=pairs:x/de-en::QE-src.seg Old=pairs:x/de-en::Old.seg"
    assert f"--human mqm.seg -r refA --scores {scores} -m none" in found
    with pytest.raises(mt.UsageError, match="no reference 'refC'"):
        lines(wanted={"references": "refC"})


def test_domains_metrics_and_outliers(lines: Any) -> None:
    wanted = {"by_domain": True, "metrics": ["bleu", "chrf"], "no_outliers": True}
    found = lines(wanted=wanted, domains=("news", "chat", "news", "chat"))
    assert [name for name, _ in found[:4]] == [
        "de-en news sys",
        "de-en news seg",
        "de-en chat sys",
        "de-en chat seg",
    ]
    assert "-m bleu chrf --no-outliers --domain chat --coefficient soft" in found[2][1]
    assert len(found) == 8
    assert "--domain" not in lines(domains=("news", "chat", "news", "chat"))[0][1]


@pytest.mark.parametrize(
    ("wanted", "more", "message"),
    [
        ({"by_domain": True}, {}, "a data set without domains; leave out --by-domain"),
        ({}, {"names": ("M.sys",)}, "no metric with scores of segments"),
        ({"scores": ["Godo"]}, {}, "no scores of segments of 'Godo'. Did you mean 'Good'?"),
        ({"scores": ["Good-refA.sys"]}, {}, "no scores of segments of 'Good-refA.sys'"),
        ({"scores": ["Good=x.seg"]}, {}, "--scores Good=x.seg: expected the name of a metric of"),
        ({"human": "esa"}, {}, "expected one human score of segments. Known: "),
        ({"human": "mqm.se"}, {}, "Did you mean 'mqm.seg' or 'mqm.sys'?"),
    ],
)
def test_what_cannot_be_chosen_is_refused(lines: Any, wanted: Any, more: Any, message: str) -> None:
    with pytest.raises(mt.UsageError) as error:
        lines(wanted=wanted, **more)
    assert message in str(error.value)


def test_two_human_scores_of_segments_are_ambiguous(lines: Any) -> None:
    rows: list[Any] = [(s, 0, "", {"esa": 1.0}) for s in SYSTEMS]
    human = {"esa.seg": mt.Judgments.of(rows)}
    with pytest.raises(mt.UsageError, match=r"--human: mqm\.seg, esa\.seg"):
        lines(human=human)
    assert "--human esa.seg" in lines(human=human, wanted={"human": "esa.seg"})[0][1]


def test_a_format_without_parts_has_one(plugin: Any) -> None:
    spec = mt.DatasetSpec("one", function=lambda _path: pair())
    files = Files(mt.load_registry([plugin(datasets=[spec])]))
    assert files.parts("one:x") == ["one:x"]
    with pytest.raises(mt.InputError, match="no such file or folder"):
        files.parts("nothing:x")


# Domains of columns


@pytest.fixture
def run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., Any]:
    """Run ``mteval correlate`` on two domains, with columns in a file."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(1)
    records = [
        {"sys": s, "i": f"s{k}", "hyp": " ".join(rng.choice([*"abcd"], 4)), "ref": "a b c d"}
        for s in SYSTEMS
        for k in range(6)
    ]
    for record in records:
        record["dom"] = "news" if int(record["i"][1:]) < 2 else "chat"
    write(tmp_path / "long.rec", records)
    write(tmp_path / "domains.rec", [{"i": f"s{k}", "d": "abc"[k % 3]} for k in range(6)][::-1])
    human = "".join(f"{s}\t{k}\t{rng.integers(5)}\n" for s in SYSTEMS for k in range(6))
    (tmp_path / "human.tsv").write_text(f"system\tsegment\tscore\n{human}")

    def call(fields: str, *words: str) -> Any:
        data = ["--data", "long.rec", "--fields", f"hyp=hyp,ref=ref,system=sys,id=i{fields}"]
        common = [*data, "--human", "human.tsv", "-m", "per", "-n", "0", "-f", "json"]
        code = main(["-p", str(FORMATS), "correlate", *common, *words])
        out, err = capsys.readouterr()
        return json.loads(out) if code == 0 else err

    return call


def write(path: Path, records: list[Any]) -> None:
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records))


def test_a_column_holds_the_domains(run: Any) -> None:
    pytest.importorskip("mteval_error_rates")
    report = run(",domain=dom", "--level", "domain", "--group", "none")
    assert report["settings"]["unit"] == "domain"
    assert {record["n"] for record in report["records"]} == {6}  # 3 systems, 2 domains
    news = run(",domain=dom", "--domain", "news")
    assert "domain news" in news["notes"][0]
    assert "no domain 'sport'" in run(",domain=dom", "--domain", "sport")
    assert "domains are not known" in run("", "--domain", "news")


def test_domains_are_joined_by_id(run: Any) -> None:
    pytest.importorskip("mteval_error_rates")
    report = run("", "--domains", "domains.rec::d@i", "--level", "domain", "--group", "none")
    assert {record["n"] for record in report["records"]} == {9}  # 3 systems, 3 domains

"""``mteval tasks mtme:FOLDER``: an organiser's run, from submissions to the tables of a task."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from mteval_readers import mtme

from mteval_core import main

metaeval = pytest.importorskip("mteval_metaeval")

MINI = Path(__file__).parents[3] / "examples" / "mini"
if not MINI.is_dir():
    pytest.skip("examples/mini is absent", allow_module_level=True)
SYSTEMS = sorted(path.stem for path in (MINI / "systems").glob("*.txt"))
N = 120


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two language pairs, of the lines of the example in two orders, with three submissions."""
    rng = np.random.default_rng(1)
    for pair, step in (("de-en", 1), ("de-fr", -1)):
        domains = [f"{'news' if k < 50 else 'chat'} d{k // 10}\n" for k in range(N)]
        write(tmp_path / f"documents/{pair}.docs", domains)
        write(tmp_path / f"sources/{pair}.txt", lines("src.de.txt")[::step])
        for k in (0, 1):
            write(tmp_path / f"references/{pair}.ref{'AB'[k]}.txt", lines(f"ref{k}.txt")[::step])
        quality = np.linspace(0, 1.5, 7)[:, None] + rng.normal(size=(7, N))
        quality[0] -= 20
        names = [*SYSTEMS, "refB"]
        for system in SYSTEMS:
            write(
                tmp_path / f"system-outputs/{pair}/{system}.txt",
                lines(f"systems/{system}.txt")[::step],
            )
        write(tmp_path / f"human-scores/{pair}.mqm.seg.score", table(names, np.round(quality)))
        for metric, noise in (("Good-refA", 0.3), ("Fair-src", 1.0), ("Poor-refA", 4.0)):
            noisy = quality + noise * rng.normal(size=quality.shape)
            write(tmp_path / f"metric-scores/{pair}/{metric}.seg.score", table(names, noisy))
    return tmp_path


def lines(name: str) -> list[str]:
    return (MINI / name).read_text("utf-8").splitlines(keepends=True)


def write(path: Path, content: list[str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(content), "utf-8")


def table(systems: list[str], scores: Any) -> list[str]:
    rows = zip(systems, scores.tolist(), strict=True)
    return [f"{system}\t{score!r}\n" for system, of_system in rows for score in of_system]


Run = Any


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def call(*words: str | Path) -> Any:
        code = main([str(word) for word in words])
        out, err = capsys.readouterr()
        return json.loads(out) if code == 0 and "json" in words else (code, out, err)

    return call


def test_all_tables_from_one_command(folder: Path, run: Run) -> None:
    report = run("tasks", f"mtme:{folder}", "--trials", "100", "-f", "json")
    tasks = [record for record in report["records"] if record["level"] == "task"]
    assert [(task["criterion"], task["coefficient"]) for task in tasks] == [
        ("de-en sys", "soft pairwise accuracy"),
        ("de-en seg", "calibrated accuracy"),
        ("de-fr sys", "soft pairwise accuracy"),
        ("de-fr seg", "calibrated accuracy"),
    ]
    assert {tuple(task["metrics"]) for task in tasks} == {("Good", "Fair", "Poor")}
    assert tasks[1]["ranks"] == [1, 2, 3]
    pooled = next(r for r in report["records"] if r.get("criterion") == "all systems")
    assert 0.5 < pooled["values"][0] <= 1


def test_a_task_has_the_value_of_correlate(folder: Path, run: Run) -> None:
    for coefficient, level, place in (("soft", (), 0), ("calibrated", ("segment",), 1)):
        alone = run(
            *("correlate", "--data", f"mtme:{folder}/de-fr", "--human", "mqm.seg", "-f", "json"),
            *("--scores", "Good-refA.seg", "Poor-refA.seg", "-m", "none", "-n", "100", "--compare"),
            *(f"--level={word}" for word in level),
            *("--coefficient", coefficient, "--correct", "none", "--test", "perm-both"),
        )
        tasks = run("tasks", f"mtme:{folder}", "--trials", "100", "-f", "json")
        of_pair = [r for r in tasks["records"] if r["level"] == "task"][2 + place]
        assert alone["records"][0]["values"] == pytest.approx(
            [of_pair["values"][0], of_pair["values"][2]], abs=0.05 if coefficient == "soft" else 0
        )  # soft accuracy draws other permutations


def test_domains_and_outliers(folder: Path, run: Run) -> None:
    words = (
        "tasks",
        f"mtme:{folder}",
        "--trials",
        "50",
        "-f",
        "json",
        "--scores",
        "Good",
        "Poor[lower]",
    )
    report = run(*words, "--by-domain", "--no-outliers")
    tasks = [record for record in report["records"] if record["level"] == "task"]
    assert [task["criterion"] for task in tasks[:4]] == [
        *("de-en news sys", "de-en news seg", "de-en chat sys", "de-en chat seg"),
    ]
    assert any(f"left out: {SYSTEMS[0]}." in note for note in report["notes"])
    assert any("domain chat" in note for note in report["notes"])
    assert any("Poor correlates negatively" in note for note in report["notes"])


def test_domain_scores_are_means_of_their_segments(folder: Path, run: Run) -> None:
    report = run(
        *("correlate", "--data", f"mtme:{folder}/de-en", "--human", "mqm.seg", "-f", "json"),
        *("--scores", "Fair-src.seg", "-m", "none", "-n", "0", "--level", "domain"),
        *("--group", "none"),
    )
    data = mtme.read(f"{folder}/de-en")
    scores = next(s for s in data.scores if s.name == "Fair-src.seg")
    human = metaeval.mean_scores(data.judgments["mqm.seg"], SYSTEMS, tuple(range(N)))[0]
    metric = np.array([scores.values[system] for system in SYSTEMS])
    means = [np.stack([x[:, :50].mean(1), x[:, 50:].mean(1)]).ravel() for x in (metric, human)]
    found = {record["quantity"]: record["value"] for record in report["records"]}
    assert found["pearson"] == pytest.approx(np.corrcoef(*means)[0, 1])
    assert found["kendall"] == pytest.approx(float(metaeval.kendall(*means)))


def test_a_domain_alone_counts(folder: Path, run: Run) -> None:
    common = (
        *("correlate", "--data", f"mtme:{folder}/de-en", "--human", "mqm.seg", "-f", "json"),
        *("--scores", "Fair-src.seg", "-m", "none", "-n", "0"),
    )
    everything, news = (
        {r["quantity"]: r["value"] for r in run(*common, *more)["records"]}
        for more in ((), ("--domain", "news"))
    )
    assert everything["pearson"] != news["pearson"]
    data = mtme.read(f"{folder}/de-en")
    scores = next(s for s in data.scores if s.name == "Fair-src.seg")
    human = metaeval.mean_scores(data.judgments["mqm.seg"], SYSTEMS, tuple(range(N)))[0][
        :, :50
    ].mean(axis=1)
    metric = np.array([scores.values[system][:50] for system in SYSTEMS]).mean(axis=1)
    assert news["pearson"] == pytest.approx(np.corrcoef(metric, human)[0, 1])
    assert run(*common[:5], "-m", "none", *common[7:9], "--domain", "sport")[0] == 2


def test_a_reference_as_a_system(folder: Path, run: Run) -> None:
    common = (
        *("correlate", "--data", f"mtme:{folder}/de-en", "--human", "mqm.seg", "-n", "0"),
        *("--scores", "Fair-src.seg", "-m", "none", "-r", "refA"),
    )
    assert "6 systems, 120 segments, 1 reference" in run(*common)[1]
    assert "7 systems" in run(*common, "--refs-as-systems", "refB")[1]
    code, out, _ = run(*common, "--refs-as-systems", "refB", "--leave-out", "refB", SYSTEMS[1])
    assert code == 0
    assert "5 systems" in out
    assert f"Left out on request: refB, {SYSTEMS[1]}." in " ".join(out.split())
    for words, message in (
        (("--refs-as-systems", "refA"), "refA is a reference: choose others with -r"),
        (("--refs-as-systems", "refC"), "no reference stream 'refC'"),
        (("--leave-out", "depe"), "no system 'depe' to leave out. Did you mean 'deep'?"),
    ):
        code, _, err = run(*common, *words)
        assert (code, message in err) == (2, True), err


def test_refusals_of_data_sets(folder: Path, run: Run) -> None:
    (folder / "human-scores/de-fr.esa.seg.score").write_text("deep 1\n" * N)
    for words, message in (
        ((), "Choose one with --human: esa.seg, mqm"),
        (("--human", "mqm"), "Did you mean 'mqm.seg'?"),
        (("--human", "mqm.seg", "--scores", "Goood"), "of 'Goood'"),
    ):
        code, _, err = run("tasks", f"mtme:{folder}", *words)
        assert code == 2
        assert message in err
    (folder / "tasks").write_text("a: --data x --human y\n")
    code, _, err = run("tasks", folder / "tasks", "--by-domain")
    assert code == 2
    assert "make tasks of a data set" in err


def test_one_pair_is_a_part_of_its_own(folder: Path) -> None:
    assert mtme.parts(str(folder)) == [f"{folder}/de-en", f"{folder}/de-fr"]
    assert mtme.parts(f"{folder}/de-fr") == [f"{folder}/de-fr"]

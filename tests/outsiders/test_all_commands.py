"""Every outsider's metric in every command: what comes out, or the words of the refusal."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from mteval_testing.command_checks import Finished

    Run = Callable[[str, str], Finished]

HERE = Path(__file__).parent
N = 24


class Outsider(NamedTuple):
    """A plugin, its metric, and the words that a command needs for it."""

    file: str
    metric: str
    words: str


TEXTS = "-i A=A.jsonl::hyp B=B.jsonl::hyp C=C.jsonl::hyp"
DOCUMENTS = "data.jsonl::ref --docs data.jsonl::doc"

OUTSIDERS = {
    "candidates": Outsider("candidates.py", "candidates", "--fields candidates=others"),
    "consistency": Outsider("consistency.py", "consistency", DOCUMENTS),
    "documents": Outsider("document_precision.py", "doc-precision", DOCUMENTS),
    "gender": Outsider("gender/mteval_gender.py", "gender", "--fields gender=data.jsonl::gender"),
    "latency": Outsider(
        "latency/mteval_latency.py",
        "latency",
        "data.jsonl::ref --fields delays=delays,source_length=data.jsonl::length",
    ),
    "mean": Outsider("mean_of_metrics.py", "mean", "data.jsonl::ref"),
    "poly": Outsider("poly.py", "poly", "--source data.jsonl::src"),
    "preference": Outsider("preference.py", "preference", "data.jsonl::ref"),
    "slips": Outsider("slips/mteval_slips.py", "slips", "--source data.jsonl::src"),
    "types": Outsider("type_token_ratio.py", "ttr", ""),
}

SCORED = f"{{words}} {TEXTS} -m {{metric}} -n 50"
COMMANDS = {
    "check": "check {metric}",
    "score": f"score {SCORED} -ci -pbs -o {{name}}.json",
    "html": f"score {SCORED} -ci -pbs -o {{name}}.html",
    "replay": "replay {name}.json",
    "gate": "gate {name}.json -i A=A.jsonl::hyp",
    "correlate": f"correlate {SCORED} --human human.tsv",
}

NEEDS = {
    **{("consistency", c): "--by doc" for c in ("score", "html", "gate", "correlate")},
    **{("documents", c): "--by doc" for c in ("score", "html", "gate", "correlate")},
    ("types", "correlate"): "--resample systems",
}
"""What a command must be told: without it, the error says so."""

PAIRS = ("poly", "preference")
"""What compares two outputs. Only ``mteval pairwise`` has its scores."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the texts of three systems."""
    folder = tmp_path_factory.mktemp("outsiders")
    write_texts(folder)
    return folder


@pytest.fixture(scope="module")
def run(folder: Path) -> Run:
    """Run a command with the plugin of an outsider, where the texts are."""
    for plugin in ("bleu_nist", "chrf", "decide", "html_report", "metaeval"):
        pytest.importorskip(f"mteval_{plugin}")
    testing = pytest.importorskip("mteval_testing")

    def command(name: str, words: str) -> Finished:
        outsider = OUTSIDERS[name]
        filled = words.format(name=name, **outsider._asdict()).split()
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(folder)
            done: Finished = testing.run_command("-p", str(HERE / outsider.file), *filled)
        return done

    return command


def write_texts(folder: Path) -> None:
    """Write three systems: A is as good as the reference, B worse, and C worst, in every way."""
    references = [f"on day {k} {k} people came to the town" for k in range(N)]
    gender = [{"right": "people", "wrong": "men"}, {"right": "town", "wrong": "city"}]
    outputs = {
        "A": [r if k % 6 else f"day {k} {k} men came to town" for k, r in enumerate(references)],
        "B": [f"on day {k // 2} men came to the {'town' if k % 4 else 'city'}" for k in range(N)],
        "C": [
            f"the the {'men' if k % 3 else 'people'} see {k * k % 23} city and the city and it"
            for k in range(N)
        ],
    }
    human = ["system\tsegment\tscore"]
    for late, (name, texts) in enumerate(outputs.items()):
        rows = [
            {"hyp": text, "delays": [late + i + k % 3 for i in range(8)], "others": [references[k]]}
            for k, text in enumerate(texts)
        ]
        write(folder / f"{name}.jsonl", map(json.dumps, rows))
        human += [f"{name}\t{k}\t{-late - k % 3 / 9}" for k in range(N)]
    data = [
        {"ref": text, "src": f"{k} {k}", "doc": f"d{k // 4}", "length": 9, "gender": gender}
        for k, text in enumerate(references)
    ]
    write(folder / "data.jsonl", map(json.dumps, data))
    write(folder / "human.tsv", human)


def write(path: Path, lines: object) -> None:
    path.write_text("\n".join([*lines, ""]), "utf-8")  # type: ignore[misc]


def done(run: Run, name: str, command: str, *more: str) -> Finished:
    """Run a command with all that it must be told; without, it must say what is missing."""
    words, needed = " ".join([COMMANDS[command], "-q", *more]), NEEDS.get((name, command))
    if needed:
        refused = run(name, words)
        assert (refused.code, needed in refused.err) == (2, True), refused.err
    return run(name, f"{words} {needed or ''}")


def scored(run: Run, name: str, folder: Path) -> list[dict[str, Any]]:
    """Write the report that other commands read, and return its records."""
    assert done(run, name, "score").code == 0
    records: list[dict[str, Any]] = json.loads((folder / f"{name}.json").read_text())["records"]
    return records


@pytest.mark.parametrize("name", OUTSIDERS)
def test_the_kit_finds_nothing(run: Run, name: str) -> None:
    checked = run(name, COMMANDS["check"])
    assert checked.code == 0, checked.out
    assert "checks pass" in checked.out
    assert name not in PAIRS or ", 31 not run" in checked.out


@pytest.mark.parametrize("name", [name for name in OUTSIDERS if name not in PAIRS])
class TestScores:
    def test_a_report_has_intervals_and_tests_and_is_replayed(
        self, run: Run, folder: Path, name: str
    ) -> None:
        for record in scored(run, name, folder):
            assert record["ci"]["low"] <= record["score"] <= record["ci"]["high"]
        assert "3 of 3 records and 2 of 2 comparisons pass" in run(name, COMMANDS["replay"]).out

    def test_a_gate_lets_the_same_output_pass_and_not_a_worse_one(
        self, run: Run, folder: Path, name: str
    ) -> None:
        scored(run, name, folder)
        assert done(run, name, "gate").code == 0
        worse = COMMANDS["gate"].replace("A.jsonl", "C.jsonl")
        failed = run(name, f"{worse} -q {NEEDS.get((name, 'gate'), '')}")
        assert (failed.code, "the output is that of" in failed.out) == (1, False), failed

    def test_it_agrees_with_people_about_the_systems(self, run: Run, name: str) -> None:
        correlated = done(run, name, "correlate", "-f", "json")
        assert correlated.code == 0, correlated.err
        found = {one["quantity"]: one["value"] for one in json.loads(correlated.out)["records"]}
        assert found["spearman"] == pytest.approx(1)

    def test_a_page_has_its_scores_and_intervals(self, run: Run, folder: Path, name: str) -> None:
        assert done(run, name, "html").code == 0
        page = (folder / f"{name}.html").read_text("utf-8")
        for record in scored(run, name, folder):
            numbers = (record["score"], record["ci"]["low"], record["ci"]["high"])
            assert all(f"{number:.2f}" in page for number in numbers)


@pytest.mark.parametrize("name", PAIRS)
class TestPairs:
    @pytest.mark.parametrize("command", ["score", "html", "correlate"])
    def test_other_commands_name_the_command_for_it(
        self, run: Run, name: str, command: str
    ) -> None:
        refused = run(name, COMMANDS[command])
        assert (refused.code, "type mteval pairwise" in refused.err) == (2, True)

    def test_systems_are_ranked_and_neither_replayed_nor_gated(self, run: Run, name: str) -> None:
        words = COMMANDS["score"].replace("score", "pairwise", 1).replace("-ci -pbs", "")
        assert run(name, words).code == 0
        for command in ("replay", "gate"):
            refused = run(name, COMMANDS[command])
            assert (refused.code, "a report of another command (pairs)" in refused.err) == (3, True)

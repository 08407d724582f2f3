"""An outsider's metric of the delays of systems: scores, tests, replay, gate and reports."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    pass

PLUGIN = Path(__file__).parent / "latency" / "mteval_latency.py"

REFERENCES = ["one two three four", "a b c", "so it is said"]
HYPOTHESES = ["one two three", "a b c d", "so it is"]
DELAYS = {
    "A": [[1, 2, 4], [3, 3, 5, 6], [2, 3, 4]],
    "late": [[4, 4, 4], [6, 6, 6, 6], [4, 4, 4]],
}
LENGTHS = [4, 6, 4]

# Average lagging of A by hand, with the reference: gamma = |y*| / |x|.
#   segment 0: gamma = 4/4; tau = 3, as d_3 = 4 >= 4; (1 - 0 + 2 - 1 + 4 - 2) / 3 = 4/3
#   segment 1: gamma = 3/6; tau = 4, as d_4 = 6 >= 6; (3 - 0 + 3 - 2 + 5 - 4 + 6 - 6) / 4 = 5/4
#   segment 2: gamma = 4/4; tau = 3;                  (2 - 0 + 3 - 1 + 4 - 2) / 3 = 2
# LAAL of segment 1 takes the four words of the hypothesis:
#   gamma = 4/6; (3 - 0 + 3 - 1.5 + 5 - 3 + 6 - 4.5) / 4 = 8/4
AL, LAAL = (4 / 3 + 5 / 4 + 2) / 3, (4 / 3 + 2 + 2) / 3
# A system that waits for the whole source has tau = 1, so AL = d_1 = |x|.
WAITING = (4 + 6 + 4) / 3

FIELDS = ("--fields", "delays=delays,source_length=audio.length")


@pytest.fixture
def run(mteval: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Run a command with the plugin, in a folder with the texts."""
    monkeypatch.chdir(tmp_path)
    Path("ref.txt").write_text("\n".join([*REFERENCES, ""]), "utf-8")
    for name, delays in DELAYS.items():
        write(name, delays)
    return lambda *words: mteval("-p", str(PLUGIN), *words)


def write(name: str, delays: list[Any], *, first: str = "") -> None:
    lines = zip(HYPOTHESES, delays, LENGTHS, strict=True)
    records = [{"hyp": h, "delays": d, "audio": {"length": n}} for h, d, n in lines]
    text = "\n".join([first, *map(json.dumps, records), ""]).lstrip("\n" if not first else "")
    Path(f"{name}.jsonl").write_text(text, "utf-8")


def scored(run: Any, *words: str) -> dict[str, Any]:
    done = run("score", "ref.txt", *words, *FIELDS, "-f", "json", "-q", "-o", "report.json")
    assert done.code == 0, done.err
    report: dict[str, Any] = json.loads(Path("report.json").read_text("utf-8"))
    return report


def test_scores_are_those_of_a_calculation_by_hand(run: Any) -> None:
    words = ("-i", "A.jsonl::hyp", "late.jsonl::hyp", "-m", "laal", "-ci", "-pbs", "-n", "100")
    first, second = scored(run, *words)["records"]
    assert first["values"] == pytest.approx({"LAAL": LAAL, "AL": AL})
    assert second["values"] == pytest.approx({"LAAL": WAITING, "AL": WAITING})
    assert first["ci"]["low"] <= first["score"] <= first["ci"]["high"]
    assert second["p_value"] is not None
    assert "|columns:delays+source_length|" in first["signature"]


def test_a_replay_notices_other_delays(run: Any) -> None:
    scored(run, "-i", "A.jsonl::hyp", "-m", "al")
    assert run("replay", "report.json").code == 0
    write("A", [[1, 2, 4], [3, 3, 5, 6], [2, 4, 4]])
    done = run("replay", "report.json")
    assert done.code == 1
    assert "the column 'delays' of it differs" in " ".join(done.out.split())


def test_a_signature_is_replayed_with_the_fields_that_it_names(run: Any) -> None:
    (record,) = scored(run, "-i", "A.jsonl::hyp", "-m", "al")["records"]
    words = ("replay", f"{record['signature']} = {AL:.4f}", "ref.txt", "-i", "A.jsonl::hyp")
    assert run(*words, *FIELDS).code == 0
    assert "needs a column 'delays'" in run(*words).err
    assert run(*words[:3], "-i", "late.jsonl::hyp", *FIELDS).code == 1


def test_a_gate_reads_the_columns_of_the_new_output_from_the_same_fields(run: Any) -> None:
    scored(run, "-i", "A.jsonl::hyp", "-m", "al")
    rule = ("--fail-if", "latency:value=AL > +1", "--alpha", "0.49")
    assert run("gate", "report.json", "-i", "A=late.jsonl::hyp", *rule, "-q").code == 1
    assert run("gate", "report.json", "-i", "A=A.jsonl::hyp", *rule, "-q").code == 0


def test_the_html_report_has_the_latency_of_each_system(run: Any) -> None:
    words = ("-i", "A.jsonl::hyp", "late.jsonl::hyp", "-m", "al", *FIELDS)
    assert run("score", "ref.txt", *words, "-o", "report.html", "-q").code == 0
    page = Path("report.html").read_text("utf-8")
    assert f"{AL:.2f}" in page
    assert f"{WAITING:.2f}" in page


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ("-m", "al"),
            "needs a column 'delays' of A or of the test set, and neither has one",
        ),
        (("-m", "bleu", *FIELDS), "no metric uses a column 'delays' (bleu)"),
        (("-m", "bleu", "--fields", "hpy=hyp"), "uses a column 'hpy' (bleu). Did you mean 'hyp'?"),
        (
            ("-m", "al", "--fields", "delays=x,source_length=x"),
            "A.jsonl:1: no field 'x'",
        ),
    ],
)
def test_a_column_that_is_missing_or_has_no_use_is_an_error(
    run: Any, words: tuple[str, ...], message: str
) -> None:
    done = run("score", "ref.txt", "-i", "A.jsonl::hyp", *words)
    assert done.code in (2, 3)
    assert message in done.err


def test_a_value_of_another_type_is_an_error_that_names_file_and_line(run: Any) -> None:
    write("A", [[1, 2, 4], "3 3 5 6", [2, 3, 4]], first="\n")
    done = run("score", "ref.txt", "-i", "A.jsonl::hyp", "-m", "al", *FIELDS)
    expected = "the column 'delays' has 3 3 5 6; expected a list of numbers, such as [1, 2.5]"
    assert f"A.jsonl:4: {expected}" in done.err

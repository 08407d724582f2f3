"""Human scores of data sets, negated criteria, judged segments, and names that nearly match."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import mteval_metaeval as metaeval
import numpy as np
import pytest
from mteval_metaeval.commands.human import HumanInput
from mteval_metaeval.raters import choose_criteria, number_segments

import mteval_core as mt
from mteval_core import Address, main

if TYPE_CHECKING:
    from collections.abc import Callable

    Run = Callable[..., tuple[int, str, str]]

pytest.importorskip("mteval_error_rates", reason="the plugin error_rates is not installed")

FORMATS = Path(__file__).with_name("judged_data.py")
REF = ["a b c d", "e f g", "h i", "j k l m n", "o p"]
OUTPUTS = {
    "A": ["a b c d", "e f g", "h x", "j k l m n", "o p"],
    "B": ["a b x d", "e x g", "h i", "j x l m n", "o x"],
    "C": ["x b x d", "e x x", "x i", "j x x x n", "x x"],
}
IDS = ["s1", "s2", "s3", "s4", "s5"]
PENALTIES = {"A": [0, 0, 5, 0, 1], "B": [5, 1, 0, 1, 6], "C": [9, 7, 2, 11, 9]}


def ratings(sign: int = 1, name: Callable[[str], str] = str) -> str:
    rows = [
        f"{name(s)}\t{i}\t{sign * v}\t{2000 + i}\t3,5\n"
        for s, values in PENALTIES.items()
        for i, v in enumerate(values)
        if i != 3
    ]
    return "system\tsegment\tMQM\tyear\tlength\n" + "".join(rows)


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command next to a data set with human scores."""
    monkeypatch.chdir(tmp_path)
    rows = [(s, IDS[i], -v) for s, values in PENALTIES.items() for i, v in enumerate(values)]
    data = {
        "refs": {"refA": REF},
        "systems": OUTPUTS,
        "ids": IDS,
        "language": "zh",
        "human": {"mqm": [row for row in rows if row[1] != "s4"], "esa": rows},
    }
    only = {"refs": {}, "systems": {}, "human": {"mqm": data["human"]["mqm"]}}  # type: ignore[index]
    texts = {"ref": REF, **OUTPUTS}
    contents = {
        **{name: "".join(f"{line}\n" for line in text) for name, text in texts.items()},
        "good": ratings(-1),
        "penalties": ratings(),
        "lower": ratings(-1, str.lower),
        "d.camp": json.dumps(data) + "\n",
        "only.camp": json.dumps(only) + "\n",
        "plain.camp": json.dumps({k: v for k, v in data.items() if k != "ids"}) + "\n",
    }
    for name, content in contents.items():
        (tmp_path / name).write_text(content, encoding="utf-8")

    def command(*arguments: str) -> tuple[int, str, str]:
        code = main(["-p", str(FORMATS), "correlate", *arguments, "-m", "wer", "-n", "0", "-q"])
        return code, *capsys.readouterr()

    return command


def values(run: Run, *arguments: str) -> list[Any]:
    code, out, err = run(*arguments, "-f", "json")
    assert (code, err) == (0, "")
    return [record["value"] for record in json.loads(out)["records"]]


SYSTEMS = ("-i", *OUTPUTS)


@pytest.mark.parametrize(
    "arguments",
    [
        ("--data", "d.camp", "--human", "mqm"),
        ("--data", "d.camp", "--human", "MQM=only.camp"),
        ("--data", "d.camp", "--human", "d.camp::mqm"),
        ("ref", *SYSTEMS, "--human", "good", "--criteria", "MQM"),
        ("ref", *SYSTEMS, "--human", "penalties", "--criteria", "score=-MQM"),
        ("--data", "d.camp", "--human", "penalties", "--criteria", "score=-MQM"),
    ],
)
def test_human_scores_are_the_same_from_everywhere(run: Run, arguments: tuple[str, ...]) -> None:
    """Scores by id, by line, negated or in the data set give the same correlations."""
    tokenizer = ("--tok", "13a")
    expected = values(run, "ref", *SYSTEMS, "--human", "good", "--criteria", "MQM", *tokenizer)
    assert any(value is not None for value in expected)
    assert values(run, *arguments, *tokenizer) == expected
    segments = ("--level", "segment", *tokenizer)
    by_segment = values(run, "ref", *SYSTEMS, "--human", "good", "--criteria", "MQM", *segments)
    assert values(run, *arguments, *segments) == by_segment


@pytest.mark.parametrize(
    "metrics", [("-m", "none", "--scores", "M=scores"), ("-m", "wer:tok=none", "per:tok=none")]
)
def test_metrics_with_all_their_options_need_no_tokenizer_of_the_language(
    run: Run, capsys: pytest.CaptureFixture[str], metrics: tuple[str, ...]
) -> None:
    """Chinese would choose a tokenizer, which no metric here takes."""
    assert run("--data", "d.camp", "--human", "mqm")[0] == 0
    lines = [f"{system}\t{k}\n" for k, system in enumerate(OUTPUTS)]
    Path("scores").write_text("".join(["system\tscore\n", *lines]))
    command = ["correlate", "--data", "d.camp", "--human", "mqm", *metrics, "-n", "0", "-q"]
    assert main(["-p", str(FORMATS), *command]) == 0
    assert capsys.readouterr().err == ""


def test_only_judged_segments_are_scored(run: Run) -> None:
    """The fourth segment, which nobody judged, changes the score of the metric only without it."""
    arguments = ("ref", *SYSTEMS, "--human", "good", "--criteria", "MQM")
    whole, judged = values(run, *arguments), values(run, *arguments, "--judged-only")
    assert whole != judged
    kept = [0, 1, 2, 4]
    scores = mt.evaluate(
        {name: [text[i] for i in kept] for name, text in OUTPUTS.items()},
        [[REF[i] for i in kept]],
        ["wer"],
    )
    metric = [-scores.score(name, "wer").score for name in OUTPUTS]
    human = [-np.mean([PENALTIES[name][i] for i in kept]) for name in OUTPUTS]
    assert judged[0] == pytest.approx(np.corrcoef(metric, human)[0, 1], abs=1e-12)
    code, out, _ = run(*arguments, "--judged-only", "-f", "json")
    assert (code, json.loads(out)["settings"]["judgments"]["judged_only"]) == (0, True)


def test_columns_that_nobody_chose_are_named(run: Run) -> None:
    code, out, _ = run("ref", *SYSTEMS, "--human", "good", "--criteria", "MQM")
    assert code == 0
    assert "not chosen: year." in " ".join(out.split())
    judgments = metaeval.Judgments.of([("A", 0, "", {"a": 1, "b": 2, "c": 3, "d": 4})])
    assert choose_criteria(judgments, ["x=-a+b", "c"]).unchosen == ("d",)
    assert choose_criteria(judgments, ["x=-a+b", "c"]).scores.tolist() == [[1.0, 3.0]]
    assert choose_criteria(judgments, "abcd").unchosen == ()


def test_a_decimal_comma_is_named(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("ref", *SYSTEMS, "--human", "good", "--criteria", "MQM")[0] == 0
    arguments = ["correlate", "ref", *SYSTEMS, "--human", "good", "--criteria", "MQM", "-n", "0"]
    assert main([*arguments, "-m", "wer"]) == 0
    assert "'length' ('3,5'); a decimal comma: write 3.5 [unused" in capsys.readouterr().err
    (tmp_path / "comma").write_text("system\tscore\nA\t1\nB\t2,5\n")
    code, _, err = run("ref", *SYSTEMS, "--human", "comma")
    assert (code, "score '2,5'; expected a number" in err) == (3, True)
    assert "a decimal comma: write 2.5" in err


@pytest.mark.parametrize(
    ("name", "other", "alike"),
    [
        ("Online-B", "online-B", True),
        ("online-B", "online-B.en-de", True),
        ("sys", "SYS-1", True),
        ("sys", "system", False),
        ("A", "B", False),
        ("A1", "A12", False),
    ],
)
def test_names_are_alike_up_to_case_and_a_suffix(name: str, other: str, *, alike: bool) -> None:
    from mteval_metaeval.measuring import are_alike

    assert are_alike(name, other) == are_alike(other, name) == alike


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("--data", "d.camp", "--human", "mqn"), 2, "d.camp has no human scores 'mqn'. Did you me"),
        (("--data", "d.camp", "--human", "d.camp"), 3, "Known: esa, mqm. Choose one, d.camp::NAME"),
        (("--data", "d.camp", "--human", "mqm", "good"), 2, "only tables can be joined"),
        (
            ("ref", *SYSTEMS, "--human", "only.camp"),
            3,
            "name segments by ids, such as 's1', but",
        ),
        (("--data", "plain.camp", "--human", "mqm"), 3, "has none: name the column of ids"),
        (("--data", "only.camp", "--human", "mqm"), 3, "only.camp has no references"),
        (("--data", "d.camp", "--human", "mqm", "--criteria", "x=-mqn"), 2, "unknown criterion"),
        (("--agreement", "--human", "good", "--judged-only"), 2, "leave out --judged-only"),
        (("ref", *SYSTEMS, "--human", "lower", "--criteria", "MQM"), 3, "none of the systems was"),
    ],
)
def test_requests_that_do_not_fit(
    run: Run, arguments: tuple[str, ...], code: int, message: str
) -> None:
    if "--agreement" in arguments:
        assert main(["correlate", *arguments]) == code
        return
    seen, out, err = run(*arguments)
    assert (seen, out) == (code, ""), err
    assert message in err


def test_judgments_of_an_unknown_segment() -> None:
    judgments = metaeval.Judgments.of([("A", "s9", "", {"h": 1})])
    with pytest.raises(mt.InputError, match="segment 's9' was judged, but is not in the test set"):
        number_segments(judgments, ["s1"])
    assert number_segments(judgments, ["s1", "s9"]).items == (1,)
    by_line = metaeval.Judgments.of([("A", 4, "", {"h": 1})])
    assert number_segments(by_line, None) is by_line


def test_a_file_that_exists_keeps_its_equals_sign(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a=b.txt").write_text("x\n")
    for text, name, path in (
        ("a=b.txt", "", "a=b.txt"),
        ("DA=ratings.tsv", "DA", "ratings.tsv"),
        ("plain.tsv", "", "plain.tsv"),
        ("=x", "", "=x"),
        ("mqm:first=1:ratings.tsv", "", "mqm:first=1:ratings.tsv"),
    ):
        assert HumanInput.parse(text) == (name, Address(path))

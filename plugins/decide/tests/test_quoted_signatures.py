"""Signatures of sacreBLEU as people have them are replayed and compared."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from mteval_core import main, read_text

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

for plugin in ("mteval_bleu_nist", "mteval_chrf", "mteval_error_rates"):
    pytest.importorskip(plugin, reason=f"{plugin} is not installed")

PLAIN = "case:mixed|eff:no|tok:13a|smooth:exp|version:2.3.1"
TAIL = "58.1/31.7/19.8/12.9 (BP = 0.981 ratio = 0.981 hyp_len = 61234 ref_len = 62412)"
TEXTS = ("ref0.txt", "-i", "systems/neural.txt")


@pytest.fixture
def run(
    capsys: pytest.CaptureFixture[str], mini: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., tuple[int, str, str]]:
    """Run a command in the folder of the example: exit code, output, errors."""
    monkeypatch.chdir(mini)

    def command(*words: str) -> tuple[int, str, str]:
        code = main([*words])
        return code, *capsys.readouterr()

    return command


def lines(path: Path) -> list[str]:
    return [line or "" for line in read_text(path)]


def test_json_of_sacrebleu_is_replayed(
    run: Callable[..., tuple[int, str, str]], tmp_path: Path, mini: Path
) -> None:
    """The file is what ``sacrebleu ref0.txt -i systems/neural.txt -m bleu chrf ter`` prints."""
    metrics = pytest.importorskip("sacrebleu.metrics")
    output, references = lines(mini / "systems" / "neural.txt"), [lines(mini / "ref0.txt")]
    found = []
    for metric in (metrics.BLEU(), metrics.CHRF(), metrics.TER()):
        score = metric.corpus_score(output, references)
        signature = metric.get_signature().format()
        found.append(json.loads(score.format(width=1, signature=signature, is_json=True)))
    path = tmp_path / "scores.json"
    path.write_text(json.dumps(found, indent=1))
    code, out, err = run("replay", str(path), *TEXTS)
    assert (code, err) == (0, "")
    assert [line.partition("|")[0] for line in out.splitlines()] == ["BLEU", "chrF", "TER"]
    path.write_text(json.dumps({**found[1], "score": 12.3}, indent=1))
    code, _, err = run("replay", str(path), *TEXTS)
    assert (code, "the score was 12.3" in err) == (1, True)
    code, out, err = run("replay", str(path), *TEXTS, "--expect", "12.3")
    assert (code, out) == (2, "")
    assert "--expect, and the score 12.3 beside the signature" in err
    path.write_text("[{}]")
    code, out, err = run("replay", str(path), *TEXTS)
    assert (code, "not a report of mteval" in err) == (3, True)
    path.write_text('[{"name": ')
    assert run("replay", str(path), *TEXTS)[0] == 2
    code, _, err = run("replay", "[]", *TEXTS)
    assert (code, "the list of signatures is empty" in err) == (2, True)


def test_a_number_of_a_paper_comes_out_or_not(
    run: Callable[..., tuple[int, str, str]], mini: Path
) -> None:
    metric = pytest.importorskip("sacrebleu.metrics").CHRF()
    output, references = lines(mini / "systems" / "neural.txt"), [lines(mini / "ref0.txt")]
    score = metric.corpus_score(output, references).score
    form = f"{metric.get_signature()}"
    code, out, err = run("replay", form, *TEXTS, "--expect", f"{score:.1f}")
    assert (code, out.splitlines()[-1]) == (0, f"{score:.1f} comes out")
    assert err.startswith(
        "mteval: note: the signature does not name its metric; it is read as chrf"
    )
    code, out, err = run("replay", f"chrF2|{form}", *TEXTS, "--expect", f"{score + 0.1:.1f}")
    assert (code, "comes out" in out) == (1, False)
    assert err == (
        f"mteval: replay failed: the score was {score + 0.1:.1f}, now it is {score:.1f}\n"
    )
    code, _, err = run("replay", form, *TEXTS, "--expect", "twelve")
    assert (code, "--expect: expected a score" in err) == (2, True)
    assert run("replay", f"{form} = 3", *TEXTS, "--expect", "3")[0] == 2
    assert run("replay", "x.json", "--expect", "3")[0] == 2


# Differences

ONE = f"nrefs:1|{PLAIN}"


@pytest.mark.parametrize(
    ("other", "code", "summary", "rows"),
    [
        (ONE, 0, "can be compared if the texts are the same.", []),
        (
            f"BLEU+case.mixed+lang.cs-en+numrefs.1+smooth.exp+tok.13a+version.1.4.7 = 9.1 {TAIL}",
            0,
            "can be compared if the texts are the same and these versions compute the same.",
            ["version 2.3.1 1.4.7", "lang \u2013 cs-en"],
        ),
        (
            "BLEU|#:2|c:lc|e:no|tok:intl|s:exp|v:2.3.1",
            1,
            "cannot be compared: another case and tok and nrefs.",
            ["case mixed lc", "tok 13a intl", "nrefs 1 2"],
        ),
        (
            ONE.replace("nrefs:1", "nrefs:1|bs:1000|seed:1"),
            0,
            "can be compared if the texts are the same.",
            ["bs \u2013 1000", "seed \u2013 1"],
        ),
    ],
)
def test_the_difference_of_two_signatures(
    run: Callable[..., tuple[int, str, str]], other: str, code: int, summary: str, rows: list[str]
) -> None:
    found, out, err = run("diff", ONE, other)
    assert (found, err) == (code, "")
    assert f"The scores {summary}" in " ".join(out.split())
    table = out.partition("-\n")[2].splitlines()
    assert sorted(" ".join(line.split()) for line in table) == sorted(rows)


def test_signatures_of_other_metrics_cannot_be_compared(
    run: Callable[..., tuple[int, str, str]],
) -> None:
    code, out, _ = run("diff", ONE, "nrefs:1|case:mixed|eff:yes|nc:6|nw:0", "-f", "json")
    records = {one["field"]: one for one in json.loads(out)["records"]}
    assert (code, records["metric"]["after"]) == (1, "mteval-chrf/chrf")
    code, out, _ = run("diff", ONE, "chrF2|nrefs:1|nc:6")
    assert (code, "cannot be compared: another metric.\n" in out) == (1, True)


def test_all_fields_of_signatures(run: Callable[..., tuple[int, str, str]]) -> None:
    code, out, _ = run("diff", ONE, ONE, "--all")
    assert code == 0
    assert ["order", "4", "4"] in [line.split() for line in out.splitlines()]


@pytest.mark.parametrize(
    "words", [[ONE, "x.json"], ["x.json", ONE], [ONE, ONE, "--tolerance", "1"]]
)
def test_a_signature_is_compared_with_a_signature(
    run: Callable[..., tuple[int, str, str]], words: list[str]
) -> None:
    assert run("diff", *words)[:2] == (2, "")

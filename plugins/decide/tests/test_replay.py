"""``mteval replay SIGNATURE``: the same score again, or the reason why it differs."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest

import mteval_core as mt
from mteval_core import TestSet, main, read_text

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

pytest.importorskip("mteval_bleu_nist", reason="the plugin bleu_nist is not installed")


@pytest.fixture
def replay(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """Run ``mteval replay`` in this process: exit code, output, errors."""

    def run(*arguments: str | Path) -> tuple[int, str, str]:
        code = main(["replay", *map(str, arguments)])
        return code, *capsys.readouterr()

    return run


@pytest.fixture
def texts(mini: Path) -> tuple[list[str], list[list[str]]]:
    """Read the lines of one system, and of two references."""
    read = [
        (mini / name).read_text(encoding="utf-8").split("\n")[:-1]
        for name in ("systems/neural.txt", "ref0.txt", "ref1.txt")
    ]
    return read[0], read[1:]


@pytest.fixture
def paths(mini: Path) -> list[Path | str]:
    """Name two references and one system, as arguments."""
    return [mini / "ref0.txt", mini / "ref1.txt", "-i", mini / "systems" / "neural.txt"]


@pytest.mark.parametrize("spec", ["bleu", "bleu:smooth=add-k[0.5],tok=intl,case=lc", "nist"])
def test_our_own_signature(
    replay: Callable[..., Any],
    texts: tuple[list[str], list[list[str]]],
    paths: list[Path | str],
    spec: str,
) -> None:
    score = mt.metric(spec).corpus_score(*texts)
    code, out, err = replay(str(score.signature), *paths, "-w", "12")
    assert (code, err) == (0, "")
    assert out == f"{score.format(12)}\n"
    # The whole printed line is accepted, and its score is compared.
    assert replay(str(score), *paths) == (0, f"{score}\n", "")
    wrong = str(score).replace(f" = {score.score:.2f}", f" = {score.score + 0.01:.2f}")
    code, out, err = replay(wrong, *paths)
    assert (code, out) == (1, f"{score}\n")
    assert err == (
        f"mteval: replay failed: the score was {score.score + 0.01:.2f}, "
        f"now it is {score.score:.2f}\n"
    )


@pytest.mark.parametrize("short", [False, True])
@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"tokenize": "intl", "lowercase": True},
        {"smooth_method": "floor", "smooth_value": 0.25},
        {"effective_order": True, "smooth_method": "none", "tokenize": "char"},
    ],
)
def test_sacrebleus_signature(
    replay: Callable[..., Any],
    texts: tuple[list[str], list[list[str]]],
    paths: list[Path | str],
    arguments: dict[str, Any],
    *,
    short: bool,
) -> None:
    sacrebleu = pytest.importorskip("sacrebleu.metrics")
    metric = sacrebleu.BLEU(**arguments)
    theirs = metric.corpus_score(*texts)
    signature = f"BLEU|{metric.get_signature().format(short=short)}"
    code, out, err = replay(signature, *paths, "-w", "10")
    assert (code, err) == (0, "")
    (ours,) = re.findall(r" = ([0-9.]+) ", out)
    assert float(ours) == pytest.approx(theirs.score, abs=1e-9)
    printed = f"{signature} = {theirs.score:.1f} 58.5/33.1/21.4/13.8 (BP = 1.000 ratio = 1.0)"
    assert replay(printed, *paths)[0] == 0
    printed = f"{signature} = {theirs.score + 0.1:.1f} 58.5/33.1/21.4/13.8 (BP = 1.000)"
    assert replay(printed, *paths)[0] == 1


@pytest.mark.parametrize(
    ("line", "distribution"),
    [
        (
            "BLEU+case.mixed+lang.de-en+numrefs.1+smooth.exp+test.wmt20/tworefs+tok.13a"
            "+version.1.4.14 = 44.1 74.4/52.1/38.7/28.7 (BP = 0.967 ratio = 0.968)",
            "mteval_bleu_nist",
        ),
        ("BLEU+c.lc+#.1+s.floor[0.25]+tok.13a+v.1.5.1 = 44.7 75.3/52.8", "mteval_bleu_nist"),
        ("chrF2+numchars.6+space.false+version.1.5.1 = 0.64", "mteval_chrf"),
        (
            "TER+tok.tercom-nonorm-punct-noasian-uncased+version.1.5.1 = 0.466",
            "mteval_error_rates",
        ),
    ],
)
def test_lines_that_sacrebleu_1_prints(
    replay: Callable[..., Any], paths: list[Path | str], line: str, distribution: str
) -> None:
    """Lines of sacreBLEU 1.4.14 and 1.5.1 for the system and the first reference of the example."""
    pytest.importorskip(distribution)
    code, _, err = replay(line, paths[0], *paths[2:])
    assert (code, err) == (0, "")
    worse = re.sub(r"= (\d+)\.(\d)", r"= \1\2.\2", line)
    assert replay(worse, paths[0], *paths[2:])[0] == 1


@pytest.mark.parametrize(
    "tail", [" = nan", " = inf", " =", "= 3,00", " = 3.00%", " = ٣", " = x 3.0"]
)
def test_what_is_not_a_score_behind_a_signature_is_refused(
    replay: Callable[..., Any], paths: list[Path | str], tail: str
) -> None:
    code, out, err = replay(f"BLEU|tok:13a|version:2.6.0{tail}", *paths)
    assert (code, out) == (2, "")
    assert "beside the signature: expected a score, such as 27.14, got" in err


@pytest.mark.parametrize("tail", ["= 3.00", " =3.00", "=3.00", " = 3", "  = 3.00 (BP = 1)"])
def test_a_score_behind_a_signature_is_compared(
    replay: Callable[..., Any], paths: list[Path | str], tail: str
) -> None:
    code, _, err = replay(f"BLEU|tok:13a|version:2.6.0{tail}", *paths)
    assert code == 1
    assert "the score was 3" in err


def test_the_readmes_example_as_a_process(
    process: Callable[..., Any], mini: Path, texts: tuple[list[str], list[list[str]]]
) -> None:
    bleu = pytest.importorskip("sacrebleu.metrics").BLEU()
    hypotheses, references = texts
    theirs = bleu.corpus_score(hypotheses, references[:1]).score
    done = process(
        "replay",
        "BLEU|nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0",
        mini / "ref0.txt",
        "-i",
        mini / "systems" / "neural.txt",
    )
    assert (done.code, done.err) == (0, "")
    assert f" = {theirs:.2f} (" in done.out


def test_standard_input(
    process: Callable[..., Any], mini: Path, texts: tuple[list[str], list[list[str]]]
) -> None:
    hypotheses, references = texts
    score = mt.metric("bleu").corpus_score(hypotheses, references[:1])
    data = (mini / "systems" / "neural.txt").read_bytes()
    done = process("replay", str(score), mini / "ref0.txt", stdin=data)
    assert (done.code, done.out, done.err) == (0, f"{score}\n", "")


def test_other_references(
    replay: Callable[..., Any],
    texts: tuple[list[str], list[list[str]]],
    paths: list[Path | str],
    tmp_path: Path,
) -> None:
    score = mt.metric("bleu").corpus_score(*texts)
    changed = tmp_path / "ref1.txt"
    changed.write_text("\n".join([*texts[1][1][:-1], "another"]) + "\n", encoding="utf-8")
    then = score.signature.get("refs")
    code, out, err = replay(str(score.signature), paths[0], changed, *paths[2:])
    assert code == 1
    now = mt.Signature.parse(out).get("refs")
    assert err == (
        f"mteval: replay failed: the hash of the references was {then}, now it is {now}\n"
    )
    code, _, err = replay(str(score.signature), paths[0], *paths[2:])
    assert code == 1
    assert "the number of references was 2, now it is 1\n" in err
    short = "BLEU|#:2|c:mixed|e:no|tok:13a|s:exp|v:2.6.0"
    code, _, err = replay(short, paths[0], *paths[2:])
    assert (code, err) == (
        1,
        "mteval: replay failed: the number of references was 2, now it is 1\n",
    )


def test_other_versions_are_noted(
    replay: Callable[..., Any],
    texts: tuple[list[str], list[list[str]]],
    paths: list[Path | str],
) -> None:
    score = mt.metric("bleu").corpus_score(*texts)
    (plugin,) = score.signature.fields["plugin"]
    before = str(score.signature).replace(plugin, "mteval-bleu-nist@0.0.9,mteval-x@2")
    before = before.replace(f"version:{mt.__version__}", "version:0.0.1")
    code, out, err = replay(before, *paths)
    assert (code, out) == (0, f"{score}\n")
    assert err.splitlines() == [
        f"mteval: note: plugin was mteval-bleu-nist@0.0.9,mteval-x@2, now it is {plugin}",
        f"mteval: note: version was 0.0.1, now it is {mt.__version__}",
    ]


@pytest.mark.parametrize(
    ("signature", "code", "message"),
    [
        ("BLEU", 2, "'BLEU' is not a signature"),
        ("BLEU|tok", 2, "in the signature 'BLEU|tok'"),
        ("XYZ9|nrefs:2|c:no", 2, "the signature 'XYZ9|nrefs:2|c:no' has no field"),
        ("BLEU|tok:13b|version:2.6.0", 2, "unknown tokenizer '13b'. Did you mean '13a'?"),
        ("XX|tok:13a|plugin:mteval-xx@1|version:0.1.0", 2, "unknown metric 'XX'."),
        ("BLEU|order:x|plugin:mteval-bleu-nist@1", 2, "metric 'BLEU': option order=x: expected"),
    ],
)
def test_refusals(
    replay: Callable[..., Any], paths: list[Path | str], signature: str, code: int, message: str
) -> None:
    found, out, err = replay(signature, *paths)
    assert (found, out) == (code, "")
    assert err.startswith(f"mteval: error: {message}")
    assert err.count("\n") == 1


@pytest.mark.parametrize("flags", [["--docs", "d"], ["--scores", "COMET=c"]])
def test_flags_that_do_nothing_for_a_signature_are_refused(
    replay: Callable[..., Any], paths: list[Path | str], flags: list[str]
) -> None:
    code, out, err = replay("BLEU|tok:13a|version:2.6.0", *paths, *flags)
    assert (code, out) == (2, "")
    assert err.startswith(f"mteval: error: {flags[0]} applies to a report; ")


# Reports


def test_decimals_do_nothing_for_a_report(replay: Callable[..., Any]) -> None:
    code, out, err = replay("absent.json", "-w", "2")
    assert (code, out) == (2, "")
    assert err.startswith("mteval: error: -w applies to the score of a signature; ")


@pytest.fixture
def report(mini: Path) -> dict[str, Any]:
    """Make a report of one system under two equivalent specs."""
    references = TestSet((read_text(mini / "ref0.txt"),))
    system = read_text(mini / "systems" / "neural.txt")
    evaluation = mt.evaluate({"neural": system}, references, ["bleu", "bleu:order=4"])
    found: dict[str, Any] = json.loads(json.dumps(evaluation.to_dict()))
    return found


def test_specs_of_one_signature_are_replayed_each(
    replay: Callable[..., Any], report: dict[str, Any], tmp_path: Path
) -> None:
    path = tmp_path / "report.json"
    path.write_text(json.dumps(report))
    code, out, err = replay(path)
    assert (code, err) == (0, "")
    assert out.endswith("2 of 2 records pass: scores, values, signatures, inputs\n")
    assert [line.split()[1] for line in out.splitlines()[2:4]] == ["bleu", "bleu:order=4"]


@pytest.mark.parametrize(
    ("where", "value", "message"),
    [
        (("records",), [], "records: expected a list of 1 values or more, got a list"),
        (("records",), {}, "records: expected a list of 1 values or more, got an object"),
        (("inputs",), None, "inputs: expected an object, got None"),
        (("inputs", "references"), None, "inputs.references: expected a list of 0 values or more"),
        (("inputs", "references", 0), "ref0", "inputs.references[0]: expected an object"),
        (("inputs", "references", 0, "hash"), "0", "inputs.references[0].hash: expected a digest"),
        (("inputs", "docs"), 5, "inputs.docs: expected an object, got 5"),
        (("inputs", "systems"), [], "inputs.systems: expected an object, got a list"),
        (("inputs", "systems", "neural"), ["path"], "inputs.systems.neural[0]: expected an object"),
        (("inputs", "systems"), {}, "records[0].system: 'neural' is not a system of the inputs"),
        (("records", 0), "record", "records[0]: expected an object, got 'record'"),
        (("records", 0, "score"), "high", "records[0].score: expected"),
        (("records", 0, "score"), True, "records[0].score: expected"),
        (("records", 0, "values"), {"BLEU": None}, "records[0]: expected finite numbers"),
        (("records", 0, "note"), "", "records[0]: the key 'note' is not known"),
        (("records", 0, "signature"), 5, "records[0].signature: expected a string of printable"),
        (("records", 0, "signature"), "BLEU", "records[0].signature: 'BLEU' is not a signature"),
        (("records", 0, "metric"), None, "records[0].metric: expected a string of printable"),
        (("records", 0, "metric"), "bleu:", "records[0].metric: expected the spec 'bleu', got"),
        (("records", 0, "metric"), "bleu:order=4", "records: 2 of them are of ('neural', 'bleu:or"),
        (
            ("records", 0, "system"),
            "a\x1b[31m",
            "records[0].system: expected a string of printable",
        ),
        (("records", 0, "level"), "word", "records[0].level: expected 'corpus' or 'doc' or 'seg"),
        (("records", 0, "level"), "doc", "records[1].level: expected 'doc', as in records[0]"),
        (("records", 0, "id"), [], "records[0].id: expected"),
        (("records", 0, "ci"), 5, "records[0].ci: expected an object, got 5"),
        (("records", 0, "ci"), {"n": 100}, "records[0].ci: the key 'high' is missing"),
        (("records", 0, "p_value"), 0.5, "records[0]: expected 'p_value' and 'difference', or"),
        (("comparisons",), [{}], "comparisons[0]: the key 'baseline' is missing"),
    ],
)
def test_what_is_no_report_is_refused(
    replay: Callable[..., Any],
    capsys: pytest.CaptureFixture[str],
    report: dict[str, Any],
    tmp_path: Path,
    where: tuple[Any, ...],
    value: Any,
    message: str,
) -> None:
    good, bad = tmp_path / "good.json", tmp_path / "bad.json"
    good.write_text(json.dumps(report))
    holder: Any = report
    for key in where[:-1]:
        holder = holder[key]
    holder[where[-1]] = value
    bad.write_text(json.dumps(report))
    code, out, err = replay(bad)
    assert (code, out) == (3, "")
    assert err.startswith(f"mteval: error: {bad}: not a report of mteval: {message}")
    assert main(["diff", str(good), str(bad)]) == 3
    assert capsys.readouterr().err == err


def test_what_is_no_json_is_refused(replay: Callable[..., Any], tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    for content in (b"", b"{", b"\xff"):
        path.write_bytes(content)
        code, out, err = replay(path)
        assert (code, out) == (3, "")
        assert err.startswith(f"mteval: error: {path}: not JSON (")
    assert replay(tmp_path / "absent.json") == (
        3,
        "",
        f"mteval: error: {tmp_path / 'absent.json'}: no such file. Did you mean 'report.json'?\n",
    )

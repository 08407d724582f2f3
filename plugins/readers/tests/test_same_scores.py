"""The texts of the example test set give the same score in every format, and replay from it."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from mteval_core import main

if TYPE_CHECKING:
    from collections.abc import Callable

pytest.importorskip("mteval_chrf")

MINI = Path(__file__).parents[3] / "examples" / "mini"
if not MINI.is_dir():
    pytest.skip("examples/mini is absent", allow_module_level=True)


def lines(name: str) -> list[str]:
    return (MINI / name).read_text("utf-8").removesuffix("\n").split("\n")


SOURCE, REFERENCE, OUTPUT = map(lines, ("src.de.txt", "ref0.txt", "systems/short.txt"))
ROWS = list(zip(SOURCE, REFERENCE, OUTPUT, strict=True))


def xml(texts: list[str], attributes: str = "") -> str:
    """Write segments as elements, with the characters that XML reserves as entities."""
    escaped = [text.replace("&", "&amp;").replace("<", "&lt;") for text in texts]
    segments = [f'<seg id="{k}">{text}</seg>' for k, text in enumerate(escaped, 1)]
    return f"<p{attributes}>" + "\n".join(segments) + "</p>"


def table(delimiter: str) -> str:
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, delimiter=delimiter, lineterminator="\n")
    writer.writerows([("src", "ref", "hyp"), *ROWS])
    return stream.getvalue()


def json_lines(*keys: str) -> str:
    return "".join(json.dumps(dict(zip(keys, row, strict=True))) + "\n" for row in ROWS)


SETS = {
    "sgml": (
        f'<refset setid="m" srclang="de" trglang="en"><doc docid="d" sysid="ref0">{xml(REFERENCE)}'
        f'</doc></refset><tstset setid="m" srclang="de" trglang="en"><doc docid="d" sysid="short">'
        f"{xml(OUTPUT)}</doc></tstset>"
    ),
    "xml": (
        f'<dataset><doc id="d" origlang="de"><src lang="de">{xml(SOURCE)}</src><ref lang="en">'
        f'{xml(REFERENCE)}</ref><hyp lang="en" system="short">{xml(OUTPUT)}</hyp></doc></dataset>'
    ),
    "wmt": json.dumps(
        {
            "doc_id": "d",
            "src_lang": "de",
            "tgt_lang": "en",
            "src_text": "\n\n".join(SOURCE),
            "refs": {"refA": {"ref": "\n\n".join(REFERENCE)}},
        }
    ),
    "systems": json.dumps({"doc_id": "d", "hypothesis": "\n\n".join(OUTPUT)}),
    "comet": json.dumps(
        {"short.txt": [{"src": s, "mt": o, "ref": r, "COMET": 0.5} for s, r, o in ROWS]}
    ),
    "samples": "".join(
        json.dumps({"doc_id": k, "filter": "short", "target": r, "filtered_resps": [o]}) + "\n"
        for k, (_, r, o) in enumerate(ROWS)
    ),
    "fairseq": "".join(
        f"H-{k}\t-0.5\t{o}\nT-{k}\t{r}\n" for k, (_, r, o) in reversed(list(enumerate(ROWS)))
    ),
}

FORMATS: dict[str, tuple[dict[str, str], str, str]] = {
    "json lines": ({"x.jsonl": json_lines("s", "r", "h")}, "x.jsonl::r", "x.jsonl::h"),
    "nested": (
        {"x.jsonl": "".join(json.dumps({"a": {"b": [r]}, "h": o}) + "\n" for _, r, o in ROWS)},
        "x.jsonl::a.b[1]",
        "x.jsonl::h",
    ),
    "json": (
        {"x.json": json.dumps([{"refs": [r], "hyp": o} for _, r, o in ROWS])},
        "x.json::refs[1]",
        "x.json::hyp",
    ),
    "tsv": ({"x.tsv": table("\t")}, "x.tsv::ref", "x.tsv::hyp"),
    "csv": ({"x.csv": table(",")}, "x.csv::ref", "x.csv::hyp"),
    "n-best": (
        {"x.nbest": "".join(f"{k} ||| {o} ||| F= 1 ||| -1\n" for k, o in enumerate(OUTPUT))},
        str(MINI / "ref0.txt"),
        "x.nbest",
    ),
    "sgml": ({"x.sgm": SETS["sgml"]}, "x.sgm::ref.ref0", "x.sgm::system.short"),
    "xml": ({"x.xml": SETS["xml"]}, "x.xml::ref.ref", "x.xml::system.short"),
    "wmt": (
        {"w/x.jsonl": SETS["wmt"], "w/systems/short.jsonl": SETS["systems"]},
        "w/x.jsonl::ref.refA",
        "w/x.jsonl::system.short",
    ),
    "comet": ({"x.json": SETS["comet"]}, "x.json::ref.ref0", "x.json::system.short"),
    "lm-eval": (
        {"samples_x.jsonl": SETS["samples"]},
        "samples_x.jsonl::ref.ref0",
        "samples_x.jsonl::system.short",
    ),
    "fairseq": (
        {"generate-x.txt": SETS["fairseq"]},
        "generate-x.txt::ref.ref0",
        "generate-x.txt::system.H",
    ),
}
"""Files, and the addresses of the reference and the output in them."""


@pytest.fixture
def run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> Callable[..., tuple[int, str, str]]:
    monkeypatch.chdir(tmp_path)

    def run(*arguments: object) -> tuple[int, str, str]:
        code = main([str(argument) for argument in arguments])
        out, err = capsysbinary.readouterr()
        return code, out.decode(), err.decode()

    return run


def write(files: dict[str, str]) -> None:
    for name, text in files.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text, "utf-8", newline="")


def score(run: Callable[..., Any], *inputs: object) -> dict[str, Any]:
    """Return the only record of a report, which is kept as ``report.json``."""
    code, out, err = run("score", *inputs, "-m", "chrf", "--format", "json")
    assert (code, err) == (0, ""), err
    Path("report.json").write_text(out, "utf-8")
    record = json.loads(out)
    while not (isinstance(record, dict) and "signature" in record):
        record = record[-1] if isinstance(record, list) else record["records"]
    return dict(record)


@pytest.mark.parametrize("name", FORMATS)
def test_a_format_gives_the_score_of_plain_lines_and_replays(
    run: Callable[..., Any], name: str
) -> None:
    files, reference, output = FORMATS[name]
    plain = score(run, MINI / "ref0.txt", "-i", f"short={MINI}/systems/short.txt")
    write(files)
    record = score(run, reference, "-i", f"short={output}")
    assert record["score"] == plain["score"]
    assert record["signature"] == plain["signature"]
    pytest.importorskip("mteval_decide", reason="mteval replay is not installed")
    code, out, err = run("replay", "report.json")
    assert (code, err) == (0, ""), out + err
    assert "1 of 1 records pass" in out


@pytest.mark.parametrize(
    ("files", "data"),
    [
        ({"x.sgm": SETS["sgml"]}, "x.sgm"),
        ({"x.xml": SETS["xml"]}, "x.xml"),
        (
            {"w/x.jsonl": SETS["wmt"], "w/systems/short.jsonl": SETS["systems"]},
            "wmt-json:w/x.jsonl",
        ),
        ({"x.json": SETS["comet"]}, "x.json"),
        ({"samples_x.jsonl": SETS["samples"]}, "samples_x.jsonl"),
    ],
)
def test_a_data_set_needs_no_other_flag_and_replays(
    run: Callable[..., Any], files: dict[str, str], data: str
) -> None:
    plain = score(run, MINI / "ref0.txt", "-i", f"short={MINI}/systems/short.txt")
    write(files)
    record = score(run, "--data", data)
    assert (record["system"], record["score"]) == ("short", plain["score"])
    pytest.importorskip("mteval_decide", reason="mteval replay is not installed")
    code, out, err = run("replay", "report.json")
    assert (code, err) == (0, ""), out + err

"""SGML: the texts of mteval-v13a, its golden scores, and what is refused.

The layout is that of the files of NIST and WMT, as mteval-v13a.pl reads them (it matches tags with
regular expressions, reads attributes with or without quotes, and joins lines). Golden scores are
those of ``../shared/golden``, which the plugin bleu_nist copies.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from mteval_readers import sgml
from mteval_testing.originals import Golden, Run, assert_printed

import mteval_core as mt

if TYPE_CHECKING:
    from collections.abc import Sequence

REFERENCES = """<!DOCTYPE mteval SYSTEM "mteval-xml-v1.3.dtd">
<REFSET setid="news" srclang="de" trglang=en>
<DOC docid="d2" sysid='refA' genre="news">
<hl><SEG id="1"> AT&T &amp; Co,
on two   lines </SEG></hl>
<p><seg id=2>3 < 4 &lt; 5 &quot;x&quot; &apos;</seg></p>
</DOC>
<doc docid="d1" sysid="refA"><seg id="1">a&amp;lt;b<skipped></seg></doc>
</REFSET>
<refset setid="news" srclang="de" trglang="en" refid="refB">
<doc docid="d1"><seg id="1">three</seg></doc>
<doc docid="d2"><seg id="2">two</seg><seg id="1">one</seg></doc>
</refset>
"""

OUTPUTS = """<tstset setid="news" srclang="de" trglang="en">
<doc docid="d1" sysid="sysX"><seg id="1">x three</seg></doc>
<doc docid="d2" sysid="sysX"><seg id="1">x one</seg>\u00a0<seg id="2"></seg></doc>
</tstset>
"""

SOURCE = """<srcset setid="news" srclang="de"><doc docid="d2"><seg id="1">eins</seg>
<seg id="2">zwei</seg></doc><doc docid="d1"><seg id="1">drei</seg></doc></srcset>"""


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    contents = {"ref.sgm": REFERENCES, "tst.sgm": OUTPUTS, "src.sgm": SOURCE}
    for name, text in contents.items():
        (tmp_path / name).write_text(text, "utf-8")
    return {name[:3]: str(tmp_path / name) for name in contents}


def test_the_texts_are_those_of_mteval(files: dict[str, str]) -> None:
    data = sgml.read(files["ref"])
    assert data.test_set is not None
    assert data.reference_names == ("refA", "refB")
    first, second = map(list, data.test_set.references)
    assert first == ["AT&T & Co, on two lines", '3 < 4 < 5 "x" &apos;', "a<b"]
    assert second == ["one", "two", "three"]
    assert data.test_set.documents == ("d2", "d2", "d1")
    assert data.test_set.ids == ("d2/1", "d2/2", "d1/1")
    assert data.language == "en"


def test_files_are_joined_by_document_and_id(files: dict[str, str]) -> None:
    data = mt.read_dataset("sgml:{ref},{src},{tst}".format_map(files))
    assert data.test_set is not None
    assert data.test_set.source is not None
    assert list(data.test_set.source) == ["eins", "zwei", "drei"]
    assert list(data.runs("sysX")[0]) == ["x one", "", "x three"]


def test_outputs_can_be_read_without_references(files: dict[str, str]) -> None:
    data = mt.read_dataset(files["tst"])
    assert data.test_set is None
    assert list(data.text("system.sysX")) == ["x three", "x one", ""]


def test_only_sgml_looks_like_it(files: dict[str, str], tmp_path: Path) -> None:
    assert all(sgml.looks_like(path) for path in files.values())
    other = tmp_path / "x.sgm"
    other.write_text("<html>refset</html>")
    assert not sgml.looks_like(str(other))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("</SEG>", "", r":6: '<seg id=2>' where <seg> is open"),
        ("</DOC>", "", r":8: '<doc docid=\"d1\" .*' where <doc> is open"),
        ('<refset setid="news" srclang="de" trglang="en" refid="refB">', "", r"no set is open"),
        ("</refset>\n", "", r":12: the file ends in an open <refset>; is it truncated\?"),
        ('<SEG id="1">', "<SEG>", r":5: the segment '' of document 'd2' of 'refA'"),
        ("id=2", 'id="1"', r":6: the segment '1' of document 'd2' .* each segment once"),
        (' refid="refB"', "", r":11: .* of ''; expected an id, a docid and a sysid"),
        ('<seg id="2">two</seg>', "", r"'refB' has no segment '2' of document 'd2'"),
        (REFERENCES, "<refset></refset>", r"ref.sgm: no segments"),
    ],
)
def test_what_is_wrong_is_said_with_file_and_line(
    files: dict[str, str], old: str, new: str, message: str
) -> None:
    assert old in REFERENCES
    Path(files["ref"]).write_text(REFERENCES.replace(old, new), "utf-8")
    with pytest.raises(mt.InputError, match=message):
        sgml.read(files["ref"])


def test_a_system_twice_is_refused(files: dict[str, str]) -> None:
    with pytest.raises(mt.InputError, match="two sets with the same name"):
        sgml.read("{ref},{tst},{tst}".format_map(files))


def test_unclosed_tags_cost_no_more_than_their_length(tmp_path: Path) -> None:
    path = tmp_path / "x.sgm"
    path.write_text("<refset><doc " + "<seg " * 400_000)
    with pytest.raises(mt.InputError, match="truncated"):
        sgml.read(str(path))


# Golden scores

GOLDEN = Golden(
    copied=Path(__file__).parents[2] / "bleu_nist" / "tests" / "golden",
    complete=Path(__file__).parents[3].parent / "shared" / "golden",
    is_wanted=lambda program: "mteval" in program,
)


def is_plain(run: Run) -> bool:
    """Whether a run has a score of BLEU for a corpus, and the options that the test translates."""
    corpus = run.printed["corpus"]
    options = ("--international", "-e ", "--no-smoothing", "shortest")
    return (
        isinstance(corpus, dict)
        and {"BLEU", "NIST"} <= corpus.keys()
        and len(run.hypotheses) > 10
        and not any(option in run.program for option in options)
    )


def write_set(kind: str, name: str, segments: Sequence[str | None], run: Run) -> str:
    """Write one set of a run, unescaped as for mteval, with one tag ``doc`` per document."""
    documents = run.documents or ["d"] * len(segments)
    text = f'<{kind} setid="s" srclang="any" trglang="en">\n'
    for document in dict.fromkeys(documents):
        text += f'<doc docid="{document}" sysid="{name}">\n'
        text += "".join(
            f'<seg id="{i}">{segment}</seg>\n'
            for i, segment in enumerate(segments, 1)
            if documents[i - 1] == document
        )
        text += "</doc>\n"
    return f"{text}</{kind}>\n"


@pytest.mark.parametrize("run", [run for run in GOLDEN.runs if is_plain(run)], ids=str)
@pytest.mark.filterwarnings("ignore:.*unspaced-script")
def test_golden_scores_come_out_of_sgml(run: Run, tmp_path: Path) -> None:
    pytest.importorskip("mteval_bleu_nist")
    references = [write_set("refset", f"ref{k}", r, run) for k, r in enumerate(run.references)]
    (tmp_path / "ref.sgm").write_text("".join(references), "utf-8")
    (tmp_path / "tst.sgm").write_text(write_set("tstset", "sys", run.hypotheses, run), "utf-8")
    data = mt.read_dataset(f"sgml:{tmp_path}/ref.sgm,{tmp_path}/tst.sgm")
    defaults = {"tok": "mteval-v13a", "case": "mixed" if " -c " in run.program else "ascii"}
    assert data.test_set is not None
    evaluation = mt.evaluate(
        {"sys": data.text("system.sys")},
        data.test_set,
        ["bleu:smooth=mteval", "nist"],
        defaults=defaults,
    )
    bleu, nist = (evaluation.score("sys", spec).score for spec in evaluation.scorers)
    assert_printed(bleu / 100, run.printed["corpus"]["BLEU"], 12, "BLEU")
    assert_printed(nist, run.printed["corpus"]["NIST"], 12, "NIST")


def test_a_long_attribute_takes_time_that_grows_with_it(tmp_path: Path) -> None:
    """30 kB took 17 s, as the name of an attribute was looked for at each of its letters."""
    path = tmp_path / "x.sgm"
    name = "a:-" * 10_000
    path.write_text(f'<refset refid="x"><doc docid="d"><seg id="1" {name}>x</seg></doc></refset>')
    start = time.process_time()
    data = sgml.read(str(path))
    assert time.process_time() - start < 1
    assert data.test_set
    assert list(data.test_set.references[0]) == ["x"]

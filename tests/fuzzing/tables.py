"""Files with columns: judgments, and the texts and data sets that plugins read."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from mteval_metaeval import mean_scores, rater_agreement, read_judgments

import mteval_core as mt
from fuzzing import Target, folder_of, refused, spoiled
from mteval_core.data.addresses import Address as Parsed
from mteval_core.data.reading import Files

if TYPE_CHECKING:
    import random

NUMBERS = ["1", "2", "3.5", "-1", "", "nan", "NA", "1e99", "1e101", "1_0", "٣", "x", "inf", "1e400"]
NAMES = ["A", "B", "news", "judge1", "", " ", "é", "\x1b[31m", "a,b", '"', '"a"', "\ud800"]
PIECES = ["\t", ",", "\n", "\r", '"', "0", "score", "\0", "\ufeff", *NUMBERS, *NAMES]


# Judgments


def draw_judgments(draw: random.Random) -> str:
    """Draw a table of human scores, or what is left of one."""
    columns = ["system", *draw.choice([["segment"], ["segment"], ["doc"], []])]
    columns += draw.sample(["rater", "score", "adequacy", "first", "second", "doc_id"], 3)
    rows = [columns]
    for _ in range(draw.randint(0, 8)):
        cells = {"system": draw.choice("AB"), "segment": draw.choice("0123"), "doc": "d"}
        cells["rater"] = draw.choice("RST")
        numbers = NUMBERS[:4] if draw.random() < 0.9 else NUMBERS
        rows.append([cells.get(column) or draw.choice(numbers) for column in columns])
    table = "\n".join(draw.choice("\t\t\t,").join(row) for row in rows) + "\n"
    return str(spoiled(draw, table, PIECES, draw.choice((0, 0, 1, 3))))


def run_judgments(table: str) -> None:
    """Judgments are refused, or whatever is made of them is finite or missing."""
    with folder_of({"human": table}), refused():
        judgments = read_judgments(["human"])
        assert mean_scores(judgments).shape[1:] == (
            len(judgments.systems),
            len(judgments.items) or 1,
        )
        assert not np.isinf(mean_scores(judgments)).any()
        rater_agreement(judgments)


# Columns and data sets

COLUMNS = {
    "x.jsonl": '{"hyp": "a b", "refs": {"A": ["c", "d"]}}\n{"hyp": "e", "refs": {"A": ["f"]}}\n',
    "x.json": '[{"hyp": "a b", "refs": {"A": ["c", null]}}, {"hyp": "e", "refs": {"A": []}}]\n',
    "x.tsv": "id\thyp\trefs\n1\ta b\tc\n2\te\tf\n",
    "x.csv": 'id,hyp,refs\n1,"a, b",c\n2,e,"f ""g"""\n',
    "x.sgm": '<refset setid="s" srclang="de" trglang="en"><doc docid="d" sysid="A">\n'
    '<seg id="1"> a &amp; b </seg>\n<seg id="2">c</seg>\n</doc></refset>\n',
    "x.xml": "<dataset id='x'><doc id='d' origlang='de'><src lang='de'><p><seg id='1'>a</seg>"
    "<seg id='2'>b</seg></p></src><ref lang='en' translator='A'><p><seg id='1'>c</seg>"
    "<seg id='2'>d</seg></p></ref><hyp system='S' language='en'><p><seg id='1'>e</seg>"
    "<seg id='2'>f</seg></p></hyp></doc></dataset>\n",
    "wmt.jsonl": '{"doc_id": "d", "src_lang": "en", "tgt_lang": "cs", "src_text": "a\\n\\nb", '
    '"refs": {"refA": {"ref": "c\\n\\nd"}}}\n',
    "comet.json": '{"A": [{"src": "a", "mt": "b", "ref": "c", "COMET": 0.5}, '
    '{"src": "d", "mt": "e", "ref": "f", "COMET": 0.25}]}',
    "mqm.tsv": "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\n"
    "A\td\t1\t1\tr\ta\tb\tAccuracy\tMajor\nA\td\t2\t2\tr\ta\tb\tNo-error\tNo-error\n",
    "BLEU-refA.seg.score": "A\t0.5\nA\t0.25\nB\t1\nB\t-2\n",
}

STRUCTURE = [*'<>/&;"[]{}:,\\\t\n', "null", "1e400", "&#0;", "<!ENTITY a 'b'>", "]]>", "<doc>", "é"]

FIELDS = [
    *("", "hyp", "refs.A[*]", "refs.A[1]", "1", "2", "9", "hyp::id=id"),
    *("source", "ref.A", "ref.refA", "system.S", "system.A", "docs", "ids"),
    *(
        "hyp=hyp,ref=refs",
        "hyp=hyp,ref=refs.A[*]",
        "hyp=2,ref=3,id=1",
        "hyp=hyp,ref=refs,system=id",
    ),
]


class Address(NamedTuple):
    """A file, and the field that is read."""

    name: str
    content: str
    field: str


def draw_address(draw: random.Random) -> Address:
    """Draw a damaged file in a format of the plugins."""
    name, content = draw.choice(list(COLUMNS.items()))
    return Address(name, spoiled(draw, content, [*STRUCTURE, *PIECES]), draw.choice(FIELDS))


def run_address(address: Address) -> None:
    """A file is refused, or all that it says it has can be read."""
    name, content, field = address
    requests = [
        lambda files: list(files.text(Parsed.parse(f"{name}::{field}"))),
        lambda files: read_all(files, f"{name}::{field}" if "=" in field else name),
        lambda files: files.scores(Parsed.parse(name)),
        lambda files: files.judgments(Parsed.parse(name)),
    ]
    with folder_of({name: content}):
        for request in requests:
            with refused():
                request(Files(mt.default_registry()))


def read_all(files: Files, path: str) -> None:
    """Read a data set, and every text that it has."""
    for field in files.dataset(Parsed.parse(path)).fields:
        list(files.text(Parsed.parse(f"{path.partition('::')[0]}::{field}")))


JUDGMENTS = Target(draw_judgments, run_judgments)
DATA = Target(draw_address, run_address)

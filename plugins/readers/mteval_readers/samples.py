"""Samples of the formats, for the contract kit."""

from __future__ import annotations

from mteval_core import FileSample

TEXTS = {"source": ["Das Haus", "Ein „Hund“"], "hyp": ["The house", 'A "dog"']}


def json_lines() -> FileSample:
    """Two records."""
    lines = (
        '{"source": "Das Haus", "hyp": "The house"}',
        '{"source": "Ein \\u201eHund\u201c", "hyp": "A \\"dog\\""}',
    )
    return FileSample({"two.jsonl": "\n".join(lines).encode()}, TEXTS)


def table() -> FileSample:
    """Two rows below a header, with quotes that a table of another kind has not."""
    rows = ("source,hyp", "Das Haus,The house", 'Ein „Hund“,"A ""dog"""')
    return FileSample({"two.csv": "\r\n".join(rows).encode()}, TEXTS)


def n_best() -> FileSample:
    """Two hypotheses for each of two segments."""
    lines = (
        "0 ||| the house ||| lm=-1 ||| -1.5",
        "0 ||| the home ||| lm=-2 ||| -2.5",
        "1 ||| a dog ||| lm=-1 ||| -0.5",
        "1 ||| dog ||| lm=-3 ||| -3.5",
    )
    return FileSample({"two.nbest": "\n".join(lines).encode()}, {"": ["the house", "a dog"]})


def wmt_xml() -> FileSample:
    """Two segments with a source, a reference and a system."""

    def segments(first: str, second: str) -> str:
        return f'<p><seg id="1">{first}</seg><seg id="2">{second}</seg></p>'

    content = (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<dataset id="test"><doc id="d">'
        f'<src lang="de">{segments("Das Haus", "Ein Hund")}</src>'
        f'<ref lang="en" translator="A">{segments("The house", "A dog")}</ref>'
        f'<hyp lang="en" system="S">{segments("House &amp; home", "Dog")}</hyp>'
        f"</doc></dataset>\n"
    )
    return FileSample(
        {"two.xml": content.encode()},
        {
            "source": ["Das Haus", "Ein Hund"],
            "ref.A": ["The house", "A dog"],
            "system.S": ["House & home", "Dog"],
            "docs": ["d", "d"],
        },
    )


def fairseq() -> FileSample:
    """Two segments, the second one first, between messages."""
    lines = (
        "INFO | generate",
        "S-1\tein Hund",
        "T-1\ta dog",
        "H-1\t-0.5\tdog",
        "S-0\tdas Haus",
        "T-0\tthe house",
        "H-0\t-0.2\tthe house",
        "H-0\t-0.9\thouse",
    )
    return FileSample(
        {"generate-test.txt": "\n".join(lines).encode()},
        {
            "source": ["das Haus", "ein Hund"],
            "ref.ref0": ["the house", "a dog"],
            "system.H": ["the house", "dog"],
        },
    )

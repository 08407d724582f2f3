"""Samples of the formats, for the contract kit."""

from __future__ import annotations

from mteval_core.testing import FileSample

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

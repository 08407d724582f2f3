"""``mteval tokenize``: print the tokens of a text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mteval_core.commands.terminal import output
from mteval_core.data.addresses import Address
from mteval_core.names import check_name, printable

if TYPE_CHECKING:
    from mteval_core.commands.arguments import Arguments
    from mteval_core.commands.session import Session
    from mteval_core.text.pipeline import Pipeline


def add_arguments(arguments: Arguments) -> None:
    """Declare the arguments of the command."""
    arguments.add(
        "text",
        nargs="?",
        file="input",
        type=Address.parse,
        default=Address("-"),
        metavar="FILE",
        help="file with one segment per line (default: standard input)",
    )
    arguments.share("pipeline")


def run(session: Session) -> None:
    """Print the tokens of each segment on a line, with spaces between them."""
    from mteval_core.text.pipeline import Tokenization

    check_name(str(session.options.text), "text")
    chosen = pipeline(session)
    tokenization = Tokenization()
    text = session.files.text(session.options.text)
    tokens = tokenization.tokenize(text, [chosen])[chosen]
    words = tokenization.vocabulary.tokens(tokens.ids)
    escape = printable if output().isatty() else str
    for start, end in zip(tokens.starts.tolist(), tokens.ends.tolist(), strict=True):
        session.show(escape(" ".join(words[start:end])))


def pipeline(session: Session) -> Pipeline:
    """Look up the tokenizer and the normalizers that the options name."""
    from mteval_core.text.lookup import find_step
    from mteval_core.text.pipeline import Pipeline

    names = {"tok": "13a", "case": "mixed", "stem": "none"} | session.defaults
    found = {key: find_step(key, names[key], session.registry)[0] for key in names}
    steps = {key: tuple(entry.declaration for entry in entries) for key, entries in found.items()}
    (tokenizer,) = steps["tok"]
    return Pipeline(text=steps["case"], tokenizer=tokenizer, token=steps["stem"])

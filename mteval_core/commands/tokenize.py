"""``mteval tokenize``: what a pipeline makes of a text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mteval_core.commands.arguments import add_pipeline
from mteval_core.commands.inputs import check_stdin, choose_tokenizer, read
from mteval_core.commands.registry import requested_registry
from mteval_core.commands.streams import show
from mteval_core.names import check_name

if TYPE_CHECKING:
    import argparse

    from mteval_core.plugin.registry import Registry
    from mteval_core.text.pipeline import Pipeline


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument(
        "text",
        nargs="?",
        default="-",
        metavar="FILE",
        help="file with one segment per line (default: standard input)",
    )
    add_pipeline(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the tokens of each segment on a line, with spaces between them."""
    from mteval_core.text.pipeline import Tokenization

    registry = requested_registry(arguments)
    choose_tokenizer(arguments, registry)
    pipeline = requested_pipeline(arguments, registry)
    check_stdin([check_name(arguments.text, "text")])
    tokenization = Tokenization()
    tokens = tokenization.tokenize(read(arguments.text, registry), [pipeline])[pipeline]
    words = tokenization.vocabulary.tokens(tokens.ids)
    for start, end in zip(tokens.starts.tolist(), tokens.ends.tolist(), strict=True):
        show(" ".join(words[start:end]))
    return 0


def requested_pipeline(arguments: argparse.Namespace, registry: Registry) -> Pipeline:
    """Look up the tokenizer and the normalizers that the arguments name."""
    from mteval_core.text.named import find_normalizer, find_tokenizer
    from mteval_core.text.pipeline import Pipeline

    tokenizer, _ = find_tokenizer(arguments.tok or "13a", registry)
    case, _ = find_normalizer("case", arguments.case or "mixed", registry)
    stem, _ = find_normalizer("stem", arguments.stem or "none", registry)
    return Pipeline(
        text=(case.declaration,) if case else (),
        tokenizer=tokenizer.declaration,
        token=(stem.declaration,) if stem else (),
    )

"""Checks of texts for probable damage, as the host and plugins declare them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mteval_core.errors import MtevalError, PluginError, attributed
from mteval_core.frozen import Frozen
from mteval_core.names import is_name
from mteval_core.plugin.declarations import CheckSpec, load
from mteval_core.text.pipeline import Tokenization
from mteval_core.text.text import Text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from mteval_core.metrics.scorer import Scorer
    from mteval_core.plugin.registry import Entry, Registry
    from mteval_core.text.summary import TextSummary


class CheckedTexts(Frozen):
    """What a check looks at. All texts have the same segments.

    Parameters
    ----------
    systems : mapping of str to TextSummary
        The output of each system, by its name.
    references : tuple of TextSummary
        The reference streams.
    source : TextSummary or None
        The source, if it is known.
    metrics : tuple of Scorer
        The metrics that score the texts; none where texts are only examined.
    """

    systems: Mapping[str, TextSummary]
    references: tuple[TextSummary, ...] = ()
    source: TextSummary | None = None
    metrics: tuple[Scorer, ...] = ()

    def tokens(self, lines: Sequence[str]) -> Iterator[tuple[str, str, list[str]]]:
        """Tokenize some lines as the metrics do whose tokenizer users choose.

        Yields
        ------
        tuple of str, str and list of str
            The spec of a metric, the name of its tokenizer, and the tokens of all lines.
        """
        text, tokenization = Text.of(lines, "the lines"), Tokenization()
        for scorer in self.metrics:
            fields, pipelines = scorer.setup.fields, scorer.setup.pipelines.values()
            for pipeline in [p for p in pipelines if p.tokenizer][: "tok" in fields]:
                tokens = tokenization.tokenize(text, [pipeline])[pipeline]
                words = tokenization.vocabulary.tokens(tokens.ids)
                yield str(scorer.spec), "+".join(fields["tok"]), words

    def findings(self, registry: Registry) -> Iterator[tuple[str, str]]:
        """Run all checks that are registered.

        Yields
        ------
        tuple of str
            The code of a check, and what it found. The code is ``failed-check`` if the check itself
            fails.
        """
        for entry in registry.of_kind(CheckSpec):
            yield from found_by(entry, self)


def found_by(entry: Entry[CheckSpec], texts: CheckedTexts) -> list[tuple[str, str]]:
    """Return what one check finds; see `CheckedTexts.findings`."""
    try:
        with attributed(f"check {entry}"):
            found = load(entry.declaration.function)(texts)
            messages = [found] if isinstance(found, str) else [*found]
            for message in messages:
                if not is_name(message) or not message:
                    raise PluginError(f"check {entry} found {message!r}; expected one line of text")
    except MtevalError as error:
        return [("failed-check", str(error))]
    return [(entry.declaration.name, message) for message in messages]

"""The reference card of one name, as ``mteval list NAME`` prints it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from mteval_core.commands.terminal import wrap_line
from mteval_core.errors import MtevalError, attributed
from mteval_core.plugin.catalogue import comparing_commands

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from mteval_core.metrics.scorer import Scorer
    from mteval_core.plugin.declarations import Kind, MetricSpec
    from mteval_core.plugin.registry import Entry, Registry

LABELS = 12
"""Width of the column of labels."""

EXAMPLES = {
    "tokenizers": "mteval tokenize --tok {shown}",
    "normalizers": "mteval tokenize --{key} {name}",
    "formats": "mteval score REF -i SYS -f {name}",
    "datasets": "mteval score --data {name}:DATA",
    "resamplers": "mteval score REF -i SYS -ci --resampler {name}",
    "engines": "mteval score --engine {name} --data 'PARTS/*.parquet' --fields ...",
}
"""Commands that use something, by its kind."""

EXAMPLE_TEXT = "The dogs' owners weren't running: it cost $3.50!"
SAMPLES = {
    "ja": "私は犬が好きです。",
    "ko": "저는 개를 좋아합니다.",
    "th": "ฉันชอบสุนัข",
    "zh": "我喜欢狗。",
}
"""What the cards of tokenizers and normalizers show them on, some by language."""


def card_of(kind: str, entry: Entry[Any], registry: Registry) -> dict[str, Any]:
    """Return what a card has in addition to the line of ``mteval list``."""
    declaration = entry.declaration
    facts: dict[str, Any] = {}
    if kind == "metrics":
        return card_of_metric(entry, registry)
    if kind in EXAMPLES:
        names = {"name": declaration.name, "shown": declaration.shown}
        facts["example"] = EXAMPLES[kind].format(**names, key=declaration.signature_key)
    if kind in ("tokenizers", "normalizers") and not declaration.option:
        (language,) = getattr(declaration, "languages", ())[:1] or ("",)
        sample = SAMPLES.get(language, EXAMPLE_TEXT)
        try:
            facts["sample"] = {sample: apply_to_example(declaration, sample)}
        except MtevalError as error:
            facts["missing"] = str(error)
    if getattr(declaration, "patterns", ()):
        facts["files"] = [*declaration.patterns]
    return facts


def apply_to_example(declaration: Any, sample: str) -> str:
    """Apply a tokenizer or normalizer to a sample."""
    from mteval_core.plugin.declarations import load
    from mteval_core.text.pipeline import apply

    stage = getattr(declaration, "stage", "tokenizer")
    if stage == "tokenizer":
        with attributed(f"tokenizer {declaration.shown}{declaration.origin}"):
            return " ".join(load(declaration.function)(sample))
    return " ".join(apply(declaration, [sample] if stage == "text" else sample.split()))


# Metrics


def card_of_metric(entry: Entry[MetricSpec], registry: Registry) -> dict[str, Any]:
    """Describe a metric; its signature is missing if a library or model is not installed."""
    from mteval_core.metrics.resolve import metric
    from mteval_core.report.literature import literature
    from mteval_core.spec import Spec

    declaration = entry.declaration
    facts: dict[str, Any] = {
        "equation": declaration.equation,
        "bounds": [None if abs(end) == float("inf") else end for end in declaration.bounds],
        "example": example_of(declaration),
    }
    try:
        spec = Spec(declaration.name, distribution=entry.plugin.distribution)
        scorer = metric(spec, registry=registry)
        facts["values"] = dict(scorer.scales)
        facts["form"] = form_of(scorer)
        facts["literature"] = list(literature(entry, scorer.setup.options).values())
        facts["signature"] = str(scorer.signature())
        if scorer.setup.needs_documents:
            facts["example"] += " --docs DOCS"
        if columns := scorer.setup.columns:
            facts["columns"] = columns
            facts["example"] += f" --fields {','.join(f'{name}=FIELD' for name in columns)}"
    except MtevalError as error:
        facts["missing"] = str(error)
    return facts


def form_of(scorer: Scorer) -> str:
    """Tell what the scores of a metric are computed from: sums, segments, documents or rows."""
    from mteval_core.explain.explanation import inner_metric

    if scorer.setup.keeps_rows:
        return "rows"
    return "sums" if hasattr(inner_metric(scorer), "score") else f"{scorer.declaration.unit}s"


def example_of(declaration: MetricSpec) -> str:
    """Write a command that computes a metric."""
    references = [] if declaration.references == "none" else ["REF"]
    source = ["--source", "SRC"] if declaration.source == "required" else []
    command = comparing_commands()[0] if declaration.compares else "score"
    words = [command, *references, "-i", "SYS", *["SYS"] * declaration.compares, *source]
    return " ".join(["mteval", *words, "-m", declaration.name])


# Text

FORMS = {
    "sums": "a formula of sums over the segments",
    "segments": "the mean of the scores of the segments",
    "documents": "the mean of the scores of the documents",
    "rows": "computed from the rows of all segments, not from sums",
}
TEXTS = {
    ("references", "required"): "references",
    ("references", "optional"): "the references if there are any",
    ("source", "required"): "the source",
    ("source", "optional"): "the source if there is one",
}


def as_card(kind: Kind, item: Mapping[str, Any]) -> str:
    """Write a card in the width of the terminal."""
    head = f"{item['shown']}, {kind.singular} of {item['distribution']} {item['version']}"
    lines = [wrap_line(head.rstrip(), 0), wrap_line(sentence(item["help"]), 0), ""]
    for label, texts in (facts_of_metric if kind.singular == "metric" else facts_of_other)(item):
        lines += section(label, texts)
    return "\n".join(lines).rstrip()


def sentence(text: str) -> str:
    """Write the help of a declaration as a sentence; a name such as sacreBLEU stays as it is."""
    word = text.partition(" ")[0]
    first = word.capitalize() if word.islower() else word
    return f"{first}{text[len(word) :]}{'.' if text and not text.endswith('.') else ''}"


def section(label: str, texts: Sequence[str]) -> Iterator[str]:
    """Write a label, and texts next to it, each on lines of its own."""
    for text in texts:
        key, tab, meaning = text.partition("\t")
        indent = LABELS + 4 * len(tab)
        line = f"{label:{LABELS}}{f'{key}  {meaning}' if tab else text}"
        yield line if label == "signature" else wrap_line(line, indent)
        label = ""


def facts_of_metric(item: Mapping[str, Any]) -> Iterator[tuple[str, list[str]]]:
    """Yield the labels of a metric's card, with what stands next to them."""
    yield "equation", item["equation"].split("\n") if item["equation"] else []
    form = f"; {FORMS[item['form']]}" if "form" in item else ""
    yield "score", [f"{range_of(*item['bounds'])}, {item['better']} is better{form}"]
    yield "values", [value_list(item["values"])] if "values" in item else []
    texts = [text for (key, value), text in TEXTS.items() if item[key] == value]
    texts += [f"the column {name}" for name in item.get("columns", ())]
    yield "uses", [" and ".join(texts) or "no references"]
    yield "libraries", [", ".join(item["libraries"])] if item["libraries"] else []
    if item["tolerance"]:
        yield "tolerance", [f"scores are compared within {item['tolerance']:g}"]
    yield "options", [option_line(option) for option in item["options"]]
    yield "aliases", [f"{name}\t{meant}" for name, meant in item["aliases"].items()]
    yield "literature", [paper(entry) for entry in item.get("literature", ())]
    yield "example", [item["example"]]
    yield "signature", [item["signature"]] if "signature" in item else []
    yield "missing", [item["missing"]] if "missing" in item else []


def facts_of_other(item: Mapping[str, Any]) -> Iterator[tuple[str, list[str]]]:
    """Yield the labels of the card of anything else, with what stands next to them."""
    for label in ("languages", "files"):
        yield label, [", ".join(item[label])] if item.get(label) else []
    yield "option", [option_line(item["option"])] if "option" in item else []
    yield "example", [item["example"]] if "example" in item else []
    for text, result in item.get("sample", {}).items():
        yield "sample", [text, result]
    yield "missing", [item["missing"]] if "missing" in item else []


def paper(entry: str) -> str:
    """Name a paper by its title and the key of its entry in BibTeX."""
    title = re.search(r"\btitle\s*=\s*\{((?:[^{}]|\{[^{}]*\})*)\}", entry)
    key = entry.partition("{")[2].partition(",")[0].strip()
    return f"{re.sub(r'[{}]', '', title[1])} ({key})" if title else key


def option_line(option: Mapping[str, Any]) -> str:
    """Write an option, its default and its meaning."""
    values = f" ({option['values']})" if option["values"] not in ("a word",) else ""
    unsigned = "" if option["signed"] else " (not in signatures)"
    return f"{option['key']}={option['default']}\t{option['help']}{values}{unsigned}"


def range_of(low: float | None, high: float | None) -> str:
    """Say between which bounds scores lie."""
    if low is None:
        return "without bounds" if high is None else f"{high:g} or less"
    return f"{low:g} or more" if high is None else f"from {low:g} to {high:g}"


def value_list(scales: Mapping[str, float]) -> str:
    """Name the values, those in percent first."""
    percent = ", ".join(name for name, scale in scales.items() if scale == 100)
    others = ", ".join(name for name, scale in scales.items() if scale != 100)
    return "; ".join(filter(None, (percent and f"{percent} in percent", others)))

"""Words that a reader may search for, as index entries of the pages that answer."""

from __future__ import annotations

from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.transforms import SphinxTransform

KEYWORDS = {
    "best": ("all pairs", "ranking of systems"),
    "choosing": ("chrF++",),
    "cookbook": ("wandb", "mlflow"),
    "data": ("srt", "vtt", "JSON lines", "Parquet"),
    "llm": ("LLM", "LLM judge", "LLM JSON", "reasoning"),
    "loops": ("sentence BLEU", "sentence score", "segment scores"),
    "platforms": ("docker", "container", "conda", "windows"),
    "plugins/figures/index": ("pdf", "excel"),
    "plugins/decide/why": ("score dropped", "regression"),
    "python": ("notebook", "Jupyter"),
    "reporting": ("p-value", "cite", "BibTeX"),
    "start": ("install",),
    "statistics": ("confidence interval",),
    "switching": ("rouge1", "rouge2", "rougeL"),
    "table": ("sentence level csv", "csv"),
}


class Keywords(SphinxTransform):
    """Add the index entries before Sphinx collects them."""

    default_priority = 500

    def apply(self, **_: Any) -> None:
        """Point each keyword to the first section of its page."""
        words = KEYWORDS.get(self.env.docname, ())
        section = next(iter(self.document.findall(nodes.section)), None)
        if words and section is not None:
            entries = [("single", word, section["ids"][0], "main", None) for word in words]
            section.insert(1, addnodes.index(entries=entries))


def setup(app: Any) -> dict[str, bool]:
    """Register the transform."""
    app.add_transform(Keywords)
    return {"parallel_read_safe": True}

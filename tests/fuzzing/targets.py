"""The table of targets, and the inputs of each by number."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

from fuzzing.command_lines import COMMAND_LINES
from fuzzing.kernel_calls import KERNELS, SCANNERS
from fuzzing.packed import PACKED
from fuzzing.plugins import PLUGINS
from fuzzing.reports import REPORTS
from fuzzing.requests import FIELDS, METRICS, SIGNATURE_STRINGS, SPECS
from fuzzing.tables import DATA, JUDGMENTS
from fuzzing.texts import TEXTS, TOKENS

if TYPE_CHECKING:
    from fuzzing import Target

TARGETS: dict[str, Target] = {
    "specs": SPECS,
    "signatures": SIGNATURE_STRINGS,
    "fields": FIELDS,
    "metrics": METRICS,
    "reports": REPORTS,
    "texts": TEXTS,
    "tokens": TOKENS,
    "judgments": JUDGMENTS,
    "data": DATA,
    "packed": PACKED,
    "commands": COMMAND_LINES,
    "kernels": KERNELS,
    "scanners": SCANNERS,
    "plugins": PLUGINS,
}


def drawn(name: str, seed: int, number: int) -> Any:
    """Draw an input of a target; equal seeds and numbers give equal inputs."""
    return TARGETS[name].draw(random.Random(f"{name} {seed} {number}"))

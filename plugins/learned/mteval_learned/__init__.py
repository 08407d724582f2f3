"""Learned metrics as a plugin of mteval: BERTScore and COMET."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Literal

from mteval_core import MetricSpec, Option, View, hookimpl
from mteval_learned.models import comet_checkpoint, encoder_folder

if TYPE_CHECKING:
    from collections.abc import Sequence

mteval_api = 1

INFINITE = (float("-inf"), float("inf"))

TOLERANCE = 1e-4
"""Single precision repeats no more than this on another machine, in another batch."""

HOW = (
    Option(
        "batch-size",
        32,
        "texts that the model reads at once",
        minimum=1,
        maximum=4096,
        signed=False,
    ),
    Option(
        "device",
        "auto",
        "where the model runs; auto is cuda if there is such a device",
        choices=("auto", "cpu", "cuda", "mps"),
        signed=False,
    ),
)
"""Options that do not change the scores."""

PRECISION = Option(
    "precision",
    "fp32",
    "fp16 is what the command comet-score uses from version 2.2.5 on",
    choices=("fp32", "fp16"),
)


@hookimpl
def mteval_register_metrics() -> Sequence[MetricSpec]:
    """Declare BERTScore, and COMET with and without references."""
    return [
        MetricSpec(
            "bertscore",
            factory="mteval_learned.bertscore:BERTScore",
            help="greedy matching of tokens by the similarity of their embeddings",
            label="BERTScore",
            literature="bertscore.bib",
            equation="F1 = 2 P R / (P + R), mean of the segments\n"
            "P = mean over the tokens of the hypothesis of the\n"
            "    largest cosine to a token of the reference\n"
            "R = the same of the reference to the hypothesis",
            values={"F1": 100, "P": 100, "R": 100},
            options=(
                Option(
                    "model",
                    "",
                    "the encoder: a folder, or the name of a downloaded model (default: "
                    "roberta-large)",
                    type=encoder_folder,
                    file=True,
                    folder=True,
                ),
                Option(
                    "layer",
                    "auto",
                    "the layer whose output is compared; auto knows that of some models",
                    choices=("auto",),
                    minimum=1,
                    maximum=1000,
                ),
                Option("idf", default=False, help="weigh tokens by their idf in the references"),
                Option("baseline", "", "a table of baselines, to rescale with", file=True),
                *HOW,
            ),
            may_cut=True,
            aliases={f"bertscore-{v.lower()}": f"bertscore:value={v}" for v in ("F1", "P", "R")},
            views={"texts": View(raw=True)},
            bounds=INFINITE,
            pooled=True,
            tolerance=TOLERANCE,
            libraries=("torch", "transformers"),
        ),
        comet_of(
            "comet",
            factory="mteval_learned.comet:Comet",
            texts="source and reference",
            equation="model(source, hypothesis, reference)\n"
            "    over the references of a segment, then over the segments",
            model="Unbabel/wmt22-comet-da",
            names=("comet-22", "comet22", "wmt22-comet-da"),
            paper="rei-etal-2022-comet",
            references="required",
        ),
        comet_of(
            "comet-qe",
            factory="mteval_learned.comet:CometQE",
            texts="the source alone",
            equation="model(source, hypothesis) over the segments",
            model="Unbabel/wmt22-cometkiwi-da",
            names=("cometkiwi", "cometkiwi-22", "wmt22-cometkiwi-da"),
            paper="rei-etal-2022-cometkiwi",
            references="none",
        ),
    ]


def comet_of(
    name: str,
    *,
    factory: str,
    texts: str,
    equation: str,
    model: str,
    names: tuple[str, ...],
    paper: str,
    references: Literal["required", "none"],
) -> MetricSpec:
    """Declare COMET for models that read some texts; its other names mean the default model."""
    return MetricSpec(
        name,
        factory=factory,
        help=f"quality that a COMET model estimates from {texts}",
        label=name.upper(),
        aliases=dict.fromkeys(names, f"{name}:model={model}"),
        literature=f"comet.bib:rei-etal-2020-comet,{paper}",
        equation=f"{name.upper()} = mean of {equation}",
        values={name.upper(): 100},
        options=(
            Option(
                "model",
                "",
                f"a folder, a .ckpt file, or the name of a downloaded model (default: {model})",
                type=partial(comet_checkpoint, default=model),
                file=True,
                folder=True,
            ),
            PRECISION,
            *HOW,
        ),
        references=references,
        source="required",
        views={"texts": View(raw=True)},
        bounds=INFINITE,
        may_cut=True,
        pooled=True,
        tolerance=TOLERANCE,
        libraries=("torch", "transformers", "unbabel-comet"),
    )

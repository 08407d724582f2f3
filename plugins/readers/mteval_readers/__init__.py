"""Readers: test sets, outputs, ratings and scores in the formats of other tools."""

from __future__ import annotations

from typing import TYPE_CHECKING

import mteval_core

if TYPE_CHECKING:
    from collections.abc import Sequence

mteval_api = 1


@mteval_core.hookimpl
def mteval_register_readers() -> Sequence[mteval_core.ReaderSpec]:
    """Declare the formats of files with columns."""
    return [
        mteval_core.ReaderSpec(
            "json",
            patterns=("*.jsonl", "*.ndjson", "*.json"),
            function="mteval_readers.json_records:read",
            fields="mteval_readers.json_records:fields",
            values="mteval_readers.json_records:values",
            sniff="mteval_readers.arrow:is_no_state",
            help="JSON lines, or a JSON list of objects",
            sample="mteval_readers.samples:json_lines",
        ),
        mteval_core.ReaderSpec(
            "table",
            patterns=("*.tsv", "*.csv"),
            function="mteval_readers.tables:read",
            fields="mteval_readers.tables:fields",
            values="mteval_readers.tables:values",
            help="TSV or CSV, with a header line or without one",
            sample="mteval_readers.samples:table",
        ),
        mteval_core.ReaderSpec(
            "arrow",
            patterns=("*.parquet", "*.arrow"),
            function="mteval_readers.arrow:read",
            fields="mteval_readers.arrow:fields",
            values="mteval_readers.arrow:values",
            help="Parquet or Arrow (needs pyarrow)",
        ),
        mteval_core.ReaderSpec(
            "n-best",
            patterns=("*.nbest",),
            function="mteval_readers.generated:read_n_best",
            help="the best hypotheses of an n-best list of Moses or Marian",
            sample="mteval_readers.samples:n_best",
        ),
        mteval_core.ReaderSpec(
            "saved-dataset",
            patterns=("state.json",),
            function="mteval_readers.arrow:read",
            fields="mteval_readers.arrow:fields",
            values="mteval_readers.arrow:values",
            sniff="mteval_readers.arrow:is_state",
            help="a folder that Hugging Face datasets has saved (needs pyarrow)",
        ),
    ]


@mteval_core.hookimpl
def mteval_register_datasets() -> Sequence[mteval_core.DatasetSpec]:
    """Declare the formats of data sets."""
    return [
        mteval_core.DatasetSpec(
            "sgml",
            patterns=("*.sgm", "*.sgml"),
            function="mteval_readers.sgml:read",
            sniff="mteval_readers.sgml:looks_like",
            help="SGML of the NIST and WMT evaluations until 2020; sgml:REF,TST joins files",
        ),
        mteval_core.DatasetSpec(
            "wmt-xml",
            patterns=("*.xml",),
            function="mteval_readers.wmt_xml:read",
            sniff="mteval_readers.wmt_xml:looks_like",
            help="XML of WMT 2021 to 2024",
            sample="mteval_readers.samples:wmt_xml",
        ),
        mteval_core.DatasetSpec(
            "wmt-json",
            patterns=("*.jsonl",),
            function="mteval_readers.wmt_json:read",
            sniff="mteval_readers.wmt_json:looks_like",
            help="JSON lines of WMT 2025 and 2026; wmt-json:FILE/PAIR chooses a language pair",
        ),
        mteval_core.DatasetSpec(
            "mtme",
            function="mteval_readers.mtme:read",
            parts="mteval_readers.mtme:parts",
            help="a folder of mt-metrics-eval, mtme:FOLDER or mtme:FOLDER/PAIR",
        ),
        mteval_core.DatasetSpec(
            "mtme-scores",
            patterns=("*.seg.score", "*.doc.score", "*.sys.score", "*.seg.rating"),
            function="mteval_readers.mtme_scores:read",
            help="a score file of mt-metrics-eval",
        ),
        mteval_core.DatasetSpec(
            "sacrebleu",
            function="mteval_readers.sacrebleu_cache:read",
            help="a test set that sacreBLEU has downloaded, sacrebleu:wmt20/en-de",
        ),
        mteval_core.DatasetSpec(
            "n-best-lists",
            patterns=("*.nbest",),
            function="mteval_readers.generated:read_n_best_lists",
            help="all hypotheses of an n-best list of Moses or Marian, for mteval orange",
        ),
        mteval_core.DatasetSpec(
            "comet",
            patterns=("*.json",),
            function="mteval_readers.comet:read",
            sniff="mteval_readers.comet:looks_like",
            help="what comet-score --to_json writes",
        ),
        mteval_core.DatasetSpec(
            "mqm",
            patterns=("*.tsv",),
            function="mteval_readers.mqm:read",
            sniff="mteval_readers.mqm:looks_like",
            help="MQM ratings in the columns of google/wmt-mqm-human-evaluation",
        ),
        mteval_core.DatasetSpec(
            "appraise",
            patterns=("*.csv",),
            function="mteval_readers.appraise:read",
            sniff="mteval_readers.appraise:looks_like",
            help="ESA and DA ratings of Appraise; appraise:FILE/eng-jpn chooses a language pair",
        ),
        mteval_core.DatasetSpec(
            "ratings",
            patterns=("*.jsonl",),
            function="mteval_readers.rating_records:read",
            sniff="mteval_readers.rating_records:looks_like",
            help="JSON lines with a system, a segment and scores",
        ),
        mteval_core.DatasetSpec(
            "summeval",
            patterns=("*.jsonl",),
            function="mteval_readers.rating_records:read_summeval",
            sniff="mteval_readers.rating_records:looks_like_summeval",
            help="annotations of SummEval",
        ),
        mteval_core.DatasetSpec(
            "lm-eval",
            patterns=("samples_*.jsonl",),
            function="mteval_readers.lm_eval:read",
            sniff="mteval_readers.lm_eval:looks_like",
            help="samples that lm-evaluation-harness logs",
        ),
        mteval_core.DatasetSpec(
            "fairseq",
            patterns=("generate-*.txt",),
            function="mteval_readers.generated:read_fairseq",
            sniff="mteval_readers.generated:looks_like_fairseq",
            help="the output of fairseq-generate",
            sample="mteval_readers.samples:fairseq",
        ),
    ]

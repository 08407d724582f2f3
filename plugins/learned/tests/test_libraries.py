"""The scores of the libraries, with tiny random models that are made here."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from mteval_testing import METRIC_KIT, check_metric

import mteval_core as mt

if TYPE_CHECKING:
    from collections.abc import Mapping

torch: Any = pytest.importorskip("torch", reason="torch is not installed")
transformers: Any = pytest.importorskip("transformers", reason="transformers is not installed")

pytestmark = pytest.mark.filterwarnings("default")

MINI = Path(__file__).parents[3] / "examples" / "mini"
N = 40


def lines(name: str) -> list[str]:
    return (MINI / name).read_text(encoding="utf-8").splitlines()[:N]


SYSTEMS = {name: lines(f"systems/{name}.txt") for name in ("deep", "short", "lower")}
REFERENCES = [lines(f"ref{k}.txt") for k in range(3)]
SOURCE = lines("src.de.txt")


@pytest.fixture(scope="module")
def bert(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make an encoder: pieces of words that are learned from the references, random weights."""
    tokenizers: Any = pytest.importorskip("tokenizers")
    folder = tmp_path_factory.mktemp("models") / "bert-tiny"
    folder.mkdir()
    pieces = tokenizers.BertWordPieceTokenizer(lowercase=False)
    files = [str(MINI / name) for name in ("ref0.txt", "ref1.txt", "src.de.txt")]
    pieces.train(files, vocab_size=400, show_progress=False)
    pieces.save_model(str(folder))
    tokenizer = transformers.BertTokenizerFast(
        str(folder / "vocab.txt"), do_lower_case=False, model_max_length=128
    )
    tokenizer.save_pretrained(folder)
    torch.manual_seed(7)
    config = transformers.BertConfig(
        vocab_size=len(tokenizer),
        hidden_size=32,
        num_hidden_layers=4,
        num_attention_heads=4,
        intermediate_size=64,
        max_position_embeddings=130,
    )
    transformers.BertModel(config).save_pretrained(folder)
    return folder


@pytest.mark.parametrize("n_references", [1, 3])
@pytest.mark.parametrize("rescaled", [False, True])
@pytest.mark.parametrize("idf", [False, True])
def test_bertscore_is_that_of_bert_score(
    bert: Path, tmp_path: Path, n_references: int, *, idf: bool, rescaled: bool
) -> None:
    """One system has empty segments, one is in lower case and tokenized."""
    original: Any = pytest.importorskip("bert_score", reason="bert-score is not installed")
    table = tmp_path / "base.tsv"
    table.write_text("LAYER,P,R,F\n" + "".join(f"{k},0.{k}1,0.{k}2,0.{k}3\n" for k in range(5)))
    references = REFERENCES[:n_references]
    options: Mapping[str, Any] = {"baseline": str(table)} if rescaled else {}
    scorer = mt.metric("bertscore", model=bert, layer=3, idf=idf, **options)
    evaluation = mt.evaluate(SYSTEMS, references, [scorer])
    (spec,) = evaluation.scorers
    groups = [list(own) for own in zip(*references, strict=True)]
    for system, hypotheses in SYSTEMS.items():
        p, r, f = original.score(
            hypotheses,
            groups,
            model_type=str(bert),
            num_layers=3,
            idf=idf,
            device="cpu",
            lang="en",
            rescale_with_baseline=rescaled,
            baseline_path=str(table),
        )
        expected = np.stack([f, p, r], axis=1)
        np.testing.assert_allclose(evaluation.scores.rows[system, spec][:, :3], expected, atol=2e-6)


MODELS = {
    "regression_metric": ("RegressionMetric", {}),
    "referenceless_regression_metric": ("ReferencelessRegression", {}),
    "unified_metric": ("UnifiedMetric", {"word_layer": 4, "layer_transformation": "softmax"}),
}


def comet_model(bert: Path, kind: str) -> Path:
    """Make a COMET model with random weights."""
    models: Any = pytest.importorskip("comet.models", reason="unbabel-comet is not installed")
    yaml: Any = pytest.importorskip("yaml")
    lightning: Any = pytest.importorskip("pytorch_lightning")
    folder = bert.with_name(kind)
    if folder.exists():
        return folder
    (folder / "checkpoints").mkdir(parents=True)
    name, options = MODELS[kind]
    torch.manual_seed(7)
    model = getattr(models, name)(
        encoder_model="BERT", pretrained_model=str(bert), hidden_sizes=[24, 12], **options
    )
    settings = dict(model.hparams)
    torch.save(
        {
            "state_dict": model.state_dict(),
            "hyper_parameters": settings,
            "pytorch-lightning_version": lightning.__version__,
        },
        folder / "checkpoints" / "model.ckpt",
    )
    (folder / "hparams.yaml").write_text(yaml.dump({**settings, "class_identifier": kind}))
    return folder


@pytest.mark.parametrize(
    ("metric", "kind"),
    [
        ("comet", "regression_metric"),
        ("comet", "unified_metric"),
        ("comet-qe", "unified_metric"),
        ("comet-qe", "referenceless_regression_metric"),
    ],
)
@pytest.mark.parametrize("precision", ["fp32", "fp16"])
def test_comet_is_what_predict_returns(bert: Path, metric: str, kind: str, precision: str) -> None:
    folder = comet_model(bert, kind)
    comet: Any = pytest.importorskip("comet")
    evaluation = mt.evaluate(
        SYSTEMS,
        REFERENCES[:1],
        [mt.metric(metric, model=folder, precision=precision)],
        source=SOURCE,
    )
    (spec,) = evaluation.scorers
    model = comet.load_from_checkpoint(folder / "checkpoints" / "model.ckpt", local_files_only=True)
    model = model.eval().half() if precision == "fp16" else model.eval()
    for system, hypotheses in SYSTEMS.items():
        samples = [
            {"src": s, "mt": h, **({"ref": r} if metric == "comet" else {})}
            for s, h, r in zip(SOURCE, hypotheses, REFERENCES[0], strict=True)
        ]
        found = model.predict(samples, gpus=0, progress_bar=False, num_workers=0)
        # Half precision has three digits; batches differ in their last one.
        tolerance = 1e-6 if precision == "fp32" else 5e-4
        rows = evaluation.scores.rows[system, spec][:, 0]
        np.testing.assert_allclose(rows, found.scores, atol=tolerance)


def test_bertscore_keeps_the_contract(bert: Path) -> None:
    scorer = mt.metric("bertscore", model=bert, layer=3)
    assert [finding for finding in check_metric(scorer) if not finding.ok] == []


def test_comet_keeps_the_contract(bert: Path) -> None:
    """The checks on random texts are left out: COMET takes a second for a call."""
    names = (
        "inputs_are_unchanged",
        "is_deterministic",
        "metric_can_be_pickled",
        "rows_are_independent",
        "signature_replays",
        "unsigned_options_do_not_matter",
    )
    scorer = mt.metric("comet", model=comet_model(bert, "regression_metric"))
    checks = [check for check in METRIC_KIT.checks if check.__name__ in names]
    findings = [METRIC_KIT.find(check, scorer, scorer.declaration) for check in checks]
    assert len(findings) == len(names)
    assert [finding for finding in findings if not finding.ok] == []


def test_a_table_of_all_is_replayed(bert: Path, tmp_path: Path) -> None:
    """With intervals and tests, next to BLEU, in other batches."""
    pytest.importorskip("mteval_decide", reason="mteval replay is not installed")
    folder = comet_model(bert, "regression_metric")
    mteval = (sys.executable, "-m", "mteval_core")
    metrics = (f"bertscore:model={bert},layer=3", f"comet:model={folder}")
    report = tmp_path / "report.json"
    systems = [MINI / "systems" / f"{name}.txt" for name in ("deep", "short")]
    score = (*mteval, "score", MINI / "ref0.txt", "-i", *systems, "-m", "bleu", *metrics)
    more = ("--source", MINI / "src.de.txt", "-ci", "-par", "-o", report)
    subprocess.run([*score, *more], check=True)
    files = ("--file", f"bert-tiny={bert}", f"regression_metric={folder}")
    done = subprocess.run(
        [*mteval, "replay", report, *files], check=False, capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "6 of 6 records and 3 of 3 comparisons pass" in done.stdout


def test_a_model_that_cannot_be_loaded_is_named(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{}")
    with pytest.raises(mt.PluginError, match="the encoder cannot be loaded"):
        mt.metric("bertscore", model=tmp_path, layer=1).sentence_score("a", ["a"])


def test_a_layer_that_is_not_there_is_named(bert: Path) -> None:
    with pytest.raises(mt.PluginError, match="layer=5; the model has the layers 1 to 4"):
        mt.metric("bertscore", model=bert, layer=5).sentence_score("a", ["a"])

"""The arithmetic by hand, with models of a few lines; which models are found; what is missing."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from importlib.util import find_spec
from math import log
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any
from zlib import crc32

import mteval_learned
import numpy as np
import pytest
from mteval_learned.bertscore import idf_weights, read_baseline
from mteval_learned.comet import Model
from mteval_learned.encoder import Embedded, Transformer
from mteval_learned.models import comet_checkpoint, encoder_folder
from mteval_testing import METRIC_KIT, check_metric

import mteval_core as mt

if TYPE_CHECKING:
    from collections.abc import Sequence

CLS, SEP = 1, 2

VECTORS = {"a": (1, 0), "b": (0, 1), "c": (0.6, 0.8)}
"""Embeddings of length 1. Similarities: a and c 0.6, b and c 0.8, a and b 0."""


class Words:
    """An encoder whose tokens are words. Other words than those above get vectors of their own."""

    special = frozenset({CLS, SEP})

    def __init__(self) -> None:
        self.read: list[str] = []

    def ids(self, text: str) -> list[int]:
        return [CLS, *(crc32(word.encode("utf-8", "replace")) for word in text.split()), SEP]

    def embed(self, texts: Sequence[str], batch_size: int) -> dict[str, Embedded]:
        self.read += texts
        return {text: self.embedded(text) for text in texts}

    def embedded(self, text: str) -> Embedded:
        rows = [(0, 0, 1), *map(self.vector, text.split()), (0, 0, 1)]
        return Embedded(self.ids(text), np.array(rows, np.float32), is_empty=not text.split())

    @staticmethod
    def vector(word: str) -> tuple[float, ...]:
        if word in VECTORS:
            return (*VECTORS[word], 0)
        angle = crc32(word.encode("utf-8", "replace")) % 90
        return (float(np.cos(np.radians(angle))), float(np.sin(np.radians(angle))), 0)


class Lengths:
    """A model of COMET: the score counts the letters that it gets."""

    def __init__(self) -> None:
        self.samples: list[dict[str, str]] = []

    def __call__(self, samples: Sequence[dict[str, str]], batch_size: int) -> list[float]:
        self.samples += samples
        return [1 / (1 + abs(len(s["mt"]) - len(s.get("ref", s["src"])))) for s in samples]

    def cut(self, samples: Sequence[dict[str, str]]) -> list[set[str]]:
        return [{key for key, text in sample.items() if len(text) > 99} for sample in samples]


def without_libraries() -> Any:
    """Return the module of the plugin, whose metrics here need no library."""
    declared = [replace(each, libraries=()) for each in mteval_learned.mteval_register_metrics()]
    hook = mt.hookimpl(lambda: declared)
    return SimpleNamespace(__file__=mteval_learned.__file__, mteval_register_metrics=hook)


POINT: Any = SimpleNamespace(
    name="learned",
    dist=SimpleNamespace(name="mteval-learned", version="0.1.0"),
    load=without_libraries,
)

REGISTRY = mt.load_registry([POINT])


@pytest.fixture
def words(monkeypatch: pytest.MonkeyPatch) -> Words:
    encoder = Words()
    monkeypatch.setattr("mteval_learned.bertscore.load", lambda *_: encoder)
    return encoder


@pytest.fixture
def lengths(monkeypatch: pytest.MonkeyPatch) -> Lengths:
    model = Lengths()
    monkeypatch.setattr("mteval_learned.comet.load", lambda *_: model)
    return model


@pytest.fixture
def bert(tmp_path: Path) -> Path:
    (tmp_path / "tiny").mkdir()
    (tmp_path / "tiny" / "config.json").write_text("{}")
    return tmp_path / "tiny"


def comet_folder(folder: Path, settings: str) -> Path:
    (folder / "checkpoints").mkdir(parents=True)
    (folder / "checkpoints" / "model.ckpt").write_bytes(b"weights")
    (folder / "hparams.yaml").write_text(settings)
    return folder


def bertscore(folder: Path, **options: Any) -> mt.Scorer:
    return mt.metric("bertscore", registry=REGISTRY, model=folder, **{"layer": 1, **options})


def percent(score: mt.Score) -> list[float]:
    return [score.values[key] / 100 for key in ("P", "R", "F1")]


# BERTScore by hand


@pytest.mark.usefixtures("words")
@pytest.mark.parametrize(
    ("hypothesis", "references", "expected"),
    [
        # a matches a (1), b matches c (0.8); the other way around, too.
        ("a b", ["a c"], (0.9, 0.9, 0.9)),
        # a matches a (1), b matches nothing (0).
        ("a b", ["a"], (1 / 2, 1, 2 / 3)),
        # a matches c (0.6), b matches b; b matches b, c matches b (0.8).
        ("a b", ["b c"], (0.8, 0.9, 2 * 0.8 * 0.9 / 1.7)),
        # The best of each, which is not the F1 of the best.
        ("a b", ["a", "b c"], (0.8, 1, 2 * 0.8 * 0.9 / 1.7)),
        ("", ["a"], (0, 0, 0)),
        ("a", [""], (0, 0, 0)),
        ("", ["", "a"], (0, 0, 0)),
    ],
)
def test_bertscore_by_hand(
    bert: Path, hypothesis: str, references: list[str], expected: tuple[float, ...]
) -> None:
    assert percent(bertscore(bert).sentence_score(hypothesis, references)) == pytest.approx(
        expected
    )


def test_idf_by_hand() -> None:
    weights = idf_weights([[CLS, 7, 8, SEP], [CLS, 7, 7, 9, SEP], [CLS, 7, SEP]])
    expected = [0, 0, log(4 / 2), log(4 / 2), log(4)]
    assert weights.of([CLS, 7, 8, 9, 99]).tolist() == pytest.approx(expected)


@pytest.mark.usefixtures("words")
def test_weights_come_from_all_references(bert: Path) -> None:
    """The word a is in all references (weight 0), b and c in one of three (log 2)."""
    hypotheses, references = ["a b", "c", "a"], [["a c", "a", "a b"]]
    evaluation = mt.evaluate({"A": hypotheses}, references, [bertscore(bert, idf=True)])
    (spec,) = evaluation.scorers
    f1, p, r = evaluation.scores.rows["A", spec][:, :3].T
    # b matches c; c matches a, with similarity 0.6; a has no weight, and b matches a with 0.
    assert p.tolist() == pytest.approx([0.8, 0.6, 0])
    assert r.tolist() == pytest.approx([0.8, 0, 0])
    assert f1.tolist() == pytest.approx([0.8, 0, 0])


@pytest.mark.usefixtures("words")
def test_rescaling_by_hand(bert: Path, tmp_path: Path) -> None:
    table = tmp_path / "base.tsv"
    table.write_text("LAYER,P,R,F\n0,0.1,0.1,0.1\n1,0.5,0.8,0.6\n")
    score = bertscore(bert, baseline=table).sentence_score("a b", ["a c"])
    assert percent(score) == pytest.approx([0.4 / 0.5, 0.1 / 0.2, 0.3 / 0.4])
    assert score.signature.get(
        "baseline",
    ).startswith("base.tsv@")  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("LAYER,P,R,F\n0,0.1,0.1,0.1\n", "no baselines of layer 1"),
        ("LAYER,P,R\n1,0.1,0.1\n", "expected a table with the columns LAYER,P,R,F"),
        ("LAYER,P,R,F\n1,x,0.1,0.1\n", "expected a table"),
        ("LAYER,P,R,F\n1,0.1\n", "expected a table"),
        ("LAYER,P,R,F\n1,1,0,0\n", "expected less than 1"),
        ("LAYER,P,R,F\n1,nan,0,0\n", "expected less than 1"),
        ("", "no baselines of layer 1"),
        ("\xff", "no baselines of layer 1"),
    ],
)
def test_faulty_baselines_are_refused(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "base.tsv"
    path.write_text(text)
    with pytest.raises(mt.InputError, match=message):
        read_baseline(str(path), 1)


def test_each_text_is_read_once(bert: Path, words: Words) -> None:
    systems = {"A": ["a b", "c", "a b"], "B": ["a b", "c", "b"]}
    references = [["a c", "b", "a c"], ["a", "c", "a"]]
    mt.evaluate(systems, references, [bertscore(bert)])
    assert sorted(words.read) == ["a", "a b", "a c", "b", "c"]


def test_the_layer_of_known_models_is_found(bert: Path) -> None:
    with pytest.raises(mt.OptionError, match=r"the model tiny is not known; expected layer=N"):
        bertscore(bert, layer="auto")
    known = bert.rename(bert.with_name("roberta-large"))
    scorer = bertscore(known, layer="auto")
    implementation: Any = scorer.setup.implementation
    assert implementation.metric.metric.chosen_layer == 17


# COMET


REGRESSION = "class_identifier: regression_metric\n"
KIWI = "class_identifier: unified_metric\ninput_segments: [mt, src]\n"
XCOMET = "class_identifier: xcomet_metric\n"


def test_comet_reads_raw_texts_and_the_mean_of_several_references_counts(
    tmp_path: Path, lengths: Lengths
) -> None:
    folder = comet_folder(tmp_path / "tiny", REGRESSION)
    scorer = mt.metric("comet", registry=REGISTRY, model=folder)
    score = scorer.corpus_score(["x ,y"], [["xx yy"], ["x  y"]], source=["uv"])
    assert lengths.samples == [
        {"src": "uv", "mt": "x ,y", "ref": "xx yy"},
        {"src": "uv", "mt": "x ,y", "ref": "x  y"},
    ]
    assert score.score == pytest.approx(100 * (1 / 2 + 1) / 2)


def test_comet_qe_gets_no_references(tmp_path: Path, lengths: Lengths) -> None:
    folder = comet_folder(tmp_path / "tiny", KIWI)
    scorer = mt.metric("comet-qe", registry=REGISTRY, model=folder)
    score = scorer.corpus_score(["xyz", "x"], source=["uv", "u"])
    assert lengths.samples == [{"src": "u", "mt": "x"}, {"src": "uv", "mt": "xyz"}]
    assert score.score == pytest.approx(100 * (1 / 2 + 1) / 2)
    assert "refs" not in score.signature.fields


@pytest.mark.parametrize(
    ("settings", "metrics"),
    [
        (REGRESSION, ["comet"]),
        ("class_identifier: ranking_metric\n", ["comet"]),
        ("class_identifier: referenceless_regression_metric\n", ["comet-qe"]),
        (KIWI, ["comet-qe"]),
        ("class_identifier: unified_metric\ninput_segments: [mt, ref]\n", ["comet"]),
        (
            "class_identifier: unified_metric\ninput_segments: [mt, src, ref]\n",
            ["comet", "comet-qe"],
        ),
        (XCOMET, ["comet", "comet-qe"]),
    ],
)
def test_a_model_is_taken_by_the_metrics_whose_texts_it_reads(
    tmp_path: Path, settings: str, metrics: list[str]
) -> None:
    folder = comet_folder(tmp_path / "tiny", settings)
    for name in ("comet", "comet-qe"):
        if name in metrics:
            mt.metric(name, registry=REGISTRY, model=folder)
        else:
            with pytest.raises(mt.UsageError, match=f"references: take {metrics[0]}:model="):
                mt.metric(name, registry=REGISTRY, model=folder)


@pytest.mark.parametrize(
    "settings", ["", "[", "x: 1", "class_identifier: x", "class_identifier: []"]
)
def test_settings_of_something_else_are_refused(tmp_path: Path, settings: str) -> None:
    folder = comet_folder(tmp_path / "tiny", settings)
    with pytest.raises(mt.PluginError, match="these are not the settings of a COMET model"):
        mt.metric("comet", registry=REGISTRY, model=folder)


# Both


@pytest.mark.slow
def test_they_keep_the_contract(bert: Path, tmp_path: Path, words: Words, lengths: Lengths) -> None:
    assert [finding for finding in check_metric(bertscore(bert)) if not finding.ok] == []
    comet = mt.metric("comet", registry=REGISTRY, model=comet_folder(tmp_path / "comet", XCOMET))
    names = ("metric_can_be_pickled", "options_are_in_the_signature", "rows_are_independent")
    checks = [check for check in METRIC_KIT.checks if check.__name__ in names]
    assert len(checks) == len(names)
    assert all(METRIC_KIT.find(check, comet, comet.declaration).passed for check in checks)
    assert words.read
    assert lengths.samples


def test_signatures_have_what_decides_about_the_score(bert: Path, tmp_path: Path) -> None:
    scorer = bertscore(bert, batch_size=7)
    fields = scorer.signature().fields
    assert fields["model"][0].startswith("tiny@")
    assert [*fields][:5] == ["case", "model", "layer", "idf", "baseline"]
    assert not {"batch-size", "device"} & {*fields}
    folder = comet_folder(tmp_path / "comet", XCOMET)
    fields = mt.metric("comet", registry=REGISTRY, model=folder, precision="fp16").setup.fields
    assert fields["precision"] == ("fp16",)


# Models


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "hub"))
    monkeypatch.chdir(tmp_path)
    return tmp_path / "hub"


def downloaded(hub: Path, repository: str) -> Path:
    folder = hub / f"models--{repository.replace('/', '--')}"
    (folder / "refs").mkdir(parents=True)
    (folder / "refs" / "main").write_text("0123abc")
    (folder / "snapshots" / "0123abc").mkdir(parents=True)
    (folder / "snapshots" / "0123abc" / "config.json").write_text("{}")
    return folder / "snapshots" / "0123abc"


def test_a_downloaded_model_goes_by_its_name(hub: Path) -> None:
    snapshot = downloaded(hub, "FacebookAI/roberta-large")
    for given in ("", "roberta-large", "FacebookAI/roberta-large"):
        model = encoder_folder(given)
        assert (model, model.name) == (str(snapshot), "roberta-large")
    comet = comet_folder(downloaded(hub, "Unbabel/wmt22-comet-da"), REGRESSION)
    assert comet_checkpoint("", "Unbabel/wmt22-comet-da") == str(comet)
    downloaded(hub, "other/roberta-large")
    with pytest.raises(mt.PluginError, match="2 models of this name"):
        encoder_folder("roberta-large")
    assert encoder_folder("FacebookAI/roberta-large") == str(snapshot)


def test_a_signature_finds_the_model_again(hub: Path, words: Words) -> None:
    downloaded(hub, "x/tiny")
    scorer = mt.metric("bertscore:model=x/tiny,layer=1", registry=REGISTRY)
    score = scorer.sentence_score("a b", ["a c"])
    assert score.signature.fields["model"][0].startswith("tiny@")
    again = mt.metric(str(score.signature), registry=REGISTRY).sentence_score("a b", ["a c"])
    assert str(again) == str(score)
    assert words.read


@pytest.mark.parametrize("given", ["roberta-large", "x/roberta-large", "*", "", "no/such/folder"])
def test_nothing_is_downloaded(hub: Path, given: str) -> None:
    with pytest.raises(mt.PluginError, match=r"snapshot_download\('.+'\)") as caught:
        encoder_folder(given)
    assert str(hub) in str(caught.value)


def test_a_broken_download_is_named(hub: Path) -> None:
    downloaded(hub, "x/tiny").parents[1].joinpath("refs", "main").unlink()
    with pytest.raises(mt.PluginError, match="the main revision of the model is not there"):
        encoder_folder("x/tiny")


def test_a_checkpoint_stands_for_its_folder(tmp_path: Path) -> None:
    folder = comet_folder(tmp_path / "tiny", REGRESSION)
    assert comet_checkpoint(
        str(folder / "checkpoints" / "model.ckpt"), "Unbabel/wmt22-comet-da"
    ) == str(folder)
    with pytest.raises(mt.PluginError, match="no such file"):
        comet_checkpoint(str(folder / "checkpoints" / "other.ckpt"), "Unbabel/wmt22-comet-da")
    (folder / "checkpoints" / "last.ckpt").touch()
    with pytest.raises(mt.PluginError, match=r"expected one \.ckpt file, found last.ckpt, model"):
        comet_checkpoint(str(folder), "Unbabel/wmt22-comet-da")
    (folder / "hparams.yaml").unlink()
    with pytest.raises(mt.PluginError, match=r"no hparams\.yaml"):
        comet_checkpoint(str(folder), "Unbabel/wmt22-comet-da")


def test_a_folder_without_a_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(mt.PluginError, match=r"no config\.json"):
        encoder_folder(str(tmp_path))


# What is missing


@pytest.mark.skipif(find_spec("torch") is not None, reason="torch is installed")
@pytest.mark.parametrize(("name", "extra"), [("bertscore", "bertscore"), ("comet-qe", "comet")])
def test_without_the_libraries_the_error_says_what_to_install(name: str, extra: str) -> None:
    with pytest.raises(mt.PluginError, match=rf"pip install 'mteval-learned\[{extra}\]'"):
        mt.metric(name)


def test_listing_imports_no_library() -> None:
    code = (
        "import sys; from mteval_core.commands.main import main; main(['list']); "
        "sys.exit(bool({'torch', 'transformers', 'comet', 'numpy'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_they_are_not_in_the_default_set() -> None:
    assert not any(spec.in_default_set for spec in mteval_learned.mteval_register_metrics())


# Cut texts


class Cutting(Words):
    """An encoder that says of texts of more than two words that it has cut them."""

    def embedded(self, text: str) -> Embedded:
        return replace(super().embedded(text), is_cut=len(text.split()) > 2)


def test_texts_that_the_encoder_cuts_are_counted(
    bert: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mteval_learned.bertscore.load", lambda *_: Cutting())
    systems = {"A": ["a b c", "a"], "B": ["a", "a"]}
    with pytest.warns(mt.MtevalWarning, match=r": 2 for A, 1 for B \[cut-texts\]"):
        evaluation = mt.evaluate(systems, [["a b c a", "a"]], [bertscore(bert)])
    (spec,) = evaluation.scorers
    assert [evaluation.signature(name, spec).get("cut") for name in systems] == ["2", "1"]


class Tokenizer:
    """A tokenizer whose tokens are words, between two tokens of its own."""

    cls_token_id, sep_token_id = CLS, SEP

    def __call__(self, texts: list[str], **_: Any) -> dict[str, list[list[int]]]:
        return {"input_ids": [[7] * len(text.split()) for text in texts]}

    def num_special_tokens_to_add(self) -> int:
        return 2

    def encode(
        self, text: str, *, max_length: int = 0, truncation: bool = False, **_: Any
    ) -> list[int]:
        words = [7] * len(text.split())
        return [CLS, *(words[: max_length - 2] if truncation else words), SEP]


@pytest.mark.parametrize(
    ("text", "n", "is_cut"), [("", 2, False), ("a b", 4, False), ("a b c", 4, True)]
)
def test_a_text_is_cut_if_it_has_more_tokens_than_the_encoder_reads(
    text: str, n: int, *, is_cut: bool
) -> None:
    encoder = Transformer(Tokenizer(), None, "cpu", 4)
    ids, cut = encoder.tokens(text)
    assert (len(ids), cut, len(encoder.ids(text))) == (n, is_cut, n)


def comet_reading(*joined: str) -> Model:
    """Return a model of at most 12 positions: 8 tokens of a text, and two between joined texts."""
    encoder = SimpleNamespace(tokenizer=Tokenizer(), max_positions=12, size_separator=2)
    if not joined:
        return Model(SimpleNamespace(encoder=encoder), "cpu")
    settings = SimpleNamespace(input_segments=["mt", *joined])
    return Model(SimpleNamespace(encoder=encoder, hparams=settings, concat_inputs=None), "cpu")


@pytest.mark.parametrize(
    ("joined", "sizes", "cut"),
    [
        ((), {"src": 8, "mt": 8, "ref": 8}, ""),
        ((), {"src": 9, "mt": 8, "ref": 9}, "src ref"),
        # <s> 5 </s></s> 4 </s>: the last token is lost, which ends the text.
        (("src",), {"src": 4, "mt": 5}, ""),
        (("src",), {"src": 5, "mt": 5}, "src"),
        (("src",), {"src": 1, "mt": 9}, "mt"),
        # Of <s> 3 </s></s> 3 </s></s> 2 </s>, 12 are read.
        (("src", "ref"), {"src": 3, "mt": 3, "ref": 2}, "ref"),
        (("src", "ref"), {"src": 3, "mt": 3, "ref": 1}, ""),
        (("src", "ref"), {"src": 5, "mt": 3}, ""),
        (("src", "ref"), {"src": 1, "mt": 3, "ref": 9}, "ref"),
    ],
)
def test_comet_counts_texts_that_its_model_does_not_read_to_the_end(
    joined: tuple[str, ...], sizes: dict[str, int], cut: str
) -> None:
    (found,) = comet_reading(*joined).cut([{key: "x " * n for key, n in sizes.items()}])
    assert found == {*cut.split()}


@pytest.mark.usefixtures("lengths")
def test_a_signature_of_comet_has_the_number_of_cut_texts(tmp_path: Path) -> None:
    """The hypothesis is cut, which is read twice, and one of two references."""
    scorer = mt.metric("comet", registry=REGISTRY, model=comet_folder(tmp_path / "m", REGRESSION))
    with pytest.warns(mt.MtevalWarning, match="comet:.* cut texts .* 2 for the hypotheses"):
        score = scorer.corpus_score(
            ["x" * 100, "x"], [["y" * 100, "x"], ["y", "x"]], source=["u"] * 2
        )
    assert score.signature.get("cut") == "2"
    assert score.score == pytest.approx(100 * ((1 + 1 / 100) / 2 + 1) / 2)

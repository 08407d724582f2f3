"""Texts, names and functions of plugins that are not what they should be: the plugin is named."""

from __future__ import annotations

import sys
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from mteval_core import Text
from mteval_core.commands.main import main
from mteval_core.plugin.declarations import NormalizerSpec
from mteval_core.plugin.loading import default_registry
from mteval_core.text.pipeline import normalize

if TYPE_CHECKING:
    pass

CODE = """
import mteval_core as mt
import numpy as np

def fails(text):
    raise ValueError("no")

def read(path, *field):
    return {read}

def draw(n, count, seed):
    yield np.zeros((count, n))

def engine(call, parts):
    {engine}

@mt.hookimpl
def mteval_register_readers():
    return [mt.ReaderSpec("odd", patterns=("*.odd",), function=read)]

@mt.hookimpl
def mteval_register_datasets():
    return [mt.DatasetSpec("set", patterns=("*.set",), function=read)]

@mt.hookimpl
def mteval_register_tokenizers():
    return [mt.TokenizerSpec("failing", function=fails)]

@mt.hookimpl
def mteval_register_normalizers():
    return [mt.NormalizerSpec("failing", key="case", stage="text", function=fails)]

@mt.hookimpl
def mteval_register_resamplers():
    return [mt.ResamplerSpec("zeros", function=draw)]

@mt.hookimpl
def mteval_register_engines():
    return [mt.EngineSpec("broken", function=engine)]
"""

NUMBERS = count()
"""Modules of plugins have different names."""

TEXT = "mt.Text(b'ab\\ncd\\n', np.array({}), np.array({}))"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("ref", "sys", "x.odd", "x.set"):
        (tmp_path / name).write_text("a b c d\n" * 12)
    return tmp_path


def write(folder: Path, read: str = "None", engine: str = "return []") -> str:
    path = folder / f"p{next(NUMBERS)}.py"
    path.write_text(CODE.format(read=read, engine=engine))
    return str(path)


@pytest.mark.parametrize(
    "read",
    [
        TEXT.format([0, 60], [2, 80]),
        TEXT.format([0, 3], [2, -1]),
        TEXT.format([0], [2, 5]),
        TEXT.format([0.0, 3.0], [2.0, 5.0]),
        TEXT.format([0, 3], [2, 5]).replace("b'", "'"),
        "mt.Text(b'ab', None, None)",
        "mt.Text(b'ab\\ncd\\n', [0, 3], [2, 5])",
        "mt.Text(b'ab\\ncd\\n', (0, 3), (2, 5))",
        TEXT.format([0, 3], [2, 5]).replace("ab", "a\\xff"),
    ],
)
@pytest.mark.parametrize("field", [False, True])
def test_a_text_that_is_not_made_as_texts_are_is_a_fault_of_its_reader(
    folder: Path, capsys: pytest.CaptureFixture[str], read: str, *, field: bool
) -> None:
    path = write(folder, read)
    if field:
        code = Path(path).read_text().replace("function=read)]", "function=read, fields=list)]", 1)
        Path(path).write_text(code)
    address = "x.odd::x" if field else "x.odd"
    assert main(["-p", path, "score", "ref", "-i", address, "-m", "bleu"]) == 4
    assert f"reader 'odd' in {path}: " in capsys.readouterr().err


def test_a_language_is_a_name(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    texts = "test_set=mt.TestSet((mt.Text.of(['a']),)), systems={'s': mt.Text.of(['a'])}"
    path = write(folder, f"mt.Dataset({texts}, language=5)")
    assert main(["-p", path, "score", "--data", "x.set", "-m", "bleu"]) == 4
    assert f"data set 'set' in {path}: language 5: expected a string" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("spec", "name"),
    [
        ("bleu:tok=failing", "tokenizer 'failing' in {}: ValueError: no"),
        ("bleu:case=failing", "normalizer case=failing in {}: ValueError: no"),
    ],
)
def test_a_step_that_fails_is_named_with_its_plugin(
    folder: Path, capsys: pytest.CaptureFixture[str], spec: str, name: str
) -> None:
    path = write(folder)
    assert main(["-p", path, "score", "ref", "-i", "sys", "-m", spec]) == 4
    assert name.format(path) in capsys.readouterr().err


def test_resamples_of_nothing_are_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(folder)
    words = ["score", "ref", "-i", "sys", "-m", "bleu", "-ci", "--resampler", "zeros"]
    assert main(["-p", path, *words]) == 4
    assert f"resampler 'zeros' in {path}" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("engine", "message"),
    [
        ("raise SystemExit(0)", "SystemExit: 0"),
        ("raise BaseException('b')", "BaseException: b"),
        ("raise ValueError('v')", "ValueError: v"),
        ("return None", "TypeError: "),
        ("return [5 for _ in parts]", "returned int"),
        ("return [call(p) for p in parts[1:]]", "lost 1 of 3 parts"),
        ("return [call(p) for p in [*parts, *parts]]", "returned a part twice"),
    ],
)
def test_an_engine_that_fails_is_named(
    folder: Path, capsys: pytest.CaptureFixture[str], engine: str, message: str
) -> None:
    pa = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    columns = {"id": range(12), "h": ["a b c d"] * 12}
    parquet.write_table(
        pa.table({k: list(v) for k, v in columns.items()}), "t.parquet", row_group_size=4
    )
    path = write(folder, engine=engine)
    words = ["score", "--data", "t.parquet", "--fields", "hyp=h,ref=h,id=id", "--engine", "broken"]
    assert main(["-p", path, *words, "-m", "bleu"]) == 4
    error = capsys.readouterr().err
    assert f"engine 'broken' in {path}" in error
    assert message in error


def test_no_segment_is_normalized_to_none() -> None:
    specs = [
        entry.declaration
        for entry in default_registry().of_kind(NormalizerSpec)
        if entry.declaration.lines is not None
    ]
    assert specs
    for spec in specs:
        assert list(normalize(Text.of([]), [spec])) == []


def test_tokens_on_a_terminal_cannot_change_it(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "esc").write_text("a \x1b]0;x\x07 \u202eb\n")
    words = ["tokenize", "esc", "--tok", "none"]
    assert main(words) == 0
    assert "\x1b]0;x\x07 \u202eb" in capsys.readouterr().out
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert main(words) == 0
    assert capsys.readouterr().out == "a \\x1b]0;x\\x07 \\u202eb\n"

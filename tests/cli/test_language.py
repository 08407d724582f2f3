"""--lang chooses the tokenizer, and the signature has its name."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from mteval_core.cli.main import main

if TYPE_CHECKING:
    from collections.abc import Callable

pytest.importorskip("mteval_bleu_nist", reason="the plugin bleu_nist is not installed")

REF, SYS = "他在家里。\n今天很好。\n", "他不在家。\n今天很好。\n"


def scored(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["score", *arguments]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize(("language", "tokenizer"), [("zh", "zh"), ("lo", "char"), ("de", None)])
def test_a_language_scores_as_its_tokenizer(
    files: Callable[..., list[str]],
    capsys: pytest.CaptureFixture[str],
    language: str,
    tokenizer: str | None,
) -> None:
    ref, system = files(ref=REF, sys=SYS)
    texts = [ref, "-i", system, "-m", "bleu", "nist"]
    chosen = scored(capsys, *texts, "--lang", language)
    assert chosen == scored(capsys, *texts, *(["--tok", tokenizer] if tokenizer else []))
    assert f"|tok:{tokenizer or '13a'}|" in chosen
    assert f"|tok:{tokenizer or 'mteval-v13a'}|" in chosen


def test_the_spec_of_a_metric_takes_precedence(
    files: Callable[..., list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    ref, system = files(ref=REF, sys=SYS)
    out = scored(capsys, ref, "-i", system, "-m", "bleu:tok=intl", "bleu", "--lang", "zh")
    assert "|tok:intl|" in out
    assert "|tok:zh|" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--lang", "zh", "--tok", "char"], "--lang chooses the tokenizer: leave out --tok"),
        (["--lang", "chinese"], "language 'chinese': expected a code of two or three letters"),
        (["--lang", "zh", "-m", "bleu:tok=13a"], "no metric takes tok=zh"),
        (["-l", "en-zh"], "--lang ja"),
    ],
)
def test_a_language_without_effect_is_refused(
    files: Callable[..., list[str]],
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    message: str,
) -> None:
    ref, system = files(ref=REF, sys=SYS)
    assert main(["score", ref, "-i", system, *arguments]) == 2
    assert message in capsys.readouterr().err

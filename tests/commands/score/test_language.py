"""--lang chooses the tokenizer, and the signature has its name."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import mteval_core as mt
from mteval_core.commands.main import main

if TYPE_CHECKING:
    from collections.abc import Callable

pytest.importorskip("mteval_bleu_nist", reason="the plugin bleu_nist is not installed")

FORMATS = Path(__file__).with_name("data_formats.py")
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
        (["--lang", "zh", "--tok", "char"], "--lang and --tok exclude each other: leave one out"),
        (["--lang", "chinese"], "language 'chinese'"),
        (["--lang", "xx"], "language 'xx'"),
        (
            ["--lang", "jp"],
            "Did you mean 'ja'?",
        ),
        (["--lang", "kr-KR"], "Did you mean 'ko'?"),
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


# The language of a data set


SGML = (
    '<{kind} setid="x" srclang="English" trglang="{language}"><doc docid="d" sysid="S">'
    '<seg id="1">他在家里。</seg></doc></{kind}>\n'
)


@pytest.mark.parametrize(
    ("language", "flags", "tokenizer"),
    [
        ("zh", [], "zh"),
        ("zh", ["--lang", "lo"], "char"),
        ("zh", ["--lang", "de", "-q"], "13a"),
        ("zh", ["--tok", "none", "-q"], "none"),
        ("Chinese", ["-q"], "13a"),
        ("", ["-q"], "13a"),
    ],
)
def test_a_flag_takes_precedence_over_the_language_of_the_data(
    files: Callable[..., list[str]],
    capsys: pytest.CaptureFixture[str],
    language: str,
    flags: list[str],
    tokenizer: str,
) -> None:
    pytest.importorskip("mteval_readers", reason="the plugin readers is not installed")
    kinds = {"ref.sgm": "refset", "hyp.sgm": "tstset"}
    ref, hyp = files(**{f: SGML.format(kind=k, language=language) for f, k in kinds.items()})
    out = scored(capsys, "--data", ref, "-i", f"S={hyp}::system.S", "-m", "bleu", *flags)
    assert f"|tok:{tokenizer}|" in out


def test_a_chosen_tokenizer_need_not_fit_every_metric(
    files: Callable[..., list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("mteval_readers", reason="the plugin readers is not installed")
    pytest.importorskip("mteval_chrf", reason="the plugin chrf is not installed")
    (ref,) = files(**{"r.sgm": SGML.format(kind="refset", language="zh")})
    out = scored(capsys, "--data", ref, "-i", f"S={ref}::ref.S", "-m", "chrf")
    assert "100.00" in out


def test_the_language_of_any_data_set_chooses_where_nothing_else_does(
    files: Callable[..., list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("mteval_error_rates", reason="the error rates are not installed")
    texts = {"refs": {"r": [REF]}, "systems": {"A": [SYS]}, "language": "zh"}
    data, ref = files(**{"d.camp": json.dumps(texts) + "\n"}, ref=REF)

    def signed(*arguments: str) -> str:
        assert main(["-p", str(FORMATS), "score", *arguments, "-q", "-f", "json"]) == 0
        written: str = json.loads(capsys.readouterr().out)["records"][0]["signature"]
        return written

    assert "|tok:zh|" in signed("--data", data, "-m", "wer")
    assert "|tok:zh|" in signed("--data", data, "-m", "wer", "--sets", "nocase")
    assert "|tok:13a|" in signed("--data", data, "-m", "wer:tok=13a")
    assert "|tok:13a|" in signed(ref, "-i", ref, "-m", "wer")
    dataset = mt.read_dataset(data, registry=mt.load_registry(files=[str(FORMATS)]))
    for spec, tok in (("wer", "zh"), ("wer:tok=13a", "13a")):
        assert mt.evaluate(dataset, [spec]).score("A", spec).signature.get("tok") == tok

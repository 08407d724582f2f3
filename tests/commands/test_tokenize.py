"""``mteval tokenize`` prints what a pipeline makes of a text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from mteval_core.commands.main import main

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.fixture
def run(
    files: Callable[..., list[str]], capsys: pytest.CaptureFixture[str]
) -> Callable[..., tuple[int, str, str]]:
    def command(text: str, *arguments: str) -> tuple[int, str, str]:
        (path,) = files(text=text)
        code = main(["tokenize", path, *arguments])
        return (code, *capsys.readouterr())

    return command


@pytest.mark.parametrize(
    ("flags", "printed"),
    [
        ([], "Dogs , running : 3.5 !\n\n他on在 .\n"),
        (["--tok", "none"], "Dogs, running: 3.5!\n\n他on在.\n"),
        (["--tok", "char"], "D o g s , r u n n i n g : 3 . 5 !\n\n他 o n 在 .\n"),
        (["--lang", "zh"], "Dogs , running : 3.5 !\n\n他 on 在 .\n"),
        (["--case", "lc"], "dogs , running : 3.5 !\n\n他on在 .\n"),
        (["-lc", "--stem", "porter"], "dog , run : 3.5 !\n\n他on在 .\n"),
    ],
)
def test_a_line_has_the_tokens_of_a_segment(
    run: Callable[..., tuple[int, str, str]], flags: list[str], printed: str
) -> None:
    assert run("Dogs, running: 3.5!\n\n他on在.\n", *flags) == (0, printed, "")


@pytest.mark.parametrize(
    ("flags", "code", "message"),
    [
        (["--tok", "13b"], 2, "unknown tokenizer '13b'. Did you mean '13a'?"),
        (["--tok", "13a", "--lang", "zh"], 2, "--tok and --lang exclude each other"),
        (["--stem", "x"], 2, "unknown normalizer stem 'x'"),
        (["--sets", "case"], 2, "unknown flag --sets"),
    ],
)
def test_refusals(
    run: Callable[..., tuple[int, str, str]], flags: list[str], code: int, message: str
) -> None:
    seen, out, err = run("a\n", *flags)
    assert (seen, out) == (code, "")
    assert message in err


def test_a_path_can_be_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tokenize", "\ud800"]) == 2
    assert "a name cannot contain" in capsys.readouterr().err


def test_standard_input_is_the_default(mteval: Callable[..., object]) -> None:
    done = mteval("tokenize", "--tok", "none", stdin="a  b\nç\n".encode())
    assert (done.code, done.out, done.err) == (0, "a b\nç\n", "")  # type: ignore[attr-defined]

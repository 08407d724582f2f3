"""The examples of the README are true."""

from __future__ import annotations

import doctest
from pathlib import Path

from mteval_kernels.table import KERNELS

README = Path(__file__).parents[1] / "README.md"


def test_the_examples_are_true() -> None:
    examples = doctest.DocTestParser().get_doctest(
        README.read_text("utf-8").replace("```", ""), {}, "README", str(README), 0
    )
    found = doctest.DocTestRunner().run(examples)
    assert found.attempted > len(KERNELS)
    assert found.failed == 0


def test_every_kernel_is_described_with_an_example() -> None:
    text = README.read_text("utf-8")
    assert [name for name in KERNELS if f"`{name}`" not in text] == []
    assert [name for name in KERNELS if f"k.{name}(" not in text] == []

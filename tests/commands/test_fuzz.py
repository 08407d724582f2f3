"""Random command lines: every one ends in a documented exit code, and none in a traceback."""

from __future__ import annotations

import random

import pytest

from fuzzing.command_lines import command_line, run

pytest.importorskip("mteval_error_rates", reason="the plugin error_rates is not installed")

N_COMMANDS = 300


def test_random_command_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    draw = random.Random(20261122)
    monkeypatch.delenv("MTEVAL_TRACEBACK", raising=False)
    codes = [run(command_line(draw)) for _ in range(N_COMMANDS)]
    assert {0, 2, 3} <= set(codes)
    assert codes.count(0) > N_COMMANDS / 10

"""A few random inputs for every target of `benchmarks/fuzz.py`, and that it finds faults."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from fuzzing.targets import TARGETS, drawn

for plugin in ("bleu_nist", "error_rates"):
    pytest.importorskip(f"mteval_{plugin}", reason=f"the plugin {plugin} is not installed")

TESTS = Path(__file__).parents[1]

ELSEWHERE = {"commands", "plugins"}
"""Targets that other tests try more often, or in another way."""

TIMES = 60


@pytest.mark.filterwarnings("ignore::mteval_core.errors.MtevalWarning")
@pytest.mark.parametrize("name", sorted(TARGETS.keys() - ELSEWHERE))
def test_no_input_does_harm(name: str) -> None:
    if name in ("kernels", "scanners"):
        pytest.importorskip("mteval_kernels._native", reason="there are no native kernels")
    inputs = [drawn(name, 1, number) for number in range(TIMES)]
    assert len(set(map(repr, inputs))) > TIMES / 2
    for each in inputs:
        TARGETS[name].run(each)


@pytest.mark.parametrize("name", TARGETS)
def test_an_input_can_be_drawn_again(name: str) -> None:
    one, same, other = (repr([drawn(name, seed, k) for k in range(9)]) for seed in (5, 5, 6))
    assert one == same
    assert one != other


FAULTY = """
import os, sys, time, warnings
sys.path[:0] = [{tests!r}, {benchmarks!r}]
import fuzz
grown = []

def error(number):
    if number > 0.5: raise RuntimeError("oops")

def hang(_):
    while True: pass

def grow(_):
    grown.append(b"x" * (1 << 20))
    time.sleep(0.001)

faults = dict(none=float, error=error, warning=lambda _: warnings.warn("oops"), hang=hang,
              grow=grow, crash=lambda _: os.kill(os.getpid(), 11),
              exit=lambda _: os._exit(0), memory=lambda _: bytearray(1 << 40))
fuzz.MOST_SECONDS, fuzz.MOST_FAILURES = 0.2, 3
from fuzzing import Target
fuzz.TARGETS["specs"] = Target(lambda draw: draw.random(), faults[{fault!r}])
sys.argv = "fuzz.py --only specs --seed 3 --folder failures --minutes 0.02".split()
sys.exit(fuzz.main())
"""


@pytest.mark.parametrize(
    ("fault", "what"),
    [
        ("none", ""),
        ("error", "RuntimeError: oops"),
        ("warning", "UserWarning: oops"),
        ("hang", "the process ended with the exit code -"),
        ("crash", "the process ended with the exit code -11"),
        ("exit", "the process ended with the exit code 0"),
        ("grow", "the process has grown by "),
        ("memory", "MemoryError"),
    ],
)
def test_faults_are_found(tmp_path: Path, fault: str, what: str) -> None:
    folders = {"tests": str(TESTS), "benchmarks": str(TESTS.parent / "benchmarks")}
    code = FAULTY.format(fault=fault, **folders)
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == bool(what), done.stderr
    saved = [path.read_text("utf-8") for path in (tmp_path / "failures").iterdir()]
    assert bool(saved) == bool(what)
    for text in saved:
        assert text.startswith("python ")
        assert "--only specs --seed 3 --input " in text
        assert what in text

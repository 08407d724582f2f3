"""Fixtures of all tests: the command line as a process, and plugins that are not installed."""

from __future__ import annotations

import os
import shutil
import signal
import struct
import subprocess
import sys
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import mteval_core as mt
from mteval_core.commands.parser import CommandParser

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from mteval_core.commands.arguments import Options

SOURCE = Path(__file__).parents[1]

mt.evaluate  # noqa: B018 - its modules hold the default registry, which some tests replace

SETTINGS = ("MTEVAL_DISABLE_PLUGINS", "MTEVAL_STRICT_PLUGINS", "MTEVAL_TRACEBACK", "COLUMNS")
"""Environment variables that a process under test does not inherit."""


@dataclass(frozen=True)
class Matches:
    """Clipped unigram matches in percent of hypothesis tokens: a metric to test the host with."""

    bonus: float = 0.0

    def segment_statistics(self, hypothesis: list[str], references: list[list[str]]) -> list[float]:
        found = max((Counter(hypothesis) & Counter(reference)).total() for reference in references)
        return [found, len(hypothesis)]

    def score(self, totals: Any) -> Any:
        matches, length = totals[..., 0], totals[..., 1]
        ratio = np.divide(matches, length, out=np.zeros_like(matches), where=length > 0)
        return np.stack([ratio + self.bonus, length], axis=-1)


MATCHES = mt.MetricSpec(
    "matches",
    factory=Matches,
    help="clipped unigram matches",
    label="Matches",
    values={"P": 100, "length": 1},
    options=(mt.Option("bonus", 0.0, "added to the score", minimum=0, maximum=1),),
)


@dataclass(frozen=True)
class PretendedDistribution:
    """A distribution that is not installed."""

    name: str
    version: str


@dataclass(frozen=True)
class PretendedEntryPoint:
    """An entry point of a distribution that is not installed."""

    name: str
    dist: PretendedDistribution
    load: Callable[[], Any]


@dataclass(frozen=True)
class Finished:
    """A command that has finished: its exit code, and what it printed."""

    code: int
    out: str
    err: str


def pretend(
    name: str = "toy", *, version: str = "1.0", point: str | None = None, **declared: Any
) -> PretendedEntryPoint:
    """Make the entry point of a plugin with declarations, from a distribution ``mteval-NAME``.

    ``pretend(metrics=[...], tokenizers=[...])`` names the declarations of each kind. A callable
    replaces the hook itself. An exception is raised when the plugin is imported.
    """
    module = ModuleType(f"mteval_{name}")
    for kind, what in declared.items():
        if not isinstance(what, BaseException):
            hook = what if callable(what) else (lambda what=what: what)
            hook = hook if kind.startswith("mteval_") else mt.hookimpl(hook)
            setattr(module, kind if kind.startswith("mteval_") else f"mteval_register_{kind}", hook)
    failures = [what for what in declared.values() if isinstance(what, BaseException)]

    def load() -> ModuleType:
        if failures:
            raise failures[0]
        return module

    dist = PretendedDistribution(f"mteval-{name}", version)
    return PretendedEntryPoint(point or name, dist, load)


@pytest.fixture(scope="session")
def plugin() -> Callable[..., PretendedEntryPoint]:
    """`pretend`, for tests in other files."""
    return pretend


@pytest.fixture(scope="session")
def matches() -> mt.MetricSpec:
    """Declaration of a metric for tests of the host."""
    return MATCHES


@pytest.fixture(scope="session")
def registry() -> mt.Registry:
    """Load the host, and a plugin with the metric ``matches``."""
    return mt.load_registry([pretend(metrics=[MATCHES])])


@pytest.fixture(scope="session")
def parsed() -> Callable[..., Options]:
    """Parse the words of a command: ``parsed("score", "ref", "-w", "3").width`` is 3."""

    def options(command: str, *words: str) -> Options:
        entry = mt.default_registry().find(mt.CommandSpec, command)
        return CommandParser(entry).options(words)

    return options


@pytest.fixture(scope="session")
def mteval() -> Callable[..., Finished]:
    """Run the command line as a process: ``mteval("score", ..., stdin=b"", env={})``.

    ``script=True`` runs the installed script instead of ``python -m mteval_core``.
    """

    def run(
        *arguments: str | Path,
        stdin: bytes = b"",
        env: dict[str, str] | None = None,
        cwd: Path | None = None,
        script: bool = False,
    ) -> Finished:
        installed = shutil.which("mteval", path=str(Path(sys.executable).parent))
        if script and installed is None:
            pytest.skip("the script 'mteval' is not installed next to this Python")
        command = [installed] if script else [sys.executable, "-m", "mteval_core"]
        clean = {key: value for key, value in os.environ.items() if key not in SETTINGS}
        done = subprocess.run(
            [*map(str, [*command, *arguments])],
            input=stdin,
            capture_output=True,
            check=False,
            cwd=cwd,
            env={**clean, **(env or {})},
        )
        assert b"Traceback" not in done.stderr, done.stderr.decode()
        return Finished(done.returncode, done.stdout.decode(), done.stderr.decode())

    return run


@pytest.fixture(scope="session")
def terminal() -> Callable[..., Finished]:
    """Run the command line on a terminal: ``terminal("score", ..., typed=b"", env={})``.

    All that it shows is its output.
    """
    pty = pytest.importorskip("pty", reason="this system has no pseudo-terminals")
    import fcntl
    import termios

    def run(
        *arguments: str | Path,
        typed: bytes = b"",
        env: dict[str, str] | None = None,
        cwd: Path | None = None,
    ) -> Finished:
        keyboard, screen = pty.openpty()
        fcntl.ioctl(screen, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 100, 0, 0))
        with subprocess.Popen(
            [sys.executable, "-m", "mteval_core", *map(str, arguments)],
            **dict.fromkeys(("stdin", "stdout", "stderr"), screen),
            cwd=cwd,
            env={**os.environ, **(env or {})},
        ) as process:
            os.close(screen)
            os.write(keyboard, typed)
            shown = b""
            with suppress(OSError):  # Linux reports in this way that the other end is closed
                while data := os.read(keyboard, 4096):
                    shown += data
        os.close(keyboard)
        return Finished(process.returncode, shown.decode(), "")

    return run


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Let a test interrupt the processes that it starts.

    A shell that runs pytest in the background, as ``tox &`` does, makes it ignore interrupts, and
    so would they.
    """
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(scope="session")
def mini() -> Path:
    """Find the example test set."""
    return SOURCE / "examples" / "mini"


@pytest.fixture
def files(tmp_path: Path) -> Callable[..., list[str]]:
    r"""Write files of text or bytes: ``files(ref="a\n", sys=b"...")`` gives their paths."""

    def write(**contents: str | bytes) -> list[str]:
        paths = []
        for name, content in contents.items():
            path = tmp_path / name
            path.write_bytes(content.encode() if isinstance(content, str) else content)
            paths.append(str(path))
        return paths

    return write

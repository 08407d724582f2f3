"""Other processes: what a plugin does in a new one, and what it touches there.

A check sends a job, a function of this package, to two new processes of Python that hash strings
differently. Each finds the plugin as this process did, does the job, and says what it read and what
it left behind.
"""

from __future__ import annotations

import contextlib
import gc
import io
import os
import pickle
import random
import subprocess
import sys
import sysconfig
import tempfile
import threading
import tracemalloc
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from mteval_core import Entry, Registry, load_registry
from mteval_testing.watch import seconds_allowed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from mteval_core import Declaration

__all__ = ["Outcome", "in_two_processes"]

SEEDS = ("0", "1")
"""Seeds with which the processes hash strings."""

ROUNDS = 5
"""How often a job is done to see whether memory grows: before, and once more meanwhile."""

LEAK = 100_000
"""Bytes per round from which memory grows."""

INSTALLED = tuple(
    {sys.prefix, sys.base_prefix, *sysconfig.get_paths().values(), "/proc", "/sys", "/dev"}
)
"""Where files are that an installation has, or the system."""

READERS_OF_VARIABLES = ("os.py", "_collections_abc.py", "<frozen os>", "<frozen _collections_abc>")
"""Code through which programs read the environment."""


@dataclass
class Outcome:
    """What happened in another process.

    Parameters
    ----------
    result : object
        What the job returned.
    error : str
        The error that it raised; empty if there is none.
    absent : str
        Why the plugin cannot be used there; empty if it can.
    files, variables : list of str
        Files that were read or written, and variables of the environment that the plugin read.
    left : list of str
        What was left behind, in words.
    """

    result: Any = None
    error: str = ""
    absent: str = ""
    files: list[str] = field(default_factory=list)
    variables: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)


def in_two_processes(
    registry: Registry, job: Callable[..., Any], *arguments: Any, grows: bool = True
) -> tuple[Outcome, ...]:
    """Do a job in two processes.

    Parameters
    ----------
    registry : Registry
        The plugins. Those of a test, which are not installed, are sent if they can be pickled.
    job : callable
        ``job(registry, turn, *arguments)``, a function of a module; `turn` is 0 in the first
        process and 1 in the second.
    *arguments
        What can be pickled.
    grows : bool
        Whether to look for memory that grows, which does the job some times more.

    Returns
    -------
    tuple of Outcome
        One for each process.
    """
    here = {plugin.name: plugin for plugin in installed().plugins}
    entries = [
        entry for kind in registry.kinds().values() for entry in registry.of_kind(kind.declaration)
    ]
    strangers = [
        entry
        for entry in entries
        if not entry.plugin.path and here.get(entry.plugin.name) != entry.plugin
    ]
    request = {
        "files": [plugin.path for plugin in registry.plugins if plugin.path],
        "blocked": [plugin.name for plugin in registry.plugins if plugin.blocked],
        "strangers": [*filter(None, map(pickled, strangers))],
    }
    work = pickle.dumps((job, arguments, grows))
    return both(pickle.dumps((sys.path, request, work)))


@lru_cache(1)
def installed() -> Registry:
    """Return everything that is installed."""
    return load_registry()


def pickled(entry: Entry[Declaration]) -> bytes:
    """Pickle a declaration and its plugin, if that is possible."""
    try:
        return pickle.dumps((entry.declaration, replace(entry.plugin, cause=None)))
    except Exception:  # noqa: BLE001 - as of a function in a test
        return b""


@lru_cache(8)
def both(request: bytes) -> tuple[Outcome, ...]:
    """Send a request to two processes at a time."""
    code = "from mteval_testing.processes import main; main()"
    folders = os.pathsep.join(filter(None, sys.path))
    started = [
        subprocess.Popen(
            [sys.executable, "-W", "ignore", "-c", code, str(turn)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": folders},
        )
        for turn, seed in enumerate(SEEDS)
    ]
    try:
        return tuple(answer(process, request) for process in started)
    finally:
        for process in started:
            process.kill()
            process.wait()


def answer(process: subprocess.Popen[bytes], request: bytes) -> Outcome:
    """Return the answer of a process."""
    try:
        out, err = process.communicate(request, timeout=seconds_allowed())
    except subprocess.TimeoutExpired as error:
        raise AssertionError(f"another process has not ended after {error.timeout:g} s") from None
    try:
        outcome: Outcome = pickle.loads(out)
    except Exception:  # noqa: BLE001 - the process may have ended in any way
        last = err.decode(errors="replace").strip().rpartition("\n")[2]
        return Outcome(error=f"the process ended with the code {process.returncode}: {last}")
    return outcome


# In the other process


def main() -> None:
    """Do the job that standard input describes, and write its outcome."""
    folders, request, work = pickle.load(sys.stdin.buffer)
    sys.path[:] = folders
    out = os.fdopen(os.dup(1), "wb")
    outcome = Outcome()
    with tempfile.TemporaryFile() as printed:
        os.dup2(printed.fileno(), 1)
        fulfil(outcome, request, work)
        sys.stdout.flush()
        if printed.seek(0, io.SEEK_END):
            outcome.left.append("text on standard output")
    out.write(pickle.dumps(outcome))
    out.flush()
    os._exit(0)  # threads that are left would make it wait


def fulfil(outcome: Outcome, request: dict[str, Any], work: bytes) -> None:
    """Do the work that is asked for, if the plugins are found."""
    try:
        registry = registry_of(**request)
        job, arguments, grows = pickle.loads(work)
    except Exception as error:  # noqa: BLE001 - it is said
        outcome.absent = f"{type(error).__name__}: {error}"
    else:
        turn = int(sys.argv[1])
        do(outcome, registry, lambda: job(registry, turn, *arguments), grows=grows and turn == 0)


def registry_of(files: list[str], blocked: list[str], strangers: list[bytes]) -> Registry:
    """Load the plugins."""
    base = load_registry(blocked=blocked, files=files)
    entries = [entry for kind in base.kinds().values() for entry in base.of_kind(kind.declaration)]
    more = [Entry(*pickle.loads(one)) for one in strangers]
    return Registry([*base.plugins, *(entry.plugin for entry in more)], [*entries, *more])


def do(outcome: Outcome, registry: Registry, job: Callable[[], Any], *, grows: bool) -> None:
    """Do a job, and note what it does to the process."""
    folder, threads, states = Path.cwd(), {*threading.enumerate()}, states_of_process()
    watching = Watching([plugin.folder for plugin in registry.plugins if plugin.folder])
    with watching:
        try:
            outcome.result = job()
        except Exception as error:  # noqa: BLE001 - a plugin may fail in any way
            outcome.error = f"{type(error).__name__}: {error}"
            return
    outcome.files, outcome.variables = watching.files, watching.variables
    if Path.cwd() != folder:
        outcome.left.append(f"another working folder, {Path.cwd()}")
        os.chdir(folder)
    more = [thread.name for thread in threading.enumerate() if thread not in threads]
    if more:
        outcome.left.append(f"{len(more)} threads, such as {more[0]!r}")
    after = states_of_process()
    outcome.left += [f"another {what}" for what, state in states.items() if state != after[what]]
    if grows:
        growth = min(growths(job))
        if growth > LEAK:
            outcome.left.append(
                f"memory that grows by {growth / 1000:,.0f} kB with each evaluation"
            )


def states_of_process() -> dict[str, object]:
    """Return what belongs to the whole process, and other code relies on."""
    return {
        "state of the generator of random": random.getstate(),
        "state of the generator of numpy.random": str(np.random.get_state()),  # noqa: NPY002 - that of others
        "way of numpy to treat errors (numpy.seterr)": np.geterr(),
        "limit of recursion": sys.getrecursionlimit(),
    }


def growths(job: Callable[[], Any]) -> Iterator[int]:
    """Yield by how many bytes the memory grows each time that a job is done."""
    job()
    tracemalloc.start()
    before = None
    for _ in range(ROUNDS):
        job()
        gc.collect()
        now, _ = tracemalloc.get_traced_memory()
        if before is not None:
            yield now - before
        before = now
    tracemalloc.stop()


class Watching(contextlib.AbstractContextManager["Watching"]):
    """Notes the files that are opened, and the variables that code in some folders reads.

    Parameters
    ----------
    folders : iterable of str
        The folders of the plugins.
    """

    def __init__(self, folders: Iterable[str]) -> None:
        self.folders: tuple[str, ...] = tuple(folders)
        self.files: list[str] = []
        self.variables: list[str] = []
        self.written: set[str] = set()
        self.active = False

    def __enter__(self) -> Watching:
        self.active = True
        sys.addaudithook(self.heard)
        environment: Any = type(os.environ)
        read = environment.__getitem__

        def noted(variables: Any, key: str) -> Any:
            if self.active and key not in self.variables and self.asks():
                self.variables.append(key)
            return read(variables, key)

        environment.__getitem__ = noted
        return self

    def __exit__(self, *_: object) -> None:
        self.active = False

    def heard(self, event: str, arguments: tuple[Any, ...]) -> None:
        """Note a file that is opened and is no part of an installation or a plugin."""
        if not self.active or event != "open" or not isinstance(arguments[0], (str, bytes, Path)):
            return
        path = os.path.realpath(os.fsdecode(arguments[0]))
        if "w" in str(arguments[1]) and path.startswith(os.path.realpath(tempfile.gettempdir())):
            self.written.add(path)
        is_code = path.endswith((".py", ".pyc", ".so", ".pyd", ".dll")) or "__pycache__" in path
        belongs = path.startswith((*INSTALLED, *self.folders)) or path in self.written
        if not is_code and not belongs and path not in self.files:
            self.files.append(path)

    def asks(self) -> bool:
        """Tell whether the code that reads a variable is a plugin's."""
        frame = sys._getframe(2)
        while frame.f_back and Path(frame.f_code.co_filename).name in READERS_OF_VARIABLES:
            frame = frame.f_back
        return str(Path(frame.f_code.co_filename).resolve()).startswith(self.folders)

"""Build all distributions, and check that they can be published.

``python release/check.py`` checks what is committed: it exports the last commit, writes the manual
page, and builds sdists, and wheels from the sdists. Then it

1. compares versions, requirements, API levels and changelogs, and looks for tags of other commits;
2. compares the archives with the exported files, and runs twine, check-wheel-contents,
   validate-pyproject and auditwheel;
3. installs the wheels into an empty environment, from files alone, scores ``examples/mini``, lists
   and checks the plugins, and runs the tests of the unpacked sdists;
4. installs the sdist of the kernels without a compiler, with the wheels of the others, and compares
   the scores;
5. builds everything a second time, and compares the bytes.

With ``--publish``, nothing is built while addresses are placeholders or a changelog has no date.

The archives are in ``dist``, and what they require is downloaded to ``dist/third-party``, unless it
is there. The exit code is 1 if a check fails.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
from itertools import chain
from pathlib import Path
from runpy import run_path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple

from packaging.requirements import Requirement

import archives
import projects

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from projects import Distribution

ROOT = Path(__file__).parents[1]
BUILD_TOOLS = ("flit_core>=3.12", "setuptools>=77.0.3", "pybind11>=2.13", "wheel")
NO_COMPILER = {"CC": "no-compiler", "CXX": "no-compiler"}
KERNELS, HOST = "kernels", "."
"""Folders of the distributions that are no plugins."""

KIT = "tests/contract/test_contract.py"
"""The contract kit, for every plugin that is installed. All tests of the host take too long."""

ALONE = "not (golden or sacrebleu or properties)"
"""Tests of a plugin that are not comparisons with programs, nor properties of random texts."""


class Failed(Exception):
    """A command failed; the text is what it wrote."""


class Export(NamedTuple):
    """The files of a commit, without those that git ignores, and the manual page."""

    root: Path
    distributions: list[Distribution]
    epoch: int
    """Time of the commit, which stands for the time of the build."""

    def at(self, where: str) -> Distribution:
        """Return the distribution of a folder."""
        return next(own for own in self.distributions if own.where == where)


def run(
    *command: str | Path, cwd: Path = ROOT, environment: Mapping[str, str] | None = None
) -> str:
    """Run a command, and return what it wrote to standard output."""
    clean = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    done = subprocess.run(
        [*map(str, command)],
        cwd=cwd,
        env={**clean, **(environment or {})},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        written = "\n".join((done.stdout + done.stderr).splitlines()[-30:])
        raise Failed(f"{' '.join(map(str, command))} exited with {done.returncode}:\n{written}")
    return done.stdout


def python(*arguments: str | Path, environment: Mapping[str, str] | None = None) -> str:
    """Run a module of the environment that runs this script."""
    return run(sys.executable, "-m", *arguments, environment=environment)


def export(target: Path) -> Export:
    """Write the files of the last commit to a folder, and its manual page."""
    target.mkdir()
    archive = target.with_suffix(".tar")
    run("git", "archive", "-o", archive, "HEAD")
    shutil.unpack_archive(archive, target)
    path = os.pathsep.join([str(target), str(target / "kernels")])
    own = {"PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}
    run(sys.executable, target / "docs" / "_ext" / "manual.py", environment=own)
    epoch = int(run("git", "log", "-1", "--format=%ct"))
    return Export(target, projects.read(target), epoch)


def build(source: Export, target: Path) -> None:
    """Build the sdists, and the wheels from the sdists."""
    environment = {"SOURCE_DATE_EPOCH": str(source.epoch), "MTEVAL_REQUIRE_NATIVE": "1"}
    target.mkdir(parents=True, exist_ok=True)
    options = ("build", "--no-isolation", "-o", target)
    with TemporaryDirectory() as folder:
        copy = Path(folder, "copy")  # a build leaves files in its folder
        shutil.copytree(source.root, copy)
        for own in source.distributions:
            python(*options, "--sdist", copy / own.where, environment=environment)
            sdist = archive_of(own, target, ".tar.gz")
            archives.repack(sdist, source.epoch)
            unpacked = unpack(sdist, Path(folder))
            python(*options, "--wheel", unpacked, environment=environment)


def archive_of(own: Distribution, dist: Path, ending: str) -> Path:
    """Return the sdist or the wheel of a distribution."""
    (path,) = dist.glob(f"{own.stem}*{ending}")
    return path


def declared_faults(source: Export) -> Iterator[str]:
    """Check what the distributions declare."""
    for own in source.distributions:
        yield from projects.version_faults(own)
        yield from projects.metadata_faults(own, source.at(HOST))
        yield from projects.changelog_faults(own)
    yield from projects.pin_faults(source.distributions)
    yield from projects.api_faults(source.distributions)
    yield from list_faults(source)


def list_faults(source: Export) -> Iterator[str]:
    """Compare the list of plugins and the README with the folders."""
    folders = [own.where for own in source.distributions if own.where.startswith("plugins/")]
    lines = (source.root / "plugins.txt").read_text("utf-8").splitlines()
    listed = [line.removeprefix("./") for line in lines if not line.startswith("#")]
    if listed != folders:
        yield f"plugins.txt lists {', '.join(listed)}; expected {', '.join(folders)}"
    named = {*re.findall(r"`(plugins/\w+)`", (source.root / "README.md").read_text("utf-8"))}
    if named != {*folders}:
        yield f"README.md names {', '.join(sorted(named))}; expected {', '.join(folders)}"


def tag_faults(own: Distribution, repository: Path) -> Iterator[str]:
    """Find a version that was released with other code."""
    tag = f"{own.name}=={own.version}"
    if run("git", "tag", "--list", tag, cwd=repository).strip():
        code = [f"{own.where}/pyproject.toml", *(f"{own.where}/{p.name}" for p in own.packages)]
        ends = (f"refs/tags/{tag}", "HEAD", "--", *code)
        if run("git", "diff", "--name-only", *ends, cwd=repository).strip():
            yield f"{own.where}: {tag} is released, and the code has changed: raise the version"


def archive_faults(source: Export, dist: Path) -> Iterator[str]:
    """Check what the archives contain."""
    folders = [own.where for own in source.distributions]
    licence = (source.root / "LICENSE").read_bytes()
    for own in source.distributions:
        sdist = archives.contents(archive_of(own, dist, ".tar.gz"))
        wheel = archives.contents(archive_of(own, dist, ".whl"))
        yield from archives.sdist_faults(sdist, own, folders)
        yield from archives.wheel_faults(wheel, own, licence)
        if own.where == KERNELS:
            sources = run_path(str(own.folder / "mteval_kernels" / "sources.py"))
            yield from archives.kernel_faults(wheel, sources["stamp"](own.version))


def tool_faults(source: Export, dist: Path) -> Iterator[str]:
    """Run the checks of other tools."""
    built = sorted(path for path in dist.iterdir() if path.is_file())
    wheels = [path for path in built if path.suffix == ".whl"]
    kernels = archive_of(source.at(KERNELS), dist, ".whl")
    meta = archive_of(source.distributions[-1], dist, ".whl")
    files = [own.folder / "pyproject.toml" for own in source.distributions]
    yield from command_faults("twine", "check", "--strict", *built)
    yield from command_faults("check_wheel_contents", *(path for path in wheels if path != meta))
    yield from command_faults("validate_pyproject", *files)
    if sys.platform == "linux":
        yield from command_faults("auditwheel", "show", kernels)


def command_faults(*arguments: str | Path) -> Iterator[str]:
    """Yield what a module wrote if it fails."""
    try:
        python(*arguments)
    except Failed as error:
        yield str(error)


def download(source: Export, target: Path) -> None:
    """Download what the distributions, their builds and their tests require."""
    ours = {own.name for own in source.distributions}
    required = {
        str(requirement)
        for own in source.distributions
        for requirement in own.requirements
        if requirement.name not in ours and not optional(own, str(requirement))
    }
    arrow = source.at(HOST).project["optional-dependencies"]["arrow"]
    tests = ("-r", ROOT / "tests" / "requirements-alone.txt")
    python("pip", "download", "-q", "-d", target, *BUILD_TOOLS, *tests, *sorted(required), *arrow)


def optional(own: Distribution, requirement: str) -> bool:
    """Return whether only an extra of a distribution needs a requirement."""
    return requirement not in [*map(str, map(Requirement, own.project["dependencies"]))]


class Environment:
    """A new virtual environment that installs from files alone."""

    def __init__(self, folder: Path, dist: Path) -> None:
        python("venv", folder)
        self.bin = folder / ("Scripts" if os.name == "nt" else "bin")
        links = ("--find-links", dist / "third-party", "--find-links", dist)
        self.options = ("install", "-q", "--no-index", *links)

    def pip(self, *arguments: str | Path, environment: Mapping[str, str] | None = None) -> None:
        """Install packages."""
        command = (self.bin / "python", "-m", "pip", *self.options, *arguments)
        run(*command, environment=environment)

    def mteval(self, *arguments: str | Path, cwd: Path) -> str:
        """Run the command line."""
        return run(self.bin / "mteval", *arguments, cwd=cwd)


def installation_faults(source: Export, environment: Environment, kernels: str) -> Iterator[str]:
    """Check the plugins and the kernels of an environment."""
    code = "import mteval_kernels; print(mteval_kernels.implementation)"
    used = run(environment.bin / "python", "-c", code, cwd=source.root.parent).strip()
    if used != kernels:
        yield f"the installed kernels are {used}; expected {kernels}"
    listed = json.loads(environment.mteval("plugins", "--json", cwd=source.root.parent))
    seen = {plugin["distribution"]: (plugin["version"], plugin["status"]) for plugin in listed}
    for own in source.distributions:
        is_plugin = own.packages and own.where != KERNELS
        if is_plugin and seen.get(own.name) != (own.version, "ok"):
            yield f"mteval plugins: {own.name} is {seen.get(own.name)}; expected {own.version}, ok"


def scores(source: Export, environment: Environment) -> str:
    """Score ``examples/mini``."""
    mini = source.root / "examples" / "mini"
    references, systems = sorted(mini.glob("ref?.txt")), sorted(mini.glob("systems/*.txt"))
    return environment.mteval(
        "score", *references, "-i", *systems, "-q", "-f", "json", cwd=source.root.parent
    )


def test_faults(
    environment: Environment, folder: Path, *arguments: str | Path, **settings: str
) -> Iterator[str]:
    """Run tests of an unpacked sdist; the script of pytest does not import from the folder."""
    options = ("-q", "-n", "2", "-p", "no:cacheprovider")
    try:
        run(environment.bin / "pytest", *options, *arguments, cwd=folder, environment=settings)
    except Failed as error:
        yield str(error)


def wheels_installed(source: Export, dist: Path, folder: Path) -> Iterator[str]:
    """Install all wheels, check them, and run the tests of the sdists; write the scores."""
    environment = Environment(folder / "wheels", dist)
    environment.pip("--only-binary", ":all:", source.distributions[-1].name)
    yield from installation_faults(source, environment, "native")
    (folder / "wheels.json").write_text(scores(source, environment), "utf-8")
    environment.pip("-r", source.root / "tests" / "requirements-alone.txt")
    # Tests of plugins read the examples of the repository, next to the folder of plugins.
    shutil.copytree(source.root / "examples", folder / "examples")
    for own in source.distributions:
        if (own.folder / "tests").is_dir():
            unpacked = unpack(archive_of(own, dist, ".tar.gz"), folder / "plugins")
            chosen = {HOST: [KIT], KERNELS: ["tests"]}.get(own.where, ["-k", ALONE, "tests"])
            yield from test_faults(environment, unpacked, *chosen)


def sdist_installed(source: Export, dist: Path, folder: Path) -> Iterator[str]:
    """Install the kernels without a compiler, check everything, and compare the scores.

    The wheels of the others contain no compiled code, and were built from their sdists.
    """
    environment = Environment(folder / "sdist", dist)
    sdist = archive_of(source.at(KERNELS), dist, ".tar.gz")
    required = {**NO_COMPILER, "MTEVAL_REQUIRE_NATIVE": "1"}
    try:
        environment.pip("--no-deps", sdist, environment=required)
        yield "MTEVAL_REQUIRE_NATIVE=1 built the kernels without a compiler; expected an error"
    except Failed:
        pass
    environment.pip(sdist, source.distributions[-1].name, environment=NO_COMPILER)
    yield from installation_faults(source, environment, "python")
    if scores(source, environment) != (folder / "wheels.json").read_text("utf-8"):
        yield "without a compiler, the scores of examples/mini are others"
    environment.pip("-r", source.root / "tests" / "requirements-alone.txt")
    unpacked = unpack(archive_of(source.at(HOST), dist, ".tar.gz"), folder)
    yield from test_faults(environment, unpacked, KIT, MTEVAL_KERNELS="python")


def unpack(sdist: Path, folder: Path) -> Path:
    """Unpack an sdist; return its folder."""
    shutil.unpack_archive(sdist, folder, filter="data")
    return folder / sdist.name.removesuffix(".tar.gz")


def steps(dist: Path, published: str) -> Iterator[tuple[str, Iterator[str]]]:
    """Yield the steps by name; each is an iterator of faults."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        source = export(folder / "export")
        yield "declarations", declared_faults(source)
        tagged = (tag_faults(own, ROOT) for own in source.distributions)
        yield "tags", chain.from_iterable(tagged)
        if published:
            not_ready = [*named_faults(source, published)]
            yield f"publishing {published}", iter(not_ready)
            if not_ready:
                return
        build(source, dist)
        yield "archives", archive_faults(source, dist)
        yield "tools", tool_faults(source, dist)
        if not (dist / "third-party").is_dir():
            download(source, dist / "third-party")
        yield "wheels", wheels_installed(source, dist, folder)
        yield "without a compiler", sdist_installed(source, dist, folder)
        build(source, folder / "again")
        first = folder / "first"
        shutil.copytree(dist, first, ignore=shutil.ignore_patterns("third-party"))
        yield "second build", archives.differences(first, folder / "again")


def named_faults(source: Export, published: str) -> Iterator[str]:
    """Check the distribution that a tag names, ``NAME==VERSION``."""
    found = [own for own in source.distributions if f"{own.name}=={own.version}" == published]
    if not found:
        yield f"no distribution is {published}"
    yield from chain.from_iterable(map(projects.publishing_faults, found))


def main() -> int:
    """Run the steps; return 1 if one finds a fault."""
    parser = argparse.ArgumentParser(description="Build all distributions and check them.")
    parser.add_argument("--dist", type=Path, default=ROOT / "dist", help="where archives go")
    parser.add_argument("--publish", default="", metavar="NAME==VERSION", help="a tag to check")
    arguments = parser.parse_args()
    dist = arguments.dist.resolve()
    for old in [*dist.glob("*.whl"), *dist.glob("*.tar.gz")]:
        old.unlink()
    n_faults = 0
    for step, faults in steps(dist, arguments.publish):
        found = [*faults]
        n_faults += len(found)
        print(f"{step}: {len(found) or 'no'} faults", *found, sep="\n  ", flush=True)
    return int(n_faults > 0)


if __name__ == "__main__":
    sys.exit(main())

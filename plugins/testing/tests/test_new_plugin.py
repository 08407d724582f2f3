"""A plugin from nothing: written, installed in a fresh environment, checked, scored, replayed."""

from __future__ import annotations

import json
import os
import re
import site
import subprocess
import sys
import sysconfig
import venv
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from mteval_testing import run_command
from mteval_testing.new_plugin import LICENSES, SCAFFOLD, SCAFFOLDED, distribution, write

if TYPE_CHECKING:
    from collections.abc import Callable

TUTORIAL = Path(__file__).parents[3] / "docs" / "tutorial.md"
MINI = Path(__file__).parents[3] / "examples" / "mini"

KINDS = list(SCAFFOLDED)

EVERYTHING = [f"--{kind}" for kind in KINDS]


def run(*command: str | Path, cwd: Path | None = None) -> str:
    done = subprocess.run(
        [*map(str, command)], capture_output=True, text=True, check=False, cwd=cwd
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a fresh environment that sees what is installed here; plugins go only into it."""
    folder = tmp_path_factory.mktemp("environment") / "venv"
    venv.EnvBuilder(with_pip=False, symlinks=True).create(folder)
    python = folder / "bin" / "python"
    (place,) = run(python, "-c", "import site; print(site.getsitepackages()[0])").split()
    here = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib"), *site.getsitepackages()}
    lines = [f"import site; site.addsitedir({folder!r})\n" for folder in sorted(here)]
    Path(place, "outside.pth").write_text("".join(lines), encoding="utf-8")
    return python


def install(python: Path, folder: Path) -> None:
    """Install a plugin there, with the setuptools that is here if it is new enough."""
    try:
        new_enough = int(metadata.version("setuptools").partition(".")[0]) >= 77
        metadata.version("wheel")
    except metadata.PackageNotFoundError:
        new_enough = False
    isolation = ["--no-build-isolation"] if new_enough else []
    pip = [sys.executable, "-m", "pip", "--python", python, "install", "-q", "--no-deps"]
    run(*pip, *isolation, "-e", folder)


def test_from_nothing_to_a_replayed_score(
    mteval: Callable[..., Any], environment: Path, tmp_path: Path
) -> None:
    written = mteval("new-plugin", "my-metric", *EVERYTHING, "--native", "--into", tmp_path)
    assert (written.code, written.err) == (0, "")
    folder = tmp_path / "mteval-my-metric"
    assert f"pip install -e '{folder}[test]'" in written.out
    install(environment, folder)
    command = [environment, "-m", "mteval_core"]

    plugins = json.loads(run(*command, "plugins", "--json"))
    (ours,) = [plugin for plugin in plugins if plugin["distribution"] == "mteval-my-metric"]
    assert ours["status"] == "ok"
    assert ours["registers"] == {
        "metrics": ["my-metric"],
        "tokenizers": ["my-metric"],
        "normalizers": ["norm=my-metric"],
        "formats": ["my-metric"],
        "readers": ["my-metric"],
        "datasets": ["my-metric"],
        "resamplers": ["my-metric"],
        "engines": ["my-metric"],
        "commands": ["my-metric"],
        "checks": ["my-metric"],
    }

    checked = run(*command, "check", "mteval-my-metric", cwd=tmp_path)
    assert "FAIL" not in checked
    passed = re.findall(r"^(\w+) \S+: (\d+) of \2 checks pass$", checked, re.MULTILINE)
    assert [kind for kind, _ in passed] == KINDS
    assert not re.search(r"^  ok .*(sample|read)", checked, re.MULTILINE), "no check lacks a sample"

    built = "import mteval_my_metric.native as n; print(n.compiled() is not None)"
    assert run(environment, "-c", built) == "True\n"

    texts = [MINI / "ref0.txt", MINI / "ref1.txt", "-i", MINI / "systems" / "deep.txt"]
    spec = "my-metric:beta=2,tok=my-metric,norm=my-metric"
    scored = run(*command, "score", *texts, "-m", spec, "-f", "json")
    (record,) = json.loads(scored)["records"]
    assert 0 < record["score"] < 100
    assert "|plugin:mteval-my-metric@0.1.0|" in record["signature"]
    again = run(*command, "score", *texts, "-m", record["signature"], "-f", "json")
    (repeated,) = json.loads(again)["records"]
    assert {**repeated, "metric": spec} == record

    tests = run(environment, "-m", "pytest", "-p", "no:cacheprovider", cwd=folder)
    assert re.search(r"\d+ passed, 1 xfailed", tests)
    test = (
        "tests/test_golden.py::TestGolden::test_equals_the_program[runs: PROGRAM VERSION OPTIONS]"
    )
    # Older versions of pytest write "reason".
    assert re.search(rf"XFAIL {re.escape(test)} - (reason: )?no golden numbers yet", tests)

    golden = folder / "tests" / "golden" / "runs.json"
    empty = golden.read_text(encoding="utf-8")
    for number, code in (("0.9", 1), ("0.8", 0)):  # 12 matches of 15 words with 15
        golden.write_text(empty.replace("null", number), encoding="utf-8")
        command = [environment, "-m", "pytest", "-p", "no:cacheprovider", "tests/test_golden.py"]
        done = subprocess.run(command, capture_output=True, check=False, cwd=folder)
        assert done.returncode == code, done.stdout


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["x", "my-quite-long-metric-name-of-a-kind"])
def test_every_kind_alone_is_complete(kind: str, name: str) -> None:
    files = distribution(name, [kind])
    assert f"tests/test_{kind}.py" in files
    for path, text in files.items():
        assert not re.search(r"\$\w", text.replace("'\\$", "")), path
        assert text == "" or (text.endswith("\n") and not text.endswith("\n\n")), path
        if path.endswith(".py"):
            compile(text, path, "exec")


def test_every_template_belongs_to_a_kind() -> None:
    named = {path.name.partition(".")[0] for path in SCAFFOLD.glob("*.in")}
    of_all = {
        "CHANGELOG",
        "LICENSE",
        "MANIFEST",
        "README",
        "gitignore",
        "hooks",
        "pyproject",
        "tox",
    }
    assert named - of_all - {"native", "release", "workflow"} == set(KINDS)


@pytest.mark.parametrize("license_name", LICENSES)
def test_the_licence_is_a_choice(license_name: str) -> None:
    files = distribution("x", ["metric"], license_name=license_name, author="A. Author")
    stated = re.findall(r'^license = "(.*)"$', files["pyproject.toml"], re.MULTILINE)
    assert stated == ([] if license_name == "none" else [license_name])
    assert ("A. Author" in files.get("LICENSE", "")) == (license_name != "none")


@pytest.mark.parametrize("name", ["My-Metric", "mteval-x", "a_b", "1a", "a--b", "-a", "a-", ""])
def test_a_name_that_cannot_be_one_is_refused(
    mteval: Callable[..., Any], tmp_path: Path, name: str
) -> None:
    done = mteval("new-plugin", f"--into={tmp_path}", "--", name)
    assert done.code == 2
    assert f"{name!r} is not a valid name for a plugin" in done.err


def test_what_is_there_stays(mteval: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "mteval-x").mkdir()
    done = mteval("new-plugin", "x", "--into", tmp_path)
    assert done.code == 3
    assert "already exists" in done.err


@pytest.mark.parametrize("kinds", [KINDS, *([kind] for kind in KINDS)], ids="+".join)
def test_what_is_written_is_clean(kinds: list[str], tmp_path: Path) -> None:
    """By its own rules, where ruff is installed; with the longest name that its lines can hold."""
    pytest.importorskip("ruff", reason="ruff is not installed")
    write(tmp_path / "new", distribution("quite-long-metric-name-of-us", kinds))
    run(sys.executable, "-m", "ruff", "check", cwd=tmp_path / "new")
    run(sys.executable, "-m", "ruff", "format", "--check", cwd=tmp_path / "new")


@pytest.mark.slow
def test_what_is_written_has_types(tmp_path: Path) -> None:
    """Strictly, where mypy is installed."""
    pytest.importorskip("mypy", reason="mypy is not installed")
    write(tmp_path / "new", distribution("some-name", KINDS))
    mypy = [sys.executable, "-m", "mypy", "--cache-dir", os.devnull]
    run(*mypy, "--strict", cwd=tmp_path / "new")


def test_what_the_tutorial_writes_is_clean(tmp_path: Path) -> None:
    """By the rules of the plugin that it starts from, where ruff is installed."""
    pytest.importorskip("ruff", reason="ruff is not installed")
    write(tmp_path / "mteval-overlap", distribution("overlap", ["metric", "tokenizer"]))
    blocks = re.findall(r"^:caption: `(\S+)`\n(.*?)^```$", TUTORIAL.read_text(), re.M | re.S)
    assert len(blocks) > 5
    for path, text in blocks:
        (tmp_path / path).write_text(text, encoding="utf-8")
        run(sys.executable, "-m", "ruff", "check", cwd=tmp_path / "mteval-overlap")
    run(sys.executable, "-m", "ruff", "format", "--check", cwd=tmp_path / "mteval-overlap")


def test_the_metadata_can_be_read() -> None:
    """Whatever the author is called; the archive has the changelog and the tests."""
    loads = pytest.importorskip("tomllib", reason="Python 3.10 has no reader of TOML").loads
    author = 'Ann "A" \\ Author'
    files = distribution("x", ["metric"], author=author, url="https://example.org/x")
    metadata_ = loads(files["pyproject.toml"])["project"]
    assert metadata_["authors"] == [{"name": author}]
    assert metadata_["urls"]["Repository"] == "https://example.org/x"
    assert "Typing :: Typed" in metadata_["classifiers"]
    assert "urls" not in loads(distribution("x", ["metric"])["pyproject.toml"])["project"]
    assert "include CHANGELOG.md" in files["MANIFEST.in"]
    assert "python -m tox" in files[".github/workflows/tests.yml"]
    assert "${{ matrix.python }}" in files[".github/workflows/tests.yml"]
    assert ".tox/" in files[".gitignore"].split()


def test_an_address_that_is_none_is_refused(mteval: Callable[..., Any], tmp_path: Path) -> None:
    done = mteval("new-plugin", "x", "--into", tmp_path, "--url", 'x"')
    assert (done.code, [*tmp_path.iterdir()]) == (2, [])
    assert "expected the address of a repository, https://..." in done.err


def test_a_name_that_is_taken_is_said(mteval: Callable[..., Any], tmp_path: Path) -> None:
    arguments = ["--tokenizer", "--normalizer", "--into", tmp_path]
    done = mteval("new-plugin", "13a", *arguments)
    assert done.code == 2  # a name begins with a letter
    taken = mteval("new-plugin", "char", *arguments)
    assert taken.code == 0
    out = " ".join(taken.out.split())
    assert "Warning: mteval-core has a tokenizer 'char'; with both installed, users would" in out
    assert "to write mteval-char/char. Choose another name." in out
    assert "Warning" not in mteval("new-plugin", "a-new-name", *arguments).out


@pytest.mark.parametrize("into", ["file", "file/below", "a\0b", "/proc/absent", "n" * 300])
def test_a_bad_folder_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, into: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("file").write_text("a file")
    code, _, err = run_command("new-plugin", "my-metric", "--into", into)
    assert (code, err.startswith("mteval: error: ")) == (3, True)
    assert not [*tmp_path.glob("**/.mteval-*")]


def test_an_update_shows_what_a_newer_scaffold_would_change(
    mteval: Callable[..., Any], tmp_path: Path
) -> None:
    """It writes nothing, and leaves code alone."""
    arguments = ["new-plugin", "x", "--into", tmp_path]
    write = ["--reader", "--native", "--author", 'A "B" C', "--url", "https://example.org/x"]
    assert mteval(*arguments, *write).code == 0
    folder = tmp_path / "mteval-x"
    assert "has all that" in mteval(*arguments, "--update").out
    workflow, code = folder / ".github/workflows/tests.yml", folder / "mteval_x" / "reader.py"
    old = workflow.read_text(encoding="utf-8").replace("checkout@v4", "checkout@v1")
    workflow.write_text(old, encoding="utf-8")
    code.write_text("mine = 1\n", encoding="utf-8")
    (folder / "tox.ini").unlink()
    done = mteval(*arguments, "--update")
    changed = [line for line in done.out.splitlines() if line.startswith(("-", "+"))]
    assert "-      - uses: actions/checkout@v1" in changed
    assert "+      - uses: actions/checkout@v4" in changed
    assert "+[tox]" in changed
    assert not any("mine" in line or "reader.py" in line for line in changed)
    assert workflow.read_text(encoding="utf-8") == old
    assert not (folder / "tox.ini").exists()


def test_an_update_of_nothing_is_refused(mteval: Callable[..., Any], tmp_path: Path) -> None:
    done = mteval("new-plugin", "x", "--into", tmp_path, "--update")
    assert done.code == 3
    assert "expected a plugin that new-plugin wrote" in done.err


def test_hosted_tests_run_with_the_oldest_and_the_newest_host() -> None:
    yaml = pytest.importorskip("yaml", reason="PyYAML is not installed")
    files = distribution("x", ["metric"], native=True)
    tests = yaml.safe_load(files[".github/workflows/tests.yml"])
    assert {"tests", "oldest", "newest", "lint"} == tests["jobs"].keys()
    assert "lowest-direct" in str(tests["jobs"]["oldest"])
    assert "--pre" in str(tests["jobs"]["newest"])
    assert "schedule" in tests[True]  # YAML reads "on" as true
    for native, word in ((True, "cibuildwheel"), (False, "python -m build")):
        release = distribution("x", ["metric"], native=native)[".github/workflows/release.yml"]
        jobs = yaml.safe_load(release)["jobs"]
        assert word in str(jobs["build"])
        assert jobs["publish"]["permissions"] == {"id-token": "write"}

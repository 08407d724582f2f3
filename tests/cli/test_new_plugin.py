"""A plugin from nothing: written, installed in a fresh environment, checked, scored, replayed."""

from __future__ import annotations

import json
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

from mteval_core.cli.new_plugin import LICENSES, SCAFFOLD, distribution, scaffolded

if TYPE_CHECKING:
    from collections.abc import Callable

KINDS = list(scaffolded())

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
    mteval: Callable[..., Any], environment: Path, mini: Path, tmp_path: Path
) -> None:
    written = mteval("new-plugin", "my-metric", *EVERYTHING, "--into", tmp_path)
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
        "normalizers": ["my-metric=nfc"],
        "formats": ["my-metric"],
        "readers": ["my-metric"],
    }

    checked = run(*command, "check", "mteval-my-metric", cwd=tmp_path)
    assert "FAIL" not in checked
    assert re.search(r"^metric my-metric: (\d+) of \1 checks pass$", checked, re.MULTILINE)

    texts = [mini / "ref0.txt", mini / "ref1.txt", "-i", mini / "systems" / "best.txt"]
    spec = "my-metric:beta=2,tok=my-metric,my-metric=nfc"
    scored = run(*command, "score", *texts, "-m", spec, "-f", "json")
    (record,) = json.loads(scored)["records"]
    assert 0 < record["score"] < 100
    assert "|plugin:mteval-my-metric@0.1.0|" in record["signature"]
    replayed = run(*command, "replay", record["signature"], *texts)
    assert replayed.startswith(f"{record['signature']} = {record['score']:.2f} ")

    tests = run(environment, "-m", "pytest", "-p", "no:cacheprovider", cwd=folder)
    assert re.search(r"\d+ passed, 1 xfailed", tests)
    assert "XFAIL tests/test_golden.py::test_equals_the_original - no golden numbers yet" in tests

    golden = folder / "tests" / "test_golden.py"
    stub = golden.read_text(encoding="utf-8")
    for blank, half in (
        ('SOURCE = ""', 'SOURCE = "my memory"'),
        ("float]] = [", 'float]] = [("a", ["a"], 100.0),'),
    ):
        filled = stub.replace(blank, half)
        assert filled != stub
        golden.write_text(filled, encoding="utf-8")
        command = [environment, "-m", "pytest", "-p", "no:cacheprovider", golden]
        assert subprocess.run(command, capture_output=True, check=False, cwd=folder).returncode == 1


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
    assert named - {"CHANGELOG", "LICENSE", "README", "hooks", "pyproject", "tox"} == set(KINDS)


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


def test_what_is_written_is_clean(tmp_path: Path) -> None:
    """By the rules of this repository, where ruff is installed."""
    pytest.importorskip("ruff", reason="ruff is not installed")
    for path, text in distribution("some-name", KINDS).items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    rules = "E,F,W,I,B,C4,UP,RUF,PT,PTH,SIM,RET"
    run(
        sys.executable,
        "-m",
        "ruff",
        "check",
        "--line-length=100",
        f"--select={rules}",
        cwd=tmp_path,
    )

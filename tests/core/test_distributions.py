"""Every distribution carries its licence: the host, the plugins and the example plugins."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tarfile
from pathlib import Path
from zipfile import ZipFile

import pytest

REPOSITORY = Path(__file__).parents[2]
LICENSE = (REPOSITORY / "LICENSE").read_bytes()
PLUGINS = sorted(
    path.parent
    for folder in ("plugins", "examples/plugins")
    for path in (REPOSITORY / folder).glob("*/pyproject.toml")
)
HOST = ("pyproject.toml", "setup.py", "README.md", "LICENSE", "mteval_core")


def build(kind: str, project: Path, target: Path) -> Path:
    """Build a wheel or an sdist from a copy of a project, without isolation."""
    code = f"from setuptools import build_meta; print(build_meta.build_{kind}({str(target)!r}))"
    built = subprocess.run(
        [sys.executable, "-c", code], cwd=project, capture_output=True, text=True, check=False
    )
    assert built.returncode == 0, built.stderr
    return target / built.stdout.splitlines()[-1]


def copy_of(folder: Path, target: Path, names: tuple[str, ...] = ("",)) -> Path:
    """Copy a project, or parts of it, without tests and what earlier builds left in it."""
    leave_out = shutil.ignore_patterns("__pycache__", "*.so", "*.egg-info", "build", "tests")
    for name in names:
        if (folder / name).is_dir():
            shutil.copytree(folder / name, target / name, ignore=leave_out)
        else:
            shutil.copy(folder / name, target)
    return target


def licences_of_sdist(path: Path) -> list[bytes]:
    with tarfile.open(path) as archive:
        files = [file for file in archive.getmembers() if Path(file.name).name == "LICENSE"]
        contents = [archive.extractfile(file) for file in files]
        return [content.read() for content in contents if content is not None]


def licences_of_wheel(path: Path) -> list[bytes]:
    with ZipFile(path) as archive:
        return [archive.read(n) for n in archive.namelist() if n.endswith("/licenses/LICENSE")]


@pytest.mark.parametrize("project", PLUGINS, ids=lambda path: str(path.name))
def test_a_plugin_carries_its_licence(project: Path, tmp_path: Path) -> None:
    copy = copy_of(project, tmp_path / "copy")
    assert licences_of_sdist(build("sdist", copy, tmp_path)) == [LICENSE]
    assert licences_of_wheel(build("wheel", copy, tmp_path)) == [LICENSE]


def test_the_host_carries_its_licence(tmp_path: Path) -> None:
    (tmp_path / "copy").mkdir()
    copy = copy_of(REPOSITORY, tmp_path / "copy", HOST)
    assert licences_of_sdist(build("sdist", copy, tmp_path)) == [LICENSE]


def test_every_project_declares_its_licence() -> None:
    """The wheel of the host, which takes a compiler, is built from the same declaration."""
    for project in (REPOSITORY, *PLUGINS):
        declared = (project / "pyproject.toml").read_text("utf-8").splitlines()
        assert {'license = "MIT"', 'license-files = ["LICENSE"]'} <= set(declared), project

"""Wheels and sdists hold what git holds; every fault that is planted is found."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path

import pytest

pytest.importorskip("tomllib", reason="release/ needs Python 3.11")

import archives
import projects

METADATA = """Metadata-Version: 2.4
Name: mteval-toy
Version: 0.1.0
Summary: About mteval-toy.
Author: We
License-Expression: MIT
Project-URL: Repository, https://code.test/mteval
Keywords: translation
Classifier: Typing :: Typed
Requires-Python: >=3.10
License-File: LICENSE

"""
INFO = "mteval_toy-0.1.0.dist-info"
MANUAL = "mteval_toy-0.1.0.data/data/share/man/man1/toy.1"
LICENCE = b"Do as you like.\n"
KERNELS = "mteval_kernels/_native.cpython-311-x86_64-linux-gnu.so"


@pytest.fixture
def toy(tree: Path) -> projects.Distribution:
    """Read the plugin."""
    return projects.read(tree)[2]


@pytest.fixture
def sdist(toy: projects.Distribution) -> dict[str, bytes]:
    """Write the files of the plugin's sdist."""
    files = {
        path.relative_to(toy.folder).as_posix(): path.read_bytes()
        for path in toy.folder.rglob("*")
        if path.is_file()
    }
    texts = b"\n".join(files[name] for name in ("README.md", "CHANGELOG.md"))
    return {**files, "PKG-INFO": METADATA.encode() + texts, "mteval_toy.egg-info/SOURCES.txt": b""}


@pytest.fixture
def wheel(sdist: dict[str, bytes]) -> dict[str, bytes]:
    """Write the files of the plugin's wheel."""
    code = {name: content for name, content in sdist.items() if name.startswith("mteval_toy/")}
    others = {f"{INFO}/licenses/LICENSE": LICENCE, MANUAL: sdist["docs/toy.1"]}
    return {**code, **others, f"{INFO}/METADATA": sdist["PKG-INFO"], f"{INFO}/RECORD": b""}


def test_good_archives_have_no_faults(
    toy: projects.Distribution, sdist: dict[str, bytes], wheel: dict[str, bytes]
) -> None:
    assert [*archives.sdist_faults(sdist, toy, ["."])] == []
    assert [*archives.wheel_faults(wheel, toy, LICENCE)] == []


@pytest.mark.parametrize("name", ["LICENSE", "CHANGELOG.md", "tests/test_toy.py"])
def test_a_file_missing_from_an_sdist_is_found(
    toy: projects.Distribution, sdist: dict[str, bytes], name: str
) -> None:
    del sdist[name]
    assert [*archives.sdist_faults(sdist, toy, ["."])] == [f"mteval-toy, sdist: {name} is missing"]


def test_surplus_and_changed_files_are_found(
    toy: projects.Distribution, sdist: dict[str, bytes], wheel: dict[str, bytes]
) -> None:
    sdist["README.md"] += b"!"
    sdist["tests/old.pyc"] = wheel["tests/__init__.py"] = b""
    wheel["mteval_toy/__init__.py"] += b"!"
    assert [fault.split(": ")[1] for fault in archives.sdist_faults(sdist, toy, ["."])] == [
        "README.md is changed",
        "tests/old.pyc is not in the repository",
    ]
    assert [fault.split(": ")[1] for fault in archives.wheel_faults(wheel, toy, LICENCE)] == [
        "mteval_toy/__init__.py is changed",
        "tests/__init__.py is not in the repository",
    ]


def test_the_sdist_of_the_host_leaves_out_the_others(tree: Path) -> None:
    distributions = projects.read(tree)
    held = archives.held(distributions[1], [own.where for own in distributions])
    assert {"tests/test_core.py", "LICENSE"} < {*held}
    assert not any(name.startswith(("kernels/", "plugins/", "distributions/")) for name in held)


@pytest.mark.parametrize("name", ["mteval_toy/py.typed", f"{INFO}/licenses/LICENSE", MANUAL])
def test_a_file_missing_from_a_wheel_is_found(
    toy: projects.Distribution, wheel: dict[str, bytes], name: str
) -> None:
    del wheel[name]
    (fault,) = archives.wheel_faults(wheel, toy, LICENCE)
    assert Path(name).name in fault


@pytest.mark.parametrize("line", METADATA.splitlines()[1:-1])
def test_missing_metadata_is_found(
    toy: projects.Distribution, wheel: dict[str, bytes], line: str
) -> None:
    wheel[f"{INFO}/METADATA"] = wheel[f"{INFO}/METADATA"].replace(f"{line}\n".encode(), b"")
    (fault,) = archives.wheel_faults(wheel, toy, LICENCE)
    assert fault.startswith(f"mteval-toy, wheel: {line.partition(':')[0]} is None; expected")


def test_a_description_without_the_readme_is_found(
    toy: projects.Distribution, wheel: dict[str, bytes]
) -> None:
    wheel[f"{INFO}/METADATA"] = METADATA.encode() + b"# Another\n"
    assert [*archives.wheel_faults(wheel, toy, LICENCE)] == [
        "mteval-toy, wheel: the description is not README.md"
    ]


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({KERNELS: b"\0000.2.0 0123\000"}, None),
        ({}, "the wheel of the kernels has 0 extensions; expected 1"),
        ({KERNELS: b"", KERNELS.replace("311", "312"): b""}, "has 2 extensions"),
        ({KERNELS: b"0.2.0 4567"}, "of other sources; expected the stamp 0.2.0 0123"),
    ],
)
def test_missing_or_stale_kernels_are_found(files: dict[str, bytes], message: str | None) -> None:
    found = [*archives.kernel_faults(files, "0.2.0 0123")]
    assert found == [] if message is None else message in found[0]


def test_repacked_sdists_depend_on_their_files_alone(tmp_path: Path) -> None:
    folders = [tmp_path / name for name in ("one", "two")]
    files = {"x-1/a": (b"a", 0o755), "x-1/b/c": (b"c", 0o600)}
    for folder, order, time in zip(folders, (1, -1), (10, 20), strict=True):
        folder.mkdir()
        with tarfile.open(folder / "x-1.tar.gz", "w:gz") as sdist:
            for name, (content, mode) in [*files.items()][::order]:
                member = tarfile.TarInfo(name)
                member.size, member.mode, member.mtime = len(content), mode, time
                sdist.addfile(member, io.BytesIO(content))
        assert archives.contents(folder / "x-1.tar.gz") == {"a": b"a", "b/c": b"c"}
    assert [*archives.differences(*folders)] == [
        "x-1.tar.gz differs from build to build in the archive itself"
    ]
    for folder in folders:
        archives.repack(folder / "x-1.tar.gz", 30)
    assert [*archives.differences(*folders)] == []
    with tarfile.open(folders[0] / "x-1.tar.gz") as sdist:
        seen = {(member.name, member.mode, member.mtime, member.uname) for member in sdist}
    assert seen == {("x-1/a", 0o755, 30, ""), ("x-1/b/c", 0o644, 30, "")}


def test_archives_that_differ_name_the_file(tmp_path: Path) -> None:
    for name, content in (("one", b"a"), ("two", b"b")):
        (tmp_path / name).mkdir()
        with tarfile.open(tmp_path / name / "x-1.tar.gz", "w:gz") as sdist:
            member = tarfile.TarInfo("x-1/setup.py")
            member.size = 1
            sdist.addfile(member, io.BytesIO(content))
    (tmp_path / "one" / "y.whl").write_bytes(b"")
    assert [*archives.differences(tmp_path / "one", tmp_path / "two")] == [
        "x-1.tar.gz differs from build to build in setup.py",
        "y.whl was built only once",
    ]

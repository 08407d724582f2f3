"""Contents of wheels and sdists, compared with the export of the commit."""

from __future__ import annotations

import gzip
import io
import re
import tarfile
from email.parser import BytesParser
from typing import TYPE_CHECKING
from zipfile import ZipFile

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from email.message import Message
    from pathlib import Path

    from projects import Distribution

__all__ = [
    "contents",
    "differences",
    "kernel_faults",
    "metadata_faults",
    "repack",
    "sdist_faults",
    "wheel_faults",
]

GENERATED = re.compile(r"PKG-INFO|setup\.cfg|[\w.]+\.egg-info/.*")
"""Files of an sdist that the tools write which build it."""

EXTENSION = re.compile(r"mteval_kernels/_native\.[\w.-]+\.(so|pyd)")
"""The compiled kernels in a wheel."""

LICENCES = re.compile(r"[^/]+\.dist-info/licenses/LICENSE")


def contents(path: Path) -> dict[str, bytes]:
    """Read the files of a wheel, or of an sdist without its top folder."""
    if path.suffix == ".whl":
        with ZipFile(path) as wheel:
            return {name: wheel.read(name) for name in wheel.namelist()}
    with tarfile.open(path) as sdist:
        files = {member.name: sdist.extractfile(member) for member in sdist if member.isfile()}
        return {name.partition("/")[2]: file.read() for name, file in files.items() if file}


def held(own: Distribution, folders: Sequence[str]) -> dict[str, bytes]:
    """Read the files below the folder of a distribution that belong to no other distribution."""
    others = [own.folder / folder for folder in folders if own.where == "." and folder != "."]
    return {
        path.relative_to(own.folder).as_posix(): path.read_bytes()
        for path in sorted(own.folder.rglob("*"))
        if path.is_file() and not any(path.is_relative_to(other) for other in others)
    }


def sdist_faults(
    files: Mapping[str, bytes], own: Distribution, folders: Sequence[str]
) -> Iterator[str]:
    """Compare an sdist with the export: all of it, unchanged, and nothing else."""
    expected = held(own, folders)
    for name, content in expected.items():
        if files.get(name) != content:
            yield f"{own.name}, sdist: {name} is {'changed' if name in files else 'missing'}"
    for name in files:
        if name not in expected and not GENERATED.fullmatch(name):
            yield f"{own.name}, sdist: {name} is not in the repository"
    yield from metadata_faults(files.get("PKG-INFO", b""), own, "sdist")


def wheel_faults(files: Mapping[str, bytes], own: Distribution, licence: bytes) -> Iterator[str]:
    """Compare a wheel with the packages and manuals in the repository, and read its licence."""
    expected = {
        path.relative_to(own.folder).as_posix(): path.read_bytes()
        for package in own.packages
        for path in package.rglob("*")
        if path.is_file() and "cpp" not in path.relative_to(own.folder).parts
    }
    for manual in own.folder.glob("docs/*.1"):
        expected[f"{own.stem}.data/data/share/man/man1/{manual.name}"] = manual.read_bytes()
    for name, content in expected.items():
        if files.get(name) != content:
            yield f"{own.name}, wheel: {name} is {'changed' if name in files else 'missing'}"
    for name in files:
        if name not in expected and ".dist-info/" not in name and not EXTENSION.fullmatch(name):
            yield f"{own.name}, wheel: {name} is not in the repository"
    if licence not in [content for name, content in files.items() if LICENCES.fullmatch(name)]:
        yield f"{own.name}, wheel: there is no LICENSE, or it is not that of the repository"
    (metadata,) = [files[name] for name in files if name.endswith(".dist-info/METADATA")]
    yield from metadata_faults(metadata, own, "wheel")


def kernel_faults(files: Mapping[str, bytes], stamp: str) -> Iterator[str]:
    """Find out whether a wheel of the kernels has them compiled, from these sources."""
    built = [content for name, content in files.items() if EXTENSION.fullmatch(name)]
    if len(built) != 1:
        yield f"the wheel of the kernels has {len(built)} extensions; expected 1"
    elif stamp.encode() not in built[0]:
        yield f"the compiled kernels are of other sources; expected the stamp {stamp}"


def metadata_faults(metadata: bytes, own: Distribution, kind: str) -> Iterator[str]:
    """Compare the metadata that was built with the project and the README."""
    said = BytesParser().parsebytes(metadata)
    project = own.project
    expected = {
        "Name": [own.name],
        "Version": [own.version],
        "Summary": [project["description"]],
        "License-Expression": [project["license"]],
        "License-File": project.get("license-files", ["LICENSE"]),
        "Author": [author["name"] for author in project["authors"]],
        "Keywords": [",".join(project["keywords"])],
        "Classifier": project["classifiers"],
        "Requires-Python": [project["requires-python"]],
        "Project-URL": [f"{label}, {address}" for label, address in project["urls"].items()],
    }
    for field, values in expected.items():
        if sorted(said.get_all(field) or []) != sorted(values):  # builders order them differently
            yield f"{own.name}, {kind}: {field} is {said.get_all(field)}; expected {values}"
    if (own.folder / "README.md").read_text("utf-8").strip() not in described(said):
        yield f"{own.name}, {kind}: the description is not README.md"


def described(metadata: Message) -> str:
    """Return the long description."""
    payload = metadata.get_payload(decode=True)
    return payload.decode("utf-8", "replace") if isinstance(payload, bytes) else ""


def repack(path: Path, epoch: int) -> None:
    """Write an sdist again so that it depends on nothing but its files and a time.

    setuptools writes the time of the build, the user and the order of the file system.

    Parameters
    ----------
    path : Path
        The sdist, which is replaced.
    epoch : int
        Seconds since 1970.
    """
    with tarfile.open(path) as sdist:
        read = [(member, sdist.extractfile(member)) for member in sdist if member.isfile()]
        files = {member.name: (member.mode, file.read()) for member, file in read if file}
    with (
        path.open("wb") as raw,
        gzip.GzipFile("", "wb", mtime=epoch, fileobj=raw) as packed,
        tarfile.open(mode="w", fileobj=packed, format=tarfile.PAX_FORMAT) as sdist,
    ):
        for name, (mode, content) in sorted(files.items()):
            member = tarfile.TarInfo(name)
            member.size, member.mtime = len(content), epoch
            member.mode = 0o755 if mode & 0o100 else 0o644
            sdist.addfile(member, io.BytesIO(content))


def differences(first: Path, second: Path) -> Iterator[str]:
    """Compare two folders of archives byte by byte."""
    built = (path for folder in (first, second) for path in folder.iterdir())
    names = sorted({path.name for path in built if path.suffix in (".whl", ".gz")})
    for name in names:
        pair = [folder / name for folder in (first, second)]
        if not all(path.is_file() for path in pair):
            yield f"{name} was built only once"
        elif pair[0].read_bytes() != pair[1].read_bytes():
            one, other = map(contents, pair)
            changed = [file for file in {*one, *other} if one.get(file) != other.get(file)]
            where = ", ".join(sorted(changed)) or "the archive itself"
            yield f"{name} differs from build to build in {where}"

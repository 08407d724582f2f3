"""The distributions of the repository, and checks that their metadata agree.

Each check yields one sentence for each fault: where it is, what was seen, and what was expected.
"""

from __future__ import annotations

import ast
import re
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import tomllib
from packaging.requirements import Requirement
from packaging.version import Version

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

__all__ = [
    "Distribution",
    "api_faults",
    "changelog_faults",
    "lowest",
    "metadata_faults",
    "pin_faults",
    "publishing_faults",
    "read",
    "version_faults",
]

SHARED = ("readme", "requires-python", "license", "authors", "urls")
"""What every distribution says of its project as the host says it."""

BEGUN = ("keywords", "classifiers")
"""Lists that may be longer than those of the host."""

HEADING = re.compile(r"^## (\S+) \((unreleased|\d{4}-\d\d-\d\d)\)$", re.MULTILINE)
"""A release in a changelog."""

FRAGMENT = re.compile(r"\+?[\w-]+\.(score|added|changed|fixed|removed)\.md")
"""Name of a news fragment; `towncrier.toml` lists the types."""


class Distribution(NamedTuple):
    """A folder with a ``pyproject.toml``."""

    where: str
    """The folder, from the root."""
    folder: Path
    project: Mapping[str, Any]
    """The table ``[project]``."""

    @property
    def name(self) -> str:
        """Name of the distribution."""
        return str(self.project["name"])

    @property
    def version(self) -> str:
        """Version of the distribution."""
        return str(self.project["version"])

    @property
    def stem(self) -> str:
        """The first part of the names of its archives."""
        return f"{self.name.replace('-', '_')}-{self.version}"

    @property
    def packages(self) -> list[Path]:
        """Folders of the packages that it installs."""
        return sorted(path.parent for path in self.folder.glob("mteval_*/__init__.py"))

    @property
    def hook_modules(self) -> list[Path]:
        """The modules that its entry points name."""
        points = self.project.get("entry-points", {}).get("mteval", {}).values()
        places = [self.folder.joinpath(*point.split(".")) for point in points]
        return [
            place / "__init__.py" if place.is_dir() else place.with_suffix(".py")
            for place in places
        ]

    @property
    def requirements(self) -> list[Requirement]:
        """What it requires, with and without extras."""
        extras = self.project.get("optional-dependencies", {}).values()
        return [*map(Requirement, chain(self.project.get("dependencies", []), *extras))]

    @property
    def fragments(self) -> list[str]:
        """Names of its news fragments."""
        return sorted(path.name for path in self.folder.glob("changes/*") if path.name[0] != ".")

    @property
    def releases(self) -> list[tuple[str, str]]:
        """Versions and dates in its changelog, the latest first."""
        path = self.folder / "CHANGELOG.md"
        return HEADING.findall(path.read_text("utf-8")) if path.is_file() else []


def read(root: Path) -> list[Distribution]:
    """Read the distributions in the order of their release: each needs only those before it."""
    plugins = sorted(path.parent for path in root.glob("plugins/*/pyproject.toml"))
    distributions = []
    for folder in (root / "kernels", root, *plugins, root / "distributions" / "all"):
        project = tomllib.loads((folder / "pyproject.toml").read_text("utf-8"))["project"]
        where = folder.relative_to(root).as_posix()
        distributions.append(Distribution(where, folder, project))
    return distributions


def metadata_faults(own: Distribution, host: Distribution) -> Iterator[str]:
    """Find what differs from the metadata of the host that all distributions share."""
    for key in SHARED:
        seen, expected = own.project.get(key), host.project.get(key)
        if seen != expected:
            yield f"{own.where}: {key} of the project is {seen!r}; expected {expected!r}"
    for key in BEGUN:
        seen = own.project.get(key, [])
        for item in host.project[key]:
            if item not in seen:
                yield f"{own.where}: {key} of the project is {seen!r}; expected {item!r}"
    licences = [folder / "LICENSE" for folder in (own.folder, host.folder)]
    if all(path.is_file() for path in licences) and len({*map(Path.read_bytes, licences)}) > 1:
        yield f"{own.where}: LICENSE is not that of the repository"
    for name in ("LICENSE", "README.md", "CHANGELOG.md"):
        if not (own.folder / name).is_file():
            yield f"{own.where}: there is no {name}"
    for package in own.packages:
        if not (package / "py.typed").is_file():
            yield f"{own.where}: {package.name} has no py.typed"


def version_faults(own: Distribution) -> Iterator[str]:
    """Compare the version of a distribution with the ones in its code and in the citation."""
    for path in own.folder.glob("mteval_*/_version.py"):
        said = assigned(path, "__version__")
        if said != own.version:
            yield f"{path.parent.name}: __version__ is {said!r}; expected {own.version!r}"
    citation = own.folder / "CITATION.cff"
    line = f"version: {own.version}"
    if citation.is_file() and line not in citation.read_text("utf-8").splitlines():
        yield f"CITATION.cff: expected {line}"


def changelog_faults(own: Distribution) -> Iterator[str]:
    """Find a version without an entry, wrong fragments, and moved scores of a released version."""
    versions = [version for version, _ in own.releases]
    if versions[:1] != [own.version]:
        seen = versions[0] if versions else "no release"
        yield f"{own.where}: the changelog begins with {seen}; expected {own.version}"
    if len(versions) != len({*versions}):
        yield f"{own.where}: the changelog has two headings of one version"
    for name in own.fragments:
        matched = FRAGMENT.fullmatch(name)
        if matched is None:
            yield f"{own.where}: changes/{name}; expected +NAME.TYPE.md, as in towncrier.toml"
        elif matched[1] == "score" and own.releases[:1] != [(own.version, "unreleased")]:
            yield f"{own.where}: changes/{name} moves a score: raise the version {own.version}"


def pin_faults(distributions: Sequence[Distribution]) -> Iterator[str]:
    """Find requirements that our versions do not meet, and lower bounds that differ."""
    versions: dict[str, str] = {}
    bounds: dict[str, str] = {}
    ours = {own.name for own in distributions}
    for own in distributions:
        versions[own.name] = own.version
        for requirement in own.requirements:
            name, bound = requirement.name, lowest(requirement)
            if name in ours:
                version = versions.get(name)
                if version is None:
                    yield f"{own.where}: needs {name}, which is released after it"
                elif not requirement.specifier.contains(version, prereleases=True):
                    yield f"{own.where}: requires {requirement}, but {name} is {version}"
            elif bound is None:
                yield f"{own.where}: requires {requirement} without a lower bound"
            elif bounds.setdefault(name, bound) != bound:
                yield f"{own.where}: requires {requirement}; others require {bounds[name]} or later"


def lowest(requirement: Requirement) -> str | None:
    """Return the lowest version that a requirement admits; None if it has no lower bound."""
    bounds = [part.version for part in requirement.specifier if part.operator in (">=", "==", "~=")]
    return bounds[0] if bounds else None


def api_faults(distributions: Sequence[Distribution]) -> Iterator[str]:
    """Find plugins of another API level, and what `mteval-all` leaves out or does not bound."""
    kernels, host, *plugins, meta = distributions
    pins = [each.specifier for each in host.requirements if each.name == kernels.name]
    if [part.operator for pin in pins for part in pin] != ["~="]:
        yield f"{host.where}: expected {kernels.name}~=, as its version stands for theirs"
    level = assigned(host.folder / "mteval_core" / "_version.py", "API")
    for path in chain.from_iterable(own.hook_modules for own in plugins):
        said = assigned(path, "mteval_api")
        if said != level:
            name = path.parent.name
            yield f"{name}: mteval_api is {said}; expected {level}, the level of the host"
    if Version(meta.version).major != level:
        yield f"{meta.where}: the version is {meta.version}; expected {level}.N, by the API level"
    bounded = {
        requirement.name
        for requirement in meta.requirements
        if {part.operator for part in requirement.specifier} & {"~=", "<"}
    }
    for own in distributions[:-1]:
        if own.name not in bounded:
            yield f"{meta.where}: expected a requirement {own.name} with an upper bound"


def assigned(path: Path, name: str) -> Any:
    """Return the literal that a module assigns to a name; None if there is none."""
    for node in ast.parse(path.read_text("utf-8")).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == name:
            return ast.literal_eval(node.value)
    return None


def publishing_faults(own: Distribution) -> Iterator[str]:
    """Find what is only wrong when the distribution is published now."""
    for label, address in own.project.get("urls", {}).items():
        if ".example" in address:
            yield f"{own.where}: {label} is {address}; expected the real address"
    if own.fragments:
        yield f"{own.where}: {', '.join(own.fragments)} are not in the changelog: run towncrier"
    if (own.version, "unreleased") in own.releases:
        yield f"{own.where}: the changelog has no date of {own.version}"

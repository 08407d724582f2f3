"""What the distributions declare agrees; every fault that is planted is found."""

from __future__ import annotations

import re
import shutil
import subprocess
from itertools import chain
from pathlib import Path

import pytest

pytest.importorskip("tomllib", reason="release/ needs Python 3.11")

import addresses
import check
import oldest
import projects

REPOSITORY = Path(__file__).parents[2]
PLUGINS = REPOSITORY / "plugins"


def faults(root: Path) -> list[str]:
    """Find what is wrong with the declarations of a repository."""
    return [*check.declared_faults(check.Export(root, projects.read(root), 0))]


@pytest.mark.skipif(not PLUGINS.is_dir(), reason="the sdist of the host has no plugins")
class TestThisRepository:
    def test_the_declarations_agree(self) -> None:
        assert faults(REPOSITORY) == []

    def test_example_plugins_carry_the_licence(self) -> None:
        examples = [path.parent for path in REPOSITORY.glob("examples/plugins/*/pyproject.toml")]
        licences = {(folder / "LICENSE").read_bytes() for folder in examples}
        assert licences == {(REPOSITORY / "LICENSE").read_bytes()}

    def test_messages_and_pages_advise_to_install_what_exists(self) -> None:
        distributions = projects.read(REPOSITORY)
        extras = {own.name: own.project.get("optional-dependencies", {}) for own in distributions}
        extras |= {f"./plugins/{own.folder.name}": extras[own.name] for own in distributions}
        code = (p.rglob("*.py") for own in distributions for p in own.packages)
        pages = [*REPOSITORY.glob("docs/*.md"), *REPOSITORY.glob("plugins/*/README.md")]
        files = [*chain.from_iterable(code), *pages, REPOSITORY / "README.md"]
        text = "\n".join(path.read_text("utf-8") for path in files)
        named = r"((?:\./plugins/|mteval-)[\w-]+)\[([\w,]+)\]"
        advice = [(name, one) for name, some in re.findall(named, text) for one in some.split(",")]
        assert len(advice) > 20
        unknown = {(name, extra) for name, extra in advice if extra not in extras.get(name, ())}
        assert unknown <= {("mteval-overlap", "test")}  # the plugin that the tutorial writes
        installed = {*re.findall(r"pip install ['\"]?((?:\./)?\w[\w/-]+)", text)}
        assert installed - {*extras} == {"mteval-overlap", "tox"}

    def test_the_oldest_versions_are_those_that_the_distributions_admit(self) -> None:
        written = (REPOSITORY / "tests" / "oldest.txt").read_text("utf-8").splitlines()
        assert written == oldest.constraints(REPOSITORY)


def test_a_repository_without_faults_has_none(tree: Path) -> None:
    assert faults(tree) == []
    distributions = projects.read(tree)
    assert [*chain.from_iterable(map(projects.publishing_faults, distributions))] == []


PLANTED = {
    "other licence": ("plugins/toy/LICENSE", "like", "must", "toy: LICENSE is not that of the"),
    "no licence": (
        "plugins/toy/pyproject.toml",
        'license = "MIT"',
        "",
        "license of the project",
    ),
    "no address": ("pyproject.toml", "Repository", "Code", "urls of the project is"),
    "version of the code": ("mteval_core/_version.py", "0.2.0", "0.2.1", "expected '0.2.0'"),
    "version of the kernels": (
        "kernels/pyproject.toml",
        "0.3.0",
        "0.3.1",
        "mteval_kernels: __version__ is '0.3.0'; expected '0.3.1'",
    ),
    "version of the citation": ("CITATION.cff", "", "version: 0.1.9\n", "expected version: 0.2.0"),
    "version of the project": ("pyproject.toml", "0.2.0", "0.3.0", "but mteval-core is 0.3.0"),
    "no entry": ("CHANGELOG.md", "0.2.0", "0.1.0", "begins with 0.1.0; expected 0.2.0"),
    "two entries": ("CHANGELOG.md", "", "## 0.2.0 (unreleased)\n", "two headings of one version"),
    "pin": ("plugins/toy/pyproject.toml", "core>=0.2", "core>=0.3", "but mteval-core is 0.2.0"),
    "bound": ("plugins/toy/pyproject.toml", "numpy>=1.24", "numpy>=2", "others require 1.24"),
    "no bound": ("pyproject.toml", "numpy>=1.24", "numpy", "requires numpy without a lower bound"),
    "order": (
        "pyproject.toml",
        "numpy>=1.24",
        "mteval-toy>=0.1",
        "mteval-toy, which is released after",
    ),
    "level forgotten": ("plugins/toy/mteval_toy/__init__.py", "_api", "_a", "mteval_api is None"),
    "level of plugins": ("mteval_core/_version.py", "API = 1", "API = 2", "toy: mteval_api is 1"),
    "level of all": ("mteval_core/_version.py", "API = 1", "API = 2", "1.0.0; expected 2.N"),
    "kernels": ("pyproject.toml", "kernels~=", "kernels>=", "expected mteval-kernels~="),
    "left out": (
        "distributions/all/pyproject.toml",
        "mteval-toy~=0.1.0",
        "x>=1",
        "mteval-toy with an upper",
    ),
    "unbounded": ("distributions/all/pyproject.toml", "toy~=", "toy>=", "requirement mteval-toy"),
    "fragment": ("plugins/toy/changes/a.news.md", "", "Text.\n", "changes/a.news.md; expected"),
    "score": ("changes/+a.score.md", "", "Text.\n", "moves a score: raise the version 0.2.0"),
    "not listed": ("plugins.txt", "./plugins/toy\n", "", "lists ; expected plugins/toy"),
    "not in the README": ("README.md", "plugins/toy", "toy", "names ; expected plugins/toy"),
}


@pytest.mark.parametrize(("file", "old", "new", "message"), PLANTED.values(), ids=[*PLANTED])
def test_a_planted_fault_is_found(tree: Path, file: str, old: str, new: str, message: str) -> None:
    path = tree / file
    path.parent.mkdir(exist_ok=True)
    text = path.read_text("utf-8") if path.exists() else ""
    path.write_text(text.replace(old, new) if old else new + text, "utf-8")
    assert re.search(re.escape(message), "\n".join(faults(tree)))


@pytest.mark.parametrize("file", ["LICENSE", "README.md", "CHANGELOG.md", "mteval_toy/py.typed"])
def test_a_missing_file_is_found(tree: Path, file: str) -> None:
    (tree / "plugins" / "toy" / file).unlink()
    assert any(Path(file).name in fault for fault in faults(tree))


def test_what_is_not_ready_is_not_published(tree: Path) -> None:
    for name, old, new in (
        ("pyproject.toml", "code.test", "code.example"),
        ("CHANGELOG.md", "2026-12-01", "unreleased"),
        ("changes/+a.fixed.md", "", ""),
    ):
        path = tree / "plugins" / "toy" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(path.read_text("utf-8").replace(old, new) if old else new, "utf-8")
    _, _, toy, _ = projects.read(tree)
    address, fragment, date = projects.publishing_faults(toy)
    assert address.endswith("https://code.example/mteval; expected the real address")
    assert "+a.fixed.md are not in the changelog" in fragment
    assert "no date of 0.1.0" in date


def test_no_release_is_built_while_its_addresses_are_placeholders(
    tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = tree / "pyproject.toml"
    host.write_text(host.read_text("utf-8").replace("code.test", "code.example"), "utf-8")
    monkeypatch.setattr(check, "export", lambda _: check.Export(tree, projects.read(tree), 0))
    monkeypatch.setattr(check, "build", lambda *_: pytest.fail("it was built"))
    *_, (last, found) = check.steps(tree / "dist", "mteval-core==0.2.0")
    assert last == "publishing mteval-core==0.2.0"
    assert [*found] == [".: Repository is https://code.example/mteval; expected the real address"]


def test_the_addresses_of_all_come_from_the_host(tree: Path) -> None:
    host = tree / "pyproject.toml"
    host.write_text(host.read_text("utf-8").replace("code.test", "other.test"), "utf-8")
    assert len(faults(tree)) == 3
    addresses.write(tree)
    assert faults(tree) == []


def test_a_tag_names_a_distribution(tree: Path) -> None:
    source = check.Export(tree, projects.read(tree), 0)
    assert [*check.named_faults(source, "mteval-toy==0.1.0")] == []
    assert [*check.named_faults(source, "mteval-toy==0.2.0")] == [
        "no distribution is mteval-toy==0.2.0"
    ]


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
def test_a_released_version_does_not_change(tree: Path) -> None:
    def git(*arguments: str) -> None:
        identity = ("-c", "user.name=We", "-c", "user.email=we@code.test")
        subprocess.run(["git", *identity, *arguments], cwd=tree, check=True, capture_output=True)

    _, _, toy, _ = projects.read(tree)
    git("init", "-q")
    git("add", ".")
    git("commit", "-qm", "first")
    assert [*check.tag_faults(toy, tree)] == []
    git("tag", "mteval-toy==0.1.0")
    (tree / "plugins" / "toy" / "tests" / "test_toy.py").write_text("")
    git("commit", "-qam", "only tests")
    assert [*check.tag_faults(toy, tree)] == []
    (tree / "plugins" / "toy" / "mteval_toy" / "__init__.py").write_text("mteval_api = 1 + 0\n")
    git("commit", "-qam", "code")
    assert "mteval-toy==0.1.0 is released" in next(check.tag_faults(toy, tree))


@pytest.mark.parametrize(("found", "code"), [([], 0), (["a fault"], 1)])
def test_faults_are_printed_and_fail(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    found: list[str],
    code: int,
) -> None:
    monkeypatch.setattr(check, "steps", lambda *_: [("a step", iter(found))])
    monkeypatch.setattr("sys.argv", ["check.py", "--dist", str(tmp_path)])
    assert check.main() == code
    assert capsys.readouterr().out.split("\n  ")[1:] == [f"{fault}\n" for fault in found]

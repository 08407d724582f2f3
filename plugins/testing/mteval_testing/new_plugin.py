"""``mteval new-plugin``: a complete, working distribution to start from."""

from __future__ import annotations

import json
import re
from pathlib import Path
from shlex import quote
from string import Template
from typing import TYPE_CHECKING

from mteval_core import API, InputError, Registry, UsageError, __version__
from mteval_testing.check import wrap_line

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from mteval_core import Arguments, Session

SCAFFOLD = Path(__file__).with_name("scaffold")

SCAFFOLDED = {
    kind.singular: kind
    for kind in Registry.kinds().values()
    if (SCAFFOLD / f"{kind.singular}.hook.in").exists()
}
"""The kinds that have templates, by their singular."""

KEYS = {"normalizer": "norm"}
"""The signature key of the scaffold's normalizer."""

CODE = ("LICENSE", "README.md", "CHANGELOG.md", "tests", ".py", ".c", ".bib", "py.typed")
"""Files that authors write, so that a newer scaffold changes nothing in them."""

LICENSES = ("MIT", "BSD-3-Clause", "0BSD", "none")


def add_arguments(arguments: Arguments) -> None:
    """Declare the arguments of the command."""
    arguments.basic(
        "name --metric --tokenizer --reader --format --command --native --update --into"
    )
    arguments.add(
        "name",
        metavar="NAME",
        help="name of what the plugin registers; the distribution is called mteval-NAME",
    )
    group = arguments.group("what the plugin registers (default: a metric)")
    for singular, kind in SCAFFOLDED.items():
        group.add(
            f"--{singular}", dest="kinds", action="append_const", const=singular, help=kind.summary
        )
    arguments.add(
        "--native",
        action="store_true",
        help="add code in C with a twin in Python, and a job that builds wheels",
    )
    arguments.add(
        "--update",
        action="store_true",
        help="show what this version would write otherwise than the one that wrote the plugin; "
        "no file is changed",
    )
    arguments.add(
        "--license", choices=LICENSES, default="MIT", help="licence (default: %(default)s)"
    )
    arguments.add("--author", default="the authors", help="copyright holder (default: %(default)s)")
    arguments.add("--url", default="", help="address of the repository, for pyproject.toml")
    arguments.add(
        "--into",
        default=".",
        metavar="DIR",
        help="directory to create the distribution in (default: the current one)",
    )


def run(session: Session) -> None:
    """Write the distribution and print the next steps."""
    options = session.options
    folder = Path(options.into) / f"mteval-{options.name}"
    if options.update:
        session.show(update(options.name, folder))
        return
    kinds = [kind for kind in SCAFFOLDED if kind in (options.kinds or ["metric"])]
    files = distribution(
        options.name,
        kinds,
        license_name=options.license,
        author=options.author,
        url=options.url,
        native=options.native,
    )
    try:
        is_there = folder.exists()
        if not is_there:
            write(folder, files)
    except (OSError, ValueError) as error:
        raise InputError(f"{folder}: {getattr(error, 'strerror', None) or error}") from None
    if is_there:
        raise InputError(f"{folder} already exists: choose another name, or another --into")
    edited = [folder / name for name in files if Path(name).stem in kinds]
    session.show(
        f"Wrote {len(files)} files to {folder}. The plugin works as it is:\n\n"
        f"  pip install -e {quote(f'{folder}[test]')}\n"
        f"  mteval check mteval-{options.name}\n"
        f"  python -m pytest {quote(str(folder))}\n\n"
        f"Replace the examples in these files with your code:\n\n"
        + "".join(f"  {path}\n" for path in edited)
        + "\nTest with all installed Python versions:\n\n"
        "  pip install tox\n"
        f"  cd {quote(str(folder))} && {tox()}"
    )
    for warning in taken(options.name, kinds, session.registry):
        session.show(f"\n{wrap_line(f'Warning: {warning}', 0)}")


def update(name: str, folder: Path) -> str:
    """Show how this version would write the files of a plugin that are no code, as a diff.

    Raises
    ------
    InputError
        If there is no plugin in the folder.
    """
    from difflib import unified_diff

    check_name(name)
    module = folder / substitutions(name)["module"]
    try:
        project = (folder / "pyproject.toml").read_text("utf-8")
    except (OSError, ValueError) as error:
        raise InputError(f"{folder}: expected a plugin that new-plugin wrote: {error}") from None
    author, url, license_name = (
        (re.search(pattern, project, re.MULTILINE) or ["", ""])[1]
        for pattern in (r'name = "(.*)" }', r'^Repository = "(https?:.*)"', r'^license = "(.*)"')
    )
    kinds = [kind for kind in SCAFFOLDED if (module / f"{kind}.py").exists()]
    files = distribution(
        name,
        kinds or ["metric"],
        license_name=license_name if license_name in LICENSES else "none",
        author=str(json.loads(f'"{author}"')),
        url=url,
        native=(module / "native.c").exists(),
    )
    shown = ""
    for path, text in files.items():
        if not path.startswith(CODE) and not path.endswith(CODE):
            there = folder / path
            before = there.read_text("utf-8").splitlines(keepends=True) if there.exists() else []
            after = text.splitlines(keepends=True)
            shown += "".join(unified_diff(before, after, str(there), f"{path} of {__version__}"))
    return shown or f"{folder} has all that mteval-testing of today writes."


def taken(name: str, kinds: Sequence[str], registry: Registry) -> list[str]:
    """Say which names of a new plugin another plugin has; users could not tell them apart."""
    entries = [
        (kind, entry)
        for kind in kinds
        for entry in registry.of_name(SCAFFOLDED[kind].declaration, name, KEYS.get(kind))
    ]
    warnings = [
        f"{entry.plugin.distribution} has a {kind} {entry.declaration.shown!r}; with both "
        f"installed, users would have to write mteval-{name}/{name}. Choose another name."
        for kind, entry in entries
    ]
    from mteval_testing.check import canonical

    if any(canonical(plugin.distribution) == f"mteval-{name}" for plugin in registry.plugins):
        warnings.append(f"mteval-{name} is installed already. Choose another name.")
    return warnings


def write(folder: Path, files: Mapping[str, str]) -> None:
    """Write the files of a folder that does not exist yet, all of them or none."""
    from tempfile import TemporaryDirectory

    folder.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(prefix=".mteval-", dir=folder.parent) as temporary:
        new = Path(temporary, folder.name)
        for name, text in files.items():
            path = new / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        new.rename(folder)


def distribution(
    name: str,
    kinds: Sequence[str],
    *,
    license_name: str = "MIT",
    author: str = "the authors",
    url: str = "",
    native: bool = False,
) -> dict[str, str]:
    """Build the files of a new plugin.

    Parameters
    ----------
    name : str
        Name of what it registers: lower-case letters, digits and single hyphens.
    kinds : sequence of str
        What it registers, any keys of `SCAFFOLDED`.
    license_name : str
        One of `LICENSES`.
    author : str
        Copyright holder.
    url : str
        Address of the repository; may be empty.
    native : bool
        Whether it has code in C.

    Returns
    -------
    dict of str to str
        Contents by path.

    Raises
    ------
    UsageError
        If the name is not valid for a distribution, a module and a declaration alike.
    """
    check_name(name)
    names = {
        **substitutions(name),
        "summary": f"{name}: a plugin of mteval with {listed(kinds)}.",
        "author": author,
        "author_string": json.dumps(author, ensure_ascii=False),
        "urls": urls(url),
        "license_field": f'license = "{license_name}"' if license_name != "none" else "",
    }
    module = names["module"]

    def filled(*templates: str) -> str:
        texts = [(SCAFFOLD / f"{template}.in").read_text("utf-8") for template in templates]
        return Template("".join(texts)).substitute(names)

    files = {
        "pyproject.toml": re.sub(
            r"\n\n(?=dependencies)",
            "\n",
            filled("pyproject.toml", *(["native.pyproject"] if native else [])),
        ),
        "README.md": filled(
            "README.md",
            *(f"{kind}.readme" for kind in kinds),
            *(["native.readme"] if native else []),
        ),
        "CHANGELOG.md": filled("CHANGELOG.md"),
        "MANIFEST.in": filled("MANIFEST.in"),
        "tox.ini": filled("tox.ini"),
        ".gitignore": filled("gitignore"),
        ".github/workflows/tests.yml": filled("workflow"),
        ".github/workflows/release.yml": filled(
            "release", "native.build" if native else "release.build", "release.publish"
        ),
        f"{module}/__init__.py": filled("hooks.py", *(f"{kind}.hook" for kind in kinds)),
        f"{module}/py.typed": "",
    }
    if native:
        files["setup.py"] = filled("native.setup")
        files[f"{module}/native.c"] = filled("native.c")
        files[f"{module}/native.py"] = filled("native.py")
        files["tests/test_native.py"] = filled("native.test")
    if license_name != "none":
        files["LICENSE"] = filled(f"LICENSE.{license_name}")
    for kind in kinds:
        files[f"{module}/{kind}.py"] = filled(f"{kind}.py")
        files[f"tests/test_{kind}.py"] = filled(f"{kind}.test")
        if (SCAFFOLD / f"{kind}.bib.in").exists():
            files[f"{module}/{kind}.bib"] = filled(f"{kind}.bib")
        if (SCAFFOLD / f"{kind}.golden.in").exists():
            files["tests/test_golden.py"] = filled(f"{kind}.golden")
            files["tests/golden/runs.json"] = filled(f"{kind}.cases")
    return files


def substitutions(name: str) -> dict[str, str]:
    """Return what the templates fill in for the name of the plugin, the host and the year."""
    from datetime import datetime, timezone
    from importlib import metadata

    return {
        "name": name,
        "module": f"mteval_{name.replace('-', '_')}",
        "distribution": f"mteval-{name}",
        "entry_point": name.replace("-", "_"),
        "host": __version__,
        "kit": metadata.version("mteval-testing"),
        "api": str(API),
        "year": str(datetime.now(tz=timezone.utc).year),
    }


def urls(url: str) -> str:
    """Return the section of pyproject.toml with addresses, or comments to fill in.

    Raises
    ------
    UsageError
        If the address is not one of the web.
    """
    if url and not re.fullmatch(r"https?://[^\s\"\\]+", url):
        raise UsageError(f"--url {url}: expected the address of a repository, https://...")
    lines = ("[project.urls]", f'Repository = "{url}"', f'Issues = "{url}/issues"', "")
    if url:
        return "\n".join(lines)
    return '# Add where users find the code:\n# [project.urls]\n# Repository = "https://..."\n'


def check_name(name: str) -> None:
    """Raise a `UsageError` if a name is not valid for a distribution and a module alike."""
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", name) or name.startswith("mteval"):
        raise UsageError(
            f"{name!r} is not a valid name for a plugin: expected lower-case letters, digits and "
            f"single hyphens, starting with a letter and not with 'mteval', as in 'my-metric'"
        )


def listed(kinds: Sequence[str]) -> str:
    """List kinds in a sentence: a metric, a tokenizer and an input format."""
    *first, last = [SCAFFOLDED[kind].summary for kind in kinds]
    return f"{', '.join(first)} and {last}" if first else last


def tox() -> str:
    """Return the command that runs tox, with what is installed from a checkout."""
    found = {"MTEVAL_CORE": checkout("mteval-core"), "MTEVAL_TESTING": checkout("mteval-testing")}
    return " ".join([*(f"{name}={quote(path)}" for name, path in found.items() if path), "tox"])


def checkout(name: str) -> str:
    """Return the folder that a distribution is installed from; empty if it is not."""
    from importlib import metadata
    from urllib.parse import urlsplit
    from urllib.request import url2pathname

    try:
        origin = metadata.distribution(name).read_text("direct_url.json")
    except metadata.PackageNotFoundError:
        return ""
    url = urlsplit(str(json.loads(origin)["url"]) if origin else "")
    return url2pathname(url.path) if url.scheme == "file" else ""

"""``mteval new-plugin``: a complete distribution to start from, which works at once."""

from __future__ import annotations

import re
from pathlib import Path
from shlex import quote
from string import Template
from typing import TYPE_CHECKING

from mteval_core._version import __version__
from mteval_core.errors import InputError, UsageError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

SCAFFOLD = Path(__file__).with_name("scaffold")

KINDS = {
    "metric": "a metric: unigram F-measure, to be replaced",
    "tokenizer": "a tokenizer",
    "normalizer": "a normalizer of text",
    "reader": "an input format",
    "format": "an output format",
}

LICENSES = ("MIT", "BSD-3-Clause", "0BSD", "none")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command's arguments."""
    parser.add_argument(
        "name",
        metavar="NAME",
        help="what it registers has this name; the distribution is mteval-NAME",
    )
    kinds = parser.add_argument_group("what it registers (default: a metric)")
    for kind, help_ in KINDS.items():
        kinds.add_argument(f"--{kind}", dest="kinds", action="append_const", const=kind, help=help_)
    parser.add_argument(
        "--license", choices=LICENSES, default="MIT", help="licence (default: %(default)s)"
    )
    parser.add_argument(
        "--author", default="the authors", help="whom the licence names (default: %(default)s)"
    )
    parser.add_argument(
        "--into", default=".", metavar="DIR", help="where to write the folder (default: here)"
    )


def run(arguments: argparse.Namespace) -> int:
    """Write the distribution, and say what to do with it."""
    kinds = [kind for kind in KINDS if kind in (arguments.kinds or ["metric"])]
    files = distribution(
        arguments.name, kinds, license_name=arguments.license, author=arguments.author
    )
    folder = Path(arguments.into) / f"mteval-{arguments.name}"
    if folder.exists():
        message = f"{folder} is there already: choose another name, or another --into"
        raise InputError(message)
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    print(f"Wrote {len(files)} files to {folder}. They work as they are:\n")
    print(f"  pip install -e {quote(f'{folder}[test]')}")
    print(f"  mteval check mteval-{arguments.name}")
    print(f"  python -m pytest {quote(str(folder))}")
    print("\nThese are to become yours:\n")
    for name in files:
        if Path(name).name in [f"{kind}.py" for kind in kinds]:
            print(f"  {folder / name}")
    print("\nWith every Python that is installed:\n")
    print("  pip install tox")
    print(f"  cd {quote(str(folder))} && {tox()}")
    return 0


def distribution(
    name: str, kinds: Sequence[str], *, license_name: str = "MIT", author: str = "the authors"
) -> dict[str, str]:
    """Give the files of a new plugin.

    Parameters
    ----------
    name : str
        Name of what it registers, in lower case, of letters, digits and single hyphens.
    kinds : sequence of str
        What it registers, any of `KINDS`.
    license_name : str
        One of `LICENSES`.
    author : str
        Whom the licence names.

    Returns
    -------
    dict of str to str
        Contents by path.

    Raises
    ------
    UsageError
        If the name cannot be that of a distribution, a module and a metric alike.
    """
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", name) or name.startswith("mteval"):
        message = (
            f"{name!r} cannot be the name of a plugin: expected lower-case letters, digits and "
            f"single hyphens, beginning with a letter and not with 'mteval', as in 'my-metric'"
        )
        raise UsageError(message)
    module = f"mteval_{name.replace('-', '_')}"
    names = {
        "name": name,
        "module": module,
        "distribution": f"mteval-{name}",
        "entry_point": name.replace("-", "_"),
        "host": __version__,
        "summary": f"{name}: a plugin of mteval with {listed(kinds)}.",
        "author": author,
        "year": year(),
        "license_field": f'license = "{license_name}"' if license_name != "none" else "",
    }

    def filled(template: str) -> str:
        text = (SCAFFOLD / f"{template}.in").read_text(encoding="utf-8")
        return Template(text).substitute(names)

    files = {
        "pyproject.toml": re.sub(r"\n\n(?=dependencies)", "\n", filled("pyproject.toml")),
        "README.md": "".join(filled(part) for part in ["README.md", *sections(kinds, "readme")]),
        "CHANGELOG.md": filled("CHANGELOG.md"),
        "tox.ini": filled("tox.ini"),
        f"{module}/__init__.py": "".join(map(filled, ["hooks.py", *sections(kinds, "hook")])),
        f"{module}/py.typed": "",
    }
    if license_name != "none":
        files["LICENSE"] = filled(f"LICENSE.{license_name}")
    for kind in kinds:
        files[f"{module}/{kind}.py"] = filled(f"{kind}.py")
        files[f"tests/test_{kind}.py"] = filled(f"{kind}.test")
    if "metric" in kinds:
        files["tests/test_golden.py"] = filled("metric.golden")
    return files


def listed(kinds: Sequence[str]) -> str:
    """Name kinds in a sentence: a metric, a tokenizer and a reader."""
    *first, last = [f"a {kind}" for kind in kinds]
    return f"{', '.join(first)} and {last}" if first else last


def sections(kinds: Sequence[str], part: str) -> list[str]:
    """Name the templates of one part of every kind."""
    return [f"{kind}.{part}" for kind in kinds]


def year() -> str:
    """Give this year, for the licence."""
    from datetime import datetime, timezone

    return str(datetime.now(tz=timezone.utc).year)


def tox() -> str:
    """Give the command that runs tox: with the host that is here, where it is a checkout."""
    import json
    from importlib import metadata
    from urllib.parse import urlsplit
    from urllib.request import url2pathname

    try:
        origin = metadata.distribution("mteval-core").read_text("direct_url.json")
    except metadata.PackageNotFoundError:
        return "tox"
    url = urlsplit(str(json.loads(origin)["url"]) if origin else "")
    return f"MTEVAL_CORE={quote(url2pathname(url.path))} tox" if url.scheme == "file" else "tox"

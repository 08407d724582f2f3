"""Run the commands and the Python code of the documentation, then build it."""

from __future__ import annotations

import doctest
import json
import os
import re
import shutil
import site
import subprocess
import sys
import sysconfig
import venv
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from textwrap import dedent

import pytest

import mteval_core
from mteval_core.commands.parser import command_parsers

pytest.importorskip("sphinx", reason="tox -e docs tests the pages")

REPOSITORY = Path(__file__).parents[2]
DOCS = REPOSITORY / "docs"
PAGES = sorted(DOCS.glob("*.md"), key=lambda page: (page.stem != "tutorial", page.stem))
"""The page that takes longest is the first, so that it does not keep one processor waiting."""

PAGES_OF_PLUGINS = sorted(
    page for place in ("README.md", "docs/*.md") for page in REPOSITORY.glob(f"plugins/*/{place}")
)

BLOCK = re.compile(r"^```(?:\{code-block\} )?(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)

INDENTED = re.compile(r"(?:(?<=\n\n)|\A)((?:    .+\n)+)")
COMMAND = re.compile(r"(?:mteval|sacrebleu|python3?|pip|tox|apt-get|\.) ")
"""Indented blocks, and what the first word of a line of commands is."""

INSTALLATION = re.compile(r"^(?:python3? -m venv|\. |pip install|apt-get) ?.*\n?", re.MULTILINE)
"""Lines of indented blocks that prepare the machine, as the environment of the tests does."""

PLUGIN_ERROR = 4

PLACES = {
    "REF...": "examples/mini/ref0.txt examples/mini/ref1.txt",
    "SYS...": "examples/mini/systems/deep.txt examples/mini/systems/rule.txt",
    "REF": "examples/mini/ref0.txt",
    "HYP": "examples/mini/systems/deep.txt",
    "ref.txt": "examples/mini/ref0.txt",
    "system.txt": "examples/mini/systems/deep.txt",
    "ours.txt": "examples/mini/systems/deep.txt",
}
"""Values of the placeholders in commands."""


@pytest.mark.slow
def test_it_builds_without_warnings(tmp_path: Path) -> None:
    for package in ("myst_parser", "furo"):
        if find_spec(package) is None:
            pytest.skip(f"{package} is not installed; tox's environment 'docs' has it")
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q"]
    done = subprocess.run(
        [*command, "-d", tmp_path / "trees", DOCS, tmp_path / "html"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    pages = [*(tmp_path / "html").rglob("*.html")]
    assert tmp_path / "html" / "tutorial.html" in pages
    literature = (tmp_path / "html" / "bibliography.html").read_text(encoding="utf-8")
    n_citations = 0
    for page in pages:
        text = page.read_text(encoding="utf-8")
        assert str(REPOSITORY) not in text
        assert "<p>|" not in text, f"{page.name}: a row stands outside of its table"
        fetched = re.findall(r'<(?:script|link|img)[^>]*(?:src|href)="\w+:', text)
        assert not fetched, f"{page.name} loads files from another site"
        for anchor in re.findall(r'bibliography\.html#([^"]+)"', text):
            n_citations += 1
            assert f'id="{anchor}"' in literature, f"{page.name}: {anchor}"
    assert n_citations > 50
    described = (tmp_path / "html" / "generated" / "commands.html").read_text(encoding="utf-8")
    for parser in command_parsers(mteval_core.default_registry()):
        for flag in parser._option_string_actions.keys() - {"-h", "--help"}:
            address = f"cmdoption-{parser.prog}-{flag.lstrip('-')}".replace(" ", "-")
            assert f'id="{address}"' in described


FOUND = {
    "install": "start",
    "windows": "platforms",
    "conda": "platforms",
    "docker": "platforms",
    "sentence level csv": "table",
    "sentence BLEU": "loops",
    "segment scores": "loops",
    "p-value": "reporting",
    "cite": "reporting",
    "rouge1": "switching",
    "chrF++": "choosing",
    "significance latex": "cookbook",
    "japanese": "cookbook",
    "wandb": "cookbook",
    "pandas": "cookbook",
    "training loop": "cookbook",
    "notebook": "python",
    "gate github action": "plugins/decide/gate",
    "score dropped": "plugins/decide/why",
    "exit code": "messages",
    "COMET": "plugins/learned/index",
    "srt": "data",
    "JSON lines": "data",
    "LLM judge": "llm",
    "all pairs": "best",
    "confidence interval": "statistics",
    "excel": "plugins/figures/index",
    "pdf": "plugins/figures/index",
}
"""What readers search for, and the page that answers."""


@pytest.mark.skipif(shutil.which("node") is None, reason="node runs the search of the pages")
def test_the_search_finds_the_page_that_answers_first(tmp_path: Path) -> None:
    options = ("-q", "-d", tmp_path / "trees", DOCS, tmp_path / "html")
    subprocess.run([sys.executable, "-m", "sphinx", *options], check=True, capture_output=True)
    command = ["node", Path(__file__).with_name("search.js"), tmp_path / "html", *FOUND]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    first = [pages[0] if pages else "" for pages in json.loads(done.stdout)]
    assert dict(zip(FOUND, first, strict=True)) == FOUND


def test_there_are_pages() -> None:
    assert {"index", "start", "tutorial", "switching"} <= {page.stem for page in PAGES}


def blocks(page: Path) -> list[tuple[str, str]]:
    """Language and text of the blocks of code, fenced or indented, in their order."""
    text = page.read_text(encoding="utf-8")
    places = {match.start(): match.groups() for match in BLOCK.finditer(text)}
    prose = BLOCK.sub(lambda match: re.sub(r"[^\n]", ".", match[0]), text)
    for match in INDENTED.finditer(prose):
        lines = dedent(text[match.start() : match.end()])
        if COMMAND.match(lines):
            places[match.start()] = ("sh", INSTALLATION.sub("", lines))
    return [(language, code) for _, (language, code) in sorted(places.items())]


def test_indented_commands_are_seen(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "Install:\n\n    pip install x\n    mteval list  # all\n\n```sh\nmteval plugins\n\n"
        "    mteval no\n```\n\n    BLEU|nrefs:1\n\n- item\n\n    mteval check x\n"
    )
    assert blocks(page) == [
        ("sh", "mteval list  # all\n"),
        ("sh", "mteval plugins\n\n    mteval no\n"),
        ("sh", "mteval check x\n"),
    ]


def script(path: Path, text: str) -> None:
    path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    path.chmod(0o755)


@pytest.fixture(scope="module")
def commands(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make an environment that sees the packages of this one, and can install plugins."""
    folder = tmp_path_factory.mktemp("environment") / "venv"
    venv.EnvBuilder(with_pip=False, symlinks=True).create(folder)
    python = folder / "bin" / "python"
    place = subprocess.run(
        [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    here = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib"), *site.getsitepackages()}
    lines = [f"import site; site.addsitedir({path!r})\n" for path in sorted(here)]
    Path(place, "outside.pth").write_text("".join(lines), encoding="utf-8")
    isolation = "" if has_setuptools() else "export PIP_NO_BUILD_ISOLATION=1; "
    own = "--no-build-isolation" if has_setuptools() else ""
    script(folder / "bin" / "mteval", f'exec {python} -m mteval_core "$@"')
    script(
        folder / "bin" / "pip",
        f'{isolation}verb=$1; shift; exec {sys.executable} -m pip --python {python} -q "$verb" '
        f'--no-deps {own} "$@"',
    )
    return folder / "bin"


def has_setuptools() -> bool:
    try:
        metadata.version("wheel")
        return int(metadata.version("setuptools").partition(".")[0]) >= 77
    except metadata.PackageNotFoundError:
        return False


def shell(command: str, commands: Path, folder: Path) -> str:
    for pattern, place in PLACES.items():
        command = re.sub(rf"(?<!\S){re.escape(pattern)}(?!\S)", place, command)
    done = subprocess.run(
        ["/bin/sh", "-ec", command],
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
        env={
            **os.environ,
            "PATH": f"{commands}:{os.environ['PATH']}",
            "COLUMNS": "100",
            "SACREBLEU": str(folder / "sacrebleu"),
        },
    )
    if done.returncode == PLUGIN_ERROR and "not installed" in done.stderr:
        pytest.skip(done.stderr.strip())
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def essence(text: str) -> str:
    """Remove hashes of references and the widths of columns."""
    text = re.sub(r"\|refs:\w+", "|refs:0", text)
    return re.sub(r" +", " ", re.sub(r"--+", "--", text)).strip()


@pytest.mark.slow
@pytest.mark.parametrize(
    "page",
    [*PAGES, *PAGES_OF_PLUGINS],
    ids=lambda page: str(page.relative_to(REPOSITORY).with_suffix("")),
)
def test_what_a_page_says_is_so(page: Path, commands: Path, tmp_path: Path) -> None:
    """Commands succeed and print the text shown, Python runs, and captions name files to write."""
    code = blocks(page)
    needed = set(re.findall(r"\b(bleu|nist|gtm|rouge|meteor|ter|wer|chrf)\b", str(code)))
    for name, package in NEEDS.items():
        if name in needed:
            pytest.importorskip(package)
    if "--plot" in str(code):
        pytest.importorskip("matplotlib")
    copy_texts(tmp_path)
    printed = None
    names: dict[str, object] = {}
    for language, text in code:
        if language == "sh":
            printed = shell(text, commands, tmp_path)
        elif language == "text" and printed is not None:
            assert essence(text) in essence(printed)  # the page may show an excerpt
        elif caption := re.match(r":caption: `(\S+)`\n", text):
            path = tmp_path / caption[1]
            assert path.parent.is_dir()
            path.write_text(text[caption.end() :], encoding="utf-8")
            shutil.rmtree(path.parent / "__pycache__", ignore_errors=True)
        elif language == "python":
            if text.lstrip().startswith(">>>"):
                test = doctest.DocTestParser().get_doctest(text, names, page.name, str(page), 0)
                runner = doctest.DocTestRunner(verbose=False)
                report: list[str] = []
                runner.run(test, out=report.append, clear_globs=False)
                names.update(test.globs)
                assert not report, "".join(report)
            else:
                exec(dedent(text), names)
        if language not in ("sh", "text"):
            printed = None
    check_pictures(page, tmp_path)


def copy_texts(folder: Path) -> None:
    """Copy the example, also as a test set in the cache of sacreBLEU."""
    mini = REPOSITORY / "examples" / "mini"
    shutil.copytree(mini, folder / "examples" / "mini")
    (folder / "sacrebleu" / "wmt24").mkdir(parents=True)
    for field, file in {"src": "src.de.txt", "ref-refA": "ref0.txt", "docid": "docs.txt"}.items():
        shutil.copy(mini / file, folder / "sacrebleu" / "wmt24" / f"wmt24.en-de.{field}")


def check_pictures(page: Path, folder: Path) -> None:
    """Compare the pictures of a page with those that its commands drew."""
    for shown in re.findall(r"\]\(([\w/-]+\.svg)\)", page.read_text(encoding="utf-8")):
        stored = (page.parent / shown).read_text(encoding="utf-8")
        drawn = (folder / Path(shown).name).read_text(encoding="utf-8")
        if 'class="mteval"' in stored:
            assert drawn == stored, "run: python docs/_ext/pictures.py"
        else:  # versions of matplotlib differ
            assert words(drawn) == words(stored)


def words(picture: str) -> set[str]:
    """Return what a picture says, apart from the numbers at its axes."""
    texts = re.findall(r">([^<>]+)</text>", picture)
    return {text for text in texts if not re.match(r"[−0-9]", text)}


@pytest.mark.parametrize(
    "command", [text for language, text in blocks(REPOSITORY / "README.md") if language == "sh"]
)
def test_the_commands_of_the_readme(command: str, commands: Path, tmp_path: Path) -> None:
    if command.startswith("python3 -m venv"):
        pytest.skip("the tests do not install packages from the network")
    pytest.importorskip("mteval_bleu_nist")
    copy_texts(tmp_path)
    assert "BLEU" in shell(command, commands, tmp_path)


NEEDS = {
    "bleu": "mteval_bleu_nist",
    "nist": "mteval_bleu_nist",
    "gtm": "mteval_gtm",
    "rouge": "mteval_rouge",
    "meteor": "mteval_meteor_fmean",
    "ter": "mteval_error_rates",
    "wer": "mteval_error_rates",
    "chrf": "mteval_chrf",
}

"""Without any one plugin all else works, and what it brings is answered with what installs it."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

import mteval_core as mt
from mteval_core.commands.main import main
from mteval_core.plugin.catalogue import READS, SCORES, WRITES, known_plugins
from mteval_core.plugin.declarations import KINDS
from mteval_core.plugin.installed import installed_plugins
from mteval_core.plugin.registry import canonical

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).parents[3]
NAME = re.compile(r'^name = "(.+)"$', re.MULTILINE)
PLUGINS = sorted(
    NAME.findall(path.read_text("utf-8"))[0] for path in ROOT.glob("plugins/*/pyproject.toml")
)

each_plugin = pytest.mark.parametrize("plugin", PLUGINS)


def without(plugin: str) -> mt.Registry:
    """Load everything that is installed but one distribution."""
    return mt.load_registry(
        [each for each in installed_plugins() if canonical(each.dist.name) != plugin]
    )


@pytest.fixture
def told(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str]]:
    """Run the command line with some plugins; return the exit code and what it says."""

    def run(registry: mt.Registry, *words: str | Path) -> tuple[int, str]:
        code = main(list(map(str, words)), registry)
        said = capsys.readouterr()
        return code, said.err if code else said.out

    return run


@pytest.fixture
def texts(tmp_path: Path) -> list[str]:
    """Write a reference and an output; return the words that name them."""
    (tmp_path / "ref").write_text("the cat sat on the mat\na dog ran off\n")
    (tmp_path / "sys").write_text("the cat is on the mat\na dog ran away\n")
    return [str(tmp_path / "ref"), "-i", str(tmp_path / "sys")]


@each_plugin
def test_all_else_works(
    told: Callable[..., tuple[int, str]], texts: list[str], plugin: str
) -> None:
    registry = without(plugin)
    assert [each for each in registry.plugins if each.status != "ok"] == []
    assert told(registry, "--help")[0] == 0
    assert told(registry, "list")[0] == 0
    code, scores = told(registry, "score", *texts, "-f", "tsv")
    assert (code, scores.count("\n") > 3) == (0, True)
    for entry in registry.of_kind(mt.CommandSpec):
        with pytest.raises(SystemExit) as done:
            main([entry.declaration.name, "--help"], registry)
        assert done.value.code == 0


REQUESTS: dict[str, tuple[str, ...]] = {
    "metrics": ("score", "{texts}", "-m", "{name}"),
    "tokenizers": ("tokenize", "--tok", "{name}", "{ref}"),
    "normalizers": ("score", "{texts}", "-m", "wer:{name}"),
    "formats": ("score", "{texts}", "-f", "{name}"),
    "datasets": ("score", "--data", "{name}:x"),
    "resamplers": ("score", "{texts}", "-ci", "--resampler", "{name}"),
    "engines": ("score", "--engine", "{name}", "--data", "{file}*.parquet", "--fields", "hyp=h"),
    "commands": ("{name}",),
    READS: ("score", "{file}::field", "-i", "{ref}"),
    WRITES: ("score", "{texts}", "-o", "{file}"),
}
"""How users ask for what a plugin brings. Readers and checks are not asked for by name."""


@each_plugin
def test_what_a_missing_plugin_brings_is_answered_with_what_installs_it(
    told: Callable[..., tuple[int, str]], texts: list[str], tmp_path: Path, plugin: str
) -> None:
    registry = without(plugin)
    asked = [
        (what, name)
        for what, names in known_plugins().get(plugin, {}).items()
        for name in names
        if what in REQUESTS
    ]
    assert asked or plugin == "mteval-adapters"  # which declares nothing
    for what, name in asked:
        file = tmp_path / name.replace("*", "x").replace("/", "-")
        if what == READS:
            file.write_text("a\nb\n")
        values = {"name": name, "file": str(file), "ref": texts[0]}
        words = [w for word in REQUESTS[what] for w in (texts if word == "{texts}" else [word])]
        code, error = told(registry, *(word.format(**values) for word in words))
        assert code in (3, 4), error
        assert f"in the plugin {plugin}; install it with: pip install {plugin}\n" in error
        assert "Did you mean" not in error


def test_the_answers_in_full(
    told: Callable[..., tuple[int, str]], texts: list[str], tmp_path: Path
) -> None:
    file = tmp_path / "x.jsonl"
    file.write_text('{"a": 1}\n')
    for words, error in [
        (("score", *texts, "-m", "chrf"), "unknown metric 'chrf': it is in the plugin mteval-chrf"),
        (("list", "chrf"), "'chrf' is in the plugin mteval-chrf"),
        (("correlate",), "unknown command 'correlate': it is in the plugin mteval-metaeval"),
        (
            ("score", *texts, "-m", "chrf", "-o", "x.html"),
            "-o x.html: the format of the ending .html is in the plugin mteval-html",
        ),
        (
            ("score", f"{file}::a", "-i", texts[0]),
            f"{file}: its format is in the plugin mteval-readers",
        ),
        (
            ("replay", "BLEU|tok:13a|smooth:exp|version:2.6.0", *texts),
            "the metric of the signature 'BLEU|tok:13a|smooth:exp|version:2.6.0' is in the plugin "
            "mteval-bleu-nist",
        ),
    ]:
        name = error.rpartition(" ")[2]
        code, said = told(without(name), *words)
        assert said == f"mteval: error: {error}; install it with: pip install {name}\n"
        assert code == (3 if "jsonl" in error else 4)


def test_without_any_metric_all_plugins_with_metrics_are_named(
    told: Callable[..., tuple[int, str]], texts: list[str]
) -> None:
    code, error = told(mt.load_registry([]), "score", *texts)
    assert code == 4
    names = [name for name, table in known_plugins().items() if "metrics" in table]
    assert f": install one of {', '.join(names)}, such as: pip install {names[0]}\n" in error


def test_plugins_that_are_too_old_for_the_host_are_named_with_what_to_do(
    told: Callable[..., tuple[int, str]], texts: list[str]
) -> None:
    old: Any = SimpleNamespace(mteval_api=mt.API - 1)
    points = [
        SimpleNamespace(name=name, dist=SimpleNamespace(name=f"mteval-{name}", version="1.0"))
        for name in ("first", "second")
    ]
    for point in points:
        point.load = lambda: old
    code, error = told(mt.load_registry(points), "score", *texts)
    assert code == 4
    assert error == (
        "mteval: error: no metric to score with. These plugins are not loaded: plugins 'first' of "
        "mteval-first 1.0, 'second' of mteval-second 1.0 are broken: written for API level "
        f"{mt.API - 1}, but mteval-core {mt.__version__} has level {mt.API}: install a newer "
        "version of the plugin\n"
    )


def test_a_blocked_plugin_is_named(told: Callable[..., tuple[int, str]], texts: list[str]) -> None:
    (point,) = (each for each in installed_plugins() if each.dist.name == "mteval-chrf")
    registry = mt.load_registry([point], blocked=["chrf"])
    for metric in ("chrf", "mteval-chrf/chrf", "chrf:nw=2"):
        assert told(registry, "score", *texts, "-m", metric) == (
            4,
            f"mteval: error: unknown metric {metric.partition(':')[0]!r}: it is in the plugin "
            f"'chrf' of mteval-chrf {point.dist.version}, which is blocked\n",
        )


def test_the_configuration_of_a_missing_command_is_not_in_the_way(
    told: Callable[..., tuple[int, str]],
    texts: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mteval.toml").write_text('[correlate]\nlevel = "segment"\n')
    registry = without("mteval-metaeval")
    assert told(registry, "score", *texts, "-m", "bleu")[0] == 0
    Path("mteval.toml").write_text('[corelate]\nlevel = "segment"\n')
    assert "unknown table" in told(registry, "score", *texts, "-m", "bleu")[1]


# The host

HOST = ROOT / "mteval_core"

OURS = {"check", "explain", "points", "profile"}
"""Commands whose names are also the host's: a kind, a method of metrics, a unit, and a part of a
configuration file."""


def named(code: str) -> list[str]:
    """Find the plugins that code or prose names, and the commands and engines of plugins."""
    folders = "|".join(path.name for path in ROOT.glob("plugins/*"))
    dashed = "|".join(re.escape(name.removeprefix("mteval-")) for name in PLUGINS)
    tables = [known_plugins().get(plugin, {}) for plugin in PLUGINS]
    kinds = ("commands", "engines")
    names = {name for table in tables for kind in kinds for name in table.get(kind, ())}
    asked, quoted = "|".join(names), "|".join(names - OURS)
    pattern = rf"mteval[-_](?:{dashed}|{folders}|all)\b|mteval (?:{asked})\b|(['\"])(?:{quoted})\1"
    return [found[0] for found in re.finditer(pattern, code)]


@pytest.mark.parametrize("path", sorted(HOST.rglob("*.py")), ids=lambda path: str(path.name))
def test_the_host_names_no_plugin_and_no_command_of_one(path: Path) -> None:
    assert named(path.read_text("utf-8")) == []


def test_names_of_plugins_and_their_commands_are_found() -> None:
    code = "'''As mteval plan.''' 'see mteval profile', mteval_chrf; 'plan' mteval-html, 'profile'"
    assert named(code) == ["mteval plan", "mteval profile", "mteval_chrf", "'plan'", "mteval-html"]


def test_the_catalogue_has_known_kinds_and_plain_names() -> None:
    for distribution, table in known_plugins().items():
        assert distribution == canonical(distribution)
        assert {*table} <= {*KINDS, READS, WRITES, SCORES, "compares"}
        for what, names in table.items():
            assert names == sorted({*names})
            is_file = what in (READS, WRITES, SCORES)
            assert is_file or all(fnmatchcase(name, name) and "*" not in name for name in names)

"""Plugins are found, refused and kept apart; a broken one does not affect the others."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import mteval_core as mt
from mteval_core import PluginError, UnknownNameError
from mteval_core.plugin.declarations import KINDS, load

if TYPE_CHECKING:
    from collections.abc import Callable

PLUGIN = "plugin 'bad' of mteval-bad 1.0 is broken: "


def commas(text: str) -> list[str]:
    return text.split(",")


def tokenizer(name: str, **others: Any) -> mt.TokenizerSpec:
    return mt.TokenizerSpec(name, function=commas, **others)


@pytest.fixture
def loaded(
    plugin: Callable[..., Any], matches: mt.MetricSpec
) -> Callable[..., tuple[mt.Registry, str]]:
    """Load a plugin ``bad`` next to a good one; return the registry and the error of ``bad``."""

    def load_beside(**declared: Any) -> tuple[mt.Registry, str]:
        registry = mt.load_registry([plugin("bad", **declared), plugin(metrics=[matches])])
        by_name = {p.name: p for p in registry.plugins}
        # Whatever the bad one does, the good one works.
        assert by_name["toy"].status == "ok"
        scorer = mt.metric("matches", registry=registry)
        assert scorer.sentence_score("a b", ["b"]).score == 50.0
        assert by_name["bad"].status in ("ok", "broken")
        return registry, str(by_name["bad"]) if by_name["bad"].error else ""

    return load_beside


# What is wrong with a plugin

MISSING = ModuleNotFoundError("No module named 'wordnet'", name="wordnet")


def wrong_argument(registry: Any) -> Any:  # noqa: ARG001 - that is what is wrong
    return []


def raising() -> Any:
    raise RuntimeError("no\nway")


def unmarked() -> Any:
    return [tokenizer("commas")]


@pytest.mark.parametrize(
    ("declared", "fault"),
    [
        ({"metrics": MISSING}, "ModuleNotFoundError: No module named 'wordnet'"),
        ({"metrics": SyntaxError("invalid syntax")}, "SyntaxError: invalid syntax"),
        ({"metrics": SystemExit("needs Java")}, "SystemExit: needs Java"),
        ({"metrics": raising}, "RuntimeError: no way"),
        (
            {"metric": []},
            "there is no hook 'mteval_register_metric'. Did you mean 'mteval_register_metrics'",
        ),
        (
            {"tokenisers": []},
            "there is no hook 'mteval_register_tokenisers'. "
            "Did you mean 'mteval_register_tokenizers' or 'mteval_register_engines'",
        ),
        (
            {"mteval_register_metrik": unmarked},
            "there is no hook 'mteval_register_metrik'. Did you mean 'mteval_register_metrics'",
        ),
        (
            {"mteval_register_tokenizers": unmarked},
            "mteval_register_tokenizers is not marked as a hook: add @mteval_core",
        ),
        ({"metrics": wrong_argument}, "PluginValidationError: Plugin 'mteval-bad/bad' for hook "),
        ({"metrics": None}, "mteval_register_metrics returned None; expected MetricSpec objects"),
        (
            {"metrics": ["p1"]},
            "mteval_register_metrics returned 'p1'; expected MetricSpec objects",
        ),
        (
            {"tokenizers": [mt.FormatSpec("yaml", function="a:b")]},
            "mteval_register_tokenizers returned FormatSpec(name='yaml', help='', function='a:b'",
        ),
        (
            {"tokenizers": [tokenizer("a/b")]},
            "'a/b' is not a valid name: expected a non-empty string without '/'",
        ),
        (
            {"tokenizers": [tokenizer("")]},
            "'' is not a valid name: expected a non-empty string without '/'",
        ),
        (
            {"tokenizers": [tokenizer(3)]},
            "3 is not a valid name: expected a non-empty string without '/'",
        ),  # type: ignore[arg-type]
        (
            {"tokenizers": [tokenizer("commas"), tokenizer("commas")]},
            "mteval_register_tokenizers returned 'commas' twice",
        ),
        (
            {
                "metrics": [
                    mt.MetricSpec("a", factory="x:A", help="", values={"a": 1}, label="LABEL"),
                    mt.MetricSpec("b", factory="x:B", help="", values={"b": 1}, label="LABEL"),
                ]
            },
            "mteval_register_metrics returned 'b' twice",
        ),
        (
            {
                "metrics": [
                    mt.MetricSpec(
                        "a",
                        factory="x:A",
                        help="",
                        values={"a": 1},
                        options=(mt.Option("refs", 1),),
                    )
                ]
            },
            "'a' defines the signature key 'refs', which is reserved: rename it",
        ),
        (
            {
                "metrics": [
                    mt.MetricSpec(
                        "a",
                        factory="x:A",
                        help="",
                        values={"a": 1},
                        options=(mt.Option("k", 1),) * 2,
                    )
                ]
            },
            "'a' defines the signature key 'k' twice: rename one",
        ),
        (
            {
                "normalizers": [
                    mt.NormalizerSpec("new", key="version", stage="text", function=str.lower)
                ]
            },
            "'new' defines the signature key 'version', which is reserved: rename it",
        ),
    ],
)
def test_a_broken_plugin_is_reported_and_does_not_affect_others(
    loaded: Callable[..., tuple[mt.Registry, str]], declared: dict[str, Any], fault: str
) -> None:
    registry, error = loaded(**declared)
    assert error.startswith(PLUGIN + fault)
    assert "\n" not in error
    bad = next(p for p in registry.plugins if p.name == "bad")
    assert registry.registered_by(bad) == {}


@pytest.mark.parametrize(
    ("flags", "named"),
    [
        ({"tryfirst": True}, "tryfirst"),
        ({"trylast": True}, "trylast"),
        ({"wrapper": True}, "wrapper"),
        ({"hookwrapper": True}, "hookwrapper"),
        ({"optionalhook": True}, "optionalhook"),
        ({"specname": "mteval_register_metrics"}, "specname"),
        ({"tryfirst": True, "optionalhook": True}, "optionalhook, tryfirst"),
    ],
)
def test_flags_of_pluggy_are_refused(
    loaded: Callable[..., tuple[mt.Registry, str]], flags: dict[str, Any], named: str
) -> None:
    def hook() -> Any:
        yield

    hooks = {"mteval_register_tokenizers": mt.hookimpl(**flags)(hook)}
    _, error = loaded(**hooks)
    assert error == (
        f"{PLUGIN}mteval_register_tokenizers is marked with {named}, which no hook of mteval "
        f"supports: decorate it with @mteval_core.hookimpl alone"
    )


def test_a_module_is_one_plugin(plugin: Callable[..., Any], matches: mt.MetricSpec) -> None:
    first = plugin(metrics=[matches])
    second = replace(first, name="twin")
    registry = mt.load_registry([first, second, first])
    assert [str(each) for each in registry.plugins if each.cause] == [
        f"plugin '{name}' of mteval-toy 1.0 is broken: its module or name is already registered "
        "as mteval-toy/toy"
        for name in ("toy", "twin")
    ]
    assert mt.metric("matches", registry=registry).sentence_score("a b", ["b"]).score == 50.0


def test_a_broken_plugin_claims_no_names(plugin: Callable[..., Any]) -> None:
    first = plugin("two", tokenizers=[tokenizer("commas")], formats=["no format"])
    second = replace(plugin("two", tokenizers=[tokenizer("commas")]), name="whole")
    registry = mt.load_registry([first, second])
    assert registry.find(mt.TokenizerSpec, "commas").plugin.name == "whole"


def test_nothing_of_a_broken_plugin_is_registered(
    loaded: Callable[..., tuple[mt.Registry, str]],
) -> None:
    registry, error = loaded(tokenizers=[tokenizer("commas")], formats=["no format"])
    assert error.startswith(PLUGIN + "mteval_register_formats returned 'no format'")
    with pytest.raises(PluginError, match=r"^unknown tokenizer 'commas'"):
        registry.find(mt.TokenizerSpec, "commas")


def test_a_single_declaration_needs_no_list(
    loaded: Callable[..., tuple[mt.Registry, str]],
) -> None:
    registry, error = loaded(tokenizers=tokenizer("commas"))
    assert error == ""
    assert registry.find(mt.TokenizerSpec, "commas").plugin.distribution == "mteval-bad"


def test_what_a_broken_plugin_might_have_is_asked_for(
    loaded: Callable[..., tuple[mt.Registry, str]],
) -> None:
    registry, _ = loaded(metrics=MISSING)
    with pytest.raises(PluginError) as caught:
        mt.metric("synonyms", registry=registry)
    assert caught.value.__cause__ is MISSING
    assert str(caught.value) == (
        "unknown metric 'synonyms'. Known: matches. These plugins are not loaded: "
        "plugin 'bad' of mteval-bad 1.0 is broken: ModuleNotFoundError: No module named 'wordnet'"
    )


def test_strict_mode_makes_it_an_error(plugin: Callable[..., Any]) -> None:
    with pytest.raises(PluginError) as caught:
        mt.load_registry([plugin("bad", metrics=MISSING)], strict=True)
    error, _, place = str(caught.value).partition(" (")
    assert error == PLUGIN + "ModuleNotFoundError: No module named 'wordnet'"
    assert place.startswith(f"{Path(__file__).parents[1] / 'conftest.py'}:")
    assert caught.value.__cause__ is MISSING


# What is wrong with a metric


def declared_metric(matches: mt.MetricSpec, **changed: Any) -> mt.MetricSpec:
    return mt.MetricSpec(
        **{
            "name": "faulty",
            "factory": matches.factory,
            "help": "",
            "values": {"P": 100, "length": 1},
            **changed,
        }
    )


@pytest.mark.parametrize(
    ("changed", "fault"),
    [
        ({"factory": "no_such_module:A"}, "ModuleNotFoundError: No module named 'no_such_module'"),
        ({"factory": "json:A"}, "AttributeError: module 'json' has no attribute 'A'"),
        ({"factory": lambda: 1 / 0}, "ZeroDivisionError: division by zero"),
        ({"options": (mt.Option("unknown", 1),)}, "TypeError: "),
        ({"views": lambda options: options["x"]}, "KeyError: 'x'"),
        ({"values": lambda options: options["x"]}, "KeyError: 'x'"),
        ({"main": "F"}, "its main value is 'F', but its values are P, length"),
    ],
)
def test_a_metric_that_cannot_be_made_is_its_plugins_fault(
    plugin: Callable[..., Any], matches: mt.MetricSpec, changed: dict[str, Any], fault: str
) -> None:
    registry = mt.load_registry([plugin(metrics=[declared_metric(matches, **changed)])])
    with pytest.raises(PluginError) as caught:
        mt.metric("faulty", registry=registry)
    assert str(caught.value).startswith(f"metric 'faulty' of mteval-toy 1.0: {fault}")


def test_a_tokenizer_that_is_not_there(plugin: Callable[..., Any], matches: mt.MetricSpec) -> None:
    toy = plugin(
        metrics=[matches], tokenizers=[mt.TokenizerSpec("gone", function="no_such_module:f")]
    )
    scorer = mt.metric("matches:tok=gone", registry=mt.load_registry([toy]))
    with pytest.raises(PluginError, match=r"^tokenizer 'gone' of \S+ \S+: ModuleNotFoundError"):
        scorer.sentence_score("a", ["a"])


# Names


def two_of(plugin: Callable[..., Any], matches: mt.MetricSpec) -> mt.Registry:
    return mt.load_registry(
        [
            plugin("zebra", metrics=[matches], tokenizers=[tokenizer("13a")]),
            plugin("apple", metrics=[matches]),
        ]
    )


def test_a_name_claimed_twice_is_an_error_that_names_both(
    plugin: Callable[..., Any], matches: mt.MetricSpec
) -> None:
    registry = two_of(plugin, matches)
    with pytest.raises(PluginError) as caught:
        mt.metric("matches:tok=none", registry=registry)
    assert str(caught.value) == (
        "metric 'matches' is registered more than once: "
        "choose mteval-apple/matches or mteval-zebra/matches"
    )


@pytest.mark.parametrize("name", ["mteval-zebra", "mteval_zebra", "MTEVAL.Zebra"])
def test_the_distribution_picks_one(
    plugin: Callable[..., Any], matches: mt.MetricSpec, name: str
) -> None:
    registry = two_of(plugin, matches)
    scorer = mt.metric(f"{name}/matches:tok=mteval-core/13a", registry=registry)
    signature = scorer.signature([["a"]])
    assert signature.fields["plugin"] == ("mteval-zebra@1.0",)
    assert signature.fields["tok"] == ("mteval-core/13a",)
    # The signature alone finds it again: it names the distribution, too.
    again = mt.metric(str(signature), registry=registry)
    assert again.signature([["a"]]) == signature


def test_the_default_set_has_all_metrics_of_a_name(
    plugin: Callable[..., Any], matches: mt.MetricSpec
) -> None:
    matches = replace(matches, in_default_set=True)
    registry = mt.load_registry(
        [
            plugin("zebra", metrics=[matches]),
            plugin("apple", metrics=[matches, replace(matches, name="other", label="O")]),
        ]
    )
    assert registry.default_metrics() == ["mteval-apple/matches", "mteval-zebra/matches", "other"]
    evaluation = mt.evaluate({"A": ["a"]}, [["a"]], registry=registry)
    assert list(evaluation.scorers) == registry.default_metrics()


def test_a_name_comes_before_a_label(plugin: Callable[..., Any], matches: mt.MetricSpec) -> None:
    registry = mt.load_registry(
        [
            plugin("one", metrics=[replace(matches, name="x", label="shared")]),
            plugin("two", metrics=[replace(matches, name="shared", label="y")]),
        ]
    )
    assert registry.find(mt.MetricSpec, "shared").plugin.name == "two"
    assert registry.find(mt.MetricSpec, "x").plugin.name == "one"
    assert registry.find(mt.MetricSpec, "y").plugin.name == "two"


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("matchs", "unknown metric 'matchs'. Did you mean 'matches'?"),
        ("zzz", "unknown metric 'zzz'. Known: matches."),
        ("mteval-toy/matchs", "unknown metric 'mteval-toy/matchs'. Did you mean 'matches'?"),
        ("mteval-core/matches", "unknown metric 'mteval-core/matches'. Did you mean 'matches'?"),
        ("matches:tok=13", "unknown tokenizer '13'. Did you mean '13a'?"),
        (
            "matches:tok=xyz",
            "unknown tokenizer 'xyz'. "
            "Known: 13a, char, intl, mteval-intl, mteval-intl-e, mteval-v13a, none, zh.",
        ),
        ("matches:case=xy", "unknown normalizer case 'xy'. Known: ascii, lc, mixed."),
        ("matches:stem=portr", "unknown normalizer stem 'portr'. Did you mean 'porter'?"),
        ("matches:stem=lc", "unknown normalizer stem 'lc'. Known: none, porter."),
    ],
)
def test_unknown_names_are_refused_with_near_ones(
    registry: mt.Registry, spec: str, message: str
) -> None:
    with pytest.raises(UnknownNameError) as caught:
        mt.metric(spec, registry=registry)
    assert str(caught.value) == message
    assert caught.value.exit_code == 2


# Blocking and order


@pytest.mark.parametrize("name", ["bad", "mteval-bad", "mteval_bad"])
def test_a_blocked_plugin_is_not_even_imported(
    plugin: Callable[..., Any], matches: mt.MetricSpec, name: str
) -> None:
    points = [plugin("bad", metrics=MISSING), plugin(metrics=[matches])]
    registry = mt.load_registry(points, blocked=[name], strict=True)
    assert [(p.name, p.status, p.error) for p in registry.plugins] == [
        ("host", "ok", ""),
        ("bad", "blocked", ""),
        ("toy", "ok", ""),
    ]
    with pytest.raises(PluginError, match=r"plugin 'bad' of mteval-bad 1\.0 is blocked$"):
        registry.find(mt.MetricSpec, "synonyms")


def test_the_order_is_sorted_whatever_the_file_system_says(
    plugin: Callable[..., Any], matches: mt.MetricSpec
) -> None:
    points = [
        plugin("b", point="y", metrics=[matches], tokenizers=[tokenizer("zz"), tokenizer("aa")]),
        plugin("c", point="a"),
        plugin("b", point="x", tokenizers=[tokenizer("mm")]),
        plugin("a", point="z", tokenizers=[tokenizer("mm")]),
    ]
    registries = [mt.load_registry(order) for order in (points, points[::-1])]
    for registry in registries:
        names = [(p.distribution, p.name) for p in registry.plugins]
        assert names == [
            ("mteval-core", "host"),
            ("mteval-a", "z"),
            ("mteval-b", "x"),
            ("mteval-b", "y"),
            ("mteval-c", "a"),
        ]
        toys = [
            (e.declaration.name, e.plugin.distribution)
            for e in registry.of_kind(mt.TokenizerSpec)
            if e.plugin.distribution != "mteval-core"
        ]
        assert toys == [
            ("aa", "mteval-b"),
            ("mm", "mteval-a"),
            ("mm", "mteval-b"),
            ("zz", "mteval-b"),
        ]
        plugins = {p.name: p for p in registry.plugins}
        assert registry.registered_by(plugins["y"]) == {
            "metrics": ["matches"],
            "tokenizers": ["aa", "zz"],
        }


def test_two_plugins_of_one_distribution_do_not_share_a_name(plugin: Callable[..., Any]) -> None:
    points = [
        plugin("b", point="x", tokenizers=[tokenizer("mm")]),
        plugin("b", point="y", tokenizers=[tokenizer("mm")]),
    ]
    _, first, second = mt.load_registry(points).plugins
    assert (first.status, second.status) == ("ok", "broken")
    assert second.error == "mteval_register_tokenizers returned 'mm' twice"


# Readers


def test_a_file_goes_to_the_reader_that_its_name_asks_for(plugin: Callable[..., Any]) -> None:
    reader = mt.ReaderSpec("tmx", patterns=("*.tmx",), function=lambda path: [path])
    registry = mt.load_registry([plugin(readers=[reader])])
    for path in ("dir/a.tmx", "dir/a.tmx.gz", "a.tmx.xz"):
        assert registry.reader(path).declaration is reader
        assert registry.reader(path).plugin.distribution == "mteval-toy"
    for path in ("a.txt", "tmx", "-", "a.tmx/b", "a.tmx.bz2"):
        assert registry.reader(path).declaration.name == "text"


def test_two_readers_of_one_pattern(plugin: Callable[..., Any]) -> None:
    points = [
        plugin(
            name, readers=[mt.ReaderSpec("tmx", patterns=("*.tmx",), function=lambda path: [path])]
        )
        for name in ("a", "b")
    ]
    with pytest.raises(PluginError) as caught:
        mt.load_registry(points).reader("a.tmx")
    assert str(caught.value) == (
        "a.tmx: mteval-a/tmx and mteval-b/tmx both read files of this name; "
        "block one with -p no:a or -p no:b"
    )


# The host itself


def test_all_that_the_host_declares_is_there() -> None:
    registry = mt.load_registry([])
    for kind in KINDS.values():
        for entry in registry.of_kind(kind.declaration):
            targets = [
                getattr(entry.declaration, name, None) for name in ("function", "batch", "lines")
            ]
            for target in filter(None, targets):
                assert callable(load(target)), entry


def test_the_host_has_the_catalogue_of_the_design() -> None:
    registry = mt.load_registry([])
    names = {
        plural: [entry.declaration.name for entry in registry.of_kind(kind.declaration)]
        for plural, kind in KINDS.items()
    }
    assert names["metrics"] == []
    assert names["tokenizers"] == sorted(
        ["none", "13a", "mteval-v13a", "mteval-intl", "mteval-intl-e", "intl", "char", "zh"]
    )
    assert names["normalizers"] == ["ascii", "lc", "porter"]
    assert {"text", "markdown", "json", "jsonl", "csv", "tsv"} <= set(names["formats"])
    assert names["readers"] == ["text"]


# Distributions that are really there


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A directory with three distributions: one good, one that fails on import, one misspelt."""
    sources = {
        "good": """
            import mteval_core

            @mteval_core.hookimpl
            def mteval_register_tokenizers():
                return [mteval_core.TokenizerSpec("commas", function=lambda text: text.split(","))]
            """,
        "failing": "import no_such_module_at_all",
        "misspelt": """
            import mteval_core

            @mteval_core.hookimpl
            def mteval_register_tokenizer():
                return []
            """,
    }
    for name, source in sources.items():
        (tmp_path / f"mteval_x_{name}.py").write_text(textwrap.dedent(source))
        info = tmp_path / f"mteval_x_{name}-0.{len(name)}.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(
            f"Metadata-Version: 2.1\nName: mteval-x-{name}\nVersion: 0.{len(name)}\n"
        )
        (info / "entry_points.txt").write_text(f"[mteval]\n{name} = mteval_x_{name}\n")
    return tmp_path


def in_process(site: Path, code: str, **env: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)],
        env={**os.environ, "PYTHONPATH": str(site), **env},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


LIST = """
    import mteval_core as mt
    try:
        for plugin in mt.default_registry().plugins:
            if "-x-" in plugin.distribution:
                print(plugin.distribution, plugin.version, plugin.status, plugin.error, sep="|")
    except mt.PluginError as error:
        print(error)
    """


def test_entry_points_are_discovered(site: Path) -> None:
    failing, good, misspelt = in_process(site, LIST).splitlines()
    assert failing == (
        "mteval-x-failing|0.7|broken|ModuleNotFoundError: No module named 'no_such_module_at_all'"
    )
    assert good == "mteval-x-good|0.4|ok|"
    assert misspelt.startswith(
        "mteval-x-misspelt|0.8|broken|there is no hook 'mteval_register_tokenizer'. "
        "Did you mean 'mteval_register_tokenizers'"
    )


def test_the_environment_blocks_and_is_strict(site: Path) -> None:
    blocked = in_process(site, LIST, MTEVAL_DISABLE_PLUGINS="failing, mteval-x-misspelt")
    assert blocked.splitlines() == [
        "mteval-x-failing|0.7|blocked|",
        "mteval-x-good|0.4|ok|",
        "mteval-x-misspelt|0.8|blocked|",
    ]
    assert in_process(site, LIST, MTEVAL_STRICT_PLUGINS="1") == (
        "plugin 'failing' of mteval-x-failing 0.7 is broken: "
        f"ModuleNotFoundError: No module named 'no_such_module_at_all' "
        f"({site}/mteval_x_failing.py:1)\n"
    )
    assert "|broken|" in in_process(site, LIST, MTEVAL_STRICT_PLUGINS="0")

"""Tokenizers with an option in brackets, options that are files, and tokenizers by language."""

from __future__ import annotations

import hashlib
import warnings
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mteval_testing import NORMALIZER_KIT, check_normalizer, check_tokenizer

import mteval_core as mt
from mteval_core import NormalizerSpec, Option, TokenizerSpec
from mteval_core.text.lookup import find_step, tokenizer_of_language

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from mteval_core.plugin.registry import Registry

HYPOTHESES, REFERENCES = ["a-b+c d"], [["a-b+x d"]]


def at(separator: str) -> Callable[[str], list[str]]:
    return lambda text: [token for token in text.split(separator) if token]


def at_marks_of(path: str) -> Callable[[str], list[str]]:
    with open(path, encoding="utf-8") as stream:  # noqa: PTH123
        return at(stream.read())


def without_library(text: str) -> list[str]:
    raise mt.PluginError(f"{text}: the library is not installed")


@dataclass(frozen=True)
class Listed:
    """Share of hypothesis tokens on a list in a file."""

    words: str

    def segment_statistics(self, hypothesis: list[str], _: list[list[str]]) -> list[float]:
        with open(self.words, encoding="utf-8") as stream:  # noqa: PTH123
            listed = stream.read().split()
        return [sum(token in listed for token in hypothesis), len(hypothesis)]

    def score(self, totals: Any) -> Any:
        return totals[..., :1] / totals[..., 1:]


LISTED = mt.MetricSpec(
    "listed",
    factory=Listed,
    values={"listed": 100},
    options=(Option("words", "", "a list of words", file=True),),
)

AT = TokenizerSpec(
    "at", function=at, option=Option("mark", "-"), label="at-1.0/x", help="at a mark"
)
MARKS = TokenizerSpec("marks", function=at_marks_of, option=Option("file", "", file=True))


@pytest.fixture(scope="module")
def house(plugin: Callable[..., Any], matches: mt.MetricSpec) -> Registry:
    return mt.load_registry([plugin(metrics=[matches, LISTED], tokenizers=[AT, MARKS])])


def scored(spec: str, house: Registry) -> tuple[float, str | None]:
    scorer = mt.metric(spec, registry=house)
    score = scorer.corpus_score(HYPOTHESES, REFERENCES).score
    return score, scorer.signature(REFERENCES).get("tok")


def test_the_value_in_brackets_configures_the_tokenizer(house: Registry) -> None:
    assert scored("matches:tok=at[-]", house) == (50, "at-1.0/x[-]")
    assert scored("matches:tok=at", house) == (50, "at-1.0/x[-]")
    assert scored(r"matches:tok=at[\+]", house) == (50, "at-1.0/x[+]")
    assert scored("matches:tok=at[ ]", house) == (50, "at-1.0/x[ ]")
    assert scored("matches:tok=at[b]", house) == (50, "at-1.0/x[b]")
    assert scored("matches:tok=mteval-toy/at[d]", house) == (0, "at-1.0/x[d]")


@pytest.mark.parametrize("spec", ["matches:tok=at[-]", r"matches:tok=at[\+]", "matches:tok=13a"])
def test_a_signature_finds_the_tokenizer_by_its_label(house: Registry, spec: str) -> None:
    signature = mt.metric(spec, registry=house).signature(REFERENCES)
    again = mt.metric(str(signature), registry=house)
    assert again.signature(REFERENCES) == signature
    assert again.setup.pipelines == mt.metric(spec, registry=house).setup.pipelines


def test_metrics_share_a_tokenizer_with_the_same_value(house: Registry) -> None:
    first, second, other = (
        mt.metric("matches", tok=f"at[{mark}]", registry=house).setup.pipelines["words"]
        for mark in "--+"
    )
    assert first == second
    assert hash(first) == hash(second)
    assert first != other


def test_brackets_need_an_option(house: Registry) -> None:
    with pytest.raises(mt.OptionError, match="'13a' takes no value"):
        mt.metric("matches:tok=13a[x]", registry=house)
    with pytest.raises(mt.UnknownNameError, match=r"unknown tokenizer 'on'"):
        mt.metric("matches:tok=on[x]", registry=house)


def test_the_contract_kit_takes_brackets(house: Registry) -> None:
    findings = check_tokenizer("at[-]", registry=house)
    assert {finding.check for finding in findings if finding.ok} >= {
        "batch_agrees",
        "repeats_itself",
    }
    assert [finding for finding in findings if not finding.ok] == []


@pytest.mark.parametrize(
    ("declared", "message"),
    [
        ({"name": "a[b]"}, r"its name is 'a\[b\]'; expected a name without brackets"),
        ({"option": "x"}, "its option is 'x'; expected an Option or None"),
        ({"option": Option("a b", "")}, "'a b': its key is 'a b'; expected letters, digits"),
        ({"label": 3}, "its label is 3"),
        ({"languages": "ja"}, "its languages is 'ja'; expected a tuple of strings"),
    ],
)
def test_fields_of_tokenizers_are_checked(
    plugin: Callable[..., Any], declared: dict[str, Any], message: str
) -> None:
    fields = {"name": "bad", "function": str.split, **declared}
    spec = TokenizerSpec(fields.pop("name"), **fields)
    (_, broken) = mt.load_registry([plugin(tokenizers=[spec])]).plugins
    with pytest.raises(mt.PluginError, match=message):
        raise broken.cause  # type: ignore[misc]


# Normalizers


def masked(mark: str) -> Callable[[str], str]:
    return lambda text: "".join(mark if letter in "xyz" else letter for letter in text)


def cut_to(length: int) -> Callable[[list[str]], list[str]]:
    return lambda tokens: [token[:length] for token in tokens]


MASK = NormalizerSpec("mask", key="hide", stage="text", function=masked, option=Option("mark", "#"))
PREFIX = NormalizerSpec(
    "prefix", key="stem", stage="token", batch=cut_to, option=Option("n", 3, minimum=1, maximum=9)
)
LETTERS, OTHERS = ["ax by"], [["a# b#"]]


@pytest.fixture(scope="module")
def maskers(plugin: Callable[..., Any], matches: mt.MetricSpec) -> Registry:
    return mt.load_registry([plugin(metrics=[matches], normalizers=[MASK, PREFIX])])


@pytest.mark.parametrize(
    ("spec", "score", "signed"),
    [
        ("matches:tok=none,hide=mask", 100, "hide:mask[#]|"),
        ("matches:tok=none,hide=mask[#]", 100, "hide:mask[#]|"),
        (r"matches:tok=none,hide=mask[\|]", 0, r"hide:mask[\|]|"),
        ("matches:tok=none,hide=mteval-toy/mask[#]", 100, "hide:mteval-toy/mask[#]|"),
        ("matches:tok=none,stem=prefix[1]", 100, "stem:prefix[1]|"),
        ("matches:tok=none,stem=prefix", 0, "stem:prefix[3]|"),
        ("matches:tok=none", 0, "|stem:none|"),
    ],
)
def test_the_value_in_brackets_configures_the_normalizer(
    maskers: Registry, spec: str, score: float, signed: str
) -> None:
    found = mt.metric(spec, registry=maskers).corpus_score(LETTERS, OTHERS)
    assert found.score == score
    assert signed in str(found.signature)
    again = mt.metric(str(found.signature), registry=maskers)
    assert again.corpus_score(LETTERS, OTHERS) == found
    assert again.setup.pipelines == mt.metric(spec, registry=maskers).setup.pipelines


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("matches:case=lc[x]", r"normalizer 'case=lc' takes no value: leave out \[x\]"),
        ("matches:stem=prefix[0]", "option n=0"),
        ("matches:hide=maks[#]", r"unknown normalizer hide 'maks'. Did you mean 'mask'\?"),
        ("matches:hide=none[#]", r"hide=none takes no value: leave out \[#\]"),
    ],
)
def test_values_of_normalizers_are_checked(maskers: Registry, spec: str, message: str) -> None:
    with pytest.raises(mt.UsageError, match=message):
        mt.metric(spec, registry=maskers)


@given(st.text("amsk[]#+1@", max_size=8))
def test_any_name_is_found_or_refused(maskers: Registry, text: str) -> None:
    for key, name in (("hide", text), ("hide", f"mask[{text}]"), ("stem", f"prefix[{text}]")):
        try:
            found, signed = find_step(key, name, maskers)
        except mt.UsageError:
            continue
        assert len(found) == 1
        assert find_step(key, signed, maskers) == (found, signed)


def test_an_old_signature_finds_a_normalizer_with_a_value(
    plugin: Callable[..., Any], matches: mt.MetricSpec
) -> None:
    points = [plugin("one", metrics=[matches]), plugin("two", normalizers=[MASK])]
    spec = "matches:tok=none,hide=mask[x]"
    scorer = mt.metric(spec, registry=mt.load_registry(points))
    score = scorer.corpus_score(LETTERS, OTHERS)
    assert [plugin.distribution for plugin in scorer.setup.plugins] == ["mteval-one", "mteval-two"]
    later = mt.load_registry([*points, plugin("zebra", normalizers=[MASK])])
    again = mt.metric(str(score.signature), registry=later)
    assert again.corpus_score(LETTERS, OTHERS).values == score.values
    with pytest.raises(mt.PluginError, match="choose mteval-two/mask or mteval-zebra/mask"):
        mt.metric(spec, registry=later)


def test_the_contract_kit_takes_the_value_of_a_normalizer(maskers: Registry) -> None:
    for key, name in (("hide", "mask[?]"), ("stem", "prefix")):
        findings = check_normalizer(key, name, registry=maskers)
        assert [finding.check for finding in findings if not finding.ok] == []
        assert findings
    for entry in maskers.of_kind(NormalizerSpec):
        assert [f.message for f in NORMALIZER_KIT.run(entry, maskers) if not f.ok] == []


# Files


def test_a_file_is_signed_by_its_name_and_hash(house: Registry, tmp_path: Path) -> None:
    path = tmp_path / "marks.txt"
    path.write_text("-", "utf-8")
    digest = hashlib.sha256(b"-").hexdigest()[:12]
    assert scored(f"matches:tok=marks[{path}]", house) == (50, f"marks[marks.txt@{digest}]")
    assert scored(f"matches:tok=marks[{path}@{digest}]", house)[1] == f"marks[marks.txt@{digest}]"
    path.write_text("d", "utf-8")
    assert scored(f"matches:tok=marks[{path}]", house)[0] == 0
    with pytest.raises(mt.InputError, match=f"its hash is .{{12}}, but .* made with {digest}"):
        scored(f"matches:tok=marks[{path}@{digest}]", house)


def test_a_signature_is_replayed_where_the_file_is(
    house: Registry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "marks+1.txt").write_text("-", "utf-8")
    monkeypatch.chdir(tmp_path)
    scorer = mt.metric("matches", tok="marks[marks+1.txt]", registry=house)
    signature = str(scorer.signature(REFERENCES))
    again = mt.metric(signature, registry=house)
    assert str(again.signature(REFERENCES)) == signature
    (tmp_path / "marks+1.txt").unlink()
    with pytest.raises(mt.InputError, match=r"no such file; .* is signed marks\+1.txt@"):
        mt.metric(signature, registry=house)
    (tmp_path / "elsewhere").write_text("-", "utf-8")
    with Option.moved_files({"marks+1.txt": "elsewhere"}):
        moved = mt.metric(signature, registry=house)
    assert moved.corpus_score(HYPOTHESES, REFERENCES).score == 50
    with pytest.raises(mt.InputError, match="no such file"):
        mt.metric(signature, registry=house)


def test_an_option_of_a_metric_can_be_a_file(house: Registry, tmp_path: Path) -> None:
    path = tmp_path / "words"
    path.write_text("d e", "utf-8")
    scorer = mt.metric("listed", tok="none", words=str(path), registry=house)
    assert scorer.corpus_score(HYPOTHESES, REFERENCES).score == 50
    digest = hashlib.sha256(b"d e").hexdigest()[:12]
    assert scorer.signature(REFERENCES).get("words") == f"words@{digest}"
    assert LISTED.options[0].expected() == "a file"
    for wrong in (tmp_path, tmp_path / "absent", "a\0b"):
        with pytest.raises(mt.InputError, match=r"(Is a directory|no such file|null)"):
            LISTED.options[0].parse((str(wrong),))


def test_an_option_of_a_metric_can_be_left_without_a_file(
    plugin: Callable[..., Any], house: Registry, tmp_path: Path
) -> None:
    signature = mt.metric("listed", registry=house).signature(REFERENCES)
    assert signature.get("words") == ""
    assert mt.metric(str(signature), registry=house).setup.options == {"words": ""}
    with pytest.raises(mt.OptionError, match=r"tokenizer 'marks\[FILE\]' needs a file in brackets"):
        mt.metric("matches:tok=marks", registry=house)
    # A default that is a file is read like any other, but not before the metric is used.
    path = tmp_path / "words"
    option = Option("words", str(path), file=True)
    lists = mt.load_registry([plugin(metrics=[replace(LISTED, options=(option,))])])
    assert option.details()["default"] == str(path)
    with pytest.raises(mt.InputError, match="no such file"):
        mt.metric("listed", registry=lists)
    path.write_text("d", "utf-8")
    assert str(mt.metric("listed", registry=lists).signature().get("words"))[:6] == "words@"


def test_a_moved_file_is_found_before_its_type_looks_for_it(
    plugin: Callable[..., Any], tmp_path: Path
) -> None:
    def model(name: str) -> str:
        path = tmp_path / name
        if not path.exists():
            raise mt.PluginError(f"{name} is not installed")
        return str(path)

    option = Option("words", "small", file=True, type=model)
    lists = mt.load_registry([plugin(metrics=[replace(LISTED, options=(option,))])])
    (tmp_path / "small").write_text("d", "utf-8")
    signature = str(mt.metric("listed", registry=lists).signature())
    (tmp_path / "small").rename(tmp_path / "moved")
    with pytest.raises(mt.PluginError, match="small is not installed"):
        mt.metric(signature, registry=lists)
    with Option.moved_files({"small": str(tmp_path / "moved")}):
        again = mt.metric(signature, registry=lists)
        assert again.setup.options == {"words": str(tmp_path / "moved")}
        assert str(again.signature()) == signature


# Languages


def pretended(plugin: Callable[..., Any], **functions: Callable[[str], list[str]]) -> Registry:
    return mt.load_registry(
        [
            plugin(name, tokenizers=[TokenizerSpec(name, function=f, languages=("ja", "xx"))])
            for name, f in functions.items()
        ]
    )


@pytest.mark.parametrize(
    ("language", "name"),
    [
        ("zh", "zh"),
        ("zh-TW", "zh"),
        ("zho_Hans", "zh"),
        ("ZH", "zh"),
        ("km", "char"),
        ("ja", "char"),
        ("ko", "char"),
        ("th", "char"),
        ("de", None),
        ("ar", None),
        ("xyz", None),
    ],
)
def test_the_host_knows_languages_without_spaces(language: str, name: str | None) -> None:
    assert tokenizer_of_language(language, mt.load_registry([])) == name


def test_a_tokenizer_of_a_plugin_takes_precedence(plugin: Callable[..., Any]) -> None:
    house = pretended(plugin, words=str.split)
    assert [tokenizer_of_language(code, house) for code in ("ja-JP", "xx", "ko")] == [
        "words",
        "words",
        "char",
    ]


def test_a_tokenizer_that_cannot_be_used_is_replaced_with_a_warning(
    plugin: Callable[..., Any],
) -> None:
    house = pretended(plugin, words=without_library)
    with pytest.warns(mt.MtevalWarning, match=r"uses the tokenizer char: .* not installed") as seen:
        assert tokenizer_of_language("ja", house) == "char"
    assert [getattr(each.message, "code", "") for each in seen] == ["language-tokenizer"]
    with warnings.catch_warnings(), pytest.raises(mt.PluginError, match="not installed"):
        tokenizer_of_language("xx", house)


def test_two_tokenizers_of_a_language_are_ambiguous(plugin: Callable[..., Any]) -> None:
    house = pretended(plugin, one=str.split, two=str.split)
    with pytest.raises(mt.PluginError, match="choose mteval-one/one or mteval-two/two"):
        tokenizer_of_language("ja", house)


@pytest.mark.parametrize("language", ["", "j", "japanese", "日本", "j4", "-ja", "en ja", "xx"])
def test_a_language_is_a_code(language: str) -> None:
    with pytest.raises(mt.UsageError, match="expected the code of a language"):
        tokenizer_of_language(language, mt.load_registry([]))


@pytest.mark.parametrize(("country", "language"), [("jp", "ja"), ("CN", "zh"), ("kr-KR", "ko")])
def test_the_code_of_a_country_is_answered(country: str, language: str) -> None:
    with pytest.raises(mt.UsageError, match=f"Did you mean '{language}'"):
        tokenizer_of_language(country, mt.load_registry([]))


def test_a_tokenizer_without_an_option_stays_the_declared_one(house: Registry) -> None:
    (entry,), signed = find_step("tok", "13a", house)
    assert (entry, signed) == (house.find(TokenizerSpec, "13a"), "13a")

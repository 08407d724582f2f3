"""Signatures are read and written without loss, and say what a score needs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import mteval_core as mt
from mteval_core import Signature, TestSet, Text, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

texts = st.text(st.sampled_from("ab,=|:+\\/[] \n\u2028é") | st.characters(), max_size=6)
words = texts.filter(bool)
items = st.lists(texts, min_size=1, max_size=3).map(tuple)
signatures = st.builds(
    Signature,
    words,
    st.dictionaries(words | st.just("plugin"), items, min_size=1, max_size=4),
)


@given(signatures)
@example(Signature("A", {"key": (" = 12.3",), "plugin": ("a@1", "b,c@2")}))
@example(Signature("A ", {" key": ("value ",)}))
@example(Signature("A", {"of": (r"[B|k:a\|b = c]", "[C"), "plugin": ("]", "[D,")}))
def test_what_is_written_is_read_back(signature: Signature) -> None:
    assert Signature.parse(str(signature)) == signature
    assert Signature.parse(f"{signature} = 27.14 (BP = 1.0)") == signature


@given(texts)
def test_any_text_is_a_signature_or_a_usage_error(text: str) -> None:
    try:
        signature = Signature.parse(text)
    except UsageError:
        return
    assert Signature.parse(str(signature)) == signature


def test_reads_items_and_distributions() -> None:
    signature = Signature.parse("X|modules:exact+stem|plugin:mteval-a@1.0,mteval-b@2+local")
    assert signature.fields["modules"] == ("exact", "stem")
    assert signature.fields["plugin"] == ("mteval-a@1.0", "mteval-b@2+local")
    assert signature.get("modules") == "exact+stem"
    assert signature.get("plugin") == "mteval-a@1.0,mteval-b@2+local"
    assert signature.get("refs") is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("BLEU", "'BLEU' is not a signature; expected NAME|KEY:VALUE|..."),
        ("|a:b", "'|a:b' is not a signature; expected NAME|KEY:VALUE|..."),
        ("BLEU|case", "in the signature 'BLEU|case': expected KEY:VALUE, got 'case'"),
        ("BLEU|:mixed", "in the signature 'BLEU|:mixed': expected KEY:VALUE, got ':mixed'"),
        ("BLEU|a:1|a:2", "in the signature 'BLEU|a:1|a:2': the key 'a' is given twice"),
    ],
)
def test_refuses(text: str, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        Signature.parse(text)
    assert str(caught.value) == message


# The order of fields


@pytest.fixture
def rich(plugin: Callable[..., Any], matches: mt.MetricSpec) -> mt.Registry:
    """Load a metric with options around ``tok``, a normalizer with a key of its own, a stemmer."""
    metric = mt.MetricSpec(
        "rich",
        factory=lambda **_: matches.factory(),  # type: ignore[operator]
        help="",
        values={"P": 100, "length": 1},
        options=(
            mt.Option("last", default=False),
            mt.Option("case", "lc"),
            mt.Option("tok", "none"),
            mt.Option("first", ("a", "b")),
            mt.Option("real", 0.25),
        ),
    )
    nfc = mt.NormalizerSpec("nfc", key="unicode", stage="text", function=str)
    return mt.load_registry(
        [
            plugin("rich", metrics=[metric]),
            plugin("forms", version="2.1", normalizers=[nfc]),
        ]
    )


def test_fields_stand_in_the_order_of_the_design(rich: mt.Registry) -> None:
    score = mt.metric("rich", registry=rich).corpus_score(["a"], [["a"]])
    assert str(score.signature) == (
        "rich|nrefs:1|case:lc|last:no|tok:none|first:a+b|real:0.25|stem:none"
        f"|refs:{TestSet((Text.of(['a']),)).hash}"
        f"|plugin:mteval-rich@1.0|version:{mt.__version__}"
    )


def test_a_normalizer_that_is_used_is_in_the_signature_with_its_distribution(
    rich: mt.Registry,
) -> None:
    scorer = mt.metric("rich:unicode=nfc,stem=porter", registry=rich)
    assert str(scorer.signature()) == (
        "rich|case:lc|unicode:nfc|last:no|tok:none|first:a+b|real:0.25|stem:porter"
        f"|plugin:mteval-forms@2.1,mteval-rich@1.0|version:{mt.__version__}"
    )


def test_without_a_tok_of_its_own_a_metric_has_it_behind_case(registry: mt.Registry) -> None:
    keys = list(mt.metric("matches", registry=registry).signature([["a"]]).fields)
    assert keys == ["nrefs", "case", "tok", "bonus", "stem", "refs", "plugin", "version"]


def test_uneven_references_are_var(registry: mt.Registry) -> None:
    signature = mt.metric("matches", registry=registry).signature([["a", "b"], ["c", None]])
    assert signature.fields["nrefs"] == ("var",)


def test_a_signature_is_a_spec(rich: mt.Registry) -> None:
    scorer = mt.metric("rich:first=x\\+y+z,real=0.1,last=yes,case=mixed", registry=rich)
    again = mt.metric(str(scorer.signature([["a"]])), registry=rich)
    assert again.setup.fields == scorer.setup.fields
    assert again.setup.options == {"last": True, "first": ("x+y", "z"), "real": 0.1}


# What sacreBLEU prints


@pytest.mark.parametrize(
    ("spec", "arguments"),
    [
        ("bleu", {}),
        ("bleu:tok=intl", {"tokenize": "intl"}),
        ("bleu:case=lc,smooth=floor", {"lowercase": True, "smooth_method": "floor"}),
        (
            "bleu:eff=yes,smooth=add-k[0.5]",
            {"effective_order": True, "smooth_method": "add-k", "smooth_value": 0.5},
        ),
    ],
)
@pytest.mark.parametrize(
    "references", [[["a", "b"]], [["a", "b"], ["c", "d"]], [["a", "b"], ["c", None]]]
)
def test_bleu_begins_as_sacrebleu_writes_it(
    spec: str, arguments: dict[str, object], references: list[list[str | None]]
) -> None:
    sacrebleu = pytest.importorskip("sacrebleu.metrics")
    pytest.importorskip("mteval_bleu_nist")
    theirs = sacrebleu.BLEU(**arguments)
    theirs.corpus_score(["a", "b"], references)
    ours = str(mt.metric(spec).signature(references))
    leading, _, version = theirs.get_signature().format().rpartition("|")
    assert version.startswith("version:")
    assert ours.startswith(f"BLEU|{leading}|")

"""Specs are read and written without loss, whatever their parts hold."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mteval_core import Spec, UsageError

# The characters that the grammar uses, white space, and any other: what breaks a sloppy grammar.
texts = st.text(st.sampled_from("ab,=|:+\\/[] \n\t\u2028é") | st.characters(), max_size=6)
words = texts.filter(bool)
specs = st.builds(
    Spec,
    words,
    st.dictionaries(words, st.lists(texts, min_size=1, max_size=3).map(tuple), max_size=3),
    st.none() | words,
)


@given(specs)
@example(Spec("a/b", {"k": (" ",)}, "c/d"))
@example(Spec("name", {"key": ("\\",)}))
@example(Spec("name", {"key": ("", "")}))
@example(Spec("[a/b]", {"[k=": ("[a", "b]", r"[\,]", "[[]", "[a]b[c]", "][")}, "[d]"))
def test_what_is_written_is_read_back(spec: Spec) -> None:
    assert Spec.parse(str(spec)) == spec


@given(texts)
def test_any_text_is_a_spec_or_a_usage_error(text: str) -> None:
    try:
        spec = Spec.parse(text)
    except UsageError as error:
        assert repr(text) in str(error)  # noqa: PT017 - both ends are allowed
    else:
        assert Spec.parse(str(spec)) == spec


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("bleu", Spec("bleu")),
        ("bleu:", Spec("bleu")),
        (
            "bleu:order=12,smooth=floor[0.1]",
            Spec("bleu", {"order": ("12",), "smooth": ("floor[0.1]",)}),
        ),
        ("rouge-s:skip=4", Spec("rouge-s", {"skip": ("4",)})),
        ("meteor:modules=exact+stem", Spec("meteor", {"modules": ("exact", "stem")})),
        ("mteval-gtm/gtm:e=2", Spec("gtm", {"e": ("2",)}, "mteval-gtm")),
        (r"x:words=a\+b+c\,d\=e\:f\|g\\h", Spec("x", {"words": ("a+b", r"c,d=e:f|g\h")})),
        ("x:file=dir/words.txt", Spec("x", {"file": ("dir/words.txt",)})),
        ("x:key=", Spec("x", {"key": ("",)})),
        ("x:key=a=b", Spec("x", {"key": ("a=b",)})),
        (
            "mean:of=[bleu:order=2,smooth=floor[0.1]]+[chrf],by=[x|a:b+c=d|plugin:e]",
            Spec(
                "mean",
                {
                    "of": ("[bleu:order=2,smooth=floor[0.1]]", "[chrf]"),
                    "by": ("[x|a:b+c=d|plugin:e]",),
                },
            ),
        ),
        (r"mean:of=[m:of=[x:k=a\,b]+[y]]", Spec("mean", {"of": (r"[m:of=[x:k=a\,b]+[y]]",)})),
        (r"x:key=[a+b,c=]d", Spec("x", {"key": ("[a", "b"), "c": ("]d",)})),
    ],
)
def test_reads(text: str, expected: Spec) -> None:
    assert Spec.parse(text) == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "",
            "'' is not a spec; expected NAME, NAME:KEY=VALUE,... or DISTRIBUTION/NAME",
        ),
        (
            "/bleu",
            "'/bleu' is not a spec; expected NAME, NAME:KEY=VALUE,... or DISTRIBUTION/NAME",
        ),
        (
            ":order=4",
            "':order=4' is not a spec; expected NAME, NAME:KEY=VALUE,... or DISTRIBUTION/NAME",
        ),
        ("bleu:order", "in 'bleu:order': expected KEY=VALUE, got 'order'; spaces separate specs"),
        ("bleu:=4", "in 'bleu:=4': expected KEY=VALUE, got '=4'; spaces separate specs"),
        ("bleu:order=4,", "in 'bleu:order=4,': expected KEY=VALUE, got ''; spaces separate specs"),
        ("bleu:n=1,n=2", "in 'bleu:n=1,n=2': the option 'n' is given twice"),
    ],
)
def test_refuses(text: str, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        Spec.parse(text)
    assert str(caught.value) == message


def test_writes_the_shortest_form() -> None:
    assert str(Spec("bleu")) == "bleu"
    assert str(Spec("gtm", {"e": ("2",)}, "mteval-gtm")) == "mteval-gtm/gtm:e=2"
    assert str(Spec("x", {"k": ("a,b", "c")})) == r"x:k=a\,b+c"

"""Code written for sacreBLEU gets the same numbers after its import is changed."""

from __future__ import annotations

import inspect
from copy import copy
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mteval_adapters import sacrebleu as ours

import mteval_core as mt

if TYPE_CHECKING:
    from collections.abc import Callable

theirs = pytest.importorskip("sacrebleu", minversion="2.6")
for plugin in ("mteval_bleu_nist", "mteval_chrf", "mteval_error_rates"):
    pytest.importorskip(plugin)

pytestmark = pytest.mark.filterwarnings("ignore:invalid escape sequence")

# The texts of the examples in sacreBLEU's documentation.
REFS = [
    ["The dog bit the man.", "It was not unexpected.", "The man bit him first."],
    ["The dog had bit the man.", "No one was surprised.", "The man had bitten the dog."],
]
SYS = ["The dog bit the man.", "It wasn't surprising.", "The man had just bitten him."]

MINI = Path(__file__).parents[3] / "examples" / "mini"


def lines_of(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


def same(one: Any, other: Any) -> None:
    """Compare all attributes and all printed forms."""
    assert type(one).__name__ == type(other).__name__
    assert vars(one).keys() == vars(other).keys()
    for attribute, expected in vars(other).items():
        if isinstance(expected, list):
            assert [*map(type, getattr(one, attribute))] == [*map(type, expected)], attribute
        if not isinstance(expected, str):
            # sacreBLEU resamples in single precision, whose step below 128 is 8e-6.
            tolerance = 8e-6 if attribute in ("_mean", "_ci") else 1e-9
            expected = pytest.approx(expected, rel=1e-9, abs=tolerance)
        assert getattr(one, attribute) == expected, attribute
    # Numbers that are this close can still round to different last digits.
    other = copy(other)
    vars(other).update(vars(one))
    assert (str(one), repr(one)) == (str(other), repr(other))
    for arguments in (
        {"width": 4, "score_only": True},
        {"signature": "tok:13a|version:2.6.0"},
        {"signature": "tok:13a|version:2.6.0", "is_json": True, "width": 3},
    ):
        assert one.format(**arguments) == other.format(**arguments)


def same_signature(one: Any, other: Any) -> None:
    """Ours continues after theirs; what sacreBLEU calls tercom is our tokenizer none."""
    for short in (False, True):
        *fields, version = other.format(short=short).replace("tercom", "none").split("|")
        key, _, own_version = one.format(short=short).rpartition("|")[2].partition(":")
        assert one.format(short=short).split("|")[: len(fields)] == fields
        assert (key, own_version) == (version.partition(":")[0], mt.__version__)
    assert (str(one), repr(one)) == (one.format(),) * 2
    assert one.info["nrefs"] == str(other.info["nrefs"])


# What sacreBLEU documents


@pytest.mark.parametrize("module", [theirs, ours, theirs.metrics, ours.metrics], ids=str)
def test_the_documented_numbers(module: Any) -> None:
    """The numbers in sacreBLEU's README."""
    bleu, chrf = module.BLEU(), module.CHRF()
    assert str(bleu.corpus_score(SYS, REFS)) == (
        "BLEU = 48.53 82.4/50.0/45.5/37.5 (BP = 0.943 ratio = 0.944 hyp_len = 17 ref_len = 18)"
    )
    assert str(bleu.get_signature()).startswith("nrefs:2|case:mixed|eff:no|tok:13a|smooth:exp|")
    assert str(chrf.corpus_score(SYS, REFS)) == "chrF2 = 59.73"
    for nothing in ("", None):
        references = [[nothing, *REFS[0][1:]], REFS[1]]
        assert str(bleu.corpus_score(SYS, references)) == (
            "BLEU = 29.44 82.4/42.9/27.3/12.5 (BP = 0.889 ratio = 0.895 hyp_len = 17 ref_len = 19)"
        )
    assert str(bleu.get_signature()).startswith("nrefs:var|case:mixed|eff:no|tok:13a|smooth:exp|")


CORPORA = {
    "documented": (SYS, REFS),
    "one missing": (SYS, [[None, *REFS[0][1:]], REFS[1]]),
    "one empty": (SYS, [["", *REFS[0][1:]], REFS[1]]),
    "white space": (SYS, [[" \t", *REFS[0][1:]], REFS[1]]),
    "all empty": (SYS, [["", *stream[1:]] for stream in REFS]),
    "an empty hypothesis": (["", *SYS[1:]], REFS),
    "nothing but empty hypotheses": ([""] * 3, REFS),
    "tuples": (tuple(SYS), tuple(map(tuple, REFS))),
}

METRICS: list[tuple[str, dict[str, Any]]] = [
    ("BLEU", {}),
    ("BLEU", {"lowercase": True, "max_ngram_order": 2}),
    ("BLEU", {"smooth_method": "floor", "smooth_value": 0.25, "force": True}),
    ("BLEU", {"smooth_method": "add-k", "max_ngram_order": 6}),
    ("BLEU", {"effective_order": True, "tokenize": "intl"}),
    ("BLEU", {"trg_lang": "zh", "smooth_method": "none"}),
    ("CHRF", {}),
    ("CHRF", {"word_order": 2, "lowercase": True}),
    ("CHRF", {"char_order": 4, "beta": 3, "whitespace": True}),
    ("CHRF", {"eps_smoothing": True, "beta": 0.5}),
    ("TER", {}),
    ("TER", {"normalized": True, "no_punct": True}),
    ("TER", {"case_sensitive": True, "asian_support": True}),
]
EVERY_METRIC = pytest.mark.parametrize(("name", "arguments"), METRICS, ids=str)


@EVERY_METRIC
@pytest.mark.parametrize("corpus", CORPORA)
def test_corpora(name: str, arguments: dict[str, Any], corpus: str) -> None:
    mine, other = (getattr(module, name)(**arguments) for module in (ours, theirs))
    hypotheses, references = CORPORA[corpus]
    same(mine.corpus_score(hypotheses, references), other.corpus_score(hypotheses, references))
    if "smooth_method" not in arguments:  # whose value it rounds
        same_signature(mine.get_signature(), other.get_signature())


@EVERY_METRIC
def test_segments_and_intervals(name: str, arguments: dict[str, Any]) -> None:
    """Also with references given to the constructor, the same or different ones."""
    texts = [MINI / "ref0.txt", MINI / "ref1.txt", MINI / "systems" / "phrase.txt"]
    *references, system = [lines_of(path)[:40] for path in texts]
    mine, other = (
        getattr(module, name)(**arguments, references=references) for module in (ours, theirs)
    )
    same(*(m.corpus_score(system, None, n_bootstrap=100) for m in (mine, other)))
    if "smooth_method" not in arguments:
        assert "|bs:100|seed:12345|" in str(other.get_signature())
        same_signature(mine.get_signature(), other.get_signature())
    same(*(m.corpus_score(system, references[1:]) for m in (mine, other)))
    for segment in (REFS[0], [None, REFS[0][1]], ["", REFS[0][1]], [""]):
        same(*(m.sentence_score(SYS[1], segment) for m in (mine, other)))


def test_the_environment_sets_the_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    default = ours.TER().corpus_score(SYS, REFS, n_bootstrap=50)
    monkeypatch.setenv("SACREBLEU_SEED", "7")
    mine, other = ours.TER(), theirs.TER()
    again = mine.corpus_score(SYS, REFS, n_bootstrap=50)
    same(again, other.corpus_score(SYS, REFS, n_bootstrap=50))
    assert str(again) != str(default)
    same_signature(mine.get_signature(), other.get_signature())


def test_precisions_are_rounded_as_in_sacrebleu() -> None:
    """49 of 80 are 61.25 per cent, which is printed as 61.2."""
    words = [f"w{k}" for k in range(80)]
    hypothesis, reference = (" ".join(words[:49] + [f"{x}{k}" for k in range(31)]) for x in "xy")
    mine, other = (m.BLEU(max_ngram_order=1) for m in (ours, theirs))
    same(*(m.corpus_score([hypothesis], [[reference]]) for m in (mine, other)))
    assert " 61.2 " in str(mine.corpus_score([hypothesis], [[reference]]))


def test_functions_have_the_import_path_of_sacrebleu() -> None:
    from mteval_adapters.sacrebleu import compat
    from sacrebleu import compat as other

    functions = {name for name, value in vars(other).items() if inspect.isfunction(value)}
    assert set(compat.__all__) == functions
    for name in functions:
        assert getattr(compat, name) is getattr(ours, name)
        mine, theirs_ = (inspect.signature(getattr(m, name)) for m in (compat, other))
        assert list(mine.parameters) == list(theirs_.parameters), name


FUNCTIONS: dict[str, list[dict[str, Any]]] = {
    "corpus_bleu": [
        {},
        {"smooth_method": "floor", "smooth_value": 0.2, "lowercase": True, "tokenize": "none"},
        {"use_effective_order": True, "force": True},
    ],
    "raw_corpus_bleu": [{}, {"smooth_value": 0.5}, {"smooth_value": None}],
    "sentence_bleu": [
        {},
        {"smooth_method": "add-k", "smooth_value": 2, "lowercase": True, "tokenize": "intl"},
        {"use_effective_order": False},
    ],
    "corpus_chrf": [
        {},
        {"char_order": 4, "word_order": 1, "beta": 3},
        {"remove_whitespace": False, "eps_smoothing": True},
    ],
    "corpus_ter": [
        {},
        {"normalized": True, "no_punct": True},
        {"asian_support": True, "case_sensitive": True},
    ],
}
FUNCTIONS["sentence_chrf"] = FUNCTIONS["corpus_chrf"]
FUNCTIONS["sentence_ter"] = FUNCTIONS["corpus_ter"]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions(name: str) -> None:
    segments = [("a b", ["a b"]), *((s, list(r)) for s, *r in zip(SYS, *REFS, strict=True))]
    corpora = [(SYS, REFS), (SYS, [[None, *REFS[0][1:]], REFS[1]]), (["a b"], [["a b"]])]
    for texts in segments if name.startswith("sentence") else corpora:
        for arguments in FUNCTIONS[name]:
            same(*(getattr(module, name)(*texts, **arguments) for module in (ours, theirs)))


@pytest.mark.parametrize(
    "name",
    [
        *FUNCTIONS,
        *(
            f"{metric}{method}"
            for metric in ("BLEU", "CHRF", "TER")
            for method in ("", ".corpus_score", ".sentence_score", ".get_signature")
        ),
        *(
            f"metrics.{score}{method}"
            for score in ("BLEUScore", "CHRFScore", "TERScore")
            for method in ("", ".format")
        ),
    ],
)
def test_arguments(name: str) -> None:
    """Names, order, defaults and kinds of the parameters."""
    found = []
    for module in (ours, theirs):
        called: Any = module
        for part in name.split("."):
            called = getattr(called, part)
        parameters = inspect.signature(called).parameters.values()
        found.append([(p.name, p.kind, p.default) for p in parameters])
    assert found[0] == found[1]


# Any options on any text of the example

SWITCH = st.booleans()


@st.composite
def corpora(draw: st.DrawFn, n_words: int) -> tuple[list[str], list[list[str | None]]]:
    """Beginnings of segments of the example."""
    chosen = draw(st.lists(st.integers(0, 119), min_size=1, max_size=4))
    names = draw(st.lists(st.sampled_from("0123"), min_size=1, max_size=3))
    system = lines_of(MINI / "systems" / f"{draw(st.sampled_from(['deep', 'phrase', 'rule']))}.txt")
    hypotheses = [" ".join(system[i].split()[: draw(st.integers(1, n_words))]) for i in chosen]
    streams: list[list[str | None]] = []
    for name in names:
        lines = [" ".join(lines_of(MINI / f"ref{name}.txt")[i].split()[:n_words]) for i in chosen]
        streams.append([line if not streams or draw(SWITCH) else None for line in lines])
    return hypotheses, streams


ARGUMENTS: dict[str, st.SearchStrategy[dict[str, Any]]] = {
    "BLEU": st.fixed_dictionaries(
        {},
        optional={
            "lowercase": SWITCH,
            "tokenize": st.sampled_from([None, "none", "13a", "intl", "char", "zh"]),
            "smooth_method": st.sampled_from(["none", "floor", "add-k", "exp"]),
            "smooth_value": st.none() | st.sampled_from([0.01, 0.1, 0.5, 1]),
            "max_ngram_order": st.integers(1, 8),
            "effective_order": SWITCH,
            "trg_lang": st.sampled_from(["", "de", "zh"]),
        },
    ),
    "CHRF": st.fixed_dictionaries(
        {},
        optional={
            "char_order": st.integers(1, 8),
            "word_order": st.integers(0, 3),
            "beta": st.integers(0, 4),
            "lowercase": SWITCH,
            "whitespace": SWITCH,
            "eps_smoothing": SWITCH,
        },
    ),
    "TER": st.fixed_dictionaries(
        {},
        optional=dict.fromkeys(
            ("normalized", "no_punct", "asian_support", "case_sensitive"), SWITCH
        ),
    ),
}


@pytest.mark.parametrize("name", ARGUMENTS)
@given(data=st.data())
def test_any_arguments(name: str, data: st.DataObject) -> None:
    hypotheses, streams = data.draw(corpora(16))
    arguments = data.draw(ARGUMENTS[name])
    mine, other = (getattr(module, name)(**arguments) for module in (ours, theirs))
    same(*(m.corpus_score(hypotheses, streams) for m in (mine, other)))
    segment = [stream[0] for stream in streams]
    same(*(m.sentence_score(hypotheses[0], segment) for m in (mine, other)))


# What mteval adds


@EVERY_METRIC
def test_a_signature_replays(name: str, arguments: dict[str, Any]) -> None:
    """With the name of the score before it, and in its short form."""
    mine = getattr(ours, name)(**arguments)
    score = mine.corpus_score(SYS, REFS, n_bootstrap=10)
    for short in (False, True):
        line = score.format(signature=mine.get_signature().format(short))
        signature = line.partition(" = ")[0]
        assert mt.metric(signature).corpus_score(SYS, REFS).score == score.score


def test_a_signature_knows_the_references_of_the_constructor() -> None:
    assert ours.BLEU(references=REFS).get_signature().info["nrefs"] == "2"
    assert "nrefs" not in ours.BLEU().get_signature().info


@pytest.mark.parametrize(
    ("score", "message"),
    [
        (lambda: ours.BLEU().corpus_score(["a"], None), "no references"),
        (lambda: ours.BLEU().corpus_score(SYS, REFS[0]), "expected one string per segment"),
        (lambda: ours.BLEU().corpus_score(SYS, [*zip(*REFS, strict=True)]), "transposed?"),
        (lambda: ours.BLEU().corpus_score(SYS, [REFS[0], REFS[1][:2]]), "of uneven length"),
        (lambda: ours.BLEU().corpus_score([None], [["a"]]), "segment 0 is missing"),
        (lambda: ours.BLEU().sentence_score("a", "b"), "got 'b'"),
        (lambda: ours.BLEU().sentence_score(["a"], ["b"]), "got list"),
        (lambda: ours.BLEU(tokenize="words"), "unknown tokenizer 'words'"),
        (lambda: ours.BLEU(tokenize=""), "unknown tokenizer ''"),
        (lambda: ours.BLEU(smooth_method="floor", smooth_value=0), "expected .* 0 < x"),
        (lambda: ours.BLEU(max_ngram_order=0), "from 1 to 100"),
        (
            lambda: ours.CHRF(char_order=0, word_order=2),
            "nc=0: expected",
        ),
        (lambda: ours.CHRF(beta=-1), "beta=-1: expected"),
    ],
)
def test_what_is_not_scored_is_said(score: Callable[[], Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        score()


def test_texts_may_be_read_only_once() -> None:
    expected = ours.BLEU().corpus_score(SYS, REFS, n_bootstrap=10)
    streams = iter([iter(stream) for stream in REFS])
    once = ours.BLEU()
    same(once.corpus_score(iter(SYS), streams, n_bootstrap=10), expected)
    kept = ours.BLEU(references=iter([iter(stream) for stream in REFS]))
    for _ in range(2):
        assert kept.corpus_score(SYS, None).score == expected.score
    assert str(kept.get_signature()) == str(once.get_signature()).replace("bs:10|seed:12345|", "")


@pytest.mark.parametrize("seed", ["none", "", "-1"])
def test_a_seed_is_asked_for(seed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SACREBLEU_SEED", seed)
    assert ours.BLEU().corpus_score(SYS, REFS).score > 0
    with pytest.raises(mt.UsageError, match=f"SACREBLEU_SEED={seed}: expected a whole number"):
        ours.BLEU().corpus_score(SYS, REFS, n_bootstrap=10)


def test_a_missing_plugin_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    empty = mt.load_registry([])
    monkeypatch.setattr("mteval_core.metrics.resolve.default_registry", lambda: empty)
    with pytest.raises(mt.PluginError, match="pip install mteval-bleu-nist"):
        ours.BLEU()

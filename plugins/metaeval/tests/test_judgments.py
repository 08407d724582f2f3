"""Reading, choosing, normalising and averaging human scores."""

from __future__ import annotations

import gzip
import json
import tracemalloc
import warnings
from dataclasses import replace
from itertools import permutations
from typing import TYPE_CHECKING, Any

import mteval_metaeval as metaeval
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mteval_metaeval.agreement import repeats
from mteval_metaeval.commands.correlate_inputs import as_table
from mteval_metaeval.commands.human import warn_of_first_segment
from mteval_metaeval.drawn_judgments import draw_judgments
from mteval_metaeval.judged_texts import check_judged_texts
from mteval_metaeval.raters import (
    choose_criteria,
    mean_scores,
    merge_repeats,
    number_outputs,
    standardize_raters,
)

import mteval_core as mt

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

NAN = float("nan")

RATINGS = """\
system\tsegment\trater\tadequacy\tfluency
A\t0\tr1\t5\t4
A\t0\tr2\t3\t4
A\t1\tr1\t1\t2
B\t0\tr1\t4\t
B\t1\tr2\t2\tNA
"""


@pytest.fixture
def read(tmp_path: Path) -> Callable[..., metaeval.Judgments]:
    """Read a table given as text."""

    def run(content: str | bytes, name: str = "ratings.tsv") -> metaeval.Judgments:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return metaeval.read_judgments([path])

    return run


def refused(read: Callable[..., Any], content: str | bytes) -> str:
    """Return the error message after the name of the file."""
    with pytest.raises(mt.InputError) as caught:
        read(content)
    _, _, message = str(caught.value).partition("ratings.tsv")
    return message


# Reading


def test_a_table_of_ratings(read: Callable[..., metaeval.Judgments]) -> None:
    judgments = read(RATINGS)
    assert judgments.level == "segment"
    assert judgments.systems == ("A", "B")
    assert judgments.items == (0, 1)
    assert judgments.raters == ("r1", "r2")
    assert judgments.criteria == ("adequacy", "fluency")
    assert len(judgments) == 5
    np.testing.assert_array_equal(
        mean_scores(judgments), [[[4, 1], [4, 2]], [[4, 2], [NAN, NAN]]]
    )  # missing is missing, not zero


@pytest.mark.parametrize(
    "change",
    [
        lambda s: s.replace("\t", ","),
        lambda s: s.replace("\n", "\r\n"),
        lambda s: "\ufeff" + s,
        lambda s: "\n" + s.replace("\n", "\n\n") + "\n",
        lambda s: s.replace("NA", "None"),
        lambda s: s.replace("\tNA", "\t NaN "),
    ],
)
def test_forms_of_the_same_table(read: Callable[..., Any], change: Callable[[str], str]) -> None:
    expected, actual = read(RATINGS), read(change(RATINGS))
    assert actual.criteria == expected.criteria
    np.testing.assert_array_equal(mean_scores(actual), mean_scores(expected))


def test_quotes_are_for_commas(read: Callable[..., metaeval.Judgments]) -> None:
    table = 'system,segment,rater,note,score\n"A, the first",0,"said ""no""","no\nyes",3\n'
    with pytest.warns(mt.MtevalWarning, match=r"'note' \('no\\nyes'\)"):
        judgments = read(table)
    assert judgments.systems == ("A, the first",)
    assert judgments.raters == ('said "no"',)
    assert read('system\tsegment\tscore\n"A\t0\t3\n').systems == ('"A',)


def test_compressed(read: Callable[..., metaeval.Judgments]) -> None:
    assert len(read(gzip.compress(RATINGS.encode()), "ratings.tsv.gz")) == 5


def test_columns_of_words_are_named_and_no_criteria(read: Callable[..., Any]) -> None:
    table = "system\tsegment\tdomain\tDA\tcategory\nA\t0\tnews\t81.5\t\nA\t1\tchat\t\tMajor\n"
    with pytest.warns(mt.MtevalWarning) as caught:
        assert read(table).criteria == ("DA",)
    (warning,) = [str(each.message) for each in caught]
    assert "ratings.tsv:1: most entries of these columns are not numbers" in warning
    assert "'domain' ('news'), 'category' ('Major') [unused-columns]" in warning


def test_a_column_is_not_dropped_for_its_first_entry(read: Callable[..., Any]) -> None:
    table = "system\tsegment\tadequacy\tMQM\nA\t0\tn/a\t1\nA\t1\t3\t2\n"
    assert refused(read, table) == (
        ":2: adequacy 'n/a'; expected a number, or nothing if it is missing"
    )


@pytest.mark.parametrize(
    "name",
    ["doc_id", "seg_id", "id", "ID", "rater-id", "globalSegId", "segID", "docid", "rater id"],
)
def test_a_column_of_ids_is_no_criterion(read: Callable[..., Any], name: str) -> None:
    assert read(f"system\tsegment\t{name}\tscore\nA\t0\t17\t5\n").criteria == ("score",)


@pytest.mark.parametrize("name", ["valid", "ideas", "fluid", "idiom"])
def test_other_names_are_criteria(read: Callable[..., Any], name: str) -> None:
    assert read(f"system\tsegment\t{name}\nA\t0\t17\n").criteria == (name,)


def test_ids_alone_make_no_segments(read: Callable[..., Any]) -> None:
    table = "system\tdoc_id\tseg_id\tscore\nA\tnews\t1\t70\nA\tnews\t2\t80\n"
    with pytest.warns(mt.MtevalWarning, match="every line judges a whole system") as caught:
        judgments = read(table)
    assert (judgments.level, judgments.criteria) == ("system", ("score",))
    assert "'doc_id', 'seg_id'" in str(caught[0].message)


def test_a_rating_table_of_wmt_has_no_scores(read: Callable[..., Any]) -> None:
    table = (
        "system\tdoc\tdocSegId\tglobalSegId\trater\tsource\tseverity\n"
        "A\tnews.1\t1\t1\trater1\tone two\tMajor\nA\tnews.1\t2\t2\trater1\tthree\tMinor\n"
    )
    with pytest.warns(mt.MtevalWarning, match="unused-columns"):
        message = refused(read, table)
    assert message.startswith(":1: no column of scores among 'system', 'doc', 'docSegId'")


cells = st.sampled_from(
    [
        "0",
        "1",
        "2.5",
        "-1",
        "",
        "NA",
        "A",
        "r1",
        "1e99",
        "-nan",
        "inf",
        "é",
        '"',
        ",",
        "\0",
        "\r",
        "٣",
    ]
)
rows_of_cells = st.lists(st.lists(cells, max_size=5), max_size=6)
headers = st.permutations(["system", "segment", "doc", "rater", "score", "MQM", "x_id", "first"])
tables = st.builds(
    lambda header, width, mark, rows: "\n".join(
        mark.join(row) for row in [header[:width], *(row[:width] for row in rows)]
    ),
    headers,
    st.integers(0, 6),
    st.sampled_from(["\t", ",", ";"]),
    rows_of_cells,
)
damages = st.lists(
    st.tuples(st.integers(0, 200), st.integers(0, 3), st.sampled_from([b"", b"\xff", b"\t", b'"'])),
    max_size=3,
)


@pytest.mark.slow
@given(tables | st.just(RATINGS), damages)
@settings(
    max_examples=400, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@pytest.mark.filterwarnings("ignore::mteval_core.MtevalWarning")
def test_a_damaged_table_is_read_or_refused(
    read: Callable[..., Any], table: str, damages: list[tuple[int, int, bytes]]
) -> None:
    content = table.encode()
    for start, length, instead in damages:
        content = content[:start] + instead + content[start + length :]
    try:
        judgments = read(content)
        assert np.isfinite(judgments.scores[~np.isnan(judgments.scores)]).all()
        assert mean_scores(judgments).shape[:2] == (len(judgments.criteria), len(judgments.systems))
        draw_judgments(judgments)
        repeats(judgments)
        standardize_raters(judgments)
        metaeval.rater_agreement(judgments)
    except (mt.InputError, mt.UsageError):
        pass


def test_a_column_without_a_name_is_no_criterion(read: Callable[..., Any]) -> None:
    assert read(",system,segment,score,\n0,A,0,5,\n1,A,1,4,\n").criteria == ("score",)


def test_documents_and_systems(read: Callable[..., metaeval.Judgments]) -> None:
    documents = read("doc\tsystem\tscore\nnews-2\tA\t1\nnews-10\tA\t2\nnews-2\tB\t3\n")
    assert (documents.level, documents.items) == ("doc", ("news-2", "news-10"))
    np.testing.assert_array_equal(mean_scores(documents)[0], [[1, 2], [3, NAN]])
    systems = read("system\tscore\nA\t1\nB\t-2.5\n")
    assert (systems.level, systems.items) == ("system", ())
    np.testing.assert_array_equal(mean_scores(systems)[0], [[1], [-2.5]])


def test_several_files(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("system\tsegment\tscore\nA\t0\t1\nA\t1\t2\n")
    (tmp_path / "f").write_text("system\tsegment\tscore\nA\t1\t5\nB\t0\t6\n")
    judgments = metaeval.read_judgments([("adequacy", tmp_path / "a"), ("fluency", tmp_path / "f")])
    assert judgments.criteria == ("adequacy", "fluency")
    np.testing.assert_array_equal(
        mean_scores(judgments), [[[1, 2], [NAN, NAN]], [[NAN, 5], [6, NAN]]]
    )
    assert [path for path, _ in judgments.sources] == [str(tmp_path / "a"), str(tmp_path / "f")]
    with pytest.raises(mt.InputError, match=r"f:2: 'score' of this item is in an earlier file too"):
        metaeval.read_judgments([tmp_path / "a", tmp_path / "f"])


def test_names_of_files_name_one_criterion(tmp_path: Path) -> None:
    path = tmp_path / "r"
    path.write_text("system\tsegment\tscore\tfluency\nA\t0\t1\t5\n")
    assert metaeval.read_judgments([("MQM", path)]).criteria == ("MQM", "fluency")
    with pytest.raises(mt.InputError, match="r:1: 'fluency' can name the column 'score' or"):
        metaeval.read_judgments([("fluency", path)])
    path.write_text("system\tsegment\tadequacy\tfluency\nA\t0\t1\t5\n")
    with pytest.raises(mt.InputError, match=r"'DA' can name the .* got 'adequacy', 'fluency'"):
        metaeval.read_judgments([("DA", path)])


def test_segments_are_not_mixed_with_systems(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("system\tsegment\tscore\nA\t0\t1\n")
    (tmp_path / "s").write_text("system\tscore\nA\t1\n")
    with pytest.raises(mt.InputError, match=r"s:1: judgments of a system, but .*a has judgments o"):
        metaeval.read_judgments([tmp_path / "a", tmp_path / "s"])


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", ": the file is empty"),
        ("sys\tscore\nA\t1\n", ":1: expected a column 'system' in the header line, got 'sys'"),
        ("system\tscore\tscore\nA\t1\t1\n", ":1: expected 'score' once in the header line"),
        ("system\tsegment\trater\nA\t0\tr\n", ":1: no column of scores among 'system', 'segment'"),
        ("system\tscore\n", ": no judgments below the header line"),
        ("system\tsegment\tscore\nA\t0\n", ":2: 2 columns; the header line has 3"),
        ("system\tsegment\tscore\nA\t0\t1\nA\t1.5\t1\n", ":3: segment '1.5'; expected a line numb"),
        ("system\tsegment\tscore\nA\t-1\t1\n", ":2: segment '-1'; expected a line number"),
        ("system\tsegment\tscore\n\t0\t1\n", ":2: the system is empty"),
        ("system\tdoc\tscore\nA\t\t1\n", ":2: the document id is empty"),
        ("system\trater\tscore\nA\t\t1\n", ":2: the rater is empty"),
        ("\n\n\n", ": all lines are empty; expected a header line"),
        ("\nsys\tscore\nA\t1\n", ":2: expected a column 'system' in the header line"),
        (f"system\tsegment\tscore\nA\t{'9' * 5000}\t1\n", ":2: segment '9999"),
        ("system\tscore\nA\t1\nB\t1e300\n", ":3: score '1e300'; expected a number"),
        ("system\tscore\nA\t1\nB\t1_000\n", ":3: score '1_000'; expected a number"),
        ("system,score\rA,1\r", ":1: a carriage return in the line; expected \\n or \\r\\n"),
        ("system\tscore\nA\t1\nB\tgood\n", ":3: score 'good'"),
        ("system\tscore\nA\t1\nB\tinf\n", ":3: score 'inf'; expected a number"),
        ("system\tMQM\nA\t1\nB\t3,5\n", ":3: MQM '3,5'; expected a number"),
        ("A\t0\t0\nA\t1\t1\n", ":1: expected a column 'system' in the header line, got 'A'"),
        ('system,score\n"A,1\n', ":2: not CSV (unexpected end of data); expected columns"),
        ('He said:\n"No", then\n"Yes" he\n', ":3: not CSV (',' expected after '\"'); expected"),
        (b"system\tscore\n\xff\t1\n", ":2: byte 1 of the line, 0xFF, is not valid UTF-8"),
    ],
)
def test_refusals_name_file_and_line(read: Any, content: Any, message: str) -> None:
    assert refused(read, content).startswith(message)


# Criteria


def test_choosing_and_adding_criteria(read: Callable[..., metaeval.Judgments]) -> None:
    odd = read(RATINGS.replace("fluency", "a=b+c"))
    assert choose_criteria(odd, ["a=b+c", "sum=adequacy+adequacy"]).criteria == ("a=b+c", "sum")
    judgments = choose_criteria(read(RATINGS), ["fluency", "total=adequacy+fluency"])
    assert judgments.criteria == ("fluency", "total")
    np.testing.assert_array_equal(mean_scores(judgments)[1], [[8, 3], [NAN, NAN]])
    with pytest.raises(mt.UnknownNameError, match=r"unknown criterion 'fluent'\. Did you mean"):
        choose_criteria(judgments, ["fluent"])
    with pytest.raises(mt.UsageError, match="'fluency' is given twice"):
        choose_criteria(judgments, ["fluency", "fluency=total"])


# Normalising


def test_scores_per_rater_have_mean_0_and_deviation_1(judged: Callable[..., Any]) -> None:
    scores = np.random.default_rng(0).normal(3, 2, (3, 4, 5, 2))
    scores[0, 1, 2, 0] = NAN
    judgments = standardize_raters(judged(scores, raters="abc", criteria=("x", "y")))
    for rater in range(3):
        own = judgments.scores[judgments.rater == rater]
        np.testing.assert_allclose(np.nanmean(own, axis=0), 0, atol=1e-12)
        np.testing.assert_allclose(np.nanstd(own, axis=0, ddof=1), 1)
    assert np.isnan(judgments.scores).sum() == 1


def test_z_scores_by_hand(judged: Callable[..., Any]) -> None:
    # Mean 3, deviations -2, 0 and 2: the variance is 8 / (3 - 1) = 4.
    judgments = standardize_raters(judged([[[1.0, 3.0, 5.0]]], raters="a"))
    assert judgments.scores[:, 0].tolist() == [-1.0, 0.0, 1.0]


# Writing


@pytest.mark.parametrize("level", ["segment", "doc", "system"])
def test_written_scores_are_read_again(level: Any, tmp_path: Path) -> None:
    items: Any = {"segment": (0, 7), "doc": ("news 1", "ted"), "system": (0,)}[level]
    rows: list[Any] = [
        (system, item, rater, {"accuracy": score / 3, "flow=x": NAN if item == 0 else score})
        for system, start in (("A", 1.0), ("B b", 4.0))
        for item in items
        for rater, score in (("r", start), ("s", start + 0.1))
    ]
    judgments = metaeval.Judgments.of([*rows, ("C", items[0], "r", {"accuracy": NAN})], level=level)
    table = as_table(judgments)
    (tmp_path / "means.tsv").write_text(table)
    means = metaeval.read_judgments([tmp_path / "means.tsv"])
    assert means.level == level
    assert means.systems == ("A", "B b")
    assert means.items == (() if level == "system" else items)
    expected = mean_scores(choose_criteria(judgments, means.criteria), systems=means.systems)
    assert mean_scores(means).tobytes() == expected.tobytes()
    assert as_table(judgments, minimum=3) == table.splitlines(keepends=True)[0]


# Many raters


def test_repeated_judgments_of_a_rater_are_merged(judged: Callable[..., Any]) -> None:
    rows = [("B", 1, "r", {"x": 1.0}), ("A", 1, "s", {"x": 8.0, "y": 2.0})]
    rows += [("B", 1, "r", {"x": 4.0}), ("B", 0, "r", {"y": 5.0}), ("B", 1, "r", {"y": 7.0})]
    merged = merge_repeats(mt.Judgments.of(rows))
    assert merged.systems == ("B", "A")
    judgments = zip(merged.system, merged.item, merged.rater, strict=True)
    assert list(judgments) == [(0, 0, 0), (0, 1, 0), (1, 1, 1)]
    np.testing.assert_array_equal(merged.scores, [[NAN, 5], [2.5, 7], [8, 2]])
    np.testing.assert_array_equal(number_outputs(merged), [0, 1, 3])
    np.testing.assert_array_equal(number_outputs(merged, ["A"], [5, 1]), [-1, -1, 1])
    one = judged(np.arange(24.0).reshape(2, 3, 4), raters="ab")
    np.testing.assert_array_equal(mean_scores(one)[0], np.arange(12).reshape(3, 4) + 6)


@pytest.mark.slow
def test_thousands_of_raters_need_memory_for_their_judgments_only() -> None:
    """An array of all raters and outputs would take 16 MB."""
    rng = np.random.default_rng(5)
    n_raters, n_systems, n_items, n = 1000, 5, 400, 2000
    quality = rng.normal(size=(n_systems, n_items))
    system, item = rng.integers(0, n_systems, n), rng.integers(0, n_items, n)
    scores = quality[system, item] + rng.normal(size=n)
    judgments = mt.Judgments(
        level="segment",
        systems=tuple(f"s{k}" for k in range(n_systems)),
        items=tuple(range(n_items)),
        raters=tuple(f"r{k}" for k in range(n_raters)),
        criteria=("score",),
        system=system,
        item=item,
        rater=rng.integers(0, n_raters, n),
        scores=scores[:, None],
    )
    tracemalloc.start()
    means = mean_scores(judgments, minimum=2)
    (agreement,) = metaeval.rater_agreement(judgments)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 5e6
    by_output: dict[tuple[int, int], dict[int, list[float]]] = {}
    for s, i, r, score in zip(system, item, judgments.rater, scores, strict=True):
        by_output.setdefault((s, i), {}).setdefault(r, []).append(score)
    expected = np.full((n_systems, n_items), NAN)
    for output, raters in by_output.items():
        if len(raters) > 1:
            expected[output] = sum(sum(own) / len(own) for own in raters.values()) / len(raters)
    np.testing.assert_allclose(means[0], expected)
    units = [[sum(own) / len(own) for own in raters.values()] for raters in by_output.values()]
    units = [unit for unit in units if len(unit) > 1]
    pairs = [pair for unit in units for pair in permutations(unit, 2)]
    assert agreement.n_pooled == len(pairs)
    assert agreement.pearson == pytest.approx(np.corrcoef(np.transpose(pairs))[0, 1])
    # Krippendorff's alpha: 1 - observed / expected disagreement, both of squared differences.
    within = sum(2 * len(unit) * np.var(unit, ddof=1) for unit in units) / sum(map(len, units))
    assert agreement.alpha == pytest.approx(
        1 - within / (2 * np.var(np.concatenate(units), ddof=1))
    )


def test_a_rater_who_never_differs(judged: Callable[..., Any]) -> None:
    judgments = standardize_raters(judged(np.full((1, 2, 5), 0.1), raters="a"))
    assert mean_scores(judgments).tolist() == [[[0] * 5] * 2]


def test_normalising_needs_raters(judged: Callable[..., Any]) -> None:
    with pytest.raises(mt.UsageError, match="a column 'rater'"):
        standardize_raters(judged([[1.0, 2.0]]))


def test_raters_of_one_file_but_not_of_another(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("system\tsegment\trater\tscore\nA\t0\tr\t1\n")
    (tmp_path / "b").write_text("system\tsegment\tscore\nA\t1\t2\n")
    judgments = metaeval.read_judgments([tmp_path / "a", tmp_path / "b"])
    assert mean_scores(judgments).tolist() == [[[1, 2]]]
    with pytest.raises(mt.UsageError, match="a column 'rater'"):
        standardize_raters(judgments)


# Averages


def test_a_rater_counts_once_for_an_item(read: Callable[..., metaeval.Judgments]) -> None:
    judgments = read("system\tsegment\trater\tfirst\tsecond\nA\t0\tr\t1\t3\nA\t0\ts\t8\t\n")
    assert mean_scores(judgments).tolist() == [[[5.0]]]  # of 2 and 8
    assert mean_scores(judgments, minimum=2).tolist() == [[[5.0]]]
    assert np.isnan(mean_scores(judgments, minimum=3)).all()
    unknown = read("system\tsegment\tscore\nA\t0\t1\nA\t0\t3\n")
    assert mean_scores(unknown).tolist() == [[[2.0]]]
    with pytest.raises(mt.UsageError, match="a minimum of 2 judgments needs the raters' names"):
        mean_scores(unknown, minimum=2)


def test_means_in_the_order_asked_for(read: Callable[..., metaeval.Judgments]) -> None:
    means = mean_scores(read(RATINGS), ["B", "X"], [1, 7, 0])
    np.testing.assert_array_equal(means[0], [[2, NAN, 4], [NAN, NAN, NAN]])


def test_one_judgment_drawn_for_each_item(judged: Callable[..., Any]) -> None:
    scores = np.arange(3.0)[:, None, None] + np.zeros((3, 40, 50))
    judgments = judged(scores, raters="abc")
    drawn = draw_judgments(judgments, seed=1)
    assert len(drawn) == 2000
    assert not np.isnan(mean_scores(drawn)).any()
    # Each rater a third of the time, within four standard errors.
    assert np.bincount(drawn.rater) == pytest.approx(2000 / 3, abs=4 * np.sqrt(2000 * 2 / 9))
    np.testing.assert_array_equal(drawn.scores, draw_judgments(judgments, seed=1).scores)
    assert (drawn.scores != draw_judgments(judgments, seed=2).scores).any()


def test_a_judgment_that_lacks_a_criterion_is_not_drawn_for_it(read: Callable[..., Any]) -> None:
    rows = "".join(f"A\t{k}\tr1\t1\t\nA\t{k}\tr2\t\t2\n" for k in range(20))
    drawn = draw_judgments(read("system\tsegment\trater\tadequacy\tfluency\n" + rows))
    assert mean_scores(drawn).tolist() == [[[1] * 20], [[2] * 20]]


def test_means_of_real_raters_are_the_published_scores(shared: Path) -> None:
    for name in ("ted21-zh-en", "ted21-en-de", "news23-en-de", "news24-en-ja"):
        published = metaeval.read_judgments([shared / name / "human_seg.tsv"])
        judgments = metaeval.read_judgments([shared / name / "human_raters.tsv"])
        means = mean_scores(
            choose_criteria(judgments, ["score"]), published.systems, published.items
        )
        np.testing.assert_allclose(means, mean_scores(published), atol=5e-7)
        systems = metaeval.read_judgments([shared / name / "human_sys.tsv"])
        means = mean_scores(choose_criteria(judgments, ["score"]), systems.systems).mean(axis=-1)
        np.testing.assert_allclose(means, mean_scores(systems)[..., 0], atol=5e-7)


# Repetitions


def test_repetitions_are_found() -> None:
    rows = [(0, "r", 1), (0, "s", 9), (1, "r", 5), (0, "r", 2), (0, "r", 3), (1, "r", 4)]
    judgments = mt.Judgments.of([("A", item, rater, {"x": x}) for item, rater, x in rows])
    rater, earlier, later = repeats(judgments)
    pairs = zip(earlier[:, 0].tolist(), later[:, 0].tolist(), strict=True)
    assert sorted(pairs) == [(1, 2), (1, 3), (2, 3), (5, 4)]
    assert [judgments.raters[k] for k in rater] == ["r"] * 4


def test_a_table_of_repetitions(read: Callable[..., metaeval.Judgments]) -> None:
    judgments = read("system\tsegment\trater\tfirst\tsecond\nA\t0\tr\t1\t2\nA\t1\tr\t3\t3\n")
    assert judgments.criteria == ("score",)
    _, earlier, later = repeats(judgments)
    assert (earlier[:, 0].tolist(), later[:, 0].tolist()) == ([1, 3], [2, 3])


@pytest.mark.parametrize(
    "table", ["sys\x1btem,doc,score\nA,1,2\n", "system,segment,score\nA\x07,0,2\n"]
)
def test_a_name_is_one_line_that_can_be_shown(tmp_path: Path, table: str) -> None:
    path = tmp_path / "ratings.csv"
    path.write_text(table, encoding="utf-8")
    with pytest.raises(mt.InputError, match=r"ratings.csv:\d: .* cannot contain"):
        metaeval.read_judgments([path])


def test_a_second_line_of_one_rater_is_refused(read: Callable[..., metaeval.Judgments]) -> None:
    with pytest.raises(mt.InputError, match=r":4: a second judgment of segment 0 of 'A' by 'r'"):
        read("system\tsegment\trater\tscore\nA\t0\tr\t1\nA\t0\ts\t9\nA\t0\tr\t1\n")


def test_lines_without_raters_are_of_different_raters(
    read: Callable[..., metaeval.Judgments],
) -> None:
    judgments = read("system\tsegment\tscore\nA\t0\t1\nA\t0\t9\n")
    assert mean_scores(judgments).tolist() == [[[5]]]


# Which segments


OUTPUTS = {"A": mt.Text.of([f"a {k}" for k in range(20)]), "B": mt.Text.of(["b"] * 20)}


def of_texts(texts: dict[tuple[str, int], str]) -> metaeval.Judgments:
    rows = [(system, item, "", {"score": 1.0}) for system, item in texts]
    return replace(mt.Judgments.of(rows, sources=[("x.tsv", "")]), texts=texts)


@pytest.mark.parametrize(("shift", "where"), [(1, "later"), (-1, "earlier")])
def test_judgments_that_fit_only_after_a_shift_are_refused(shift: int, where: str) -> None:
    texts = {("A", k): f"a  {k + shift}" for k in range(5, 15)}
    check_judged_texts(of_texts({("A", k): f" a {k}" for k in range(5, 15)}), OUTPUTS)
    message = rf"x.tsv: .* in 10 of 10 .* line 6 of 'A' .* 10 are equal one line {where}.*first=0"
    with pytest.raises(mt.InputError, match=message):
        check_judged_texts(of_texts(texts), OUTPUTS)


def test_judgments_of_other_texts_are_refused_unless_half_of_them_are_equal() -> None:
    texts = {("A", k): f"a {k}" if k % 2 else "other" for k in range(10)}
    check_judged_texts(of_texts(texts), OUTPUTS)
    check_judged_texts(of_texts({("C", 1): "x"}), OUTPUTS)
    texts["A", 1] = "other"
    with pytest.raises(
        mt.InputError, match=r"in 6 of 10 segments; in line 1 of 'A' .* 'other'\. I"
    ):
        check_judged_texts(of_texts(texts), OUTPUTS)


def test_words_of_target_and_source_in_a_table_are_what_a_rater_saw(
    read: Callable[..., metaeval.Judgments],
) -> None:
    table = "system\tsegment\tscore\tsource\ttarget\n"
    rows = [f"A\t{k}\t1\tQuelle {k}\ta {k + 1}\n" for k in range(5, 15)]
    judgments = read(table + "".join(rows))
    assert judgments.criteria == ("score",)
    assert judgments.texts is not None
    assert (judgments.texts["A", 5], judgments.texts["", 5]) == ("a 6", "Quelle 5")
    with pytest.raises(mt.InputError, match="10 are equal one line later"):
        check_judged_texts(judgments, OUTPUTS)
    numbers = "system\tsegment\tsource\ttarget\nA\t0\t3\t4\n"
    assert read(numbers).criteria == ("source", "target")
    with pytest.warns(mt.MtevalWarning, match=r"'source' \('wmt'\)"):
        assert read("system\tsegment\tsource\tDA\nA\t0\twmt\t4\n").texts is None


def test_the_source_is_compared_too() -> None:
    source = mt.Text.of([f"Quelle {k}" for k in range(20)])
    texts = {("", k): f"Quelle {k + 1}" for k in range(5, 15)}
    judged = replace(of_texts({("A", k): f"a {k}" for k in range(5, 15)}), texts=texts)
    check_judged_texts(judged, OUTPUTS)
    with pytest.raises(mt.InputError, match=r"than the source in 10 of 10 .* 10 .* one line later"):
        check_judged_texts(judged, OUTPUTS, source)
    own = {("", k): f"Quelle  {k}" for k in range(5, 15)}
    check_judged_texts(replace(judged, texts=own), OUTPUTS, source)


def test_json_of_another_form_is_named_in_a_line(tmp_path: Path) -> None:
    path = tmp_path / "scores.jsonl"
    path.write_text(json.dumps({"language_pair": "en-is", "scores": list(range(2000))}) + "\n")
    with pytest.raises(mt.InputError, match="JSON in a form that no format knows") as e:
        metaeval.read_judgments([path])
    assert len(str(e.value)) < 120 + len(str(path))


@pytest.mark.parametrize(("first", "n"), [(0, 0), (1, 1), (2, 0)])
def test_a_table_that_seems_to_count_from_1_gives_a_warning(first: int, n: int) -> None:
    judgments = mt.Judgments.of(
        [("A", first + k, "", {"x": 1}) for k in range(3)], sources=[("t", "")]
    )
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        warn_of_first_segment(judgments)
    assert [each.message.code for each in found] == ["no-first-segment"] * n

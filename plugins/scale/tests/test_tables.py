"""Tables: which fields they need, how they are read, and what is counted in them."""

from __future__ import annotations

import pickle
import random
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mteval_scale.columns import part_of
from mteval_scale.tables import (
    RowGroup,
    Tables,
    Work,
    evaluate_tables,
    needed_fields,
    parquet_files,
)

import mteval_core as mt
from mteval_core import Kept

if TYPE_CHECKING:
    from collections.abc import Iterator

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

WORDS = st.lists(st.sampled_from("abc"), min_size=1, max_size=4).map(" ".join)
ROLES: dict[str, Any] = {"id": "i", "hyp": ["a"], "ref": ["r"]}
SEGMENTS = st.lists(st.tuples(WORDS, WORDS), min_size=1, max_size=6)


def table(ids: Any, **texts: Any) -> Any:
    columns = {name: pa.array(text, pa.string()) for name, text in texts.items()}
    return pa.table({"i": pa.array(ids, pa.int64()), **columns})


def fields(**changed: Any) -> dict[str, str]:
    return needed_fields(**{"id": "i", "hyp": ["a"], "ref": ["r"], **changed})


def count(part: mt.Part, metric: str) -> mt.Partial:
    source = mt.InMemory({run: [run] for run in part.systems}, part)
    return Kept().count_source(source, [mt.metric(metric)])


def counting(metric: str, **changed: Any) -> Work:
    return Work(partial(count, metric=metric), fields(**changed))


def edits(hypothesis: list[str], reference: list[str]) -> int:
    """Levenshtein distance of words, by its recursion."""
    if not hypothesis or not reference:
        return len(hypothesis) + len(reference)
    (first, *rest), (other, *others) = hypothesis, reference
    dropped = 1 + min(edits(rest, reference), edits(hypothesis, others))
    return min(dropped, edits(rest, others) + (first != other))


def test_columns_get_their_fields() -> None:
    roles: dict[str, Any] = {"id": "i", "hyp": {"System 1": "x", "B": "x"}, "ref": ["r", "x"]}
    texts = {"hyp:System 1": "x", "hyp:B": "x", "ref:r": "r", "ref:x": "x"}
    found = needed_fields(**roles, src="s", doc="d")
    assert found == {"id": "i", **texts, "src": "s"}
    tables = Tables(found, map)
    assert tables.runs == {"System 1": ("System 1",), "B": ("B",)}
    references = tables.references()
    assert references.fields == {"id": "i", "ref:r": "r", "ref:x": "x", "src": "s"}
    assert needed_fields(**roles, doc="d", level="doc") == {"id": "i", **texts, "doc": "d"}
    with pytest.raises(mt.InputError, match="no field for doc; the level doc needs it"):
        needed_fields(**roles, level="doc")


def test_a_field_may_be_a_system_and_a_reference() -> None:
    work = counting("wer", hyp={"A": "r", "B": "b"}, ref=["r"])
    part = work.of_table(table([4, 2], r=["a b", "c"], b=["a", "c"]))
    totals = {run: part.counted[run, "wer"].total.total().tolist() for run in "AB"}
    assert totals == {"A": [0, 3], "B": [1, 3]}
    assert (part.n_segments, part.last, part.id_sum) == (2, 4, 6)


def test_tables_in_chunks_are_one_part_and_empty_ones_none() -> None:
    work, one = counting("wer"), table([0], a=["x y"], r=["x z"])
    chunks = pa.concat_tables([one, table([1], a=["ü"], r=["ü"])])
    assert chunks.column("a").num_chunks == 2
    counted = work.of_table(chunks)
    assert counted.counted["a", "wer"].total.total().tolist() == [1, 3]
    batches = [chunks, *one.to_batches(), one.slice(0, 0)]
    (result,) = work.pickled(batches).column("result").to_pylist()
    assert pickle.loads(result).n_segments == 3
    (nothing,) = work.pickled([one.slice(0, 0)]).column("result").to_pylist()
    assert pickle.loads(nothing) is None


@given(segments=SEGMENTS, data=st.data())
def test_parts_anywhere_add_up_to_the_word_error_rate(segments: Any, data: st.DataObject) -> None:
    """The ids have gaps; parts come back in any order, and some are empty."""
    n = len(segments)
    ids = data.draw(st.lists(st.integers(0, 2**40), min_size=n, max_size=n, unique=True))
    hypotheses, references = zip(*segments, strict=True)
    whole = table(ids, a=hypotheses, r=references)
    cuts = sorted(data.draw(st.lists(st.integers(0, n), max_size=3)))
    bounds = [*zip([0, *cuts], [*cuts, n], strict=True)]
    order = data.draw(st.permutations(bounds))
    found = evaluate_tables(
        ["wer"],
        lambda work: (work.of_table(whole.slice(a, b - a)) for a, b in order),
        **ROLES,
    )
    distances = [edits(hyp.split(), ref.split()) for hyp, ref in segments]
    length = sum(len(ref.split()) for ref in references)
    assert found.to_records()[0]["values"]["edits"] == sum(distances)
    assert found.score("a", "wer").score == pytest.approx(100 * sum(distances) / length)


@pytest.mark.parametrize(("metric", "reads_systems"), [("wer", [True]), ("nist", [False, True])])
def test_references_are_collected_only_for_metrics_that_need_them(
    metric: str, reads_systems: list[bool]
) -> None:
    called: list[Work] = []
    part = table([0, 1], a=["a b", "c"], r=["a b", "b"])

    def run(work: Work) -> Iterator[Any]:
        called.append(work)
        return map(work.of_table, [part.slice(0, 1), part.slice(0, 0), part.slice(1)])

    found = evaluate_tables([metric], run, **ROLES)
    assert ["hyp:a" in work.fields for work in called] == reads_systems
    whole = mt.evaluate({"a": ["a b", "c"]}, [["a b", "b"]], [metric])
    assert found.score("a", metric) == whole.score("a", metric)


def test_nothing_at_all_is_an_empty_test_set() -> None:
    for results in ([], [None, None]):
        with pytest.raises(mt.InputError, match="test set is empty"):
            evaluate_tables(["wer"], lambda _, found=results: found, **ROLES)  # type: ignore[misc]


def test_a_segment_without_references_is_named_by_its_id() -> None:
    work = counting("wer", ref=["r", "s"])
    part = table([70, 711, 3], a=["x"] * 3, r=["x", None, None], s=[None, "x", None])
    with pytest.raises(mt.InputError, match="segment 3 has no reference"):
        work.of_table(part)
    with pytest.raises(mt.InputError, match="segment 711 has no reference"):
        counting("wer").of_table(part)
    counted = work.of_table(part.slice(0, 2))
    assert (counted.least, counted.most) == (1, 1)


@given(st.lists(st.text().map(lambda text: text.replace("\n", "\r")), min_size=1, max_size=5))
def test_any_unicode_comes_out_as_it_went_in(texts: list[str]) -> None:
    padding = ["", *texts, "é"]
    columns = {"id": range(len(padding)), "hyp:a": padding, "ref:r": padding}
    batch = pa.RecordBatch.from_pydict(
        {"id": pa.array(columns.pop("id"), pa.int64()), **columns}
    ).slice(1, len(texts))
    found = part_of(batch, [*fields()])
    assert list(found.systems["a"]) == texts == list(found.test_set.references[0])
    assert found.ids is not None
    assert found.ids.tolist() == [*range(1, len(texts) + 1)]


class TestFiles:
    """Parquet files on disk."""

    def test_every_row_group_is_a_part_in_the_order_of_the_paths(self, tmp_path: Path) -> None:
        texts = {"a": list("xyz"), "r": list("xya")}
        for name in ("b/2", "a/1", "empty"):
            path = tmp_path / f"{name}.parquet"
            path.parent.mkdir(exist_ok=True)
            start = 3 if name == "b/2" else 0
            whole = table(range(start, start + 3), **texts)
            pq.write_table(whole.slice(0, 0 if name == "empty" else 3), path, row_group_size=2)
        seen: list[RowGroup] = []

        def engine(call: Any, parts: Any) -> Any:
            seen.extend(parts)
            return map(pickle.loads(pickle.dumps(call)), reversed(parts))

        source = parquet_files(f"{tmp_path}/**/*.parquet", engine, **ROLES)
        assert source.n_segments == 6
        found = mt.evaluate(source, ["wer"], kept=Kept())
        groups = [(Path(part.path).stem, part.number) for part in seen]
        assert [group for group in groups if group[0] != "empty"] == [
            ("1", 0), ("1", 1), ("2", 0), ("2", 1),
        ]  # fmt: skip
        assert found.score("a", "wer").score == pytest.approx(100 * 2 / 6)

    def test_checks_look_at_the_first_part(self, tmp_path: Path) -> None:
        pytest.importorskip("mteval_doctor", reason="the checks of texts are not installed")
        path = str(tmp_path / "x.parquet")
        lines = [f"Line {i} of the text." for i in range(50)]
        texts = {"a": [f"<think>Hm.</think>{line}" for line in lines], "r": lines}
        pq.write_table(table(range(50), **texts), path, row_group_size=20)
        with pytest.warns(mt.MtevalWarning, match="system a: the thoughts of a model") as caught:
            mt.evaluate(parquet_files(path, map, **ROLES), ["wer"], kept=Kept())
        assert "in 20 of 20 lines" in str(caught[0].message)

    def test_fields_must_be_there_once(self, tmp_path: Path) -> None:
        path = str(tmp_path / "x.parquet")
        names = ["i", "r", "r"]
        pq.write_table(pa.Table.from_arrays([pa.array([0]), *[pa.array(["x"])] * 2], names), path)
        with pytest.raises(mt.InputError, match=f"{path}: two fields 'r'; it has i, r, r"):
            RowGroup(path, 0).read(["i", "r"])
        with pytest.raises(mt.InputError, match=f"{path}: no field 'a'; it has i, r, r"):
            RowGroup(path, 0).read(["i", "a"])
        assert RowGroup(path, 0).read(["i"]).to_pydict() == {"i": [0]}

    def test_damaged_files_are_refused_or_harmless(self, tmp_path: Path) -> None:
        """Without checksums, damaged letters are other letters."""
        path = tmp_path / "x.parquet"

        def score() -> None:
            source = parquet_files(str(path), map, **ROLES)
            mt.evaluate(source, ["wer"], kept=Kept())

        pq.write_table(table([0, 1], a=["a b", "c"], r=["a b", "d"]), path)
        data, rng, refused = path.read_bytes(), random.Random(5), 0
        for place in rng.sample(range(len(data)), 20):
            path.write_bytes(data[:place] + bytes([data[place] ^ 0x55]) + data[place + 1 :])
            try:
                score()
            except mt.InputError as error:
                refused += "not a Parquet file that can be read" in str(error)
        assert refused > 8
        for size in (0, 4, len(data) // 2, len(data) - 1):
            path.write_bytes(data[:size])
            with pytest.raises(mt.InputError, match=r"x\.parquet: not a Parquet file"):
                score()

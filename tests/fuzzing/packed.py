"""Files that hold more than their size tells: compressed, binary, linked to devices, in folders."""

from __future__ import annotations

import gzip
import io
import lzma
import os
import struct
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from unittest import mock

import pyarrow as pa
import zstandard
from mteval_scale.arrow import to_bytes
from mteval_scale.columns import column_names, part_of
from mteval_scale.plan import Plan, plan_of
from mteval_scale.received import from_bytes
from pyarrow import ipc, parquet

import mteval_core as mt
from fuzzing import Target, folder_of, refused, spoiled
from fuzzing.tables import COLUMNS, read_all
from mteval_core import Partial, to_evaluation
from mteval_core.data.addresses import Address
from mteval_core.data.reading import Files
from mteval_core.evaluation.counting import count_segments

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

MOST = 1 << 20
"""Number of bytes that a file may hold while it is read."""

COMPRESSED: dict[str, Callable[[bytes], bytes]] = {
    ".gz": partial(gzip.compress, compresslevel=1),
    ".xz": partial(lzma.compress, preset=0),
    ".zst": zstandard.compress,
}

DEVICES = [
    "/dev/zero",
    "/dev/full",
    "/dev/null",
    "/dev/urandom",
    "/proc/self/mem",
    "/proc",
    "absent",
]

NUMBERS = [-(2**63), -(2**31), -1, 0, 1, 2**16, 2**30, 2**31 - 1, 2**40, 2**63 - 1]

WORDS = [
    *(struct.pack("<q", number) for number in NUMBERS),
    *(struct.pack("<i", number) for number in NUMBERS if -(2**31) <= number < 2**31),
    *(b"\0", b"\xff", b"\x80", b"\xff" * 8, b"PAR1", b"ARROW1\0\0"),
]
"""Lengths and positions that lie."""

MTME = {
    "m/sources/en-de.txt": "one\ntwo\n",
    "m/documents/en-de.docs": "news d1\nnews d1\n",
    "m/references/en-de.refA.txt": "eins\nzwei\n",
    "m/system-outputs/en-de/S1.txt": "eins\nzwo\n",
    "m/system-outputs/en-de/S2.jsonl": '{"hypothesis": "a"}\n{"hypothesis": "b"}\n',
    "m/human-scores/en-de.mqm.seg.score": "S1\t-1\nS1\tNone\n",
    "m/metric-scores/en-de/BLEU-refA.seg.score": "S1\t0.5\nS1\t1\nS2 3\nS2 3\n",
}


class Folder(NamedTuple):
    """Files by name, and the address that is read; a path is a link, and None a pipe."""

    address: str
    files: dict[str, Any]


@cache
def binary() -> dict[str, bytes]:
    """Write small files of compiled formats."""
    columns = {
        "hyp": ["the cat", "", "Straße 東"],
        "refs": [["a", "b"], [], ["c"]],
        "pair": [{"de": "x", "en": None}] * 3,
        "word": pa.array(["a", "b", "a"]).dictionary_encode(),
        "large": pa.array(["a", "b", "c"], pa.large_string()),
        "id": [0, 1, 2],
    }
    table, files = pa.table(columns), {}
    writers = [("s.arrow", ipc.new_stream, None), ("f.arrow", ipc.new_file, "lz4")]
    for name, writer, codec in [*writers, ("z.arrow", ipc.new_stream, "zstd")]:
        sink, options = pa.BufferOutputStream(), ipc.IpcWriteOptions(compression=codec)
        with writer(sink, table.schema, options=options) as stream:
            stream.write_table(table)
        files[name] = sink.getvalue().to_pybytes()
    for codec in ("none", "snappy", "gzip", "zstd", "lz4", "brotli"):
        into = io.BytesIO()
        parquet.write_table(table, into, compression=codec)
        files[f"{codec}.parquet"] = into.getvalue()
    return files


@cache
def part() -> tuple[Plan, bytes]:
    """Count a part of a plan."""
    plan = plan_of(["wer"], ["A"], ["x"], level="doc", resamples=5, seed=1)
    columns = {"id": [0, 1], "hyp:A": ["a b", "c"], "ref:x": ["a", "c"], "doc": ["d", "e"]}
    found = part_of(pa.RecordBatch.from_pydict(columns), column_names(["A"], ["x"], documents=True))
    whole = Partial()
    whole.merge(count_segments(found, plan.scorers(), plan.kept))
    return plan, to_bytes(whole, plan.id)


def draw_folder(draw: random.Random) -> Folder:
    """Draw a bomb, a link, a folder, or a damaged file of a compiled format."""
    kind = draw.choice(["compressed", "link", "folder", "binary", "binary", "state", "part"])
    if kind == "part":
        return Folder("part", {"part": spoiled(draw, part()[1], WORDS)})
    if kind == "folder":
        name = draw.choice(list(MTME))
        content = draw.choice([None, *map(Path, DEVICES), spoiled(draw, MTME[name], ["\n", "\t"])])
        return Folder("mtme:m/en-de", {**MTME, name: content})
    if kind in ("binary", "state"):
        name, data = draw.choice(list(binary().items()))
        field = draw.choice(["hyp", "refs[*]", "refs[0]", "pair.de", "word", "large", "id", "x"])
        files = {name: spoiled(draw, data, WORDS)}
        if kind == "binary":
            return Folder(f"{name}::{field}", files)
        listed = draw.choice([name, name, "../x", "state.json", "/dev/zero", ""])
        state = f'{{"_data_files": [{{"filename": "{listed}"}}]}}'
        return Folder(f"state.json::{field}", {"state.json": state, **files})
    name, text = draw.choice([("x.txt", "a\nb\n"), *COLUMNS.items()])
    address = draw.choice([name, f"{name}::hyp", f"{name}::2"])
    if kind == "link":
        return Folder(address, {name: Path(draw.choice(DEVICES))})
    ending = draw.choice(list(COMPRESSED))
    repeated = text.encode() * draw.choice([1, 1, 2, 3 * MOST // len(text)])
    data = spoiled(draw, COMPRESSED[ending](repeated), WORDS, draw.choice((0, 1, 3)))
    return Folder(address.replace(name, f"{name}{ending}"), {f"{name}{ending}": data})


def run_folder(folder: Folder) -> None:
    """Everything is refused, or read."""
    address = folder.address
    bounds = dict.fromkeys(("MTEVAL_MAX_BYTES", "MTEVAL_MAX_LINE"), str(MOST))
    with mock.patch.dict(os.environ, bounds), folder_of(folder.files):
        if address == "part":
            with refused():
                plan, _ = part()
                _, found = from_bytes(Path("part").read_bytes(), plan)
                if found.n_segments:
                    to_evaluation(found, plan.systems, plan.scorers(), plan.kept)
            return
        files, parsed = Files(mt.default_registry()), Address.parse(address)
        requests = [
            lambda: list(files.text(parsed)),
            lambda: read_all(files, address),
            lambda: files.scores(parsed),
            lambda: files.judgments(parsed),
        ]
        for request in requests:
            with refused():
                request()


PACKED = Target(draw_folder, run_folder)

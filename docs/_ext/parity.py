"""The tables of the page on original programs, counted from the golden tests of the plugins.

``python docs/_ext/parity.py`` writes them where all golden runs are. A test compares them with the
golden tests; without the runs on real test sets, it compares the column of shipped runs.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from mteval_testing.originals import Run
from reference import code, table

PAGE = Path(__file__).parents[1] / "parity.md"
PLUGINS = PAGE.parents[1] / "plugins"
TABLES = {
    path.stem.removeprefix("parity-"): path
    for path in sorted(PAGE.parents[1].glob("benchmarks/results/parity-*.md"))
}
"""The table of each plugin."""

PLAIN = (
    (r"^(\S+) \1", r"\1"),
    (r"^mteval-v13a\.pl -r \S+ -s \S+ -t \S+", "mteval-v13a"),
    (r"--metricsMATR-output|; segments with .*|; corpus = .*|\(raw whitespace tokens\)", ""),
    (r"hyp ref -r \d|-s -t hyp -r ref|-r ref trn -h hyp trn .*|ref < hyp|-e data|list X", ""),
    (r"-r ref.trans -h hyp.trans|-t hyp ref0 \[ref1 ...\]|-v \+s \+d|\(R,P,F\)", ""),
    (r", (?:all )?items .*| \(items .*| \(alpha .*", ""),
    (r" default(?: \(.*)?$| BLEU$", ""),
    (r"^(?:gtm java gtm|gtm-1\.4|gtm)", "GTM-1.4"),
    (r"^meteor(?: meteor)?-1\.5(?:\.jar)?", "METEOR-1.5"),
    (r"^tercom(?: java -jar tercom-0\.8\.0\.jar)?(?: 0\.8\.0)?", "tercom-0.8.0"),
    (r"^(?:rouge ROUGE-1\.5\.5\.pl|rouge-1\.5\.5)", "ROUGE-1.5.5"),
    (r"^rouge \(derived\).*: ROUGE-1\.5\.5\.pl (.*); .*", r"ROUGE-1.5.5 \1, leave-one-out"),
    (r"^(PER|WER)(?: \1)?\.pl", r"\1.pl"),
    (r"^multi-bleu\.perl", "multi-bleu"),
    (r"^sacrebleu(?: 2\.6\.0)?", "sacreBLEU-2.6.0"),
    (r"^(nltk|jiwer|py-rouge|rouge-score) (\d[\d.]+)", r"\1-\2"),
    (r"^sacreBLEU-2\.6\.0$", "sacreBLEU-2.6.0 BLEU"),
)
"""What to replace in the commands of runs, so that the same settings are written alike."""


class Row(NamedTuple):
    """Runs of one program in one setting, and why they are not compared; empty if they are."""

    program: str
    setting: str
    reason: str


def tests_of(plugin: str) -> ModuleType:
    """Import the golden tests of a plugin."""
    name = f"golden_{plugin}"
    if name not in sys.modules:
        spec = spec_from_file_location(name, PLUGINS / plugin / "tests" / "test_golden.py")
        assert spec is not None
        assert spec.loader is not None
        sys.modules[name] = module_from_spec(spec)
        spec.loader.exec_module(sys.modules[name])
    return sys.modules[name]


def row_of(run: Run, tests: ModuleType) -> Row:
    """Name the program and the setting of a run, and why it is not compared."""
    command = run.program
    for pattern, plain in PLAIN:
        command = re.sub(pattern, plain, command)
    program, _, setting = command.partition(" ")
    return Row(program, " ".join(setting.split()), tests.TestGolden().why_not(run))


def n_segments(run: Run) -> int:
    """Return how many segments a run has scores of; a run on one item has those of this one."""
    if len(run.hypotheses) == 1:
        return 1
    lengths = [0]

    def visit(printed: Any) -> None:
        if isinstance(printed, list):
            lengths.append(len(printed))
        elif isinstance(printed, dict):
            for value in printed.values():
                visit(value)

    visit(run.printed.get("segments"))
    return max(lengths)


def counts(runs: Iterable[Run], tests: ModuleType) -> dict[Row, tuple[int, int]]:
    """Count the runs of each setting, and the segments in them."""
    n_runs: Counter[Row] = Counter()
    segments: Counter[Row] = Counter()
    for run in runs:
        row = row_of(run, tests)
        n_runs[row] += 1
        segments[row] += n_segments(run)
    return {row: (n_runs[row], segments[row]) for row in sorted(n_runs)}


def parity_table(everything: Mapping[Row, tuple[int, int]], shipped: Mapping[Row, Any]) -> str:
    """Write the table of a plugin, and below it why some runs are not compared."""
    reasons = list(dict.fromkeys(row.reason for row in everything if row.reason))
    rows = [
        [
            row.program,
            code(row.setting) if row.setting else "",
            f"{runs:,}",
            f"{segments:,}",
            f"{shipped.get(row, (0, 0))[0]:,}",
            f"not compared ({reasons.index(row.reason) + 1})" if row.reason else "equal",
        ]
        for row, (runs, segments) in everything.items()
    ]
    head = ["program", "setting", "runs", "segments", "shipped", "result"]
    notes = [f"{number}. {reason}\n" for number, reason in enumerate(reasons, start=1)]
    return table(head, rows) + "\n" * bool(notes) + "".join(notes)


def filled() -> dict[Path, str]:
    """Count all tables and the summary of the page again; all golden runs must be there."""
    total: Counter[str] = Counter()
    files = {}
    for plugin, path in TABLES.items():
        tests = tests_of(plugin)
        found = counts(tests.GOLDEN.all_runs, tests)
        for row, (runs, segments) in found.items():
            total["runs" if not row.reason else "not"] += runs
            total["segments"] += segments if not row.reason else 0
        files[path] = parity_table(found, counts(tests.GOLDEN.copies, tests))
    summary = (
        f"**{total['runs']:,} runs with {total['segments']:,} scores of segments are equal; "
        f"{total['not']:,} runs are not compared.**"
    )
    page = PAGE.read_text(encoding="utf-8")
    files[PAGE] = re.sub(r"\*\*[\d,]+ runs .*?\*\*", summary, page, flags=re.DOTALL)
    return files


def shipped_column(plugin: str) -> list[int]:
    """Return the numbers of shipped runs of a plugin, as its table states them."""
    _, _, *rows = TABLES[plugin].read_text(encoding="utf-8").splitlines()
    return [int(row.rsplit(" | ", 2)[1].replace(",", "")) for row in rows if row.startswith("| ")]


if __name__ == "__main__":
    for path, text in filled().items():
        path.write_text(text, encoding="utf-8")

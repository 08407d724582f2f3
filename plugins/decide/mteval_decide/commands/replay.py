"""``mteval replay``: recompute a score from its signature, or a saved report."""

from __future__ import annotations

import os
import re
import sys
from functools import partial
from typing import TYPE_CHECKING

from mteval_core import Address, Layout, Signature, UsageError
from mteval_decide.commands.base import add_settings

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from mteval_core import Arguments, Score, Scorer, Session

__all__ = ["add_arguments", "run"]


def add_arguments(arguments: Arguments) -> None:
    """Declare the arguments of the command."""
    arguments.basic("what references -i --expect --data -q")
    arguments.add(
        "what",
        metavar="SIGNATURE|REPORT.json",
        type=signatures_of_file,
        help="a signature of mteval or sacreBLEU, or JSON that either has written; a score that "
        "stands beside the signature ('SIGNATURE = SCORE') is compared with the recomputed one",
    ).refuse(
        "a signature of systems in pairs has a score for each pair: type mteval pairwise with the "
        "same systems, options and seed, and compare",
        lambda o: "|systems:" in o.what,
    )
    arguments.add(
        "--expect",
        type=partial(printed_score, where="--expect"),
        metavar="SCORE",
        help="the score that should come out",
    ).refuse(
        "--expect applies to one signature; a report says which scores to expect: leave it out",
        lambda o: o.expect and is_report(o.what),
    )
    arguments.share("references", help="reference files (default for a report: the files it names)")
    arguments.share(
        "systems",
        help="for a signature: one system output (default: standard input); for a report: PATH or "
        "NAME=PATH of every system whose file has moved",
    ).refuse(
        "a signature needs reference files and one system: SIGNATURE REF... -i HYP",
        lambda o: (
            not is_report(o.what)
            and (not (o.references or o.data or "|nrefs:0|" in o.what) or len(o.input) > 1)
        ),
    )
    arguments.share("empty references").refuse(
        "a report says which references are missing: leave out --empty-refs",
        lambda o: is_report(o.what) and o.given("empty_refs"),
    )
    arguments.share("documents")
    arguments.share("data").refuse(
        "a report names its files: leave out --data and --fields; of files that have moved, "
        "give the texts, as in DATA::ref.NAME and -i NAME=DATA::system.NAME",
        lambda o: is_report(o.what) and (o.data or o.fields),
    )
    arguments.share("scores").refuse(
        "--scores applies to a report; scores of another program have no signature that can be "
        "replayed: leave out --scores",
        lambda o: o.scores and not is_report(o.what),
    )
    arguments.add(
        "--file",
        nargs="+",
        file="path",
        metavar="NAME=PATH",
        help="where a file is that the signature names, such as a model: NAME@HASH",
    )
    add_settings(arguments).refuse(
        "--set applies to a report; a signature may have the option, SIGNATURE|KEY:VALUE",
        lambda o: o.settings and not is_report(o.what),
    )
    arguments.share("decimals").refuse(
        "-w applies to the score of a signature; the replay of a report prints all differences: "
        "leave out -w",
        lambda o: is_report(o.what) and o.given("width"),
    )
    arguments.share("warnings")


def run(session: Session) -> int:
    """Replay a signature or a report; return 1 if a result differs."""
    from mteval_core import Option

    options = session.options
    replay = replay_report if is_report(options.what) else replay_signature
    with Option.moved_files(requested_files(options.file, options.what)):
        return replay(session)


def requested_files(values: Sequence[str], what: str) -> dict[str, str]:
    """Read the values of ``--file``.

    Raises
    ------
    UsageError
        If a value is not ``NAME=PATH``, or the signature names no such file.
    """
    parts = [value.partition("=") for value in values]
    files = {name: path for name, _, path in parts}
    for name, path in files.items():
        if not (name and path):
            raise UsageError(
                f"--file {name}: expected NAME=PATH, with the name that the signature has"
            )
        if not is_report(what) and f"{name}@" not in what.replace("\\", ""):
            raise UsageError(f"--file {name}={path}: the signature names no file {name!r}")
    return files


def is_report(what: str) -> bool:
    """Tell the path of a report from a signature."""
    return "|" not in what and (what.endswith(".json") or os.path.lexists(what))


def signatures_of_file(what: str) -> str:
    """Return what sacreBLEU wrote into a file, and anything else as it is."""
    from mteval_decide.saved import read_bounded

    data = read_bounded(what) if "|" not in what and os.path.lexists(what) else b""
    return data.decode("utf-8", "replace") if re.match(rb'\s*\[?\s*\{\s*"name"', data) else what


# Reports


def replay_report(session: Session) -> int:
    """Recompute all records and print a verdict on each."""
    from shutil import get_terminal_size

    from mteval_core import write_report
    from mteval_decide.replay import confirmed_parts, replay
    from mteval_decide.reports.changes import counts, of_changes
    from mteval_decide.saved import SavedReport

    options = session.options
    report = SavedReport.read(options.what)
    changes = replay(
        report,
        references=options.references,
        systems=session.texts.systems,
        source=options.source,
        documents=options.docs,
        scores={name: address for name, _, address in options.scores if address},
        settings=options.settings,
        registry=session.registry,
    )
    shown = of_changes(changes, lambda change: "pass" if change.same else "FAIL")
    layout = Layout(columns=get_terminal_size((100, 24)).columns or 100)  # 0 in Python 3.10
    session.show(str(write_report(shown, "text", layout, session.registry)))
    n_passed = sum(change.same for change in changes)
    what = f": {', '.join(confirmed_parts(report))}" if n_passed else ""
    session.show(f"{counts(changes, lambda change: change.same)} pass{what}")
    return 0 if n_passed == len(changes) else 1


# Signatures


def replay_signature(session: Session) -> int:
    """Recompute the scores, and report what differs from the signatures."""
    import json

    options, what = session.options, session.options.what
    if not options.input:
        session.check_stdin(["-", *(one.path for one in options.references)])
    try:
        is_list = what.lstrip().startswith("[")
        quoted = [json.dumps(one) for one in json.loads(what)] if is_list else [what]
    except ValueError as error:
        raise UsageError(f"{what[:60]!r}: not JSON ({error})") from None
    if not quoted:
        raise UsageError("the list of signatures is empty")
    return max(replay_quotation(session, one) for one in quoted)


def replay_quotation(session: Session, text: str) -> int:
    """Recompute one score."""
    from mteval_core import evaluate, metric

    options, (signature, printed) = session.options, Signature.quoted(text)
    if options.expect and printed:
        raise UsageError(
            f"--expect, and the score {printed[:40]} beside the signature: leave out one"
        )
    expected = options.expect if printed is None else printed_score(printed)
    scorer = metric(str(signature), registry=session.registry)
    session.texts.refuse_unused_source([scorer])
    if options.docs and not scorer.setup.needs_documents:
        raise UsageError(
            f"--docs applies to a report; as a signature, {scorer.spec} needs no documents: leave "
            f"out --docs"
        )
    ((name, addresses),) = session.texts.systems.items() or (("stdin", (Address("-"),)),)
    systems, test_set = {name: session.texts.output(addresses[0])}, session.texts.references.texts
    evaluation = evaluate(systems, test_set, [scorer], registry=session.registry)
    score = evaluation.score(name, str(scorer.spec))
    session.show(score.format(options.width))
    for note in different_versions(signature, scorer):
        sys.stderr.write(f"mteval: note: {Layout.printable(note)}\n")
    differences = [*different_texts(signature, score.signature)]
    if expected:
        differences += different_score(expected, score, signature, scorer.declaration.tolerance)
    for difference in differences:
        sys.stderr.write(f"mteval: replay failed: {Layout.printable(difference)}\n")
    if options.expect and not differences:
        session.show(f"{expected} comes out")
    return 1 if differences else 0


def different_texts(signature: Signature, now: Signature) -> Iterator[str]:
    """Say how references and source differ from those of the signature."""
    what = {
        "nrefs": "number of references",
        "refs": "hash of the references",
        "src": "hash of the source",
        "docs": "hash of the documents",
        "columns": "hash of the columns",
    }
    for key, name in what.items():
        if (signed := signature.get(key)) not in (None, now.get(key)):
            yield f"the {name} was {signed}, now it is {now.get(key)}"


def printed_score(text: str, where: str = "beside the signature") -> str:
    """Return the score at the beginning of what stands beside a signature, or after a flag.

    Raises
    ------
    UsageError
        If it does not begin with a score.
    """
    if not (number := re.match(r"-?[0-9]+(\.[0-9]+)?(?=\s|$)", text)):
        raise UsageError(f"{where}: expected a score, such as 27.14, got {text!r}")
    return number[0]


def different_score(
    printed: str, score: Score, signature: Signature, tolerance: float
) -> Iterator[str]:
    """Say how the score differs from the printed one."""
    digits = len(printed.partition(".")[2])
    now = [f"{score.score:.{digits}f}"]
    if signature.get("plugin") is None and (signature.get("version") or "").startswith("1."):
        # sacreBLEU 1.x prints chrF and TER as fractions.
        now.append(f"{score.score / 100:.{digits}f}")
    # Within the tolerance, the last digit may be rounded to the other side.
    allowed = tolerance * max(1.0, abs(score.score)) + 0.5 * 10**-digits
    is_close = tolerance > 0 and abs(float(printed) - score.score) <= allowed
    if printed not in now and not is_close:
        yield f"the score was {printed}, now it is {now[0]}"


def different_versions(signature: Signature, scorer: Scorer) -> Iterator[str]:
    """Say which versions differ from those of the signature."""
    if not signature.name:
        yield f"the signature does not name its metric; it is read as {scorer.spec}"
    if signature.get("plugin") is None:  # another program's
        return
    now = scorer.signature()
    for key in signature.SOFTWARE:
        if signature.get(key) != now.get(key):
            yield f"{key} was {signature.get(key)}, now it is {now.get(key)}"

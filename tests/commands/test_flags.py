"""Flags: which are taken, how they add up, and what is said of those that mean nothing here."""

from __future__ import annotations

import re
from importlib import import_module
from typing import TYPE_CHECKING, Any

import pytest

import mteval_core as mt
from mteval_core.commands.main import main, preceding_parser
from mteval_core.commands.parser import CommandParser, command_parsers
from mteval_core.plugin.catalogue import foreign_flags

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from mteval_core.commands.arguments import Options

    Parsed = Callable[..., Options]
    Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsysbinary: pytest.CaptureFixture[bytes]) -> Run:
    """Run a command in this process: exit code, output, errors."""

    def command(*arguments: str | Path) -> tuple[int, str, str]:
        code = main([str(argument) for argument in arguments])
        out, err = capsysbinary.readouterr()
        return code, out.decode(), err.decode()

    return command


PARSERS = {parser.command: parser for parser in command_parsers(mt.default_registry())}


def flags_of(command: str) -> list[str]:
    return [flag for action in PARSERS[command]._actions for flag in action.option_strings]


# Lists


@pytest.mark.parametrize(
    ("arguments", "name", "values"),
    [
        (["score", "r", "-m", "a", "-m", "b", "c"], "metrics", ["a", "b", "c"]),
        (["score", "r", "-i", "x", "-m", "a", "-i", "y"], "input", ["x", "y"]),
        (["score", "r"], "input", ["-"]),
        (["score", "r", "-r", "s", "-r", "t"], "references", ["r", "s", "t"]),
        (["score", "-r", "s", "t", "-i", "x"], "references", ["s", "t"]),
        (["score", "-i", "x", "--refs", "s"], "references", ["s"]),
        (["correlate", "r", "-i", "s", "--human", "a", "--human", "b"], "human", ["a", "b"]),
        (
            ["correlate", "r", "-i", "s", "--human", "a", "--criteria", "b", "--criteria", "c"],
            "criteria",
            ["b", "c"],
        ),
        (["correlate", "r", "--human", "a", "-r", "s", "-i", "x"], "references", ["r", "s"]),
        (["replay", "x.json", "-i", "a", "-i", "b"], "input", ["a", "b"]),
        (["replay", "x.json", "r", "-r", "s"], "references", ["r", "s"]),
        (["score", "r", "-o", "a.csv", "--output", "b.json"], "output", ["a.csv", "b.json"]),
    ],
)
def test_a_repeated_list_flag_adds(
    parsed: Parsed, arguments: list[str], name: str, values: list[str]
) -> None:
    assert list(map(str, getattr(parsed(*arguments), name))) == values


def test_a_repeated_flag_before_the_command_adds() -> None:
    line = preceding_parser().parse_args(["-p", "no:a", "-p", "b.py", "list", "-p"])
    assert (line.plugins, line.command, line.words) == (["no:a", "b.py"], "list", ["-p"])


def test_values_do_not_stay_for_the_next_command() -> None:
    parser = CommandParser(mt.default_registry().find(mt.CommandSpec, "score"))
    parser.options(["r", "-m", "a", "-i", "x"])
    options = parser.options(["r"])
    assert (options.metrics, list(map(str, options.input))) == ([], ["-"])


def test_repeated_metrics_are_all_scored(run: Run, mini: Path) -> None:
    pytest.importorskip("mteval_bleu_nist")
    command = [mini / "ref0.txt", "-i", mini / "systems" / "deep.txt"]
    together = run("score", *command, "-m", "bleu", "nist", "-f", "json")
    assert run("score", *command, "-m", "bleu", "-m", "nist", "-f", "json") == together
    references = ["-r", command[0], *command[1:]]
    assert run("score", "-m", "bleu", "-m", "nist", "-f", "json", *references) == together


@pytest.mark.parametrize(
    "arguments",
    [
        ["--tok", "13a", "--tok", "char"],
        ["-lc", "--case", "mixed"],
        ["-sl", "--level", "doc"],
        ["-w", "3", "-w4"],
        ["--seed=1", "--seed", "2"],
        ["-par", "-pbs"],
    ],
)
def test_two_flags_for_one_value_are_refused(parsed: Parsed, arguments: list[str]) -> None:
    with pytest.raises(mt.UsageError, match=r" set the same value: leave one out\. See '"):
        parsed("score", "ref", *arguments)


def test_a_switch_may_be_repeated(parsed: Parsed) -> None:
    assert parsed("score", "ref", "-b", "-b", "-ci", "--confidence", "-bq").quiet


# Abbreviations


@pytest.mark.parametrize("command", list(PARSERS))
def test_no_flag_can_be_abbreviated(parsed: Parsed, command: str) -> None:
    flags = flags_of(command)
    for flag in flags:
        for size in {2, 3, len(flag) // 2, len(flag) - 1} & {*range(2, len(flag))}:
            short = flag[:size]
            takes_a_value = not short.startswith("--") and short[:2] in flags
            if short not in flags and short != "--" and not takes_a_value:
                with pytest.raises(mt.UsageError) as caught:
                    parsed(command, short)
                assert f"{short}" in str(caught.value)


def test_a_value_may_follow_a_short_flag_directly(parsed: Parsed) -> None:
    options = parsed("score", "ref", "-w4", "-fjson", "-ix", "-ci", "--seed=5")
    assert (options.width, options.format, options.seed) == (4, "json", 5)
    assert list(map(str, options.input)) == ["x"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["score", "r", "--lvel"], "unknown flag --lvel. Did you mean --level or"),
        (["score", "r", "--sed=4"], "unknown flag --sed. Did you mean --seed or"),
        (["score", "r", "-zzz"], "unknown flag -zzz. See 'mteval score --help'."),
        (["score", "r", "-p", "no:x"], "-p precedes the command: mteval -p no:NAME COMMAND. See"),
        (
            ["score", "r", "-lc", "r2"],
            "unexpected argument 'r2': write all references before the first flag, or after -r.",
        ),
        (["list", "metrics", "tokenizers"], "unexpected argument 'tokenizers'. See 'mteval list"),
        (["list", "-t"], "unknown flag -t. See 'mteval list --help'."),
    ],
)
def test_unknown_flags(run: Run, arguments: list[str], message: str) -> None:
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert err.startswith(f"mteval: error: {message}")


# Flags of other programs

ANSWERS = foreign_flags()


def test_every_flag_of_sacrebleu_is_taken_or_answered() -> None:
    parser = import_module("sacrebleu.sacrebleu").parse_args
    pytest.importorskip("sacrebleu")
    source = import_module("inspect").getsource(parser)
    names = set(re.findall(r"'(--?[a-zA-Z][\w-]*)'", source))
    assert len(names) > 60
    assert names - set(flags_of("score")) - set(ANSWERS) == set()


def test_no_answer_is_for_a_flag_of_ours() -> None:
    assert set(ANSWERS) & {*flags_of("score"), *flags_of("correlate")} == set()


@pytest.mark.parametrize("flag", sorted(ANSWERS))
def test_flags_of_other_programs_are_answered(parsed: Parsed, flag: str) -> None:
    for command in ("score", "correlate"):
        with pytest.raises(mt.UsageError) as caught:
            parsed(command, "ref", flag, "value")
        assert str(caught.value).startswith(f"{flag} {ANSWERS[flag]}")


def spec_answers() -> list[str]:
    """Specs that the answers tell users to type."""
    answers = " ".join(ANSWERS.values())
    return sorted(set(re.findall(r"(?:-m |or )([a-z]+(?:-[a-z]+)?:[\w=,\[\].-]+\w\]?)", answers)))


def test_there_are_specs_in_the_answers() -> None:
    assert {"chrf:nw=2", "ter:punct=no", "bleu:smooth=exp"} <= set(spec_answers())


@pytest.mark.parametrize("spec", spec_answers())
def test_what_an_answer_says_to_type_is_a_metric(spec: str) -> None:
    for package in ("bleu_nist", "chrf", "error_rates", "rouge"):
        pytest.importorskip(f"mteval_{package}")
    if spec.startswith("comet"):
        pytest.importorskip("comet")
    assert str(mt.metric(spec).spec) == spec


# Order


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["-m", "bleu", "ref.txt", "-i", "sys.txt"],
            "'ref.txt' follows -m, but is a file: write mteval score ref.txt -i sys.txt -m bleu",
        ),
        (
            ["-i", "sys.txt", "ref.txt"],
            "no references: -i takes every word that follows it, also 'ref.txt'. References come "
            "first, or after -r: write mteval score REF... -i sys.txt ref.txt -m METRIC...",
        ),
        (
            ["ref.txt", "-m", "bleu", "sys.txt"],
            "'sys.txt' follows -m, but is a file: write mteval score ref.txt -i SYS... -m bleu",
        ),
        (["-i", "sys.txt"], "no references: write mteval score REF... -i sys.txt -m METRIC..."),
        ([], "no references: write mteval score REF... -i SYS... -m METRIC..."),
    ],
)
def test_words_in_the_wrong_order(
    run: Run,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    message: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("ref.txt", "sys.txt"):
        (tmp_path / name).write_text("a b\n")
    assert run("score", *arguments) == (2, "", f"mteval: error: {message}\n")


# Combinations

CONFLICTS = [
    (["--fields", "hyp=a"], "--fields hyp=a: fields of a data set need --data FILE"),
    (["--engine", "local"], "--engine local reads all texts from the fields of --data"),
    (["-sl", "-pbs"], "only scores of the corpus have intervals and tests: leave them out"),
    (["--level", "segment", "-ci"], "only scores of the corpus have intervals"),
    (
        ["--level", "doc", "--docs", "d", "-ci", "-n", "9"],
        "only scores of the corpus have intervals",
    ),
    (["-n", "5"], "-n applies to resamples: add -ci or -pbs"),
    (["-cin", "5", "-par"], "-n applies to resamples: add -ci or -pbs"),
    (["--trials", "5", "-ci"], "--trials applies to approximate randomisation: add -par"),
    (["--trials", "5", "-pbs"], "--trials applies to approximate randomisation: add -par"),
    (["--correct", "bh"], "--correct applies to tests"),
    (["--correct", "holm", "-ci"], "--correct applies to tests"),
    (
        ["--correct", "maxt", "-par"],
        "--correct maxt needs resamples that all pairs of systems share",
    ),
    (["--correct", "maxt", "--all-pairs"], "--correct maxt needs resamples that all pairs"),
    (["--margin", "1", "-par"], "--margin needs resamples of the difference: test with -pbs"),
    (["--margin", "1"], "--margin needs resamples of the difference"),
    (["--margin", "1", "-pbs", "--correct", "maxt"], "--margin makes one-sided tests, which --cor"),
    (["-b", "-pbs"], "the format scores has no p-values: choose another, or leave"),
    (["-f", "scores", "--all-pairs"], "the format scores has no p-values"),
    (["-b", "-f", "json"], "-b and -f set the same value: leave one out"),
    (["-b", "-o", "x.json"], "-b chooses the format scores, but the ending of -o x.json is that"),
    (["-b", "--sort", "BLEU"], "--sort changes tables, and the format scores has none"),
    (["-b", "--signatures", "none"], "--signatures changes tables, and the format scores"),
    (["--marks", "best"], "--marks applies to tests: add -par, -pbs or --all-pairs"),
    (["--marks", "letters", "-par"], "--marks letters needs a test of every pair of systems"),
    (
        ["--marks", "letters", "--all-pairs", "-i", *(f"s{n}" for n in range(27))],
        "letters end at z: with more than 26 systems, show their ranks, --marks ranks",
    ),
    (["--marks", "ranks", "-par"], "--marks ranks needs a test of every pair of systems"),
    (["-sl", "--transpose"], "--transpose applies to scores of the corpus: leave it out"),
    (["--resampler", "bootstrap"], "--resampler applies to intervals and tests"),
    (["--by", "segment"], "--by applies to intervals and tests"),
    (["--seed", "12345"], "--seed applies to intervals and tests"),
    (["--ci-level", "90"], "--ci-level applies to intervals and tests"),
    (["--interval", "basic"], "--interval applies to intervals and tests"),
    (["--level", "doc"], "documents need --docs FILE"),
    (["--by", "doc", "-ci"], "documents need --docs FILE"),
    (["--docs", "d"], "--docs applies to documents: add --level doc"),
    (["--docs", "d", "-ci"], "--docs applies to documents: add --level doc"),
    (["--sets", "case", "-lc"], "--sets chooses case and stemmer"),
    (["--sets", "case,nocase", "--stem", "porter"], "--sets chooses case and stemmer: leave out"),
]


@pytest.mark.parametrize(("arguments", "message"), CONFLICTS)
def test_flags_without_effect_are_refused(run: Run, arguments: list[str], message: str) -> None:
    code, out, err = run("score", "ref", "-i", "sys", *arguments)
    assert (code, out) == (2, "")
    assert err.startswith(f"mteval: error: {message}")


def test_every_conflict_is_tested() -> None:
    tested = [message for _, message in CONFLICTS]
    for message, _ in PARSERS["score"].conflicts:
        start = re.split(r"[{:]", message)[0]
        assert any(one.startswith(start[:20]) for one in tested), message


@pytest.mark.parametrize("form", ["json", "jsonl", "csv", "tsv", "parquet"])
@pytest.mark.parametrize("flags", [["--sort", "BLEU"], ["--values"], ["--caption", "Scores"]])
def test_flags_of_tables_are_refused_by_formats_without_tables(
    run: Run, form: str, flags: list[str]
) -> None:
    code, out, err = run("score", "ref", "-i", "sys", "-f", form, *flags)
    assert (code, out) == (2, "")
    flag = flags[0]
    assert err.startswith(f"mteval: error: {flag} changes tables, and the format {form} has none")


@pytest.mark.parametrize("form", ["text", "markdown", "json", "jsonl"])
def test_wide_is_for_formats_of_rows(run: Run, form: str) -> None:
    code, out, err = run("score", "ref", "-i", "sys", "-f", form, "--wide")
    assert (code, out) == (2, "")
    assert err.startswith(f"mteval: error: --wide changes rows, and the format {form} has none")


@pytest.mark.parametrize("form", ["json", "csv"])
@pytest.mark.parametrize("flags", [["-w", "3"], ["--digits=3"], ["--rename", "bleu=B"]])
def test_records_are_not_rounded_and_have_no_names(run: Run, form: str, flags: list[str]) -> None:
    code, out, err = run("score", "ref", "-i", "sys", "-f", form, *flags)
    assert (code, out) == (2, "")
    flag = flags[0].partition("=")[0]
    assert err.startswith(f"mteval: error: {flag} changes tables, and the format {form} has none")


# Values


@pytest.mark.parametrize("flag", ["--seed", "--trials", "-cin", "-w", "--ci-level", "--threads"])
@pytest.mark.parametrize(
    "value", ["-1", "x", "", "1_0", " 1", "٣", "inf", "nan", "1e400", "9" * 5000, "99999999999.5"]
)
def test_numbers_are_read_by_one_grammar(run: Run, flag: str, value: str) -> None:
    code, out, err = run("score", "ref", "-i", "sys", "-ci", "-par", f"{flag}={value}")
    assert (code, out) == (2, "")
    assert "expected a " in err


@pytest.mark.parametrize(
    ("flag", "value"),
    [
        ("--trials", "0"),
        ("--threads", "0"),
        ("--threads", "1025"),
        ("-cin", "0"),
        ("--trials", "10000000"),
        ("-w", "99999999999"),
    ],
)
def test_numbers_have_limits(run: Run, flag: str, value: str) -> None:
    code, _, err = run("score", "ref", "-i", "sys", "-par", flag, value)
    assert (code, "from " in err) == (2, True)


def test_intervals_and_a_paired_bootstrap_use_the_same_resamples(run: Run, mini: Path) -> None:
    pytest.importorskip("mteval_bleu_nist")
    systems = sorted((mini / "systems").glob("*.txt"))
    command = ["score", mini / "ref0.txt", "-m", "bleu", "-f", "json", "-i", *systems]
    for flags, n in (
        (["-ci", "-pbs"], 1000),
        (["-ci", "-pbs", "--all-pairs"], 2000),
        (["-ci", "-pbs", "-n", "300"], 300),
        (["-cin", "300", "-pbs"], 300),
    ):
        code, out, _ = run(*command, *flags, "-q")
        assert code == 0
        assert f'"n": {n}' in out
        assert f'"trials": {n}' in out
        assert f"|bs:{n}|seed:12345|" in out


# A terminal


@pytest.mark.parametrize(("flags", "seen"), [([], True), (["-q"], False)])
def test_on_a_terminal_score_says_that_it_reads_standard_input(
    flags: list[str], files: Callable[..., list[str]], terminal: Callable[..., Any], *, seen: bool
) -> None:
    pytest.importorskip("mteval_error_rates")
    (reference,) = files(ref="a b\n")
    done = terminal("score", reference, "-m", "wer", "-b", *flags, typed=b"a b\n\x04")
    assert done.code == 0, done.out
    assert "0.00" in done.out
    assert ("mteval: reading standard input, one segment per line" in done.out) is seen


def test_commands_share_their_flags() -> None:
    for command in ("score", "correlate", "replay"):
        assert {"-r", "--refs", "-i", "--strict", "-q", "--empty-refs"} <= set(flags_of(command))

"""The configuration file: where it is found, which defaults it gives, and what it may not say."""

from __future__ import annotations

import hashlib
import json
import os
import re
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mteval_core as mt
from mteval_core.commands.configuration import Configuration, flags, take
from mteval_core.commands.main import main
from mteval_core.commands.parser import CommandParser, command_parsers

if TYPE_CHECKING:
    from collections.abc import Callable

    from mteval_core.commands.arguments import Options

    Parsed = Callable[..., Options]
    Run = Callable[..., tuple[int, str, str]]

PARSERS = {parser.command: parser for parser in command_parsers(mt.default_registry())}

STUDY = ("ref", "-i", "sys", "--human", "x")
"""The words that mteval correlate needs."""

FILE = """
metrics = ["matches"]
seed = 7
paired-ar = true

[score]
digits = 3

[presets.paper]
paired-bs = true

[presets.paper.score]
digits = 1
format = "latex"
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a folder of a project."""
    place = tmp_path / "project" / "inner"
    place.mkdir(parents=True)
    monkeypatch.chdir(place)
    return place


@pytest.fixture
def run(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    plugin: Callable[..., Any],
    matches: mt.MetricSpec,
    capsysbinary: pytest.CaptureFixture[bytes],
) -> Run:
    """Run a command on two texts with the metric ``matches``: exit code, output, errors."""
    registry = mt.load_registry([plugin(metrics=[matches])])
    monkeypatch.setattr("mteval_core.plugin.loading.default_registry", lambda *_: registry)
    (folder / "ref").write_text("a b c\nd e f\n")
    (folder / "sys").write_text("a b x\nd e f\n")

    def command(*arguments: str) -> tuple[int, str, str]:
        code = main(arguments)
        out, err = capsysbinary.readouterr()
        return code, out.decode(), err.decode()

    return command


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> Parsed:
    """Parse a command line, and return the options that the command would run with."""
    seen: list[Options] = []
    for module in (
        "mteval_core.commands.score",
        "mteval_mbr.command",
        "mteval_metaeval.commands.correlate",
    ):
        monkeypatch.setattr(f"{module}.run", lambda session: seen.append(session.options))
    monkeypatch.setenv("MTEVAL_TRACEBACK", "1")

    def options(*arguments: str) -> Options:
        assert main(arguments) == 0
        return seen.pop()

    return options


def write(place: Path, text: str, name: str = "mteval.toml") -> None:
    (place / name).write_text(text)


def test_special_tables_win_over_general_ones_and_flags_over_all(
    parsed: Parsed, folder: Path
) -> None:
    write(folder.parent, FILE)
    keys = ("metrics", "seed", "test", "width", "format")

    def values(*arguments: str) -> list[Any]:
        return [getattr(parsed(*arguments), key) for key in keys]

    assert values("score", "ref") == [["matches"], 7, "ar", 3, None]
    assert values("--preset", "paper", "score", "ref") == [["matches"], 7, "bs", 1, "latex"]
    assert values("--preset", "paper", "score", "ref", "-par", "-m", "x", "-m", "y", "-w2") == [
        ["x", "y"],
        7,
        "ar",
        2,
        "latex",
    ]
    assert values("--no-config", "score", "ref") == [[], 12345, None, 2, None]
    options = parsed("score", "ref", "--seed", "1")
    assert (options.given("seed"), options.given("metrics")) == (True, False)
    assert (options.configured("seed"), options.configured("metrics")) == (False, True)
    assert parsed("correlate", *STUDY).width == 2


def test_false_and_an_empty_list_stand_for_no_default(parsed: Parsed, folder: Path) -> None:
    write(folder, FILE + "metrics = []\nseed = 9\nvalues = false\npaired-ar = false")
    arguments = parsed("--preset", "paper", "score", "ref")
    assert (arguments.metrics, arguments.seed, arguments.test) == ([], 9, "bs")
    write(folder, "digits = 0")
    assert parsed("score", "ref").width == 0
    write(folder, "paired-ar = true\n[score]\npaired-ar = false")
    assert parsed("score", "ref").test is None
    write(folder, "paired-bs = true\npaired-ar = false")
    assert parsed("score", "ref").test == "bs"


def test_a_default_may_be_for_another_command(parsed: Parsed, folder: Path) -> None:
    write(folder, '[correlate]\nlevel = "system"\n[explain]\nworst = 3')
    assert parsed("score", "ref").config is None
    assert parsed("correlate", *STUDY).level == "system"
    write(folder, "calibrate = true\nworst = 3")
    assert parsed("score", "ref").config is None
    assert parsed("correlate", *STUDY).calibrate
    write(folder, "calibrate = true\nlin-och = true")
    with pytest.raises(mt.UsageError, match="calibrate and lin-och exclude each other"):
        parsed("correlate", *STUDY)


def test_a_default_of_all_commands_is_one_that_each_of_them_takes(
    parsed: Parsed, folder: Path
) -> None:
    write(folder, 'level = "system"')
    assert parsed("correlate", *STUDY).level == "system"
    with pytest.raises(mt.UsageError, match=r"--level: .*'system'.*--level stands in mteval"):
        parsed("score", "ref")
    assert parsed("score", "ref", "--level", "segment").level == "segment"


def test_a_default_satisfies_a_command_that_requires_the_flag(parsed: Parsed, folder: Path) -> None:
    write(folder, '[mbr]\nmetric = "bleu"')
    assert parsed("mbr", "lists").metric == "bleu"


def test_the_nearest_file_is_found(parsed: Parsed, folder: Path) -> None:
    write(folder.parent, "seed = 1")
    assert parsed("score", "r").seed == 1
    for content in ("[project]\nname = 'mteval-x'", "tool = 'mteval'"):
        write(folder, content, "pyproject.toml")
        assert parsed("score", "r").seed == 1
    write(folder, "[tool.mteval]\nseed = 2\n[tool.mteval.correlate]\nseed = 3", "pyproject.toml")
    assert (parsed("score", "r").seed, parsed("correlate", *STUDY).seed) == (2, 3)
    assert parsed("--config", "../mteval.toml", "score", "r").seed == 1
    write(folder, "")
    with pytest.raises(
        mt.UsageError, match=r"mteval\.toml and \[tool\.mteval\] in .* expected one"
    ):
        parsed("score", "r")


@pytest.mark.parametrize("flag", ["-h", "--help"])
def test_help_is_shown_whatever_the_file_says(
    folder: Path, flag: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "mteval.toml").write_text("[score]\nunknown = 1\n")
    with pytest.raises(SystemExit, match="0"):
        main(["score", flag])
    assert capsys.readouterr().out.startswith("usage: mteval score")


def test_without_a_file_the_parser_of_toml_is_not_imported(
    parsed: Parsed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "tomllib" if sys.version_info >= (3, 11) else "tomli", None)
    assert parsed("score", "r").config is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("metrcs = ['x']", "mteval.toml: unknown key 'metrcs'. Did you mean 'metrics'"),
        ("[score]\nmetrcs = []", "mteval.toml [score]: unknown key 'metrcs'. Did you mean"),
        ("[score]\nhuman = ['x']", "mteval.toml [score]: unknown key 'human'."),
        ("[scor]\nseed = 1", "mteval.toml [scor]: unknown table. Did you mean 'score'"),
        ("[presets.a.b]\nseed = 1", "mteval.toml [presets.a.b]: unknown table."),
        ("presets = 3", "mteval.toml [presets]: expected a table, got 3"),
        ("[presets]\na = 3", "mteval.toml [presets.a]: expected a table, got 3"),
        ("names = 3", "mteval.toml [names]: expected a table, got 3"),
        ("[names]\na = 3", "mteval.toml [names]: a: expected a distribution, got 3"),
        ("seed = []", "mteval.toml: seed: expected one value, got []"),
        ("[score]\nsource = 'x'", "mteval.toml [score]: source names files, which belong"),
        (
            "[score]\nrefs = ['x']",
            "mteval.toml [score]: refs names files, which belong on the command line",
        ),
        ("ci = true", "mteval.toml: unknown key 'ci': write confidence, the long name of -ci"),
        ("help = true", "mteval.toml: unknown key 'help'"),
        ("seed = true", "mteval.toml: seed: expected one value, got True"),
        ("seed = 2026-11-23", "mteval.toml: seed: expected one value, got datetime.date"),
        ("metrics = 'x'", "mteval.toml: metrics: expected a list, got 'x'"),
        ("metrics = [true]", "mteval.toml: metrics: expected a list, got [True]"),
        ("values = 'yes'", "mteval.toml: values: expected true or false, got 'yes'"),
        (
            "paired-ar = true\npaired-bs = true",
            "mteval.toml: paired-ar and paired-bs exclude each other",
        ),
        ("tok = 'a'\ntokenize = 'b'", "mteval.toml: tok and tokenize exclude each other"),
        ("seed = ", "mteval.toml: not TOML: Invalid value"),
        ("seed = 1\nseed = 1", "mteval.toml: not TOML: "),
    ],
)
def test_what_is_not_a_default_is_refused(
    parsed: Parsed, folder: Path, text: str, message: str
) -> None:
    write(folder, text)
    with pytest.raises((mt.UsageError, mt.InputError)) as caught:
        parsed("score", "ref")
    assert str(caught.value).startswith(message)


def test_a_file_that_does_not_fit_in_memory_is_an_input_error(
    parsed: Parsed, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(folder, "seed = 1")

    read = Path.read_bytes

    def read_bytes(path: Path) -> bytes:
        if path.name == "mteval.toml":
            raise MemoryError
        return read(path)

    monkeypatch.setattr(Path, "read_bytes", read_bytes)
    with pytest.raises(mt.InputError, match=r"mteval\.toml: out of memory"):
        parsed("score", "ref")


@pytest.mark.parametrize(
    ("text", "problem", "place"),
    [
        ("seed = 1.5", "--seed: expected a whole number, 0 or more, got '1.5'", "mteval.toml"),
        ("[score]\nseed = 'x'", "--seed: expected", "mteval.toml [score]"),
        ("by = 'word'", "--by: invalid choice: 'word'", "mteval.toml"),
    ],
)
def test_a_value_that_the_flag_does_not_take_is_refused(
    parsed: Parsed, folder: Path, text: str, problem: str, place: str
) -> None:
    write(folder, text)
    with pytest.raises(mt.UsageError) as caught:
        parsed("score", "ref")
    assert str(caught.value).startswith(f"argument {problem}")
    assert f"({problem.partition(':')[0]} stands in {place}; --no-config" in str(caught.value)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--preset", "papr", "score"], "--preset papr: unknown preset of mteval.toml. Did you"),
        (["--no-config", "--preset", "paper", "score"], "--no-config reads no file"),
        (["--config", "none.toml", "score"], "none.toml: no such file"),
        (["--config", "\ud800", "score"], "--config '\\ud800': a name cannot contain"),
        (["score", "--preset", "paper"], "--preset precedes"),
    ],
)
def test_wrong_requests_of_a_file(
    parsed: Parsed, folder: Path, arguments: list[str], message: str
) -> None:
    write(folder, FILE)
    with pytest.raises((mt.UsageError, mt.InputError)) as caught:
        parsed(*arguments)
    assert str(caught.value).startswith(message)


def test_a_preset_needs_a_file(parsed: Parsed) -> None:
    with pytest.raises(mt.UsageError, match=r"--preset x: no configuration file: neither this"):
        parsed("--preset", "x", "score")


def test_reports_say_which_defaults_they_took(run: Run, folder: Path) -> None:
    write(folder, 'metrics = ["matches"]\nseed = 7\n[score]\nrename = ["bleu=B"]')
    score = ["score", "ref", "-i", "sys"]
    code, out, err = run(*score)
    said = "mteval.toml sets --metrics matches --seed 7 --rename bleu=B"
    assert (code, err) == (0, f"mteval: {said}\n")
    assert f"! {said}.\n" in out
    assert run(*score, "-q")[2] == f"mteval: {said}\n"
    assert run("--config", "mteval.toml", *score, "-q")[2] == ""
    assert run(*score, "-o", "report.json")[0] == 0
    digest = hashlib.sha256((folder / "mteval.toml").read_bytes()).hexdigest()
    assert json.loads(Path("report.json").read_text("utf-8"))["config"] == {
        "path": "mteval.toml",
        "sha256": digest,
        "preset": None,
        "values": {"metrics": ["matches"], "seed": 7, "rename": ["bleu=B"]},
    }
    _, out, _ = run("--no-config", *score, "-m", "matches", "-f", "json")
    assert "config" not in json.loads(out)


def test_flags_without_effect_may_be_defaults_but_not_contradictions(
    run: Run, folder: Path
) -> None:
    write(folder, 'metrics = ["matches"]\ntrials = 9\nmarks = "baseline"\ntok = "13a"')
    assert run("score", "ref", "-i", "sys", "--lang", "en", "-f", "json")[0] == 0
    assert run("score", "ref", "-i", "sys", "-f", "json")[0] == 0
    write(folder, 'metrics = ["matches:tok=char"]\ntok = "13a"')
    assert run("score", "ref", "-i", "sys")[0] == 0
    write(folder, 'metrics = ["matches:tok=char"]\ncase = "lc"\n[score]\ntok = "13a"')
    _, out, _ = run("score", "ref", "-i", "sys")
    assert "|case:lc|tok:char|" in out
    write(folder, 'metrics = ["matches"]\nconfidence = true\nmargin = 1.5')
    code, _, err = run("score", "ref", "-i", "sys")
    assert code == 2
    assert "--margin needs resamples" in err
    assert err.endswith(
        "(--margin stands in mteval.toml; --no-config leaves out the defaults of mteval.toml)\n"
    )
    write(folder, 'sets = "case"')
    code, _, err = run("score", "--engine", "x", "--data", "d", "-m", "matches")
    assert (code, "--sets stands in mteval.toml" in err) == (2, True)


def test_the_ending_of_the_output_wins_over_the_format_of_the_file(run: Run, folder: Path) -> None:
    write(folder, 'format = "latex"')
    assert run("score", "ref", "-i", "sys", "-m", "matches", "-o", "x.csv")[0] == 0
    assert (folder / "x.csv").read_text().startswith("system,metric,")


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda one: st.lists(one, max_size=3) | st.dictionaries(st.text(max_size=3), one, max_size=2),
)


@given(st.sampled_from([name for name in PARSERS if flags(PARSERS[name])]), st.data())
def test_any_value_is_a_default_or_an_error_that_names_its_place(
    command: str, data: st.DataObject
) -> None:
    parser = CommandParser(mt.default_registry().find(mt.CommandSpec, command))
    key, value = data.draw(st.sampled_from(sorted(flags(parser)))), data.draw(VALUES)
    config = Configuration("x.toml", "", {command: {key: value}})
    taken = refused = None
    try:
        taken = take(config, parser, (), list)
        with taken.blaming() if taken else nullcontext():
            parser.check_words(taken.words if taken else ())
    except mt.UsageError as error:
        refused = str(error)
    if refused is not None:
        assert re.match(rf"x\.toml \[{command}\]: {key}: expected ", refused) or (
            f"--{key} stands in x.toml [{command}]; " in refused
        )
    elif taken is None:
        assert value is False or value == []
    else:
        assert [default.value for default in taken.defaults] == [value]


# A file that nobody named


def test_a_found_file_does_not_hide_what_it_changes(run: Run, folder: Path) -> None:
    write(folder, 'quiet = true\nmetrics = ["matches"]\nseed = 7')
    for form in ("text", "csv", "scores"):
        code, _, err = run("score", "ref", "-i", "sys", "-f", form)
        assert (code, "mteval: mteval.toml sets --metrics matches --seed 7\n" in err) == (0, True)
    named = run("--config", "mteval.toml", "score", "ref", "-i", "sys", "-b")
    assert (named[0], named[2]) == (0, "")


def test_a_found_file_hides_no_message(run: Run, folder: Path) -> None:
    write(folder, "[score]\nquiet = true")
    command = ["score", "ref", "-i", "sys", "-m", "matches"]
    code, _, err = run(*command)
    assert code == 2
    assert "does not apply unless you name the file: mteval --config mteval.toml" in err
    assert "does not apply" not in run("--config", "mteval.toml", *command)[2]


def test_a_found_file_names_no_files(run: Run, folder: Path) -> None:
    (folder / "model").mkdir()
    write(folder, 'metrics = ["matches:model=model"]')
    code, _, err = run("score", "ref", "-i", "sys")
    assert (code, "metrics: model is a file" in err) == (2, True)
    assert (
        "is a file or folder" not in run("--config", "mteval.toml", "score", "ref", "-i", "sys")[2]
    )


def test_the_search_ends_with_the_repository_and_before_folders_of_others(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(folder.parent, 'metrics = ["matches"]')
    score = ["score", "ref", "-i", "sys", "-m", "matches"]
    assert "sets" in run("score", "ref", "-i", "sys")[2]
    stat = Path.stat
    with monkeypatch.context() as patch:

        def of_another(path: Path, **settings: Any) -> Any:
            found = stat(path, **settings)
            owner = found.st_uid + (path == folder.parent)
            return os.stat_result((*found[:4], owner, *found[5:10]))

        patch.setattr(Path, "stat", of_another)
        assert run(*score)[2] == ""
    (folder / ".git").mkdir()
    assert run(*score)[2] == ""
    write(folder, "seed = 7")
    assert "mteval.toml sets --seed 7" in run(*score)[2]


SHARED_NAME = """
import mteval_core as mt

def tok(text):
    return {tokens}

@mt.hookimpl
def mteval_register_tokenizers():
    return [mt.TokenizerSpec("shared", function=tok)]
"""


@pytest.mark.parametrize("score", ["50.00", "25.00"])
def test_the_file_says_whose_a_name_is_that_unknown_plugins_share(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    score: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ref").write_text("ab cd\n")
    (tmp_path / "sys").write_text("ab ce\n")
    tokens = ("text.split()", "[*text.replace(' ', '')]")
    for name, code in zip("xy", tokens, strict=True):
        (tmp_path / f"{name}.py").write_text(SHARED_NAME.format(tokens=code))
    words = ["score", "ref", "-i", "sys", "-m", "wer:tok=shared", "-b"]
    command = ["-p", "x.py", "-p", "y.py", *words]
    assert main(command) == 4
    names = re.findall(r"(file-\w+)/shared", capsys.readouterr().err)
    scores = {}
    for name in names:
        main([*command[:4], *words[:-2], f"wer:tok={name}/shared", "-b"])
        scores[capsys.readouterr().out.strip()] = name
    assert {*scores} == {"50.00", "25.00"}
    (tmp_path / "mteval.toml").write_text(f'[names]\nshared = "{scores[score]}"\n')
    assert main(command) == 0
    out, err = capsys.readouterr()
    assert (out.strip(), "mteval.toml takes 'shared' from" in err) == (score, True)
    assert main(["--no-config", *command]) == 4

"""Damage outputs as texts are damaged in practice, and see which commands warn of it.

    python benchmarks/damage.py TEST_SET ... [--commands] [--undamaged TEST_SET ...]

A test set is a folder with the references ``ref0.txt``, outputs ``systems/*.txt`` and, if it is
known, the source ``src.*``. Each output is damaged in each way, and scored. The first table shows
for how many outputs the warning came that the damage should raise, and which others came. With
``--commands``, the first output of the first set also goes through all commands that read texts.

The second table counts false alarms: warnings about texts as they are, of the sets, and of messages
of programs in many languages, which Linux has in ``/usr/share/locale``. The outputs for these are
the messages with words left out and exchanged.
"""

from __future__ import annotations

import argparse
import gettext
import json
import random
import re
import sys
import tempfile
import unicodedata
from collections import Counter
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from mteval_testing import run_command

import mteval_core as mt

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

LOCALES = Path("/usr/share/locale")

LANGUAGES = ("cs", "de", "el", "es", "fi", "fr", "hu", "ja", "ko", "pl", "pt_BR", "ru", "sv", "tr")
LANGUAGES += ("uk", "vi", "zh_CN", "zh_TW")

CODE = re.compile(r"\[([a-z-]+)\]$", re.MULTILINE)
"""The code of a warning."""


class TestTexts(NamedTuple):
    """Outputs with references."""

    name: str
    references: list[str]
    systems: dict[str, list[str]]
    source: list[str] | None = None


class Damage(NamedTuple):
    """A way in which an output is damaged, and the code of the warning that should come."""

    name: str
    code: str
    apply: Callable[[list[str], TestTexts], list[str] | None]


def each(change: Callable[[str], str]) -> Callable[[list[str], TestTexts], list[str] | None]:
    """Damage all lines; None if a tenth or fewer of them changes."""

    def apply(lines: list[str], _: TestTexts) -> list[str] | None:
        changed = [change(line) for line in lines]
        n = sum(before != after for before, after in zip(lines, changed, strict=True))
        return changed if n > len(lines) / 10 else None

    return apply


def some(share: float, change: Callable[[str], str]) -> Callable[..., list[str]]:
    """Damage a share of the lines."""
    step = round(1 / share)
    return lambda lines, _: [change(s) if i % step == 1 else s for i, s in enumerate(lines)]


def late(lines: list[str], _: TestTexts) -> list[str]:
    """Lose a line in the last quarter."""
    k = len(lines) * 3 // 4
    return [*lines[:k], *lines[k + 1 :], lines[0]]


def shuffled_from(share: float) -> Callable[..., list[str]]:
    """Shuffle the lines after a share of them."""

    def apply(lines: list[str], _: TestTexts) -> list[str]:
        k = int(share * len(lines))
        return [*lines[:k], *random.Random(1).sample(lines[k:], len(lines) - k)]

    return apply


def sentence_pieces(line: str) -> str:
    """Cut words as SentencePiece does."""
    return " ".join(f"\u2581{word[:4]} {word[4:]}".strip() for word in line.split())


def joined_pieces(mark: str, *, before: bool) -> Callable[[str], str]:
    """Cut long words, with a mark where they were cut."""
    cut = rf"\1 {mark}\2" if before else rf"\1{mark} \2"
    return lambda line: re.sub(r"(\w{4})(\w{2,})", cut, line)


def mojibake(line: str) -> str:
    """Read UTF-8 as Latin-1."""
    return line.encode().decode("latin-1")


def tokenized(line: str) -> str:
    """Separate punctuation from words."""
    return re.sub(r"([.,!?;:()\u3002])", r" \1 ", line).strip()


def entities(line: str) -> str:
    """Write characters as entities."""
    for mark, entity in (("&", "amp"), ('"', "quot"), ("'", "apos"), ("<", "lt"), (",", "#44")):
        line = line.replace(mark, f"&{entity};")
    return line


def cyrillic(line: str) -> str:
    """Write letters in another script."""
    return "".join(chr(0x430 + ord(c) % 32) if c.isalpha() else c for c in line)


def in_json(line: str) -> str:
    """Write a line as JSON."""
    return json.dumps({"translation": line}, ensure_ascii=False)


DAMAGES = (
    Damage(
        "a line lost after a third",
        "shifted",
        lambda s, _: [*s[: len(s) // 3], *s[len(s) // 3 + 1 :], s[0]],
    ),
    Damage("a line lost after three quarters", "shifted", late),
    Damage(
        "two lines lost after a third",
        "shifted",
        lambda s, _: [*s[: len(s) // 3], *s[len(s) // 3 + 2 :], s[0], s[1]],
    ),
    Damage(
        "a line twice after a third",
        "shifted",
        lambda s, _: [*s[: len(s) // 3], *s[len(s) // 3 - 1 : -1]],
    ),
    Damage("all lines shuffled", "shuffled", shuffled_from(0)),
    Damage("the last half shuffled", "shuffled", shuffled_from(0.5)),
    Damage("all lines in reverse order", "shuffled", lambda s, _: s[::-1]),
    Damage("the source", "other-language", lambda _, texts: texts.source),
    Damage("another script", "other-script", each(cyrillic)),
    Damage("<think>", "thinking", each("<think>\\nHm, a pun.</think> {}".format)),
    Damage("<think> in a tenth of the lines", "thinking", some(0.1, "<think>Hm.</think>{}".format)),
    Damage("fences of code", "fences", each("```{}```".format)),
    Damage(
        '{"translation": ...} after a refusal',
        "json",
        lambda s, _: ["I cannot translate this.", *map(in_json, s[1:])],
    ),
    Damage("the same in a twentieth of the lines", "json", some(0.05, in_json)),
    Damage("Here is the translation:", "preamble", each("Here is the translation: {}".format)),
    Damage(
        "the same in a tenth of the lines",
        "preamble",
        some(0.1, "Sure! Here's the German translation: {}".format),
    ),
    Damage("Gerne, hier der Text.", "same-beginning", each("Gerne, hier der Text. {}".format)),
    Damage("numbers", "numbering", lambda s, _: [f"{i}. {line}" for i, line in enumerate(s, 1)]),
    Damage('"quotation marks"', "quotes", each('"{}"'.format)),
    Damage("\u201ccurly ones\u201d", "quotes", each("\u201c{}\u201d".format)),
    Damage("\u2581 of SentencePiece", "subwords", each(sentence_pieces)),
    Damage("@@ of subword-nmt", "subwords", each(joined_pieces("@@", before=False))),
    Damage("## of WordPiece", "subwords", each(joined_pieces("##", before=True))),
    Damage("</s>", "special-tokens", each("{} </s>".format)),
    Damage(
        "<|im_end|> in a tenth of the lines", "special-tokens", some(0.1, "{}<|im_end|>".format)
    ),
    Damage("__eng__", "language-tags", each("__eng__ {}".format)),
    Damage("entities", "markup", each(entities)),
    Damage("tags", "markup", some(0.1, "<b>{}</b>".format)),
    Damage("UTF-8 read as Latin-1", "encoded-twice", each(mojibake)),
    Damage(r"\n at the end", "escapes", each(r"{}\n".format)),
    Damage("every third line empty", "empty-lines", some(1 / 3, lambda _: "")),
    Damage("cut after 6 words", "cut-lines", each(lambda s: " ".join(s.split()[:6]))),
    Damage("cut after 40 characters", "cut-lines", each(lambda s: s[:40])),
    Damage("small letters", "letter-case", each(str.lower)),
    Damage("capitals", "letter-case", each(str.upper)),
    Damage("NFD", "normal-forms", each(lambda s: unicodedata.normalize("NFD", s))),
    Damage("tokenized", "tokenized-text", each(tokenized)),
    Damage("both sides tokenized", "tokenized-text", each(tokenized)),
)
"""The ways in which texts are damaged."""


# Texts


def read(folder: Path) -> TestTexts:
    """Read a test set of a folder."""
    source = next(folder.glob("src.*"), None)
    return TestTexts(
        folder.name,
        lines_of(folder / "ref0.txt"),
        {path.stem: lines_of(path) for path in sorted((folder / "systems").glob("*.txt"))},
        lines_of(source) if source else None,
    )


def lines_of(path: Path) -> list[str]:
    """Read the lines of a file."""
    return [line or "" for line in mt.read_text(path)]


def messages(language: str, program: str = "coreutils") -> TestTexts | None:
    """Read the messages of a program in a language; None if they are not installed."""
    path = gettext.find(program, str(LOCALES), [language])
    if path is None:
        return None
    with Path(path).open("rb") as file:
        catalogue = gettext.GNUTranslations(file)._catalog  # type: ignore[attr-defined]
    pairs = [
        (" ".join(source.split()), " ".join(target.split()))
        for source, target in catalogue.items()
        if isinstance(source, str) and len(source.split()) > 5
    ]
    rng = random.Random(language)
    output = [reworded(target, rng) for _, target in pairs]
    return TestTexts(
        f"{program} {language}",
        [target for _, target in pairs],
        {"reworded": output},
        [source for source, _ in pairs],
    )


def reworded(line: str, rng: random.Random) -> str:
    """Leave words out and exchange words, as another translation may."""
    words = line.split(" ") if " " in line.strip() else list(line)
    kept = [word for word in words if rng.random() > 0.1] or words
    for k in range(1, len(kept)):
        if rng.random() < 0.1:
            kept[k - 1], kept[k] = kept[k], kept[k - 1]
    return (" " if " " in line.strip() else "").join(kept)


# Warnings


def write(folder: Path, name: str, lines: Iterable[str]) -> str:
    """Write a file; return its path."""
    path = folder / name
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    return str(path)


def warned(*words: str) -> Counter[str]:
    """Count the warnings of a command by code."""
    done = run_command(*words)
    if done.code > 1:
        sys.exit(f"{words}: {done.err}")
    return Counter(CODE.findall(done.err + done.out))


def scored(texts: TestTexts, lines: list[str], folder: Path, damage: str = "") -> Counter[str]:
    """Score an output, and count the warnings."""
    change = tokenized if damage == "both sides tokenized" else str
    reference = write(folder, "ref", map(change, texts.references))
    system = write(folder, "sys", lines)
    return warned("score", reference, "-i", system, "-m", "bleu", "-b")


def shown(name: str) -> str:
    """Write the name of damage in a table of Markdown."""
    return f"`{name}`".replace("|", r"\|") if set("<_|@#\\") & {*name} else name


def damage_table(sets: list[TestTexts], folder: Path) -> Iterator[str]:
    """Damage all outputs of all sets."""
    yield "| damage | warning | outputs | noticed | other warnings |"
    yield "| --- | --- | --- | --- | --- |"
    for damage in DAMAGES:
        n, noticed, others = 0, 0, Counter[str]()
        for texts in sets:
            for lines in texts.systems.values():
                damaged = damage.apply(lines, texts)
                if damaged is None:
                    continue
                codes = scored(texts, damaged, folder, damage.name)
                expected = scored(texts, lines, folder)
                n += 1
                noticed += damage.code in codes
                others.update({*codes} - {*expected, damage.code})
        more = ", ".join(f"{code} {k}" for code, k in others.most_common())
        yield f"| {shown(damage.name)} | `{damage.code}` | {n} | {noticed} | {more} |"


def command_table(texts: TestTexts, folder: Path) -> Iterator[str]:
    """Send a damaged output through all commands that read texts."""
    reference = write(folder, "ref", texts.references)
    names = cycle(texts.systems)
    first, second = next(names), next(names)
    base = write(folder, "other", texts.systems[second])
    report = str(folder / "base.json")
    run_command("score", reference, "-i", f"other={base}", "-m", "bleu", "-o", report)
    human = write(folder, "human", ["system\tsegment\tscore", "sys\t0\t1", "other\t0\t2"])
    system = str(folder / "sys")
    texts_ = ["-r", reference, "-i", f"sys={system}", f"other={base}", "-m", "bleu"]
    commands = {
        "score": ["score", *texts_],
        "explain": ["explain", *texts_, "--worst", "1"],
        "gate": ["gate", report, "-r", reference, "-i", f"other={system}"],
        "correlate": ["correlate", *texts_, "--human", human, "-n", "0"],
        "influence": ["influence", *texts_, "-n", "10"],
        "power": ["power", *texts_],
        "profile": ["profile", *texts_, "-n", "10"],
        "doctor": ["doctor", reference, system],
    }
    yield f"| damage | {' | '.join(commands)} |\n| --- |{' --- |' * len(commands)}"
    for damage in DAMAGES:
        damaged = damage.apply(texts.systems[first], texts)
        if damaged is None or damage.name == "both sides tokenized":
            continue
        write(folder, "sys", damaged)
        found = [damage.code in warned(*words) for words in commands.values()]
        cells = ["yes" if each else "no" for each in found]
        yield f"| {shown(damage.name)} | {' | '.join(cells)} |"


def alarm_table(sets: Iterable[TestTexts], folder: Path) -> Iterator[str]:
    """Score all outputs of all sets as they are."""
    yield "| texts | outputs | warnings |\n| --- | --- | --- |"
    for texts in sets:
        found: Counter[str] = Counter()
        for lines in texts.systems.values():
            found.update({*scored(texts, lines, folder)})
        more = ", ".join(f"{code} {k}" for code, k in found.most_common()) or "none"
        yield f"| {texts.name} | {len(texts.systems)} | {more} |"


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sets", nargs="+", type=Path)
    parser.add_argument("--commands", action="store_true")
    parser.add_argument("--undamaged", nargs="*", default=[], type=Path)
    options = parser.parse_args()
    sets = [read(folder) for folder in options.sets]
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        tables = [damage_table(sets, folder)]
        if options.commands:
            tables.append(command_table(sets[0], folder))
        programs = [texts for language in LANGUAGES if (texts := messages(language))]
        tables.append(alarm_table([*sets, *map(read, options.undamaged), *programs], folder))
        for table in tables:
            for line in table:
                print(line, flush=True)
            print()


if __name__ == "__main__":
    main()

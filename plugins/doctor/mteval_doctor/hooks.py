"""The declarations of ``mteval doctor``, of checks of texts, and of normalizers that clean them."""

from __future__ import annotations

import mteval_core

mteval_api = 1

CHECKS = {
    "control-characters": ("residue:CONTROL", "a system has control characters, such as NUL"),
    "copied-source": ("sides:copied_source", "a fifth of the lines of a system are the source"),
    "cut-lines": ("sides:cut_lines", "many lines of a system have the same largest length"),
    "dropped-script": (
        "tokenization:dropped_script",
        "a tokenizer keeps less than half of the letters of the references",
    ),
    "empty-lines": ("sides:empty_lines", "more than a tenth of the lines of a system are empty"),
    "empty-references": ("sides:empty_references", "all references are empty"),
    "encoded-twice": (
        "residue:ENCODED_TWICE",
        "a system has letters as of UTF-8 that was read as Latin-1",
    ),
    "escapes": ("residue:ESCAPES", r"a system has escaped characters, such as \n"),
    "fences": ("residue:FENCES", "a system has fences of code"),
    "identical-reference": (
        "copies:identical_references",
        "a file of a system is identical to a reference",
    ),
    "identical-systems": ("copies:identical_systems", "the files of two systems are identical"),
    "json": ("residue:JSON", "a system has JSON around translations"),
    "language-tags": ("residue:LANGUAGE_TAGS", "a system has tags of languages"),
    "letter-case": ("sides:letter_case", "one side has no capitals, or only capitals"),
    "many-empty-references": (
        "sides:many_empty_references",
        "a tenth or more of the references of a file are empty",
    ),
    "markup": ("residue:MARKUP", "a system has tags or entities of markup"),
    "normal-forms": (
        "sides:normal_forms",
        "a system is in another normal form of Unicode than the references",
    ),
    "numbering": ("residue:NUMBERING", "half of the lines of a system begin with a number"),
    "one-sentence": (
        "tokenization:one_sentence",
        "a metric compares sentences, and no segment has a tab that separates them",
    ),
    "other-language": (
        "sides:other_language",
        "a system hardly has the most frequent words of the references",
    ),
    "other-script": ("sides:other_script", "a system is in another script than the references"),
    "preamble": ("residue:PREAMBLE", "a system has what a model says before a translation"),
    "quotes": ("residue:QUOTES", "half of the lines of a system stand in quotation marks"),
    "repeated-reference": ("copies:repeated_references", "two references are identical"),
    "replacement-characters": (
        "residue:REPLACEMENT",
        "a system has replacement characters, where text was lost",
    ),
    "same-beginning": ("sides:same_beginning", "a fifth of the lines of a system begin alike"),
    "shifted": ("alignment:shifted", "lines of a system are one to three lines early or late"),
    "shuffled": (
        "alignment:shuffled",
        "lines of a system are no more like their references than like those of other lines",
    ),
    "special-tokens": ("residue:SPECIAL_TOKENS", "a system has special tokens of a model"),
    "subwords": ("residue:SUBWORDS", "a system has marks of subwords"),
    "thinking": ("residue:THINKING", "a system has the thoughts of a model"),
    "tokenized-text": (
        "sides:tokenized_text",
        "a tenth of the lines of one side end in ' .', and not those of the other, or half of both",
    ),
    "unspaced-script": (
        "tokenization:unspaced_text",
        "the references are in a script without spaces, and a tokenizer leaves it whole",
    ),
}
"""Function and description of each check, by its code."""

NORMALIZERS = {
    "fences": "without fences of code",
    "json": "the translation alone, without JSON around it",
    "numbering": "without the number of a line",
    "preamble": "without what a model says before a translation",
    "quotes": "without quotation marks around a line",
    "residue": "all of these, and think",
    "think": "without the thoughts of a model",
}
"""What is left of a line, by the value of ``clean``."""


@mteval_core.hookimpl
def mteval_register_commands() -> list[mteval_core.CommandSpec]:
    """``mteval doctor``."""
    return [
        mteval_core.CommandSpec(
            "doctor",
            arguments="mteval_doctor.command:add_arguments",
            run="mteval_doctor.command:run",
            group="texts and plugins",
            help="examine texts, and say what is wrong with them",
        )
    ]


@mteval_core.hookimpl
def mteval_register_checks() -> list[mteval_core.CheckSpec]:
    """Damage of texts, as every evaluation looks for it."""
    return [
        mteval_core.CheckSpec(
            code,
            function=f"mteval_doctor.{function}",
            help=help_,
            source=code == "copied-source",
        )
        for code, (function, help_) in CHECKS.items()
    ]


@mteval_core.hookimpl
def mteval_register_normalizers() -> list[mteval_core.NormalizerSpec]:
    """Remove what language models write around a translation."""
    return [
        mteval_core.NormalizerSpec(
            name,
            key="clean",
            stage="text",
            function=f"mteval_doctor.cleaning:without_{name}",
            help=help_,
        )
        for name, help_ in NORMALIZERS.items()
    ]

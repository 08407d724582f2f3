"""Tokenizers for languages without spaces, and SentencePiece, as a plugin of mteval."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from mteval_core import Option, TokenizerSpec, hookimpl
from mteval_tokenizers.installed import MODELS, model_path, thai_version

if TYPE_CHECKING:
    from collections.abc import Sequence

mteval_api = 1


@hookimpl
def mteval_register_tokenizers() -> Sequence[TokenizerSpec]:
    """Declare MeCab for Japanese and Korean, SentencePiece with its models, and Thai."""
    return [
        TokenizerSpec(
            "ja-mecab",
            function="mteval_tokenizers.mecab:japanese",
            help="Japanese words by MeCab with ipadic, as in sacreBLEU",
            label="ja-mecab-0.996-IPA",
            languages=("ja", "jpn"),
        ),
        TokenizerSpec(
            "ko-mecab",
            function="mteval_tokenizers.mecab:korean",
            help="Korean morphemes by mecab-ko, as in sacreBLEU",
            label="ko-mecab-0.996/ko-0.9.2-KO",
            languages=("ko", "kor"),
        ),
        TokenizerSpec(
            "th",
            function="mteval_tokenizers.thai:words",
            help="Thai words by PyThaiNLP (newmm)",
            option=Option("version", "", "of PyThaiNLP", type=thai_version),
            languages=("th", "tha"),
        ),
        *(
            TokenizerSpec(
                name,
                function="mteval_tokenizers.pieces:pieces",
                help=f"SentencePiece with {whose}",
                option=Option("file", "", "a model", type=partial(model_path, name), file=True),
            )
            for name, whose in {
                "spm": "your model, spm[FILE], or that of flores101",
                **{name: f"the model of {name}, as in sacreBLEU" for name in MODELS},
            }.items()
        ),
    ]

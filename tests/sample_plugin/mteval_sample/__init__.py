"""A third party's plugin: clipped unigram precision, and a tokenizer that splits at hyphens."""

import mteval_core


@mteval_core.hookimpl
def mteval_register_metrics():
    return [
        mteval_core.MetricSpec(
            "p1",
            factory="mteval_sample.metric:UnigramPrecision",
            help="clipped unigram precision, best reference",
            values={"P": 100},
            bounds=(0, 100),
        )
    ]


@mteval_core.hookimpl
def mteval_register_tokenizers():
    return [
        mteval_core.TokenizerSpec("hyphens", function=lambda text: text.replace("-", " - ").split())
    ]

"""Type-token ratio: how many different words a whole set has, over all its words."""

import numpy as np

import mteval_core as mt


class TypeTokenRatio:
    def statistics(self, words):
        """Return the tokens of each segment, from 1, with zeros at the ends of shorter ones."""
        tokens = words.hypotheses
        rows = np.zeros((len(tokens), tokens.lengths.max(initial=1)))
        for row, start, end in zip(rows, tokens.starts, tokens.ends, strict=True):
            row[: end - start] = 1 + tokens.ids[start:end]
        return rows

    def score_rows(self, rows, weights):
        types, which = np.unique(rows, return_inverse=True)
        holds = np.zeros((len(rows), len(types)))
        np.put_along_axis(holds, which.reshape(rows.shape), 1.0, axis=1)
        n_types = ((weights > 0) @ holds[:, types > 0] > 0).sum(axis=-1)
        n_tokens = weights @ (rows > 0).sum(axis=1)
        return (n_types / np.maximum(n_tokens, 1))[..., None]


@mt.hookimpl
def mteval_register_metrics():
    return [
        mt.MetricSpec(
            "ttr",
            factory=TypeTokenRatio,
            help="Different words over all words of the whole set.",
            values={"TTR": 100},
            references="none",
            bounds=(0, 100),
            resample="without-replacement",
        )
    ]

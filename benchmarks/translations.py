"""Text for benchmarks, with the lengths, repeats and word order of real translations.

Drawn from the statistics of 16,500 pairs of talks and news, human and machine translations of one
to 243 words: lengths are log-normal with a median of 17 words, a 99th percentile of 90 and a
longest one of 250; the word of rank k has a frequency of 1 / (k + 1); of the words of a reference
the hypothesis has half, in stretches of which some have changed places. Text without long segments
makes what grows with the square of the length look cheap.
"""

from __future__ import annotations

import random
from itertools import accumulate

__all__ = ["translations"]

SYLLABLES = [a + b for a in "bdfgklmnprst" for b in ("a", "e", "i", "o", "u", "an", "er")]
ODD = ["1,200", "3.5", "U.S.", "don't", "(see", "below)", "10-year", '"so"', "café", "Ångström"]
LONGEST = 250


def translations(n: int, seed: int = 1, words: int | None = None) -> tuple[list[str], list[str]]:
    """Draw hypotheses and references.

    Parameters
    ----------
    n : int
        Number of segments.
    seed : int
        Seed of the generator.
    words : int, optional
        Words of every reference; by default as many as segments have.
    """
    rng = random.Random(seed)
    types = ["".join(rng.choices(SYLLABLES, k=rng.randint(1, 4))) for _ in range(20_000)]
    weights = list(accumulate(1 / (rank + 1) for rank in range(1, len(types) + 1)))

    def some(k: int) -> list[str]:
        return rng.choices(types, cum_weights=weights, k=k)

    def reference() -> list[str]:
        line = some(words or min(LONGEST, max(1, round(rng.lognormvariate(2.84, 0.7)))))
        line[rng.randrange(len(line))] = rng.choice(ODD)
        for _ in range(len(line) // 12):
            line[rng.randrange(len(line))] += ","
        line[-1] += "."
        return line

    def hypothesis(line: list[str]) -> list[str]:
        stretches: list[list[str]] = []
        for word in line:
            if not stretches or rng.random() < 0.25:
                stretches.append([])
            change = rng.random()
            if change > 0.08:  # otherwise the word is left out
                stretches[-1].append(word if change > 0.52 else some(1)[0])
            if change < 0.04:
                stretches[-1] += some(2)
        for k in range(len(stretches) - 1):
            if rng.random() < 0.25:
                stretches[k], stretches[k + 1] = stretches[k + 1], stretches[k]
        return [word for stretch in stretches for word in stretch]

    references = [reference() for _ in range(n)]
    hypotheses = [hypothesis(line) for line in references]
    return [" ".join(line) for line in hypotheses], [" ".join(line) for line in references]

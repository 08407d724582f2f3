"""METEOR: harmonic mean of unigram precision and recall, with a penalty for disorder.

Variant ``2005``: Banerjee and Lavie, "METEOR: an automatic metric for MT evaluation with improved
correlation with human judgments", ACL 2005; the F-mean is that of Lavie, Sagae and Jayaraman 2004.
Every module is a stage that links words left over by the earlier ones, one to one, and takes a
largest possible set of links with the fewest crossings (see
`mteval_core.kernels.staged_alignment`). The paper leaves open which of several such sets it is;
here the one with the fewest chunks. The penalty is kept for identical texts of m words: they score
1 - 0.5 / m^3, more than any other text.

Variant ``1.5``: the program METEOR 1.5, Denkowski and Lavie 2014. Function words weigh 1 - delta
and others delta, every module has its weight, and all of them propose links at once, among which a
beam search chooses (see `mteval_core.kernels.beam_alignment`). There only exact links count for
something: others are kept if they do not cost a chunk. Texts that match entirely, in one chunk,
have no penalty. The program's alignments are followed link by link, but for two words whose Java
hash codes happen to be equal, which it takes for one.

Both: several references are scored one by one and the best is taken, the first of several. A corpus
is scored by the same formulas on the sums over these. A score that is not defined, without words or
without matches, is 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from mteval_core import OptionError
from mteval_core.kernels import beam_alignment, staged_alignment
from mteval_meteor_fmean import program
from mteval_meteor_fmean.align import CROSSINGS, Align
from mteval_meteor_fmean.fmean import f_mean, ratio
from mteval_meteor_fmean.languages import STEMMED
from mteval_meteor_fmean.synonyms import program_synonyms, wordnet, wordnet_folder

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from mteval_core import TokenizedCorpus, Tokens
    from mteval_core.kernels import Vocabulary
    from mteval_meteor_fmean.synonyms import Synonyms

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int32]
    Relation = tuple[NDArray[np.int64], Ints] | None

__all__ = ["Meteor"]

PROGRAM = "program"
"""The value of a parameter that says: what the program has for the language."""

RANKED = {"exact": 1, "stem": 0, "synonym": 0}
"""What a link counts in the program's search, whatever its weight in the score."""

EQUAL = 0.5
"""The delta under which function words weigh as much as others."""


@dataclass(frozen=True)
class Meteor:
    """METEOR with the options of its declaration.

    Parameters
    ----------
    variant : {"2005", "1.5"}
        The paper or the program.
    lang : str
        A code of `mteval_meteor_fmean.languages.LANGUAGES`.
    modules : tuple of {"exact", "stem", "synonym"}
        What links words, in order.
    align : Align
        How links are chosen.
    alpha : float or "program"
        Weight of recall in the F-mean; precision has the rest.
    beta, gamma : float or "program"
        The penalty is ``gamma * (chunks / matches) ** beta``.
    delta : float or "program"
        Weight of a word that is no function word; function words have the rest.
    weights : tuple of str
        Weights of a match by each module, or one for all, or ``program``.
    functions : str
        The language whose function words are weighed. The program takes those of English,
        whatever the language of the texts, unless it is given a list (``-s``).
    """

    variant: str = "2005"
    lang: str = "en"
    modules: tuple[str, ...] = ("exact", "stem")
    align: Align = CROSSINGS
    alpha: float | str = 0.9
    beta: float | str = 3.0
    gamma: float | str = 0.5
    delta: float | str = EQUAL
    weights: tuple[str, ...] = ("1",)
    functions: str = "en"

    def __post_init__(self) -> None:
        """Find out now what cannot be computed, and what is not installed."""
        if not self.modules or len(set(self.modules)) < len(self.modules):
            message = f"option modules={'+'.join(self.modules)}: expected each module at most once"
            raise OptionError(message)
        if "stem" in self.modules and self.lang not in STEMMED:
            message = (
                f"option lang={self.lang}: there is no stemmer; leave 'stem' out of the modules"
            )
            raise OptionError(message)
        if "synonym" in self.modules:
            if self.lang != "en":
                message = (
                    f"option lang={self.lang}: there are synonyms for English only; leave "
                    f"'synonym' out of the modules"
                )
                raise OptionError(message)
            if self.variant == "2005":
                wordnet_folder()
            else:
                program.require("The synonym dictionary of variant 1.5")
        if len(self._module_weights) != len(self.modules):
            message = (
                f"option weights={'+'.join(self.weights)}: expected one number of at least 0 for "
                f"each of {'+'.join(self.modules)}, one for all of them, or '{PROGRAM}'"
            )
            raise OptionError(message)
        if self._weighs_function_words:
            program.require("The list of function words that delta weighs")

    @cached_property
    def _parameters(self) -> tuple[float, ...]:
        """Alpha, beta, gamma and delta as numbers."""
        given = (self.alpha, self.beta, self.gamma, self.delta)
        known = program.parameters(self.lang) if PROGRAM in given else given
        return tuple(
            float(own if value == PROGRAM else value)
            for value, own in zip(given, known, strict=True)
        )

    @cached_property
    def _module_weights(self) -> tuple[float, ...]:
        """Weight of each module; none if the option cannot be understood."""
        if self.weights == (PROGRAM,):
            return tuple(program.weights(self.lang)[: len(self.modules)])
        try:
            weights = tuple(map(float, self.weights))
        except ValueError:
            return ()
        if not all(0 <= weight < float("inf") for weight in weights):
            return ()
        return weights * len(self.modules) if len(weights) == 1 else weights

    @cached_property
    def _weighs_function_words(self) -> bool:
        return self._parameters[3] != EQUAL

    def statistics(self, words: TokenizedCorpus, stems: TokenizedCorpus | None = None) -> Floats:
        """Count matches, chunks and words.

        Returns
        -------
        ndarray of float64, shape (n_segments, 3 + m) or (n_segments, 5 + 3 * m)
            Hypothesis length, length of the best reference, chunks that the penalty counts, and
            the matches of each of the m modules. Where function words have a weight of their own,
            also the function words of both texts, and for each module how many of its matches are
            function words of the hypothesis, and of the reference.
        """
        relations = [self._relation(module, words, stems) for module in self.modules]
        if self.align.method == "beam":
            ranked = [RANKED[module] for module in self.modules]
            links = beam_alignment(
                words.hypotheses, words.references, relations, ranked, self.align.width
            )
        else:
            links = staged_alignment(
                words.hypotheses, words.references, relations, self.align.method
            )
        rows = self._counts(words.pairs(), *links)
        return rows[words.references.highest(self.score(rows)[:, 0])]

    def score(self, totals: Floats) -> Floats:
        """METEOR, P, R, Fmean, penalty, chunks, matches and both lengths; shape (..., 9)."""
        alpha, beta, gamma, delta = self._parameters
        w = np.array(self._module_weights)
        n = len(self.modules)
        hypothesis_length, reference_length, chunks = np.moveaxis(totals[..., :3], -1, 0)
        matches = totals[..., 3 : 3 + n]
        m = matches.sum(axis=-1)
        if self._weighs_function_words:
            function_words = totals[..., 3 + n : 5 + n]
            function_matches = totals[..., 5 + n :].reshape(*m.shape, 2, n)
        else:
            function_words = np.zeros((*m.shape, 2))
            function_matches = np.zeros((*m.shape, 2, n))

        # Denkowski and Lavie 2014, sec. 2: P = sum_i w_i (d m_i(content) + (1 - d) m_i(function))
        #                                      / (d content words + (1 - d) function words)
        lengths = np.stack([hypothesis_length, reference_length], axis=-1)
        weighted = delta * (matches[..., None, :] - function_matches) @ w
        weighted += (1 - delta) * function_matches @ w
        P, R = np.moveaxis(
            ratio(weighted, delta * (lengths - function_words) + (1 - delta) * function_words),
            -1,
            0,
        )

        # Banerjee and Lavie 2005: Fmean = 10 P R / (R + 9 P), penalty = 0.5 (chunks / m)^3
        F = f_mean(P, R, alpha)
        penalty = np.where(m > 0, gamma * ratio(chunks, m) ** beta, 0.0)
        score = np.maximum(F * (1 - penalty), 0)
        return np.stack([score, P, R, F, penalty, chunks, m, *np.moveaxis(lengths, -1, 0)], axis=-1)

    def _counts(self, pairs: TokenizedCorpus, positions: Ints, kinds: Ints) -> Floats:
        """Rows of every reference text, from the links of its tokens."""
        hypotheses, references, n = pairs.hypotheses, pairs.references, len(self.modules)
        n_pairs = len(pairs)
        pair_of = np.repeat(np.arange(n_pairs), references.lengths)
        linked = positions >= 0
        begins = linked.copy()
        begins[1:] &= (
            ~linked[:-1] | (pair_of[1:] != pair_of[:-1]) | (positions[1:] != positions[:-1] + 1)
        )
        chunks = np.bincount(pair_of[begins], minlength=n_pairs)
        place = pair_of[linked] * n + kinds[linked]
        matches = np.bincount(place, minlength=n_pairs * n).reshape(n_pairs, n)
        if self.variant == "1.5":
            m = matches.sum(axis=1)
            whole = (m == hypotheses.lengths) & (m == references.lengths) & (chunks == 1)
            chunks[whole] = 0
        columns = [hypotheses.lengths, references.lengths, chunks, matches]
        if self._weighs_function_words:
            is_function = self._function_words(pairs.vocabulary)
            reference_tokens = np.arange(len(pair_of)) + np.repeat(
                references.starts - np.cumsum(references.lengths) + references.lengths,
                references.lengths,
            )
            hypothesis_tokens = hypotheses.starts[pair_of[linked]] + positions[linked]
            sides = (
                (hypotheses, hypothesis_tokens),
                (references, reference_tokens[linked]),
            )
            columns += [count(is_function, texts) for texts, _ in sides]
            for texts, tokens in sides:
                weights = is_function[texts.ids[tokens]]
                counts = np.bincount(place, weights, minlength=n_pairs * n)
                columns.append(counts.reshape(n_pairs, n))
        return np.column_stack(columns).astype(np.float64, copy=False)

    def _function_words(self, vocabulary: Vocabulary) -> NDArray[np.bool_]:
        """Which types of the vocabulary are function words."""
        known = program.function_words(self.functions)
        types = vocabulary.tokens(np.arange(len(vocabulary), dtype=np.int32))
        return np.array([word.lower() in known for word in types], bool)

    def _relation(
        self, module: str, words: TokenizedCorpus, stems: TokenizedCorpus | None
    ) -> Relation:
        """Which types a module links: the same one, or those that share a key."""
        if module == "exact":
            return None
        n_types = len(words.vocabulary)
        if module == "stem":
            keys = np.full(n_types, -1, np.int32)
            if stems is not None:
                keys[words.hypotheses.ids] = stems.hypotheses.ids
                keys[words.references.ids] = stems.references.ids
            return np.arange(n_types + 1), keys
        present = np.zeros(n_types, bool)
        present[words.hypotheses.ids] = present[words.references.ids] = True
        return synonym_keys(self._synonyms, words.vocabulary, present)

    @property
    def _synonyms(self) -> Synonyms:
        return wordnet(wordnet_folder()) if self.variant == "2005" else program_synonyms()


def count(is_counted: NDArray[np.bool_], texts: Tokens) -> NDArray[np.int64]:
    """Count the tokens of some types in every text."""
    sums = np.concatenate([[0], np.cumsum(is_counted[texts.ids])])
    return np.asarray(sums[texts.ends] - sums[texts.starts])


def synonym_keys(
    synonyms: Synonyms, vocabulary: Vocabulary, present: NDArray[np.bool_]
) -> tuple[NDArray[np.int64], Ints]:
    """Synsets of every type that is present, as offsets and keys.

    Synsets of one type only link it with itself: one is enough for that, the others are left out.
    """
    ids = np.flatnonzero(present).astype(np.int32)
    synsets: Sequence[frozenset[int]] = [synonyms.synsets(w) for w in vocabulary.tokens(ids)]
    types = np.repeat(ids, list(map(len, synsets)))
    keys = np.fromiter((n for numbers in synsets for n in numbers), np.int32, len(types))
    _, inverse, counts = np.unique(keys, return_inverse=True, return_counts=True)
    kept = (counts[inverse] > 1) | (np.diff(types, prepend=-1) > 0)
    n_keys = np.bincount(types[kept], minlength=len(present))
    return np.concatenate([[0], np.cumsum(n_keys)]), keys[kept]

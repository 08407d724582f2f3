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
from typing import TYPE_CHECKING, Any

import numpy as np

from mteval_core import OptionError, ratio
from mteval_core.kernels import beam_alignment, staged_alignment
from mteval_meteor_fmean import program
from mteval_meteor_fmean.align import CROSSINGS, Align
from mteval_meteor_fmean.fmean import f_mean
from mteval_meteor_fmean.languages import STEMMED
from mteval_meteor_fmean.paraphrases import paraphrases
from mteval_meteor_fmean.synonyms import program_synonyms, wordnet, wordnet_folder

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from mteval_core import TokenizedCorpus
    from mteval_core.kernels import Vocabulary
    from mteval_meteor_fmean.synonyms import Synonyms

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int32]
    Relation = tuple[NDArray[np.int64], Ints] | None

__all__ = ["Meteor"]

PROGRAM = "program"
"""The value of a parameter that says: what the program has for the language."""

RANKED = {"exact": 2, "stem": 0, "synonym": 0}
"""What a link of two words counts in the program's search, whatever its weight in the score."""

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
    modules : tuple of {"exact", "stem", "synonym", "paraphrase"}
        What links words, in order; paraphrases, which link phrases, last.
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
        if "paraphrase" in self.modules:
            if self.modules[-1] != "paraphrase" or len(self.modules) == 1:
                message = f"option modules={'+'.join(self.modules)}: expected paraphrase last"
                raise OptionError(message)
            if self.align.method != "beam":
                message = (
                    f"option align={self.align}: it links single words; 'paraphrase' among the "
                    f"modules needs beam[n]"
                )
                raise OptionError(message)
            program.paraphrase_table(self.lang)
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

    @property
    def _word_modules(self) -> tuple[str, ...]:
        """The modules that link single words."""
        return tuple(module for module in self.modules if module != "paraphrase")

    @cached_property
    def _weighs_function_words(self) -> bool:
        return self._parameters[3] != EQUAL

    def statistics(self, words: TokenizedCorpus, stems: TokenizedCorpus | None = None) -> Floats:
        """Count matches, chunks and words.

        Returns
        -------
        ndarray of float64, shape (n_segments, 3 + 2 * m) or (n_segments, 5 + 4 * m)
            Hypothesis length, length of the best reference, chunks that the penalty counts, and
            the matched words of each of the m modules, of the hypothesis, then of the reference.
            Where function words have a weight of their own, also the function words of both texts,
            and those that each module matches.
        """
        relations = [self._relation(module, words, stems) for module in self._word_modules]
        pairs = words.pairs()
        phrases = None
        if self.align.method == "beam":
            if "paraphrase" in self.modules:
                phrases = paraphrases(program.paraphrase_table(self.lang)).links(pairs)
            ranked = [RANKED[module] for module in self._word_modules]
            links = beam_alignment(
                words.hypotheses, words.references, relations, ranked, self.align.width, phrases
            )
        else:
            links = staged_alignment(
                words.hypotheses, words.references, relations, self.align.method
            )
        rows = self._counts(pairs, *links, None if phrases is None else phrases[1])
        return rows[words.references.highest(self.score(rows)[:, 0])]

    def score(self, totals: Floats) -> Floats:
        """METEOR, P, R, Fmean, penalty, chunks, matches and both lengths; shape (..., 9)."""
        alpha, beta, gamma, delta = self._parameters
        w = np.array(self._module_weights)
        n = len(self.modules)
        lengths, chunks = totals[..., :2], totals[..., 2]
        matches = totals[..., 3 : 3 + 2 * n].reshape(*chunks.shape, 2, n)
        if self._weighs_function_words:
            function_words = totals[..., 3 + 2 * n : 5 + 2 * n]
            function_matches = totals[..., 5 + 2 * n :].reshape(*chunks.shape, 2, n)
        else:
            function_words, function_matches = np.zeros_like(lengths), np.zeros_like(matches)

        # Denkowski and Lavie 2014, sec. 2: P = sum_i w_i (d m_i(content) + (1 - d) m_i(function))
        #                                      / (d content words + (1 - d) function words)
        weighted = delta * (matches - function_matches) @ w + (1 - delta) * function_matches @ w
        weighted_lengths = delta * (lengths - function_words) + (1 - delta) * function_words
        P, R = np.moveaxis(ratio(weighted, weighted_lengths), -1, 0)

        # Banerjee and Lavie 2005: Fmean = 10 P R / (R + 9 P), penalty = 0.5 (chunks / m)^3
        F = f_mean(P, R, alpha)
        m = matches.sum(axis=-1)
        penalty = np.where(m[..., 0] > 0, gamma * ratio(chunks, m.mean(axis=-1)) ** beta, 0.0)
        score = np.maximum(F * (1 - penalty), 0)
        return np.stack(
            [score, P, R, F, penalty, chunks, m[..., 0], lengths[..., 0], lengths[..., 1]], axis=-1
        )

    def _counts(
        self, pairs: TokenizedCorpus, positions: Ints, kinds: Ints, phrases: Ints | None
    ) -> Floats:
        """Rows of every reference text, from the links of its tokens."""
        hypotheses, references, n = pairs.hypotheses, pairs.references, len(self.modules)
        n_pairs = len(pairs)
        (linked,) = np.nonzero(positions >= 0)
        behind = np.cumsum(references.lengths)
        pair = np.searchsorted(behind, linked, side="right")
        starts = np.stack(
            [
                hypotheses.starts[pair] + positions[linked],
                references.starts[pair] + linked - (behind - references.lengths)[pair],
            ]
        )
        module = kinds[linked]
        sizes = np.ones_like(starts)  # of what is linked, in words of both texts
        if phrases is not None:
            of_phrases = module >= n - 1
            sizes[:, of_phrases] = phrases[module[of_phrases] - (n - 1)][:, [3, 1]].T
            module = np.minimum(module, n - 1)
        begins = np.ones(len(linked), bool)
        begins[1:] = (pair[1:] != pair[:-1]) | (starts[:, 1:] != (starts + sizes)[:, :-1]).any(0)
        chunks = np.bincount(pair[begins], minlength=n_pairs)

        def by_module(counts: NDArray[np.int64]) -> Floats:
            place = pair * n + module
            sums = np.bincount(place, counts, n_pairs * n).reshape(n_pairs, n)
            return np.asarray(sums, np.float64)

        matches = [by_module(counts) for counts in sizes]
        if self.variant == "1.5":
            whole = (matches[0].sum(1) == hypotheses.lengths) & (chunks == 1)
            chunks[whole & (matches[1].sum(1) == references.lengths)] = 0
        columns: list[NDArray[Any]] = [hypotheses.lengths, references.lengths, chunks, *matches]
        if self._weighs_function_words:
            is_function = self._function_words(pairs.vocabulary)
            before = [
                np.concatenate([[0], np.cumsum(is_function[side.ids])])
                for side in (hypotheses, references)
            ]
            columns += [
                sums[side.ends] - sums[side.starts]
                for sums, side in zip(before, (hypotheses, references), strict=True)
            ]
            columns += [
                by_module(sums[ends] - sums[begin])
                for sums, begin, ends in zip(before, starts, starts + sizes, strict=True)
            ]
        return np.column_stack(columns)

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

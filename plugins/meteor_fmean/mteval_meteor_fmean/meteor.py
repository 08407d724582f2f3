"""METEOR: harmonic mean of unigram precision and recall, with a penalty for disorder.

Variant ``2005``: Banerjee and Lavie, "METEOR: an automatic metric for MT evaluation with improved
correlation with human judgments", ACL 2005; the F-mean is that of Lavie, Sagae and Jayaraman 2004.
Each module is a stage that links words left over by the earlier stages, one to one. It takes a
largest possible set of links with the fewest crossings (see
`mteval_kernels.staged_alignment`). If several such sets exist, the paper does not say which
one to take; here it is the one with the fewest chunks. Identical texts keep the penalty: with m
words they score 1 - 0.5 / m^3, more than any other text.

Variant ``1.5``: the program METEOR 1.5, Denkowski and Lavie 2014. Function words weigh 1 - delta,
other words delta, and each module has its weight. All modules propose links at once, and a beam
search chooses among them (see `mteval_kernels.beam_alignment`). In that search only exact
links add weight; other links are kept when they add no chunk. Texts that match entirely, in one
chunk, have no penalty. The alignments equal those of the program link by link, with one exception:
the program compares Java hash codes, and takes two different words with the same code for one.

In both variants each reference is scored alone and the best one counts, the first one on ties. A
corpus is scored by the same formulas on the sums over the best references. A score that is not
defined, because a text has no words or nothing matches, is 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from operator import mul
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from mteval_core import Option, OptionError
from mteval_core.formulas import f_measure, ratio, split, stack
from mteval_kernels import beam_alignment, staged_alignment
from mteval_meteor_fmean import program
from mteval_meteor_fmean.align import CROSSINGS, Align
from mteval_meteor_fmean.languages import STEMMED
from mteval_meteor_fmean.paraphrases import paraphrases
from mteval_meteor_fmean.synonyms import (
    program_synonyms,
    synonym_keys,
    wordnet,
    wordnet_folder,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mteval_core import Explanation, TokenizedCorpus
    from mteval_meteor_fmean.synonyms import Synonyms

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int32]
    Relation = Ints | tuple[NDArray[np.int64], Ints] | None

__all__ = ["Meteor"]

PROGRAM = "program"
"""The value of a parameter that stands for the program's own value for the language."""

MODULE_WEIGHT = Option("weights", 1.0, minimum=0.0, maximum=1000.0)
"""Grammar and bounds of each of the weights."""

RANKED = {"exact": 2, "stem": 0, "synonym": 0}
"""Weight of a link of single words in the program's search, which ignores the score's weights."""

EQUAL = 0.5
"""The delta with which function words weigh as much as other words."""


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
        Modules that link words, in order. ``paraphrase``, which links phrases, must be last.
    align : Align
        How links are chosen.
    alpha : float or "program"
        Weight of recall in the F-mean; precision weighs 1 - alpha.
    beta, gamma : float or "program"
        The penalty is ``gamma * (chunks / matches) ** beta``.
    delta : float or "program"
        Weight of content words; function words weigh 1 - delta.
    weights : tuple of str
        Weights of a match by each module, or one for all, or ``program``.
    functions : str
        Language of the function words. The program uses English function words for texts in every
        language, except with its option ``-s``.
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
        """Refuse at once what cannot be computed or needs something that is not installed."""
        self._check_modules()
        self._check_language()
        self._check_weights()
        self._check_installed()

    def _check_modules(self) -> None:
        modules = "+".join(self.modules)
        if not self.modules or len(set(self.modules)) < len(self.modules):
            raise OptionError(f"option modules={modules}: expected each module at most once")
        if "paraphrase" not in self.modules:
            return
        if self.modules[-1] != "paraphrase" or len(self.modules) == 1:
            raise OptionError(
                f"option modules={modules}: expected paraphrase last, after other modules"
            )
        if self.align.method != "beam":
            raise OptionError(
                f"option align={self.align}: it links single words only; module 'paraphrase' "
                f"needs align=beam[n]"
            )

    def _check_language(self) -> None:
        if "stem" in self.modules and self.lang not in STEMMED:
            raise OptionError(
                f"option lang={self.lang}: it has no stemmer; leave 'stem' out of the modules"
            )
        if "synonym" in self.modules and self.lang != "en":
            raise OptionError(
                f"option lang={self.lang}: synonyms exist for English only; leave 'synonym' out of "
                f"the modules"
            )

    def _check_weights(self) -> None:
        if len(self._module_weights) != len(self.modules):
            raise OptionError(
                f"option weights={'+'.join(self.weights)}: expected {MODULE_WEIGHT.expected()} for "
                f"each of {'+'.join(self.modules)}, one for all of them, or '{PROGRAM}'"
            )

    def _check_installed(self) -> None:
        if "paraphrase" in self.modules:
            program.paraphrase_table(self.lang)
        if "synonym" in self.modules and self.variant == "2005":
            wordnet_folder()
        elif "synonym" in self.modules:
            program.require("The synonym dictionary of variant 1.5")
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
        """Weight of each module; empty if the option is not a list of valid numbers."""
        if self.weights == (PROGRAM,):
            return tuple(program.weights(self.lang)[: len(self.modules)])
        try:
            weights = tuple(MODULE_WEIGHT.parse((weight,)) for weight in self.weights)
        except OptionError:
            return ()
        return weights * len(self.modules) if len(weights) == 1 else weights

    @cached_property
    def _weighs_function_words(self) -> bool:
        return self._parameters[3] != EQUAL

    def statistics(self, words: TokenizedCorpus, stems: TokenizedCorpus | None = None) -> Floats:
        """Count words, chunks and matches.

        Returns
        -------
        ndarray of float64, shape (n_segments, 3 + 2 * m) or (n_segments, 5 + 4 * m)
            Hypothesis length, length of the best reference, chunks that the penalty counts, and
            the words matched by each of the m modules, in the hypothesis, then in the reference.
            If function words have their own weight, also the function words of both texts, and
            those that each module matches.
        """
        rows, *of_functions = self._align(words, stems).counts
        if self.variant == "1.5":
            rows = without_chunk_of_identical_texts(rows)
        for counts in of_functions:
            rows = np.hstack([rows, counts[:, :2], counts[:, 3:]])
        return words.references.best(rows, lambda each: self.score(each)[:, 0])

    def explain(self, words: TokenizedCorpus, stems: TokenizedCorpus | None = None) -> Explanation:
        """Explain a segment by its links and chunks."""
        from mteval_meteor_fmean.explain import Explainer

        explainer = Explainer(
            self.modules,
            program.function_words(self.functions) if self._weighs_function_words else None,
            identical_texts_have_no_chunk=self.variant == "1.5",
            score=lambda row: float(self.score(np.array(row, np.float64))[0]),
        )
        return explainer.explain(words.segment(), self._align(words, stems))

    def score(self, totals: Floats) -> Floats:
        """METEOR, P, R, Fmean, penalty, chunks, matches and both lengths; shape (..., 9)."""
        alpha, beta, gamma, delta = self._parameters
        w, n = self._module_weights, len(self.modules)
        h, r, ch, *counts = split(totals)
        m_h, m_r, functions = counts[:n], counts[n : 2 * n], counts[2 * n :]
        h_w, r_w, m_w = h, r, counts

        # Denkowski and Lavie 2014, sec. 2, with content words h_c and function words h_f:
        #   P = sum_i w_i (delta m_i(h_c) + (1 - delta) m_i(h_f))
        #       / (delta |h_c| + (1 - delta) |h_f|)
        # R is the same of the reference. With delta = 1/2 and w_i = 1 these are P = m / |h| and
        # R = m / |r| of 2005.
        if functions:
            pairs = zip([h, r, *m_h, *m_r], functions, strict=True)
            h_w, r_w, *m_w = [delta * (all_ - some) + (1 - delta) * some for all_, some in pairs]
        P = ratio(sum(map(mul, w, m_w)), h_w)
        R = ratio(sum(map(mul, w, m_w[n:])), r_w)

        # Fmean = P R / (alpha P + (1 - alpha) R)         2005: 10 P R / (R + 9 P)
        Fmean = f_measure(P, R, precision_weight=1 - alpha, recall_weight=alpha)

        # penalty = gamma (ch / m)^beta                    2005: 0.5 (ch / m)^3
        # where m is the mean of the words matched in hypothesis and reference.
        m = sum(m_h)
        mean = (m + sum(m_r)) / 2
        penalty = (m > 0) * gamma * power(ratio(ch, mean), beta)

        # METEOR = Fmean (1 - penalty), at least 0
        score = Fmean * (1 - penalty)
        score = (score + abs(score)) / 2  # as np.maximum(score, 0), also for a number
        return stack([score, P, R, Fmean, penalty, ch, m, h, r])

    def _align(self, words: TokenizedCorpus, stems: TokenizedCorpus | None) -> Alignment:
        """Align every hypothesis with each of its references."""
        relations = [
            self._relation(module, words, stems) for module in self.modules if module in RANKED
        ]
        hypotheses, references, phrases = words.hypotheses, words.references, None
        counted: list[NDArray[np.bool_] | None] = [None]  # all words
        if self._weighs_function_words:
            counted.append(self._function_words(words))
        if self.align.method == "beam":
            if "paraphrase" in self.modules:
                phrases = paraphrases(program.paraphrase_table(self.lang)).links(words.pairs())
            links = beam_alignment(
                hypotheses,
                references,
                relations,
                weights=[RANKED[module] for module in self.modules if module in RANKED],
                beam=self.align.width,
                phrases=phrases,
                counted=counted,
            )
        else:
            links = staged_alignment(
                hypotheses, references, relations, minimize=self.align.method, counted=counted
            )
        positions, kinds, counts = links
        return Alignment((positions, kinds), len(relations), phrases, counts)

    def _function_words(self, words: TokenizedCorpus) -> NDArray[np.bool_]:
        """Whether each type that occurs is a function word."""
        known = program.function_words(self.functions)
        ids = np.unique(np.concatenate([words.hypotheses.ids, words.references.ids]))
        are_known = np.zeros(len(words.vocabulary), bool)
        are_known[ids] = [word.lower() in known for word in words.vocabulary.tokens(ids)]
        return are_known

    def _relation(
        self, module: str, words: TokenizedCorpus, stems: TokenizedCorpus | None
    ) -> Relation:
        """Types that a module links: None for equal types, otherwise types that share a key."""
        if module == "exact":
            return None
        n_types = len(words.vocabulary)
        if module == "stem":
            if stems is None:  # the language has no stemmer
                return np.full(n_types, -1, np.int32)
            keys = np.empty(n_types, np.int32)  # of other types, which do not occur: anything
            keys.put(words.hypotheses.ids, stems.hypotheses.ids)
            if words.references.ids is not words.hypotheses.ids:  # those of one segment may be
                keys.put(words.references.ids, stems.references.ids)
            return keys
        present = np.zeros(n_types, bool)
        present[words.hypotheses.ids] = present[words.references.ids] = True
        return synonym_keys(self._synonyms, words.vocabulary, present)

    @property
    def _synonyms(self) -> Synonyms:
        return wordnet(wordnet_folder()) if self.variant == "2005" else program_synonyms()


def power(base: Any, exponent: float) -> Any:
    """Raise to a power; a number if the base is one."""
    raised = np.power(base, exponent)
    return raised if raised.ndim else float(raised)


class Alignment(NamedTuple):
    """An alignment of texts.

    Parameters
    ----------
    links : tuple of ndarray of int32
        For every reference word the position that it is linked to in the hypothesis, or -1; and
        the number of its module or, from that of module ``paraphrase`` on, of its phrase.
    n_relations : int
        Number of modules that link single words.
    phrases : tuple of ndarray, or None
        The phrases that the texts share; see `Paraphrases.links`.
    counts : list of ndarray of float64
        Counts of all words and, if they have their own weight, of function words: words of both
        texts, chunks, and the words that each module links in both.
    """

    links: tuple[Ints, Ints]
    n_relations: int
    phrases: tuple[NDArray[np.int64], Ints] | None
    counts: list[Floats]


def without_chunk_of_identical_texts(rows: Floats) -> Floats:
    """Set the chunks to 0 where both texts match entirely, in one chunk."""
    h, r, chunks, *matches = rows.T
    n = len(matches) // 2
    rows[(sum(matches[:n]) == h) & (sum(matches[n:]) == r) & (chunks == 1), 2] = 0
    return rows

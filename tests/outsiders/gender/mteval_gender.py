"""Gender accuracy: how often words have the gender that the speaker or the context asks for.

L. Bentivogli et al., "Gender in danger? Evaluating speech translation technology on the MuST-SHE
corpus", ACL 2020, in the version of M. Gaido et al., "Breeding gender-aware direct speech
translation systems", COLING 2020: term coverage is the share of annotated words that the output
has in either gender, and accuracy is the share of those that have the right one.
"""

from collections import Counter

import numpy as np

from mteval_core import MetricSpec, Sample, View, hookimpl
from mteval_core.formulas import ratio

mteval_api = 1


class GenderAccuracy:
    def segment_statistics(self, hypothesis, _references, gender):
        words, right, found = Counter(hypothesis), 0, 0
        for term in gender:
            which = next((form for form in ("right", "wrong") if words[term[form]]), None)
            if which:
                words[term[which]] -= 1
                right, found = right + (which == "right"), found + 1
        return [right, found, len(gender)]

    def score(self, totals):
        right, found, terms = np.moveaxis(totals, -1, 0)
        return np.stack([ratio(right, found), ratio(found, terms)], axis=-1)


def sample():
    amica, sola = {"right": "amica", "wrong": "amico"}, {"right": "sola", "wrong": "solo"}
    return Sample(
        hypotheses=("la mia amica è solo", "una amica", "niente", "sono sola"),
        references=(("la mia amica è sola", "un' amica", "niente", "sono sola"),),
        columns={"gender": [[amica, sola], [amica], [], [sola]]},
    )


@hookimpl
def mteval_register_metrics():
    return MetricSpec(
        "gender",
        factory=GenderAccuracy,
        help="share of annotated words in the right gender",
        label="Gender",
        values={"accuracy": 100, "terms": 100},
        bounds=(0, 100),
        references="none",
        counts=True,
        views={"words": View(case="lc"), "gender": View(of="column:gender", type="json")},
        equation="accuracy = right / (right + wrong)",
        sample=sample,
    )

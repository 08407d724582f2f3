"""Latency of simultaneous translation: average lagging, and its length-adaptive version.

M. Ma et al., "STACL: simultaneous translation with implicit anticipation and controllable latency
using prefix-to-prefix framework", ACL 2019, equation 8. X. Ma, J. Pino and P. Koehn, "SimulMT to
SimulST: adapting simultaneous text translation to end-to-end simultaneous speech translation",
AACL 2020, take the length of the reference. S. Papi et al., "Over-generation cannot be rewarded:
length-adaptive average lagging for simultaneous speech translation", AutoSimTrans 2022, take the
longer one of hypothesis and reference. Of several references, the mean length counts.
"""

from mteval_core import MetricSpec, Sample, View, hookimpl

mteval_api = 1


class Latency:
    def segment_statistics(self, _hypothesis, references, delays, source_length):
        reference = sum(map(len, references)) / len(references)
        return [lagging(delays, source_length, y) for y in (max(len(delays), reference), reference)]


def lagging(d, T, y):
    if not d or not y or not T:
        return 0.0
    gamma = y / T
    tau = next((i for i, d_i in enumerate(d, 1) if d_i >= T), len(d))
    return sum(d[i - 1] - (i - 1) / gamma for i in range(1, tau + 1)) / tau


def sample():
    return Sample(
        hypotheses=("one two three", "a b c d", "so it is"),
        references=(("one two three four", "a b c", "so it is said"),),
        columns={"delays": [[1, 2, 4], [3, 3, 5, 6], [2, 3, 4]], "source_length": [4, 6, 4]},
    )


@hookimpl
def mteval_register_metrics():
    return MetricSpec(
        "latency",
        factory=Latency,
        help="average lagging of simultaneous translation, in the unit of the delays",
        label="Latency",
        values={"LAAL": 1, "AL": 1},
        aliases={"laal": "latency:value=LAAL", "al": "latency:value=AL"},
        better="lower",
        bounds=(float("-inf"), float("inf")),
        views={
            "words": View(tok="none"),
            "delays": View(of="column:delays", type="numbers"),
            "source_length": View(of="column:source_length", type="number"),
        },
        equation="AL = 1/tau sum_{i=1..tau} (d_i - (i - 1) / gamma)\n"
        "gamma = |y*| / |x|; LAAL: max(|y|, |y*|) / |x|\n"
        "tau = min {i: d_i >= |x|}",
        sample=sample,
    )

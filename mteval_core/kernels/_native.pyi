# The extension has the names, signatures and results of its twin.
from mteval_core.kernels._reference import PairIndex as PairIndex
from mteval_core.kernels._reference import Vocabulary as Vocabulary
from mteval_core.kernels._reference import clipped_matches as clipped_matches
from mteval_core.kernels._reference import scan_13a as scan_13a
from mteval_core.kernels._reference import scan_characters as scan_characters
from mteval_core.kernels._reference import scan_whitespace as scan_whitespace
from mteval_core.kernels._reference import weighted_matches as weighted_matches
from mteval_core.kernels.twins.beam_alignment import beam_alignment as beam_alignment
from mteval_core.kernels.twins.edit_distance import edit_distance as edit_distance
from mteval_core.kernels.twins.lcs import lcs as lcs
from mteval_core.kernels.twins.lcs import lcs_marks as lcs_marks
from mteval_core.kernels.twins.lcs import weighted_lcs as weighted_lcs
from mteval_core.kernels.twins.lcs import weighted_lcs_marks as weighted_lcs_marks
from mteval_core.kernels.twins.matched_tokens import matched_tokens as matched_tokens
from mteval_core.kernels.twins.run_matching import maximum_run_matching as maximum_run_matching
from mteval_core.kernels.twins.run_matching import run_matching as run_matching
from mteval_core.kernels.twins.shift_edit_distance import (
    shift_edit_distance as shift_edit_distance,
)
from mteval_core.kernels.twins.skip_bigrams import skip_bigrams as skip_bigrams
from mteval_core.kernels.twins.staged_alignment import staged_alignment as staged_alignment

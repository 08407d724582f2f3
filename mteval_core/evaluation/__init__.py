"""Evaluations: scores of systems, resampling, comparisons, records and saved reports.

A test set is counted in parts: a `Source` yields each `Part`, and what its segments contribute is
added up to a `Partial`, which can be written, merged with others, and made an `Evaluation` of.
"""

SIGNIFICANT = 0.05
"""Threshold of significance for p-values."""

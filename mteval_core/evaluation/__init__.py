"""Evaluations: what was counted, resampling, comparisons, records and saved reports."""

"""Evaluations on many machines: tables on engines, and partial results in files."""

from mteval_core.distributed.tables import Work, evaluate_tables

__all__ = ["Work", "evaluate_tables"]

"""Evaluations in parts: in blocks of lines, in processes, and on many machines.

A metric is rows and a formula over their sum. So a part of a test set adds its sums of rows, and
nothing else is needed for the score of the whole. The sums are exact, and the weights of a Poisson
bootstrap belong to the ids of the segments: scores, intervals, tests and signatures do not depend
on how the segments were divided, or on the order in which the parts come back.
"""

from mteval_core.distributed.tables import Work, evaluate_tables, plan_of_columns

__all__ = ["Work", "evaluate_tables", "plan_of_columns"]

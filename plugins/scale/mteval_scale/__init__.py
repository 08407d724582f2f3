"""Evaluations on many machines: partial results in files, and engines.

`mteval_scale.ray.score` scores Ray data sets, `mteval_scale.spark.score` Spark data frames.
"""

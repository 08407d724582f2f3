"""Explanations of scores: the command ``mteval explain``, and pictures of explanations."""

"""Examination of texts and of the configuration file, for ``mteval doctor``."""

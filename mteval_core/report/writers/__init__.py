"""Formats of reports: one module per format, each a function of a report and a layout."""

"""Why segments have their scores, as data."""

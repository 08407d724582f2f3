"""Why segments have their scores, and pictures that show it."""

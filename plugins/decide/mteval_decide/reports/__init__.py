"""The reports of the commands, and verdicts as JUnit XML."""

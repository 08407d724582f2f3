"""The reports of the commands, each on one experiment."""

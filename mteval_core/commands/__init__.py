"""The command line: argument parsing, printing and exit codes, and nothing else."""

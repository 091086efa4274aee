"""The engine: values, operators and their rules, the tape and its walk. Knows NumPy and nothing else."""

"""The engine: values, operators and their rules, the tape, its walk; below Tensor it knows NumPy and nothing else."""

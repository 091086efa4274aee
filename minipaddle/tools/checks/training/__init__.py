"""The training loop seen over several steps: a timeline, and the mistakes that no single step shows."""

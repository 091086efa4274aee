"""The training loop over several steps: a timeline, and mistakes that no single step shows."""

"""The engine's nouns: operator, record, mode, meta, dtype. Knows NumPy and nothing else of the project."""

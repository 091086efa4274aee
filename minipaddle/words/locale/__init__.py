"""The sentences in other languages."""

"""Other shapes of the same memory: views. Read first: ``reshape``."""

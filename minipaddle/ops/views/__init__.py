"""Other shapes of the same memory."""

"""minipaddle: how a deep-learning framework computes gradients, to read, see and step through."""

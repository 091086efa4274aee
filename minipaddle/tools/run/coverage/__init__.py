"""Which names of Paddle does a script use, and which of them are here? It is read and not run."""

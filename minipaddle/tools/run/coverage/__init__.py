"""Which names, methods and keywords of Paddle does code use, and which of them are here? It is read and not run."""

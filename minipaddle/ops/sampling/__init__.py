"""Draws that take more than the engine: what tensors tell, and what fills a tensor in place."""

"""The graph to draw: nodes, edges, frames, and smaller graphs made of it."""

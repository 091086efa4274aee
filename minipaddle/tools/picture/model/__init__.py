"""The graph to draw: nodes, edges, frames, and smaller graphs made from it. Read next: ``graph``."""

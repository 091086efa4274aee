"""Graphs of nodes and edges, as tensors: what nodes are told along edges, renumbering, drawing of neighbours."""

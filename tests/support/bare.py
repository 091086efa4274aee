"""Graphs without numbers: structure, names and shapes only."""

from dataclasses import replace


def without_numbers(graph):
    """Return `graph` with names, shapes and sizes only."""

    def bare(node):
        made, took, saved = map(_bare, (node.results, node.takes, node.saved))
        return replace(node, results=made, takes=took, saved=saved, before=None)

    def plain(edge):
        label = "" if edge.kind == "gradient" else edge.label
        return edge._replace(label=label, values=_bare(edge.values), share=None)

    nodes = {id_: bare(node) for id_, node in graph.nodes.items()}
    return replace(graph, nodes=nodes, edges=dict.fromkeys(map(plain, graph.edges)))


def _bare(values):
    return tuple(replace(value, kept=None, kept_stats=None, fetch=None) for value in values)

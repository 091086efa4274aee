"""A writer: a function from a graph to text. This one writes the edges as a table for a spreadsheet."""

import csv
import io
import sys

from minipaddle import paddle
from minipaddle.tools.picture.api import graph


def to_csv(graph):
    """Return a row for each arrow that is seen: what leads where, of what kind, and what it is called."""
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(["from", "to", "kind", "name"])
    for _, edge in graph.drawn_edges():
        rows.writerow([graph.nodes[edge.tail].title, graph.nodes[edge.head].title, edge.kind, edge.label])
    return text.getvalue()


x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
y = paddle.exp(x).sum()
picture = graph(y)  # picture.graph: nodes, arrows and frames, as every writer gets them
sys.stdout.write(to_csv(picture.graph))

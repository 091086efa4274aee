"""The script that the tests of `graph` draw, scripts for tests of pictures, and searches in a graph."""

SCRIPT = """
    import paddle
    from paddle.autograd import PyLayer

    class Double(PyLayer):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, dy):
            return dy * 2

    权重 = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    loss = Double.apply(权重).sum()
    loss.backward()
    print("the script speaks")
"""
ENCODER = """
layer = paddle.nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0)
encoder = paddle.nn.TransformerEncoder(layer, {layers})
encoder(paddle.rand([2, 3, 8])).sum().backward()
"""
SKIPS = """
x = paddle.to_tensor([0.5, -1.0], stop_gradient=False)
for _ in range({rounds}):
    x = x + paddle.tanh(x * 0.5)
x.sum().backward()
"""


def by_title(graph, title):
    (found,) = [node for node in graph.nodes.values() if node.title == title]
    return found


def edges(graph, kind):
    return {
        (graph.nodes[edge.tail].title, graph.nodes[edge.head].title, edge.label)
        for edge in graph.edges
        if edge.kind == kind
    }

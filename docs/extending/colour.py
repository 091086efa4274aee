"""A colour: your own function says how each node looks, or an expression over its gradient paints all of them."""

from minipaddle import paddle
from minipaddle.tools.picture.api import graph
from minipaddle.tools.picture.model.node_style import Look

x = paddle.to_tensor([[0.5, -2.0], [1.5, 0.25]])
w = paddle.to_tensor([[0.5], [1.0]], stop_gradient=False)
loss = paddle.nn.functional.relu(x @ w).mean()
loss.backward(retain_graph=True)


def looks(node):
    """Matrix products are gold, relu has another name; None leaves a node as it is."""
    if node.op == "matmul_v2":
        return Look(color="#ffd700")
    return "the hinge" if node.op == "relu" else None


picture = graph(loss, node=looks)
assert "#ffd700" in picture.dot
assert "the hinge" in picture.dot

painted = graph(loss, color_by="py:abs(g).max()")  # g: the gradient of what a node makes
print(painted.text())

"""Section 2: stop_gradient, leaves, what is recorded, grad_fn."""

import paddle

from tests.support.parity.kit import Family, data, frozen, leaf

F = paddle.nn.functional
cases = Family("flags")


def state(t):
    """What a tensor says about its place in the graph; of `grad_fn` only whether a non-leaf has one."""
    return [t.stop_gradient, t.is_leaf, t.is_leaf or t.grad_fn is not None]


MADE = {
    "user": lambda x, f: x,
    "frozen": lambda x, f: f,
    "x * 2": lambda x, f: x * 2,
    "f * 2": lambda x, f: f * 2,
    "x + f": lambda x, f: x + f,
    "comparison": lambda x, f: x > 0,
    "argmax": lambda x, f: x.argmax(),
    "isnan": lambda x, f: paddle.isnan(x),
    "ones_like": lambda x, f: paddle.ones_like(x),
    "zeros_like": lambda x, f: paddle.zeros_like(x),
    "shape": lambda x, f: paddle.shape(x),
    "floor": lambda x, f: x.floor(),
    "sign": lambda x, f: x.sign(),
    "sort": lambda x, f: x.sort(),
    "argsort": lambda x, f: x.argsort(),
    "topk values": lambda x, f: x.topk(1)[0],
    "topk indices": lambda x, f: x.topk(1)[1],
    "to int": lambda x, f: x.astype("int64"),
    "to bool": lambda x, f: x.astype("bool"),
    "detach": lambda x, f: x.detach(),
    "clone": lambda x, f: x.clone(),
    "detach of computed": lambda x, f: (x * 2).detach(),
    "assign": lambda x, f: paddle.assign(x),
    "slice": lambda x, f: x[0],
    "reshape": lambda x, f: x.reshape([3, 1]),
    "to_tensor": lambda x, f: paddle.to_tensor(x),
    "one_hot": lambda x, f: F.one_hot(paddle.to_tensor([0]), 2),
    "cast of frozen": lambda x, f: f.astype("float32"),
    "concat": lambda x, f: paddle.concat([x, f]),
    "round": lambda x, f: x.round(),
    "where": lambda x, f: paddle.where(x > 0, x, f),
    "logical": lambda x, f: paddle.logical_and(x > 0, f > 0),
    "numel": lambda x, f: x.numel(),
    "allclose": lambda x, f: paddle.allclose(x, f),
}


def states():
    return {name: state(make(leaf(data(3)), frozen(data(3, seed=2)))) for name, make in MADE.items()}


NODES = {
    "add": lambda x, y: x + y,
    "subtract": lambda x, y: x - y,
    "multiply": lambda x, y: x * y,
    "divide": lambda x, y: x / y,
    "x * 2": lambda x, y: x * 2,
    "x + 3": lambda x, y: x + 3,
    "-x": lambda x, y: -x,
    "x ** 2": lambda x, y: x**2,
    "x ** y": lambda x, y: x**y,
    "1 / x": lambda x, y: 1 / x,
    "2 - x": lambda x, y: 2 - x,
    "tanh": lambda x, y: x.tanh(),
    "exp": lambda x, y: x.exp(),
    "log": lambda x, y: x.log(),
    "sqrt": lambda x, y: x.sqrt(),
    "square": lambda x, y: x.square(),
    "sin": lambda x, y: x.sin(),
    "cos": lambda x, y: x.cos(),
    "abs": lambda x, y: x.abs(),
    "matmul": lambda x, y: x @ y,
    "sum": lambda x, y: x.sum(),
    "mean": lambda x, y: x.mean(),
    "max": lambda x, y: x.max(),
    "reshape": lambda x, y: x.reshape([4]),
    "transpose": lambda x, y: x.transpose([1, 0]),
    "T": lambda x, y: x.T,
    "squeeze": lambda x, y: x.squeeze(),
    "unsqueeze": lambda x, y: x.unsqueeze(0),
    "flatten": lambda x, y: x.flatten(),
    "concat": lambda x, y: paddle.concat([x, y]),
    "stack": lambda x, y: paddle.stack([x, y]),
    "split": lambda x, y: paddle.split(x, 2)[0],
    "slice": lambda x, y: x[0],
    "list index": lambda x, y: x[[0]],
    "gather": lambda x, y: paddle.gather(x, paddle.to_tensor([0])),
    "where": lambda x, y: paddle.where(x > 0, x, y),
    "maximum": lambda x, y: paddle.maximum(x, y),
    "clip": lambda x, y: x.clip(0, 1),
    "cast": lambda x, y: x.astype("float32"),
    "clone": lambda x, y: x.clone(),
    "expand": lambda x, y: x.expand([2, 2, 2]),
    "relu": lambda x, y: F.relu(x),
    "sigmoid": lambda x, y: F.sigmoid(x),
    "gelu": lambda x, y: F.gelu(x),
    "silu": lambda x, y: F.silu(x),
    "softmax": lambda x, y: F.softmax(x),
    "log_softmax": lambda x, y: F.log_softmax(x),
    "mse_loss": lambda x, y: F.mse_loss(x, y),
    "cross_entropy": lambda x, y: F.cross_entropy(x, paddle.to_tensor([0, 1])),
    "linear": lambda x, y: F.linear(x, y),
    "linear with bias": lambda x, y: F.linear(x, y, y[0]),
    "layer_norm": lambda x, y: F.layer_norm(x, 2),
    "dropout": lambda x, y: F.dropout(x),
    "cumsum": lambda x, y: x.cumsum(),
    "pad": lambda x, y: F.pad(x, [1, 1, 1, 1]),
    "norm": lambda x, y: x.norm(),
    "logsumexp": lambda x, y: x.logsumexp(),
}


def node(make):
    return make(leaf(data(2, 2, low=0.2)), leaf(data(2, 2, seed=2, low=0.2))).grad_fn.name()


for text, make in NODES.items():
    cases.add(f"grad_fn of {text}", node, make)


def names(nodes):
    return [node and node.name() for node in nodes]

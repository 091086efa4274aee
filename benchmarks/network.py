"""The network that the tools are tried on, of any length: matmul, add and tanh, again and again."""


def network(paddle, blocks, size=4):
    """Return the mean of what `blocks` blocks of three operators give, and the parameters by name."""
    parameters, h = {}, paddle.ones([2, size])
    for number in range(blocks):
        w, b = paddle.full([size, size], 1 / size), paddle.zeros([size])
        w.stop_gradient = b.stop_gradient = False
        parameters |= {f"w{number}": w, f"b{number}": b}
        h = paddle.tanh(h @ w + b)
    return h.mean(), parameters

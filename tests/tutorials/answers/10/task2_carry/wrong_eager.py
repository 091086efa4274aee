# hint: `network` was called with Tensors: that is eager mode, and no Program was written.
import paddle


def by_program(network, x, w):
    w = paddle.to_tensor(w, stop_gradient=False)
    loss = network(paddle.to_tensor(x), w)
    loss.backward()
    return loss.numpy(), w.grad.numpy()

import numpy as np
import paddle
import paddle.distributed as dist
from paddle.autograd import PyLayer


class Sign(PyLayer):
    @staticmethod
    def forward(ctx, z):
        ctx.save_for_backward(z)
        return paddle.sign(z)

    @staticmethod
    def backward(ctx, dy):
        (z,) = ctx.saved_tensor()
        return dy * (paddle.abs(z) <= 1).astype(dy.dtype)


if dist.get_world_size() > 1:
    dist.init_parallel_env()
paddle.seed(7)
net = paddle.nn.Linear(2, 1)
model = paddle.DataParallel(net) if dist.get_world_size() > 1 else net
optimizer = paddle.optimizer.SGD(0.1, parameters=net.parameters())
rng = np.random.default_rng(dist.get_rank())  # every process has its own part of the data
for step in range(3):
    x = paddle.to_tensor(rng.uniform(-1, 1, (8, 2)).astype("float32"))
    loss = ((Sign.apply(model(x)) - 1) ** 2).mean()
    loss.backward()
    if step == 0:
        print("rank", dist.get_rank(), net.weight.grad.numpy().ravel().round(5))
    optimizer.step()
    optimizer.clear_grad()

"""An LSTM of 128 over 20 steps of 64 numbers, batch 8, SGD."""

import paddle

from benchmarks import data


def setup():
    paddle.seed(0)
    net = paddle.nn.LSTM(64, 128)
    sequences, wanted = (paddle.to_tensor(array) for array in data.sequences())
    optimizer = paddle.optimizer.SGD(0.5, parameters=net.parameters())

    def step():
        outputs, _ = net(sequences)
        loss = ((outputs - wanted) ** 2).mean()
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        return loss

    return step

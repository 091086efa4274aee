"""Classify 64 digits with a 784-256-10 network: one step of training with Adam."""

import paddle
import paddle.nn.functional as F
from paddle import nn

from benchmarks import data


def setup():
    net = nn.Sequential(nn.Linear(784, 256), nn.ReLU(), nn.Linear(256, 10))
    for parameter, weights in zip(net.parameters(), data.mlp_weights()):
        parameter.set_value(weights)
    optimizer = paddle.optimizer.Adam(learning_rate=0.001, parameters=net.parameters())
    images, labels = (paddle.to_tensor(array) for array in data.digits(64))

    def step():
        loss = F.cross_entropy(net(images), labels)
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        return loss

    return step

"""The MLP case with Adam in torch."""

import torch
import torch.nn.functional as F
from torch import nn

from benchmarks import data


def setup():
    net = nn.Sequential(nn.Linear(784, 256), nn.ReLU(), nn.Linear(256, 10))
    for parameter, weights in zip(net.parameters(), data.mlp_weights()):
        parameter.data = torch.tensor(weights.T.copy())  # torch keeps [out, in]
    optimizer = torch.optim.Adam(net.parameters(), lr=0.001)
    images, labels = (torch.tensor(array) for array in data.digits(64))

    def step():
        loss = F.cross_entropy(net(images), labels)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        return loss

    return step

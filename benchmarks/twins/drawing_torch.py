"""The drawing case in torch, by torchviz."""

import sys

import torch
import torchviz

DEEP = 20_000  # torchviz walks the graph by calling itself


def setup():
    sys.setrecursionlimit(DEEP)
    parameters, h = {}, torch.ones(2, 4)
    for number in range(333):
        w, b = torch.full((4, 4), 0.25, requires_grad=True), torch.zeros(4, requires_grad=True)
        parameters |= {f"w{number}": w, f"b{number}": b}
        h = torch.tanh(h @ w + b)
    loss = h.mean()

    def step():
        return torchviz.make_dot(loss, params=parameters).pipe(format="svg").decode()

    return step

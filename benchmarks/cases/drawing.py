"""Draw a network of 1,000 operators as SVG, all of it: what torchviz shows of it, the way back."""

import paddle

from benchmarks.network import network
from minipaddle.tools import picture as pictures


def setup(**options):
    loss, parameters = network(paddle, 333)

    def step():
        return pictures.graph(
            loss, params=parameters, **(options or {"view": "backward", "fold": "none"})
        ).svg()

    return step

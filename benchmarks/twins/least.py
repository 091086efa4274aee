"""The least that a tape in Python does: tensors, nodes and a walk, and no promise kept.

What this takes, no engine of Python objects goes below; what minipaddle takes beyond it is spent on what is missing
here: types and errors, views and in-place writes, several outputs, hooks, Ctrl-C, watchers, gradients of gradients.
"""

from heapq import heappop, heappush
from itertools import count

import numpy as np

__version__ = f"on numpy {np.__version__}"
clock = count(0, -1).__next__


class Tensor:
    __slots__ = ("array", "grad", "node", "wants")

    def __init__(self, array, node=None, wants=False):
        self.array, self.node, self.wants, self.grad = array, node, wants, None

    def __add__(self, other):
        return apply(ADD, self, other)

    def __mul__(self, other):
        return apply(MULTIPLY, self, other)

    def __rsub__(self, number):
        return apply(SCALE, self, number)


class Node:
    __slots__ = ("inputs", "rule", "saved", "sequence")

    def __init__(self, rule, inputs, saved):
        self.rule, self.inputs, self.saved, self.sequence = rule, inputs, saved, clock()


class Tape:
    on = True


def unrecorded(function, *args):
    """Call a function with recording off."""
    Tape.on = False
    answer = function(*args)
    Tape.on = True
    return answer


def apply(op, x, y=None):
    """Return the result of an operator, (forward -> result and what to save, rule), for one or two inputs."""
    forward, rule = op
    if isinstance(y, Tensor):
        out, saved = forward(x.array, y.array)
        wants, inputs = x.wants or y.wants, (x, y)
    else:
        out, saved = forward(x.array, y)
        wants, inputs = x.wants, (x,)
    return Tensor(out, Node(rule, inputs, saved), True) if wants and Tape.on else Tensor(out)


def backward(root):
    """Walk from the root, and leave gradients at the leaves."""
    waiting, heap = {root.node: np.ones_like(root.array)}, [(root.node.sequence, root.node)]
    while heap:
        node = heappop(heap)[1]
        answers = node.rule(waiting.pop(node), node.saved)
        node.saved = None
        for x, dx in zip(node.inputs, answers):
            target = x.node
            if target is None:
                if x.wants:
                    x.grad = dx if x.grad is None else x.grad + dx
            elif target in waiting:
                waiting[target] = waiting[target] + dx
            else:
                waiting[target] = dx
                heappush(heap, (target.sequence, target))


ADD = (lambda a, b: (a + b, None), lambda dy, _: (dy, dy))
MULTIPLY = (lambda a, b: (a * b, (a, b)), lambda dy, saved: (dy * saved[1], dy * saved[0]))
SCALE = (lambda a, number: (number - a, None), lambda dy, _: (-dy,))
SUM = (lambda a, _: (np.add.reduce(a, None), a), lambda dy, a: (np.full(a.shape, dy),))
MEAN = (lambda a, _: (np.add.reduce(a, None) / a.size, a), lambda dy, a: (np.full(a.shape, dy / a.size),))

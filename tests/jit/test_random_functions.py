"""Random functions: with any nest of ifs, loops and exits, to_static computes the same as eager execution."""

import linecache
import random

import numpy as np
import pytest

from minipaddle import paddle
from minipaddle.paddle.jit import to_static

pytestmark = pytest.mark.sweep

NAMES = ("a", "b", "n")
"""Two Tensors and a count, with which every function begins."""


class Drawing:
    """Draws the source of a function."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.loops = 0

    def pick(self, *texts):
        return self.random.choice(texts)

    def value(self):
        chosen = "a * 2 if a.sum() > b.sum() else b - 1"
        return self.pick("a + 1", "b * 0.5", "a - b", "a * 0.5 + b", "-a", "b + n", chosen)

    def test(self):
        plain = self.pick(
            "a.sum() > {k}", "b.mean() < {k}", "n > {k}", "a[0] > b[1]", "flag", "not flag", "True"
        )
        text = plain.format(k=self.pick("0", "1", "-2", "3"))
        if self.random.random() < 0.3:
            return f"{text} {self.pick('and', 'or')} {self.pick('a[1] > 0', 'n < 2', 'not b.sum() > 1')}"
        return text

    def block(self, depth, in_loop):
        lines = []
        for _ in range(self.random.randint(1, 3)):
            lines += self.statement(depth, in_loop)
        return lines

    def statement(self, depth, in_loop):
        kinds = ["assign", "assign", "count"]
        if depth < 3:
            kinds += ["if", "if", "while", "for"]
        if depth:
            kinds += ["return"]
        if in_loop:
            kinds += ["break", "continue"]
        return getattr(self, f"draw_{self.random.choice(kinds)}")(depth, in_loop)

    def draw_assign(self, depth, in_loop):
        return [f"{self.pick('a', 'b')} = {self.value()}"]

    def draw_count(self, depth, in_loop):
        return [self.pick("n = n + 1", "n += 2", "c = a * 2", "b = b.clone()", "seen = {'a': a * 1}")]

    def draw_return(self, depth, in_loop):
        return [self.pick("return a, b, n * 1.0", "return b * 2, a, n * 0.5")]

    def draw_break(self, depth, in_loop):
        return [f"if {self.test()}:", "    break"]

    def draw_continue(self, depth, in_loop):
        return [f"if {self.test()}:", "    continue"]

    def inside(self, head, depth, in_loop):
        return [head, *[f"    {line}" for line in self.block(depth + 1, in_loop)]]

    def draw_if(self, depth, in_loop):
        lines = self.inside(f"if {self.test()}:", depth, in_loop)
        return lines + (self.inside("else:", depth, in_loop) if self.random.random() < 0.6 else [])

    def draw_while(self, depth, in_loop):
        self.loops += 1
        turn = f"turn_{self.loops}"
        begin = self.pick(f"{turn} = 0", f"{turn} = a.sum() * 0")
        head = f"while {turn} < {self.pick('1', '3')} and a.sum() < 50:"
        return [begin, head, f"    {turn} = {turn} + 1", *self.inside(head, depth, True)[1:]]

    def draw_for(self, depth, in_loop):
        self.loops += 1
        item = f"item_{self.loops}"
        over = self.pick("range(2)", "range(3)", "a", "[1.0, 2.0]")
        lines = self.inside(f"for {item} in {over}:", depth, True)
        return [lines[0], f"    b = b + {item}", *lines[1:]]

    def function(self):
        body = ["n = 1", "c = a", "flag = a.sum() > b.sum()", "seen = {'a': b}", "a = a * 1.0"]
        body += self.block(0, False) + self.block(0, False)
        body += ["return a + seen['a'], b + c, n * 1.0"]
        return "\n".join(["def drawn(a, b):", *[f"    {line}" for line in body]]) + "\n"


def function_of(source, seed):
    """Return the function, with a file from which its source can be read."""
    name = f"/drawn/{seed}.py"
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    space = {"paddle": paddle}
    exec(compile(source, name, "exec"), space)
    return space["drawn"]


def outcome(function, numbers):
    """Return the values of a function and the gradients of their sum."""
    inputs = [leaf(one) for one in numbers]
    results = [one if isinstance(one, paddle.Tensor) else leaf(one) for one in function(*inputs)]
    total = leaf(0.0)
    for weight, one in enumerate(results, 1):
        total = total + (one.astype("float64") * weight).sum()
    found = paddle.grad(total, inputs, allow_unused=True)
    return [one.numpy() for one in results], [np.zeros(2) if one is None else one.numpy() for one in found]


def leaf(numbers):
    return paddle.to_tensor(np.array(numbers, "float64"), stop_gradient=False)


@pytest.mark.parametrize("seed", range(60))
def test_it_computes_the_same(seed):
    source = Drawing(seed).function()
    function = function_of(source, seed)
    traced = to_static(function)
    for numbers in ([[1.0, -2.0], [0.5, 3.0]], [[-1.5, 0.25], [-2.0, 1.0]], [[4.0, 2.0], [1.0, 1.0]]):
        values, gradients = outcome(function, numbers)
        found, flowed = outcome(traced, numbers)
        for one, other in zip([*values, *gradients], [*found, *flowed], strict=True):
            np.testing.assert_allclose(other, one, rtol=1e-9, atol=1e-12, err_msg=source + traced.code)

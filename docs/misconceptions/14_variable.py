"""Belief: A Variable of a Program has a value.
Guess: What does the Program print: a number, or a recipe?
Truth: While a Program is built nothing is computed. The Executor runs it, and fetches the number.
"""

import numpy as np
import paddle

paddle.enable_static()
program = paddle.static.Program()
with paddle.static.program_guard(program):
    x = paddle.static.data("x", [1], "float32")
    x.stop_gradient = False
    y = x * x
    (slope,) = paddle.static.gradients(y, x)
print("y is a", type(y).__name__, "of shape", y.shape)
feed = {"x": np.array([3.0], "float32")}
print(*paddle.static.Executor().run(program, feed=feed, fetch_list=[y, slope]))
assert isinstance(y, paddle.static.Variable)

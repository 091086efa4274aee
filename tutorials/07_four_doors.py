# %% [markdown]
# # 7. Four doors to a gradient of your own
#
# You will see the tanh of tutorial 3 four times: as a `PyLayer`, the same one inside a Program like those of
# tutorial 6, as two functions of a Program, and as plain NumPy that a Program calls. One rule, one gradient.
# (Real Paddle has no second door, and no second derivative through the last two.)
#
# New names: `to_static`, `static_pylayer`, `py_func`.
#
#     minipaddle run tutorials/07_four_doors.py
#     minipaddle graph tutorials/07_four_doors.py
#     minipaddle step tutorials/07_four_doors.py -c "step 4" -c where

# %%
import numpy as np
import paddle
from paddle.autograd import PyLayer

numbers = np.array([-2.0, -0.5, 0.5, 2.0])  # [4]


def rule(y, dy):
    return dy * (1 - y * y)


# %% [markdown]
# ## First door: PyLayer. Forward and backward are called with Tensors, every time


# %%
class Tanh(PyLayer):
    @staticmethod
    def forward(ctx, x):
        y = paddle.tanh(x)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, dy):
        (y,) = ctx.saved_tensor()
        return rule(y, dy)


def eager(function):
    x = paddle.to_tensor(numbers, stop_gradient=False)
    (first,) = paddle.grad(function(x), x, create_graph=True)
    (second,) = paddle.grad(first, x)
    return first.numpy(), second.numpy()


found = {"PyLayer": eager(Tanh.apply)}

# %% [markdown]
# ## Second door: the same PyLayer, traced
#
# `to_static` calls the function once, with Variables, and keeps the Program. The PyLayer becomes one operator,
# `pylayer`, with two Blocks: what forward did, and what backward did.


# %%
@paddle.jit.to_static
def traced(x):
    return Tanh.apply(x)


found["to_static"] = eager(traced)
print("blocks of the traced function:", traced.main_program.num_blocks)

# %% [markdown]
# ## Third door: static_pylayer; fourth door: py_func
#
# In a Program the two Blocks are written by two functions. Backward may compute what it needs again. The
# functions of `py_func` get arrays, in every run. NumPy has no tape, so for the second derivative its backward
# function brings a backward function of its own. (Tutorial 8 shows how to read a picture of such a thing.)

# %%
paddle.enable_static()


def through_blocks(x):
    return paddle.static.nn.static_pylayer(paddle.tanh, [x], lambda dy: rule(paddle.tanh(x), dy))


def backward(x, y, dy):
    return rule(np.array(y), np.array(dy))


def backward_of_backward(x, y, dy, dx, ddx):
    y, dy, ddx = np.array(y), np.array(dy), np.array(ddx)
    return np.zeros_like(y), -2 * y * dy * ddx, rule(y, ddx)


backward.backward_func = backward_of_backward


def through_python(x):
    block = paddle.static.default_main_program().current_block()
    out = block.create_var(name="out", shape=x.shape, dtype=x.dtype)
    return paddle.static.py_func(np.tanh, x, out, backward)


for name, function in (("static_pylayer", through_blocks), ("py_func", through_python)):
    program = paddle.static.Program()
    with paddle.static.program_guard(program):
        x = paddle.static.data("x", [4], "float64")
        x.stop_gradient = False
        (first,) = paddle.static.gradients(function(x), x)
        (second,) = paddle.static.gradients(first, x)
    found[name] = paddle.static.Executor().run(program, feed={"x": numbers}, fetch_list=[first, second])

for name, (first, second) in found.items():
    print(f"{name:15}", first.round(4), second.round(4))

# %%
t = np.tanh(numbers)
firsts, seconds = zip(*found.values(), strict=True)
assert len(found) == 4
assert np.allclose(firsts, 1 - t * t), "the slope of tanh"
assert np.allclose(seconds, -2 * t * (1 - t * t)), "the slope of the slope"
assert len({first.tobytes() for first in firsts}) == 1, "the very same numbers through every door"

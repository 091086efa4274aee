# %% [markdown]
# # 7. Four doors to a gradient of your own
#
# You will see the tanh of tutorial 3 four times: as a `PyLayer`, the same one inside a Program like those of
# tutorial 6, as two functions of a Program, and as plain NumPy that a Program calls. One rule, one gradient. (Real
# Paddle has no second door, and no second derivative through the last two.)
#
# New names: `to_static`, `static_pylayer`, `py_func`.
#
#     minipaddle run tutorials/07_four_doors.py
#     minipaddle graph tutorials/07_four_doors.py
#     minipaddle step tutorials/07_four_doors.py -c "step 4" -c where
#
# **Goals:** you can write one rule four ways, and say when each is called, with what. **Before:** tutorials 3 and 6.
# **Time:** 30 minutes. At each guess, stop, write your answer down, and only then run the next cell.

# %%
import numpy as np
import paddle
from paddle.autograd import PyLayer

numbers = np.array([-2.0, -0.5, 0.5, 2.0])  # [4]
met = []  # what the rule was called with


def rule(y, dy):
    met.append(type(y).__name__)
    return dy * (1 - y * y)


# %% [markdown]
# ## First door: PyLayer
#
# `eager` asks for the slope, and for the slope of that: the rule is made of operators, which have slopes in turn.
#
# **Guess:** `tanh` is steepest at 0. Where is its second derivative above zero, and how often is `rule` called?


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
print("second:", found["PyLayer"][1].round(4), " called with:", met)

# %% [markdown]
# ## Second door: the same PyLayer, traced
#
# Left of 0 the slope rises, right of it it falls. The rule was called twice: once for the slope, and once more for
# the slope of `y`, which the rule asks for and which came through the same door.
#
# `to_static` calls a function once, with Variables, and keeps the Program. The PyLayer becomes one operator, `pylayer`,
# with Blocks of its own.
#
# **Guess:** how many Blocks has the traced Program, and with what is `rule` called?


# %%
@paddle.jit.to_static
def traced(x):
    return Tanh.apply(x)


met.clear()
found["to_static"] = eager(traced)
print("blocks of the traced function:", traced.main_program.num_blocks, " called with:", met)

# %% [markdown]
# ## Third door: static_pylayer; fourth door: py_func
#
# Three: the Program itself, what forward did, and what backward did.
#
# `static_pylayer` has its two Blocks written by two functions; backward may compute again what it needs. The functions
# of `py_func` are called by the Executor. NumPy has no tape, so backward brings a backward function of its own.
#
# **Guess:** each Program runs three times. How often is `rule` called behind each of these doors, and with what?

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


called = {}
for name, function in (("static_pylayer", through_blocks), ("py_func", through_python)):
    met.clear()
    program = paddle.static.Program()
    with paddle.static.program_guard(program):
        x = paddle.static.data("x", [4], "float64")
        x.stop_gradient = False
        (first,) = paddle.static.gradients(function(x), x)
        (second,) = paddle.static.gradients(first, x)
    for _ in range(3):
        found[name] = paddle.static.Executor().run(program, feed={"x": numbers}, fetch_list=[first, second])
    called[name] = list(met)
    print(name, "called the rule", len(met), "time(s), with", met[0])

for name, (first, second) in found.items():
    print(f"{name:15}", first.round(4), second.round(4))

# %% [markdown]
# **Summary:** a PyLayer's functions are called in every pass, with Tensors; those of a Program once, while it is
# written, with Variables; those of `py_func` in every run, with arrays. **What next:** tutorial 8 reads pictures.

# %%
t = np.tanh(numbers)
firsts, seconds = zip(*found.values(), strict=True)
assert called == {"static_pylayer": ["Variable"], "py_func": 9 * ["ndarray"]}, (
    "while writing, or in every run"
)
assert np.allclose(firsts, 1 - t * t), "the slope of tanh"
assert np.allclose(seconds, -2 * t * (1 - t * t)), "the slope of the slope"
assert len({first.tobytes() for first in firsts}) == 1, "the very same numbers through every door"

# %% [markdown]
# # 13. A gradient that is finite and wrong
#
# You will see a layer of your own that trains slowly although nothing complains, the check that finds the mistake and
# says which it is, and the step at which it can be watched. The NaN of tutorial 12 shouted; this one keeps silent.
#
# New names: `SGD`, `step`, `clear_grad`.
#
#     minipaddle run tutorials/13_wrong_py_layer.py
#     minipaddle graph tutorials/13_wrong_py_layer.py -o wrong.svg
#     minipaddle step tutorials/13_wrong_py_layer.py -c "b op:Softplus_grad" -c c -c why -c check -c jac
#
# **Goals:** you can check a rule, and say why training does not do that for you. **Before:** tutorials 3 and 12.
# **Time:** 25 minutes. At each guess, stop, write your answer down, and only then run the next cell.

# %%
import numpy as np
import paddle
from paddle.autograd import PyLayer

# %% [markdown]
# ## Two versions of one layer
#
# `softplus(x) = log(1 + exp(x))`, and its slope is the sigmoid of `x`, which can be had from what it returned:
# `1 - exp(-y)`. Somebody was in a hurry and wrote `exp(-y)`.


# %%
class Softplus(PyLayer):
    @staticmethod
    def forward(ctx, x):
        y = paddle.log(1 + paddle.exp(x))
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, dy):
        (y,) = ctx.saved_tensor()
        return dy * paddle.exp(-y)


class RightSoftplus(Softplus):
    @staticmethod
    def backward(ctx, dy):
        (y,) = ctx.saved_tensor()
        return dy * (1 - paddle.exp(-y))


# %% [markdown]
# **Guess:** is there an `x` at which the wrong rule gives the right gradient, so that a test there would pass?


# %%
def gradient(layer, places):
    w = paddle.to_tensor(places, stop_gradient=False)
    layer.apply(w).sum().backward()
    return w.grad.numpy()


places = [-1.0, 0.0, 0.5, 1.5]
wrong, right = gradient(Softplus, places), gradient(RightSoftplus, places)
print("wrong:", wrong.round(4), "right:", right.round(4))

# %% [markdown]
# At 0, where both are one half. Elsewhere the wrong one is what is left of 1. Test a rule at more than one place.
#
# ## Training tells you little
#
# Both are trained to put out 2. `SGD` moves the parameter against its gradient at every `step`, and `clear_grad` makes
# room for the next.
#
# **Guess:** does the loss of the wrong one rise, stay or fall? Which loss is smaller after ten steps?


# %%
def train(layer, steps=30):
    w = paddle.create_parameter([1], "float32", default_initializer=paddle.nn.initializer.Constant(0.5))
    optimizer = paddle.optimizer.SGD(learning_rate=0.5, parameters=[w])
    for _ in range(steps):
        loss = ((layer.apply(w) - 2.0) ** 2).sum()
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
    return w, loss.item()


losses = {steps: [train(layer, steps)[1] for layer in (Softplus, RightSoftplus)] for steps in (1, 10, 30)}
for steps, (slow, fast) in losses.items():
    print(f"step {steps:2}: wrong {slow:.6f}, right {fast:.6f}")

# %% [markdown]
# It falls. The wrong gradient has the right sign and moves the right way: only too slowly the nearer it comes. No
# error, no NaN, a loss that falls. Such a mistake can live for years.
#
# ## The check tells you all
#
#     minipaddle check tutorials/13_wrong_py_layer.py
#
# differentiates what `forward` did, operator by operator, at the numbers that the run met, and compares.
# `Softplus_grad` comes first: the worst element, what was computed, what is right, and the mistake that would explain
# it, with its line. All others are `ok`. Then `step` goes there: `why` shows your own lines with what they gave, `jac`
# the slope as it is, and `set y@GRAD = 0` answers what would follow if the number were another.
#
# **Guess:** nudging needs no rule at all. With which of the two rows does it agree?

# %%
up, down = (np.log1p(np.exp(np.array(places) + step)) for step in (1e-4, -1e-4))
nudged = (up - down) / 2e-4
print("nudged:", nudged.round(4))
w, loss = train(Softplus)

# %% [markdown]
# That is the habit to take home: no layer with a `backward` of its own without a `check`. It exits with code 3 when it
# finds something, so a test or a commit hook can run it.
#
# **Summary:** a wrong rule can train, and a test at one place can pass. `check` compares at all numbers of the run.
# **What next:** why `clear_grad` was needed, tutorial 14 will tell.

# %%
assert np.allclose(right, nudged, atol=1e-4)
assert not np.allclose(wrong, nudged, atol=0.1)
assert np.allclose(wrong, 1 - nudged, atol=1e-4), "exp(-y) is what is left of the slope"
assert losses[1][0] > losses[10][0] > losses[30][0], "the wrong one falls as well"
assert losses[10][1] < 1e-6 < 0.01 < losses[10][0], "but slowly"

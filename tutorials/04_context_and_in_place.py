# %% [markdown]
# # 4. What the context can do, and the traps of writing in place
#
# You will see a layer with three results, of which one has no slope and one nobody asked for. Then a layer that returns
# its own input, and the two errors that keep you from ruining a gradient by writing over a number.
#
# New names: `mark_non_differentiable`, `set_materialize_grads`, `mark_not_inplace`.
#
#     minipaddle run tutorials/04_context_and_in_place.py
#     minipaddle graph tutorials/04_context_and_in_place.py
#     minipaddle step tutorials/04_context_and_in_place.py -c "goto by_spread" -c why -c finish -c next -c why
#
# **Goals:** you can write a layer with several results, and say what may not be written over. **Before:** tutorial 3.
# **Time:** 25 minutes. At each guess, stop, write your answer down, and only then run the next cell.

# %%
import numpy as np
import paddle
from paddle.autograd import PyLayer

# %% [markdown]
# In tutorial 3 the context `ctx` carried a tensor from `forward` to `backward`. It carries anything: tensors by
# `save_for_backward`, and all else as an attribute of any name, like `count` here.
#
# This layer tells three things about some numbers: their mean, their spread, and where the largest is. A place has no
# slope, so `mark_non_differentiable` takes that result off the tape. And for a result that nobody used, `backward` is
# given zeros, and would compute with them in earnest; after `set_materialize_grads(False)` it is given `None`.
#
# **Guess:** we use the spread alone. Which of the three gradients are `None`, and which results are off the tape?

# %%
given = []


class Summary(PyLayer):
    @staticmethod
    def forward(ctx, x):
        mean, largest = x.mean(), x.argmax()
        away = x - mean
        ctx.save_for_backward(away)
        ctx.count = x.shape[0]
        ctx.mark_non_differentiable(largest)
        ctx.set_materialize_grads(False)
        return mean, (away * away).mean(), largest

    @staticmethod
    def backward(ctx, *grads):
        given[:] = ["None" if grad is None else "a tensor" for grad in grads]
        (away,) = ctx.saved_tensor()
        by_mean = 0.0 if grads[0] is None else grads[0] / ctx.count
        by_spread = 0.0 if grads[1] is None else grads[1] * 2 * away / ctx.count
        return by_spread + by_mean


x = paddle.to_tensor([3.0, 1.0, 2.0], stop_gradient=False)
results = Summary.apply(x)
results[1].backward()
print("off the tape:", [result.stop_gradient for result in results], " given:", *given)

# %% [markdown]
# ## A layer that returns its own input
#
# The next one leaves the value alone and turns the gradient round, which helps a network to unlearn something. But
# whoever returns the very tensor that came in is taken to have written into it. `mark_not_inplace` says: nothing was
# written, give out a new tensor. (Paddle 3.3.1 does, but loses the gradient, and `x.grad` stays `None`. The
# documentation promises what minipaddle does. `return x.clone()` works in both.)


# %%
class TurnRound(PyLayer):
    @staticmethod
    def forward(ctx, x):
        ctx.mark_not_inplace(x)
        return x

    @staticmethod
    def backward(ctx, dy):
        return -dy


x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
TurnRound.apply(x).sum().backward()
turned = None if x.grad is None else x.grad.tolist()
print("turned round:", turned)

# %% [markdown]
# ## Two traps
#
# A method whose name ends in `_` writes in place: `y.scale_(2.0)` doubles the numbers of `y` where they stand.
#
# **Guess:** `tanh` keeps its value for the way back, as ours did. What happens when that value is doubled in place?


# %%
def complaint(action):
    try:
        action()
    except (RuntimeError, ValueError) as error:
        return f"{type(error).__name__} {error}"


w = paddle.to_tensor([0.5, -1.0, 2.0], stop_gradient=False)
kept = complaint(lambda: paddle.tanh(w).scale_(2.0).sum().backward())
print(kept.split(".")[0])

# %% [markdown]
# The slope would be wrong, so tensors count how often they were written, and the tape compares. Not every value is
# kept, however: `scale` keeps nothing, for its slope is a number that it was given.
#
# **Guess:** which of these two is refused: to double a leaf in place, or to double `w * 3`?

# %%
leaf = complaint(lambda: paddle.to_tensor([0.5], stop_gradient=False).scale_(2.0))
fine = complaint(lambda: (w * 3.0).scale_(2.0).sum().backward())
print("a product:", fine, " a leaf:", leaf.split(".")[0])

# %% [markdown]
# A leaf must not be written at all: it would become a result, and results collect no gradient. The way out of both is
# a new value, without the underscore. Here is the spread of such a value, and nudging has the last word.

# %%
w.clear_grad()
mean, spread, largest = Summary.apply(paddle.tanh(w) * 2.0)
spread.backward()
print("spread:", spread.item(), "largest at", largest.item(), "gradient:", w.grad.numpy())

# %% [markdown]
# **Summary:** `ctx` carries tensors and all else, and says which results have no slope. What is kept for the way back
# may not be written over, nor may a leaf; both are refused with an error.
#
# **What next:** so far every line computed at once. In tutorial 5 nothing computes until we say so.


# %%
def spread_of(w):
    return np.var(2.0 * np.tanh(w))


nudged = [(spread_of(w.numpy() + step) - spread_of(w.numpy() - step)) / 2e-3 for step in 1e-3 * np.eye(3)]
assert np.allclose(w.grad.numpy(), nudged, atol=1e-4)
assert given == ["None", "a tensor", "None"], "only the spread was used, so only its gradient came"
assert [result.stop_gradient for result in results] == [False, False, True], "the place is off the tape"
assert turned in ([-1.0, -1.0], None), "None under Paddle 3.3.1"
assert "modified by an inplace operation" in kept
assert "Leaf Var" in leaf
assert fine is None, "nobody had kept the product"

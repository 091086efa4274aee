# %% [markdown]
# # 9. Where memory goes
#
# You will see how many bytes a gradient holds on to until it is computed, why one array may be noted down twice, and
# a rule by hand that keeps one array where the tape keeps four.
#
# New names: `saved_tensors_hooks`, `no_grad`, `relu_`.
#
#     minipaddle run tutorials/09_where_memory_goes.py
#     minipaddle graph tutorials/09_where_memory_goes.py --pass 1 --saved --values none -o tape.svg
#     minipaddle step tutorials/09_where_memory_goes.py --passes all -c "b op:Mish_grad" -c c -c why
#
# **Goals:** you can say what an operator keeps, count its bytes, and keep fewer. **Before:** tutorials 3, 4 and 8.
# **Time:** 30 minutes. At each guess, stop, write your answer down, and only then run the next cell.

# %%
import numpy as np
import paddle
import paddle.nn.functional as F
from paddle.autograd import PyLayer, saved_tensors_hooks

# %% [markdown]
# The rungs of tutorial 8 are not free. What stands on one stays in memory from the forward run until the way back has
# passed it; so a network that trains needs far more memory than one that only answers. How much? Paddle lets us look:
# within `saved_tensors_hooks(pack, unpack)`, every tensor on its way to a rung is handed to `pack`. Ours counts. What
# has the same content is taken for one array, and here it is one: a note refers to an array, it is no copy.
#
# **Guess:** the slope of `tanh` is `1 - y * y`. How many tensors do `tanh`, `square`, `2 * x` and `x * x` keep?


# %%
def kept_by(function, x):
    """Return how many tensors are noted down for the way back, and how many bytes that is."""
    noted = []

    def pack(tensor):
        noted.append(tensor)
        return tensor

    with saved_tensors_hooks(pack, lambda tensor: tensor):
        function(x)
    return len(noted), sum(map(len, {tensor.numpy().tobytes() for tensor in noted}))


x = paddle.to_tensor(np.linspace(-3.0, 3.0, 1000, dtype="float32"), stop_gradient=False)  # 4,000 bytes
print("tanh", kept_by(paddle.tanh, x), " square", kept_by(paddle.square, x))
print("2 * x", kept_by(lambda x: 2 * x, x), " x * x", kept_by(lambda x: x * x, x))

# %% [markdown]
# An operator keeps what its slope asks for. The slope of `2 * x` is 2: nothing. `square` has `2 * x`, so it keeps what
# came in; `tanh` has `1 - y * y`, so it keeps what went out. And `x * x` makes two notes of one array.
#
# ## In or out?
#
# Whether input or result is kept looks like a matter of taste. But the next operator keeps something, too: a product
# `h @ w` keeps `h`. `relu` keeps its result, `square` what came in, and `relu_` writes its result over its input.
#
# **Guess:** between two products, which of the three keeps the most bytes? And does `relu_` keep fewer than `relu`?

# %%
weight = paddle.to_tensor(np.eye(10, dtype="float32") + 0.5, stop_gradient=False)  # 400 bytes


def between_products(function):
    return kept_by(lambda x: function(x.reshape([100, 10]) @ weight) @ weight, x)


for function in (F.relu, F.relu_, paddle.square):
    print("between two products:", function.__name__, between_products(function))

# %% [markdown]
# In `relu(z) @ w` the product keeps the result of `relu`, and so does `relu`: two notes, one array. In `square(z) @ w`
# there are two arrays. So `relu` costs nothing here. `relu_` may write over `z`, for nobody has kept `z`; tutorial 4
# showed what happens where somebody has. That saves memory in the forward run, and none of what is kept.
#
# ## Four arrays, or one
#
# Some networks like `mish` better: `x * tanh(log(1 + exp(x)))`. The tape takes it one operator at a time, and nearly
# every one of them keeps something. We know better. All those numbers follow from `x`: keep that one, and let
# `backward` compute the others again. Under `no_grad` a network only answers, and no tape is written.
#
# **Guess:** how many bytes are kept by the tape, by the rule by hand, and under `no_grad`?


# %%
def mish(x):
    return x * paddle.tanh(paddle.log(1 + paddle.exp(x)))


class Mish(PyLayer):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return mish(x)

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensor()
        t = paddle.tanh(F.softplus(x))
        return dy * (t + x * (1 - t * t) * F.sigmoid(x))


with paddle.no_grad():
    nothing = kept_by(mish, x)
print("mish: tape", kept_by(mish, x), "by hand", kept_by(Mish.apply, x), "no_grad", nothing)

# %% [markdown]
# Memory is bought with time: `backward` computes an exponential once more. For whole layers this is *recomputing*. And
# you can see it: `--saved` writes the bytes on the rungs and says in the title what is kept in all, each array counted
# once. The tape's pass is the first, 16.8 kB; ours is the second, 4.8 kB, here with `Mish` closed:
#
#     minipaddle graph tutorials/09_where_memory_goes.py --pass 1 --saved --values none -o tape.svg
#     minipaddle graph tutorials/09_where_memory_goes.py --pass 2 --saved --values none --depth 0 -o ours.svg

# %%
points = paddle.to_tensor(np.linspace(-1.0, 1.0, 200, dtype="float32").reshape(20, 10))  # 800 bytes
gradients = []
for function in (mish, Mish.apply):
    w = paddle.to_tensor(np.linspace(-1.0, 1.0, 500, dtype="float32").reshape(10, 50), stop_gradient=False)
    loss = function(points @ w).mean()  # of 20 times 50 numbers
    loss.backward()
    gradients.append(w.grad.numpy())

# %% [markdown]
# **Summary:** an operator keeps what its slope asks for, and notes refer to arrays. Who computes again keeps less.
# **What next:** in tutorial 10 a network is written down as a Program, and its rungs are names in a listing.

# %%
assert kept_by(paddle.tanh, x) == kept_by(paddle.square, x) == (1, 4000)
assert kept_by(lambda x: x * x, x) == (2, 4000), "two notes, one array"
assert between_products(F.relu)[1] == between_products(paddle.square)[1] - 4000, "relu is free"
assert [nothing, kept_by(Mish.apply, x), kept_by(mish, x)] == [(0, 0), (1, 4000), (5, 16000)]
assert np.allclose(*gradients, atol=1e-6), "and the gradient is the same"

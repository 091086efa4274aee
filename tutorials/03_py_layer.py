# %% [markdown]
# # 3. A gradient of your own
#
# You will see the slope of an operator written by hand, checked by nudging, and then put to use where the tape's own
# gradient breaks down: at a number whose exponential no computer can hold.
#
# New names: `PyLayer`, `save_for_backward`, `saved_tensor`.
#
#     minipaddle run tutorials/03_py_layer.py
#     minipaddle graph tutorials/03_py_layer.py -o mirror.svg
#     minipaddle step tutorials/03_py_layer.py -c "goto price@GRAD" -c "step 3" -c why -c finish -c where
#
# **Goals:** you can write a `PyLayer`, check it by nudging, and say when a rule of your own is worth it.
# **Before:** tutorials 1 and 2. **Time:** 25 minutes. At each guess, stop, write your answer down, and only then run
# the next cell.

# %%
import numpy as np
import paddle
import paddle.nn.functional as F
from paddle.autograd import PyLayer

# %% [markdown]
# In tutorial 2 a note had to know one thing: the slope for each of its operands. A `PyLayer` is a note that you
# write. Its `forward` computes the value. Its `backward` is given `dy`, the gradient of that value, and answers with
# the gradient of the operand: `dy`, times the slope.
#
# For `tanh` the slope is `1 - y * y`, where `y` is the value. So `forward` hands it over to `backward` by way of the
# context `ctx`: what goes into `save_for_backward` comes out of `saved_tensor`.


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
        return dy * (1 - y * y)


# %% [markdown]
# Nothing makes sure that `backward` is right. So we nudge, as in tutorial 1, and let NumPy be the judge.
#
# **Guess:** at which of -2, 0, 0.5 and 3 is `tanh` steepest, and how steep is it there?


# %%
def slope_by_nudging(function, x, nudge=1e-6):
    return (function(x + nudge) - function(x - nudge)) / (2 * nudge)


x = np.array([-2.0, 0.0, 0.5, 3.0])
t = paddle.to_tensor(x, stop_gradient=False)
Tanh.apply(t).sum().backward()
print("tanh:    ", t.grad.numpy())
print("nudged:  ", slope_by_nudging(np.tanh, x))

# %% [markdown]
# Steepest at 0, where the slope is 1, and nearly flat at 3. The two rows agree: our rule is right.
#
# ## Where the tape's own gradient breaks
#
# `log(1 + exp(z))` is a gentle curve: nearly 0 for a negative `z`, nearly `z` for a positive one. Its slope is always
# between 0 and 1. But `exp(1000)` is infinite for a computer.
#
# **Guess:** the slope at 1000 is 1. What does the tape say, which takes the formula one operator at a time?

# %%
z = np.array([-1000.0, -1.0, 2.0, 1000.0])
naive = paddle.to_tensor(z, stop_gradient=False)
paddle.log(1 + paddle.exp(naive)).sum().backward()
print("naive:   ", naive.grad.numpy())

# %% [markdown]
# The slope of `log` at infinity is zero, and that of `exp` is infinite. Zero times infinity is not a number.
#
# We know more than the tape: on paper the slope comes out as the sigmoid of `z`, which never overflows. The value, too,
# can do without a large exponential: take `z` if it is positive, else 0, and add a small correction.
#
# **Guess:** what are the slopes at -1000 and at 1000 now?


# %%
class Softplus(PyLayer):
    @staticmethod
    def forward(ctx, z):
        ctx.save_for_backward(z)
        return F.relu(z) + paddle.log1p(paddle.exp(-paddle.abs(z)))

    @staticmethod
    def backward(ctx, dy):
        (z,) = ctx.saved_tensor()
        return dy * F.sigmoid(z)


stable = paddle.to_tensor(z, stop_gradient=False)
Softplus.apply(stable).sum().backward()
print("softplus:", stable.grad.numpy())
print("nudged:  ", slope_by_nudging(lambda z: np.logaddexp(0, z), z))

# %% [markdown]
# ## Both at work
#
# Four points of two kinds, and for each a decision between -1 and 1. `wrong` says which decision would be wrong; to
# lean that way costs a `Softplus`. The last backward pass runs through both of our rules, and the picture opens them:
# the bodies of `forward` on the left, those of `backward` on the right.
#
# **Guess:** the first two points shall come out near 1, the others near -1. Should `w[0]` rise, and what is the sign of
# its gradient?

# %%
points = paddle.to_tensor([[1.0, 2.0], [2.0, 0.5], [-1.0, -0.5], [-2.0, 1.0]])  # [4, 2]
wrong = paddle.to_tensor([[-1.0], [-1.0], [1.0], [1.0]])  # [4, 1]
w = paddle.to_tensor([[0.5], [-0.5]], stop_gradient=False)  # [2, 1]

score = points @ w  # [4, 1]
decision = Tanh.apply(score)
price = Softplus.apply(decision * wrong)
loss = price.mean()
loss.backward()
print("loss:    ", loss.item(), "gradient of w:", w.grad.numpy().ravel())

# %% [markdown]
# Both gradients are below 0: more of either weight, and the price falls.
#
# **Summary:** a `PyLayer` is a note with a rule of your own. Check it by nudging. It is worth it where you know more
# than the operators one by one: here, a slope that stays finite.
#
# **What next:** what else `ctx` can do, tutorial 4 will tell. Its traps, too.

# %%
assert np.allclose(t.grad.numpy(), slope_by_nudging(np.tanh, x)), "our rule for tanh is right"
assert np.isnan(naive.grad.numpy()[3]), "the tape alone is lost"
assert np.allclose(stable.grad.numpy(), slope_by_nudging(lambda z: np.logaddexp(0, z), z)), "ours is not"
assert np.isclose(loss.item(), np.logaddexp(0, np.tanh(score.numpy()) * wrong.numpy()).mean())
assert (w.grad.numpy() < 0).all(), "more of w, and the price falls"

# %% [markdown]
# # 12. A NaN that the forward pass hides
#
# You will see a loss that is a number and a gradient that is none, the operator that gave birth to it, and the trick
# with two `where`s. In tutorial 11 the gradient was too small; here it is not even a number.
#
# New names: `where`, `isnan`, `isfinite`.
#
#     minipaddle run tutorials/12_nan.py
#     minipaddle graph tutorials/12_nan.py -o nan.svg
#     minipaddle step tutorials/12_nan.py -c nan -c "b nan" -c c -c why -c "rc" -c where
#
# **Goals:** you can find where a NaN was born, and write a function that has none. **Before:** tutorials 1 to 3.
# **Time:** 20 minutes. At each guess, stop, write your answer down, and only then run the next cell.

# %%
import numpy as np
import paddle

# %% [markdown]
# ## The trap
#
# A square root has no slope at zero: it is vertical there. So we ask for it only where the number is positive, and
# take zero elsewhere. `where(condition, a, b)` picks from `a` or from `b`, element by element.
#
# **Guess:** the slope of a square root is `1 / (2 * root)`. What are the three gradients at 4, 0 and 9?


# %%
def distance(x):
    return paddle.where(x > 0, paddle.sqrt(x), paddle.zeros_like(x))


x = paddle.to_tensor([4.0, 0.0, 9.0], stop_gradient=False)
loss = distance(x).sum()
loss.backward()
trapped = x.grad.numpy()
print("loss:", loss.item(), "gradient:", trapped)

# %% [markdown]
# The loss is 5, as it should be. The gradient of the second element should be 0, for it does not matter. It is NaN.
#
#     minipaddle nan tutorials/12_nan.py
#
# names the place of birth first: `sqrt_grad`, with the numbers that it had before it. What comes back from `where` is
# zero at that element, as promised; but `sqrt` multiplies it by its own slope, `1 / (2 * out)`, and `out` is zero.
# Zero times infinity is no number, and no later operator can mend it: a NaN is not masked by multiplying it with
# zero. The forward pass hid the danger; the reverse walk goes through both branches.
#
# ## The way out
#
# Mask the *input* of the dangerous function too: where the result will not be used, give it something harmless. This
# is known as the double where.
#
# **Guess:** the second element now goes through `sqrt` as a 1, whose slope is one half. What is its gradient?


# %%
def safe_distance(x):
    harmless = paddle.where(x > 0, x, paddle.ones_like(x))
    return paddle.where(x > 0, paddle.sqrt(harmless), paddle.zeros_like(x))


y = paddle.to_tensor([4.0, 0.0, 9.0], stop_gradient=False)
safe_distance(y).sum().backward()
print("twice masked:", y.grad.numpy())

# %% [markdown]
# Zero: the outer `where` sends nothing back to it, and zero times one half is zero.
#
# ## Others of the family
#
# The same trap in other clothes: `log` at zero, a division whose denominator may be zero, the norm of a vector of
# zeros, a softmax by hand whose `exp` overflows. `minipaddle nan` finds each by the same rule: the first operator that
# made what none of its inputs had. `isnan` and `isfinite` ask the same of one tensor, in your own code.
#
# **Guess:** the norm of two zeros is 0. What is its gradient, and what if 1e-12 is added below the root?

# %%
w = paddle.to_tensor([0.0, 0.0], stop_gradient=False)
norm = paddle.sqrt((w * w).sum())
norm.backward()
at_zero = bool(paddle.isnan(w.grad).all())
print("the norm of nothing:", norm.item(), "its gradient:", w.grad.numpy())

w.clear_gradient()
smooth = paddle.sqrt((w * w).sum() + 1e-12)
smooth.backward()
print("with a little added:", w.grad.numpy())

# %% [markdown]
# An Inf that stays where it was made is often meant: the mask of an attention is one. `minipaddle nan` lists it and is
# content (exit code 0), unless it arrives at a loss, a gradient or a parameter.
#
# **Summary:** zero times infinity is not a number, and the way back goes through every branch. Mask what goes into the
# dangerous function, or add a little below the root. `nan` names the place of birth.
# **What next:** in tutorial 13 every number is finite, and the gradient is wrong all the same.

# %%
print("all finite now:", bool(paddle.isfinite(y.grad).all()))
assert np.isnan(trapped[1]), "0 * inf"
assert np.allclose(trapped[[0, 2]], [0.25, 1 / 6])
assert np.allclose(y.grad.numpy(), [0.25, 0.0, 1 / 6])
assert at_zero
assert np.isfinite(w.grad.numpy()).all()

# %% [markdown]
# # 15. Broadcasting, and the gradient that sums it back
#
# You will see one small tensor used many times without a word, and its gradient added up on the way home.
# In tutorial 14 passes were added; here it is the uses of one number within one pass.
#
# New names: `broadcast_shape`, `broadcast_to`, `keepdim`.
#
#     minipaddle run tutorials/15_broadcasting.py
#     minipaddle graph tutorials/15_broadcasting.py
#     minipaddle step tutorials/15_broadcasting.py -c "goto b.grad" -c "goto b@GRAD" -c why
#
# **Goals:** you can tell the shape of a sum, and which axes its gradient adds up. **Before:** tutorials 1 and 2.
# **Time:** 20 minutes. At each guess, stop, write your answer down, and only then run the next cell.

# %%
import numpy as np
import paddle

# %% [markdown]
# ## One row, added to every row
#
# A batch `x` has four rows of three numbers; a bias `b` has three numbers. `x + b` adds `b` to each of the rows.
# That is **broadcasting**: shapes are laid side by side at their right ends. An axis of size 1, or one that is not
# there at all, is repeated until it fits.
# **Guess:** which shape comes of [4, 1] and [3]? And of [2, 3] and [2]?


# %%
def shape_of(one, other):
    try:
        return paddle.broadcast_shape(one, other)
    except ValueError as error:
        return type(error).__name__


shapes = [shape_of([4, 3], [3]), shape_of([4, 1], [3]), shape_of([2, 3], [2])]
print("[4, 3] and [3], [4, 1] and [3], [2, 3] and [2]:", *shapes)

# %% [markdown]
# The last one fails: 3 and 2 stand side by side, and neither is 1. To add 2 numbers to 2 rows, write [2, 1].
#
# ## The way home
#
# Each number of `b` was used four times, once in each row. All four uses report what they gained, as in tutorial 2.
# What they report must be added, so the gradient of `b` is the sum over the rows.
# **Guess:** the loss is the sum of `x + b`. What is `b.grad`, and what is `x.grad`?

# %%
x = paddle.to_tensor(np.arange(12.0).reshape(4, 3), stop_gradient=False)
b = paddle.to_tensor([0.5, -1.0, 2.0], dtype="float64", stop_gradient=False)
(x + b).sum().backward()
plain = b.grad.tolist()
print("b.grad:", plain, " x.grad has the shape", list(x.grad.shape))

# %% [markdown]
# A gradient always has the shape of its tensor. What was repeated on the way out is summed on the way home.
# Do it in two steps, and each can be seen: `broadcast_to` repeats, and its gradient alone does the summing.
# **Guess:** rows now weigh 1, 2, 3 and 4. What is the gradient of the tall copy, and what is that of `b`?

# %%
b.clear_grad()
weight = paddle.to_tensor([[1.0], [2.0], [3.0], [4.0]], dtype="float64")
tall = paddle.broadcast_to(b, [4, 3])
tall.retain_grads()
(tall * weight).sum().backward()
weighed, rows = b.grad.numpy(), tall.grad.numpy()
print("tall:", rows.tolist(), " b:", weighed.tolist())

# %% [markdown]
# ## Any shapes, one rule
#
# Here is the rule by hand. Axes that were not there are summed away. Axes of size 1 stay: that is `keepdim`.


# %%
def summed_back(grad, shape):
    while len(grad.shape) > len(shape):
        grad = grad.sum(axis=0)
    for axis, size in enumerate(shape):
        if size == 1:
            grad = grad.sum(axis=axis, keepdim=True)
    return grad


# %% [markdown]
# **Guess:** [2, 1, 3] is multiplied by [4, 1]. Which shape has the product, and which axes are summed for each?

# %%
rng = np.random.default_rng(0)
x, w = (paddle.to_tensor(rng.normal(size=shape), stop_gradient=False) for shape in ([2, 1, 3], [4, 1]))
y = x * w
y.retain_grads()
(y * y).sum().backward()
by_hand = [summed_back(y.grad * w, x.shape), summed_back(y.grad * x, w.shape)]
print("product:", list(y.shape), " by hand:", *(list(grad.shape) for grad in by_hand))

# %% [markdown]
# ## A trap that makes no sound
#
# Four answers of shape [4, 1] and four wishes of shape [4] ought to be subtracted one by one.
# **Guess:** all answers are right, so the loss should be 0. How many differences are there, and is it 0?

# %%
answers, wishes = np.array([[1.0], [2.0], [3.0], [4.0]]), np.array([1.0, 2.0, 3.0, 4.0])
wrong = paddle.to_tensor(answers) - paddle.to_tensor(wishes)
right = paddle.to_tensor(answers) - paddle.to_tensor(wishes).reshape([4, 1])
print("shape:", wrong.shape, "loss:", (wrong**2).mean().item(), " reshaped:", (right**2).mean().item())

# %% [markdown]
# **Summary:** shapes meet at their right ends, and size 1 is repeated. The gradient sums over what was repeated.
# **What next:** `step`, as above, stops where it happens. Tutorial 16 has the textbook's words for it.

# %%
assert shapes == [[4, 3], [4, 3], "ValueError"]
assert plain == [4.0, 4.0, 4.0], "four rows used each number"
assert (weighed == rows.sum(axis=0)).all(), "and their gradients are added"
assert all(np.allclose(mine, tape.grad) for mine, tape in zip(by_hand, (x, w)))
assert wrong.shape == [4, 4], "every answer met every wish"
assert (right**2).mean().item() == 0 < (wrong**2).mean().item() == 2.5

# %% [markdown]
# # 16. Chain rule, Jacobian, vector-Jacobian product
#
# You will see the three words of the textbooks as three things you can print: a table of slopes, a product of such
# tables, and the short cut that never writes one down. Tutorial 15 summed back; that was a case of it.
#
# New names: `jacobian`, `grad_tensor`.
#
#     minipaddle run tutorials/16_chain_rule.py
#     minipaddle graph tutorials/16_chain_rule.py
#     minipaddle step tutorials/16_chain_rule.py -c "b op:tanh_grad" -c c -c why -c jac
#
# **Goals:** you can name what `backward` computes, and say why it goes backward. **Before:** tutorials 1 to 3.
# **Time:** 25 minutes. At each guess, stop, write your answer down, and only then run the next cell.

# %%
import numpy as np
import paddle

A = paddle.to_tensor([[1.0, 2.0, 0.0], [0.0, -1.0, 3.0]], dtype="float64")
x = paddle.to_tensor([0.5, -0.5, 0.25], dtype="float64", stop_gradient=False)

# %% [markdown]
# ## The Jacobian: a table of slopes
#
# With one number in and one out, a slope is one number. Here three numbers go in and two come out: `y = A @ x`.
# So there are six slopes, one for each pair. Their table is the **Jacobian**: a row for each result, a column for
# each operand. Nudging, as in tutorial 1, finds it column by column.
#
# **Guess:** what does the Jacobian of `A @ x` look like?


# %%
def table(function, at, nudge=1e-6):
    columns = [(function(at + step) - function(at - step)) / (2 * nudge) for step in nudge * np.eye(len(at))]
    return np.stack(columns, axis=1)


linear = table(lambda x: A.numpy() @ x, x.numpy())
print("A @ x:", linear.round(4).tolist())

# %% [markdown]
# It is `A` itself. And `tanh` of two numbers has a table, too: two rows, two columns.
# **Guess:** which of its four slopes are zero?

# %%
h = paddle.matmul(A, x)
bend = table(np.tanh, h.numpy())
print("tanh:", bend.round(4).tolist())

# %% [markdown]
# Each result hangs on its own operand alone, so only the diagonal is left. The tape never stores such a table.
#
# ## The chain rule: tables are multiplied
#
# A step after a step has the product of their tables: the later one stands on the left. That is the **chain rule**.
# `paddle.autograd.jacobian` finds the table of the whole without nudging.
# **Guess:** which shape has the Jacobian of `tanh(A @ x)`?

# %%
y = paddle.tanh(paddle.matmul(A, x))
whole = paddle.autograd.jacobian(y, x)[:].numpy()
print("shape:", list(whole.shape), " product of the tables:", (bend @ linear).round(4).tolist())

# %% [markdown]
# ## The vector-Jacobian product: no table at all
#
# A loss is one number, so its own table is a single row `v`. `backward` takes that row from the left through each
# step: a row times a table is a row again. This is the **vector-Jacobian product**, and each rule computes it
# without the table: for `tanh` it is `v * (1 - y * y)`, for `A @ x` it is `v @ A`.
#
# `grad_tensor` says with which row to begin; without it, it is ones.
# **Guess:** we begin with [1, 0]. Which part of the table comes out?

# %%
rows = []
for v in ([1.0, 0.0], [0.0, 1.0], [2.0, -1.0]):
    x.clear_grad()
    y = paddle.tanh(paddle.matmul(A, x))
    y.backward(grad_tensor=paddle.to_tensor(v, dtype="float64"))
    rows.append(x.grad.numpy().copy())
    print("v =", v, "gives", rows[-1].round(4).tolist())

# %% [markdown]
# A row of the table each time, and for [2, -1] twice the first less the second. So the whole table costs one pass
# for each result. A loss has one result, so one pass is enough, however many parameters there are.
#
# ## Why backward
#
# Take `n` steps, each with a table of 100 by 100, and one loss at the end. Multiply from the left, and each step is a
# row times a table: 100 * 100 products. Multiply from the right, and each step is a table times a table.
# **Guess:** how many times more products does that take?

# %%
width = 100
from_the_left, from_the_right = width * width, width * width * width
print("a step from the left:", from_the_left, " from the right:", from_the_right)

# %% [markdown]
# **Summary:** a Jacobian is a table of slopes, the chain rule multiplies tables, and `backward` multiplies a row.
# **What next:** `jac` in the debugger prints the table of any step, `why` its rule. Tutorial 17 differentiates a pass.

# %%
v = np.array([2.0, -1.0])
by_rule = (v * (1 - np.tanh(h.numpy()) ** 2)) @ A.numpy()
assert np.allclose(linear, A.numpy(), atol=1e-6), "the table of A @ x is A"
assert (bend[~np.eye(2, dtype=bool)] == 0).all(), "each on its own"
assert np.allclose(whole, bend @ linear, atol=1e-6), "the chain rule"
assert np.allclose(rows[:2], whole), "a pass gives a row"
assert np.allclose(rows[2], by_rule), "and no table was written down"
assert from_the_right // from_the_left == width

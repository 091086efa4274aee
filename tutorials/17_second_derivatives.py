# %% [markdown]
# # 17. Second derivatives, and a gradient penalty
#
# You will see a slope that has a slope itself, a loss that contains a gradient, and what training with it changes.
# Tutorial 16 took a row through each step; here the pass that does so is written on a tape of its own.
#
# New names: `grad`, `stack`.
#
#     minipaddle run tutorials/17_second_derivatives.py
#     minipaddle graph tutorials/17_second_derivatives.py
#     minipaddle step tutorials/17_second_derivatives.py -c "b op:multiply_grad" -c c -c why
#
# **Goals:** you can take a gradient of a gradient, and train with one in the loss. **Before:** tutorials 8, 13, 14.
# **Time:** 25 minutes. At each guess, stop, write your answer down, and only then run the next cell.

# %%
import numpy as np
import paddle

# %% [markdown]
# ## A slope of a slope
#
# `paddle.grad(y, x)` gives the gradient and leaves `x.grad` alone. With `create_graph=True` the gradient itself has
# a tape, so it can be differentiated again. The **second derivative** says how fast the slope changes.
#
# **Guess:** the slope of `x * x * x` is 12 at 2. What are its second and third derivative there?

# %%
x = paddle.to_tensor(2.0, dtype="float64", stop_gradient=False)
y, found = x * x * x, []
for _ in range(3):
    (y,) = paddle.grad(y, x, create_graph=True)
    found.append(y.item())
print("derivatives:", found, " x.grad:", x.grad)

# %% [markdown]
# On paper they are `3 * x * x`, `6 * x` and 6. Without `create_graph` the gradient is a mere number.
# **Guess:** does that gradient want a gradient of its own, and has it a `grad_fn`?

# %%
(bare,) = paddle.grad(x * x, x)
print("slope:", bare.item(), " stop_gradient:", bare.stop_gradient, " grad_fn:", bare.grad_fn)

# %% [markdown]
# ## A table of second derivatives
#
# With two numbers there are four second derivatives: each slope, differentiated by each number. Their table is the
# **Hessian**. A row of it is a gradient of one slope.
#
# **Guess:** for `a * a * b` at a = 1, b = 3, which two of the four are equal?

# %%
w = paddle.to_tensor([1.0, 3.0], dtype="float64", stop_gradient=False)
y = w[0] * w[0] * w[1]
(slopes,) = paddle.grad(y, w, create_graph=True)
hessian = paddle.stack([paddle.grad(slope, w, retain_graph=True)[0] for slope in slopes])
print("slopes:", slopes.tolist(), " Hessian:", hessian.tolist())

# %% [markdown]
# The two off the diagonal: it does not matter by which number we differentiate first. The rows cost a pass each.
#
# ## A gradient in the loss
#
# A curve goes through six points that shake. We can ask for a gentle curve: the mean of its squared slopes joins the
# loss, as a **gradient penalty**. Then `backward` goes through the slopes, and so through a pass.
#
# **Guess:** with the penalty, does the error at the points rise or fall? And the steepest slope?


# %%
places = np.linspace(-1.0, 1.0, 6).reshape(6, 1)
wanted = paddle.to_tensor(np.sin(3 * places) + 0.4 * np.array([[1.0], [-1.0], [1.0], [-1.0], [1.0], [-1.0]]))


def trained(penalty, steps=100):
    rng = np.random.default_rng(0)
    shapes = [1, 12], [1, 12], [12, 1]
    w, b, v = (paddle.to_tensor(rng.normal(size=shape) * 2, stop_gradient=False) for shape in shapes)
    for _ in range(steps):
        x = paddle.to_tensor(places, stop_gradient=False)
        curve = paddle.matmul(paddle.tanh(paddle.matmul(x, w) + b), v)
        (slope,) = paddle.grad(curve.sum(), x, create_graph=True)
        error = ((curve - wanted) ** 2).mean()
        for parameter in (w, b, v):
            parameter.clear_grad()
        (error + penalty * (slope * slope).mean()).backward()
        with paddle.no_grad():
            for parameter in (w, b, v):
                parameter.set_value(parameter - 0.02 * parameter.grad)
    return error.item(), slope.abs().max().item()


free, gentle = trained(penalty=0.0), trained(penalty=0.1)
for name, (error, steepest) in {"free:  ": free, "gentle:": gentle}.items():
    print(name, "error", round(error, 4), "steepest slope", round(steepest, 3))

# %% [markdown]
# The gentle curve pays with some error, and is less steep. Every step took a pass through a pass: `curve.sum()` has
# the slope of each point, for no point hangs on another one.
#
# **Summary:** `create_graph` gives a gradient a tape. A loss may contain a gradient, and learns by its slope.
# **What next:** draw the last pass: the rule of `tanh` stands between forward and backward. Tutorial 18 writes the
# update with care.

# %%
assert found == [12.0, 12.0, 6.0], "3 * x * x, 6 * x, 6"
assert bare.stop_gradient, "a mere number"
assert hessian.tolist() == [[6.0, 2.0], [2.0, 0.0]], "2 * b, 2 * a, 2 * a, 0"
assert free[0] < gentle[0], "the gentle curve leaves some error"
assert gentle[1] < free[1], "and is less steep"

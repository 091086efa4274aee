# %% [markdown]
# # 18. An optimizer from nothing
#
# You will see three optimizers in a few lines each, and Paddle's own reach the same numbers. An optimizer knows no
# network: it has parameters and their gradients. Tutorial 17 moved its parameters by hand, and so do we.
#
# New names: `Momentum`, `Adam`, `set_value`.
#
#     minipaddle run tutorials/18_optimizer.py
#     minipaddle graph tutorials/18_optimizer.py
#     minipaddle step tutorials/18_optimizer.py -c "goto w.grad" -c why
#
# **Goals:** you can write SGD, momentum and Adam, and say what each remembers. **Before:** tutorials 13 and 14.
# **Time:** 25 minutes. At each guess, stop, write your answer down, and only then run the next cell.

# %%
import numpy as np
import paddle

# %% [markdown]
# The loss is a long valley: gentle along the first number, thirty times as steep along the second. Its floor is at
# zero. An optimizer is a function here: it is given a gradient, and answers how far to move against it.
# **Guess:** which rate comes nearer to the floor in 40 steps, 0.05 or 0.07?


# %%
def loss_of(w):
    return (w * w * paddle.to_tensor([1.0, 30.0], dtype="float64")).sum() / 2


def walked(move, steps=40):
    w = paddle.to_tensor([4.0, 1.0], dtype="float64", stop_gradient=False)
    for _ in range(steps):
        loss_of(w).backward()
        with paddle.no_grad():
            w.set_value(w - move(w.grad))
        w.clear_grad()
    return w.numpy(), loss_of(w).item()


at_first = walked(lambda grad: grad, steps=0)[1]
slow, fast = walked(lambda grad: 0.05 * grad), walked(lambda grad: 0.07 * grad)
print("rate 0.05:", f"{slow[1]:.3f}", " rate 0.07:", f"{fast[1]:.0f}", " at first:", at_first)

# %% [markdown]
# Each step multiplies the second number by `1 - rate * 30`. For 0.07 that is -1.1: it jumps to the other side, and
# further out each time. So the steepest direction limits the rate, and the gentle one has to wait.
#
# ## Momentum: remember where you went
# The **velocity** is a sum of all gradients so far, in which older ones count less and less. Along the valley they
# agree and add up; across it they change their sign and cancel.
# **Guess:** at the same rate of 0.05, is the loss after 40 steps smaller than that of SGD?


# %%
def momentum(rate, keep=0.8, velocity=0.0):
    def move(grad):
        nonlocal velocity
        velocity = keep * velocity + grad
        return rate * velocity

    return move


rolling = walked(momentum(0.05))
print("momentum:", f"{rolling[1]:.4f}", " SGD:", f"{slow[1]:.4f}")

# %% [markdown]
# ## Adam: divide by the usual size
# Adam keeps two averages, of the gradient and of its square. It moves by the first over the root of the second, so
# the size of a gradient cancels. Both begin at zero and are too small at first, which the two divisions mend.
# **Guess:** the first gradient is [4, 30]. How far does Adam move each number at a rate of 0.3?


# %%
def adam(rate, keep=0.9, keep_square=0.999, mean=0.0, square=0.0, count=0):
    def move(grad):
        nonlocal mean, square, count
        count += 1
        mean = keep * mean + (1 - keep) * grad
        square = keep_square * square + (1 - keep_square) * grad * grad
        return rate * (mean / (1 - keep**count)) / (paddle.sqrt(square / (1 - keep_square**count)) + 1e-8)

    return move


first, even = [4.0, 1.0] - walked(adam(0.3), steps=1)[0], walked(adam(0.3))
print("first step:", first.round(6).tolist(), " after 40:", f"{even[1]:.4f}")

# %% [markdown]
# ## The same, by Paddle
# **Guess:** do Paddle's optimizers end where ours did, or only near it?


# %%
def by_paddle(make, *settings, steps=40):
    start = paddle.nn.initializer.Assign(np.array([4.0, 1.0]))
    w = paddle.create_parameter([2], "float64", default_initializer=start)
    optimizer = make(*settings, parameters=[w])
    for _ in range(steps):
        loss_of(w).backward()
        optimizer.step()
        optimizer.clear_grad()
    return w.numpy()


ours = np.stack([numbers for numbers, _ in (slow, rolling, even)])
opt = paddle.optimizer
theirs = [by_paddle(opt.SGD, 0.05), by_paddle(opt.Momentum, 0.05, 0.8), by_paddle(opt.Adam, 0.3)]
print("ours:  ", ours.round(5).tolist(), "theirs:", np.round(theirs, 5).tolist(), sep="\n")

# %% [markdown]
# **Summary:** SGD remembers nothing, momentum one array for each parameter, Adam two.
# **What next:** `minipaddle/paddle/optimizer` has the real ones. Try other rates, and look where each breaks. In
# tutorial 19 the loop moves into the network itself.

# %%
assert slow[1] < at_first < fast[1], "0.07 walks out of the valley"
assert rolling[1] < slow[1], "momentum is faster along it"
assert np.allclose(first, 0.3), "whatever the size of the gradient"
assert np.allclose(ours, theirs, rtol=0, atol=1e-6), "Paddle's are the same"

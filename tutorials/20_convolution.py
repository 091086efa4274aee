# %% [markdown]
# # 20. The gradient of a convolution
#
# You will see a small kernel slide along a row of numbers, and then over an image. On the way home it slides again, the
# other way round. In tutorial 19 a loop used one number in every round; here each number meets the kernel many times.
#
# New names: `conv1d`, `conv2d`, `conv2d_transpose`.
#
#     minipaddle run tutorials/20_convolution.py
#     minipaddle graph tutorials/20_convolution.py --pass 5 --values full -o convolution.svg
#     minipaddle step tutorials/20_convolution.py -c "b op:conv2d_grad" -c c -c why
#
# **Goals:** you can compute both gradients of a convolution by hand, and say why a kernel is turned round. **Before:**
# tutorials 2, 15 and 16. **Time:** 30 minutes. At each guess, stop, write your answer down, and only then run the next
# cell.

# %%
import numpy as np
import paddle
import paddle.nn.functional as F

# %% [markdown]
# ## A kernel on a row
#
# `conv1d` lays the kernel on the first numbers of a row, multiplies and adds, and moves on by one place. Both have two
# more axes in front, for the batch and the channels; here they are 1.
#
# **Guess:** six numbers meet a kernel of three. How many results are there, and what is the first?

# %%
row, kernel = np.array([3.0, 1.0, 0.0, 2.0, 5.0, 4.0]), np.array([1.0, 2.0, -1.0])
x = paddle.to_tensor(row.reshape(1, 1, -1), stop_gradient=False)
w = paddle.to_tensor(kernel.reshape(1, 1, -1), stop_gradient=False)
y = F.conv1d(x, w)
print("results:", y.numpy().ravel().tolist())

# %% [markdown]
# 3 + 2 - 0 is the first of four. Now the way home. Begin with a gradient that is 1 at one result, and 0 at the others,
# as in tutorial 16.
#
# **Guess:** the second result alone is wanted. What is the gradient of the row?


# %%
def home(dy):
    x.clear_grad()
    w.clear_grad()
    F.conv1d(x, w).backward(paddle.to_tensor(dy).reshape([1, 1, -1]))
    return x.grad.numpy().ravel().tolist(), w.grad.numpy().ravel().tolist()


stamps = [home(dy)[0] for dy in np.eye(4)]
print("the second alone:", stamps[1])

# %% [markdown]
# The kernel itself, laid where that result came from. Each result lays down one such stamp.
#
# ## Stamps that overlap
#
# The four stamps, one below the other, are the Jacobian of tutorial 16: a band, with the kernel in each row. A gradient
# `dy` takes each row so many times, and adds them. So a number inside the row hears from three results.
#
# **Guess:** `dy` is [1, 2, 3, 4]. The third number of the row met all three of the kernel's. What is its gradient?

# %%
dy = np.array([1.0, 2.0, 3.0, 4.0])
at_home, at_kernel = home(dy)
print("the stamps:", *stamps, sep="\n  ")
print("for [1, 2, 3, 4]:", at_home)

# %% [markdown]
# It met -1 in the first result, 2 in the second and 1 in the third: -1 + 4 + 3. Read that again: as the results go
# forward, the kernel goes **backward**. So the gradient of the row is a convolution, too: of `dy`, with zeros at both
# ends, and with the kernel flipped. (The picture named above is this very pass, with all its numbers.)
#
# **Guess:** how many zeros does `dy` need at each end, so that four numbers become six again?

# %%
padded = paddle.to_tensor(np.pad(dy, 2).reshape(1, 1, -1))
flipped = F.conv1d(padded, paddle.flip(w, axis=[2]))
print("by a flipped kernel:", flipped.numpy().ravel().tolist())

# %% [markdown]
# Two: one less than the kernel is long.
#
# ## The gradient of the kernel
#
# Each number of the kernel was used four times, once in every result. As in tutorial 15, what it gained is added.
#
# **Guess:** slide `dy` along the row as if it were a kernel. Which shape comes out?

# %%
by_sliding = F.conv1d(x, paddle.to_tensor(dy.reshape(1, 1, -1)))
print("dy on the row:", by_sliding.numpy().ravel().tolist(), " kernel's gradient:", at_kernel)

# %% [markdown]
# ## An image
#
# `conv2d` moves in two directions, and nothing else is new: the kernel is flipped in both. The loss is now the sum of
# all results, so `dy` is ones, and the kernel is nine ones. Then the gradient counts how often a pixel was used.
#
# **Guess:** an image of 5 by 5 and a kernel of 3 by 3. How often is a corner used, and how often the centre?

# %%
image = paddle.to_tensor(np.arange(25.0).reshape(1, 1, 5, 5), stop_gradient=False)
F.conv2d(image, paddle.ones([1, 1, 3, 3], "float64")).sum().backward()
used = image.grad[0, 0].numpy()
print("used:", *used.tolist(), sep="\n  ")

# %% [markdown]
# A pixel at the rim counts for less. Zeros around the image are one way to make up for that.
#
# With channels, the kernel has four axes: results, operands, height, width. On the way home results and operands change
# places. All of it together, zeros, flip and change of places, has a name of its own: `conv2d_transpose`, for it is the
# Jacobian transposed. Networks that paint use it in the forward run.

# %%
rng = np.random.default_rng(0)
x, w, dy2 = (paddle.to_tensor(rng.normal(size=s)) for s in ([2, 3, 6, 6], [4, 3, 3, 3], [2, 4, 4, 4]))
transposed = F.conv2d_transpose(dy2, w)
by_hand = F.conv2d(F.pad(dy2, [2, 2, 2, 2]), paddle.flip(w, axis=[2, 3]).transpose([1, 0, 2, 3]))
x.stop_gradient = w.stop_gradient = False
(F.conv2d(x, w) * dy2).sum().backward()
print("gradient of x:", list(x.grad.shape), "of w:", list(w.grad.shape))

# %% [markdown]
# **Summary:** each result lays the kernel down where it came from, and overlapping stamps are added. That is a
# convolution with the flipped kernel. The kernel's own gradient is `dy`, slid along the operand.
# **What next:** you have met every rule that a tape needs. In tutorial 21 you build one.

# %%
assert y.numpy().ravel().tolist() == np.correlate(row, kernel).tolist(), "what networks call a convolution"
assert stamps == [[0.0] * at + kernel.tolist() + [0.0] * (3 - at) for at in range(4)], "a band"
assert at_home == (dy @ np.array(stamps)).tolist() == flipped.numpy().ravel().tolist(), (
    "three ways to the row"
)
assert at_home == np.convolve(dy, kernel).tolist(), "what textbooks call a convolution"
assert at_kernel == by_sliding.numpy().ravel().tolist() == np.correlate(row, dy).tolist(), (
    "three ways to the kernel"
)
assert (used == np.outer([1, 2, 3, 2, 1], [1, 2, 3, 2, 1])).all(), (
    "once at a corner, nine times in the middle"
)
assert np.allclose(x.grad, by_hand), "flipped, in both directions, with channels changed"
assert np.allclose(x.grad, transposed), "which is what conv2d_transpose does"

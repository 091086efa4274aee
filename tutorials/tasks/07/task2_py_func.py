# %% [markdown]
# # A rule in plain NumPy
#
# `softsign(x)` is `x / (1 + |x|)`. Write it for the fourth door of lesson 7, `py_func`: two functions of NumPy
# arrays.
#
# `forward` is given `x`, and returns `y`. `backward` is given `x`, `y` and `dy`, and returns the gradient of `x`.
# On paper the slope is `1 / (1 + |x|) ** 2`.

# %%
import numpy as np


def forward(x):
    # x is an array
    ...


def backward(x, y, dy):
    # all three are arrays
    ...


# %% [markdown]
# Try it here: this part runs when you run the file, and not when it is graded.

# %%
if __name__ == "__main__":
    x = np.array([0.0, 1.0, -3.0])
    y = forward(x)
    print("value:", y, " gradient:", backward(x, y, np.ones(3)), "(1, 0.25, 0.0625 is right)")

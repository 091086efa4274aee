# %% [markdown]
# # Both gradients of a convolution
#
# `y` came of a `row` and a `kernel` as in lesson 20: `y[i]` is the sum of `row[i + j] * kernel[j]`. All three
# have one axis.
#
# Complete `home`, in NumPy: from `row`, `kernel` and `dy` it returns two arrays: the gradient of the row, and the
# gradient of the kernel. Loops are welcome.

# %%
import numpy as np


def home(row, kernel, dy):
    # return drow, dkernel
    ...


# %% [markdown]
# Try it here: this part runs when you run the file, and not when it is graded.

# %%
if __name__ == "__main__":
    row, kernel = np.array([3.0, 1.0, 0.0, 2.0, 5.0, 4.0]), np.array([1.0, 2.0, -1.0])
    print(*home(row, kernel, np.array([1.0, 2.0, 3.0, 4.0])))
    print("([1, 4, 6, 8, 5, -4] and [13, 27, 35] are right)")

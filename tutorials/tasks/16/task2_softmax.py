# %% [markdown]
# # A softmax without its table
#
# For a row of `d` numbers the Jacobian of a softmax is a table of d by d: `y[i] * (1 - y[i])` on the diagonal,
# and `-y[i] * y[j]` elsewhere. It is symmetric, and no rule writes it down.
#
# Complete `home`, in NumPy: from `y`, the softmax of each row, and `dy`, both of shape [n, d], it returns the
# gradient of what went into the softmax. It must do without a table of d by d: here d is 100,000.

# %%
import numpy as np


def home(y, dy):
    # the vector-Jacobian product of each row
    ...


# %% [markdown]
# Try it here: this part runs when you run the file, and not when it is graded.

# %%
if __name__ == "__main__":
    y = np.array([[0.5, 0.5], [0.9, 0.1]])
    print(home(y, np.array([[1.0, 0.0], [1.0, 0.0]])), "(0.25, -0.25 and 0.09, -0.09 are right)")

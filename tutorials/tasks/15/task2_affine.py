# %% [markdown]
# # The gradients of scale and shift
#
# Behind many layers stands `y = x * scale + shift`, with `x` of shape [n, d], and `scale` and `shift` of shape
# [d].
#
# Complete `home`, in NumPy: from `x`, `scale` and `dy`, of shape [n, d], it returns the three gradients: of `x`,
# of `scale` and of `shift`.

# %%
import numpy as np


def home(x, scale, dy):
    # return dx, dscale, dshift
    ...


# %% [markdown]
# Try it here: this part runs when you run the file, and not when it is graded.

# %%
if __name__ == "__main__":
    x, dy = np.array([[1.0, 2.0], [3.0, 4.0]]), np.ones([2, 2])
    print(home(x, np.array([10.0, 20.0]), dy))

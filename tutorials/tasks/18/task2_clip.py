# %% [markdown]
# # Gradients that are too large
#
# One bad batch can throw a network far away. A usual guard: take the length of all gradients together, as if they
# were one long vector. If it is above `limit`, make all of them smaller by the same factor, so that the length is
# `limit`; if not, leave them as they are.
#
# Complete `clipped`, in NumPy: from a list of arrays it returns the list of the new ones.

# %%
import numpy as np


def clipped(grads, limit):
    # a list of arrays
    ...


# %% [markdown]
# Try it here: this part runs when you run the file, and not when it is graded.

# %%
if __name__ == "__main__":
    print(clipped([np.array([3.0]), np.array([[4.0]])], 1.0), "(0.6 and 0.8 are right)")

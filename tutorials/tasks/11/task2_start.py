# %% [markdown]
# # Weights that keep a deep network alive
#
# Half of the numbers are blocked by a `relu`. So that neither the numbers nor their gradients grow or shrink from
# layer to layer, the weights have to have the right size: normal numbers with the mean 0 and the standard
# deviation `sqrt(2 / rows)`, for a weight of `rows` rows.
#
# Complete `start`: it returns such a weight, an array of shape [rows, columns], drawn from `rng`, a
# `numpy.random.Generator`.

# %%
import numpy as np


def start(rng, rows, columns):
    # an array of shape [rows, columns]
    ...


# %% [markdown]
# Try it here: this part runs when you run the file, and not when it is graded.

# %%
if __name__ == "__main__":
    w = start(np.random.default_rng(0), 200, 50)
    print("shape:", w.shape, "standard deviation:", w.std().round(3), "(about 0.1 is right)")

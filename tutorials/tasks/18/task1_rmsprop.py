# %% [markdown]
# # An optimizer between momentum and Adam
#
# RMSProp keeps one array for each parameter: a running mean of the squared gradients. Each number is divided by
# the root of its own mean, so that steep directions do not take larger steps than flat ones:
#
#     mean = decay * mean + (1 - decay) * grad ** 2
#     w = w - rate * grad / (sqrt(mean) + 1e-8)
#
# Complete `step`, in NumPy: it returns the new `w` and the new `mean`. What comes in must stay as it is.

# %%
import numpy as np


def step(w, grad, mean, rate, decay):
    # return w and mean, both new
    ...


# %% [markdown]
# Try it here: this part runs when you run the file, and not when it is graded.

# %%
if __name__ == "__main__":
    w, mean = np.array([1.0, 1.0]), np.zeros(2)
    w, mean = step(w, np.array([10.0, 0.1]), mean, rate=0.1, decay=0.9)
    print(w, mean, "(0.684, 0.684 and 10, 0.001 are right)")

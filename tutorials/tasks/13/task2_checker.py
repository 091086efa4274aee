# %% [markdown]
# # A check of your own
#
# Complete `agrees(layer, x)`: it says whether the `backward` of a `PyLayer` is right at `x`, an array of one
# axis. It returns `True` or `False`.
#
# Compare with nudging. What the layer gives is an array; draw a gradient `dy` for it, so that a rule which is
# right for ones alone is caught, and compare every element of `x`.

# %%
import numpy as np
import paddle


def agrees(layer, x):
    # True if the gradient of (layer(x) * dy).sum() is what nudging says
    ...


# %% [markdown]
# Try it here: this part runs when you run the file, and not when it is graded.

# %%
if __name__ == "__main__":

    class Twice(paddle.autograd.PyLayer):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, dy):
            return dy * 3

    print("agrees:", agrees(Twice, np.array([1.0, 2.0])), "(False is right)")

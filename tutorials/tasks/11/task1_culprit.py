# %% [markdown]
# # Which layer loses the gradient?
#
# A network is a list of functions, each of which is given what the one before it gave. One of them lets almost
# nothing of the gradient through.
#
# Complete `culprit`: it runs the layers on `x`, takes the sum of the last result as the loss, and returns the
# index of the layer in which the gradient shrinks most. Compare the gradient that a layer gets with the one that
# it gives.

# %%
import paddle


def culprit(layers, x):
    # the index of a layer, counted from 0
    ...


# %% [markdown]
# Try it here: this part runs when you run the file, and not when it is graded.

# %%
if __name__ == "__main__":
    layers = [paddle.tanh, lambda h: h * 0.001, lambda h: h * 0.5]
    print("layer", culprit(layers, paddle.to_tensor([0.1, 0.2])), "(1 is right)")

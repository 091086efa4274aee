# %% [markdown]
# # Why is there no gradient?
#
# A backward pass has run. Complete `state`: for a leaf it returns one of four texts.
#
# `"not wanted"`: nobody asked for a gradient of this tensor. `"not reached"`: one was wanted, and no path led
# there. `"zero"`: one arrived, and is zero everywhere. `"there"`: one arrived, and something in it is not zero.

# %%
import paddle


def state(leaf):
    # one of the four texts
    ...


# %% [markdown]
# Try it here: this part runs when you run the file, and not when it is graded.

# %%
if __name__ == "__main__":
    w, data = paddle.to_tensor([1.0, 2.0], stop_gradient=False), paddle.to_tensor([3.0, 4.0])
    (w * data).sum().backward()
    print(state(w), "and", state(data), "(there, and not wanted, is right)")

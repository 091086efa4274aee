# %% [markdown]
# # How much memory will it take?
#
# A network of `layers` layers, all of the same width, is run for training:
#
#     h = x
#     for w in weights:
#         h = paddle.tanh(h @ w)
#     loss = h.mean()
#
# `x` has `rows` rows and `width` columns, and requires no gradient; the weights do. All numbers are float32.
#
# Complete `kept`: how many bytes of arrays with `rows` rows are kept for the way back? Each array counts once.
# (The weights are kept as well, and are there anyway: do not count them.)

# %%
def kept(rows, width, layers):
    # bytes
    ...


# %% [markdown]
# Try it here: this part runs when you run the file, and not when it is graded.

# %%
if __name__ == "__main__":
    print("two layers:", kept(10, 8, 2), "bytes")

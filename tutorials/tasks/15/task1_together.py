# %% [markdown]
# # Which shape comes of two?
#
# Complete `together`: from two shapes, lists of numbers, it returns the shape of a sum of two such Tensors, a
# list; or `None` if they do not fit.
#
# Do it by hand: shapes are laid side by side at their right ends. An axis that is not there counts as 1, and an
# axis of size 1 is repeated. No Paddle and no NumPy is needed, and none is at hand.

# %%
def together(one, other):
    # a list, or None
    ...


# %% [markdown]
# Try it here: this part runs when you run the file, and not when it is graded.

# %%
if __name__ == "__main__":
    print(
        together([4, 3], [3]),
        together([4, 1], [3]),
        together([2, 3], [2]),
        "([4, 3], [4, 3] and None are right)",
    )

# %% [markdown]
# # Nudge to both sides
#
# Write `slope`: it measures the gradient of `function` at a place, as lesson 1 does. Move a little to either side, look
# how far the answer moves, and divide.
#
# `nudge` says how far to move.

# %%
def slope(function, at, nudge=1e-5):
    # what does the answer gain, for each unit of x?
    ...


# %% [markdown]
# Try it here: this part runs when you run the file, and not when it is graded.

# %%
if __name__ == "__main__":
    print("slope of x * x at 3:", slope(lambda x: x * x, 3.0), "(6 is right)")
    print("slope of 1 / x at 2:", slope(lambda x: 1 / x, 2.0), "(-0.25 is right)")

# %% [markdown]
# # How often is a number used?
#
# A kernel of `width` numbers moves along a row of `size` numbers, by `stride` places at a time, for as long as it
# fits.
#
# Complete `used`: it returns a list: how often each number of the row is used. (When the loss is the sum of all
# results and the kernel is ones, that is the gradient of the row.) No Paddle and no NumPy.

# %%
def used(size, width, stride):
    # a list of `size` numbers
    ...


# %% [markdown]
# Try it here: this part runs when you run the file, and not when it is graded.

# %%
if __name__ == "__main__":
    print(used(6, 3, 1), used(6, 3, 2), "([1, 2, 3, 3, 2, 1] and [1, 1, 2, 1, 1, 0] are right)")

# %% [markdown]
# # What append_backward writes
#
# A Program has a chain of operators, each of which takes what the one before it gave; the last one is the loss. Their
# types stand in a list, such as `["square", "tanh", "reduce_sum"]`.
#
# Complete `added`: it returns the types of the operators that `append_backward` writes behind them, in their order.

# %%
def added(types):
    # what stands behind the forward operators
    ...


# %% [markdown]
# Try it here: this part runs when you run the file, and not when it is graded.

# %%
if __name__ == "__main__":
    print(added(["square", "reduce_sum"]))

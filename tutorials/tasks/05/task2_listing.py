# %% [markdown]
# # Read a listing before it is written
#
# This is written into a Program, with `rounds` as it comes:
#
#     h = x
#     for _ in range(rounds):
#         h = paddle.tanh(h * w)
#     loss = paddle.mean(h)
#
# Complete `operators`: it returns the types of the Program's operators, a list of texts, in the order in which
# they run. Lesson 5 prints what `matmul`, `y * y` and `mean` are called in a Program.

# %%
def operators(rounds):
    # a list such as ["matmul_v2", ...]
    ...


# %% [markdown]
# Try it here: this part runs when you run the file, and not when it is graded.

# %%
if __name__ == "__main__":
    print("for 2 rounds:", operators(2))

# %% [markdown]
# # The gradient of a loop, by hand
#
# Money grows by a factor `w` a year, and `b` is paid in at the end of each year, for as long as it is below
# `goal`:
#
#     h = start
#     while h < goal:
#         h = h * w + b
#
# Complete `gradients`: it returns three numbers: the last `h`, and its gradients with respect to `w` and to `b`.
# Go forward and keep what you need; then go back, round by round. No Paddle.

# %%
def gradients(w, b, start, goal):
    # return h, dw, db
    ...


# %% [markdown]
# Try it here: this part runs when you run the file, and not when it is graded.

# %%
if __name__ == "__main__":
    print(gradients(2.0, 1.0, 1.0, 10.0), "(15, 17 and 7 are right)")

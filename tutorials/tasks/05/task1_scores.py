# %% [markdown]
# # A Program that scores
#
# Complete `build`. It is called once, while a Program is written, with two Variables: `x` of shape [-1, 3] and
# `w` of shape [3, 1]. It returns two Variables: the scores, `x` times `w`, and the share of rows whose score is
# above zero, a number between 0 and 1.
#
# Nobody knows yet how many rows there will be.

# %%
import paddle


def build(x, w):
    # return the scores and the share
    ...


# %% [markdown]
# Try it here: this part runs when you run the file, and not when it is graded.

# %%
if __name__ == "__main__":
    import numpy as np

    paddle.enable_static()
    main = paddle.static.Program()
    with paddle.static.program_guard(main):
        x, w = paddle.static.data("x", [-1, 3]), paddle.static.data("w", [3, 1])
        fetch = list(build(x, w))
    rows, ones = np.array([[1, 1, 1], [0, -1, 0]], "float32"), np.ones([3, 1], "float32")
    print(
        paddle.static.Executor().run(main, feed={"x": rows, "w": ones}, fetch_list=fetch),
        "(3, -1 and 0.5 are right)",
    )

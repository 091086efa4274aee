# %% [markdown]
# # The slope of the slope, in a Program
#
# Complete `slopes`. It is called while a Program is written, with two Variables: `y`, which was computed from `x`. It
# returns two Variables: the first and the second derivative of `y` with respect to `x`.
#
# In this task each element of `y` hangs on its own element of `x` alone, so both have the shape of `x`.

# %%
import paddle


def slopes(y, x):
    # the first and the second derivative
    ...


# %% [markdown]
# Try it here: this part runs when you run the file, and not when it is graded.

# %%
if __name__ == "__main__":
    import numpy as np

    paddle.enable_static()
    main = paddle.static.Program()
    with paddle.static.program_guard(main):
        x = paddle.static.data("x", [2])
        x.stop_gradient = False
        fetch = list(slopes(x * x * x, x))
    feed = {"x": np.array([1.0, 2.0], "float32")}
    print(paddle.static.Executor().run(main, feed=feed, fetch_list=fetch), "(3, 12 and 6, 12 are right)")

# %% [markdown]
# # A loop in a Program
#
# Complete `build`. It is called while a Program is written, with a Variable `x` of shape [1]. The Program shall
# halve `x` for as long as it is above 1, and count how often. Return two Variables of shape [1]: what is left of
# `x`, and the count, as a float like `x`.
#
# What is fed decides how many rounds there are, so the loop belongs into the Program:
# `paddle.static.nn.while_loop`.

# %%
import paddle


def build(x):
    # return what is left, and the count
    ...


# %% [markdown]
# Try it here: this part runs when you run the file, and not when it is graded.

# %%
if __name__ == "__main__":
    import numpy as np

    paddle.enable_static()
    main = paddle.static.Program()
    with paddle.static.program_guard(main):
        x = paddle.static.data("x", [1])
        fetch = list(build(x))
    feed = {"x": np.array([10.0], "float32")}
    print(paddle.static.Executor().run(main, feed=feed, fetch_list=fetch), "(0.625 and 4 are right)")

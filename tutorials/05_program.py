# %% [markdown]
# # 5. A Program: written down now, run later
#
# You will see a computation that does not compute: what you write becomes a list, which prints like a recipe. An
# Executor cooks it, as often as you like, with what you hand in.
#
# New names: `Program`, `data`, `Executor`.
#
#     minipaddle run tutorials/05_program.py
#     minipaddle graph tutorials/05_program.py
#     minipaddle step tutorials/05_program.py -c "step 3" -c where -c why
#
# **Goals:** you can write a Program, read its listing, and run it with numbers. **Before:** tutorials 1 to 3.
# **Time:** 20 minutes. At each guess, stop, write your answer down, and only then run the next cell.

# %%
import numpy as np
import paddle

paddle.enable_static()

# %% [markdown]
# Up to tutorial 4, `x * w` was a number as soon as you wrote it. After `enable_static` it is a line in a `Program`.
# `data` declares what will be handed in, by its name; -1 stands for a size that may differ every time.
#
# **Guess:** `y` below is a product of rows that nobody has handed in. Which shape does it have?

# %%
program = paddle.static.Program()
startup = paddle.static.Program()
with paddle.static.program_guard(program, startup):
    x = paddle.static.data("x", [-1, 3])
    w = paddle.static.create_parameter(
        [3, 1], "float32", name="w", default_initializer=paddle.nn.initializer.Constant(0.5)
    )
    y = paddle.matmul(x, w)  # [-1, 1]
    loss = paddle.mean(y * y)

print(type(y).__name__, y.name, y.shape)

# %% [markdown]
# `y` is a `Variable`: it has a name, a shape as far as that is known, and no numbers.
#
# **Guess:** what happens when you ask the loss for its number now?

# %%
try:
    float(loss)
except TypeError as error:
    print("refused:", str(error).splitlines()[0][:60])

# %% [markdown]
# It refuses, and says when there will be a number.
#
# ## The recipe
#
# The Program is a `Block`: its Variables, and its operators in the order in which they will run.
#
# **Guess:** how many operators came of `matmul`, `y * y` and `mean`? And where is `create_parameter`?

# %%
block = program.global_block()
for op in block.ops:
    print(op.type, "takes", op.input_arg_names, "gives", op.output_arg_names)

# %% [markdown]
# Three. The parameter `w` stands in two Programs. The second one, `startup`, holds the operator that writes its
# first value; it is run once.

# %%
for op in startup.global_block().ops:
    print("startup:", op.type, "gives", op.output_arg_names)

# %% [markdown]
# ## Cooking
#
# An `Executor` runs all operators of a Program. `feed` hands in arrays by name, `fetch_list` says what to hand out.
# Between runs only what is persistable, such as `w`, stays, in a `Scope`.
#
# **Guess:** every row is three ones, and `w` is one half three times. What is the loss of two rows, and of four?

# %%
executor = paddle.static.Executor()
executor.run(startup)
for rows in (2, 4):
    ones = np.ones([rows, 3], "float32")
    fetched_y, fetched_loss = executor.run(program, feed={"x": ones}, fetch_list=[y, loss])
    print(rows, "rows: y has shape", fetched_y.shape, "and loss is", fetched_loss)

value_of_w = np.array(paddle.static.global_scope().find_var("w").get_tensor())
print("w in the scope:", value_of_w.ravel())

# %% [markdown]
# The same Program ran with two rows and with four, and it was written once. That is the point of it: what is written
# down can be looked at, drawn, saved, changed, and differentiated before a single number is known.
#
# A gradient is written down, too. `gradients` appends what computes it, and names it:

# %%
with paddle.static.program_guard(program, startup):
    x.stop_gradient = False
    (slope,) = paddle.static.gradients(loss, w)
(found,) = executor.run(program, feed={"x": np.ones([2, 3], "float32")}, fetch_list=[slope])
print("slope of w:", found.ravel())

# %% [markdown]
# **Summary:** a Program is a list of operators, written once by Python. An Executor runs it with what is fed, and
# hands out what is fetched. A Variable has a name and a shape; its numbers exist during a run alone.
#
# **What next:** how does a Program know its own gradient? Tutorial 6 watches it being written.

# %%
assert [op.type for op in block.ops[:3]] == ["matmul_v2", "elementwise_mul", "reduce_mean"]
assert y.shape == (-1, 1), "the number of rows is not known while the Program is written"
assert fetched_y.shape == (4, 1), "and it is when the Program runs"
assert np.isclose(fetched_loss, 1.5**2)
assert (value_of_w == 0.5).all(), "written by the startup program, and untouched since"
assert np.allclose(found, 2 * 1.5), "mean of 2 y x"

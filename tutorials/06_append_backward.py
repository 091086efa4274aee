# %% [markdown]
# # 6. The Program that writes its own gradient
#
# You will see a Program like that of tutorial 5 grow: for each operator on the way to the loss one more appears
# behind them, in reverse order, and where two gradients meet there is a `sum`.
#
# New names: `append_backward`, `gradients`, `minimize`.
#
#     minipaddle run tutorials/06_append_backward.py
#     minipaddle graph tutorials/06_append_backward.py -o program.svg
#     minipaddle step tutorials/06_append_backward.py -c "goto x@GRAD" -c where -c why
#
# **Goals:** you can read what `append_backward` wrote, and ask a Program for any gradient. **Before:** tutorials 2 and
# 5. **Time:** 25 minutes. At each guess, stop, write your answer down, and only then run the next cell.

# %%
import numpy as np
import paddle

paddle.enable_static()
static = paddle.static


def show(title, ops):
    print(title)
    for op in ops:
        print("   ", op.type, op.input_arg_names, "->", op.output_arg_names)


# %% [markdown]
# A loss with a fork in it: `x` goes through `square` and through `tanh`, and the two are added.

# %%
program = static.Program()
with static.program_guard(program):
    x = static.data("x", [3])
    x.stop_gradient = False
    loss = paddle.sum(paddle.square(x) + paddle.tanh(x))
before = list(program.global_block().ops)
show("before:", before)

# %% [markdown]
# In eager mode the walk of tutorial 2 ran the rules. Here the same walk writes them down: every step of it appends
# one operator. It begins with the seed: the gradient of the loss itself, which is 1.
#
# **Guess:** four operators lead from `x` to the loss. How many are added, and what does the last of them do?

# %%
static.append_backward(loss)
after = list(program.global_block().ops)
print(len(after) - len(before), "operators more")
show("added:", after[len(before) :])

# %% [markdown]
# Six: the seed, a `*_grad` for each of the four, and a `sum`. Read it from the top. Each `*_grad` takes the gradient
# of what its twin gave (`...@GRAD`) and what the rule asks for: `square_grad` wants `x`, for the slope is 2 x;
# `tanh_grad` wants the result of `tanh`. Both give `x` a gradient, under a name that says it is a part (`RENAME`);
# `sum` makes `x@GRAD` of them. The wrong walk of tutorial 2 forgot this very operator.
#
# **Guess:** `tanh` has slope 1 at 0. What is `x@GRAD` there, where `x` is 0?

# %%
numbers = np.array([-1.0, 0.0, 2.0], "float32")
executor = static.Executor()
(slope,) = executor.run(program, feed={"x": numbers}, fetch_list=["x@GRAD"])
print("x@GRAD:", slope)

# %% [markdown]
# The square brings 0 and the tanh brings 1.
#
# ## A gradient is a Variable like any other
#
# So it can be differentiated in its turn. `gradients` asks for what you name; the walk passes through the operators
# that the first one appended.
#
# **Guess:** the slope is `2 * x + 1 - tanh(x) ** 2`. What is the slope of that, where `x` is 0?

# %%
with static.program_guard(program):
    (second,) = static.gradients(program.global_block().var("x@GRAD"), x)
(curve,) = executor.run(program, feed={"x": numbers}, fetch_list=[second])
print("second:", curve)

# %% [markdown]
# ## Learning is one more operator
#
# `minimize` calls `append_backward`, then appends an update for every parameter. Each operator has a role: 0 computes,
# 1 differentiates, 2 updates. A training loop is now the same run, again and again.
#
# **Guess:** the layer has a weight and a bias. How many operators have role 2, and where do they stand?

# %%
training, startup = static.Program(), static.Program()
with static.program_guard(training, startup):
    point = static.data("point", [-1, 2])
    target = static.data("target", [-1, 1])
    guess = static.nn.fc(point, 1, weight_attr=paddle.ParamAttr(name="w"))
    error = paddle.mean(paddle.nn.functional.square_error_cost(guess, target))
    paddle.optimizer.SGD(0.1).minimize(error)
roles = [op.attr("op_role") & 3 for op in training.global_block().ops]
print("roles:", roles)

executor.run(startup)
points = np.array([[0.0, 1.0], [1.0, 0.0], [1.0, 1.0]], "float32")
feed = {"point": points, "target": points @ np.array([[1.0], [-2.0]], "float32")}
errors = [executor.run(training, feed=feed, fetch_list=[error])[0] for _ in range(100)]
print("error:", errors[0], "at first,", errors[-1], "at last")

# %% [markdown]
# **Summary:** the reverse walk can write its steps down instead of running them. Then gradients are Variables with
# names, gradients of gradients are no new idea, and an update is one more operator.
#
# **What next:** tutorial 7 puts a rule of your own into such a Program.

# %%
added = [op.type for op in after[len(before) :]]
assert len(added) == len(before) + 2, "one for each, the seed and the sum"
assert added[0] == "fill_constant", "the seed"
assert added[-1] == "sum", "where the two branches meet"
assert {"square_grad", "tanh_grad"} < set(added)
t = np.tanh(numbers)
assert np.allclose(slope, 2 * numbers + 1 - t * t)
assert np.allclose(curve, 2 - 2 * t * (1 - t * t), atol=1e-6)
assert roles == sorted(roles), "compute, differentiate, update"
assert roles.count(2) == 2, "the weight and the bias"
assert errors[-1] < 0.05 * errors[0]

# %% [markdown]
# # 10. One network, eager and static
#
# You will see one function called with numbers, and called once more to be written down as a Program. The gradients
# agree to the last bit. So do the pictures, once you know under which names to look. (On Paddle 2.6, as tutorial 5.)
#
# New names: `in_dynamic_mode`, `create_parameter`, `disable_static`.
#
#     minipaddle run tutorials/10_eager_and_static.py
#     minipaddle graph tutorials/10_eager_and_static.py --pass 1 -o eager.svg
#     minipaddle step tutorials/10_eager_and_static.py --passes all -c "goto w@GRAD" -c "b pass:3" -c c -c "goto w@GRAD"
#
# **Goals:** you can carry a network from eager to static, and find each gradient in both. **Before:** tutorials 5 to 9.
# **Time:** 30 minutes. At each guess, stop, write your answer down, and only then run the next cell.

# %%
import numpy as np
import paddle
from paddle.autograd import PyLayer

# %% [markdown]
# ## The network
#
# There is a gradient of our own in it, one rule behind two of the doors of tutorial 7. Which one is open,
# `in_dynamic_mode` says: a `PyLayer` takes numbers, `static_pylayer` writes two Blocks into a Program.


# %%
def rule(y, dy):
    return dy * (1 - y * y)


class Tanh(PyLayer):
    @staticmethod
    def forward(ctx, z):
        y = paddle.tanh(z)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, dy):
        (y,) = ctx.saved_tensor()
        return rule(y, dy)


def squash(z):
    if paddle.in_dynamic_mode():
        return Tanh.apply(z)
    return paddle.static.nn.static_pylayer(paddle.tanh, [z], lambda dy: rule(paddle.tanh(z), dy))


calls = []


def network(x, w, v):
    calls.append(type(x).__name__)
    h = squash(paddle.matmul(x, w))  # [3, 4]
    return paddle.mean(paddle.square(paddle.matmul(h, v)))  # of [3, 1]


points = [np.linspace(-1.0, 1.0, 6, dtype="float32").reshape(3, 2) * stretch for stretch in (1, 2)]
begin = {
    "w": np.linspace(-0.5, 1.0, 8, dtype="float32").reshape(2, 4),
    "v": np.array([[1.0], [-1.0], [2.0], [0.5]], "float32"),
}

# %% [markdown]
# ## Eager: the notes are taken while it computes
#
# **Guess:** the second points are twice the first ones. Is the gradient of `w` twice as large, too?

# %%
eager = []
for numbers in points:
    w, v = (paddle.to_tensor(array, stop_gradient=False) for array in begin.values())
    loss = network(paddle.to_tensor(numbers), w, v)
    loss.backward()
    eager.append([loss.numpy(), w.grad.numpy(), v.grad.numpy()])
    print("eager: ", loss.item(), w.grad.numpy()[0])

# %% [markdown]
# Not twice: the loss is a square, and `tanh` bends.
#
# ## Static: written once, run as often as you like
#
# A gradient is not an attribute, `w.grad`, but a Variable with a name of its own, `w@GRAD`, and is fetched like any
# other.
#
# **Guess:** the Program runs twice. How often is `network` called in all, and do the gradients agree to the last digit?

# %%
paddle.enable_static()
main, startup = paddle.static.Program(), paddle.static.Program()
with paddle.static.program_guard(main, startup):
    x = paddle.static.data("x", [3, 2], "float32")
    Start = paddle.nn.initializer.Assign
    w, v = (paddle.create_parameter(a.shape, "float32", n, None, False, Start(a)) for n, a in begin.items())
    loss = network(x, w, v)
    paddle.static.append_backward(loss)

executor, static = paddle.static.Executor(), []
executor.run(startup)
for numbers in points:
    static.append(executor.run(main, feed={"x": numbers}, fetch_list=[loss, "w@GRAD", "v@GRAD"]))
    print("static:", static[-1][0], static[-1][1][0])
paddle.disable_static()
print("called with:", *calls)

# %% [markdown]
# Three times: the Executor never calls `network`. Python has done its part when the Program stands.
#
# **Guess:** the network is five operators long. How many has the Program, and how many Blocks?

# %%
ops = [op.type for op in main.global_block().ops]
print(len(ops), "operators:", *ops, "in block 0 of", main.num_blocks)

# %% [markdown]
# ## Side by side
#
#     minipaddle graph tutorials/10_eager_and_static.py --pass 1 -o eager.svg
#     minipaddle graph tutorials/10_eager_and_static.py --pass 3 -o static.svg
#     minipaddle program tutorials/10_eager_and_static.py --diff-backward
#
# The same boxes on the same rows, with the same numbers. What differs? **Names**: both pictures take those of your
# variables, `h` and `loss`. A Tensor has no other; a Variable must be found again in every run, and Paddle makes one
# up. **Frames**: `Tanh.forward` and `Tanh.backward` are methods; blocks 1 and 2 lie in the Program, and the listing has
# them too. **Rungs**, which tutorial 9 counted: `Tanh` keeps its result, block 2 computes it again from the input. And
# eager mode keeps only `x` for the first `matmul`, as nobody wants a gradient of `x`; a Program lists both. In the
# listing a `+` marks what `append_backward` added. With `--program` instead of `--pass 3` nothing needs to be run, and
# there are no numbers.
#
# **Summary:** one function serves both. Eager mode calls it in every run and takes notes; a Program is written by one
# call, and has names instead. **What next:** tutorial 11 looks at a network whose gradient gives out on the way.

# %%
assert calls == ["Tensor", "Tensor", "Variable"], "the third call wrote it down for good"
assert all(np.array_equal(*pair) for run in zip(eager, static) for pair in zip(*run)), "to the last bit"
assert ops[:5] == ["matmul_v2", "pylayer", "matmul_v2", "square", "reduce_mean"]
assert ops[6:] == [f"{op}_grad" for op in reversed(ops[:5])], "the mirror, in a listing; op 5 is the seed"
assert main.num_blocks == 3, "the Program, and the two Blocks of static_pylayer"

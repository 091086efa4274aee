# %% [markdown]
# # 8. Reading the mirror
#
# You will see a network and its gradient as one picture, and learn what each sign in it says: rungs, round plus
# signs, three ways for a gradient to be missing, frames that open and close, and a gradient of a gradient.
#
# New names: `Layer`, `argmax`, `create_graph`.
#
#     minipaddle run tutorials/08_mirror_picture.py
#     minipaddle graph tutorials/08_mirror_picture.py --pass 1 -o mirror.svg
#     minipaddle step tutorials/08_mirror_picture.py --passes all -c "goto a@GRAD" -c why -c where
#
# **Goals:** you can read every sign of the picture, and say why a gradient is missing. **Before:** tutorials 1 to 3.
# **Time:** 30 minutes. At each guess, stop, write your answer down, and only then run the next cell.

# %%
import numpy as np
import paddle

# %% [markdown]
# Up to tutorial 7 the listings told us what a gradient does. A picture tells it at a glance, once you can read one.
# So here is a small network with a bit of everything. A `Layer` owns parameters and has a `forward`; this one bends
# the numbers a little and adds what it was given.


# %%
class Bend(paddle.nn.Layer):
    def __init__(self, numbers):
        super().__init__()
        start = paddle.nn.initializer.Assign(np.array(numbers, "float32"))
        self.w = self.create_parameter([2, 2], default_initializer=start)

    def forward(self, x):  # [3, 2]
        return x + paddle.tanh(x @ self.w)


first, second = Bend([[0.5, -1.0], [1.0, 0.5]]), Bend([[1.0, 0.5], [-0.5, 1.0]])
taste = paddle.to_tensor([[-1.0], [2.0]], stop_gradient=False)  # [2, 1]
closed = paddle.to_tensor([-1.0, -2.0], stop_gradient=False)  # [2]

data = paddle.to_tensor([[1.0, -1.0], [2.0, 0.5], [0.0, 1.0]])  # three rows
a = first(data)
b = second(a)
best = (b @ taste).argmax(axis=0)  # [1]: which row is to our taste?
chosen = paddle.gather(b, best) + paddle.nn.functional.relu(closed)  # [1, 2]
loss = (chosen * chosen).mean()

told = {}
for name, tensor in {"a": a, "b": b}.items():
    tensor.register_hook(lambda grad, name=name: told.update({name: grad.numpy()}))
loss.backward()
print("loss:", loss.item(), "row", best.item())

# %% [markdown]
# ## Rows, rungs and the round plus
#
#     minipaddle graph tutorials/08_mirror_picture.py --pass 1 -o mirror.svg
#
# draws the first backward pass of this script. **Down the left** run the values, from the data to the loss. **Up the
# right** run the gradients, from `loss@GRAD`, which is 1, back to the parameters. What stands on one row belongs
# together: `tanh_grad` is the twin of `tanh`, and the sheet `first.w.grad` lies beside `first.w`. A dashed **rung**
# between twins is what was kept for the way back, by name: `tanh` keeps its result; `add` keeps nothing, for a sum
# does not care what it summed, and has no rung.
#
# Two arrows leave `a`: one into `matmul`, one straight to `add`. So two gradients come home, and where they meet
# stands a round **+**: the sum that the wrong walk of tutorial 2 forgot. (The other one belongs to `chosen`, which is
# multiplied by itself.) We can do it by hand, for the row that was chosen.
#
# **Guess:** what stands in the gradient of `a` for the rows that were not chosen?

# %%
straight = told["b"]  # add hands on what it gets
bent = (told["b"] * (1 - np.tanh((a @ second.w).numpy()) ** 2)) @ second.w.numpy().T
print("straight:", straight[2], "bent:", bent[2], "together:", told["a"][2])
print("the rows not chosen:", *told["a"][:2].tolist())

# %% [markdown]
# ## Three ways to be missing
#
# Nobody wanted a gradient of `data`. `closed` holds two negative numbers, and went through a `relu`. `taste` said which
# row is the best, and `argmax` made a place of it.
#
# **Guess:** which of the three has a `.grad` of `None`, and which one of zeros?

# %%
print("data:", data.grad, " closed:", closed.grad.numpy(), " taste:", taste.grad)

# %% [markdown]
# The picture tells apart what is printed alike. `data` says `no gradient (stop_gradient)`. `closed` was wanted, and one
# came, through a `relu` that lets nothing pass: `gradient is zero`. `taste` says `gradient not reached`. Follow its
# arrows down: at `argmax` they meet the words `not differentiable`. A place does not move when a number does, so no
# red arrow leads there, and `taste` will never learn.
#
# ## When it grows
#
# A frame is the call of a `Layer`. `--depth 0` closes all of them, `--collapse first` one, and in a picture of 150
# nodes or more what repeats is drawn once and counted (`--fold none` forbids it). The other way is to look at less:
#
#     minipaddle graph tutorials/08_mirror_picture.py --pass 1 --depth 0 -o closed.svg
#     minipaddle graph tutorials/08_mirror_picture.py --pass 1 --focus "a±1" -o around_a.svg
#     minipaddle graph tutorials/08_mirror_picture.py --pass 1 --highlight "not reached" -o lost.svg
#
# `--focus` keeps what is at most one step away from `a` and its twin. `--highlight` takes a regular expression and
# marks what it matches. The wider a red arrow, the larger its gradient: the one to `closed.grad`, which is zero,
# is as thin as can be.
#
# ## A gradient of a gradient
#
# `create_graph` asks the tape to write down the way back as well. Then it can be walked in its turn.
#
# **Guess:** the slope of `sin` at 0.5 is its cosine, about 0.88. Is the slope of that slope above or below zero?

# %%
x = paddle.to_tensor([0.5], dtype="float64", stop_gradient=False)
y = paddle.sin(x)
(slope,) = paddle.grad(y, x, create_graph=True)
slope.backward()
print("slope:", slope.item(), "slope of the slope:", x.grad.item())

# %% [markdown]
# These are passes 2 and 3; without `--pass` the last one is drawn. In pass 2 `sin_grad` is one red box, on the right.
# In pass 3 it is on the left, in the red frame `pass 2`: a frame around `cos` and `multiply`, the operators of its
# rule; beside each stands what differentiates it. So nothing is new: what ran is mirrored, and the rules of pass 2 ran.
#
# **Summary:** values run down the left, gradients up the right, and rungs are what was kept. A missing gradient was not
# wanted, is zero, or was not reached. **What next:** each rung is an array in memory: tutorial 9 counts the bytes.

# %%
assert np.allclose(told["a"], straight + bent, atol=1e-6), "what the round plus adds"
assert [one.stop_gradient for one in (data, closed, taste, best)] == [True, False, False, True], "wanted?"
assert data.grad is taste.grad is None, "one not wanted, one not reached"
assert (closed.grad.numpy() == 0).all(), "reached, and zero"
assert np.isclose(slope.item(), np.cos(0.5))
assert np.isclose(x.grad.item(), -np.sin(0.5))

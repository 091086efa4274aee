# %% [markdown]
# # 11. Where the gradient is lost
#
# You will see a network of twelve layers that does not learn, and the table that names the layer at which its gradient
# gives out. One repair fails, and one cures it: both are trained, so the loss decides. Up to tutorial 10 we looked at
# one operator after the other, and all was well; here we look at all of them at once, because it is not.
#
# New names: `Sequential`, `Linear`, `Sigmoid`.
#
#     minipaddle run tutorials/11_vanishing_gradient.py
#     minipaddle graph tutorials/11_vanishing_gradient.py -o deep.svg
#     minipaddle step tutorials/11_vanishing_gradient.py -c flow -c "b op:sigmoid_grad" -c c -c why
#
# **Goals:** you can find the layer where a gradient gives out, and tell a cure from a repair. **Before:** tutorials 1
# to 4. **Time:** 30 minutes. At each guess, stop, write your answer down, and only then run the next cell.

# %%
import numpy as np
import paddle
from paddle import nn

DEPTH, WIDTH, STEPS = 12, 16, 120
data = np.random.default_rng(0).normal(size=(16, 4)).astype("float32")
wanted = data.mean(axis=1, keepdims=True)
x = paddle.to_tensor(data, stop_gradient=False)

# %% [markdown]
# ## A deep network
#
# Twelve times the same: a `Linear` layer, then a `Sigmoid`, which squashes every number into (0, 1). Its slope is
# `out * (1 - out)`, and that is a quarter at most, where `out` is one half. The network shall learn the mean of four
# numbers.
#
# **Guess:** twelve times a quarter or less, how small a number is that? And how large is the last layer's gradient?


# %%
def network(squash, scale):
    rng = np.random.default_rng(1)
    layers = []
    for rows, columns in zip([4] + DEPTH * [WIDTH], DEPTH * [WIDTH] + [1]):
        linear = nn.Linear(rows, columns)
        linear.weight.set_value((scale / np.sqrt(rows) * rng.normal(size=(rows, columns))).astype("float32"))
        linear.bias.set_value(np.zeros(columns, "float32"))
        layers += [linear, squash()]
    return nn.Sequential(*layers[:-1])


def loss_of(net, x=x):
    return ((net(x) - paddle.to_tensor(wanted)) ** 2).mean()


def slopes(net):
    loss_of(net).backward()
    return [float(np.linalg.norm(p.grad.numpy())) for p in net.parameters() if len(p.shape) == 2]


KINDS = (nn.Sigmoid, 1.0), (nn.Sigmoid, 4.0), (nn.ReLU, np.sqrt(2.0))
deep = slopes(network(*KINDS[0]))
print("twelve quarters:", f"{0.25**DEPTH:.0e}", "first layer", f"{deep[0]:.1e}", "last", f"{deep[-1]:.1e}")

# %% [markdown]
# The last layer gets a gradient of ordinary size, the first one next to nothing: it stays as it was made, however long
# we train. Which layer is to blame? None alone, and that is what the table says. Type
#
#     minipaddle flow tutorials/11_vanishing_gradient.py --pass 1 --low 1e-6
#
# Every row is one step of the reverse walk: the operator, what its gradient is for, how large that is, and how much
# larger than the gradient that came in. The row marked `starts here` stands first. It is a `sigmoid_grad`. The hooks of
# tutorial 2 count the same, without the table.
#
# **Guess:** by which factor does the gradient shrink in one sigmoid here, and is it alike in all twelve?

# %%
sizes, h = [], x
for layer in network(*KINDS[0]):
    h = layer(h)
    h.register_hook(lambda grad: sizes.append(float((grad**2).mean() ** 0.5)))
h.mean().backward()
factors = np.array(sizes[2::2]) / np.array(sizes[1::2])  # the first is the gradient of the answer
print("through the sigmoids:", " ".join(f"x{factor:.1g}" for factor in factors))

# %% [markdown]
# By about `x0.2` in each of the twelve; the table has it, too, with more digits.
#
# ## A repair that fails, and a cure
#
# Weights four times as large make up for the quarter. Or a function that is steep where it lets anything through:
# `ReLU` has slope one, and weights of the size `sqrt(2 / width)` make up for the half of the numbers that it blocks.
#
# **Guess:** which of the two brings a gradient to the first layer?

# %%
large, steep = (slopes(network(*kind)) for kind in KINDS[1:])
print(
    "larger weights:", f"{large[0]:.1e}", f"{large[-1]:.1e}", "relu:", f"{steep[0]:.1e}", f"{steep[-1]:.1e}"
)

# %% [markdown]
# Both do. Which of the three networks learns? A gradient does not answer that; training does. Who always answers with
# the average has learned nothing about `x`, and that costs the variance of what is wanted.
#
# **Guess:** after training, what are the three losses: near the variance, or near zero?


# %%
def trained(net):
    optimizer = paddle.optimizer.SGD(learning_rate=0.05, parameters=net.parameters())
    for _ in range(STEPS):
        loss_of(net).backward()
        optimizer.step()
        optimizer.clear_grad()
    return loss_of(net).item()


sick, larger, cured = (trained(network(*kind)) for kind in KINDS)
print("variance", f"{wanted.var():.2f}", "sigmoid", f"{sick:.2f}", "larger weights", f"{larger:.2f}")
print("relu is below 0.01:", cured < 0.01)

# %% [markdown]
# Larger weights brought the gradient back, and the network learned no more than before. So a table that says `ok`
# promises nothing: look at the loss as well. `flow` answers with exit code 3 when a parameter learns nothing, so a
# test can ask it after every change. And in the debugger `b norm<1e-6` waits for a gradient that is almost gone.
#
# **Summary:** slopes multiply along the way back, so twelve of a quarter leave nothing. `flow` names where it begins.
# **What next:** in tutorial 12 the gradient is not too small, but no number at all.

# %%
assert deep[0] < 1e-6 < deep[-1], "the gradient gives out"
assert factors.max() < 0.25, "a quarter at most comes through a sigmoid"
assert large[0] > 1000 * deep[0], "larger weights let it through"
assert steep[0] > 0.1 * steep[-1], "and so does relu"
assert min(sick, larger) > 0.2, "both answer with the average: the repair is none"
assert cured < 0.01, "the cure learns"

# %% [markdown]
# # 11. Where the gradient is lost
#
# You will see a network of twelve layers that does not learn, the table that names the layer at which its
# gradient gives out, and two cures. Up to tutorial 10 we looked at one operator after the other, and all was well; here
# we look at all of them at once, because it is not.
#
# New names: `Sequential`, `Linear`, `Sigmoid`.
#
#     minipaddle run tutorials/11_vanishing_gradient.py
#     minipaddle graph tutorials/11_vanishing_gradient.py -o deep.svg
#     minipaddle step tutorials/11_vanishing_gradient.py --passes all -c flow -c "b op:sigmoid_grad" -c c -c why

# %%
import numpy as np
import paddle
from paddle import nn

DEPTH = 12
rng = np.random.default_rng(0)
paddle.seed(1)
data = rng.normal(size=(16, 4)).astype("float32")
wanted = data.sum(axis=1, keepdims=True) / 4

# %% [markdown]
# ## A deep network
#
# Twelve times the same: a `Linear` layer, then a `Sigmoid`, which squashes every number into (0, 1). Its slope is
# `out * (1 - out)`, and that is a quarter at most, where `out` is one half. So whatever comes back through twelve
# of them has been multiplied by a quarter or less twelve times: `0.25 ** 12` is 6e-8.


# %%
def network(squash, scale):
    rng = np.random.default_rng(1)
    layers = []
    for _ in range(DEPTH):
        linear = nn.Linear(4, 4)
        linear.weight.set_value((scale * rng.normal(size=(4, 4))).astype("float32"))
        linear.bias.set_value(np.zeros(4, "float32"))
        layers += [linear, squash()]
    return nn.Sequential(*layers, nn.Linear(4, 1))


def slopes(net, x):
    """Return how large the gradient is at the weight of each layer, from the first to the last."""
    loss = ((net(x) - paddle.to_tensor(wanted)) ** 2).mean()
    loss.backward()
    return [float(np.linalg.norm(p.grad.numpy())) for p in net.parameters() if len(p.shape) == 2]


x = paddle.to_tensor(data, stop_gradient=False)
deep = slopes(network(nn.Sigmoid, 0.5), x)
print("sigmoid   first layer", f"{deep[0]:.1e}", "last layer", f"{deep[-1]:.1e}")

# %% [markdown]
# The last layer gets a gradient of ordinary size, the first one next to nothing: it stays as it was made, however
# long we train. Which layer is to blame? None alone, and that is what the table says. Type
#
#     minipaddle flow tutorials/11_vanishing_gradient.py --pass 1 --low 1e-6
#
# Every row is one step of the reverse walk: the operator, what its gradient is for, how large that is, and how much
# larger than the gradient that came in. The row marked `starts here` stands first. It is a `sigmoid_grad`, and so is
# every other row at which the number falls: `x0.2`, again and again.
#
# ## Two cures
#
# Weights of another size keep the numbers alive for a while, but not the slope of a sigmoid: that is a quarter
# whatever the weights are. A function that is steep where it lets anything through is the better cure: `ReLU` has
# slope one, and weights of the size `sqrt(2 / width)` make up for the half of the numbers that it blocks.

# %%
wide = slopes(network(nn.Sigmoid, 2.0), x)
steep = slopes(network(nn.ReLU, float(np.sqrt(2 / 4))), x)
print("sigmoid, larger weights", f"{wide[0]:.1e}")
print("relu      first layer", f"{steep[0]:.1e}", "last layer", f"{steep[-1]:.1e}")

# %% [markdown]
# `flow` answers with exit code 3 when a parameter learns nothing, so a test can ask it after every change. And the
# debugger stops where you tell it: `b norm<1e-6` waits for a gradient that is almost gone.
# (In tutorial 12 it is not too small, but no number at all.)

# %%
ratios = np.array(deep[1:]) / np.array(deep[:-1])
print("each layer loses a factor of", ", ".join(f"{ratio:.0f}" for ratio in ratios[:5]))
assert deep[0] < 1e-6 < deep[-1]
assert ratios.max() > 4, "a quarter at most comes through a sigmoid"
assert steep[0] > 1000 * deep[0]
assert steep[0] > 0.001 * steep[-1], "relu lets it through"

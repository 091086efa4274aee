# %% [markdown]
# # 1986: two layers
#
# David Rumelhart, Geoffrey Hinton and Ronald Williams put a layer in between, and sent the gradient back through
# it. The units in the middle find out by themselves what they are good for. XOR takes two of them; with four,
# it is learned from every beginning that is tried here.
#
# The autograd is yours, from tasks 1 to 4.

# %%
import numpy as np
from task1_value import Value
from task2_backward import backward
from task3_arrays import total
from task4_training import SGD, Linear, Sequential

inputs = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
right = np.array([[-1.0], [1.0], [1.0], [-1.0]])


# %%
def learned(seed):
    """Train two layers, and return the network and its last loss."""
    rng = np.random.default_rng(seed)
    net = Sequential(Linear(2, 4, rng), Value.tanh, Linear(4, 1, rng), Value.tanh)
    sgd = SGD(net.parameters(), 0.1)
    for _ in range(1000):
        wrong = net(Value(inputs)) - Value(right)
        loss = total(wrong * wrong)
        backward(loss)
        sgd.step()
        sgd.clear_grad()
    return net, float(loss.data)


nets = [learned(seed) for seed in range(5)]
for net, loss in nets:
    print("xor:", *net(Value(inputs)).data.ravel().round(2), " loss:", round(loss, 4))

# %%
assert all((np.sign(net(Value(inputs)).data) == right).all() for net, _ in nets), (
    "four right answers, each time"
)
assert max(loss for _, loss in nets) < 0.1

# %% [markdown]
# # Your own tape, 4: layers and an optimizer
#
# Three classes, and your autograd learns. `Linear` is `x @ weight + bias`, `Sequential` calls one layer after
# the other, and both name their parameters, in the order of the layers. `SGD` moves each parameter against
# its gradient: `data - learning_rate * grad`; `clear_grad` sets the gradients back to 0.
#
# `Value`, `backward` and `matmul` are yours, from tasks 1 to 3.

# %%
import numpy as np
from task1_value import Value
from task2_backward import backward
from task3_arrays import matmul, total


# %%
class Linear:
    def __init__(self, inputs, outputs, rng):
        self.weight = Value(rng.normal(size=(inputs, outputs)) / np.sqrt(inputs))
        self.bias = Value(np.zeros(outputs))

    def __call__(self, x):
        # x times the weight, plus the bias
        ...

    def parameters(self):
        # a list of two
        ...


class Sequential:
    def __init__(self, *layers):
        self.layers = layers

    def __call__(self, x):
        # each layer is called with what the one before it gave
        ...

    def parameters(self):
        # those of all layers; a function such as Value.tanh has none
        ...


class SGD:
    def __init__(self, parameters, learning_rate):
        self.parameters, self.learning_rate = parameters, learning_rate

    def step(self):
        # move every parameter against its gradient
        ...

    def clear_grad(self):
        # every gradient is 0 again
        ...


# %% [markdown]
# Try it here: this part runs when you run the file, and not when it is graded.

# %%
if __name__ == "__main__":
    rng = np.random.default_rng(0)
    net = Sequential(Linear(1, 8, rng), Value.tanh, Linear(8, 1, rng))
    sgd = SGD(net.parameters(), 0.01)
    x = np.linspace(-2, 2, 20)[:, None]
    for step in range(1001):
        wrong = net(Value(x)) - Value(np.sin(x))
        loss = total(wrong * wrong)
        backward(loss)
        sgd.step()
        sgd.clear_grad()
        if step % 250 == 0:
            print("loss:", loss.data)

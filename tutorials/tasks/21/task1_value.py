# %% [markdown]
# # Your own tape, 1: a value and its notes
#
# `Value` is that of lesson 21: an array, its operands, and for each operand a rule. A rule takes `dy`, the
# gradient of the result, and answers with the gradient of its operand. `+` is there; write the others.
#
# Operands have the same shape here. This file, and the next three, become your own autograd: keep them in
# one folder.

# %%
import numpy as np


# %%
class Value:
    made = 0

    def __init__(self, data, operands=(), rules=()):
        self.data, self.operands, self.rules = np.asarray(data, float), operands, rules
        self.grad, self.number, Value.made = 0.0, Value.made, Value.made + 1

    def accumulate(self, grad):
        self.grad = self.grad + grad

    def __add__(self, other):
        return Value(self.data + other.data, (self, other), (lambda dy: dy, lambda dy: dy))

    def __sub__(self, other):
        # self minus other
        ...

    def __mul__(self, other):
        # self times other
        ...

    def __truediv__(self, other):
        # self divided by other
        ...

    def exp(self):
        # e to the power of self
        ...

    def log(self):
        # the natural logarithm
        ...

    def tanh(self):
        # the hyperbolic tangent
        ...

    def relu(self):
        # what is positive stays, the rest is 0
        ...


# %% [markdown]
# Try it here: this part runs when you run the file, and not when it is graded.

# %%
if __name__ == "__main__":
    y = Value(3.0) * Value(5.0)
    print("value:", y.data, "(15 is right)")
    print("rules:", *(rule(1.0) for rule in y.rules), "(5 and 3 are right)")

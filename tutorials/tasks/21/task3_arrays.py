# %% [markdown]
# # Your own tape, 3: arrays and broadcasting
#
# A bias of 3 numbers is added to 4 rows, and its gradient comes back with 4 rows. Write `unbroadcast`: it sums
# a gradient over the axes that broadcasting added, and over those that it repeated. Then every operator of
# yours works with broadcasting, because `accumulate` uses it.
#
# Then write three operators more: `matmul` of two tables, `total` (the sum of all elements), and `transpose`.

# %%
import numpy as np
from task1_value import Value


# %%
def unbroadcast(grad, shape):
    # sum grad over what broadcasting added or repeated, so that it has this shape
    ...


def accumulate(self, grad):
    self.grad = self.grad + unbroadcast(np.asarray(grad, float), self.data.shape)


Value.accumulate = accumulate


# %%
def matmul(a, b):
    # a table of n rows and k columns, times one of k rows and m columns
    ...


def total(a):
    # one number: the sum of all elements
    ...


def transpose(a):
    # rows become columns
    ...


# %% [markdown]
# Try it here: this part runs when you run the file, and not when it is graded.

# %%
if __name__ == "__main__":
    from task2_backward import backward

    rows, w, bias = Value(np.ones((4, 2))), Value(np.ones((2, 3))), Value(np.zeros(3))
    backward(total(matmul(rows, w) + bias))
    print("shapes:", rows.grad.shape, w.grad.shape, bias.grad.shape)
    print("gradient of the bias:", bias.grad, "(4 each is right)")

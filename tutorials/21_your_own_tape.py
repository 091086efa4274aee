# %% [markdown]
# # 21. Build the tape yourself
#
# You will see an autograd grow in four steps: a value that remembers, the walk, arrays, and the check against Paddle.
# In tutorial 20 you met the last kind of rule; here nothing is left that you cannot write yourself.
#
# New names: `Value`, `unbroadcast`. Both are our own, as in tutorial 2: Paddle is only the judge.
#
#     minipaddle run tutorials/21_your_own_tape.py
#     minipaddle graph tutorials/21_your_own_tape.py
#     minipaddle step tutorials/21_your_own_tape.py -c "goto h@GRAD" -c why -c jac
#
# **Goals:** you can write an autograd of a hundred lines, and say what each part is for. **Before:** tutorials 1, 2, 15
# and 16. **Time:** 40 minutes. At each guess, stop, write your answer down, and only then run the next cell.

# %%
import numpy as np
import paddle

# %% [markdown]
# ## Step 1: a value that remembers
#
# A `Value` holds an array, its operands, and a rule for each operand. A rule is a vector-Jacobian product: it takes the
# gradient of the result, and answers with the gradient of that operand. `number` says when the value was made.


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

    def __mul__(self, other):
        rules = lambda dy: dy * other.data, lambda dy: dy * self.data
        return Value(self.data * other.data, (self, other), rules)


# %% [markdown]
# **Guess:** `y` is 3 times 5. What do its two rules answer to a gradient of 1, and the first of them to 10?

# %%
y = Value(3.0) * Value(5.0)
asked = [y.rules[0](1.0), y.rules[1](1.0), y.rules[0](10.0)]
print("the rules answer:", *asked)

# %% [markdown]
# Each answers with the other factor, times what came in. (We asked: nobody has walked yet.)
#
# ## Step 2: the walk
#
# First find all values behind the result. Then visit them from the last made to the first: whoever used a value was
# made later, so when its turn comes, its gradient is complete. This is the walk of tutorial 2, without its list.


# %%
def backward(result):
    behind, waiting = {result}, [result]
    while waiting:
        new = set(waiting.pop().operands) - behind
        behind |= new
        waiting += new
    result.grad = np.ones_like(result.data)
    for value in sorted(behind, key=lambda value: value.number, reverse=True):
        for operand, rule in zip(value.operands, value.rules):
            operand.accumulate(rule(value.grad))
    return len(behind)


# %% [markdown]
# **Guess:** 5,000 times, a value is added to itself and halved. How many values does the walk visit on its way?

# %%
w = Value(3.0)
h = w * Value(2.0)
backward(h * h + h)
start = top = Value(1.0)
for _ in range(5000):
    top = Value(0.5) * (top + top)
visited = backward(top)
print("the machine of tutorial 1:", w.grad, " visited:", visited, " gradient:", start.grad)

# %% [markdown]
# Three values each time, and the first one: once each, although there are more roads than atoms. A function that calls
# itself for each operand would also have ended at Python's limit of 1,000 calls.
#
# ## Step 3: arrays
#
# The rules of `+` and `*` hold for arrays, element by element. But a bias of 3 numbers added to 4 rows gets a gradient
# of 4 rows. `unbroadcast` sums it back, as in tutorial 15, in one place for all rules. A layer needs two more.
#
# **Guess:** `z = x @ w`, with 4 rows, 2 columns in and 3 out. Which product of `dz` and `x` has the shape of `w`?


# %%
def unbroadcast(grad, shape):
    grad = grad.sum(axis=tuple(range(grad.ndim - len(shape))))
    return grad.sum(axis=tuple(at for at, size in enumerate(shape) if size == 1), keepdims=True)


def accumulate(self, grad):
    self.grad = self.grad + unbroadcast(grad, self.data.shape)


Value.accumulate = accumulate


def matmul(a, b):
    return Value(a.data @ b.data, (a, b), (lambda dy: dy @ b.data.T, lambda dy: a.data.T @ dy))


def tanh(a):
    y = np.tanh(a.data)
    return Value(y, (a,), (lambda dy: dy * (1 - y * y),))


rng = np.random.default_rng(0)
arrays = [rng.normal(size=shape) for shape in ([4, 2], [2, 3], [3], [3, 1])]
rows, w, bias, v = map(Value, arrays)
backward(matmul(tanh(matmul(rows, w) + bias), v))
print("shapes:", w.grad.shape, bias.grad.shape, v.grad.shape)

# %% [markdown]
# `x.T @ dz`: the shapes leave one choice.
#
# ## Step 4: the check
#
# Nudging would do; Paddle is the quicker judge.
#
# **Guess:** the result has four rows, and `backward` began with ones. Of which loss are these the gradients?

# %%
x, w_, b_, v_ = (paddle.to_tensor(array, stop_gradient=False) for array in arrays)
h = paddle.tanh(x @ w_ + b_)
(h @ v_).sum().backward()
pairs = list(zip((rows, w, bias, v), (x, w_, b_, v_)))
print("agrees:", *(np.allclose(ours.grad, theirs.grad) for ours, theirs in pairs))

# %% [markdown]
# **Summary:** values that remember, rules, a walk by number, and a sum for what was broadcast: that is all. What is
# left is to add operators, and each is a line and its rule.
# **What next:** the tasks of this lesson ask for yours. Then read minipaddle's own:
# `minipaddle/engine/walk/walk.py`.

# %%
assert asked == [5.0, 3.0, 50.0], "the other factor, times what came in"
assert visited == 3 * 5000 + 1, "each once"
assert start.grad == 1.0, "2 ** 5000 roads, each with a weight of 0.5 ** 5000"
assert (w.grad.shape, bias.grad.shape) == ((2, 3), (3,)), "a gradient has the shape of its value"
assert all(np.allclose(ours.grad, theirs.grad) for ours, theirs in pairs), "of the sum"

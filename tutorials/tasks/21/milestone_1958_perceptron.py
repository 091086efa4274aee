# %% [markdown]
# # 1958: the perceptron
#
# Frank Rosenblatt's machine adds up its inputs, each times a weight, and answers yes if the sum is positive.
# It learns AND. XOR it never learns: no straight line has the two yes on one side and the two no on the other.
# Marvin Minsky and Seymour Papert proved it in 1969, and for years few looked at neural networks again.
#
# The autograd is yours, from tasks 1 to 4.

# %%
import numpy as np
from task1_value import Value
from task2_backward import backward
from task3_arrays import total
from task4_training import SGD, Linear

inputs = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
questions = {
    "and": np.array([[-1.0], [-1.0], [-1.0], [1.0]]),
    "xor": np.array([[-1.0], [1.0], [1.0], [-1.0]]),
}


# %% [markdown]
# What is wrong costs as much as the sum lies on the wrong side: `relu(-answer * sum)`, Rosenblatt's own rule. A
# tenth is added so that a sum of zero is no answer.


# %%
def learned(right, seed):
    """Train a perceptron, and return how many of the four answers are right."""
    unit = Linear(2, 1, np.random.default_rng(seed))
    sgd = SGD(unit.parameters(), 0.1)
    for _ in range(300):
        backward(total((Value(0.1) - unit(Value(inputs)) * Value(right)).relu()))
        sgd.step()
        sgd.clear_grad()
    return int((np.sign(unit(Value(inputs)).data) == right).sum())


scores = {name: [learned(right, seed) for seed in range(5)] for name, right in questions.items()}
for name, score in scores.items():
    print(f"{name}: right answers of 4, from five beginnings:", *score)

# %%
assert scores["and"] == [4] * 5, "it learns AND"
assert max(scores["xor"]) < 4, "and never XOR"

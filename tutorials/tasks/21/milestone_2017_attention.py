# %% [markdown]
# # 2017: attention
#
# Ashish Vaswani and seven others left windows and recurrence out: each place of a text asks all places at once,
# and takes most from those whose answer fits. Here a network copies: it is shown six letters and then six blanks,
# and writes the letters again in the blanks. To copy, a blank must look at the place six before it.
#
# The autograd is yours, from tasks 1 to 4.

# %%
import numpy as np
from task1_value import Value
from task2_backward import backward
from task3_arrays import matmul, total, transpose
from task4_training import SGD, Linear

rng = np.random.default_rng(2017)
LETTERS, LENGTH, WIDTH = 8, 6, 16
BLANK, PLACES = LETTERS, 2 * LENGTH


def draw():
    """Return a text of 12 signs, six letters and six blanks, as rows with a single one, and the letters."""
    letters = rng.integers(LETTERS, size=LENGTH)
    text = np.concatenate([letters, np.full(LENGTH, BLANK)])
    return np.eye(LETTERS + 1)[text], letters


# %% [markdown]
# A softmax of your operators: `exp`, and a division by the sum of each row. The largest score is taken away first;
# that changes no result, and keeps the numbers small.


# %%
def softmax(scores):
    weights = (scores - Value(scores.data.max(axis=1, keepdims=True))).exp()
    return weights / matmul(weights, Value(np.ones((scores.data.shape[1], 1))))


class Attention:
    def __init__(self):
        self.sign, self.decide = Linear(LETTERS + 1, WIDTH, rng), Linear(WIDTH, LETTERS, rng)
        self.query, self.key, self.value = (Linear(WIDTH, WIDTH, rng) for _ in range(3))
        self.place = Value(rng.normal(size=(PLACES, WIDTH)))

    def parameters(self):
        layers = self.sign, self.decide, self.query, self.key, self.value
        return [self.place, *(one for layer in layers for one in layer.parameters())]

    def __call__(self, text):
        """Return the scores of letters at the blanks, and who looked where."""
        x = self.sign(Value(text)) + self.place  # [12, 16]
        asked, offered = self.query(x), self.key(x)
        looks = softmax(matmul(asked, transpose(offered)) * Value(1 / np.sqrt(WIDTH)))  # [12, 12]
        blanks = Value(np.eye(PLACES)[LENGTH:])  # picks the last six rows
        return matmul(blanks, self.decide(matmul(looks, self.value(x)))), looks.data


# %%
net = Attention()
sgd = SGD(net.parameters(), 0.1)
for step in range(1501):
    text, letters = draw()
    scores, _ = net(text)
    loss = total(softmax(scores).log() * Value(np.eye(LETTERS)[letters])) * Value(-1 / LENGTH)
    backward(loss)
    sgd.step()
    sgd.clear_grad()
    if step % 300 == 0:
        print(f"step {step}: loss {loss.data:.3f}")

copied, where = [], []
for _ in range(100):
    text, letters = draw()
    scores, looks = net(text)
    copied.append((scores.data.argmax(axis=1) == letters).all())
    where.append(looks[LENGTH:].argmax(axis=1))
print("of 100 new texts it copies", sum(copied))
print("the six blanks look most at the places", *where[-1])

# %%
assert sum(copied) >= 95
assert (np.array(where) == np.arange(LENGTH)).mean() > 0.95, "each blank looks six places back"

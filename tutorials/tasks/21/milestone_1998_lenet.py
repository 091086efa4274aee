# %% [markdown]
# # 1998: LeNet
#
# Yann LeCun's network read the amounts on bank cheques. It looks at an image through a small window that is moved
# along: one set of weights for all places. Here it reads digits that this script draws: moved, and in noise.
#
# The autograd is yours, from tasks 1 to 4. A convolution needs two operators more. Each is a line and its rule.

# %%
import numpy as np
from task1_value import Value
from task2_backward import backward
from task3_arrays import matmul, total
from task4_training import SGD, Linear

rng = np.random.default_rng(1998)
DRAWN = """
.###. ..#.. .###. .###. ...#. ##### .###. ##### .###. .###.
#...# .##.. #...# #...# ..##. #.... #.... ....# #...# #...#
#...# ..#.. ....# ..##. .#.#. ####. ####. ...#. .###. #...#
#...# ..#.. ..##. ....# ##### ....# #...# ..#.. #...# .####
#...# ..#.. .#... #...# ...#. #...# #...# .#... #...# ....#
.###. .###. ##### .###. ...#. .###. .###. .#... .###. .###.
"""
rows = [line.split() for line in DRAWN.strip().splitlines()]
digits = np.array([[[dot == "#" for dot in row[digit]] for row in rows] for digit in range(10)], float)


def draw(count):
    """Draw images [count, 12, 12] of digits at some place, in noise, and say which they are."""
    labels = rng.integers(10, size=count)
    images = rng.normal(0, 0.15, size=(count, 12, 12))
    for image, label, top, left in zip(images, labels, rng.integers(1, 6, count), rng.integers(1, 7, count)):
        image[top : top + 6, left : left + 5] += digits[label]
    return images[..., None], labels


# %% [markdown]
# `gather` takes elements by their places in memory; its rule puts the gradient back there, and adds where a place
# was taken twice. With it, a window is cut out at every place, and one `matmul` does them all. `reshape` gives the
# numbers another shape.


# %%
def gather(a, places):
    def put_back(dy):
        return np.bincount(places.ravel(), dy.ravel(), a.data.size).reshape(a.data.shape)

    return Value(a.data.reshape(-1)[places], (a,), (put_back,))


def reshape(a, *shape):
    return Value(a.data.reshape(shape), (a,), (lambda dy: dy.reshape(a.data.shape),))


def convolved(a, layer, size, stride=1):
    """Return [count, out, out, maps]: the layer at each window of images [count, n, n, channels]."""
    count, n, _, channels = a.data.shape
    out = (n - size) // stride + 1
    window = (np.arange(size)[:, None, None] * n + np.arange(size)[:, None]) * channels + np.arange(channels)
    corner = (np.arange(out)[:, None] * n + np.arange(out)) * channels * stride
    image = np.arange(count)[:, None, None] * n * n * channels
    places = (image + corner)[..., None] + window.ravel()  # [count, out, out, size * size * channels]
    cut = gather(a, places.reshape(-1, window.size))
    return reshape(layer(cut), count, out, out, -1)


# %% [markdown]
# Two convolutions, and a layer that decides. LeNet made its maps smaller by pooling; here the second window is moved
# on by three places at a time. The loss is the negative logarithm of the share that the right digit got.


# %%
class LeNet:
    def __init__(self):
        self.first, self.second = Linear(9, 8, rng), Linear(8 * 16, 16, rng)
        self.last = Linear(16 * 9, 10, rng)

    def parameters(self):
        return [one for layer in (self.first, self.second, self.last) for one in layer.parameters()]

    def __call__(self, images):
        maps = convolved(Value(images), self.first, 3).tanh()  # [count, 10, 10, 8]
        maps = convolved(maps, self.second, 4, stride=3).tanh()  # [count, 3, 3, 16]
        return self.last(reshape(maps, len(images), -1))


def loss_of(scores, labels):
    weights = scores.exp()
    sums = matmul(weights, Value(np.ones((10, 1))))
    chosen = Value(np.eye(10)[labels])
    return total((sums.log() - scores) * chosen) * Value(1 / len(labels))


net = LeNet()
sgd = SGD(net.parameters(), 0.3)
for step in range(1201):
    images, labels = draw(32)
    loss = loss_of(net(images), labels)
    backward(loss)
    sgd.step()
    sgd.clear_grad()
    if step % 300 == 0:
        print(f"step {step}: loss {loss.data:.3f}")
images, labels = draw(500)
accuracy = (net(images).data.argmax(axis=1) == labels).mean()
print("of 500 new digits it reads", f"{accuracy:.1%}")

# %%
assert accuracy > 0.95

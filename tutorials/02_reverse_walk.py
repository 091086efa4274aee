# %% [markdown]
# # 2. The reverse walk: why gradients are added, and why order matters
#
# You will see two natural ways to read the tape go wrong, and then the one that works. It is three lines long.
#
# New name: `register_hook`. The tape and the walks are our own, so that nothing stays hidden.
#
#     minipaddle run tutorials/02_reverse_walk.py
#     minipaddle graph tutorials/02_reverse_walk.py
#     minipaddle step tutorials/02_reverse_walk.py -c "goto h@GRAD" -c "next 2" -c why -c next -c why
#
# **Goals:** you can say why gradients are added, and in which order a tape is read. **Before:** tutorial 1.
# **Time:** 25 minutes. At each guess, stop, write your answer down, and only then run the next cell.

# %%
import paddle

# %% [markdown]
# Tutorial 1 left us with `h`, a value used three times. Here is the same machine with a tape of our own. A note
# knows its operands, and for each of them the slope: what this value gains per unit of the operand.

# %%
tape = []


class Note:
    def __init__(self, value, *operands):
        self.value, self.operands, self.grad = value, operands, 0.0
        tape.append(self)

    def __add__(self, other):
        return Note(self.value + other.value, (self, 1.0), (other, 1.0))

    def __mul__(self, other):
        return Note(self.value * other.value, (self, other.value), (other, self.value))


def gradient_by(walk):
    tape.clear()
    w = Note(3.0)
    h = w * Note(2.0)
    y = h * h + h
    y.grad = 1.0
    walk(y)
    return w.grad


# %% [markdown]
# We expect 26. And every note does the same: its own gradient, times the slope, goes to the operand.
#
# ## First wrong turn: the last one to arrive wins
#
# Each note sets the gradient of its operand, and goes on from there at once. `h` is 6, so the two sides of `h * h`
# bring 6 each, and `+ h` brings 1. From `h` on to `w`, a gradient is doubled.
#
# **Guess:** the 1 comes last. Which gradient is left at `w`?


# %%
def overwriting(note):
    for operand, slope in note.operands:
        operand.grad = note.grad * slope
        overwriting(operand)


print("overwriting:", gradient_by(overwriting))

# %% [markdown]
# Three roads lead to `h`, and the last to come wipes out what the others brought: the 1 alone is left, doubled. But
# when `h` moves, all three uses of it feel the move: what they report must be **added**.
#
# ## Second wrong turn: adding, but not waiting
#
# So we add. And we go on from each note once only, when it is reached for the first time.
#
# **Guess:** `h` now collects 6 + 6 + 1. Does `w` get its 26?


# %%
def impatient(note):
    for operand, slope in note.operands:
        first_time = operand.grad == 0.0
        operand.grad += note.grad * slope
        if first_time:
            impatient(operand)


print("impatient:  ", gradient_by(impatient))

# %% [markdown]
# `h` does get its 13 in the end. But it had set off to `w` when only the first 6 had come in. Could it set off again
# with every late arrival? That would be right, only then each road is walked by itself, and thirty doublings in a
# row have a billion roads. So a note must wait until **all who used it** have reported.
#
# ## The right walk
#
# Who can have used a note? Only notes that were written later. So begin with the latest and go back in time: when a
# note has its turn, everybody who used it has had one. That is why the tape is read in reverse.


# %%
def in_reverse(_):
    for note in reversed(tape):
        for operand, slope in note.operands:
            operand.grad += note.grad * slope


print("in reverse: ", gradient_by(in_reverse))

# %% [markdown]
# minipaddle's engine keeps no such list, or it could never forget. Its notes carry their age, and the youngest waiting
# goes first: that is `minipaddle/engine/walk/walk.py`, whose loop fits on a screen. We can see from outside that it
# waits and adds: `register_hook` asks to be told of a gradient when it is complete.
#
# **Guess:** how often is `h` told of its gradient, and which numbers does it hear?

# %%
told = []
w = paddle.to_tensor(3.0, dtype="float64", stop_gradient=False)
h = w * 2
h.register_hook(lambda grad: told.append(grad.item()))
y = h * h + h
y.backward()
print("paddle:     ", w.grad.item(), "and h was told", told)

# %% [markdown]
# **Summary:** what is used several times gets the sum of what its uses report. A note goes on when all have reported,
# and reading the tape from its end makes sure of that.
#
# **What next:** one thing is left to know: the slope. Paddle brings one for every operator, and in tutorial 3 you
# write your own.

# %%
roads = 2**30
assert roads > 10**9, "thirty doublings in a row"
assert gradient_by(overwriting) == 2, "only the last contribution is left"
assert gradient_by(impatient) == 12, "only the first contribution went on"
assert gradient_by(in_reverse) == 26 == w.grad.item()
assert told == [13.0], "6, 6 and 1, in one piece"

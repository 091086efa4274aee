# %% [markdown]
# # 1. A gradient, and the tape that finds it
#
# You will see one number depend on another, measure how strongly it does so by nudging it, and then get the
# same answer without any nudging, because the library kept notes while it computed.
#
# New names: `stop_gradient`, `grad_fn`, `backward()`.
#
#     minipaddle run tutorials/01_gradient_and_tape.py
#     minipaddle graph tutorials/01_gradient_and_tape.py
#     minipaddle step tutorials/01_gradient_and_tape.py -c next -c next -c why

# %%
import paddle

# %% [markdown]
# ## A question, asked by nudging
#
# Here is a small machine. It takes a number `w`, doubles it to get `h`, and answers `h * h + h`.


# %%
def machine(w):
    h = w * 2
    return h * h + h


print("machine(3) is", machine(3.0))

# %% [markdown]
# Suppose the answer, 42, is too large. Which way should `w` move, and how much will that help? We need no
# theory to find out. Move `w` a little to either side, look how far the answer moves, and divide. That
# quotient is the **gradient** of the answer with respect to `w`: what the answer gains for every unit that
# `w` gains.


# %%
def measure(function, at, nudge=1e-5):
    return (function(at + nudge) - function(at - nudge)) / (2 * nudge)


measured = measure(machine, at=3.0)
print("measured gradient:", measured)

# %% [markdown]
# About 26: turn `w` down by a hundredth, and the answer drops by a quarter. It is that easy, and for one
# number it is good enough. A network, though, has millions of numbers to turn. To nudge each of them we would
# run the network millions of times. And the result is never quite exact: a big nudge misses the bend of the
# curve, a tiny one drowns in rounding.
#
# ## The tape
#
# There is a better way. The machine is made of tiny steps, and everybody knows the gradient of each: doubling
# passes on two for one, adding passes on one for one. If only somebody wrote down which steps were taken!
#
# Paddle does. Say that `w` matters by setting `stop_gradient=False`, and from then on every operator applied
# to it leaves a note. The notes together are called the **tape**.

# %%
w = paddle.to_tensor(3.0, dtype="float64", stop_gradient=False)
h = w * 2
y = h * h + h

# %% [markdown]
# The note of a value hangs on the value itself. It is called `grad_fn`, and its name says which operator made
# the value. From there `next_functions` leads to the notes of the operands, on and on, back to where all
# began. So the tape is no strip of paper: it is a web of references. Follow every road, and it prints as a
# tree.


# %%
def tape(note, depth=0):
    yield "  " * depth + note.name()
    for operand in note.next_functions:
        if operand is not None:
            yield from tape(operand, depth + 1)


lines = list(tape(y.grad_fn))
print("\n".join(lines))

# %% [markdown]
# Read it from the top: `y` came from an addition, one side of which came from a multiplication, and so on.
# Every road ends in a `GradNodeAccumulation`. That one stands for `w` itself, the place where the answer is
# to be collected.
#
# ## Backward
#
# Now the notes are read from the end to the beginning. That is all that `backward()` does, and it leaves what
# it found in `w.grad`. No nudging, no second run of the machine, no rounding.

# %%
y.backward()
print("gradient from the tape:", w.grad.item())

# %% [markdown]
# Draw it with `minipaddle graph`, or walk through it with `minipaddle step`: there you can ask `why` at any
# place.
#
# One thing should leave you curious. `h` was used three times, so its note, `ScaleGradNode`, is printed three
# times; yet it is one note, reached over three roads. In which order should we walk them? Tutorial 2 takes
# the wrong turns.

# %%
assert y.item() == machine(3.0) == 42
assert w.grad.item() == 26, "the tape is exact"
assert abs(measured - 26) < 1e-6, "nudging is close"
assert lines[0] == "AddGradNode"
assert [line.strip() for line in lines].count("ScaleGradNode") == 3, "h was used three times"
assert lines[-1].strip() == "GradNodeAccumulation", "and every road ends at w"

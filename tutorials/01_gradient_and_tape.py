# %% [markdown]
# # 1. A gradient, and the tape that finds it
#
# You will see one number depend on another, and measure how strongly it does so by nudging it. Then you get the
# same answer without any nudging, because the library kept notes while it computed.
#
# New names: `stop_gradient`, `grad_fn`, `backward()`.
#
#     minipaddle run tutorials/01_gradient_and_tape.py
#     minipaddle graph tutorials/01_gradient_and_tape.py
#     minipaddle step tutorials/01_gradient_and_tape.py -c next -c next -c why
#
# **Goals:** you can measure a gradient, print a tape, and say what `backward` does with it. **Before:** nothing; a
# little Python is enough. **Time:** 20 minutes. At each guess, stop, write your answer down, and only then run the
# next cell. A wrong guess that stands on paper teaches more than a right one that does not.

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
# Suppose the answer, 42, is too large. Which way should `w` move, and how much will that help? We need no theory
# to find out. Move `w` a little to either side, look how far the answer moves, and divide. That quotient is the
# **gradient** of the answer with respect to `w`: what the answer gains for every unit that `w` gains.
#
# **Guess:** at 3, how much does the answer gain per unit of `w`? And at -1, does it gain or lose?


# %%
def measure(function, at, nudge=1e-5):
    return (function(at + nudge) - function(at - nudge)) / (2 * nudge)


measured = measure(machine, at=3.0)
print("measured gradient at 3:", measured)
print("measured gradient at -1:", round(measure(machine, at=-1.0), 6))

# %% [markdown]
# About 26 at 3: turn `w` down by a hundredth, and the answer drops by a quarter. At -1 it is about -6: there the
# answer falls when `w` grows. So the gradient belongs to a place, and its sign says which way is up.
#
# For one number, nudging is good enough. A network, though, has millions of numbers to turn. To nudge each of
# them, we would run the network millions of times. And the result is never quite exact: a big nudge misses the
# bend of the curve, a tiny one drowns in rounding.
#
# ## The tape
#
# There is a better way. The machine is made of tiny steps, and the gradient of each is known: doubling passes on
# two for one, adding passes on one for one. If only somebody wrote down which steps were taken!
#
# Paddle does. Say that `w` matters by setting `stop_gradient=False`. From then on, every operator applied to it
# leaves a note. The notes together are called the **tape**.

# %%
w = paddle.to_tensor(3.0, dtype="float64", stop_gradient=False)
h = w * 2
y = h * h + h

# %% [markdown]
# The note of a value hangs on the value itself. It is called `grad_fn`, and its name says which operator made the
# value. From there `next_functions` leads to the notes of the operands, on and on, back to where all began. So
# the tape is no strip of paper: it is a web of references. Follow every road, and it prints as a tree.
#
# **Guess:** the note of `w * 2` is a `ScaleGradNode`. How many lines of the tree will show it, and why?


# %%
def tape(note, depth=0):
    yield "  " * depth + note.name()
    for operand in note.next_functions:
        if operand is not None:
            yield from tape(operand, depth + 1)


lines = list(tape(y.grad_fn))
print("\n".join(lines))

# %% [markdown]
# Read it from the top: `y` came from an addition, one side of which came from a multiplication, and so on. Every
# road ends in a `GradNodeAccumulation`. It stands for `w` itself, the place where the answer is collected.
#
# `h` was used three times, so three roads lead to its note. It is one note all the same, printed three times.
#
# ## Backward
#
# Now the notes are read from the end to the beginning. That is all that `backward()` does, and it leaves what it
# found in `w.grad`. No nudging, no second run of the machine, and nothing drowns in rounding.
#
# **Guess:** what does `w.grad` say before `backward()` has run, and what after?

# %%
before = w.grad
y.backward()
print("before:", before, " after:", w.grad.item())

# %% [markdown]
# **Summary:** a gradient is what the answer gains per unit of `w`. Nudging measures it, roughly and one number at a
# time. The tape knows it: operators leave notes, and `backward` reads them from the end.
#
# **What next:** draw the tape with `graph`, or walk through it with `step`: there you can ask `why` at any place.
# One thing should leave you curious: three roads lead to one note. In which order should we walk them? Tutorial 2
# takes the wrong turns.

# %%
assert y.item() == machine(3.0) == 42
assert w.grad.item() == 26, "the tape is exact"
assert before is None, "and until it is read there is no gradient"
assert abs(measured - 26) < 1e-6, "nudging is close"
assert abs(measure(machine, at=-1.0) + 6) < 1e-6, "and elsewhere the gradient is another"
assert lines[0] == "AddGradNode"
assert [line.strip() for line in lines].count("ScaleGradNode") == 3, "h was used three times"
assert lines[-1].strip() == "GradNodeAccumulation", "and every road ends at w"

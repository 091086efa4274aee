# %% [markdown]
# # 19. Decisions and loops
#
# You will see what the tape knows of an `if` and a `while`, and the same decisions written into a Program. Then you
# compute the gradient of a loop by hand. In tutorial 18 a loop trained a network; here the loop is in the network.
#
# New names: `cond`, `while_loop`.
#
#     minipaddle run tutorials/19_control_flow.py
#     minipaddle graph tutorials/19_control_flow.py --pass 6 -o loop.svg
#     minipaddle step tutorials/19_control_flow.py --passes all -c "b op:while_grad" -c c -c why -c "step 3" -c where
#
# **Goals:** you can say what a loop's gradient is, what it keeps, and where it jumps. **Before:** tutorials 2, 5, 6 and
# 12. **Time:** 30 minutes. At each guess, stop, write your answer down, and only then run the next cell.

# %%
import numpy as np
import paddle


def growth(w):
    h = w
    while h < 100:
        h = h * w
    return h


# %% [markdown]
# ## Python decides, and the tape does not know
#
# `growth` multiplies until it has passed 100. With 3 it makes 9, 27, 81, 243: four rounds. With 2 it takes six.
#
# **Guess:** how many products are on the tape for 3, is there a note of the `while`, and what is the gradient?


# %%
def products(note):
    behind = sum(products(operand) for operand in note.next_functions if operand is not None)
    return behind + (note.name() == "MultiplyGradNode")


def eager(function, start):
    w = paddle.to_tensor([start], dtype="float64", stop_gradient=False)
    y = function(w)
    y.backward()
    return y.item(), w.grad.item(), products(y.grad_fn)


found = {start: eager(growth, start) for start in (3.0, 2.0, 10.0)}
print("answer, slope, and products on the tape:", found)

# %% [markdown]
# Four products for 3, and no note of a loop: the tape of `w * w * w * w * w`, whose slope is `5 * w ** 4`, or 405. A
# decision has no slope, so the gradient takes the number of rounds for given. With 10, the loop stops at 100 exactly.
#
# **Guess:** the tape says 20 at 10. What does nudging say there, and at 3?


# %%
def nudged(start, nudge=1e-6):
    return (growth(np.array(start + nudge)) - growth(np.array(start - nudge))) / (2 * nudge)


print("at 3:", round(nudged(3.0), 3), " at 10:", f"{nudged(10.0):.2e}")

# %% [markdown]
# A little less than 10, and one more round is needed: the answer jumps from 1000 to 100. No slope describes a jump. The
# tape gives the slope of the piece on which you stand, and training never learns to move from one piece to the next.
#
# ## A decision in a Program
#
# A Variable has no number yet, so Python cannot ask `if x > 0`. `cond` writes both branches into the Program, a Block
# each, and the Executor runs the one that is true. The trap of tutorial 12 was a `where`, which runs both.
#
# **Guess:** the root of 0 made a NaN behind `where`. What is the gradient at 0 behind `cond`?

# %%
paddle.enable_static()
static, executor = paddle.static, paddle.static.Executor()
decision = static.Program()
with static.program_guard(decision):
    x = static.data("x", [1], "float64")
    x.stop_gradient = False
    root = static.nn.cond(x > 0, lambda: paddle.sqrt(x), lambda: x * 0.0)
    (slope,) = static.gradients(root, x)
roots = [executor.run(decision, feed={"x": np.array([at])}, fetch_list=[root, slope]) for at in (4.0, 0.0)]
print("at 4:", *roots[0], " at 0:", *roots[1])

# %% [markdown]
# The branch that did not run sends nothing back. `where` decides for each element, and `cond` once for all of them.
#
# ## A loop in a Program
#
# `while_loop` is given the condition, the body, and what goes around. The product stands in the Program once.
#
# **Guess:** the same Program is fed 3, 2 and 10. Which slopes does it find?

# %%
loop = static.Program()
with static.program_guard(loop):
    w = static.data("w", [1], "float64")
    w.stop_gradient = False
    (h,) = static.nn.while_loop(lambda h: h < 100, lambda h: [h * w], [paddle.assign(w)])
    (slope,) = static.gradients(h, w)
runs = {start: executor.run(loop, feed={"w": np.array([start])}, fetch_list=[h, slope]) for start in found}
in_program = {start: (y.item(), by_loop.item()) for start, (y, by_loop) in runs.items()}
print("in a Program:", in_program)
paddle.disable_static()

# %% [markdown]
# The same. Its gradient is a loop, too: `while_grad` goes through the rounds from the last to the first, and needs the
# `h` of each. In the picture each of the four rounds brings 81 to `w`. Here it is by hand.
#
# **Guess:** how many values of `h` does the loop keep for 3, and what is the gradient of the first of them?


# %%
def by_hand(w):
    kept, h = [], w
    while h < 100:
        kept.append(h)
        h = h * w
    dh, dw = 1.0, 0.0
    for h in reversed(kept):  # round after round, from the last
        dw += dh * h
        dh *= w
    return kept, dh, dw + dh  # the first h was w itself


kept, first, slope = by_hand(3.0)
print("kept:", kept, " gradient of the first h:", first, " of w:", slope)

# %% [markdown]
# Nobody needs to write `while_loop` by hand: `to_static` of tutorial 7 reads the Python source, and makes a `cond` or a
# `while_loop` of each `if` and `while` over a Tensor.

# %%
once_more = {start: eager(paddle.jit.to_static(growth), start)[:2] for start in found}
print("traced:", once_more)

# %% [markdown]
# **Summary:** a tape has the rounds that ran; a Program has the loop. Either way the gradient goes back round by round,
# with what each round kept, and sees no jump. **What next:** tutorial 20 slides one small kernel over many places.

# %%
assert [count for _, _, count in found.values()] == [4, 6, 1], "products on the tape"
assert (found[3.0][1], slope, len(kept)) == (5 * 3.0**4, 5 * 81.0, 4), "the slope of the fifth power"
assert abs(nudged(3.0) - 405) < 1e-3 < 1e6 < -nudged(10.0), "and a jump at 10"
assert np.ravel(roots).tolist() == [2.0, 0.25, 0.0, 0.0], "no NaN"
assert in_program == once_more == {start: answer[:2] for start, answer in found.items()}
